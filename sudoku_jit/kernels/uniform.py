"""Every solution grid with the same chance: 6,670,903,752,021,072,936,960 grids, by rejection and without a search.

The first band and the first stack are drawn (948,109,639,680 bands, and 2,612,736 stacks to each first box: Felgenhauer
and Jarvis, "Mathematics of sudoku I", 2006), each such pair with the same chance. A pair with c completions is kept
with chance c / MOST, and then each of its completions has the chance 1 / c. So in one try each grid has the chance
1 / (pairs * MOST): the same for all. No pair has more than MOST completions; the tests go through all kinds of pairs.
Nothing is rounded: that the 64-bit words that are drawn look random is all that is taken on trust.

Patterns. The nine digits of the first box of a band are labelled row by row, 0 to 8. In the next box each is one row or
two rows further on, and in the last box it has the row that is left. One bit a digit says which. Each row gets three
digits if and only if as many bits are set for each of the rows they came from: 1 + 27 + 27 + 1 = 56 words, in rising
order; the complement, 55 - p, exchanges the two boxes. The same holds for the columns of a stack.

Completions. Of the boxes that are left, 5 and 6 have their rows by a pattern of the band that 4 begins, 8 and 9 by one
of the band of 7, 5 and 8 have their columns by a pattern of the stack of 2, 6 and 9 by one of the stack of 3.

    1 2 3
    4 5 6
    7 8 9

Row and column give each digit its cell, and the box is right if no two digits of one row share a column. So for each
of the four boxes 56 row patterns and 56 column patterns fit or not: 56 words of 56 bits. A completion is four
patterns that fit around the square; with row patterns a and b there are

    popcount(fits[5][a] & fits[8][b]) * popcount(fits[6][a] & fits[9][b])

and the sum of 56 * 56 such products takes the place of a visit to 2,693 completions, their mean number.
"""

import numpy as np

from sudoku_jit.kernels.lanes import ctz, popcount
from sudoku_jit.kernels.mixing import DIGITS, GOLDEN, mix, unrank, without
from sudoku_jit.kernels.policy import inline, kernel

SIZE = 6_670_903_752_021_072_936_960
"""All grids; a ninth of them for one first digit."""
STACKS = 2_612_736
"""Stacks, or bands, with a given first box: 56 patterns, and the three digits of each of six lines in any order."""
MOST, OTHERS = 11_664, 6_280
"""The most completions of a pair; and of a pair that is not aligned (the rows of 4 and 7, the columns of 2 and 3 hold
the same triples of digits)."""

