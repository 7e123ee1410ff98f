"""Datasets of puzzles: shards by index, splits by class, ratings that repeat; built whole, and proved again.

``build`` writes one, ``verify`` proves it; ``shard`` and ``columns`` give the rows to other tools.
"""

from sudoku_jit.datasets.building import Built, build
from sudoku_jit.datasets.planning import Generated, Given, Request
from sudoku_jit.datasets.rows import Rows, columns, shard
from sudoku_jit.datasets.verifying import Verified, verify
from sudoku_jit.datasets.writing import table

__all__ = [
    "Built",
    "Generated",
    "Given",
    "Request",
    "Rows",
    "Verified",
    "build",
    "columns",
    "shard",
    "table",
    "verify",
]
