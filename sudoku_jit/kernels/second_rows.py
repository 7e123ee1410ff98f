"""The second rows that the first two rows of a band can be brought to, as tables.

Two rows of a band are a permutation of the nine columns: column c goes to the column in which the first row has the
digit that the second has at c. No column goes to one of its own stack: 12,096 permutations. An order of the columns
makes the first row 123456789 by relabelling, and turns the permutation into its conjugate by that order. So the second
rows that a pair of rows can be brought to are a class of conjugates under the 1296 orders of columns that keep the
stacks together, and the smallest of them is the smallest member of the class. There are 15 classes.
"""

import functools
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.kernels.orbit import LINES

TRIPLES, ORDERS_OF_THREE = 120, 6
PERMUTATIONS = TRIPLES * TRIPLES * ORDERS_OF_THREE
NO_RANK = 255
_BASE_9 = np.array([81, 9, 1])


class SecondRows(NamedTuple):
    """Tables by number of the permutation, ``(triples[0, x] * 120 + triples[1, y]) * 6 + triples[2, z]``.

    x, y, z: the columns that the three columns of a stack go to, as a number in base 9. The numbers are in the order of
    the permutations as sequences, with gaps.

    ``triples``: uint8 (3, 729). ``rank``: uint8 (PERMUTATIONS,), the class, numbered by its smallest second row.
    ``way``: int32 (PERMUTATIONS,), an order of columns that leads to the smallest, by its number in ``orders``.
    ``orders``: uint8 (2, 1296, 9), the old column of each new one, and what undoes it. ``keep``: uint8 (2, n, 9), those
    that keep the smallest permutation of a class, and what undoes them; those of class r are ``begin[r]`` ..
    ``begin[r + 1] - 1``. All orders that lead to the smallest are the one of ``way`` followed by one of those.
    """

    triples: NDArray[np.uint8]
    rank: NDArray[np.uint8]
    way: NDArray[np.int32]
    orders: NDArray[np.uint8]
    keep: NDArray[np.uint8]
    begin: NDArray[np.int64]


@functools.cache
def second_rows() -> SecondRows:
    """Compute the tables: each permutation that is in no class yet, smallest first, begins one. Some milliseconds."""
    stacks = [np.array(list(permutations([c for c in range(9) if c // 3 != stack], 3))) for stack in range(3)]
    triples = np.zeros((3, 729), np.uint8)
    for stack in range(2):
        triples[stack, stacks[stack] @ _BASE_9] = range(TRIPLES)
    x, y, z = stacks[2].T
    triples[2, stacks[2] @ _BASE_9] = 2 * ((x > y).astype(int) + (x > z)) + (y > z)  # the columns are those left over
    both = _with_inverses(LINES.astype(np.uint8))
    orders, inverse = both
    rank = np.full(PERMUTATIONS, NO_RANK, np.uint8)
    way = np.zeros(PERMUTATIONS, np.int32)
    keep: list[NDArray[np.uint8]] = []
    begin = [0]
    sequences = _permutations(stacks)
    for smallest, number in zip(sequences, _numbers(triples, sequences).tolist(), strict=True):
        if rank[number] == NO_RANK:
            conjugates = np.take_along_axis(orders, smallest[inverse].astype(np.int64), axis=1)
            numbers = _numbers(triples, conjugates)
            rank[numbers], way[numbers] = len(keep), range(len(orders))
            keep.append(orders[(conjugates == smallest).all(axis=1)])
            begin.append(begin[-1] + len(keep[-1]))
    return SecondRows(triples, rank, way, both, _with_inverses(np.concatenate(keep)), np.array(begin))


def _with_inverses(orders: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.stack([orders, np.argsort(orders, axis=1).astype(np.uint8)])


def _permutations(stacks: list[NDArray[Any]]) -> NDArray[Any]:
    """All that take no column to its own stack, in order: int64 (12096, 9)."""
    first, second = (np.repeat(stacks[0], TRIPLES, axis=0), np.tile(stacks[1], (TRIPLES, 1)))
    used = np.bitwise_or.reduce(1 << np.hstack([first, second]), axis=1)
    fits = (np.bitwise_count(used) == 6) & (used >> 6 == 7)
    free = np.nonzero(~used[fits, None] >> np.arange(6) & 1)[1].reshape(-1, 3)
    last = free[:, np.array(list(permutations(range(3))))]
    both = np.hstack([first[fits], second[fits]])
    return np.concatenate([np.repeat(both, ORDERS_OF_THREE, axis=0), last.reshape(-1, 3)], axis=1)


def _numbers(triples: NDArray[np.uint8], sequences: NDArray[Any]) -> NDArray[np.int64]:
    x, y, z = (triples[stack, sequences[:, 3 * stack : 3 * stack + 3] @ _BASE_9].astype(np.int64) for stack in range(3))
    numbers: NDArray[np.int64] = (x * TRIPLES + y) * ORDERS_OF_THREE + z
    return numbers
