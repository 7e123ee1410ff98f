"""The minlex form: the smallest of a grid's images under all 9! * 6**8 * 2 symmetries, as a number of 81 digits.

Ideas, from the discussions of canonical forms in the forum of enjoysudoku.com ("Canonical form": gsf, JPF, Red Ed and
others, from 2005 on) and from the description of Mladen Dobrichev's sudoku-minlexing-tool: go row by row, since the
first row is always 123456789 and names the digits; a band is one of few kinds; keep only what is smallest so far. Here:

1. The first two rows of the form are two lines of one band (six bands, three of them of columns): 36 pairs. Each is a
   permutation, and a table (``second_rows``) has the smallest second row that it can be brought to.
2. For the pairs with the smallest of those: all orders of columns that lead to it, from tables (18 for a pair at most,
   one for most pairs). Labels and third row follow.
3. For the orders with the smallest third row: the first column tells the order of the other rows and bands. They are
   held against the best so far, row by row.

Each order that reaches the form is one symmetry, and they are as many as the grid has automorphisms.
"""

import numpy as np

from sudoku_jit.kernels.policy import inline, kernel
from sudoku_jit.kernels.second_rows import NO_RANK, ORDERS_OF_THREE, TRIPLES

PAIRS = 36
MOST = 648
"""Orders that step 2 can come to: 18 for each of the pairs."""
LINES, PLACES, COLUMNS, LABELS, ROWS, BYTES = 0, 162, 342, 351, 361, 370
"""Scratch, uint8: the digits of 18 lines, rows then columns; where each line has each digit; columns, labels and lines
of one order. (In int64 it takes longer: an index that may be negative, as far as the compiler knows, is tested.)"""
FOUND, KEPT, BEST, WORDS = 0, PAIRS, PAIRS + MOST, PAIRS + MOST + 6
"""Scratch, int64: the second rows of the pairs; orders; the last six rows of the best."""
SOUND, NO_SOLUTION, OTHER_GIVEN = 0, 1, 2

_EVERY = 0b1111111110
_LARGER = np.int64(1 << 40)
_LINES_OF_PAIRS = np.array(
    [(band + i, band + j, band + 3 - i - j) for band in range(0, 18, 3) for i in range(3) for j in range(3) if i != j],
    dtype=np.uint8,
)
"""(36, 3): the two lines of each pair, and the third of their band."""


@inline
def _line(pair, k):
    return np.int64(_LINES_OF_PAIRS[pair, k])


