"""Generate solution grids and puzzles: by index, so grid k of a seed is the same in any run."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import RequestError, whole
from sudoku_jit.formats.layout import Layout
from sudoku_jit.grids import Cells
from sudoku_jit.streaming import chosen_threads, in_order

Method = Literal["orbit", "report"]
METHODS: tuple[Method, ...] = ("orbit", "report")

GRIDS_A_CHUNK = 8192
ATTEMPTS = 1000
"""How many grids are dug for one puzzle before the request is given up."""

_WORD = (1 << 64) - 1
_ARRAY = Layout(bytes(81), np.arange(81), 0)


class _Family(NamedTuple):
    size: int
    kernel: Callable[..., None]


def _family(method: str) -> _Family:
    from sudoku_jit.kernels import orbit, shuffle

    match method:
        case "orbit":
            return _Family(orbit.SIZE, orbit.orbit)
        case "report":
            return _Family(shuffle.SIZE, shuffle.shuffle)
    raise RequestError(f"method {method!r}; expected one of {', '.join(METHODS)}")


def family_size(method: Method, first_digit: int | None = None) -> int:
    """How many grids a method has.

    >>> family_size("orbit"), family_size("report", first_digit=3)
    (1218998108160, 40320)
    """
    size = _family(method).size
    return size if first_digit is None else size // 9


def round_keys(seed: int) -> NDArray[np.uint64]:
    """The keys of a seed's permutation, uint64 (ROUNDS,): SplitMix64 begun at ``seed``."""
    from sudoku_jit.kernels.mixing import GOLDEN, ROUNDS, mix

    counters = np.uint64(seed) + GOLDEN * np.arange(1, ROUNDS + 1, dtype=np.uint64)
    keys: NDArray[np.uint64] = mix(counters)
    return keys


def check_request(n: int, start: int, method: Method, first_digit: int | None, seed: int) -> None:
    """Raise ``RequestError`` for a request that the family cannot meet."""
    if first_digit is not None:
        whole("first digit", first_digit, 1, 9)
    whole("seed", seed, 0, _WORD)
    whole("number of grids", n, 0, _WORD)
    whole("start", start, 0, _WORD)
    size = family_size(method, first_digit)
    if start + n > size:
        wanted = f"{n} grids" + (f" from number {start}" if start else "")
        fixed = f" that begin with {first_digit}" if first_digit is not None else ""
        other = f"; method orbit has {family_size('orbit', first_digit)}"
        raise RequestError(f"{wanted}: method {method} has {size} grids{fixed}{other if method == 'report' else ''}")


def write_grids(
    layout: Layout,
    n: int,
    *,
    seed: int,
    method: Method = "orbit",
    start: int = 0,
    first_digit: int | None = None,
    threads: int | None = None,
    zero: int = ord("0"),
) -> Iterator[tuple[int, memoryview]]:
    """Grids ``start`` .. ``start + n - 1`` of a seed as bytes: pairs (number of grids, bytes).

    Each piece of bytes is good until the next is asked for. Constant memory; O(n) time. The bytes do
    not depend on ``threads``. Raises ``RequestError``.
    """
    check_request(n, start, method, first_digit, seed)
    from sudoku_jit.kernels.mixing import BATCH

    threads = chosen_threads(threads)
    kernel, keys = _family(method).kernel, round_keys(seed)
    free: list[NDArray[np.uint8]] = []

    def fill(first: int) -> tuple[int, NDArray[np.uint8]]:
        count = min(GRIDS_A_CHUNK, start + n - first)
        try:
            buffer = free.pop()
        except IndexError:
            buffer = layout.buffer(GRIDS_A_CHUNK)
        kernel(
            buffer,
            layout.stride,
            layout.offsets,
            zero,
            first,
            count,
            first_digit or 0,
            keys,
            np.zeros(20, np.uint8),
            np.zeros((2, BATCH), np.uint64),
        )
        return count, buffer

    done = 0
    firsts = range(start, start + n, GRIDS_A_CHUNK)
    for count, buffer in in_order(fill, firsts, threads if len(firsts) > 1 else 1):
        done += count
        size = count * layout.stride - (layout.trim if done == n else 0)
        yield count, buffer[:size].data
        free.append(buffer)


