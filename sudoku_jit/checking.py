"""What is in a file of puzzles: counts of clues, duplicates, solutions."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit import solving
from sudoku_jit.formats.reading import Puzzles
from sudoku_jit.grids import Cells
from sudoku_jit.status import Status

_BUCKETS = 64
_IN_MEMORY = 1 << 20
"""Bytes of a bucket that stay in memory; beyond that it goes to a temporary file."""
_WORDS = 6
"""Words of 64 bits a puzzle: sixteen digits of four bits in each."""


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
    with ExitStack() as stack:
        buckets = [stack.enter_context(SpooledTemporaryFile(_IN_MEMORY)) for _ in range(_BUCKETS)]
        for chunk in puzzles.chunks:
            good = np.array([k for k in range(len(chunk.cells)) if k not in chunk.errors], np.int64)
            cells = chunk.cells[good]
            clues.update(np.count_nonzero(cells, axis=1).tolist())
            status.update(solving.count_many(cells, 2).status.tolist())
            packed = _packed(cells)
            places = packed.sum(axis=1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
            places >>= np.uint64(58)
            for place in np.unique(places):
                buckets[int(place)].write(packed[places == place].tobytes())
            advance(len(chunk.cells))
        duplicates = sum(map(_repeats, buckets))
    number = sum(clues.values())
    counted = (Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.INVALID)
    return Contents(
        number,
        dict(sorted(clues.items())),
        clues[81],
        duplicates,
        {one.name.lower(): status[one] for one in counted},
    )


def _packed(cells: Cells) -> NDArray[np.uint64]:
    """uint64 (n, 6): the digits of each puzzle, four bits each."""
    digits = np.zeros((len(cells), _WORDS * 16), np.uint8)
    digits[:, :81] = cells
    pairs = digits[:, ::2] << np.uint8(4) | digits[:, 1::2]
    return np.ascontiguousarray(pairs).view(np.uint64)


def _repeats(bucket: SpooledTemporaryFile[bytes]) -> int:
    bucket.seek(0)
    words = np.frombuffer(bucket.read(), np.uint64).reshape(-1, _WORDS)
    return len(words) - len(np.unique(words, axis=0))
