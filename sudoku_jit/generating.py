"""Generate solution grids: by index, so grid k of a seed is the same in any run."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import RequestError, whole
from sudoku_jit.formats.layout import Layout
from sudoku_jit.grids import Cells
from sudoku_jit.searching import PUZZLES_A_CHUNK, search_chunk
from sudoku_jit.streaming import chosen_threads, in_order

Method = Literal["search", "orbit", "report", "uniform"]
METHODS: tuple[Method, ...] = ("search", "orbit", "report", "uniform")

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]

GRIDS_A_CHUNK = PUZZLES_A_CHUNK

_WORD = (1 << 64) - 1
_NUMBERS = (1 << 63) - 1
"""Of grids in a sequence, at most."""
_ARRAY = Layout(bytes(81), np.arange(81), 0)

Fill = Callable[[Bytes, Layout, int, int, int, int, Keys], None]
"""Write grids to a buffer: its layout, the byte before 1, number of the first grid, how many, first digit, keys."""


class _Family(NamedTuple):
    size: int
    fill: Fill


def _family(method: str) -> _Family:
    from sudoku_jit.kernels import diagonal, orbit, shuffle, uniform

    match method:
        case "search":
            return _Family(diagonal.SIZE, _search)
        case "orbit":
            return _Family(orbit.SIZE, _computed(orbit.orbit))
        case "report":
            return _Family(shuffle.SIZE, _computed(shuffle.shuffle))
        case "uniform":
            return _Family(uniform.SIZE, _computed(uniform.uniform))
    raise RequestError(f"method {method!r}; expected one of {', '.join(METHODS)}")


def _computed(kernel: Callable[..., None]) -> Fill:
    """The grids of a kernel that computes each from its index alone."""

    def fill(out: Bytes, layout: Layout, zero: int, first: int, count: int, first_digit: int, keys: Keys) -> None:
        from sudoku_jit.kernels.mixing import BATCH

        scratch = np.zeros(146, np.uint8), np.zeros((5, BATCH), np.uint64)
        kernel(out, layout.stride, layout.offsets, zero, first, count, first_digit, keys, *scratch)

    return fill


def _search(out: Bytes, layout: Layout, zero: int, first: int, count: int, first_digit: int, keys: Keys) -> None:
    from sudoku_jit.kernels import diagonal

    indices = np.arange(first, first + count, dtype=np.uint64)
    grids, labels = searched_grids(indices, keys, first_digit)
    diagonal.write(grids, labels, out, layout.stride, layout.offsets, zero)


def searched_grids(indices: NDArray[np.uint64], keys: Keys, first_digit: int = 0) -> tuple[Cells, Cells]:
    """At most PUZZLES_A_CHUNK grids of method ``search``, relabelled, uint8 (n, 81), and what the labels stand for."""
    from sudoku_jit.kernels import diagonal, search

    n = len(indices)
    puzzles, labels = np.empty((n, 81), np.uint8), np.empty((n, 10), np.uint8)
    diagonal.deal(indices, first_digit, keys, puzzles, labels, np.zeros(9, np.uint8))
    grids = np.empty_like(puzzles)
    counts, guesses = np.empty((2, n), np.int64)
    search_chunk(puzzles, grids, counts, guesses, 1, search.READING)
    hard = np.flatnonzero(counts == search.GAVE_UP)
    if len(hard):
        found, again = np.empty((len(hard), 81), np.uint8), np.empty((2, len(hard)), np.int64)
        search_chunk(puzzles[hard], found, again[0], again[1], 1, search.ALONE)
        grids[hard], counts[hard] = found, again[0]
    assert (counts == 1).all()
    return grids, labels


def family_size(method: Method, first_digit: int | None = None) -> int:
    """How many grids a method has.

    >>> family_size("orbit"), family_size("report", first_digit=3), family_size("uniform")
    (1218998108160, 40320, 6670903752021072936960)
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
    wanted = f"{n} grids" + (f" from number {start}" if start else "")
    if start + n > min(size, _NUMBERS):
        if size > _NUMBERS:
            raise RequestError(f"{wanted}: a sequence of method {method} has {_NUMBERS} grids")
        fixed = f" that begin with {first_digit}" if first_digit is not None else ""
        other = f"; method orbit has {family_size('orbit', first_digit)}"
        raise RequestError(f"{wanted}: method {method} has {size} grids{fixed}{other if method == 'report' else ''}")


def write_grids(
    layout: Layout,
    n: int,
    *,
    seed: int,
    method: Method = "search",
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
    threads = chosen_threads(threads)
    fill, keys = _family(method).fill, round_keys(seed)
    free: list[Bytes] = []

    def make(first: int) -> tuple[int, Bytes]:
        count = min(GRIDS_A_CHUNK, start + n - first)
        try:
            buffer = free.pop()
        except IndexError:
            buffer = layout.buffer(GRIDS_A_CHUNK)
        fill(buffer, layout, zero, first, count, first_digit or 0, keys)
        return count, buffer

    done = 0
    firsts = range(start, start + n, GRIDS_A_CHUNK)
    for count, buffer in in_order(make, firsts, threads if len(firsts) > 1 else 1):
        done += count
        size = count * layout.stride - (layout.trim if done == n else 0)
        yield count, buffer[:size].data
        free.append(buffer)


def generate_grids(
    n: int,
    *,
    seed: int,
    method: Method = "search",
    start: int = 0,
    first_digit: int | None = None,
    threads: int | None = None,
) -> Cells:
    """``n`` solution grids, uint8 (n, 81).

    ``method``: ``search`` (random diagonal boxes, the rest by search, 4.8e16 grids of all kinds), ``orbit``
    (images of one grid under all symmetries, 1.2e12), ``report`` (the shifted 3x3 block, 362,880), or ``uniform``
    (each of the 6,670,903,752,021,072,936,960 grids with the same chance). No two are equal, except that ``uniform``
    draws each for itself: among a million two are equal with chance 7.5e-11. ``seed``: 0 to 2**64 - 1; grid number k of
    a seed is always the same. ``start``: number of the first grid. ``first_digit``: only grids that begin with it.
    ``threads``: default all. Raises ``RequestError`` when the method has fewer grids.

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
