"""Sudoku by the million: generate, solve, count and check, with kernels compiled by Numba.

The public names load on first use (PEP 562), so ``import sudoku_jit`` needs neither numba nor numpy.

>>> import sudoku_jit
>>> sudoku_jit.solve(
...     "000005020100900000400000000008002000000000001000000904005000300000100007002408000"
... ).status.name
'UNIQUE'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Canonical": "canonicalising",
    "CanonicalPuzzles": "canonicalising",
    "canonical_grids": "canonicalising",
    "canonical_puzzles": "canonicalising",
    "morph_many": "canonicalising",
    "Solution": "solving",
    "Solutions": "solving",
    "count": "solving",
    "count_many": "solving",
    "is_unique": "solving",
    "search_many": "solving",
    "solve": "solving",
    "solve_many": "solving",
    "generate_grids": "generating",
    "generate_puzzles": "digging",
    "grid_from_text": "grids",
    "grid_to_text": "grids",
    "is_valid": "grids",
    "Status": "status",
    "FormatError": "errors",
    "PuzzleError": "errors",
    "RequestError": "errors",
    "ShortfallError": "errors",
    "SudokuError": "errors",
}
__all__ = ["__version__", *_HOMES]

if TYPE_CHECKING:
    from sudoku_jit.canonicalising import Canonical as Canonical
    from sudoku_jit.canonicalising import CanonicalPuzzles as CanonicalPuzzles
    from sudoku_jit.canonicalising import canonical_grids as canonical_grids
    from sudoku_jit.canonicalising import canonical_puzzles as canonical_puzzles
    from sudoku_jit.canonicalising import morph_many as morph_many
    from sudoku_jit.digging import generate_puzzles as generate_puzzles
    from sudoku_jit.errors import FormatError as FormatError
    from sudoku_jit.errors import PuzzleError as PuzzleError
    from sudoku_jit.errors import RequestError as RequestError
    from sudoku_jit.errors import ShortfallError as ShortfallError
    from sudoku_jit.errors import SudokuError as SudokuError
    from sudoku_jit.generating import generate_grids as generate_grids
    from sudoku_jit.grids import grid_from_text as grid_from_text
    from sudoku_jit.grids import grid_to_text as grid_to_text
    from sudoku_jit.grids import is_valid as is_valid
    from sudoku_jit.solving import Solution as Solution
    from sudoku_jit.solving import Solutions as Solutions
    from sudoku_jit.solving import count as count
    from sudoku_jit.solving import count_many as count_many
    from sudoku_jit.solving import is_unique as is_unique
    from sudoku_jit.solving import search_many as search_many
    from sudoku_jit.solving import solve as solve
    from sudoku_jit.solving import solve_many as solve_many
    from sudoku_jit.status import Status as Status


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
