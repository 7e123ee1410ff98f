"""Puzzles in a field of a line: CSV with a header, ``extreme``, ``rrn``, ``gsf``, ``bank``."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import Newline, writing
from sudoku_jit.formats.layout import LINE_ENDS
from sudoku_jit.formats.records import (
    Columns,
    Fault,
    Piece,
    Record,
    batched,
    by_kernel,
    cells_of,
    decoded,
    explained,
    lines_of,
    located,
    shown,
    too_long,
    whole_lines,
)
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import Cells
from sudoku_jit.kernels import text

PUZZLE = ("puzzle", "puzzles", "question", "questions", "quiz", "quizzes")
SOLUTION = ("solution", "solutions", "answer", "answers")

_FIXED = {
    "rrn": (",", ("puzzle", "solution")),
    "gsf": (",", ("field1", "field2", "field3", "field4", "puzzle", "name", "time")),
    "bank": (" ", ("hash", "puzzle", "rating")),
}
"""Separator and names of the fields of formats without a header."""
_EXTREME = ("source", "question", "answer", "rating")


def read(name: str, source: Source) -> Iterator[Piece]:
    """Fields, by the kernel; from the first quote on by the csv module."""
    lines = whole_lines(source.pieces)
    if name in _FIXED:
        return by_kernel(source, lines, **_kernel(*_FIXED[name], exact=name == "rrn"))
    return _with_header(source, lines)


def _with_header(source: Source, lines: Iterator[bytes]) -> Iterator[Piece]:
    first = next(lines, b"\n")
    if not first.endswith(b"\n"):
        raise too_long(source, 1, 0)
    above = len(first) - len(first.lstrip(b"\n"))
    header, _, rest = first[above:].partition(b"\n")
    separator = max(",;\t", key=header.decode("latin-1").count)
    try:
        names = _names(header, separator)
    except Fault as fault:
        raise located(fault, source, above + 1, 0) from None
    if "puzzle" not in names:
        raise FormatError(
            source.name,
            above + 1,
            0,
            f"a header {shown(header)}",
            f"expected a column named one of {', '.join(PUZZLE)}",
        )
    state = np.zeros(text.STATE, np.int64)
    state[text.LINE] = above + 1
    quoted: list[bytes] = []
    puzzles = 0
    texts = chain([rest] if rest else [], lines)
    for piece in by_kernel(source, _before_quotes(texts, quoted), **_kernel(separator, names), state=state):
        puzzles += len(piece.cells) if not isinstance(piece, FormatError) else 1
        yield piece
    if quoted:
        records = _by_csv(source, chain(quoted, texts), separator, names, int(state[text.LINE]), puzzles)
        yield from batched(records)


def _names(header: bytes, separator: str) -> tuple[str, ...]:
    """Names of the fields as ``named`` has them; raises ``Fault``."""
    try:
        fields = next(csv.reader([decoded(header)], delimiter=separator, strict=True), [])
    except csv.Error:
        return ()
    return named([field.strip() for field in fields])


def named(fields: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, those of puzzle and solution made equal for all files.

    Raises ``Fault`` where two columns have one name or one meaning: which of them is meant is not
    guessed.

    >>> named(["Quiz", "", "level"])
    ('puzzle', 'field2', 'level')
    """
    names: list[str] = []
    for at, field in enumerate(fields, 1):
        known = field.lower()
        name = "puzzle" if known in PUZZLE else "solution" if known in SOLUTION else field or f"field{at}"
        if name in names:
            before = names.index(name)
            raise Fault(
                f"columns {before + 1} and {at}, {shown(fields[before])} and {shown(field)}, are both the {name}"
                if name in ("puzzle", "solution")
                else f"columns {before + 1} and {at} are both named {shown(name)}",
                "expected one column of each name",
            )
        names.append(name)
    return tuple(names)


