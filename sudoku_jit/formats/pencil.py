"""Grids of candidates: ``pencilmarks`` (nine by nine groups) and ``candidates`` (729 characters).

A lone digit in them may be given, placed by hand, or the last candidate of an empty cell. A grid is
read only where the givens are sure: nothing was removed from the other cells yet, or exactly what
the lone digits remove, and with one set of givens alone.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sudoku_jit.errors import FormatError
from sudoku_jit.formats.boxed import grids
from sudoku_jit.formats.records import Chunk, Fault, Record, batched, located, one_a_line, shown
from sudoku_jit.formats.source import Source
from sudoku_jit.grids import UNITS

_ALL = 0b111111111
PEERS = [sorted({int(c) for unit in UNITS if cell in unit for c in unit} - {cell}) for cell in range(81)]


def read(name: str, source: Source) -> Iterator[Chunk]:
    """Givens of candidate grids where they are sure."""
    return one_a_line(source, _of_line) if name == "candidates" else batched(_of_grids(source))


def _of_line(line: bytes) -> tuple[bytes, Mapping[str, str]]:
    text = line.strip()
    if len(text) != 729:
        raise Fault(f"{len(text)} characters: {shown(line)}", "expected 729: nine for each cell")
    masks = []
    for cell in range(81):
        mask = 0
        for at, byte in enumerate(text[cell * 9 : cell * 9 + 9]):
            if byte == 49 + at:
                mask |= 1 << at
            elif byte != 46:
                raise Fault(f"{chr(byte)!r}", f"expected {at + 1} or a full stop", cell * 9 + at + 1)
        masks.append(mask)
    return givens(masks), {}


def _of_grids(source: Source) -> Iterator[Record | FormatError]:
    for puzzle, grid in enumerate(grids(source), 1):
        try:
            groups = grid.groups
            if len(grid.rows) != 9 or len(groups) != 81:
                raise Fault(f"{len(grid.rows)} rows with {len(groups)} groups", "expected nine of nine")
            masks = []
            for group in groups:
                digits = {byte - 49 for byte in group}
                if len(digits) != len(group) or not digits <= set(range(9)):
                    raise Fault(shown(group), "expected different digits 1 to 9")
                masks.append(sum(1 << digit for digit in digits))
            yield Record(grid.line, givens(masks))
        except Fault as fault:
            yield located(fault, source, grid.line, puzzle)


def givens(masks: Sequence[int]) -> bytes:
    """The givens of 81 sets of candidates, bit d - 1 for digit d; ``Fault`` where they are not sure.

    >>> list(givens([1] + [511] * 80))[:3]
    [1, 0, 0]
    """
    for cell, mask in enumerate(masks):
        if mask == 0:
            raise Fault(f"no candidate in {_place(cell)}", "expected one at least")
    lone = [cell for cell, mask in enumerate(masks) if mask.bit_count() == 1]
    others = [cell for cell in range(81) if masks[cell].bit_count() > 1]
    if others and all(masks[cell] == _ALL for cell in others):
        return _cells(masks, lone)
    given = filled(masks)
    for cell in range(81):
        if cell not in given and masks[cell] != _left(masks, given, cell):
            raise Fault(
                f"candidates of {_place(cell)} that the lone digits do not account for: solving has "
                "begun, and a lone digit may be given, placed or a last candidate",
                "expected the givens, or all candidates that they leave",
            )
    check_sure(masks, given, given)
    return _cells(masks, given)


def filled(masks: Sequence[int]) -> list[int]:
    """Cells whose lone digit is gone from all their peers; any other is a last candidate."""
    return [
        cell
        for cell, mask in enumerate(masks)
        if mask.bit_count() == 1 and not any(mask & masks[peer] for peer in PEERS[cell])
    ]


def check_sure(masks: Sequence[int], full: Sequence[int], given: Sequence[int]) -> None:
    """``Fault`` if one of the given cells may as well be empty, with that digit as last candidate.

    So it is if the other full cells leave it that digit alone, and take the digit from all peers.
    """
    for cell in given:
        others = [other for other in full if other != cell]
        if masks[cell] == _left(masks, others, cell) and not any(
            masks[cell] & _left(masks, others, peer) for peer in PEERS[cell] if peer not in full
        ):
            raise Fault(
                f"a lone digit in {_place(cell)} that may be given or a last candidate",
                "expected the givens, or candidates that tell them from last candidates",
            )


def _left(masks: Sequence[int], given: Sequence[int], cell: int) -> int:
    """The candidates of a cell that the given ones leave."""
    taken = 0
    for peer in PEERS[cell]:
        if peer in given:
            taken |= masks[peer]
    return _ALL & ~taken


def _cells(masks: Sequence[int], given: Sequence[int]) -> bytes:
    cells = np.zeros(81, np.uint8)
    for cell in given:
        cells[cell] = masks[cell].bit_length()
    return cells.tobytes()


def _place(cell: int) -> str:
    return f"row {cell // 9 + 1} column {cell % 9 + 1}"
