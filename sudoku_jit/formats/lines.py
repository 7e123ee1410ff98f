"""One puzzle a line: 81 cells and any text after them (``line``), or nothing (``sdm``)."""

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.formats import Newline
from sudoku_jit.formats import layout as layouts
from sudoku_jit.formats.records import (
    Columns,
    Piece,
    by_kernel,
    decoded,
    explained,
    lines_of,
    whole_lines,
)
from sudoku_jit.formats.source import Source
from sudoku_jit.formats.writing import Writer
from sudoku_jit.kernels import text


def read(name: str, source: Source) -> Iterator[Piece]:
    """Lines, by the kernel; the text after the cells is the column ``note``."""
    return by_kernel(
        source,
        whole_lines(source.pieces),
        text.parse_lines,
        82,
        lambda state, line: explained(state, line, 81, "a line"),
        _notes,
    )


def _notes(piece: bytes, spans: NDArray[np.int64]) -> Columns:
    if (spans[:, 1] - spans[:, 0]).max() == 81:
        return {}
    notes = [decoded(line[81:].strip(b" \t,;:")) for line in lines_of(piece, spans)]
    return {"note": notes} if any(notes) else {}


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> Writer:
    """Digits, with 0 for a blank."""
    return layouts.writer(layouts.layout("line", newline), stream)
