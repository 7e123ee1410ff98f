"""What is in a file of puzzles: counts of clues, duplicates, solutions."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise
from tempfile import SpooledTemporaryFile
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sudoku_jit import solving
from sudoku_jit.formats.reading import Puzzles
from sudoku_jit.grids import Cells
from sudoku_jit.status import Status

_BUCKETS = 64
_IN_MEMORY = 1 << 18
"""Bytes of a bucket that stay in memory; beyond that it goes to a temporary file."""
_LARGEST = 1 << 18
"""Puzzles of a bucket that are read at once; one with more is parted again."""
_WORDS = 6
"""Words of 64 bits a puzzle: sixteen digits of four bits in each."""
_Words = NDArray[np.uint64]


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
    with _Buckets() as buckets:
        for chunk in puzzles.chunks:
            cells = np.delete(chunk.cells, list(chunk.errors), axis=0) if chunk.errors else chunk.cells
            clues.update(np.count_nonzero(cells, axis=1).tolist())
            status.update(solving.count_many(cells, 2).status.tolist())
            buckets.add(_packed(cells))
            advance(len(chunk.cells))
        duplicates = buckets.repeats()
    number = sum(clues.values())
    counted = (Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.INVALID)
    return Contents(
        number,
        dict(sorted(clues.items())),
        clues[81],
        duplicates,
        {one.name.lower(): status[one] for one in counted},
    )


def _packed(cells: Cells) -> _Words:
    """uint64 (n, 6): the digits of each puzzle, four bits each."""
    digits = np.zeros((len(cells), _WORDS * 16), np.uint8)
    digits[:, :81] = cells
    pairs = digits[:, ::2] << np.uint8(4) | digits[:, 1::2]
    return np.ascontiguousarray(pairs).view(np.uint64)


class _Buckets:
    """Counts repeats among any number of puzzles, in memory for ``_LARGEST`` of them.

    Equal puzzles go into one bucket. The hash has keys that are drawn anew for each object, so that
    a bucket that grew too large is parted by another, and no file can be made to fill one bucket.
    """

    def __init__(self) -> None:
        self._keys = np.random.default_rng().integers(0, 1 << 64, _WORDS, np.uint64) | np.uint64(1)
        with ExitStack() as stack:
            self._files = [stack.enter_context(SpooledTemporaryFile(_IN_MEMORY)) for _ in range(_BUCKETS)]
            self._open = stack.pop_all()
        self._sizes = np.zeros(_BUCKETS, np.int64)
        self._dropped = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def add(self, words: _Words) -> None:
        """Put away the puzzles of uint64 (n, 6), without those that are repeats among the n."""
        kept, hashes = _distinct(words, self._hashes(words))
        self._dropped += len(words) - len(kept)
        ends = np.searchsorted(hashes >> np.uint64(58), np.arange(_BUCKETS + 1, dtype=np.uint64))
        for bucket, (start, end) in enumerate(pairwise(ends.tolist())):
            if end > start:
                self._files[bucket].write(kept[start:end].tobytes())
        self._sizes += np.diff(ends)

    def repeats(self) -> int:
        """How many of all that were added repeat an earlier one. Empties the buckets."""
        found = self._dropped
        for file, size in zip(self._files, self._sizes.tolist(), strict=True):
            file.seek(0)
            if size <= _LARGEST:
                words = _read(file)
                found += size - len(_distinct(words, self._hashes(words))[0])
            else:
                with _Buckets() as parts:
                    while len(words := _read(file)):
                        parts.add(words)
                    found += parts.repeats()
            file.close()
        return found

    def _hashes(self, words: _Words) -> _Words:
        hashes = np.zeros(len(words), np.uint64)
        for at, key in enumerate(self._keys):
            hashes ^= words[:, at]
            hashes *= key
            hashes ^= hashes >> np.uint64(32)
        return hashes


def _read(file: SpooledTemporaryFile[bytes]) -> _Words:
    return np.frombuffer(file.read(_LARGEST * _WORDS * 8), np.uint64).reshape(-1, _WORDS)


def _distinct(words: _Words, hashes: _Words) -> tuple[_Words, _Words]:
    """Each puzzle once, and its hash, in order of hashes."""
    order = np.argsort(hashes)
    words, hashes = words[order], hashes[order]
    same = hashes[1:] == hashes[:-1]
    if (words[1:][same] != words[:-1][same]).any():  # different puzzles with one hash
        order = np.lexsort((*words.T, hashes))
        words, hashes = words[order], hashes[order]
        same = (words[1:] == words[:-1]).all(axis=1)
    first = np.concatenate([[True], ~same])[: len(words)]
    return words[first], hashes[first]
