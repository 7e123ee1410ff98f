"""Choice of the cell to guess, for all puzzles at once, by counters of one bit a cell ("bit-sliced").

Any rule is correct; a good one keeps the tree small. Measured on 3,000 of the hardest puzzles, guesses a puzzle:
the first cell with two candidates 124; the one with the most two-candidate peers 105 to 119; the most candidates of its
two digits among its peers 87; that, and two-candidate peers counted three times, 73 (too dear in vectors); the rule
below, made of unit-wise bits, 77 to 80.

The rule. Targets are the cells with two candidates, or where a puzzle has none, its cells with the fewest. A target
gets for each digit that it may hold

    the number of other candidates for the digit in its box, at most 3
    2 for each of box, row and column that hold another target with the digit     (6 at most in all: see `weigh`)

and the highest sum wins; ties go to the lowest position in the box, then to the lowest box. A target with the digit in
the same row or column and the same box counts only for the box.

Measured no: leaving out what the box's targets, the column's targets, or the bit of weight 1 adds (1 %, 8 %, 6 % more
guesses; 13 % to 6 % on easier sets); summing the two digits' bits as any and all, three quarters of the operations: no
time gained, 3 % more guesses on the 375 hardest, where cells with three candidates are chosen. A digit with two places
in a unit instead of a cell with three candidates: 81 guesses instead of 78, and 165 instead of 135 on the 375 hardest.
"""

import numpy as np

from sudoku_jit.kernels.lanes import LANES, load, nonzero_lanes, store, zeros
from sudoku_jit.kernels.policy import inline
from sudoku_jit.kernels.sweep import BAND_0, DIGIT, FIELD, FIRST, GUARD, band_1, band_2, load9, stack_1, stack_2

NOTES = 10 * LANES  # what `weigh` notes for one digit: 10 vectors
SCORES = 9 * NOTES  # then the four bits of each position's score: 9 * 4 vectors
PLANES = SCORES + 36 * LANES  # size of the scratch array `planes`


@inline
def any_in_field(x):
    """All nine bits of the fields that have a bit set."""
    carry = (x + FIELD) & GUARD
    return carry - (carry >> 9)


@inline
def lowest_in_field(x):
    """The lowest bit of each field."""
    return x & ~((x | GUARD) - FIRST)


@inline
def two_of(a, b, c):
    """Where at least two of the three are set: the carry of a + b + c, whose sum is a ^ b ^ c."""
    return (a & b) | (c & (a | b))