def _kernel(separator: str, names: tuple[str, ...], exact: bool = True) -> dict[str, Any]:
    """Arguments of ``by_kernel``."""
    field = names.index("puzzle")
    fields = len(names) if exact else 0

    def columns(piece: bytes, spans: NDArray[np.int64]) -> Columns:
        # The bank pads its ratings with a space.
        parted = None if separator == " " else separator
        return _columns([decoded(line).split(parted) for line in lines_of(piece, spans)], names)

    def parse(view: Cells, start: int, *rest: Any) -> tuple[int, int]:
        found: tuple[int, int] = text.parse_fields(view, start, ord(separator), field, fields, *rest)
        return found

    return {
        "parse": parse,
        "shortest": 82,
        "explain": lambda state, line: explained(state, line, 81, f"field {field + 1}"),
        "columns": columns,
    }


def _columns(rows: list[list[str]], names: tuple[str, ...]) -> Columns:
    """All fields but the puzzle; those beyond the header are named by number."""
    most = max(map(len, rows))
    full = (*names, *(f"field{at}" for at in range(len(names) + 1, most + 1)))
    return {
        name: [row[at].strip() if at < len(row) else "" for row in rows]
        for at, name in enumerate(full)
        if at != names.index("puzzle")
    }


def _before_quotes(texts: Iterator[bytes], quoted: list[bytes]) -> Iterator[bytes]:
    """The texts before the first that has a quote in it; that one is put into ``quoted``."""
    for lines in texts:
        if b'"' in lines:
            quoted.append(lines)
            return
        yield lines


def _by_csv(
    source: Source,
    texts: Iterable[bytes],
    separator: str,
    names: tuple[str, ...],
    line: int,
    puzzle: int,
) -> Iterator[Record | FormatError]:
    def lines() -> Iterator[str]:
        for lines in texts:
            if not lines.endswith(b"\n"):
                raise too_long(source, line + reader.line_num + 1, puzzle + 1)
            yield from io.StringIO(decoded(lines), newline="\n")

    reader = csv.reader(lines(), delimiter=separator, strict=True)
    field = names.index("puzzle")
    before = line
    try:
        for row in reader:
            begun, before = before + 1, line + reader.line_num
            if not row:
                continue
            puzzle += 1
            try:
                if len(row) != len(names):
                    raise Fault(f"{len(row)} fields", f"expected {len(names)}")
                cells = cells_of(row[field].strip().encode("utf-8", "surrogateescape"))
                columns = _columns([row], names)
                yield Record(begun, cells, {name: held[0] for name, held in columns.items()})
            except Fault as fault:
                yield located(Fault(fault.found, fault.expected), source, begun, puzzle)
    except csv.Error as error:
        raise FormatError(source.name, before + 1, puzzle + 1, f"bad quotes: {error}", "expected CSV") from None


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """A header, then a row a puzzle; full stops for blanks, which no spreadsheet takes for a number."""
    if name == "extreme" and "solution" not in columns:
        raise RequestError(
            "format 'extreme' has an answer for each puzzle, and here is none; 'sudoku-jit solve --to extreme' finds it"
        )
    held = ("solution", "source", "rating") if name == "extreme" else columns
    held = tuple(column for column in columns if column in held)
    end = LINE_ENDS[newline].decode()

    def rows(rows: Iterable[Iterable[str]]) -> bytes:
        out = io.StringIO()
        csv.writer(out, lineterminator=end).writerows(rows)
        return out.getvalue().encode("utf-8", "surrogateescape")

    def encode(cells: Cells, values: writing.Columns) -> bytes:
        fields = {column: values.get(column) or [""] * len(cells) for column in held}
        puzzles = writing.puzzle_texts(cells, values)
        if name != "extreme":
            return rows(zip(puzzles, *fields.values(), strict=True))
        empty = [""] * len(cells)
        return rows(
            zip(
                fields.get("source", empty),
                puzzles,
                fields["solution"],
                fields.get("rating", empty),
                strict=True,
            )
        )

    header = rows([_EXTREME if name == "extreme" else ("puzzle", *held)])
    return writing.Writer(stream, encode, held, header)