def generate_grids(
    n: int,
    *,
    seed: int,
    method: Method = "orbit",
    start: int = 0,
    first_digit: int | None = None,
    threads: int | None = None,
) -> Cells:
    """``n`` different solution grids, uint8 (n, 81).

    ``method``: ``orbit`` (images of one grid under all symmetries, 1.2e12) or ``report`` (the shifted
    3x3 block, 362,880). ``seed``: 0 to 2**64 - 1; grid number k of a seed is always the same.
    ``start``: number of the first grid. ``first_digit``: only grids that begin with it. ``threads``:
    default all. Raises ``RequestError`` when the method has fewer grids.

    >>> grids = generate_grids(3, seed=1, first_digit=7)
    >>> grids.shape, grids[:, 0].tolist()
    ((3, 81), [7, 7, 7])
    >>> bool((generate_grids(1, seed=1, start=2, first_digit=7) == grids[2]).all())
    True
    """
    check_request(n, start, method, first_digit, seed)
    out = np.empty((n, 81), np.uint8)
    at = 0
    for count, data in write_grids(
        _ARRAY,
        n,
        seed=seed,
        method=method,
        start=start,
        first_digit=first_digit,
        threads=threads,
        zero=0,
    ):
        out[at : at + count] = np.frombuffer(data, np.uint8).reshape(count, 81)
        at += count
    return out


def generate_puzzles(
    n: int,
    *,
    seed: int,
    start: int = 0,
    blanks: tuple[int, int] = (30, 55),
    unique: bool = True,
    first_digit: int | None = None,
    threads: int | None = None,
) -> tuple[Cells, Cells]:
    """``n`` puzzles dug out of ``orbit`` grids, and the grids: two uint8 arrays (n, 81).

    ``start``: number of the first puzzle; puzzle k of a seed is always the same. ``blanks``: least and
    most blanks of a puzzle, within 18 to 64; the number is drawn between them, and every box has two at
    least. ``unique``: prove that each puzzle has one solution. Raises
    ``RequestError`` for a range that cannot be met.

    >>> puzzles, grids = generate_puzzles(2, seed=1, blanks=(40, 40))
    >>> (puzzles == 0).sum(axis=1).tolist()
    [40, 40]
    """
    if not isinstance(blanks, tuple) or len(blanks) != 2:
        raise RequestError(f"blanks {blanks!r}; expected a pair, least and most")
    least, most = (whole("blanks", number, 18, 64) for number in blanks)
    if least > most:
        raise RequestError(f"{least} to {most} blanks; expected the least first")
    check_request(n, start, "orbit", first_digit, seed)
    puzzles, grids = np.empty((n, 81), np.uint8), np.empty((n, 81), np.uint8)
    chunk = 256

    def make(first: int) -> tuple[int, Cells, Cells]:
        count = min(chunk, n - first)
        full = generate_grids(count, seed=seed, start=start + first, first_digit=first_digit, threads=1)
        return first, _dig(full, start + first, least, most, unique, seed), full

    threads = chosen_threads(threads)
    for first, dug, full in in_order(make, range(0, n, chunk), threads):
        puzzles[first : first + len(dug)] = dug
        grids[first : first + len(dug)] = full
    return puzzles, grids


def _dig(full: Cells, start: int, least: int, most: int, unique: bool, seed: int) -> Cells:
    """Dig each grid; one whose order of cells ends with too few blanks is dug again in another."""
    from sudoku_jit.kernels import dfs
    from sudoku_jit.kernels.dig import dig

    scratch: list[Any] = [
        np.zeros(243, np.uint8),
        np.zeros(dfs.STACK + 81, np.int64),
        np.zeros(dfs.STATE, np.int64),
    ]
    puzzles = full.copy()
    blanks = np.zeros(len(full), np.int64)
    dig(puzzles, start, least, most, int(unique), np.uint64(seed), blanks, *scratch)
    for k in np.flatnonzero(blanks < least):
        for attempt in range(1, ATTEMPTS):
            again, reached = full[k : k + 1].copy(), np.zeros(1, np.int64)
            other = np.uint64((seed + attempt * 0xD1342543DE82EF95) & _WORD)
            dig(again, start + int(k), least, most, int(unique), other, reached, *scratch)
            if reached[0] >= least:
                puzzles[k] = again[0]
                break
        else:
            raise RequestError(
                f"no puzzle with {least} blanks and one solution found in {ATTEMPTS} ways of digging "
                "one grid; ask for fewer blanks"
            )
    return puzzles
