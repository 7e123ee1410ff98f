"""Rows in frames: qqwing's, ``+---+``, Unicode boxes, Simple Sudoku's.

Frames are turned into what the reader of rows passes over, line for line and column for column.
"""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from sudoku_jit.formats import Newline
from sudoku_jit.formats import layout as layouts
from sudoku_jit.formats.records import Chunk, too_long, whole_lines
from sudoku_jit.formats.rows import read_rows
from sudoku_jit.formats.source import Source
from sudoku_jit.formats.writing import Writer

_FRAME = dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+")
_FRAME |= dict.fromkeys("─━┄┅┈┉╌╍═╴╶╸╺╼╾", "-") | dict.fromkeys("│┃┆┇┊┋╎╏║╵╷╹╻╽╿", "|")
_ASCII = str.maketrans(_FRAME)


def read(name: str, source: Source) -> Iterator[Chunk]:
    """Framed rows; two borders on each other part two puzzles, as a blank line does."""
    return read_rows(source, unframed(source), b" \t|")


def unframed(source: Source) -> Iterator[bytes]:
    """Texts of whole lines without borders and with ``|`` for all upright strokes."""
    after_border = False
    for lines in whole_lines(source.pieces):
        end = b"\n" if lines.endswith(b"\n") else b""
        out = []
        for line in lines.removesuffix(b"\n").split(b"\n"):
            if not line.isascii():
                line = line.decode("utf-8", "replace").translate(_ASCII).encode()
            border = _is_border(line.strip())
            out.append(line if not border else b"" if after_border else b"#")
            after_border = border
        yield b"\n".join(out) + end


def _is_border(bare: bytes) -> bool:
    """As HoDoKu has it: three dashes make a border; or nothing but what frames are made of."""
    if bare.startswith(b"#") or len(bare.translate(None, b"123456789")) < len(bare):
        return False
    framed = b"+" in bare and not bare.strip(b"-+=:|.' \t")
    return b"---" in bare or b"===" in bare or framed


class Grid(NamedTuple):
    """Rows that stand on each other, and the line they begin on."""

    line: int
    rows: list[bytes]

    @property
    def groups(self) -> list[bytes]:
        """What stands between white space and frames."""
        return b" ".join(self.rows).replace(b"|", b" ").split()

    @property
    def is_candidates(self) -> bool:
        """Whether it has 81 groups of digits, not all of one digit."""
        groups = self.groups
        return len(groups) == 81 and b"".join(groups).isdigit() and max(map(len, groups)) > 1


def grids(source: Source) -> Iterator[Grid]:
    """Rows on each other; too many for a grid are handed on as ten."""
    number, begun = 0, 0
    rows: list[bytes] = []
    for lines in unframed(source):
        if not lines.endswith(b"\n"):
            raise too_long(source, number + 1, 0)
        for line in lines[:-1].split(b"\n"):
            number += 1
            if line.startswith(b"#"):
                continue
            if line.strip():
                begun = begun if rows else number
                rows[len(rows) if len(rows) < 10 else 9 :] = [line]
            elif rows:
                yield Grid(begun, rows)
                rows = []
    if rows:
        yield Grid(begun, rows)


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> Writer:
    """Full stops for blanks, in frames; a blank line between puzzles, none after the last."""
    return layouts.writer(layouts.layout(name, newline), stream)
