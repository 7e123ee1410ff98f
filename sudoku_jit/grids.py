"""What a grid is: 81 cells in reading order, digits 1 to 9, 0 for a blank; ``uint8`` arrays.

A batch is an array (n, 81). Text of one grid is 81 characters; files are read by ``formats``.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit.errors import PuzzleError

Cells = NDArray[np.uint8]

BLANKS = "0.*_-$Xx"
"""Characters that mean a blank cell; one of them in a text, never two."""

ROWS = np.arange(81).reshape(9, 9)
UNITS = np.concatenate([ROWS, ROWS.T, ROWS.reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9)])
"""(27, 9): the cells of each row, column and box."""

_WRONG = 255
_VALUES = np.full(256, _WRONG, dtype=np.uint8)
_VALUES[ord("0") : ord("9") + 1] = range(10)
_VALUES[list(BLANKS.encode())] = 0


def grid_from_text(text: str) -> Cells:
    """One grid of 81 characters as uint8 (81,); one of ``0.*_-$Xx`` is the blank.

    White space around the text is ignored, inside it is an error. Raises ``PuzzleError``.

    >>> int(grid_from_text("1" + "." * 80).sum())
    1
    """
    grid: Cells = grids_from_texts([text])[0]
    return grid


def grids_from_texts(texts: Sequence[str]) -> Cells:
    """Texts as ``grid_from_text`` takes them, all at once: uint8 (n, 81). Raises ``PuzzleError``."""
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise PuzzleError(f"{_place(texts, number)}{text!r}; expected a text of 81 characters")
    stripped = [text.strip() for text in texts]
    for number, text in enumerate(stripped, 1):
        if len(text) != 81:
            raise PuzzleError(f"{_place(texts, number)}{len(text)} characters; expected the 81 cells of a grid")
    characters = "".join(stripped)
    codes = np.frombuffer(characters.encode("latin-1", "replace"), np.uint8)
    cells = _VALUES[codes]
    if (cells == _WRONG).any():
        number, at = divmod(int(np.argmax(cells == _WRONG)), 81)
        raise PuzzleError(
            f"{_place(texts, number + 1)}{stripped[number][at]!r} at position {at + 1}; "
            f"expected a digit or a blank ({BLANKS})"
        )
    cells, codes = cells.reshape(-1, 81), codes.reshape(-1, 81)
    low = np.where(cells == 0, codes, 255).min(axis=1)
    mixed = low < np.where(cells == 0, codes, 0).max(axis=1)
    if mixed.any():
        at = int(np.argmax(mixed))
        kinds = sorted(set(stripped[at]) & set(BLANKS))
        raise PuzzleError(f"{_place(texts, at + 1)}blanks of two kinds, {kinds[0]!r} and {kinds[1]!r}; expected one")
    return cells


def _place(texts: Sequence[str], number: int) -> str:
    return f"puzzle {number}: " if len(texts) > 1 else ""


def grid_to_text(grid: ArrayLike) -> str:
    """The 81 characters of one grid; blanks are ``0``.

    >>> grid_to_text(grid_from_text("." * 80 + "7"))[-3:]
    '007'
    """
    cells = as_cells(grid)
    if len(cells) != 1:
        raise PuzzleError(f"{len(cells)} grids; expected one")
    return (cells + np.uint8(ord("0"))).tobytes().decode()


def as_cells(puzzles: ArrayLike | str | list[str]) -> Cells:
    """Puzzles of any accepted kind as a C-contiguous uint8 (n, 81) array.

    Accepted: an array (81,), (9, 9), (n, 81) or (n, 9, 9) of whole numbers 0 to 9 of any dtype and
    layout; one text of 81 characters; a list of such texts. An array that is right already is
    passed on as it is, everything else is copied once. Raises ``PuzzleError``.

    >>> as_cells(["." * 81, "0" * 81]).shape
    (2, 81)
    """
    if isinstance(puzzles, str):
        return grid_from_text(puzzles)[None]
    if isinstance(puzzles, list | tuple) and puzzles and isinstance(puzzles[0], str):
        return grids_from_texts(puzzles)
    if hasattr(puzzles, "mask"):
        raise PuzzleError("a masked array; expected 0 for a blank")
    try:
        cells = np.asarray(puzzles)
    except ValueError:
        raise PuzzleError("rows of unequal length; expected puzzles of 81 cells") from None
    if cells.shape[-2:] == (9, 9):
        cells = cells.reshape(*cells.shape[:-2], 81)
    if cells.ndim == 1 and cells.shape[0] == 81:
        cells = cells[None]
    if cells.size == 0 and cells.ndim <= 2 and cells.shape[-1] in (0, 81):
        return np.empty((0, 81), dtype=np.uint8)
    if cells.ndim != 2 or cells.shape[1] != 81:
        raise PuzzleError(f"shape {np.shape(puzzles)}; expected (81,), (9, 9), (n, 81) or (n, 9, 9)")
    if cells.dtype.kind not in "iu":
        raise PuzzleError(f"dtype {cells.dtype}; expected whole numbers 0 to 9, 0 for a blank")
    if cells.size and (cells.max() > 9 or cells.min() < 0):
        puzzle, cell = np.argwhere((cells < 0) | (cells > 9))[0]
        raise PuzzleError(
            f"puzzle {puzzle + 1}: {cells[puzzle, cell]} at row {cell // 9 + 1} column "
            f"{cell % 9 + 1}; expected 0 to 9, 0 for a blank"
        )
    return np.ascontiguousarray(cells, np.uint8)


def is_valid(grids: ArrayLike | str | list[str]) -> NDArray[np.bool_]:
    """For each grid, whether it is full and every row, column and box holds 1 to 9 once.

    Bool (n,). O(n) with a temporary array of 27 * 9 bytes a grid.

    >>> is_valid("1" * 81).tolist()
    [False]
    """
    units = np.sort(as_cells(grids)[:, UNITS], axis=2)
    valid: NDArray[np.bool_] = (units == np.arange(1, 10)).all(axis=(1, 2))
    return valid
