"""Solve and count: check, allocate, call a kernel, say what it answered.

``solve_many`` and ``count_many`` run the lane solver (``kernels.search``): many puzzles side by side in SIMD lanes.
``search_many`` runs the plain depth-first searches (``kernels.dfs``): the report's, and the oracle of the other.
"""

import io
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit import searching
from sudoku_jit.errors import RequestError, whole
from sudoku_jit.formats import reading
from sudoku_jit.grids import Cells, as_cells
from sudoku_jit.status import Status

Puzzles = ArrayLike | str | list[str] | bytes
Order = Literal["fewest", "reading"]
ORDERS: tuple[Order, ...] = ("fewest", "reading")

MOST = 1 << 40
"""The largest limit: years of counting."""
NODES_A_CALL = 2_000_000
"""How long the depth-first search runs before Python looks for Ctrl-C: about a tenth of a second."""


class Solutions(NamedTuple):
    """Answers for n puzzles, in order.

    ``grids``: uint8 (n, 81), the solution that is smallest in reading order, or the givens where there is none.
    ``status``: uint8 (n,), values of ``Status``. ``counts``: int64 (n,), solutions counted up to the limit.
    ``guesses``: int64 (n,), guesses of the search that counted them.
    """

    grids: Cells
    status: NDArray[np.uint8]
    counts: NDArray[np.int64]
    guesses: NDArray[np.int64]


class Solution(NamedTuple):
    """The answer for one puzzle: the fields are those of ``Solutions``, ``grid`` is uint8 (81,)."""

    grid: Cells
    status: Status
    solutions: int
    guesses: int


class Searched(NamedTuple):
    """Answers of a depth-first search: as ``Solutions``, but ``nodes``, int64 (n,), counts digits filled in."""

    grids: Cells
    status: NDArray[np.uint8]
    counts: NDArray[np.int64]
    nodes: NDArray[np.int64]


class Counts(NamedTuple):
    """``counts``: int64 (n,), solutions up to the limit. ``status`` and ``guesses`` as in ``Solutions``."""

    counts: NDArray[np.int64]
    status: NDArray[np.uint8]
    guesses: NDArray[np.int64]


def solve_many(puzzles: Puzzles, limit: int = 2, threads: int | None = None) -> Solutions:
    """Solve a batch, counting up to ``limit`` solutions of each puzzle.

    ``puzzles``: an array (n, 81) or (n, 9, 9) of whole numbers, 0 for a blank, of any dtype and layout; a list of texts
    of 81 characters; or the bytes of a puzzle file. With ``limit`` 2 a solution is proved to be the only one; with 1
    the status of a puzzle that has one is ``SOLVABLE``. ``threads``: default all; the results do not depend on it.
    Raises ``PuzzleError``, ``FormatError``, ``RequestError``. Memory: 90 bytes a puzzle and 2 MB a thread.

    >>> answers = solve_many(["." * 81, "11" + "." * 79])
    >>> [Status(s).name for s in answers.status]
    ['MULTIPLE', 'INVALID']
    """
    cells = _cells(puzzles)
    counted, grids = _in_lanes(cells, _checked(limit), threads)
    several = np.flatnonzero(counted.counts > 1)
    if len(several):
        grids[several] = _smallest(cells[several], grids[several], threads)
    counted = _up_to(limit, counted)
    return Solutions(grids, counted.status, counted.counts, counted.guesses)


def count_many(puzzles: Puzzles, limit: int = 100_000, threads: int | None = None) -> Counts:
    """Count up to ``limit`` solutions of each puzzle of a batch. The arguments and errors are those of ``solve_many``.

    >>> count_many(["." * 81, "11" + "." * 79], limit=50).counts.tolist()
    [50, 0]
    """
    return _up_to(limit, _in_lanes(_cells(puzzles), _checked(limit), threads)[0])


def _up_to(limit: int, counted: Counts) -> Counts:
    """What is to be told where only one solution was asked for: two were counted."""
    if limit > 1:
        return counted
    solvable = counted.counts > 0
    status = np.where(solvable, np.uint8(Status.SOLVABLE), counted.status)
    return Counts(solvable.astype(np.int64), status, counted.guesses)


def solve(puzzle: ArrayLike | str, limit: int = 2) -> Solution:
    """Solve one puzzle: a text of 81 characters, or an array (81,) or (9, 9). Errors as of ``solve_many``.

    >>> answer = solve("." * 9 + "123456789" + "." * 63, limit=1)
    >>> answer.status.words, answer.grid[:9].tolist()
    ('at least one solution', [4, 5, 6, 7, 8, 9, 1, 2, 3])
    """
    answers = solve_many(_one(puzzle), limit, threads=1)
    return Solution(answers.grids[0], Status(answers.status[0]), int(answers.counts[0]), int(answers.guesses[0]))


def count(puzzle: ArrayLike | str, limit: int = 100_000) -> int:
    """Number of solutions of one puzzle, counted up to ``limit``. Errors as of ``solve_many``.

    >>> count("." * 81, limit=1000)
    1000
    """
    return int(count_many(_one(puzzle), limit, threads=1).counts[0])


