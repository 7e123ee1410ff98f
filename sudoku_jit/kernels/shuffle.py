"""The report's generator: one shuffled 3x3 block, and every other block a shift of it.

Block (a, b) is the first block with its rows shifted by b and its columns by a:
``cell(row, column) = block[(row + b) % 3][(column + a) % 3]``. The report shuffles by 20 random swaps
that never move position 0; here every arrangement of the nine digits has the same chance, and
each comes once: 9! grids, 8! for a given first digit.
"""

import numpy as np

from sudoku_jit.kernels.mixing import DIGITS, permute, unrank, without
from sudoku_jit.kernels.policy import kernel

SIZE = 362_880
"""9! grids; a ninth of them for one first digit."""

_BLOCK = np.array(
    [(r % 3 + c // 3) % 3 * 3 + (c % 3 + r // 3) % 3 for r in range(9) for c in range(9)],
    dtype=np.int64,
)
"""(81,): the place in the first block that each cell is a copy of."""

_ALL_RANGES = np.uint64(576), np.uint64(630)  # 576 * 630 = 9!
_FIRST_RANGES = np.uint64(192), np.uint64(210)  # 192 * 210 = 8!


@kernel("u8[:] i64 i64[:] i64 i64 i64 i64 u64[:] u8[:]")
def shuffle(out, stride, offsets, zero, start, count, first_digit, keys, scratch):
    """Write grids ``start`` .. ``start + count - 1``; the arguments are those of ``orbit``."""
    block = scratch[:9]
    for k in range(count):
        index = np.uint64(start + k)
        if first_digit:
            left, right = permute(index, _FIRST_RANGES[0], _FIRST_RANGES[1], keys)
            others = without(DIGITS, np.uint64(first_digit - 1))
            block[0] = first_digit
            unrank(left * _FIRST_RANGES[1] + right, others, 8, block[1:])
        else:
            left, right = permute(index, _ALL_RANGES[0], _ALL_RANGES[1], keys)
            unrank(left * _ALL_RANGES[1] + right, DIGITS, 9, block)
        at_out = k * stride
        for cell in range(81):
            out[at_out + offsets[cell]] = block[_BLOCK[cell]] + zero
