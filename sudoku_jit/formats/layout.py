"""Fixed layouts: where each of the 81 digits stands in a record of bytes."""

from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import RequestError
from sudoku_jit.formats import Newline
from sudoku_jit.formats.writing import Writer

LINE_ENDS = {"lf": b"\n", "crlf": b"\r\n"}


class Layout(NamedTuple):
    """One record: ``blank`` is its bytes with any digit in the places that ``offsets`` name.

    ``trim`` bytes at the end of the last record of a file are left out. ``zero`` is written for a
    cell without digit.
    """

    blank: bytes
    offsets: NDArray[np.int64]
    trim: int
    zero: str = "0"

    @property
    def stride(self) -> int:
        """Bytes a record."""
        return len(self.blank)

    def buffer(self, records: int) -> NDArray[np.uint8]:
        """Bytes for ``records`` records with all that stands between the digits in place."""
        return np.frombuffer(bytearray(self.blank * records), dtype=np.uint8)


def _rows(row: str) -> str:
    return f"{row}\n" * 9


def _boxed(row: str, border: str, top: str) -> str:
    band = f"{row}\n" * 3
    return f"{top}\n{band}{border}\n{band}{border}\n{band}{top}\n"


_RECORDS = {
    "line": ("0" * 81 + "\n", "0"),
    "block": (_rows(" ".join("0" * 9)) + "\n", "0"),
    "sdk": (_rows("0" * 9) + "\n", "."),
    "boxed": (_boxed("| 0 0 0 | 0 0 0 | 0 0 0 |", *["+-------+-------+-------+"] * 2) + "\n", "."),
    "ss": (_boxed(" |000|000|000|", " |---+---+---|", " *-----------*") + "\n", "."),
}
"""A record with 0 for each cell, and what is written for a blank."""


def layout(style: str, newline: Newline = "lf") -> Layout:
    r"""The layout of a style: ``line``, ``block`` (the report's spaced rows), ``sdk``, ``boxed``, ``ss``.

    A blank line stands between two puzzles of several lines, and none after the last. Raises
    ``RequestError``.

    >>> layout("line").stride, layout("block").stride, layout("block", "crlf").stride
    (82, 163, 173)
    """
    if style not in _RECORDS:
        raise RequestError(f"style {style!r}; expected one of {', '.join(_RECORDS)}")
    record, zero = _RECORDS[style]
    end = LINE_ENDS[newline]
    blank = record.encode().replace(b"\n", end)
    offsets = np.flatnonzero(np.frombuffer(blank, np.uint8) == ord("0"))
    trim = len(end) if record.endswith("\n\n") else 0
    return Layout(blank, offsets.astype(np.int64), trim, zero)


def write(cells: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8]:
    r"""The bytes of a batch: uint8 (n * stride,), for uint8 (n, 81) cells with 0 for a blank.

    >>> write(np.zeros((1, 81), np.uint8), layout("block")).tobytes()[:18]
    b'0 0 0 0 0 0 0 0 0\n'
    """
    from sudoku_jit.kernels.text import put

    out = layout.buffer(len(cells))
    put(cells, out, layout.stride, layout.offsets, ord("0"), ord(layout.zero))
    return out


def writer(layout: Layout, stream: BinaryIO) -> Writer:
    """A writer of records in a fixed layout."""
    kept = layout.stride - layout.trim
    return Writer(
        stream,
        lambda cells, _: write(cells, layout)[: max(0, len(cells) * layout.stride - layout.trim)],
        between=layout.blank[kept:],
    )