PATTERNS = 56
_WORDS = [w for w in range(512) if len({(w >> shift & 7).bit_count() for shift in (0, 3, 6)}) == 1]
LINE = np.array([[(k // 3 + 1 + (w >> k & 1)) % 3 for k in range(9)] for w in _WORDS], dtype=np.int64)
"""(PATTERNS, 9): the line, in the second box, of the digit with each label."""
LABELS = LINE.argsort(axis=1, kind="stable")
"""(PATTERNS, 9): the labels in the second box, line by line."""
_TRIPLES = sorted({tuple(row[k : k + 3]) for row in LABELS.tolist() for k in (0, 3, 6)})
TRIPLES = np.array(_TRIPLES, dtype=np.int64)
"""(57, 3): all that can share a line."""
LINES = np.array(
    [[_TRIPLES.index(tuple(row[k : k + 3])) for k in (0, 3, 6)] for row in LABELS.tolist()], dtype=np.int64
)
"""(PATTERNS, 3): the triples in the three lines."""
_APART = [[sum(1 << p for p in range(56) if LINE[p, j] != LINE[p, k]) for k in range(9)] for j in range(9)]
_APART_THIRD = [[int(f"{bits:056b}"[::-1], 2) for bits in row] for row in _APART]
APART = np.array([_APART, _APART_THIRD], dtype=np.uint64)
"""(2, 9, 9): the patterns (bits) that put two labels in different lines of the second box, of the third."""

ORDERS = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], dtype=np.int64)
CELLS = np.array([range(9), [3 * (k % 3) + k // 3 for k in range(9)]], dtype=np.int64)
"""(2, 9): the cells of a box row by row, and column by column."""

_ZERO, _ONE, _SIX = np.uint64(0), np.uint64(1), np.uint64(6)
_PATTERNS, _STACKS, _MOST, _OTHERS = (np.uint64(number) for number in (PATTERNS, STACKS, MOST, OTHERS))


@inline
def draw(n, at, first, second):
    """A number below ``n`` (uint64), and the counter after those used: ``at`` is that of the last one used before.

    The random words are the exclusive or of two sequences, each that of SplitMix64 begun at a key (uint64). No number
    is likelier than another: the 2**64 mod ``n`` smallest words are passed over.
    """
    unfair = (_ZERO - n) % n
    while True:
        at += 1
        step = GOLDEN * np.uint64(at)
        word = mix(first + step) ^ mix(second + step)
        if word >= unfair:
            return word % n, at


@inline
def extend(rank, box, cells, second, third):
    """The ``rank``-th way to go on from ``box``: the other two boxes of a band, or of a stack.

    ``rank``: uint64 below STACKS. ``box``: uint8 (9,), read. ``cells``: CELLS[0] for a band, CELLS[1] for a stack.
    ``second``, ``third``: uint8 (9,), written.
    """
    pattern = np.int64(rank % _PATTERNS)
    rank = rank // _PATTERNS
    for line in range(0, 9, 3):
        order, other = ORDERS[np.int64(rank % _SIX)], ORDERS[np.int64(rank // _SIX % _SIX)]
        rank = rank // (_SIX * _SIX)
        for k in range(3):
            second[cells[line + order[k]]] = box[cells[LABELS[pattern, line + k]]]
            third[cells[line + other[k]]] = box[cells[LABELS[PATTERNS - 1 - pattern, line + k]]]


@inline
def label(box, labels):
    """Label the digits of a ``box`` on top of a stack, column by column: uint8 (9,), read; (10,), written."""
    for cell in range(9):
        labels[box[cell]] = CELLS[1, cell]


@inline
def aligned(box, labels):
    """Whether the rows of a ``box`` hold the same triples of digits as the labelled columns."""
    for row in range(0, 9, 3):
        i, j, k = labels[box[row]] // 3, labels[box[row + 1]] // 3, labels[box[row + 2]] // 3
        if i != j or i != k:
            return False
    return True


@inline
def relate(box, labels, third_row, third_column, triples, fits):
    """Which patterns fit in a box: bit c of ``fits[a]`` for row pattern a and column pattern c.

    ``box``: uint8 (9,), the first of the band. ``labels``: uint8 (10,), of each digit in the stack. ``third_row``,
    ``third_column``: 0 if the box is the second, 1 if it is the third of its band, of its stack. ``triples``: uint64
    (57,), ``fits``: uint64 (PATTERNS,), both written.
    """
    apart = APART[third_column]
    for t in range(57):
        i, j, k = labels[box[TRIPLES[t, 0]]], labels[box[TRIPLES[t, 1]]], labels[box[TRIPLES[t, 2]]]
        triples[t] = apart[i, j] & apart[i, k] & apart[j, k]
    for pattern in range(PATTERNS):
        lines = LINES[pattern]
        place = PATTERNS - 1 - pattern if third_row else pattern
        fits[place] = triples[lines[0]] & triples[lines[1]] & triples[lines[2]]


@inline
def seek(rank, fits):
    """Where the ``rank``-th completion is: its row patterns a, b, and its rank among those; -1 if there are fewer.

    ``rank``: uint64. ``fits``: uint64 (4, at least PATTERNS), boxes 5, 6, 8, 9.
    """
    for a in range(PATTERNS):
        five, six = fits[0, a], fits[1, a]
        together = _ZERO
        for b in range(PATTERNS):
            together += popcount(five & fits[2, b]) * popcount(six & fits[3, b])
        if rank < together:
            for b in range(PATTERNS):
                together = popcount(five & fits[2, b]) * popcount(six & fits[3, b])
                if rank < together:
                    return a, b, rank
                rank -= together
        rank -= together
    return -1, -1, rank


@inline
def nth_bit(word, n):
    """The place of the ``n``-th bit set (uint64, from 0)."""
    for _ in range(n):
        word = word & (word - _ONE)
    return ctz(word)


@inline
def complete(box4, box7, labels2, labels3, a, b, rank, fits, grid):
    """Fill boxes 5, 6, 8 and 9 of ``grid``, uint8 (81,), by the ``rank``-th completion with row patterns a and b."""
    left, right = fits[0, a] & fits[2, b], fits[1, a] & fits[3, b]
    ways = popcount(right)
    c, d = nth_bit(left, np.int64(rank // ways)), nth_bit(right, np.int64(rank % ways))
    for cell in range(9):
        from_row = cell // 3
        digit = box4[cell]
        row = LINE[a, cell]
        column, other = LINE[c, labels2[digit]], LINE[d, labels3[digit]]
        grid[27 + 9 * row + 3 + column] = digit
        grid[27 + 9 * (3 - from_row - row) + 6 + other] = digit
        digit = box7[cell]
        row = LINE[b, cell]
        two, three = labels2[digit], labels3[digit]
        column, other = 3 - two // 3 - LINE[c, two], 3 - three // 3 - LINE[d, three]
        grid[54 + 9 * row + 3 + column] = digit
        grid[54 + 9 * (3 - from_row - row) + 6 + other] = digit


@kernel("u8[:] i64 i64[:] i64 i64 i64 i64 u64[:] u8[:] u64[:,:]")
def uniform(out, stride, offsets, zero, start, count, first_digit, keys, scratch, pairs):
    """Write grids ``start`` .. ``start + count - 1``; the arguments are those of ``orbit``.

    Each is drawn for itself, from random numbers that ``keys`` and its own number give, so two can be equal.
    ``scratch``: uint8 (146,), ``pairs``: uint64 (5, BATCH). 4.3 tries a grid on average, without an upper bound.
    """
    box1, box2, box3, box4, box7 = scratch[:9], scratch[9:18], scratch[18:27], scratch[27:36], scratch[36:45]
    labels2, labels3, grid = scratch[45:55], scratch[55:65], scratch[65:146]
    fits, triples = pairs[:4], pairs[4]
    relabellings = np.uint64(40_320 if first_digit else 362_880)
    for k in range(count):
        number = GOLDEN * np.uint64(start + k)
        first, second = mix(keys[0] + number), mix(keys[1] + number)
        at, a = 0, -1
        while a < 0:
            rank, at = draw(_MOST, at, first, second)
            pair, at = draw(relabellings * _STACKS * _STACKS, at, first, second)
            band, pair = pair % _STACKS, pair // _STACKS
            stack, pair = pair % _STACKS, pair // _STACKS
            if first_digit:
                box1[0] = first_digit
                unrank(pair, without(DIGITS, np.uint64(first_digit - 1)), 8, box1[1:])
            else:
                unrank(pair, DIGITS, 9, box1)
            extend(band, box1, CELLS[0], box2, box3)
            extend(stack, box1, CELLS[1], box4, box7)
            label(box2, labels2)
            label(box3, labels3)
            if rank >= _OTHERS and not (aligned(box4, labels2) and aligned(box4, labels3) and aligned(box7, labels2)):
                continue
            relate(box4, labels2, 0, 0, triples, fits[0])
            relate(box4, labels3, 1, 0, triples, fits[1])
            relate(box7, labels2, 0, 1, triples, fits[2])
            relate(box7, labels3, 1, 1, triples, fits[3])
            a, b, rank = seek(rank, fits)
        for cell in range(9):
            there = cell // 3 * 9 + cell % 3
            grid[there], grid[there + 3], grid[there + 6] = box1[cell], box2[cell], box3[cell]
            grid[there + 27], grid[there + 54] = box4[cell], box7[cell]
        complete(box4, box7, labels2, labels3, a, b, rank, fits, grid)
        at_out = k * stride
        for cell in range(81):
            out[at_out + offsets[cell]] = grid[cell] + zero
