"""Generate puzzles: dig givens out of grids, and keep what meets the request.

A *try* is a grid of method ``search`` dug in one order of cells. Puzzle k of a seed comes of tries ``k * TRIES`` to
``(k + 1) * TRIES - 1``: the first that meets the request. So it does not depend on threads, on chunks or on n. All
tries have different grids, and a puzzle with one solution is no other grid's, so no two puzzles are equal.
"""

import threading
import time
from collections.abc import Iterator
from numbers import Real
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit.errors import RequestError, ShortfallError, whole
from sudoku_jit.generating import Keys, check_request, family_size, round_keys, searched_grids
from sudoku_jit.grids import Cells
from sudoku_jit.searching import PUZZLES_A_CHUNK, Banned, Numbers, search_chunk
from sudoku_jit.streaming import chosen_threads, in_order

Symmetry = Literal["none", "rot180", "rot90", "horizontal", "vertical", "diagonal", "antidiagonal", "full"]
SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)
Mask = NDArray[np.bool_]

FEWEST = 17
"""No puzzle with one solution has fewer clues (McGuire, Tugemann, Civario, 2012)."""
USUAL = 24, 32
MOST_GUESSES = 1 << 40
TRIES = 1 << 22
"""How many grids are tried for one puzzle before the request is given up."""
FEW = 1000
"""After so many tries without a puzzle all work goes into the first that is missing."""
WAVE = PUZZLES_A_CHUNK
"""Tries at a time."""
JUMPS = 20, 10
"""Cells that are dug at once at the beginning: 97 % and then 80 % of all grids keep one solution."""
FIRST_CHUNK = 16
SECONDS_A_CHUNK = 0.25
"""A chunk is so many puzzles, at most WAVE: hard ones come one by one, so that what is found is soon told."""

_NOT_BANNED = np.empty(0, np.int16)


class Request(NamedTuple):
    """What a puzzle has to be; ``request`` makes and checks one.

    ``clues``: fewest and most. ``pattern``: bool (81,), where givens may stand. ``guesses``: fewest and most of the
    search that proves uniqueness. ``orbits``: uint8 (m, 9), cells that go together: how many, and which.
    """

    clues: tuple[int, int]
    minimal: bool
    pattern: Mask
    blanks_per_box: int
    guesses: tuple[int, int]
    unique: bool
    orbits: NDArray[np.uint8]


def request(
    *,
    clues: tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    pattern: ArrayLike | None = None,
    min_blanks_per_box: int = 0,
    guesses: tuple[int | None, int | None] = (None, None),
    unique: bool = True,
) -> Request:
    """Check what ``generate_puzzles`` is asked for. Raises ``RequestError`` for what no puzzle can be."""
    mask = np.ones(81, np.bool_) if pattern is None else _mask(pattern)
    orbits = [cells for cells in _orbits(symmetry) if mask[cells].all()]
    marks = sum(map(len, orbits))
    if pattern is not None and clues is None and not minimal:
        if marks < mask.sum():
            raise RequestError(f"the pattern has not the symmetry {symmetry!r}; give clues to use a part of it")
        clues = marks, marks
    few, many = _pair("clues", clues or ((FEWEST, 81) if minimal else USUAL), 0, 81)
    asked = f"{few} to {many} clues"
    per_box = whole("blanks in each box", min_blanks_per_box, 0, 9)
    many = min(many, marks, 81 - 9 * per_box)
    if unique and few < FEWEST:
        if many < FEWEST:
            raise RequestError(f"{asked}: no puzzle with one solution has fewer than {FEWEST}")
        few = FEWEST
    if few > many:
        limits = [f"the pattern has {marks} cells" + (" in whole orbits" if symmetry != "none" else "")]
        limits = limits if marks < 81 else []
        limits += [f"{per_box} blanks in each box leave {81 - 9 * per_box}"] if per_box else []
        raise RequestError(f"{asked}: {' and '.join(limits)}")
    sums = {0}
    for cells in orbits:
        sums |= {total + len(cells) for total in sums}
    if not any(few <= total <= many for total in sums):
        raise RequestError(f"{asked}: no picture with the symmetry {symmetry!r} has so many")
    if isinstance(guesses, tuple) and len(guesses) == 2:
        guesses = 0 if guesses[0] is None else guesses[0], MOST_GUESSES if guesses[1] is None else guesses[1]
    low, high = _pair("guesses", guesses, 0, MOST_GUESSES)
    if not unique and (minimal or (low, high) != (0, MOST_GUESSES)):
        raise RequestError("minimal and guesses are said of puzzles with one solution; expected unique")
    inside = np.zeros(81, np.bool_)
    inside[[cell for cells in orbits for cell in cells]] = True
    if unique:
        _check_lines(inside)
    table = np.zeros((len(orbits), 9), np.uint8)
    for row, cells in zip(table, orbits, strict=True):
        row[: 1 + len(cells)] = len(cells), *cells
    return Request((few, many), minimal, inside, per_box, (low, high), unique, table)


