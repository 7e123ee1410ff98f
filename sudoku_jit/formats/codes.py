"""One puzzle a line in a code: ``gameid``, ``hodoku``, ``dnstoys``; and SudokuPad's classic codes."""

import re
from collections.abc import Iterator, Mapping

from sudoku_jit.formats.records import Chunk, Fault, cells_of, decoded, one_a_line, shown
from sudoku_jit.formats.source import Source

HODOKU = ("technique", "candidates", "givens", "deleted", "eliminations", "placements", "extra")

_PAIRS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
_RUNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"


def read(name: str, source: Source) -> Iterator[Chunk]:
    """Each line by the function of its format."""
    return one_a_line(source, {"gameid": _gameid, "hodoku": _hodoku, "dnstoys": _dnstoys}[name])


def _gameid(line: bytes) -> tuple[bytes, Mapping[str, str]]:
    """``3x3:``, then digits, ``_`` between two that touch, and a letter for a run of blanks."""
    size, _, code = line.strip().partition(b":")
    if size != b"3x3":
        raise Fault(f"a game of size and rules {shown(size)}", "expected 3x3, with no other rules", 1)
    cells = bytearray()
    for at, byte in enumerate(code):
        place = len(size) + 2 + at
        digit = chr(byte)
        if "1" <= digit <= "9":
            if at and code[at - 1 : at].isdigit():
                raise Fault(f"{shown(code[at - 1 :])}", "expected _ between two digits", place)
            cells.append(byte - 48)
        elif "a" <= digit <= "z":
            cells.extend(bytes(byte - 96))
        elif digit != "_" or not re.fullmatch(rb"\d_\d", code[max(0, at - 1) : at + 2]):
            raise Fault(
                f"{decoded(code[at:])[0]!r}: {shown(line)}",
                "expected digits, a to z for 1 to 26 blanks, and _ between two digits",
                place,
            )
        if len(cells) > 81:
            raise Fault(f"more than 81 cells: {shown(line)}", "expected 81 cells", place)
    if len(cells) < 81:
        raise Fault(f"{len(cells)} cells: {shown(line)}", "expected 81 cells", len(line))
    return bytes(cells), {}


def _hodoku(line: bytes) -> tuple[bytes, Mapping[str, str]]:
    """A library line; ``+d`` in the givens is a digit that was placed, so a blank of the puzzle."""
    fields = line.strip().split(b":")
    if fields[0] or len(fields) not in (7, 8):
        raise Fault(
            f"{len(fields) - 1} colons: {shown(line)}",
            "expected :technique:candidates:givens:deleted:eliminations:placements:extra",
            1,
        )
    column = sum(len(field) + 1 for field in fields[:3]) + 1
    givens = fields[3]
    blank = b"0" if b"0" in givens else b"."
    cells = cells_of(re.sub(rb"\+[1-9]", blank, givens), column)
    columns = {
        name: decoded(field)
        for name, field in zip(HODOKU, fields[1:] + [b""] * (8 - len(fields)), strict=True)
        if name != "givens"
    }
    return cells, {**columns, "placed": decoded(givens) if b"+" in givens else ""}


def _dnstoys(line: bytes) -> tuple[bytes, Mapping[str, str]]:
    """Nine rows of nine digits, 0 for a blank, joined by full stops, which are no blanks."""
    rows = line.strip().split(b".")
    if len(rows) != 9 or any(len(row) != 9 or not row.isdigit() for row in rows):
        raise Fault(shown(line), "expected nine rows of nine digits, 0 for a blank, joined by full stops", 1)
    return cells_of(b"".join(rows), blanks="0"), {}


def classic(code: str) -> bytes:
    """The cells of SudokuPad's two compact codes; raises ``Fault``, also where both read it.

    In one a character is a digit, blank included, and 0 to 5 blanks after it; in the other digits
    stand for themselves and other characters for runs of blanks.
    """
    readings = {cells for cells in (_by_pairs(code), _by_runs(code)) if cells is not None}
    if len(readings) == 1:
        return readings.pop()
    if readings:
        raise Fault(
            f"a code that SudokuPad's two classic codecs read as different puzzles: {shown(code)}",
            "expected a code that only one of them can read",
        )
    raise Fault(f"a code that is not 81 cells: {shown(code)}", "expected SudokuPad's classic code")


def _by_pairs(code: str) -> bytes | None:
    cells = bytearray()
    for character in code[:82]:
        value = _PAIRS.find(character)
        if value < 0:
            return None
        cells.append(value % 10)
        cells.extend(bytes(value // 10))
    return bytes(cells) if len(cells) == 81 and len(code) <= 81 else None


def _by_runs(code: str) -> bytes | None:
    cells = bytearray()
    for character in code[:200]:
        blanks = _RUNS.find(character)
        if character in "123456789":
            cells.append(int(character))
        elif blanks < 0:
            return None
        else:
            cells.extend(bytes(blanks))
    return bytes(cells) if len(cells) == 81 and len(code) <= 200 else None
