"""Files of SudoCue and SadMan: ``sdk`` (a puzzle with a header) and ``sdx`` (work in progress)."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from sudoku_jit.errors import FormatError
from sudoku_jit.formats import Newline, writing
from sudoku_jit.formats import layout as layouts
from sudoku_jit.formats.pencil import check_sure, filled
from sudoku_jit.formats.records import (
    LONGEST,
    Chunk,
    Fault,
    Record,
    batched,
    cells_of,
    decoded,
    located,
    numbered_lines,
    shown,
)
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import Cells

HEADER = {
    "A": "author",
    "D": "description",
    "C": "comment",
    "B": "date",
    "S": "source",
    "L": "level",
    "U": "url",
}
"""What follows ``#`` and a letter, at once."""
MOST = 16
"""Header lines and sections of a puzzle."""
_SECTION = re.compile(r"\[(\w+)\]")


def read(name: str, source: Source) -> Iterator[Chunk]:
    """Puzzles of one or more files on each other."""
    return batched(_sdk(source) if name == "sdk" else _sdx(source))


def _sdk(source: Source) -> Iterator[Record | FormatError]:
    columns: dict[str, str] = {}
    rows: list[bytes] = []
    section, begun, puzzle, parted = "puzzle", 0, 0, False
    fault: Fault | None = None
    faulty = 0

    def note(name: str, text: str) -> None:
        columns[name] = f"{columns[name]} {text}" if name in columns else text
        if len(columns) > MOST or len(columns[name]) > LONGEST // MOST:
            raise FormatError(
                source.name, number, puzzle, "too much beside a puzzle",
                f"expected at most {MOST} sections of {LONGEST // MOST} characters",
            )  # fmt: skip

    def ended() -> Record | FormatError:
        if fault is not None:
            return located(fault, source, faulty, puzzle)
        if len(rows) < 9:
            few = Fault(f"{len(rows)} rows before the puzzle ends", "expected nine rows")
            return located(few, source, number, puzzle)
        return Record(begun, cells_of(b"".join(rows)), dict(columns))

    number = 0
    for number, line in numbered_lines(source):
        text = line.strip()
        header = text.startswith(b"#")
        match = _SECTION.fullmatch(decoded(text)) if text.startswith(b"[") else None
        opens = match is not None and match[1].lower() == "puzzle"
        again = section == "puzzle" and parted and len(rows) == 9 and text and not match
        if rows and (header or opens or again):
            yield ended()
            columns, rows, section, fault = {}, [], "puzzle", None
        parted = not text
        if header:
            if decoded(text[1:2]) in HEADER and text[2:].strip():
                note(HEADER[decoded(text[1:2])], decoded(text[2:].strip()))
        elif match:
            section = match[1].lower()
        elif not text:
            continue
        elif section != "puzzle":
            note(section, decoded(text))
        elif fault is None:
            if not rows:
                begun = number
                puzzle += 1
            try:
                if len(rows) == 9:
                    raise Fault(f"a tenth row: {shown(line)}", "expected nine rows")
                rows.append(text.translate(None, b" \t,"))
                cells_of(rows[-1], len(line) - len(line.lstrip()) + 1, 9)
                cells_of(b"".join(rows), count=9 * len(rows))
            except Fault as wrong:
                fault, faulty = wrong, number
    if rows:
        yield ended()
    elif columns:
        yield located(Fault("a header and no puzzle", "expected nine rows"), source, number, puzzle + 1)


def _sdx(source: Source) -> Iterator[Record | FormatError]:
    rows: list[list[bytes]] = []
    puzzle, number, passing = 0, 0, False
    for number, line in numbered_lines(source):
        groups = line.split()
        if not groups or line.startswith(b"#"):
            if rows and not groups:
                few = Fault(f"{len(rows)} rows before the rows end", "expected nine rows")
                yield located(few, source, number, puzzle)
                rows = []
            passing = passing and bool(groups)
            continue
        if passing:
            continue
        if not rows:
            puzzle += 1
        try:
            if len(groups) != 9:
                raise Fault(f"{len(groups)} cells: {shown(line)}", "expected nine in a row")
            for group in groups:
                if not re.fullmatch(rb"u[1-9]|[1-9]+", group) or len(set(group)) < len(group):
                    raise Fault(
                        f"{shown(group)}: {shown(line)}",
                        "expected candidates, a given digit, or u and a digit placed",
                        line.index(group) + 1,
                    )
            rows.append(groups)
            if len(rows) == 9:
                yield _progress(number - 8, [group for row in rows for group in row])
                rows = []
        except Fault as fault:
            yield located(fault, source, number, puzzle)
            rows, passing = [], True
    if rows:
        few = Fault(f"{len(rows)} rows before the rows end", "expected nine rows")
        yield located(few, source, number, puzzle)


def _progress(line: int, groups: list[bytes]) -> Record:
    masks = [sum(1 << (digit - 49) for digit in group.removeprefix(b"u")) for group in groups]
    by_hand = {cell for cell, group in enumerate(groups) if group.startswith(b"u")}
    given = [cell for cell in filled(masks) if cell not in by_hand]
    check_sure(masks, [*given, *by_hand], given)
    cells = bytes(masks[cell].bit_length() if cell in given else 0 for cell in range(81))
    placed = "".join(decoded(groups[cell][1:]) if cell in by_hand else "." for cell in range(81))
    return Record(line, cells, {"placed": placed if by_hand else ""})


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """What is known of the header, then nine rows with full stops for blanks."""
    layout = layouts.layout("sdk", newline)
    end = layouts.LINE_ENDS[newline]
    letters = {name: letter for letter, name in HEADER.items()}
    held = tuple(column for column in columns if column in letters)
    if not held:
        return layouts.writer(layout, stream)

    def encode(cells: Cells, values: writing.Columns) -> bytes:
        records = []
        data = layouts.write(cells, layout).tobytes()
        for k in range(len(cells)):
            for column in held:
                text = " ".join(values[column][k].split()) if column in values else ""
                if text:
                    line = f"#{letters[column]}{text}".encode("utf-8", "surrogateescape")
                    records.append(line + end)
            records.append(b"[Puzzle]" + end)
            records.append(data[k * layout.stride : (k + 1) * layout.stride])
        whole = b"".join(records)
        return whole[: len(whole) - layout.trim]

    return writing.Writer(stream, encode, held, between=end)
