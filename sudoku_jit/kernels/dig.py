"""Digging: take digits out of a full grid until it has the blanks asked for.

Cells are visited in a random order that a counter gives, so puzzle k of a seed does not depend on
the others. With ``unique`` a digit is put back if the puzzle has more than one solution without it.
"""

import numpy as np

from sudoku_jit.kernels.dfs import FEWEST, FOUND, NODES, advance, begin
from sudoku_jit.kernels.mixing import GOLDEN, below, mix
from sudoku_jit.kernels.policy import kernel

ENDLESS = 1 << 62
PER_BOX = 2
"""Blanks that each of the nine boxes gets before the others are spread."""


@kernel("u8[:,:] i64 i64 i64 i64 u64 i64[:] u8[:] i64[:] i64[:]")
def dig(grids, start, least, most, unique, seed, blanks, scratch, stack, state):
    """Dig a number of blanks drawn from ``least`` .. ``most`` into each grid, in place.

    ``grids``: uint8 (n, 81), full grids, written: the puzzles. ``start``: index of the first of
    them. ``unique``: 1 if only puzzles with one solution count. ``seed``: uint64. ``blanks``: int64
    (n,), written: the blanks reached; below ``least`` if this order of cells gave no more.
    ``scratch``: uint8 (243,), ``stack``: int64 (dfs.STACK + 81,), ``state``: int64 (dfs.STATE,).
    Each box gets PER_BOX blanks first.
    """
    order, boxes, first = scratch[:81], scratch[81:90], scratch[162:243]
    cells = stack[stack.shape[0] - 81 :]
    for k in range(grids.shape[0]):
        grid = grids[k]
        random = mix(seed + GOLDEN * np.uint64(start + k + 1))
        target = least + np.int64(below(random, np.uint64(most - least + 1)))
        for cell in range(81):  # Fisher and Yates, inside out
            random = mix(random + GOLDEN)
            at = np.int64(below(random, np.uint64(cell + 1)))
            order[cell] = order[at]
            order[at] = cell
        for box in range(9):
            boxes[box] = 0
        dug = 0
        for spread in range(2):
            for place in range(81):
                cell = np.int64(order[place])
                box = cell // 27 * 3 + cell % 9 // 3
                if dug == target:
                    break
                if grid[cell] == 0 or (spread == 0 and boxes[box] >= PER_BOX):
                    continue
                digit = grid[cell]
                grid[cell] = 0
                if unique:
                    begin(grid, FEWEST, cells, stack, state)
                    state[NODES] = 0
                    advance(FEWEST, 2, ENDLESS, cells, first, stack, state)
                    if state[FOUND] > 1:
                        grid[cell] = digit
                        continue
                boxes[box] += 1
                dug += 1
        blanks[k] = dug
