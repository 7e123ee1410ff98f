"""Candidates on one-hot cells: digit d is the bit ``1 << (d - 1)``, a blank is 0.

Two forms of one computation. ``scan`` looks at the 27 cells of a cell's row, column and box, as the
report does it. ``used`` keeps, for every row, column and box, the OR of its digits, so that a
cell's candidates are three loads: ``ALL & ~(used[r] | used[9 + c] | used[18 + b])``.
"""

import numpy as np

from sudoku_jit.kernels.policy import inline, kernel

ALL = (1 << 9) - 1
"""All nine candidates: 2**9 - 1 = 511."""

UNITS = np.array([[r, 9 + c, 18 + r // 3 * 3 + c // 3] for r in range(9) for c in range(9)], dtype=np.int64)
"""(81, 3): the row, column and box of each cell, as indices into the 27 units."""

DIGITS = np.array([bin(mask).count("1") for mask in range(ALL + 1)], dtype=np.uint8)
"""(512,): how many digits a mask holds."""

NAMES = np.array([mask.bit_length() for mask in range(ALL + 1)], dtype=np.uint8)
"""(512,): the digit of a one-hot bit (the highest digit of any mask)."""


@inline
def scan(cells, cell):
    """Candidates of the blank ``cell``, by the report's scan.

    ``cells``: one-hot int64 (81,), read. Returns the mask of digits that none of the 27 cells of
    its row, column and box holds.
    """
    row, column = cell // 9, cell % 9
    corner = row // 3 * 27 + column // 3 * 3
    seen = np.int64(0)
    for k in range(9):
        seen |= cells[row * 9 + k] | cells[k * 9 + column] | cells[corner + k // 3 * 9 + k % 3]
    return ALL & ~seen


@inline
def candidates(used, cell):
    """Candidates of the blank ``cell`` from ``used``, int64 (27,), read. Returns the mask."""
    return ALL & ~(used[UNITS[cell, 0]] | used[UNITS[cell, 1]] | used[UNITS[cell, 2]])


@inline
def toggle(used, cell, bit):
    """Place ``bit`` at ``cell`` in ``used``, or take it away again: both are the same xor."""
    used[UNITS[cell, 0]] ^= bit
    used[UNITS[cell, 1]] ^= bit
    used[UNITS[cell, 2]] ^= bit


@inline
def place_givens(grid, used):
    """Collect the digits of each unit in ``used``, int64 (27,), written. Returns whether one comes twice in a unit."""
    for unit in range(27):
        used[unit] = 0
    for cell in range(81):
        if grid[cell] != 0:
            bit = np.int64(1) << np.int64(grid[cell] - 1)
            if (used[UNITS[cell, 0]] | used[UNITS[cell, 1]] | used[UNITS[cell, 2]]) & bit != 0:
                return True
            toggle(used, cell, bit)
    return False


CONSISTENT = 0
CLASH = 1
STUCK = 2


@inline
def examine(grid, used, cells):
    """Set up a puzzle and say what can be seen without a search.

    ``grid``: uint8 (81,), 0 blank, read. ``used``: int64 (27,), written: digits of each unit.
    ``cells``: int64 (81,), written: the one-hot cells. Returns ``CLASH`` (a digit twice in a unit),
    ``STUCK`` (a blank without a candidate, or a digit without a place in a unit) or ``CONSISTENT``.
    """
    if place_givens(grid, used):
        return CLASH
    for cell in range(81):
        cells[cell] = np.int64(1) << np.int64(grid[cell] - 1) if grid[cell] != 0 else np.int64(0)
    # Every digit of every unit: placed already, or a candidate of one of its blanks.
    for unit in range(27):
        places = used[unit]
        for k in range(9):
            if unit < 9:
                cell = unit * 9 + k
            elif unit < 18:
                cell = k * 9 + unit - 9
            else:
                cell = (unit - 18) // 3 * 27 + (unit - 18) % 3 * 3 + k // 3 * 9 + k % 3
            if grid[cell] == 0:
                mask = candidates(used, cell)
                if mask == 0:
                    return STUCK
                places |= mask
        if places != ALL:
            return STUCK
    return CONSISTENT


@kernel("u8[:,:] i64[:] u8[:]")
def find_clashes(grids, used, clashes):
    """``clashes[k]``: 1 if a row, column or box of ``grids[k]`` holds a digit twice, else 0.

    ``grids``: uint8 (n, 81), 0 blank, read. ``used``: int64 (27,), scratch. ``clashes``: uint8 (n,), written.
    """
    for k in range(grids.shape[0]):
        clashes[k] = place_givens(grids[k], used)
