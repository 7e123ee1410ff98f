"""Nine rows a puzzle: ``block``, ``euler`` (a ``Grid NN`` line before) and ``norvig`` (``=`` between)."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

import numpy as np

from sudoku_jit.formats import Newline
from sudoku_jit.formats import layout as layouts
from sudoku_jit.formats.records import Piece, by_kernel, explained, whole_lines
from sudoku_jit.formats.source import Source
from sudoku_jit.formats.writing import Writer
from sudoku_jit.kernels import text

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
    return by_kernel(
        source,
        chain(texts, [b"\n"]),
        lambda view, start, cells, lines, _, state: text.parse_rows(view, start, table, cells, lines, state),
        90,
        lambda state, line: explained(state, line, 9, "row"),
    )


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> Writer:
    """Spaced digits, 0 for a blank; a blank line between puzzles and none after the last."""
    return layouts.writer(layouts.layout("block", newline), stream)