@inline
def _read(grid, lines, places):
    """Write ``lines`` and ``places``; whether the grid is a solution grid."""
    every = _EVERY
    for r in range(9):
        row = column = box = 0
        corner = r // 3 * 27 + r % 3 * 3
        for c in range(9):
            digit = np.int64(grid[r * 9 + c])
            lines[r * 9 + c] = digit
            lines[81 + c * 9 + r] = digit
            places[r * 10 + digit] = c
            places[90 + c * 10 + digit] = r
            row |= 1 << digit
            column |= 1 << np.int64(grid[c * 9 + r])
            box |= 1 << np.int64(grid[corner + c // 3 * 9 + c % 3])
        every &= row & column & box
    return every == _EVERY


@inline
def _stack(one, two, stack, lines, places):
    """The places that three digits of line ``two`` have in line ``one``, as a number in base 9."""
    of, at = one * 10, two * 9 + 3 * stack
    x, y, z = places[of + lines[at]], places[of + lines[at + 1]], places[of + lines[at + 2]]
    return np.int64(x) * 81 + np.int64(y) * 9 + np.int64(z)


@inline
def _second_row(one, two, lines, places, triples):
    """The number of the permutation that lines ``one`` and ``two`` are."""
    x = np.int64(triples[0, _stack(one, two, 0, lines, places)])
    y = np.int64(triples[1, _stack(one, two, 1, lines, places)])
    z = np.int64(triples[2, _stack(one, two, 2, lines, places)])
    return (x * TRIPLES + y) * ORDERS_OF_THREE + z


@inline
def _turn(one, three, order, back, lines, places, turned):
    """Write the permutation that lines ``one`` and ``three`` become under ``order``; ``back`` undoes it."""
    for c in range(9):
        turned[c] = back[places[one * 10 + lines[three * 9 + np.int64(order[c])]]]


@inline
def _third_row(kept, undone, turned):
    """The third row under one more order, ``kept``; ``undone`` undoes it. Nine digits from 0 on, four bits each."""
    row = np.int64(0)
    for c in range(9):
        row = row << 4 | np.int64(undone[turned[kept[c]]])
    return row


@inline
def _arrange(one, order, kept, lines, columns, labels):
    """Write the columns of ``order`` followed by ``kept``, and the labels that make line ``one`` 123456789."""
    for c in range(9):
        column = order[kept[c]]
        columns[c] = column
        labels[lines[one * 9 + np.int64(column)]] = c + 1


@inline
def _row(line, lines, columns, labels):
    """The nine digits that a line becomes, four bits each."""
    row = np.int64(0)
    for c in range(9):
        row = row << 4 | np.int64(labels[lines[line * 9 + np.int64(columns[c])]])
    return row


@inline
def _sorted_band(first, left, lines, labels):
    """The three lines from ``first`` on, by their label in column ``left``: label and line of each, nine bits."""
    a = np.int64(labels[lines[first * 9 + left]]) << 5 | first
    b = np.int64(labels[lines[first * 9 + 9 + left]]) << 5 | (first + 1)
    c = np.int64(labels[lines[first * 9 + 18 + left]]) << 5 | (first + 2)
    low, high = min(a, b), max(a, b)
    return min(low, c) << 18 | max(low, min(high, c)) << 9 | max(high, c)


@inline
def _arrange_rows(pair, lines, columns, labels, rows):
    """Write the nine lines in the order that the first column gives, to ``rows``."""
    side, band, left = pair // 18 * 9, pair // 6 % 3, np.int64(columns[0])
    one = _sorted_band(side + (band + 1) % 3 * 3, left, lines, labels)
    two = _sorted_band(side + (band + 2) % 3 * 3, left, lines, labels)
    upper, lower = min(one, two), max(one, two)
    for k in range(3):
        rows[k] = _LINES_OF_PAIRS[pair, k]
        rows[3 + k] = upper >> (18 - 9 * k) & 31
        rows[6 + k] = lower >> (18 - 9 * k) & 31


@inline
def _compare(best, lines, columns, labels, rows):
    """-1, 0, 1: the last six rows are smaller than ``best``, the same, larger. Smaller ones replace it."""
    sign = 0
    for r in range(6):
        row = _row(np.int64(rows[r + 3]), lines, columns, labels)
        if sign == 0:
            if row > best[r]:
                return 1
            if row < best[r]:
                sign = -1
        best[r] = row
    return sign


@inline
def _cell(line, column):
    line, column = np.int64(line), np.int64(column)
    return line * 9 + column if line < 9 else column * 9 + line - 9


@inline
def _compare_puzzles(puzzle, columns, labels, rows, its_cells, its_labels):
    """-1, 0, 1: the image of ``puzzle`` is smaller than that under its symmetry so far, the same, larger."""
    for r in range(9):
        for c in range(9):
            here, there = labels[puzzle[_cell(rows[r], columns[c])]], its_labels[puzzle[its_cells[r * 9 + c]]]
            if here != there:
                return -1 if here < there else 1
    return 0


@kernel(
    "u8[:,:] u8[:,:] u8[:,:] u8[:,:] u8[:,:] i64[:] "
    "u8[:,:] u8[:] i32[:] u8[:,:,:] u8[:,:,:] i64[:] u8[:] i64[:] -> i64 i64"
)
def canonical(
    grids, puzzles, forms, cells, labels, automorphisms, triples, rank, way, orders, keep, begin, scratch, words
):
    """Canonical forms of puzzles, by symmetries that take their solutions to minlex form.

    ``grids``: uint8 (n, 81), the solutions, read. ``puzzles``: uint8 (n, 81), read; ``grids`` again for the forms of
    the grids themselves. ``forms``: uint8 (n, 81), written: the smallest image of the puzzle under the symmetries
    that take its solution to the smallest image of that. ``cells``: uint8 (n, 81), written: the cell of the puzzle
    that each cell of the form comes from. ``labels``: uint8 (n, 10), written: what each digit becomes; 0 becomes 0.
    ``automorphisms``: int64 (n,), written: how many of the symmetries give the form. ``triples`` to ``begin``: tables,
    see ``second_rows``. ``scratch``: uint8 (BYTES,). ``words``: int64 (WORDS,).

    Returns how many puzzles are done, all before the first that cannot be, and why: SOUND, NO_SOLUTION (a grid that is
    no solution grid), OTHER_GIVEN (a given that its solution does not have). Time: some hundred steps a grid, more
    with the number of automorphisms.
    """
    lines, places, columns = scratch[LINES:PLACES], scratch[PLACES:COLUMNS], scratch[COLUMNS:LABELS]
    names, rows = scratch[LABELS:ROWS], scratch[ROWS:BYTES]
    found, kept, best = words[FOUND:KEPT], words[KEPT:BEST], words[BEST:WORDS]
    names[0] = 0
    for k in range(grids.shape[0]):
        puzzle = puzzles[k]
        if not _read(grids[k], lines, places):
            return k, NO_SOLUTION
        for cell in range(81):
            if puzzle[cell] != 0 and puzzle[cell] != grids[k, cell]:
                return k, OTHER_GIVEN
        lowest = np.int64(NO_RANK)
        for pair in range(PAIRS):
            found[pair] = _second_row(_line(pair, 0), _line(pair, 1), lines, places, triples)
            lowest = min(lowest, np.int64(rank[found[pair]]))
        third, left = _LARGER, 0
        for pair in range(PAIRS):
            if rank[found[pair]] == lowest:
                order, back = orders[0, way[found[pair]]], orders[1, way[found[pair]]]
                _turn(_line(pair, 0), _line(pair, 2), order, back, lines, places, columns)
                for j in range(begin[lowest], begin[lowest + 1]):
                    row = _third_row(keep[0, j], keep[1, j], columns)
                    if row < third:
                        third, left = row, 0
                    if row == third:
                        kept[left] = pair << 8 | j
                        left += 1
        best[0] = _LARGER
        reached = 0
        for survivor in range(left):
            pair = kept[survivor] >> 8
            order = orders[0, way[found[pair]]]
            _arrange(_line(pair, 0), order, keep[0, kept[survivor] & 255], lines, columns, names)
            _arrange_rows(pair, lines, columns, names, rows)
            sign = _compare(best, lines, columns, names, rows)
            if sign == 0:
                sign = _compare_puzzles(puzzle, columns, names, rows, cells[k], labels[k])
            if sign == 0:
                reached += 1
            elif sign < 0:
                reached = 1
                for r in range(9):
                    for c in range(9):
                        cells[k, r * 9 + c] = _cell(rows[r], columns[c])
                for digit in range(10):
                    labels[k, digit] = names[digit]
        for cell in range(81):
            forms[k, cell] = labels[k, puzzle[cells[k, cell]]]
        automorphisms[k] = reached
    return grids.shape[0], SOUND
