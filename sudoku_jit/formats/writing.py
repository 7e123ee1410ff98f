"""Writing puzzles and grids in any format that the registry can write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from sudoku_jit.errors import RequestError
from sudoku_jit.formats import Newline, registry
from sudoku_jit.grids import Cells

Columns = Mapping[str, Sequence[str]]
Encode = Callable[[Cells, Columns], Any]


class Writer:
    """Puzzles to a stream, in one format.

    ``encode(cells, columns)`` turns uint8 (n, 81) cells, and for each name in ``self.columns`` n
    strings, into bytes; it holds no state, so any thread may call it. ``put`` writes what it made,
    in order; ``finish`` ends the file. ``columns`` are the names that the format can hold of those
    asked for; one that a call leaves out is empty.
    """

    def __init__(
        self,
        stream: BinaryIO,
        encode: Encode,
        columns: Iterable[str] = (),
        header: bytes = b"",
        between: bytes = b"",
        footer: bytes = b"",
    ) -> None:
        self.stream, self.encode, self.columns = stream, encode, tuple(columns)
        self.footer = footer
        self._before, self._between = header, between

    def put(self, data: Any) -> None:
        """Write what ``encode`` made."""
        if len(data):
            self.write(self._before)
            self.write(data)
            self._before = self._between

    def finish(self) -> None:
        """Write what ends the file."""
        self.write(self.footer)

    def write(self, data: Any) -> None:
        """Write all the bytes: an unbuffered stream may take less at a time."""
        view = memoryview(data)
        while len(view):
            view = view[self.stream.write(view) :]


def writer(format: str, stream: BinaryIO, newline: Newline = "lf", columns: Iterable[str] = ()) -> Writer:
    r"""A writer of ``format`` to a binary stream. Raises ``RequestError``.

    ``columns``: names of what is to be written beside the cells, such as ``solution``.

    >>> import io
    >>> stream = io.BytesIO()
    >>> lines = writer("line", stream)
    >>> lines.put(lines.encode(np.zeros((1, 81), np.uint8), {}))
    >>> lines.finish()
    >>> stream.getvalue()[-4:]
    b'000\n'
    """
    chosen = registry.named(format)
    if not chosen.writes:
        raise RequestError(f"format {format!r} can be read only; expected one of {', '.join(registry.WRITABLE)}")
    made: Writer = chosen.module.writer(format, stream, newline, tuple(columns))
    return made


def texts(cells: Cells, blank: str = ".") -> list[str]:
    """A text of 81 characters for each grid.

    >>> texts(np.zeros((1, 81), np.uint8))[0][:3]
    '...'
    """
    symbols = np.frombuffer(f"{blank}123456789".encode(), np.uint8)
    whole = symbols[cells].tobytes().decode()
    return [whole[at : at + 81] for at in range(0, len(whole), 81)]


def puzzle_texts(cells: Cells, values: Columns) -> Sequence[str]:
    """Texts of the cells, or those under ``puzzle``: empty ones for records that were no puzzles."""
    return values.get("puzzle") or texts(cells)
