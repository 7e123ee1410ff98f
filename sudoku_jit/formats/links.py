"""Links to puzzle pages that hold the whole puzzle: f-puzzles, SudokuPad, sudoku.coach, SudokuWiki."""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import unquote

from sudoku_jit.formats import Newline, codes, lzstring, writing
from sudoku_jit.formats.layout import LINE_ENDS
from sudoku_jit.formats.records import Fault, Piece, cells_of, json_object, one_a_line, shown
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import Cells

LONGEST = 1 << 16
"""Characters of the longest link that is read."""
LARGEST = 1 << 20
"""Bytes that a link is unpacked to at most."""

Parsed = tuple[bytes, Mapping[str, str]]

_TEXTS = ("title", "author", "ruleset")
_NO_RULE = {
    "size",
    "grid",
    *_TEXTS,
    "solution",
    "highlightConflicts",
    "successMessage",
    "msgcorrect",
    "disabledlogic",
    "truecandidatesoptions",
}
"""What an f-puzzles object may say without its being another game than sudoku."""
_NO_RULE_OF_CELL = {
    "value",
    "given",
    "centerPencilMarks",
    "cornerPencilMarks",
    "candidates",
    "c",
    "highlight",
}
_NO_RULE_OF_COACH = {
    "gridSize",
    "colours",
    "givenDigits",
    "givenColours",
    "userDigits",
    "userColours",
    "userCellCandidates",
    "userCellCandidatesColours",
}
_NO_RULE_OF_PAD = {"cellSize", "metadata", "settings", "regions", "cells", "cages", "id"}


def read(name: str, source: Source) -> Iterator[Piece]:
    """A link a line."""
    parse = {
        "fpuzzles": _fpuzzles,
        "sudokupad": _sudokupad,
        "sudokucoach": _sudokucoach,
        "sudokuwiki": _sudokuwiki,
    }[name]

    def parse_line(line: bytes) -> Parsed:
        if len(line) > LONGEST:
            raise Fault(f"a link of {len(line)} bytes", f"expected at most {LONGEST}")
        return parse(line.decode("utf-8", "replace").strip())

    return one_a_line(source, parse_line)


def _fpuzzles(link: str) -> Parsed:
    if loads := re.findall(r"[?&]load=([^&#\s]+)", link):
        if len(loads) > 1:
            raise Fault(f"two puzzles, {shown(loads[0])} and {shown(loads[1])}", "expected one load= in a link")
        return _of_fpuzzles(_object(unquote(loads[0])))
    if re.fullmatch(r"[A-Za-z0-9+/]+=*", link):
        return _of_fpuzzles(_object(link))
    if re.search(r"[?&]id=", link):
        raise Fault(
            f"a link to a puzzle that only the server has: {shown(link)}",
            "expected a link with ?load=",
        )
    raise Fault(f"no puzzle in the link: {shown(link)}", "expected a link with ?load=")


def _object(packed: str) -> dict[str, Any]:
    try:
        return json_object(lzstring.decompress(packed))
    except ValueError as error:
        raise Fault(f"damaged LZString: {error}", "expected JSON packed by LZString") from None


def _rows(grid: Any) -> list[list[dict[str, Any]]]:
    if not (
        isinstance(grid, list)
        and len(grid) == 9
        and all(isinstance(row, list) and len(row) == 9 for row in grid)
        and all(isinstance(cell, dict) for row in grid for cell in row)
    ):
        raise Fault("a grid of another shape", "expected nine rows of nine cells")
    return grid


def _digit(value: Any) -> int:
    if isinstance(value, bool) or str(value) not in "123456789" or len(str(value)) != 1:
        raise Fault(f"a cell of value {str(value)[:20]!r}", "expected a digit 1 to 9")
    return int(value)


def _only(held: Mapping[str, Any], known: set[str]) -> None:
    """Raise if an object says something that may be a rule beyond those of sudoku."""
    rules = [str(key) for key, value in held.items() if key not in known and value]
    if rules:
        raise Fault(
            f"a puzzle with more than the rules of sudoku: {', '.join(rules)[:200]}",
            "expected a grid of givens alone",
        )


def _of_fpuzzles(puzzle: dict[str, Any]) -> Parsed:
    if puzzle.get("size") != 9:
        raise Fault(f"a puzzle of size {str(puzzle.get('size'))[:20]}", "expected size 9")
    _only(puzzle, _NO_RULE)
    givens, placed = bytearray(81), ["."] * 81
    for r, row in enumerate(_rows(puzzle.get("grid"))):
        for c, cell in enumerate(row):
            region = cell.get("region")
            _only(cell, _NO_RULE_OF_CELL | {"region"})
            if region is not None and region != r // 3 * 3 + c // 3:
                raise Fault(f"a cell of region {str(region)[:20]}", "expected the boxes of sudoku")
            if cell.get("value") is None:
                continue
            if cell.get("given") is True:
                givens[r * 9 + c] = _digit(cell["value"])
            else:
                placed[r * 9 + c] = str(_digit(cell["value"]))
    columns = {name: str(puzzle.get(name) or "") for name in _TEXTS}
    return bytes(givens), {**columns, "placed": "".join(placed).rstrip(".") and "".join(placed)}


