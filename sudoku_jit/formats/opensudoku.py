"""OpenSudoku XML: a ``data`` of 81 digits, or of cells ``value|note|editable|`` (versions 1 to 3)."""

import re
from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from sudoku_jit.errors import FormatError
from sudoku_jit.formats import Newline, writing
from sudoku_jit.formats.layout import LINE_ENDS
from sudoku_jit.formats.records import Fault, Piece, Record, batched, cells_of, located, shown
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import Cells

_PIECE = 1 << 14
_LARGEST = 1 << 20
"""Bytes of the largest element: the parser holds one at a time."""
_EXPECTED = "expected OpenSudoku XML"


def read(name: str, source: Source) -> Iterator[Piece]:
    """The given cells of each game; cells that the player filled are blanks, told under ``placed``."""
    return batched(_records(source))


def _records(source: Source) -> Iterator[Record | FormatError]:
    parser = expat.ParserCreate("utf-8")  # whatever it was declared as, it is UTF-8 here
    games: list[tuple[int, dict[str, str]]] = []
    puzzle, since, depth, folder = 0, 0, 0, ""

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal since, depth, folder
        since = 0
        if depth == 0 and tag != "opensudoku":
            raise Fault(f"an XML document <{tag[:80]}>", _EXPECTED)
        depth += 1
        if tag == "folder":
            folder = attributes.get("name", "")
        if tag == "game":
            games.append((parser.CurrentLineNumber, {"folder": folder, **attributes}))

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1

    def doctype(*_: object) -> None:
        raise Fault("a document type, which may hide endless text", _EXPECTED)

    def feed(part: bytes, final: bool) -> None:
        try:
            parser.Parse(part, final)
        except expat.ExpatError as error:
            raise FormatError(
                source.name,
                error.lineno,
                puzzle + 1,
                f"damaged XML: {error}",
                _EXPECTED,
                error.offset + 1,
            ) from None
        except Fault as fault:
            raise located(fault, source, parser.CurrentLineNumber, puzzle + 1) from None

    def found() -> Iterator[Record | FormatError]:
        nonlocal puzzle
        for line, attributes in games:
            puzzle += 1
            try:
                cells, placed = _cells(attributes.pop("data", None))
                attributes.pop("command_stack", None)
                yield Record(line, cells, {**attributes, "placed": placed})
            except Fault as fault:
                yield located(fault, source, line, puzzle)
        games.clear()

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = doctype
    for piece in source.pieces:
        for at in range(0, len(piece), _PIECE):
            part = piece[at : at + _PIECE]
            since += len(part)
            feed(part, False)
            yield from found()
            if since > _LARGEST:
                raise FormatError(
                    source.name,
                    parser.CurrentLineNumber,
                    puzzle + 1,
                    f"more than {_LARGEST} bytes without an element",
                    _EXPECTED,
                )
    feed(b"", True)


def _cells(data: str | None) -> tuple[bytes, str]:
    """Givens, and the text of a grid of what was placed, empty if nothing was."""
    if data is None:
        raise Fault("a game without data", "expected data of 81 digits or cells")
    match = re.fullmatch(r"(?:version: *([0-9]+)\s+)?([^\s]*)\s*", data)
    if match is None or match[1] not in (None, "1", "2", "3"):
        raise Fault(f"data {shown(' '.join(data.split()))}", "expected 81 digits, or cells of version 1 to 3")
    if "|" not in match[2]:
        return _plain(match[2])
    fields = match[2].split("|")
    if len(fields) != 3 * 81 + 1 or fields[-1]:
        raise Fault(f"{(len(fields) - 1) / 3:g} cells: {shown(match[2])}", "expected 81 cells")
    cells, placed = bytearray(81), ["."] * 81
    for cell in range(81):
        value, _, editable = fields[3 * cell : 3 * cell + 3]
        if value not in set("0123456789") or editable not in ("0", "1"):
            raise Fault(
                f"cell {cell + 1}: {'|'.join(fields[3 * cell : 3 * cell + 3])[:80]!r}",
                "expected value|note|editable, with 0 to 9 and 0 or 1",
            )
        if editable == "0":
            cells[cell] = int(value)
        elif value != "0":
            placed[cell] = value
    return bytes(cells), "".join(placed) if set(placed) != {"."} else ""


def _plain(digits: str) -> tuple[bytes, str]:
    try:
        return cells_of(digits.encode(), blanks="0."), ""
    except Fault as fault:
        raise Fault(fault.found, fault.expected) from None


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """Version 1: 81 digits a game, 0 for a blank."""
    end = LINE_ENDS[newline].decode()

    def encode(cells: Cells, _: writing.Columns) -> bytes:
        texts = writing.texts(cells, "0")
        return "".join(f'  <game data="{text}"/>{end}' for text in texts).encode()

    header = f'<?xml version="1.0" encoding="UTF-8"?>{end}<opensudoku>{end}  <name>sudoku</name>{end}'
    return writing.Writer(stream, encode, header=header.encode(), footer=f"</opensudoku>{end}".encode())