def _check_lines(pattern: Mask) -> None:
    """Raise ``RequestError`` where two lines that can change places have no mark."""
    for what, square in (("rows", pattern.reshape(9, 9)), ("columns", pattern.reshape(9, 9).T)):
        blank = square.sum(axis=1) == 0
        for first in range(0, 9, 3):
            lines = first + 1 + np.flatnonzero(blank[first : first + 3])
            if len(lines) > 1:
                raise RequestError(
                    f"pattern without a mark in {what} {lines[0]} and {lines[1]}: they could change places, so no "
                    "puzzle would have one solution"
                )


def _pair(name: str, pair: object, low: int, high: int) -> tuple[int, int]:
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise RequestError(f"{name} {pair!r}; expected a pair, fewest and most")
    least, most = (whole(name, number, low, high) for number in pair)
    if least > most:
        raise RequestError(f"{least} to {most} {name}; expected the fewest first")
    return least, most


def _mask(pattern: ArrayLike) -> Mask:
    marks = np.asarray(pattern)
    if marks.size != 81 or marks.dtype != np.bool_:
        raise RequestError(f"pattern of shape {marks.shape} and dtype {marks.dtype}; expected 81 bools")
    return marks.reshape(81)


def _orbits(symmetry: str) -> list[list[int]]:
    """The cells of the picture that stand or go together. A mirror is named for its axis."""
    cells = np.arange(81).reshape(9, 9)
    images = {
        "none": [cells],
        "rot180": [cells[::-1, ::-1]],
        "rot90": [np.rot90(cells, turns) for turns in range(1, 4)],
        "horizontal": [cells[::-1]],
        "vertical": [cells[:, ::-1]],
        "diagonal": [cells.T],
        "antidiagonal": [cells[::-1, ::-1].T],
        "full": [np.rot90(square, turns) for square in (cells, cells.T) for turns in range(4)],
    }
    if symmetry not in SYMMETRIES:
        raise RequestError(f"symmetry {symmetry!r}; expected one of {', '.join(SYMMETRIES)}")
    each = np.stack([cells, *images[symmetry]]).reshape(-1, 81).T.tolist()
    return [list(orbit) for orbit in dict.fromkeys(tuple(sorted(set(orbit))) for orbit in each)]


def generate_puzzles(
    n: int,
    *,
    seed: int,
    clues: tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    pattern: ArrayLike | None = None,
    min_blanks_per_box: int = 0,
    guesses: tuple[int | None, int | None] = (None, None),
    unique: bool = True,
    first_digit: int | None = None,
    start: int = 0,
    threads: int | None = None,
    timeout: float | None = None,
) -> tuple[Cells, Cells]:
    """``n`` different puzzles with one solution each, and their solutions: two uint8 arrays (n, 81).

    ``seed``: 0 to 2**64 - 1; puzzle k of a seed is always the same. ``start``: number of the first. ``clues``: fewest
    and most; by default 24 to 32, for minimal puzzles as many as it takes, with a pattern all of it. ``minimal``: no
    clue can be left out. ``symmetry`` of the picture of clues: ``rot180``, ``rot90``, a mirror named for its axis, or
    ``full``. ``pattern``: bool (81,), where clues may stand. ``min_blanks_per_box``: blanks that each box has at least.
    ``guesses``: fewest and most that ``solve_many`` needs, None for any. ``unique=False``: dig without proving
    anything; two such puzzles could be equal. ``first_digit``: of the solutions. ``threads``: default all. ``timeout``:
    seconds.

    Each puzzle is the first of a sequence of dug grids that meets the request, all of it; its number of clues is drawn
    within ``clues``, and larger where digging ends before. Raises ``RequestError`` for what no puzzle can be, and
    ``ShortfallError`` where puzzles were not found in the time or in TRIES tries. O(n).

    >>> puzzles, solutions = generate_puzzles(2, seed=1, clues=(24, 26), symmetry="rot180")
    >>> given = puzzles > 0
    >>> bool((given == given[:, ::-1]).all()), bool((puzzles == solutions)[given].all())
    (True, True)
    """
    wanted = request(
        clues=clues,
        minimal=minimal,
        symmetry=symmetry,
        pattern=pattern,
        min_blanks_per_box=min_blanks_per_box,
        guesses=guesses,
        unique=unique,
    )
    pieces = [(np.empty((0, 81), np.uint8),) * 2]
    pieces += find_puzzles(n, wanted, seed=seed, first_digit=first_digit, start=start, threads=threads, timeout=timeout)
    puzzles, grids = (np.concatenate(part) for part in zip(*pieces, strict=True))
    return puzzles, grids


