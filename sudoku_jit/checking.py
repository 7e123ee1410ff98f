"""What is in a file of puzzles: counts of clues, duplicates, solutions."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sudoku_jit import solving
from sudoku_jit.formats.reading import Puzzles
from sudoku_jit.repeats import Repeats
from sudoku_jit.status import Status


class Contents(NamedTuple):
    """What a file holds.

    ``clues``: how many puzzles for each number of clues. ``full``: how many have no blank.
    ``duplicates``: how many repeat an earlier one cell for cell. ``status``: how many for each
    name of ``Status`` in lower case.
    """

    puzzles: int
    clues: dict[int, int]
    full: int
    duplicates: int
    status: dict[str, int]


def check(puzzles: Puzzles, advance: Callable[[int], None] = lambda done: None) -> Contents:
    """Read and solve all puzzles of an open file. Raises ``FormatError``.

    Memory does not grow with the file: what is needed to find duplicates goes to disk.
    """
    clues: Counter[int] = Counter()
    status: Counter[int] = Counter()
    number = duplicates = 0
    with Repeats() as repeats:
        for chunk in puzzles.chunks:
            cells = np.delete(chunk.cells, list(chunk.errors), axis=0) if chunk.errors else chunk.cells
            clues.update(np.count_nonzero(cells, axis=1).tolist())
            status.update(solving.count_many(cells, 2).status.tolist())
            duplicates += len(repeats.add(np.arange(number, number + len(cells)), cells))
            number += len(cells)
            advance(len(chunk.cells))
        duplicates += sum(len(numbers) for numbers in repeats.rest())
    counted = (Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.INVALID)
    return Contents(
        number,
        dict(sorted(clues.items())),
        clues[81],
        duplicates,
        {one.name.lower(): status[one] for one in counted},
    )
