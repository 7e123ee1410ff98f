"""What families of formats share: chunks of puzzles, lines, and cells from text.

A family reads with ``read(name, source)``: an iterator of chunks, with a ``FormatError`` for each
record that is not a puzzle in its place. What cannot be read past is raised.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import FormatError
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import Cells
from sudoku_jit.kernels import text

LONGEST = 1 << 20
"""Bytes of the longest line that is read."""
BATCH = 4096
BLANKS = text.BLANKS.decode()
Columns = dict[str, list[str]]


class Chunk(NamedTuple):
    """Some puzzles of a file, in order.

    ``cells``: uint8 (n, 81), 0 for a blank. ``lines``: int64 (n,), the line each begins on.
    ``columns()``: what else the file says of them, n strings for each name. ``errors``: for each bad
    record its place and error, in order; the cells there are all 1, which clash, so that nothing is
    searched, and the columns are empty.
    """

    cells: Cells
    lines: NDArray[np.int64]
    columns: Callable[[], Columns] = dict
    errors: Mapping[int, FormatError] = {}


class Record(NamedTuple):
    """One puzzle: ``cells`` are 81 bytes of value 0 to 9."""

    line: int
    cells: bytes
    columns: Mapping[str, str] = {}


class Fault(Exception):  # noqa: N818
    """What is wrong in a line; who reads the file makes a ``FormatError`` of it."""

    def __init__(self, found: str, expected: str, column: int = 0) -> None:
        super().__init__(found)
        self.found, self.expected, self.column = found, expected, column


def decoded(field: bytes) -> str:
    """Text that is kept as it is, even where it is not UTF-8 (surrogates stand for such bytes)."""
    return field.decode("utf-8", "surrogateescape")


def shown(line: bytes | str) -> str:
    """The beginning of the first line of ``line`` as printable text in quotes.

    >>> shown("a" * 101)[-6:]
    "aa'..."
    """
    decoded = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    start = decoded.split("\n", 1)[0]
    return repr(start[:100]) + ("..." if len(start) > 100 else "")


def json_object(text: bytes | str) -> dict[str, Any]:
    """A JSON object; raises ``Fault``, also for a name that one object has twice."""
    expected = "expected a JSON object"
    try:
        made = json.loads(text, object_pairs_hook=_each_once)
    except json.JSONDecodeError as error:
        raise Fault(f"no JSON from character {error.pos + 1} on: {shown(text)}", expected) from None
    except UnicodeDecodeError:
        raise Fault(f"no JSON, as it is no UTF-8: {shown(text)}", expected) from None
    except RecursionError:
        raise Fault(f"no JSON that can be read, nested too deep: {shown(text)}", expected) from None
    except ValueError:
        raise Fault(f"no JSON that can be read, a number too long: {shown(text)}", expected) from None
    if not isinstance(made, dict):
        raise Fault(f"JSON that is no object: {shown(text)}", expected)
    return made


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise Fault(
                f"two values of {shown(name)}, {shown(str(made[name]))} and {shown(str(value))}",
                "expected each name once in a JSON object",
            )
        made[name] = value
    return made


def whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, cut after line feeds; the last line gets one if it has none.

    A line longer than ``LONGEST`` ends it all: it comes without a line feed.
    """
    rest = b""
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield rest + piece[:end]
            rest = piece[end:]
        else:
            rest += piece
        if len(rest) > LONGEST:
            yield rest
            return
    if rest:
        yield rest + b"\n"


def too_long(source: Source, line: int, puzzle: int) -> FormatError:
    """The error for a line that ``whole_lines`` gave up."""
    return FormatError(source.name, line, puzzle, f"a line of more than {LONGEST} bytes", "expected a line of text")


