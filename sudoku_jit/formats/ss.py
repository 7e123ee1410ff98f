"""Simple Sudoku: framed grids, or pastes of the givens, the grid with placements, the candidates."""

from collections.abc import Iterator
from itertools import chain, pairwise

from sudoku_jit.errors import FormatError
from sudoku_jit.formats.boxed import Grid, grids, writer
from sudoku_jit.formats.records import (
    Chunk,
    Fault,
    Record,
    batched,
    cells_of,
    located,
    shown,
)
from sudoku_jit.formats.source import Source

__all__ = ["read", "writer"]


def read(name: str, source: Source) -> Iterator[Chunk]:
    """The givens of each paste; what was placed since and the candidates are passed over.

    A grid that holds all of the one before it and more, with no candidates after it, may be its
    placements or another puzzle: an error.
    """
    return batched(_puzzles(source))


def _puzzles(source: Source) -> Iterator[Record | FormatError]:
    puzzle = 0
    givens = b""
    for grid, following in pairwise(chain(grids(source), [None])):
        assert grid is not None
        puzzle += 1
        try:
            if grid.is_candidates:
                _check_candidates(grid, givens)
                givens = b""
                puzzle -= 1
                continue
            cells = _cells(grid)
            if givens and all(given in (0, cell) for given, cell in zip(givens, cells, strict=True)):
                if following is not None and following.is_candidates:
                    puzzle -= 1
                    continue
                if cells != givens:
                    raise Fault(
                        "a grid that holds all of the one before and more: its placements, or another puzzle",
                        "expected --from boxed if each grid is a puzzle",
                    )
            givens = cells
            yield Record(grid.line, cells)
        except Fault as fault:
            givens = b""
            yield located(fault, source, grid.line, puzzle)


def _check_candidates(grid: Grid, givens: bytes) -> None:
    if not givens:
        raise Fault(
            "a grid of candidates",
            "expected the givens before it: a lone digit in it may be given, placed or a last candidate",
        )
    for given, group in zip(givens, grid.groups, strict=True):
        if given and str(given).encode() not in group:
            raise Fault(
                f"candidates {shown(group)} for a cell that is given as {given}",
                "expected the candidates of the grid before",
            )


def _cells(grid: Grid) -> bytes:
    if len(grid.rows) != 9:
        raise Fault(f"{len(grid.rows)} rows", "expected nine rows")
    rows = []
    for row in grid.rows:
        try:
            rows.append(row.translate(None, b" \t|"))
            cells_of(rows[-1], count=9)
        except Fault as fault:
            raise Fault(fault.found, fault.expected) from None
    return cells_of(b"".join(rows))
