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

PAIRS = 36
MOST = 648
"""Orders that step 2 can come to: 18 for each of the pairs."""
LINES, PLACES, FOUND, KEPT, COLUMNS, LABELS, ROWS, BEST = 0, 162, 342, 378, 1026, 1035, 1045, 1054
SCRATCH = 1060
"""int64 words: the digits of 18 lines, rows then columns; where each line has each digit; second rows of the pairs;
orders; columns, labels and lines of one order; the last six rows of the best."""
SOUND, NO_SOLUTION, OTHER_GIVEN = 0, 1, 2

_EVERY = 0b1111111110
_LARGER = np.int64(1 << 40)
_LINES_OF_PAIRS = np.array(
    [(band + i, band + j, band + 3 - i - j) for band in range(0, 18, 3) for i in range(3) for j in range(3) if i != j]
)
"""(36, 3): the two lines of each pair, and the third of their band."""


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
def _second_row(one, two, lines, places, triples):
    """The number of the permutation that lines ``one`` and ``two`` are."""
    at, of = two * 9, one * 10
    x = (places[of + lines[at]] * 9 + places[of + lines[at + 1]]) * 9 + places[of + lines[at + 2]]
    y = (places[of + lines[at + 3]] * 9 + places[of + lines[at + 4]]) * 9 + places[of + lines[at + 5]]
    z = (places[of + lines[at + 6]] * 9 + places[of + lines[at + 7]]) * 9 + places[of + lines[at + 8]]
    return (np.int64(triples[0, x]) * 120 + np.int64(triples[1, y])) * 6 + np.int64(triples[2, z])


@inline
def _arrange(one, order, kept, lines, columns, labels):
    """Write the columns of ``order`` followed by ``kept``, and the labels that make line ``one`` 123456789."""
    for c in range(9):
        columns[c] = order[kept[c]]
        labels[lines[one * 9 + columns[c]]] = c + 1


@inline
def _row(line, lines, columns, labels):
    """The nine digits that a line becomes, four bits each."""
    row = np.int64(0)
    for c in range(9):
        row = row << 4 | labels[lines[line * 9 + columns[c]]]
    return row


@inline
def _arrange_rows(pair, lines, columns, labels, rows):
    """Write the nine lines in the order that the first column gives, to ``rows``."""
    for k in range(3):
        rows[k] = _LINES_OF_PAIRS[pair, k]
    side, band = pair // 18 * 9, pair // 6 % 3
    for other in range(2):
        first = side + (band + 1 + other) % 3 * 3
        a = labels[lines[first * 9 + columns[0]]] << 5 | first
        b = labels[lines[first * 9 + 9 + columns[0]]] << 5 | (first + 1)
        c = labels[lines[first * 9 + 18 + columns[0]]] << 5 | (first + 2)
        low, high = min(a, b), max(a, b)
        rows[3 + 3 * other] = min(low, c)
        rows[4 + 3 * other] = max(low, min(high, c))
        rows[5 + 3 * other] = max(high, c)
    swapped = rows[6] < rows[3]
    for k in range(3, 6):
        upper, lower = rows[k] & 31, rows[k + 3] & 31
        rows[k] = lower if swapped else upper
        rows[k + 3] = upper if swapped else lower


@inline
def _compare(best, lines, columns, labels, rows):
    """-1, 0, 1: the last six rows are smaller than ``best``, the same, larger. Smaller ones replace it."""
    sign = 0
    for r in range(6):
        row = _row(rows[r + 3], lines, columns, labels)
        if sign == 0:
            if row > best[r]:
                return 1
            if row < best[r]:
                sign = -1
        best[r] = row
    return sign


@inline
def _compare_puzzles(puzzle, columns, labels, rows, its_cells, its_labels):
    """-1, 0, 1: the image of ``puzzle`` is smaller than that under its symmetry so far, the same, larger."""
    for r in range(9):
        for c in range(9):
            at = rows[r] * 9 + columns[c] if rows[r] < 9 else columns[c] * 9 + rows[r] - 9
            here, there = labels[puzzle[at]], np.int64(its_labels[puzzle[its_cells[r * 9 + c]]])
            if here != there:
                return -1 if here < there else 1
    return 0


@kernel("u8[:,:] u8[:,:] u8[:,:] u8[:,:] u8[:,:] i64[:] u8[:,:] u8[:] i32[:] u8[:,:] u8[:,:] i64[:] i64[:] -> i64 i64")
def canonical(grids, puzzles, forms, cells, labels, automorphisms, triples, rank, way, orders, keep, begin, work):
    """Canonical forms of puzzles, by symmetries that take their solutions to minlex form.

    ``grids``: uint8 (n, 81), the solutions, read. ``puzzles``: uint8 (n, 81), read; ``grids`` again for the forms of
    the grids themselves. ``forms``: uint8 (n, 81), written: the smallest image of the puzzle under the symmetries
    that take its solution to the smallest image of that. ``cells``: uint8 (n, 81), written: the cell of the puzzle
    that each cell of the form comes from. ``labels``: uint8 (n, 10), written: what each digit becomes; 0 becomes 0.
    ``automorphisms``: int64 (n,), written: how many of the symmetries give the form. ``triples`` to ``begin``: tables,
    see ``second_rows``. ``work``: int64 (SCRATCH,).

    Returns how many puzzles are done, all before the first that cannot be, and why: SOUND, NO_SOLUTION (a grid that is
    no solution grid), OTHER_GIVEN (a given that its solution does not have). Time: some hundred steps a grid, more
    with the number of automorphisms.
    """
    lines, places = work[LINES:PLACES], work[PLACES:FOUND]
    found, kept = work[FOUND:KEPT], work[KEPT:COLUMNS]
    columns, names, rows, best = work[COLUMNS:LABELS], work[LABELS:ROWS], work[ROWS:BEST], work[BEST:SCRATCH]
    names[0] = 0
    for k in range(grids.shape[0]):
        puzzle = puzzles[k]
        if not _read(grids[k], lines, places):
            return k, NO_SOLUTION
        for cell in range(81):
            if puzzle[cell] != 0 and puzzle[cell] != grids[k, cell]:
                return k, OTHER_GIVEN
        lowest = np.int64(255)
        for pair in range(PAIRS):
            found[pair] = _second_row(_LINES_OF_PAIRS[pair, 0], _LINES_OF_PAIRS[pair, 1], lines, places, triples)
            lowest = min(lowest, np.int64(rank[found[pair]]))
        third, left = _LARGER, 0
        for pair in range(PAIRS):
            if rank[found[pair]] == lowest:
                order = orders[way[found[pair]]]
                for j in range(begin[lowest], begin[lowest + 1]):
                    _arrange(_LINES_OF_PAIRS[pair, 0], order, keep[j], lines, columns, names)
                    row = _row(_LINES_OF_PAIRS[pair, 2], lines, columns, names)
                    if row < third:
                        third, left = row, 0
                    if row == third:
                        kept[left] = pair << 8 | j
                        left += 1
        best[0] = _LARGER
        reached = 0
        for survivor in range(left):
            pair = kept[survivor] >> 8
            order = orders[way[found[pair]]]
            _arrange(_LINES_OF_PAIRS[pair, 0], order, keep[kept[survivor] & 255], lines, columns, names)
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
                        cells[k, r * 9 + c] = rows[r] * 9 + columns[c] if rows[r] < 9 else columns[c] * 9 + rows[r] - 9
                for digit in range(10):
                    labels[k, digit] = names[digit]
        for cell in range(81):
            forms[k, cell] = labels[k, puzzle[cells[k, cell]]]
        automorphisms[k] = reached
    return grids.shape[0], SOUND
