"""Reading puzzles from a stream of bytes, chunk by chunk, in constant memory."""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import FormatError
from sudoku_jit.formats import Style
from sudoku_jit.grids import BLANKS, Cells

BYTES_A_CHUNK = 1 << 20
"""Bytes held at a time; also the longest line that is read."""
_SHORTEST = {"line": 81, "block": 9 * 9}


class Chunk(NamedTuple):
    """``cells``: uint8 (n, 81), 0 blank. ``lines``: int64 (n,), the line each puzzle begins on."""

    cells: Cells
    lines: NDArray[np.int64]


def sniff(head: bytes, name: str) -> Style:
    r"""The style of the text that ``head`` begins: ``line`` or ``block``. ``FormatError`` if neither.

    >>> sniff(b"0 0 0 1 0 0 0 0 2", "a.txt"), sniff(b"# easy\n" + b"." * 81, "b.txt")
    ('block', 'line')
    """
    for number, line in enumerate(head.splitlines(), 1):
        text = line.strip()
        if not text or text.startswith(b"#"):
            continue
        columns = len(b"".join(text.split()))
        if columns == 9:
            return "block"
        if len(text.split()[0]) > 9:
            return "line"
        raise FormatError(
            name,
            number,
            1,
            f"a first line of {columns} characters: {shown(line)}",
            "expected a row of nine cells or a line of 81 cells",
        )
    return "line"


def read(stream: BinaryIO, name: str) -> tuple[Style, Iterator[Chunk]]:
    """The style of a stream and its puzzles, as chunks; errors name the file as ``name``.

    Raises ``FormatError`` at the first thing that is not a puzzle; nothing is passed over but empty
    lines and comments, nothing is padded or cut.
    """
    head = _fill(stream, BYTES_A_CHUNK)
    if head.startswith(b"\xef\xbb\xbf"):
        head = head[3:]
    style = sniff(head, name)
    return style, _chunks(head, stream, name, style)


def _fill(stream: BinaryIO, size: int) -> bytes:
    """Bytes up to ``size``, fewer only at the end of the stream (a pipe hands over small pieces)."""
    pieces = []
    while size > 0 and (piece := stream.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _chunks(head: bytes, stream: BinaryIO, name: str, style: Style) -> Iterator[Chunk]:
    from sudoku_jit.kernels import text

    parse = text.parse_lines if style == "line" else text.parse_blocks
    state = np.zeros(text.STATE, np.int64)
    buffer = np.empty(BYTES_A_CHUNK, np.uint8)
    held = len(head)
    buffer[:held] = np.frombuffer(head, np.uint8)
    opened = np.zeros(81, np.uint8)
    puzzles = 0
    final = held < BYTES_A_CHUNK
    while True:
        cells = np.empty((held // _SHORTEST[style] + 1, 81), np.uint8)
        cells[0] = opened
        lines = np.empty(len(cells), np.int64)
        used, found = parse(buffer, held, int(final), cells, lines, state)
        if found < len(cells):
            opened = cells[found].copy()
        if found:
            yield Chunk(cells[:found], lines[:found])
        puzzles += found
        if state[text.FAULT]:
            raise _explain(name, style, puzzles + 1, state, bytes(buffer[used:held]))
        held -= used
        buffer[:held] = buffer[used : used + held].copy()
        if final:
            return
        if held == BYTES_A_CHUNK:
            raise FormatError(
                name,
                int(state[text.LINE]) + 1,
                puzzles + 1,
                f"a line of more than {BYTES_A_CHUNK} bytes",
                "expected a line of text",
            )
        piece = _fill(stream, BYTES_A_CHUNK - held)
        buffer[held : held + len(piece)] = np.frombuffer(piece, np.uint8)
        held += len(piece)
        final = held < BYTES_A_CHUNK


def _explain(name: str, style: str, puzzle: int, state: NDArray[np.int64], rest: bytes) -> FormatError:
    from sudoku_jit.kernels import text

    line, column, what = (int(state[k]) for k in (text.LINE, text.COLUMN, text.WHAT))
    size, thing = (81, "line") if style == "line" else (9, "row")
    cells = f"expected {size} cells in a {thing}, each a digit or a blank ({BLANKS})"
    match int(state[text.FAULT]):
        case text.BYTE:
            found = f"{shown(bytes([what]))} at column {column}: {shown(rest)}"
        case text.FEW_ROWS:
            found = f"{what} row{'s' if what > 1 else ''} before the {thing}s end"
            cells = "expected nine rows"
        case text.MANY_ROWS:
            found, cells = "a tenth row", "expected a blank line after nine rows"
        case _:
            found = f"{what} cells: {shown(rest)}"
    return FormatError(name, line, puzzle, found, cells)


def shown(line: bytes) -> str:
    """The beginning of the first line of ``line`` as printable text in quotes."""
    start = line.split(b"\n", 1)[0].rstrip(b"\r")
    return repr(start[:100].decode("utf-8", "replace")) + ("..." if len(start) > 100 else "")