def check_numbers(n: int, start: int, seed: int, first_digit: int | None) -> None:
    """Raise ``RequestError`` for more puzzles than a seed has."""
    check_request(0, 0, "search", first_digit, seed)
    size = family_size("search", first_digit) // TRIES
    if whole("start", start, 0, size) + whole("number of puzzles", n, 0, 1 << 63) > size:
        wanted = f"{n} puzzles" + (f" from number {start}" if start else "")
        raise RequestError(f"{wanted}: a seed has {size}; expected another seed for more")


def find_puzzles(
    n: int,
    wanted: Request,
    *,
    seed: int,
    first_digit: int | None = None,
    start: int = 0,
    threads: int | None = None,
    timeout: float | None = None,
    at_once: int = FIRST_CHUNK,
) -> Iterator[tuple[Cells, Cells]]:
    """Puzzles ``start`` to ``start + n - 1`` of a seed in pieces: puzzles and solutions, uint8 (m, 81).

    ``at_once``: puzzles in the first pieces; few, to see the first ones soon if they are hard to find; WAVE at most.
    Constant memory. Raises as ``generate_puzzles``; what comes before a ``ShortfallError`` is good.
    """
    check_numbers(n, start, seed, first_digit)
    threads = chosen_threads(threads)
    if timeout is not None and not (isinstance(timeout, Real) and timeout > 0):
        raise RequestError(f"timeout {timeout!r}; expected seconds above 0")
    deadline = time.monotonic() + timeout if timeout is not None else float("inf")
    keys, stop = round_keys(seed), threading.Event()
    size = at_once

    def chunks() -> Iterator[range]:
        first = start
        while first < start + n:
            chunk = range(first, min(first + size, start + n))
            yield chunk
            first = chunk.stop

    def find(numbers: range) -> tuple[Cells, Cells, bool]:
        nonlocal size
        begun = time.monotonic()
        puzzles, grids, tried = _first_good(numbers, wanted, keys, first_digit or 0, stop, deadline)
        rate = len(puzzles) / max(time.monotonic() - begun, 1e-6)
        size = min(max(int(rate * SECONDS_A_CHUNK), 1), 8 * size, WAVE)
        return puzzles, grids, tried >= TRIES

    done = 0
    try:
        jobs = chunks()
        for puzzles, grids, hopeless in in_order(find, jobs, threads if n > at_once else 1):
            done += len(puzzles)
            if len(puzzles):
                yield puzzles, grids
            if hopeless:
                raise ShortfallError(
                    f"{done} of {n} puzzles found: none of {TRIES} grids gave number {start + done}; widen the request"
                )
            if time.monotonic() > deadline and done < n:
                raise ShortfallError(
                    f"{done} of {n} puzzles found in {timeout:g} s; give more time, or widen the request"
                )
    finally:
        stop.set()


