"""Fixed layouts of finished grids: where each of the 81 digits stands in a record of bytes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.formats import Newline, Style

LINE_ENDS = {"lf": b"\n", "crlf": b"\r\n"}


class Layout(NamedTuple):
    """One record: ``blank`` is its bytes with any digit in the places that ``offsets`` name.

    ``trim`` bytes at the end of the last record of a file are left out.
    """

    blank: bytes
    offsets: NDArray[np.int64]
    trim: int

    @property
    def stride(self) -> int:
        """Bytes a record."""
        return len(self.blank)

    def buffer(self, records: int) -> NDArray[np.uint8]:
        """Bytes for ``records`` records with all that stands between the digits in place."""
        return np.frombuffer(bytearray(self.blank * records), dtype=np.uint8)


def _layout(between: str, after_row: str, after_grid: str, trim: str) -> Layout:
    record = (between.join("0" * 9) + after_row) * 8 + between.join("0" * 9) + after_grid
    blank = record.encode()
    offsets = np.flatnonzero(np.frombuffer(blank, np.uint8) == ord("0"))
    return Layout(blank, offsets.astype(np.int64), len(trim))


def layout(style: Style, newline: Newline = "lf") -> Layout:
    r"""The layout of a style: ``line`` (81 digits) or ``block`` (the report's spaced rows).

    A blank line stands between two blocks, and none after the last.

    >>> layout("line").stride, layout("block").stride, layout("block", "crlf").stride
    (82, 163, 173)
    """
    end = LINE_ENDS[newline].decode()
    if style == "line":
        return _layout("", "", end, "")
    return _layout(" ", end, end + end, end)


def write(cells: NDArray[np.uint8], layout: Layout) -> NDArray[np.uint8]:
    r"""The bytes of a batch: uint8 (n * stride,), for uint8 (n, 81) cells with 0 for a blank.

    >>> write(np.zeros((1, 81), np.uint8), layout("block")).tobytes()[:18]
    b'0 0 0 0 0 0 0 0 0\n'
    """
    from sudoku_jit.kernels.text import put

    out = layout.buffer(len(cells))
    put(cells, out, layout.stride, layout.offsets, ord("0"))
    return out
