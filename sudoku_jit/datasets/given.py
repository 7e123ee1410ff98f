"""Puzzles of a file as the source of a dataset: looked through once, then read again shard by shard."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from sudoku_jit import solving
from sudoku_jit.datasets.planning import Given
from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.formats.records import Chunk
from sudoku_jit.grids import Cells
from sudoku_jit.repeats import Repeats
from sudoku_jit.status import Status
from sudoku_jit.streaming import chosen_threads, in_order

OnError = Literal["stop", "skip"]
REPEATED = 255
_REPEATED_WORDS = "the same puzzle as an earlier one"
_FIX = "sudoku-jit dedupe --by string leaves repeats out"


class Examined:
    """A file that was looked through: ``source``, the puzzles that are kept, in order, and what was left out."""

    def __init__(
        self, path: str, format: str | None, on_error: OnError, marks: NDArray[np.uint8], source: Given
    ) -> None:
        self.source = source
        self._path, self._format, self._on_error, self._marks = path, format, on_error, marks

    def shards(self, size: int, left_out: Callable[[FormatError], None]) -> Iterator[tuple[int, Cells]]:
        """Read again: shards of ``size`` puzzles, uint8 (n, 81), and their numbers; ``left_out`` is told the rest."""
        held = np.empty((0, 81), np.uint8)
        at = number = done = 0
        with open_puzzles(self._path, self._format, self._on_error, left_out) as puzzles:
            for chunk in puzzles.chunks:
                marks = self._marks[at : at + len(chunk.cells)]
                at += len(chunk.cells)
                if len(marks) < len(chunk.cells):
                    break
                for k in np.flatnonzero(marks != Status.UNIQUE).tolist():
                    left_out(_error(puzzles.name, chunk, k, 0, int(marks[k])))
                held = np.concatenate([held, chunk.cells[marks == Status.UNIQUE]])
                while len(held) >= size:
                    yield number, held[:size].copy()
                    number, done, held = number + 1, done + size, held[size:]
        if at != len(self._marks) or done + len(held) != self.source.n:
            raise FormatError(puzzles.name, 0, 0, "changed while it was read", "expected the same puzzles twice")
        if len(held):
            yield number, held


def _error(name: str, chunk: Chunk, k: int, number: int, mark: int) -> FormatError:
    if mark == REPEATED:
        return FormatError(name, int(chunk.lines[k]), number, _REPEATED_WORDS, f"expected each once; {_FIX}")
    return FormatError(name, int(chunk.lines[k]), number, Status(mark).words, "expected exactly one solution")


@contextmanager
def examined(
    path: str,
    format: str | None = None,
    on_error: OnError = "stop",
    threads: int | None = None,
    advance: Callable[[int], None] = lambda done: None,
) -> Iterator[Examined]:
    """Look through a file of puzzles in any format: which have exactly one solution, and which repeat an earlier one.

    ``on_error``: a record that is no puzzle, a puzzle without exactly one solution and a repeat are errors with file
    and line (``stop``), or left out (``skip``). Memory does not grow with the file: a byte a puzzle, and what is
    needed to find repeats, is in temporary files. Raises ``FormatError``, ``OSError``, and ``RequestError`` for what
    cannot be read twice.
    """
    if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
        raise RequestError(f"{path}: expected a file, since it is read twice")
    with ExitStack() as stack:
        marked: BinaryIO = stack.enter_context(TemporaryFile())
        digest, bad = _mark(path, format, on_error, threads, marked, advance)
        marked.flush()
        size = os.fstat(marked.fileno()).st_size
        marks = np.memmap(marked, np.uint8, "r", shape=(size,)) if size else np.zeros(0, np.uint8)
        if on_error == "stop":
            _no_repeat(path, format, marks)
        counted = Counter({"no puzzle": bad})
        for at in range(0, size, 1 << 20):
            values, numbers = np.unique(marks[at : at + (1 << 20)], return_counts=True)
            counted.update(dict(zip((_words(value) for value in values.tolist()), numbers.tolist(), strict=True)))
        kept = counted.pop(Status.UNIQUE.words, 0)
        if not kept:
            raise FormatError(path, 0, 0, "no puzzle with exactly one solution in it", "expected one at least")
        left_out = tuple(sorted((reason, number) for reason, number in counted.items() if number))
        yield Examined(path, format, on_error, marks, Given(os.path.basename(path), kept, digest, left_out))


def _words(mark: int) -> str:
    return _REPEATED_WORDS if mark == REPEATED else Status(mark).words


def _mark(
    path: str,
    format: str | None,
    on_error: OnError,
    threads: int | None,
    marked: BinaryIO,
    advance: Callable[[int], None],
) -> tuple[str, int]:
    """Write a byte for each puzzle, its status or REPEATED; the hash of all cells, and how many records are bad."""

    def counted(chunk: Chunk) -> tuple[Chunk, NDArray[np.uint8]]:
        return chunk, solving.count_many(chunk.cells, 2, threads=1).status

    digest, total = sha256(), 0
    with open_puzzles(path, format, on_error) as puzzles, Repeats() as repeats:
        for chunk, status in in_order(counted, puzzles.chunks, chosen_threads(threads)):
            digest.update(chunk.cells.tobytes())
            wrong = np.flatnonzero(status != Status.UNIQUE)
            if on_error == "stop" and len(wrong):
                k = int(wrong[0])
                raise _error(puzzles.name, chunk, k, total + k + 1, int(status[k]))
            marks = status.copy()
            again = repeats.add(np.arange(total, total + len(marks)), chunk.cells) - total
            marks[again[marks[again] == Status.UNIQUE]] = REPEATED
            marked.write(marks.tobytes())
            total += len(marks)
            advance(len(marks))
        marked.flush()
        all_marks: Any = np.memmap(marked, np.uint8, "r+", shape=(total,)) if total else np.zeros(0, np.uint8)
        for numbers in repeats.rest():
            all_marks[numbers[all_marks[numbers] == Status.UNIQUE]] = REPEATED
        return digest.hexdigest(), puzzles.bad


def _no_repeat(path: str, format: str | None, marks: NDArray[np.uint8]) -> None:
    """Raise the error of the first repeat, with its line."""
    for at in range(0, len(marks), 1 << 20):
        repeats = np.flatnonzero(marks[at : at + (1 << 20)] == REPEATED)
        if len(repeats):
            first, done = at + int(repeats[0]), 0
            with open_puzzles(path, format) as puzzles:
                for chunk in puzzles.chunks:
                    if first < done + len(chunk.cells):
                        raise _error(puzzles.name, chunk, first - done, first + 1, REPEATED)
                    done += len(chunk.cells)