def _first_good(
    numbers: range, wanted: Request, keys: Keys, first_digit: int, stop: threading.Event, deadline: float
) -> tuple[Cells, Cells, int]:
    """The puzzles of these numbers up to the first that was not found, with solutions; and how often that was tried."""
    n = len(numbers)
    puzzles, grids = np.empty((2, n, 81), np.uint8)
    tried, attempts = np.zeros(n, np.int64), 1
    missing = np.arange(n)
    while len(missing) and tried[missing[0]] < TRIES and not stop.is_set() and time.monotonic() < deadline:
        if tried[missing[0]] >= FEW:
            now, attempts = missing[:1], WAVE
        else:
            now, attempts = missing, min(attempts, max(WAVE // len(missing), 1))
        owners = np.repeat(now, attempts)
        tries = (tried[now][:, None] + np.arange(attempts)).reshape(-1)
        indices = ((numbers.start + owners) * TRIES + tries).astype(np.uint64)
        made, full, good = _try(indices[tries < TRIES], wanted, keys, first_digit)
        found, first = np.unique(owners[tries < TRIES][good], return_index=True)
        at = np.flatnonzero(good)[first]
        puzzles[found], grids[found] = made[at], full[at]
        tried[now] += attempts
        missing = np.setdiff1d(missing, found, assume_unique=True)
        attempts *= 2
    whole_part = int(missing[0]) if len(missing) else n
    return puzzles[:whole_part], grids[:whole_part], int(tried[whole_part]) if len(missing) else 0


def _try(indices: NDArray[np.uint64], wanted: Request, keys: Keys, first_digit: int) -> tuple[Cells, Cells, Mask]:
    """Dig the grids of these indices: puzzles, grids, and which puzzles are what is wanted."""
    from sudoku_jit.kernels.mixing import mix

    grids, labels = searched_grids(indices, keys, first_digit)
    grids = np.take_along_axis(labels, grids.astype(np.intp), axis=1)
    puzzles = grids * wanted.pattern
    good = np.ones(len(puzzles), np.bool_)
    if wanted.unique and not wanted.pattern.all():
        good = _search(puzzles, 2)[0] == 1
    alive = np.flatnonzero(good)
    dug = puzzles[alive]
    _dig(dug, mix(mix(indices[alive] + keys[0]) ^ keys[2]), wanted)
    puzzles[alive], good[alive] = dug, _meets(dug, wanted)
    return puzzles, grids, good


def _search(puzzles: Cells, limit: int, banned: Banned = _NOT_BANNED) -> tuple[Numbers, Numbers]:
    """Solutions, counted to the limit, and guesses, of at most WAVE puzzles."""
    from sudoku_jit.kernels import search

    counts, guesses = np.empty((2, len(puzzles)), np.int64)
    search_chunk(puzzles, np.empty_like(puzzles), counts, guesses, limit, search.ALONE, banned)
    return counts, guesses


def _dig(puzzles: Cells, randoms: NDArray[np.uint64], wanted: Request) -> None:
    """Dig in place, each puzzle in an order of its own, to a number of clues of its own."""
    from sudoku_jit.kernels import dig

    n, orbits = len(puzzles), wanted.orbits
    m, largest = len(orbits), int(orbits[:, 0].max())
    fewest, most = (FEWEST, FEWEST) if wanted.minimal else wanted.clues
    order, progress = np.empty((n, m), np.uint8), np.empty((n, dig.COLUMNS), np.int64)
    blanks = int(81 - wanted.pattern.sum())
    dig.begin(
        randoms,
        blanks,
        81 - most,
        81 - fewest,
        wanted.blanks_per_box,
        orbits,
        order,
        progress,
        np.empty(9 + m, np.int64),
    )
    tests, owners = np.empty((n, 81), np.uint8), np.arange(n)
    banned = np.empty(n, np.int16) if largest == 1 else _NOT_BANNED
    asked, counts, want, jumped = n, np.zeros(n, np.int64), -1, 0
    jumps = [cells // largest for cells in JUMPS] if wanted.unique else [m]
    while asked:
        jump = jumps.pop(0) if jumps else 1
        bans = banned if jump == 1 else _NOT_BANNED
        asked = dig.step(asked, counts, want, jumped, jump, orbits, order, puzzles, progress, owners, tests, bans)
        jumped, limit, want = (1, 1, 0) if len(bans) else (jump, 2, 1)
        if wanted.unique:
            counts, _ = _search(tests[:asked], limit, bans[:asked])
        else:
            counts = np.full(asked, want)


def _meets(puzzles: Cells, wanted: Request) -> Mask:
    """Which puzzles are all that is wanted; that each has one solution is known."""
    given = puzzles != 0
    clues = given.sum(axis=1)
    good: Mask = (wanted.clues[0] <= clues) & (clues <= wanted.clues[1])
    if wanted.blanks_per_box:
        in_box = given.reshape(-1, 3, 3, 3, 3).sum(axis=(2, 4))
        good &= (in_box <= 9 - wanted.blanks_per_box).all(axis=(1, 2))
    if wanted.minimal and (wanted.orbits[:, 0] > 1).any():
        good[good] = _minimal(puzzles[good])
    if wanted.guesses != (0, MOST_GUESSES):
        guesses = _search(puzzles[good], 2)[1]
        good[good] = (wanted.guesses[0] <= guesses) & (guesses <= wanted.guesses[1])
    return good


def _minimal(puzzles: Cells) -> Mask:
    """Which puzzles have another solution without any one of their clues."""
    needed = np.ones(len(puzzles), np.bool_)
    for cell in range(81):
        asked = np.flatnonzero(needed & (puzzles[:, cell] > 0))
        tests = puzzles[asked]
        banned = tests[:, cell] + np.int16(9 * cell - 1)
        tests[:, cell] = 0
        needed[asked] = _search(tests, 1, banned)[0] == 1
    return needed
