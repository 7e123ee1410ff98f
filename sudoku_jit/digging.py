"""Generate puzzles: dig givens out of grids, and keep what meets the request.

A *try* is a grid of method ``search`` dug in one order of cells. Puzzle k of a seed comes of tries ``k * TRIES`` to
``(k + 1) * TRIES - 1``: the first that meets the request. So it does not depend on threads, on chunks or on n. All tries
have different grids, and a puzzle with one solution is no other grid's, so no two puzzles are equal.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit.errors import RequestError, whole
from sudoku_jit.generating import GRIDS_A_CHUNK, Keys, round_keys, searched_grids
from sudoku_jit.grids import Cells
from sudoku_jit.searching import search_chunk
from sudoku_jit.streaming import chosen_threads, in_order

Symmetry = Literal["none", "rot180", "rot90", "horizontal", "vertical", "diagonal", "antidiagonal", "full"]
SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)

FEWEST = 17
"""No puzzle with one solution has fewer clues (McGuire, Tugemann, Civario, 2012)."""
USUAL = 24, 32
TRIES = 1 << 20
"""How many grids are tried for one puzzle before the request is given up."""
FEW = 1000
"""After so many tries without a puzzle all work goes into the first puzzle that is missing."""
WAVE = 2048
"""Tries at a time."""
JUMPS = 20, 10
PUZZLES_A_CHUNK = 1024
SECONDS_A_CHUNK = 0.25


class Request(NamedTuple):
    """What a puzzle has to be. Made and checked by ``request``.

    ``clues``: fewest and most. ``pattern``: bool (81,), where givens may stand. ``guesses``: fewest and most guesses of
    the lane search that proves the solution to be the only one.
    """

    clues: tuple[int, int]
    minimal: bool
    symmetry: Symmetry
    pattern: NDArray[np.bool_]
    blanks_per_box: int
    guesses: tuple[int, int]
    unique: bool
