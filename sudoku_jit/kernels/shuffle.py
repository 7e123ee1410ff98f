"""The report's generator: one shuffled 3x3 block, and every other block a shift of it.

Block (a, b) is the first block with its rows shifted by b and its columns by a:
``cell(row, column) = block[(row + b) % 3][(column + a) % 3]``. The report shuffles by 20 random swaps
that never move position 0; here every arrangement of the nine digits has the same chance, and
each comes once: 9! grids, 8! for a given first digit.
"""

import numpy as np

from sudoku_jit.kernels.mixing import BATCH, DIGITS, permute_batch, unrank, without
from sudoku_jit.kernels.policy import kernel

SIZE = 362_880
"""9! grids; a ninth of them for one first digit."""

_BLOCK = np.array(
    [(r % 3 + c // 3) % 3 * 3 + (c % 3 + r // 3) % 3 for r in range(9) for c in range(9)],
    dtype=np.int64,
)
"""(81,): the place in the first block that each cell is a copy of."""

_ALL = np.uint64(576), np.uint64(630)  # 576 * 630 = 9!
_FIRST = np.uint64(192), np.uint64(210)  # 192 * 210 = 8!


@kernel("u8[:] i64 i64[:] i64 i64 i64 i64 u64[:] u8[:] u64[:,:]")
def shuffle(out, stride, offsets, zero, start, count, first_digit, keys, scratch, pairs):
    """Write grids ``start`` .. ``start + count - 1``; the arguments are those of ``orbit``."""
    block = scratch[:9]
    ranges = _FIRST if first_digit else _ALL
    for k in range(count):
        if k % BATCH == 0:
            permute_batch(start + k, min(BATCH, count - k), ranges[0], ranges[1], keys, pairs)
        rank = pairs[0, k % BATCH] * ranges[1] + pairs[1, k % BATCH]
        if first_digit:
            block[0] = first_digit
            unrank(rank, without(DIGITS, np.uint64(first_digit - 1)), 8, block[1:])
        else:
            unrank(rank, DIGITS, 9, block)
        at_out = k * stride
        for cell in range(81):
            out[at_out + offsets[cell]] = block[_BLOCK[cell]] + zero
