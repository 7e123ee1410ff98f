"""Grids by search: an index becomes three diagonal boxes, which the lane search completes.

The diagonal boxes share no row, column or box, so each may hold any of the 9! orders, and every one of the (9!)**3
triples can be completed (`tests/test_diagonal.py` tries them all but for symmetry). Different triples give different
grids. What completes a triple is the first solution that `search.solve_lanes` finds; so that it depends on the seed,
the digits are relabelled at random before the search, which takes the lowest first, and back afterwards: a random
order of values, one for each grid.

The weakness: a triple has many completions (1.4e5 on average) and this method knows one of them for each order of
values, not with equal chances. `uniform` has no such preference.
"""

import numpy as np

from sudoku_jit.kernels.mixing import DIGITS, below, mix, permute, unrank, without
from sudoku_jit.kernels.policy import kernel

SIZE = 362_880**3
"""(9!)**3 = 4.8e16 grids; a ninth of them for one first digit."""

_FACTORIAL = np.uint64(362_880)
_EIGHT = np.uint64(40_320)
_OTHERS = np.uint64(630), np.uint64(576)  # 630 * 576 = 9!, to have two ranges of 32 bits


@kernel("u64[:] i64 u64[:] u8[:,:] u8[:,:] u8[:]")
def deal(indices, first_digit, keys, puzzles, labels, order):
    """Fill the diagonal boxes that each index gives, relabelled at random.

    ``indices``: uint64 (n,), below SIZE. ``first_digit``: 1..9 for grids that begin with it (indices below SIZE / 9),
    0 for all. ``keys``: uint64 (ROUNDS,), read. ``puzzles``: uint8 (n, 81), written: 27 givens, 0 elsewhere.
    ``labels``: uint8 (n, 10), written: the digit that each digit of the puzzle stands for. ``order``: uint8 (9,),
    scratch.
    """
    ranks = _EIGHT if first_digit else _FACTORIAL
    for k in range(indices.size):
        left, right = permute(indices[k], ranks * _OTHERS[0], _FACTORIAL * _OTHERS[1], keys)
        relabelling = below(mix(mix(indices[k] + keys[0]) ^ keys[1]), _FACTORIAL)
        unrank(relabelling, DIGITS, 9, order)
        label, puzzle = labels[k], puzzles[k]
        label[0] = 0
        for digit in range(1, 10):
            label[order[digit - 1]] = digit
        symbols = np.uint64(0)
        for digit in range(9):
            symbols |= np.uint64(order[digit]) << np.uint64(4 * digit)
        for cell in range(81):
            puzzle[cell] = 0
        if first_digit:
            puzzle[0] = order[first_digit - 1]
            unrank(left % ranks, without(symbols, np.uint64(first_digit - 1)), 8, order[1:])
        else:
            unrank(left % ranks, symbols, 9, order)
            puzzle[0] = order[0]
        for place in range(1, 9):
            puzzle[place // 3 * 9 + place % 3] = order[place]
        unrank(right % _FACTORIAL, symbols, 9, order)
        for place in range(9):
            puzzle[30 + place // 3 * 9 + place % 3] = order[place]
        unrank(left // ranks * _OTHERS[1] + right // _FACTORIAL, symbols, 9, order)
        for place in range(9):
            puzzle[60 + place // 3 * 9 + place % 3] = order[place]


@kernel("u8[:,:] u8[:,:] u8[:] i64 i64[:] i64")
def write(grids, labels, out, stride, offsets, zero):
    """Write relabelled grids: digit c of the k-th to ``out[k * stride + offsets[c]]`` as ``zero`` + digit.

    ``grids``: uint8 (n, 81) and ``labels``: uint8 (n, 10), read. ``out``: uint8. ``offsets``: int64 (81,), read.
    """
    for k in range(grids.shape[0]):
        at = k * stride
        for cell in range(81):
            out[at + offsets[cell]] = labels[k, grids[k, cell]] + zero
