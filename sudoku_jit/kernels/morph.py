"""Random morphs: images of a puzzle under symmetries that are drawn without repeating one.

For each puzzle a seed gives a permutation of the 9! * 6**8 * 2 symmetries (``mixing.permute``, as in ``orbit``); morph
number j is the image under the j-th of them. So no symmetry comes twice, and none has to be remembered.
"""

import numpy as np

from sudoku_jit.kernels.mixing import BATCH, DIGITS, GOLDEN, ROUNDS, mix, permute_batch, unrank
from sudoku_jit.kernels.orbit import LINES, ORDERS, RELABELLINGS, SHAPES
from sudoku_jit.kernels.policy import kernel

_RELABELLINGS, _SHAPES, _LINES, _TWO = (np.uint64(n) for n in (RELABELLINGS, SHAPES, ORDERS, 2))


@kernel("u8[:,:] u8[:,:] i64 i64 u64 u64 u64[:] u64[:,:] u8[:]")
def morph(puzzles, out, times, first, start, seed, keys, pairs, labels):
    """Write morphs ``first`` .. ``first + m - 1`` of all: those of the first puzzle, then those of the second, ...

    ``puzzles``: uint8 (n, 81), 0 for a blank, read. ``out``: uint8 (m, 81), written. ``times``: morphs of each puzzle.
    ``start``: number of the first puzzle, ``seed``: they give its permutation. ``keys``: uint64 (ROUNDS,), ``pairs``:
    uint64 (2, BATCH), ``labels``: uint8 (10,). O(1) a morph.
    """
    labels[0] = 0
    done = 0
    while done < out.shape[0]:
        at, number = (first + done) // times, (first + done) % times
        count = min(BATCH, out.shape[0] - done, times - number)
        key = mix(seed + GOLDEN * (start + np.uint64(at) + np.uint64(1)))
        for r in range(ROUNDS):
            keys[r] = mix(key + GOLDEN * np.uint64(r + 1))
        permute_batch(number, count, _RELABELLINGS, _SHAPES, keys, pairs)
        puzzle = puzzles[at]
        for k in range(count):
            unrank(pairs[0, k], DIGITS, 9, labels[1:])
            shape = pairs[1, k]
            transposed = shape % _TWO == 1
            shape = shape // _TWO
            rows, columns = LINES[np.int64(shape % _LINES)], LINES[np.int64(shape // _LINES)]
            down, across = (1, 9) if transposed else (9, 1)
            image = out[done + k]
            for r in range(9):
                row = rows[r] * down
                for c in range(9):
                    image[r * 9 + c] = labels[puzzle[row + columns[c] * across]]
        done += count
