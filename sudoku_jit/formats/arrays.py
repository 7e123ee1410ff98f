"""NumPy's ``.npy``: one uint8 array (n, 81), 0 for a blank."""

import io
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import Newline, writing
from sudoku_jit.formats.records import Chunk, shown
from sudoku_jit.formats.source import HEAD, Source
from sudoku_jit.grids import Cells

_WIDTH = 81


def read(name: str, source: Source) -> Iterator[Chunk]:
    """Puzzles of an array (n, 81) or (n, 9, 9) of bytes; the line of each is its number."""
    start = io.BytesIO(source.head[:HEAD])
    expected = "expected a C-ordered uint8 array (n, 81) or (n, 9, 9)"
    try:
        version = np.lib.format.read_magic(start)
        head = np.lib.format.read_array_header_1_0 if version == (1, 0) else None
        head = head or np.lib.format.read_array_header_2_0
        shape, fortran, dtype = head(start)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise FormatError(source.name, 0, 0, f"no NumPy array: {_wrong(source.head[:HEAD])}", expected) from None
    if fortran or dtype != np.uint8 or shape[1:] not in ((81,), (9, 9)):
        raise FormatError(source.name, 0, 0, f"a {dtype} array {shape}"[:200], expected)
    done = 0
    skipped, rest = start.tell(), b""
    for piece in source.pieces:
        data = rest + piece[skipped:]
        skipped = max(0, skipped - len(piece))
        count = len(data) // _WIDTH
        cells = np.frombuffer(bytearray(data[: count * _WIDTH]), np.uint8).reshape(-1, _WIDTH)
        rest = data[count * _WIDTH :]
        yield from _checked(cells, done, source)
        done += count
    if rest or done != shape[0]:
        raise FormatError(
            source.name,
            0,
            0,
            f"{done} puzzles and {len(rest)} bytes",
            f"expected {shape[0]} puzzles, as the header says",
        )


def _wrong(head: bytes) -> str:
    """What is wrong with a header that cannot be read."""
    size = 2 if head[6:7] == b"\1" else 4  # of its length, after eight bytes
    length = int.from_bytes(head[8 : 8 + size], "little")
    if len(head) < HEAD and len(head) < 8 + size + length:
        return f"the header ends early, after {len(head)} bytes"
    return f"the header {shown(head[8 + size :])}"


def _checked(cells: Cells, done: int, source: Source) -> Iterator[Chunk]:
    errors = {}
    for bad in np.flatnonzero((cells > 9).any(axis=1)).tolist():
        cell = int(np.argmax(cells[bad] > 9))
        errors[bad] = FormatError(
            source.name,
            0,
            done + bad + 1,
            f"{cells[bad, cell]} at row {cell // 9 + 1} column {cell % 9 + 1}",
            "expected 0 to 9, 0 for a blank",
        )
        cells[bad] = 1
    if len(cells):
        yield Chunk(cells, np.arange(done + 1, done + len(cells) + 1, dtype=np.int64), errors=errors)


class _Writer(writing.Writer):
    """Writes the header again when the number of puzzles is known."""

    def __init__(self, stream: BinaryIO) -> None:
        if not stream.seekable():
            raise RequestError("format 'npy' needs a file: its header holds the number of puzzles")
        super().__init__(stream, lambda cells, _: np.ascontiguousarray(cells, np.uint8).ravel())
        self.count = 0
        self.write(self._header())

    def _header(self) -> bytes:
        out = io.BytesIO()
        shape = {"descr": "|u1", "fortran_order": False, "shape": (self.count, _WIDTH)}
        np.lib.format.write_array_header_1_0(out, shape)
        return out.getvalue()

    def put(self, data: Any) -> None:
        self.write(data)
        self.count += len(data) // _WIDTH

    def finish(self) -> None:
        self.stream.seek(0)
        self.write(self._header())
        self.stream.seek(0, io.SEEK_END)


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """Cells alone."""
    return _Writer(stream)