def _sudokupad(link: str) -> Parsed:
    web = re.match(r"(?:https?://)?(?:www\.)?[a-z.]+/(?:sudoku/)?(?:\?puzzleid=)?([^?&#\s]+)", link)
    payload = unquote(web[1] if web else link)
    match = re.fullmatch(r"(scf|fpuz(?:zles)?|scl|ctc|classic)(.+)", payload, re.DOTALL)
    if match is None:
        raise Fault(
            f"a link to a puzzle that only the server has: {shown(link)}",
            "expected a link that holds the puzzle (fpuzzles..., scl..., classic...)",
        )
    kind, packed = match[1], match[2]
    if kind.startswith("fpuz"):
        return _of_fpuzzles(_object(packed))
    if kind == "classic":
        return codes.classic(packed), {}
    if kind == "scf":
        raise Fault(
            f"SudokuPad's old scf code: {shown(link)}",
            "expected fpuzzles..., scl..., ctc... or classic...",
        )
    try:
        puzzle = json_object(lzstring.decompress(packed))
    except (Fault, ValueError):
        puzzle = json_object(_inflated(_base64(packed), -15))
    return _of_pad(puzzle)


def _base64(packed: str) -> bytes:
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise Fault(
            f"no JSON packed by LZString or deflate: {shown(packed)}",
            "expected SudokuPad's JSON with all its names; its short form is not read",
        ) from None


def _inflated(packed: bytes, window: int) -> bytes:
    unpacking = zlib.decompressobj(window)
    try:
        data = unpacking.decompress(packed, LARGEST)
    except zlib.error:
        data = b""
    if not unpacking.eof:
        raise Fault(
            "no JSON packed by LZString or deflate, or too large",
            "expected JSON with all its names; SudokuPad's short form is not read",
        )
    return data


def _of_pad(puzzle: dict[str, Any]) -> Parsed:
    _only(puzzle, _NO_RULE_OF_PAD)
    cages = puzzle.get("cages") or []
    if not isinstance(cages, list) or any(not isinstance(cage, dict) or cage.get("cells") for cage in cages):
        raise Fault("a puzzle with cages", "expected a grid of givens alone")
    boxes = [sorted([r, c] for r in range(R, R + 3) for c in range(C, C + 3)) for R in (0, 3, 6) for C in (0, 3, 6)]
    regions = puzzle.get("regions") or boxes
    try:
        regular = sorted(map(sorted, regions)) == boxes
    except TypeError:
        regular = False
    if not regular:
        raise Fault("regions that are not the boxes", "expected the boxes of sudoku")
    cells = bytearray(81)
    for r, row in enumerate(_rows(puzzle.get("cells"))):
        for c, cell in enumerate(row):
            _only(cell, _NO_RULE_OF_CELL | {"pencilMarks", "centremarks", "cornermarks"})
            if cell.get("value") is not None and cell.get("given") is not False:
                cells[r * 9 + c] = _digit(cell["value"])
    metadata = puzzle.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return bytes(cells), {name: str(metadata.get(name) or "") for name in ("title", "author")}


def _sudokucoach(link: str) -> Parsed:
    code = re.split(r"[/=]", link)[-1]
    if len(code) == 81:
        return cells_of(code.encode(), blanks="0."), {}
    match = re.fullmatch(r"SCv7_32_([0-9a-v]+)", code)
    if match is None:
        raise Fault(f"no puzzle in the link: {shown(link)}", "expected SCv7_32_... or 81 digits")
    packed = match[1].upper()
    try:
        data = base64.b32hexdecode(packed + "=" * (-len(packed) % 8))
    except binascii.Error:
        raise Fault(f"damaged base32: {shown(code)}", "expected sudoku.coach's code") from None
    puzzle = json_object(_inflated(data, 15))
    if str(puzzle.get("gridSize", 9)) != "9":
        raise Fault(f"a grid of size {str(puzzle['gridSize'])[:20]}", "expected size 9")
    _only(puzzle, _NO_RULE_OF_COACH)
    cells = cells_of(str(puzzle.get("givenDigits", "")).encode(), blanks="0.")
    placed = str(puzzle.get("userDigits") or "")
    return cells, {"placed": placed if placed.strip("0.") else ""}


def _sudokuwiki(link: str) -> Parsed:
    match = re.search(r"\?bd=([^&#\s]*)", link)
    if match is None:
        raise Fault(f"no puzzle in the link: {shown(link)}", "expected ?bd= and 81 digits")
    return cells_of(unquote(match[1]).encode(), match.start(1) + 1, blanks="0."), {}


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """f-puzzles links, one a line, with title and author if they are known."""
    held = tuple(column for column in columns if column in _TEXTS)
    end = LINE_ENDS[newline].decode()

    def link(cells: list[int], texts: Mapping[str, str]) -> str:
        grid = [[{"value": d, "given": True} if d else {} for d in cells[at : at + 9]] for at in range(0, 81, 9)]
        puzzle = {"size": 9, **{text: texts.get(text, "") for text in _TEXTS}, "grid": grid}
        packed = lzstring.compress(json.dumps(puzzle, separators=(",", ":")))
        return f"https://f-puzzles.com/?load={packed}{end}"

    def encode(cells: Cells, values: writing.Columns) -> bytes:
        texts = [{name: values[name][k] for name in held if name in values} for k in range(len(cells))]
        return "".join(map(link, cells.tolist(), texts)).encode()

    return writing.Writer(stream, encode, held)