def numbered_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Each line with its number, without line feed. Raises ``FormatError`` for an endless line."""
    number = 0
    for lines in whole_lines(source.pieces):
        if not lines.endswith(b"\n"):
            raise too_long(source, number + 1, 0)
        for line in lines[:-1].split(b"\n"):
            number += 1
            yield number, line


def one_a_line(source: Source, parse: Callable[[bytes], tuple[bytes, Mapping[str, str]]]) -> Iterator[Chunk]:
    """A puzzle a line: ``parse`` gives cells and columns of one, or raises ``Fault``.

    Empty lines and lines that begin with ``#`` are passed over.
    """

    def records() -> Iterator[Record | FormatError]:
        puzzle = 0
        for number, line in numbered_lines(source):
            if not line.strip() or line.startswith(b"#"):
                continue
            puzzle += 1
            try:
                yield Record(number, *parse(line))
            except Fault as fault:
                yield located(fault, source, number, puzzle)

    return batched(records())


def located(fault: Fault, source: Source, line: int, puzzle: int) -> FormatError:
    """A fault with its place."""
    return FormatError(source.name, line, puzzle, fault.found, fault.expected, fault.column)


def batched(records: Iterable[Record | FormatError]) -> Iterator[Chunk]:
    """Chunks of records that have the same columns, of a megabyte or so at most."""
    held: list[Record] = []
    errors: dict[int, FormatError] = {}
    names: Iterable[str] | None = None
    size = 0
    damage: FormatError | None = None
    try:
        for record in records:
            one = Record(record.line, b"\1" * 81) if isinstance(record, FormatError) else record
            other = one is record and names is not None and one.columns.keys() != names
            if held and (len(held) == BATCH or size > LONGEST or other):
                yield _chunk(held, errors)
                held, errors, names, size = [], {}, None, 0
            if isinstance(record, FormatError):
                errors[len(held)] = record
            else:
                names = one.columns.keys()
                size += sum(map(len, one.columns.values()))
            held.append(one)
    except FormatError as error:
        damage = error
    if held:
        yield _chunk(held, errors)
    if damage is not None:
        raise damage


def _chunk(records: list[Record], errors: Mapping[int, FormatError]) -> Chunk:
    cells = np.frombuffer(bytearray(b"".join(r.cells for r in records)), np.uint8).reshape(-1, 81)
    lines = np.array([record.line for record in records], np.int64)
    names = dict.fromkeys(name for record in records for name in record.columns)
    columns = {name: [record.columns.get(name, "") for record in records] for name in names}
    return Chunk(cells, lines, lambda: columns, errors)


_TO_VALUES = bytes(k - 48 if 49 <= k <= 57 else 0 for k in range(256))


def cells_of(characters: bytes, column: int = 1, count: int = 81, blanks: str = BLANKS) -> bytes:
    """Bytes of value 0 to 9 for ``count`` characters; raises ``Fault``.

    ``column``: of the first of them in its line.

    >>> list(cells_of(b"1.9", count=3))
    [1, 0, 9]
    """
    others = characters.translate(None, b"123456789")
    blank = others[:1]
    if len(characters) == count and not others.strip(blank) and decoded(blank) in blanks:
        return characters.translate(_TO_VALUES)
    expected = f"expected {count} cells, each a digit or a blank ({blanks})"
    for at, byte in enumerate(characters):
        if 49 <= byte <= 57 or (byte == blank[0] and chr(byte) in blanks):
            continue
        if chr(byte) not in blanks:
            character = characters[at:].decode("utf-8", "replace")[0]
            raise Fault(f"{character!r}: {shown(characters)}", expected, column + at)
        raise Fault(
            f"two blanks, {chr(blank[0])!r} and {chr(byte)!r}: {shown(characters)}",
            "expected one of them throughout a puzzle",
            column + at,
        )
    cells = f"{len(characters)} cell{'s' if len(characters) != 1 else ''}"
    raise Fault(f"{cells}: {shown(characters)}", expected, column + min(count, len(characters)))


Parse = Callable[..., tuple[int, int]]


def by_kernel(
    source: Source,
    texts: Iterable[bytes],
    parse: Parse,
    shortest: int,
    explain: Callable[[list[int], bytes], Fault],
    columns: Callable[[bytes, NDArray[np.int64]], Columns] | None = None,
    state: NDArray[np.int64] | None = None,
) -> Iterator[Chunk]:
    """Puzzles that a kernel of ``kernels.text`` finds in ``texts``, each of whole lines.

    ``parse(text, start, cells, numbers, spans, faults, state)`` calls the kernel. ``shortest``:
    bytes of the shortest puzzle. ``explain`` makes a fault of a row of ``faults`` and the line at
    fault. ``columns`` makes columns of a text and the spans of the lines in it.
    """
    state = np.zeros(text.STATE, np.int64) if state is None else state
    faults = np.empty((BATCH, text.FAULT), np.int64)
    opened = np.zeros(81, np.uint8)
    puzzles = 0
    for piece in texts:
        if not piece.endswith(b"\n"):
            raise too_long(source, int(state[text.LINE]) + 1, puzzles + 1)
        view = np.frombuffer(piece, np.uint8)
        cells = np.empty((0, 81), np.uint8)
        start = 0
        while start < len(piece):
            if not len(cells):  # bad records may be shorter than puzzles, so that there are more
                room = (len(piece) - start) // shortest + 2
                cells, lines = np.empty((room, 81), np.uint8), np.empty(room, np.int64)
                spans = np.empty((room, 2), np.int64)
                cells[0] = opened
            start, found = parse(view, start, cells, lines, spans, faults, state)
            if found:
                errors = {}
                for row in faults[: state[text.FAULTS]].tolist():
                    at, place = row[text.AT], row[text.PLACE]
                    fault = explain(row, piece[at : piece.index(b"\n", at)])
                    errors[place] = located(fault, source, int(lines[place]), puzzles + place + 1)
                yield Chunk(
                    cells[:found],
                    lines[:found],
                    partial(columns, piece, spans[:found]) if columns else dict,
                    errors,
                )
                puzzles += found
                cells, lines, spans = cells[found:], lines[found:], spans[found:]
        if len(cells):
            opened = cells[0].copy()


def lines_of(piece: bytes, spans: NDArray[np.int64]) -> list[bytes]:
    """The lines that a kernel found."""
    return [piece[start:end] for start, end in spans.tolist()]


def explained(fault: list[int], line: bytes, size: int, thing: str) -> Fault:
    """The fault that a kernel noted, where a ``thing`` has ``size`` cells: "a line", "field 2"."""
    what, other, column = fault[text.WHAT], fault[text.OTHER], fault[text.COLUMN]
    cells = f"expected {size} cells in {thing}, each a digit or a blank ({BLANKS})"
    match fault[text.KIND]:
        case text.BYTE:
            character = line[column - 1 :].decode("utf-8", "replace")[:1]
            return Fault(f"{character!r}: {shown(line)}", cells, column)
        case text.MIXED:
            return Fault(
                f"two blanks, {chr(other)!r} and {chr(what)!r}: {shown(line)}",
                "expected one of them throughout a puzzle",
                column,
            )
        case text.FEW_ROWS:
            return Fault(f"{what} row{'s' if what > 1 else ''} before the rows end", "expected nine rows")
        case text.MANY_ROWS:
            return Fault(f"a tenth row: {shown(line)}", "expected a blank line after nine rows")
        case text.FIELDS:
            return Fault(f"{what} field{'s' if what > 1 else ''}: {shown(line)}", f"expected {other}")
    return Fault(f"{what} cell{'s' if what != 1 else ''}: {shown(line)}", cells, column)
