"""The lane search on arrays: chunks, threads, scratch memory and Ctrl-C. What the answers mean is said elsewhere."""

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.grids import Cells
from sudoku_jit.streaming import chosen_threads, in_order

PUZZLES_A_CHUNK = 4096
SWEEPS_A_CALL = 100_000
"""How long a kernel runs before Python looks for Ctrl-C: about a tenth of a second."""

Numbers = NDArray[np.int64]
Banned = NDArray[np.int16]

_NOTHING = np.empty(0, np.int16)
_of_thread = threading.local()


def search_chunk(
    cells: Cells, grids: Cells, counts: Numbers, guesses: Numbers, limit: int, mode: int, banned: Banned = _NOTHING
) -> None:
    """Search at most PUZZLES_A_CHUNK puzzles on this thread, with scratch memory that it keeps.

    ``cells``: uint8 (n, 81), read. ``grids``: likewise, gets a solution where there is one. ``counts``, ``guesses``:
    int64 (n,), written. ``banned``: see `kernels.search.solve_lanes`.
    """
    from sudoku_jit.kernels import search

    if not hasattr(_of_thread, "scratch"):
        _of_thread.scratch = search.scratch(PUZZLES_A_CHUNK)
    scratch: tuple[NDArray[Any], ...] = _of_thread.scratch
    scratch[-1][:] = 0
    inputs = cells.reshape(-1), len(cells), 81, 1, banned
    task = *inputs, grids.reshape(-1), 81, 1, counts, guesses, limit, mode, SWEEPS_A_CALL
    while not search.solve_lanes(*task, *scratch):
        pass


def search_all(cells: Cells, limit: int, mode: int, threads: int | None) -> tuple[Numbers, Numbers, Cells]:
    """Search any number of puzzles: counts, guesses, and the givens or a solution."""
    n = len(cells)
    counts, guesses, grids = np.empty(n, np.int64), np.empty(n, np.int64), cells.copy()
    parts = [slice(k, min(k + PUZZLES_A_CHUNK, n)) for k in range(0, n, PUZZLES_A_CHUNK)]

    def work(part: slice) -> None:
        search_chunk(cells[part], grids[part], counts[part], guesses[part], limit, mode)

    for _ in in_order(work, parts, min(chosen_threads(threads), len(parts))):
        pass
    return counts, guesses, grids