@inline
def choose(candidates, pair, guess, choice, planes):
    """For each puzzle in `guess` (a vector of whole fields) one cell, as one bit in the nine words of `choice`.

    Reads candidates (81 words) and pair (9 words); planes is scratch (PLANES).
    """
    left = guess
    for position in range(9):
        targets = load(pair, position * LANES) & guess
        left = left & ~any_in_field(targets)
        store(choice, position * LANES, targets)
    if nonzero_lanes(left) != np.uint64(0):
        add_fewest(candidates, left, choice)
    weigh(candidates, choice, planes)
    for position in range(choice.size // LANES):  # 9, but LLVM does not know and so compiles one, not nine
        score(candidates, choice, planes, position // 3, position % 3)
    # keep the targets with the highest score, from its highest bit down
    for bit in range(4):
        top = zeros()
        for position in range(9):
            top = top | (load(choice, position * LANES) & load(planes, SCORES + (4 * position + bit) * LANES))
        unset = ~any_in_field(top)
        for position in range(9):
            keep = load(planes, SCORES + (4 * position + bit) * LANES) | unset
            store(choice, position * LANES, load(choice, position * LANES) & keep)
    left = guess
    for position in range(9):
        targets = load(choice, position * LANES) & left
        left = left & ~any_in_field(targets)
        store(choice, position * LANES, lowest_in_field(targets))


@inline
def choose_first(single, guess, choice):
    """For each puzzle in `guess` the first open cell in reading order, as one bit in the nine words of `choice`.

    Reads single (9 words): an open cell is one that is not single. The order of reading is band, row in the box, stack,
    column in the box; each is narrowed down in turn.
    """
    n00, n01, n02, n10, n11, n12, n20, n21, n22 = load9(single, 0)
    a, b, c = ~(n00 & n01 & n02) & guess, ~(n10 & n11 & n12) & guess, ~(n20 & n21 & n22) & guess
    band = any_in_field((a | b | c) & BAND_0) & BAND_0
    band = band | (any_in_field((a | b | c) & BAND_0 << 3) & ~any_in_field(band) & BAND_0 << 3)
    band = band | (guess & ~any_in_field(band))
    a = a & band
    b = b & band & ~any_in_field(a)
    c = c & band & ~any_in_field(a | b)
    box = lowest_in_field(a | b | c)
    for row in range(3):
        at = 3 * row * LANES
        if row == 0:
            left = box & any_in_field(a)
        elif row == 1:
            left = box & any_in_field(b)
        else:
            left = box & any_in_field(c)
        for column in range(3):
            cell = left & ~load(single, at + column * LANES)
            left = left & ~cell
            store(choice, at + column * LANES, cell)


@inline
def add_fewest(candidates, need, choice):
    """Add to choice (9 words) the cells with the fewest candidates, three or more, of the puzzles in `need`. Rare."""
    for fewest in range(3, 10):
        left = need
        for position in range(choice.size // LANES):
            p1, p2, p4, p8 = zeros(), zeros(), zeros(), zeros()
            for digit in range(9):
                x = load(candidates, digit * DIGIT + position * LANES)
                c1 = p1 & x
                p1 = p1 ^ x
                c2 = p2 & c1
                p2 = p2 ^ c1
                p8 = p8 | (p4 & c2)
                p4 = p4 ^ c2
            if not fewest & 1:
                p1 = ~p1
            if not fewest & 2:
                p2 = ~p2
            if not fewest & 4:
                p4 = ~p4
            if not fewest & 8:
                p8 = ~p8
            cells = p1 & p2 & p4 & p8 & need
            left = left & ~any_in_field(cells)
            store(choice, position * LANES, load(choice, position * LANES) | cells)
        need = left
        if nonzero_lanes(need) == np.uint64(0):
            break


@inline
def weigh(candidates, choice, planes):
    """Note for each digit what the units add to a score.

    Ten words: 0 the bit of weight 1; 1 to 3 and 4 to 6 the bits of weight 2 and 4, by row in the box, of what box and
    row add; 7 to 9 what the column adds, with weight 2.
    """
    p00, p01, p02, p10, p11, p12, p20, p21, p22 = load9(choice, 0)
    for digit in range(9):
        x00, x01, x02, x10, x11, x12, x20, x21, x22 = load9(candidates, digit * DIGIT)
        # other candidates in the box: 1, 2, or 3 and more, as one + three + four
        s0, k0 = x00 ^ x01 ^ x02, two_of(x00, x01, x02)
        s1, k1 = x10 ^ x11 ^ x12, two_of(x10, x11, x12)
        s2, k2 = x20 ^ x21 ^ x22, two_of(x20, x21, x22)
        one, carry = s0 ^ s1 ^ s2, two_of(s0, s1, s2)
        two = k0 ^ k1 ^ k2
        four = two_of(k0, k1, k2) | (two & carry)
        three = (two ^ carry) & one & ~four
        # other targets with the digit
        x00, x01, x02 = x00 & p00, x01 & p01, x02 & p02
        x10, x11, x12 = x10 & p10, x11 & p11, x12 & p12
        x20, x21, x22 = x20 & p20, x21 & p21, x22 & p22
        a, b, c = x00 | x01 | x02, x10 | x11 | x12, x20 | x21 | x22
        box = two_of(a, b, c) | two_of(x00, x01, x02) | two_of(x10, x11, x12) | two_of(x20, x21, x22)
        a, b, c = stack_1(a) | stack_2(a), stack_1(b) | stack_2(b), stack_1(c) | stack_2(c)
        at = digit * NOTES
        store(planes, at, three)
        store(planes, at + LANES, a ^ box ^ four)
        store(planes, at + 2 * LANES, b ^ box ^ four)
        store(planes, at + 3 * LANES, c ^ box ^ four)
        store(planes, at + 4 * LANES, two_of(a, box, four))
        store(planes, at + 5 * LANES, two_of(b, box, four))
        store(planes, at + 6 * LANES, two_of(c, box, four))
        a, b, c = x00 | x10 | x20, x01 | x11 | x21, x02 | x12 | x22
        store(planes, at + 7 * LANES, band_1(a) | band_2(a))
        store(planes, at + 8 * LANES, band_1(b) | band_2(b))
        store(planes, at + 9 * LANES, band_1(c) | band_2(c))


@inline
def score(candidates, choice, planes, row, column):
    """Sum over the digits of a target: four bits, the highest first, saturating, into planes."""
    at = (3 * row + column) * LANES
    target = load(choice, at)
    p1, p2, p4, p8 = zeros(), zeros(), zeros(), zeros()
    for digit in range(9):
        notes = digit * NOTES
        x = load(candidates, digit * DIGIT + at) & target
        two, four = load(planes, notes + (1 + row) * LANES), load(planes, notes + (4 + row) * LANES)
        line = load(planes, notes + (7 + column) * LANES)
        t1 = load(planes, notes) & x
        t2 = ((two ^ line) | (four & two)) & x  # two + line, at most 3
        t4 = (four | (two & line)) & x
        carry = p1 & t1
        p1 = p1 ^ t1
        carry_2 = two_of(p2, t2, carry)
        p2 = p2 ^ t2 ^ carry
        p8 = p8 | two_of(p4, t4, carry_2)
        p4 = p4 ^ t4 ^ carry_2
    at = SCORES + 4 * at
    store(planes, at, p8)
    store(planes, at + LANES, p4)
    store(planes, at + 2 * LANES, p2)
    store(planes, at + 3 * LANES, p1)
