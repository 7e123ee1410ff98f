"""Nine rows a puzzle: ``block``, ``euler`` (a ``Grid NN`` line before) and ``norvig`` (``=`` between)."""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.formats import Newline
from sudoku_jit.formats import layout as layouts
from sudoku_jit.formats.records import Piece, by_kernel, explained, whole_lines
from sudoku_jit.formats.source import Source
from sudoku_jit.formats.writing import Writer
from sudoku_jit.grids import Cells
from sudoku_jit.kernels import text

Lines = NDArray[np.int64]

_PARTS = {
    "euler": re.compile(rb"^(?i:grid)[ \t]*[0-9]+[ \t]*$", re.MULTILINE),
    "norvig": re.compile(rb"^=+[ \t]*$", re.MULTILINE),
}
"""Lines that part two puzzles, as a blank line does."""


def read(name: str, source: Source) -> Iterator[Piece]:
    """Rows, by the kernel."""
    texts: Iterable[bytes] = whole_lines(source.pieces)
    if name in _PARTS:
        texts = (_PARTS[name].sub(b"", lines) for lines in texts)
    return read_rows(source, texts, b" \t,")


def read_rows(source: Source, texts: Iterable[bytes], passed: bytes) -> Iterator[Piece]:
    """Rows from texts of whole lines, with any of ``passed`` between the cells."""
    table = np.zeros(256, np.uint8)
    table[list(passed)] = 1
    state = np.zeros(text.STATE, np.int64)

    def closed() -> Iterator[bytes]:
        yield from texts
        state[text.LINE] -= 1  # the last puzzle is ended by a line that is not in the file
        yield b"\n"

    def parse(view: Cells, start: int, cells: Cells, lines: Lines, _: Lines, state: Lines) -> tuple[int, int]:
        found: tuple[int, int] = text.parse_rows(view, start, table, cells, lines, state)
        return found

    return by_kernel(source, closed(), parse, 90, lambda state, line: explained(state, line, 9, "a row"), state=state)


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> Writer:
    """Spaced digits, 0 for a blank; a blank line between puzzles and none after the last."""
    return layouts.writer(layouts.layout("block", newline), stream)