def is_unique(puzzle: ArrayLike | str) -> bool:
    """Whether a puzzle has exactly one solution. Errors as of ``solve_many``.

    >>> is_unique("." * 81)
    False
    """
    return count(puzzle, limit=2) == 1


def search_many(puzzles: Puzzles, order: Order = "fewest", limit: int = 2) -> Searched:
    """As ``solve_many``, by a plain depth-first search on one thread.

    ``order``: ``fewest`` goes on at the blank with fewest candidates, ``reading`` in reading order, as the report does
    it (some puzzles take it minutes).

    >>> search_many("." * 81, "reading", limit=1).nodes.tolist()
    [391]
    """
    from sudoku_jit.kernels import candidates, dfs

    if order not in ORDERS:
        raise RequestError(f"order {order!r}; expected one of {', '.join(ORDERS)}")
    cells = _cells(puzzles)
    n = len(cells)
    grids = np.empty((n, 81), np.uint8)
    counts, verdict, nodes = (np.zeros(n, np.int64) for _ in range(3))
    scratch = np.zeros(162, np.uint8)
    stack = np.zeros(dfs.STACK + 81, np.int64)
    state = np.zeros(dfs.STATE, np.int64)
    code = dfs.READING if order == "reading" else dfs.FEWEST
    found = grids, counts, verdict, nodes
    while dfs.search_many(cells, code, _checked(limit), NODES_A_CALL, *found, scratch, stack, state) < n:
        pass
    status = np.minimum(counts, 2).astype(np.uint8)
    if limit == 1:
        status[counts == 1] = Status.SOLVABLE
    status[verdict == candidates.CLASH] = Status.INVALID
    return Searched(grids, status, counts, nodes)


def _checked(limit: int) -> int:
    return whole("limit", limit, 1, MOST)


def _one(puzzle: ArrayLike | str) -> Cells:
    cells = as_cells(puzzle)
    if len(cells) != 1:
        raise RequestError(f"{len(cells)} puzzles; expected one (for many: solve_many, count_many)")
    return cells


def _cells(puzzles: Puzzles) -> Cells:
    if isinstance(puzzles, bytes):
        with reading.open_puzzles(io.BytesIO(puzzles)) as opened:
            return np.concatenate([chunk.cells for chunk in opened.chunks])
    return as_cells(puzzles)


def _in_lanes(cells: Cells, limit: int, threads: int | None) -> tuple[Counts, Cells]:
    """Counts, and one solution of each puzzle that has one: the only one, or any where there are several.

    Two are counted at least: a solution that is the only one is the smallest; and lanes that help with a puzzle do it
    in vain if it ends at its limit, since it is then done again.
    """
    from sudoku_jit.kernels import search
    from sudoku_jit.kernels.candidates import find_clashes

    counts, guesses, grids = searching.search_all(
        cells, max(limit, 2), search.HELPING if limit <= 2 else search.ALONE, threads
    )
    status = np.minimum(counts, 2).astype(np.uint8)
    none = np.flatnonzero(counts == 0)
    if len(none):
        clash = np.empty(len(none), np.uint8)
        find_clashes(cells[none], np.empty(27, np.int64), clash)
        status[none] = np.where(clash, np.uint8(Status.INVALID), np.uint8(Status.NONE))
    return Counts(counts, status, guesses), grids


def _smallest(cells: Cells, some: Cells, threads: int | None) -> Cells:
    """The solution smallest in reading order of each puzzle; ``some``: any solution of each.

    The lanes search in reading order, which is quick where solutions abound. For a puzzle that they give up, each blank
    in turn is tried with the digits below the one of the smallest solution known: one batch for all puzzles and digits.
    """
    from sudoku_jit.kernels import search

    counts, _, grids = searching.search_all(cells, 1, search.READING, threads)
    given_up = np.flatnonzero(counts == search.GAVE_UP)
    if len(given_up):
        grids[given_up] = _smallest_cell_by_cell(cells[given_up], some[given_up], threads)
    return grids


def _smallest_cell_by_cell(cells: Cells, some: Cells, threads: int | None) -> Cells:
    from sudoku_jit.kernels import search

    best, fixed = some.copy(), cells.copy()
    for cell in range(81):
        below = np.where(cells[:, cell] == 0, best[:, cell] - 1, 0)
        owner = np.repeat(np.arange(len(cells)), below)
        if len(owner):
            tried = fixed[owner]
            tried[:, cell] = 1 + np.arange(len(owner)) - np.repeat(np.cumsum(below) - below, below)
            # One would be enough, but two are counted: see `_in_lanes`. (One, without help: 15 times slower.)
            counts, _, grids = searching.search_all(tried, 2, search.HELPING, threads)
            # The first that can be solved, for each owner.
            solved = np.flatnonzero(counts)
            owners, first = np.unique(owner[solved], return_index=True)
            best[owners] = grids[solved[first]]
        fixed[:, cell] = best[:, cell]
    return best
