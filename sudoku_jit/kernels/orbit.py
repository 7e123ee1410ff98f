"""Grids by symmetry: an index becomes one of 9! * 6**8 * 2 images of one base grid.

The symmetries are relabelling (9!), the order of the bands and of the rows in each band (6**4), of
the stacks and of the columns in each stack (6**4), and transposition (2). The base grid has no
automorphism: no symmetry but the identity maps it to itself. So no two symmetries give the same
image, and index -> grid is a bijection. (Counting by this group: Russell and Jarvis, "Mathematics
of sudoku II", 2006.)
"""

import numpy as np

from sudoku_jit.kernels.mixing import BATCH, DIGITS, permute_batch, unrank, without
from sudoku_jit.kernels.policy import kernel

BASE = np.array(
    [
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
        [4, 6, 7, 2, 9, 8, 3, 1, 5],
        [5, 9, 8, 3, 1, 7, 4, 2, 6],
        [8, 3, 1, 7, 6, 9, 2, 5, 4],
        [2, 5, 6, 8, 4, 1, 9, 3, 7],
        [9, 7, 4, 5, 3, 2, 1, 6, 8],
        [6, 1, 5, 9, 2, 4, 8, 7, 3],
        [7, 4, 2, 6, 8, 3, 5, 9, 1],
        [3, 8, 9, 1, 7, 5, 6, 4, 2],
    ],
    dtype=np.uint8,
)
SOURCES = np.stack([BASE.ravel(), BASE.T.ravel()])
"""(2, 81): the base grid and its transpose."""

_ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
LINES = np.array(
    [
        [3 * big[k] + small[k][j] for k in range(3) for j in range(3)]
        for big in _ORDERS
        for first in _ORDERS
        for second in _ORDERS
        for third in _ORDERS
        for small in [(first, second, third)]
    ],
    dtype=np.int64,
)
"""(1296, 9): all orders of nine rows that keep the bands together (or columns, the stacks)."""

RELABELLINGS = 362_880
ORDERS = 1296
SHAPES = 2 * ORDERS * ORDERS
SIZE = RELABELLINGS * SHAPES
"""9! * 6**8 * 2 = 1,218,998,108,160 grids; a ninth of them for one first digit."""

_LINES, _SHAPES, _TWO = np.uint64(ORDERS), np.uint64(SHAPES), np.uint64(2)


@kernel("u8[:] i64 i64[:] i64 i64 i64 i64 u64[:] u8[:] u64[:,:]")
def orbit(out, stride, offsets, zero, start, count, first_digit, keys, scratch, pairs):
    """Write grids ``start`` .. ``start + count - 1`` of the sequence that ``keys`` give.

    Digit c of the k-th grid goes to ``out[k * stride + offsets[c]]`` as ``zero`` + digit; no other
    byte is touched. ``out``: uint8. ``offsets``: int64 (81,), read. ``first_digit``: 1..9 for grids
    that begin with it, 0 for all. ``keys``: uint64 (ROUNDS,), read. ``scratch``: uint8 (20,),
    ``pairs``: uint64 (2, BATCH).
    O(1) a grid.
    """
    chosen, labels = scratch[:9], scratch[9:19]
    relabellings = np.uint64(RELABELLINGS // 9 if first_digit else RELABELLINGS)
    for k in range(count):
        if k % BATCH == 0:
            permute_batch(start + k, min(BATCH, count - k), relabellings, _SHAPES, keys, pairs)
        left, shape = pairs[0, k % BATCH], pairs[1, k % BATCH]
        source = SOURCES[np.int64(shape % _TWO)]
        shape = shape // _TWO
        rows = LINES[np.int64(shape % _LINES)]
        columns = LINES[np.int64(shape // _LINES)]
        if first_digit:
            # The other eight digits, in some order, for the symbols that are not top left.
            unrank(left, without(DIGITS, np.uint64(first_digit - 1)), 8, chosen)
            corner = source[rows[0] * 9 + columns[0]]
            labels[corner] = first_digit + zero
            for symbol in range(1, 10):
                if symbol < corner:
                    labels[symbol] = chosen[symbol - 1] + zero
                elif symbol > corner:
                    labels[symbol] = chosen[symbol - 2] + zero
        else:
            unrank(left, DIGITS, 9, chosen)
            for symbol in range(9):
                labels[symbol + 1] = chosen[symbol] + zero
        at_out = k * stride
        for r in range(9):
            row = rows[r] * 9
            for c in range(9):
                out[at_out + offsets[r * 9 + c]] = labels[source[row + columns[c]]]
