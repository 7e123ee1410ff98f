"""JSON lines: an object a puzzle, with its 81 characters under ``puzzle`` and text under other names."""

import json
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from sudoku_jit.formats import Newline, writing
from sudoku_jit.formats.layout import LINE_ENDS
from sudoku_jit.formats.records import Fault, Piece, cells_of, json_object, one_a_line, shown
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import Cells


def read(name: str, source: Source) -> Iterator[Piece]:
    """Objects, one a line."""
    return one_a_line(source, _parse)


def _parse(line: bytes) -> tuple[bytes, Mapping[str, str]]:
    made = json_object(line)
    puzzle = made.get("puzzle")
    if not isinstance(puzzle, str):
        raise Fault(f"no text under 'puzzle': {shown(line)}", 'expected {"puzzle": "..."}')
    try:
        cells = cells_of(puzzle.encode("utf-8", "surrogatepass"))
    except Fault as fault:
        raise Fault(fault.found, fault.expected) from None
    columns = {
        key: value if isinstance(value, str) else json.dumps(value) for key, value in made.items() if key != "puzzle"
    }
    return cells, columns


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """Full stops for blanks; all columns as text."""
    end = LINE_ENDS[newline].decode()

    def encode(cells: Cells, values: writing.Columns) -> bytes:
        texts = writing.puzzle_texts(cells, values)
        held = [column for column in columns if column in values]
        rows = ({"puzzle": text, **{column: values[column][k] for column in held}} for k, text in enumerate(texts))
        return "".join(json.dumps(row) + end for row in rows).encode()

    return writing.Writer(stream, encode, columns)
