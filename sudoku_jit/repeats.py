"""Which of any number of grids repeat an earlier one, in memory that does not grow with them."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from tempfile import SpooledTemporaryFile
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.grids import Cells

_BUCKETS = 64
_IN_MEMORY = 1 << 18
"""Bytes of a bucket that stay in memory; beyond that it goes to a temporary file."""
_LARGEST = 1 << 18
"""Grids of a bucket that are read at once; one with more is parted again."""
_WORDS = 6
"""Words of 64 bits a grid: sixteen digits of four bits in each. One more is its number."""
_Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Repeats:
    """Finds the grids that repeat an earlier one, cell for cell, in memory for ``_LARGEST`` of them.

    Equal grids go into one bucket, and buckets to temporary files, 56 bytes a grid. The hash has keys that are drawn
    anew for each object, so that a bucket that grew too large is parted by another, and no file can be made to fill
    one bucket.

    >>> with Repeats() as repeats:
    ...     some = repeats.add(np.arange(3), np.zeros((3, 81), np.uint8)).tolist()
    ...     more = repeats.add(np.arange(3, 5), np.repeat(np.uint8([[0], [1]]), 81, axis=1)).tolist()
    ...     some, more, [numbers.tolist() for numbers in repeats.rest() if len(numbers)]
    ([1, 2], [], [[3]])
    """

    def __init__(self) -> None:
        self._keys = np.random.default_rng().integers(0, 1 << 64, _WORDS, np.uint64) | np.uint64(1)
        with ExitStack() as stack:
            self._files = [stack.enter_context(SpooledTemporaryFile(_IN_MEMORY)) for _ in range(_BUCKETS)]
            self._open = stack.pop_all()
        self._sizes = np.zeros(_BUCKETS, np.int64)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def add(self, numbers: Numbers, cells: Cells) -> Numbers:
        """Put away grids, uint8 (n, 81), with numbers above all before; the numbers of repeats among the n."""
        return self._put(_packed(numbers, cells))

    def rest(self) -> Iterator[Numbers]:
        """The numbers of all that repeat one of an earlier ``add``, in no special order. Empties the buckets."""
        for file, size in zip(self._files, self._sizes.tolist(), strict=True):
            file.seek(0)
            if size <= _LARGEST:
                records = _read(file)
                yield _parted(records, self._hashes(records))[2]
            else:
                with Repeats() as parts:
                    while len(records := _read(file)):
                        yield parts._put(records)
                    yield from parts.rest()
            file.close()

    def _put(self, records: _Words) -> Numbers:
        kept, hashes, again = _parted(records, self._hashes(records))
        ends = np.searchsorted(hashes >> np.uint64(58), np.arange(_BUCKETS + 1, dtype=np.uint64))
        for bucket, (start, end) in enumerate(pairwise(ends.tolist())):
            if end > start:
                self._files[bucket].write(kept[start:end].tobytes())
        self._sizes += np.diff(ends)
        return again

    def _hashes(self, records: _Words) -> _Words:
        hashes = np.zeros(len(records), np.uint64)
        for at, key in enumerate(self._keys):
            hashes ^= records[:, at]
            hashes *= key
            hashes ^= hashes >> np.uint64(32)
        return hashes


def _packed(numbers: Numbers, cells: Cells) -> _Words:
    """uint64 (n, 7): the digits of each grid, four bits each, and its number."""
    digits = np.zeros((len(cells), _WORDS * 16), np.uint8)
    digits[:, :81] = cells
    words = (digits[:, ::2] << np.uint8(4) | digits[:, 1::2]).view(np.uint64)
    return np.column_stack([words, numbers.astype(np.uint64)])


def _read(file: SpooledTemporaryFile[bytes]) -> _Words:
    return np.frombuffer(file.read(_LARGEST * (_WORDS + 1) * 8), np.uint64).reshape(-1, _WORDS + 1)


def _parted(records: _Words, hashes: _Words) -> tuple[_Words, _Words, Numbers]:
    """The first of each grid, and its hash, in order of hashes; the numbers of the others."""
    order = np.argsort(hashes, kind="stable")
    words, hashes = records[order], hashes[order]
    same = hashes[1:] == hashes[:-1]
    if (words[1:][same, :_WORDS] != words[:-1][same, :_WORDS]).any():  # different grids with one hash
        order = np.lexsort((*words[:, :_WORDS].T, hashes))
        words, hashes = words[order], hashes[order]
        same = (words[1:, :_WORDS] == words[:-1, :_WORDS]).all(axis=1)
    first = np.concatenate([[True], ~same])[: len(words)]
    return words[first], hashes[first], words[~first, _WORDS].astype(np.int64)
