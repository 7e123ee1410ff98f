"""Solve and count: check, allocate, call a kernel, say what it answered."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit.errors import RequestError
from sudoku_jit.grids import Cells, as_cells
from sudoku_jit.status import Status

Method = Literal["fewest", "reading"]
METHODS: tuple[Method, ...] = ("fewest", "reading")

NODES_A_CALL = 2_000_000
"""How long a kernel runs before Python looks for Ctrl-C: some tenths of a second."""


class Solutions(NamedTuple):
    """Answers for n puzzles, in order.

    ``grids``: uint8 (n, 81), the solution that is smallest in reading order, or the givens where
    there is none. ``status``: uint8 (n,), values of ``Status``. ``counts``: int64 (n,), solutions
    counted up to the limit. ``nodes``: int64 (n,), digits that the search filled in.
    """

    grids: Cells
    status: NDArray[np.uint8]
    counts: NDArray[np.int64]
    nodes: NDArray[np.int64]


class Solution(NamedTuple):
    """The answer for one puzzle: the fields are those of ``Solutions``, ``grid`` is uint8 (81,)."""

    grid: Cells
    status: Status
    solutions: int
    nodes: int


def solve_many(puzzles: ArrayLike | str | list[str], limit: int = 2, method: Method = "fewest") -> Solutions:
    """Solve a batch, counting up to ``limit`` solutions of each puzzle.

    ``puzzles``: all that ``grids.as_cells`` takes. ``limit`` 2 proves uniqueness; with 1 the status
    of a puzzle with a solution is ``SOLVABLE``, for nothing is known of a second one. ``method``:
    ``fewest`` searches at the blank with fewest candidates, ``reading`` in reading order (the
    report's: some puzzles take it minutes). Raises ``PuzzleError``, ``RequestError``.

    >>> answers = solve_many(["." * 81, "11" + "." * 79])
    >>> [Status(s).name for s in answers.status]
    ['MULTIPLE', 'INVALID']
    """
    from sudoku_jit.kernels import candidates, dfs

    if method not in METHODS:
        raise RequestError(f"method {method!r}; expected one of {', '.join(METHODS)}")
    if limit < 1:
        raise RequestError(f"limit {limit}; expected at least 1")
    cells = as_cells(puzzles)
    n = len(cells)
    grids = np.empty((n, 81), np.uint8)
    count, verdict, nodes = (np.zeros(n, np.int64) for _ in range(3))
    scratch = np.zeros(162, np.uint8)
    stack = np.zeros(dfs.STACK + 81, np.int64)
    state = np.zeros(dfs.STATE, np.int64)
    order = dfs.READING if method == "reading" else dfs.FEWEST
    while (
        dfs.search_many(
            cells,
            order,
            limit,
            NODES_A_CALL,
            grids,
            count,
            verdict,
            nodes,
            scratch,
            stack,
            state,
        )
        < n
    ):
        pass
    status = np.minimum(count, 2).astype(np.uint8)
    if limit == 1:
        status[count == 1] = Status.SOLVABLE
    status[verdict == candidates.CLASH] = Status.INVALID
    return Solutions(grids, status, count, nodes)


def solve(puzzle: ArrayLike | str, limit: int = 2, method: Method = "fewest") -> Solution:
    """Solve one puzzle: a text of 81 characters, or an array (81,) or (9, 9).

    The arguments and errors are those of ``solve_many``.

    >>> answer = solve("." * 9 + "123456789" + "." * 63, limit=1)
    >>> answer.status.words, answer.grid[:9].tolist()
    ('at least one solution', [4, 5, 6, 7, 8, 9, 1, 2, 3])
    """
    cells = as_cells(puzzle)
    if len(cells) != 1:
        raise RequestError(f"{len(cells)} puzzles; expected one (for many: solve_many)")
    answers = solve_many(cells, limit, method)
    return Solution(
        answers.grids[0], Status(answers.status[0]), int(answers.counts[0]), int(answers.nodes[0])
    )


def count(puzzle: ArrayLike | str, limit: int = 100_000) -> int:
    """Number of solutions of one puzzle, counted up to ``limit``.

    >>> count("." * 81, limit=1000)
    1000
    """
    return solve(puzzle, limit).solutions
