"""Puzzles into and out of the vectors: text to puzzle, puzzle to text, and the copies that the search keeps.

In the vectors a word holds three puzzles (see sweep.py). To copy one puzzle that is awkward, so two mailboxes hold
puzzles one by one, and all are turned at once, in vectors: QUADS quads of four words a puzzle,

    quad 2 * r + h, word k  digit 4 * h + k may stand in row r of a box
    quad 6, word r          the last digit, 8, may (word 3 is unused)
    bit  10 * c + box       ... and in column c of that box (bits 30, 31: rubbish)

at mailbox[quad * BLOCK + slot_of(q)] for puzzle q = g * LANES + lane. Three words of the vectors (c = 0, 1, 2) and
their three fields (g) change places: a transposition of 3 x 3 fields, 12 instructions for 3 * LANES puzzles, then one
of 4 x 4 lanes, so that a puzzle's quads are whole. A frame on a stack is the same quads side by side: to push or pop is
7 copies of a quad. (Measured no: 30 copies of words, 5 % slower in all; to keep which cells are single: found again for
less.)
"""

import numpy as np

from sudoku_jit.kernels.lanes import (
    LANES,
    ByteOrder,
    byte_reader,
    byte_writer,
    copy_quad,
    lane_mask,
    load,
    load_quads,
    nonzero_lanes,
    quad_of,
    store,
    store_quads,
    zeros,
)
from sudoku_jit.kernels.policy import inline
from sudoku_jit.kernels.sweep import DIGIT, FIELD, load9

PUZZLES = 3 * LANES  # solved side by side
QUADS = 7  # of a puzzle in a mailbox or frame
FRAME = 32  # words from one frame to the next: two cache lines
BLOCK = 4 * PUZZLES  # words from one quad of a puzzle to its next in a mailbox
MAILBOX = QUADS * BLOCK

FIELD_0, FIELD_1, FIELD_2 = 0x1FF, 0x1FF << 10, 0x1FF << 20
PART_0, PART_1 = 0x3FF, 0x3FF << 10
REST_0, REST_1 = 0xFFFFFFFF ^ PART_0, 0xFFFFFFFF ^ PART_1
CELLS = np.uint32(FIELD)

# for each row of a box: the byte of the 81 at bit 10 * column + box of a word; None for the guard bits
ORDERS = tuple(
    tuple(
        27 * (box // 3) + 9 * row + 3 * (box % 3) + column if box < 9 else None
        for column in range(3)
        for box in range(10)
    )
    for row in range(3)
)
_ORDER = ByteOrder(ORDERS, length=81, values=9)
read_digits = byte_reader(_ORDER)
write_digits = byte_writer(_ORDER)


@inline
def puzzle_bits(x, sets, at):
    """sets[at + g] (uint64): bit l is set where field g of lane l is not zero, that is for puzzle g * LANES + l."""
    sets[at] = nonzero_lanes(x & FIELD_0)
    sets[at + 1] = nonzero_lanes(x & FIELD_1)
    sets[at + 2] = nonzero_lanes(x & FIELD_2)


@inline
def puzzle_fields(sets, at):
    """The inverse: whole fields of the puzzles whose bits are set."""
    return (lane_mask(sets[at]) & FIELD_0) | (lane_mask(sets[at + 1]) & FIELD_1) | (lane_mask(sets[at + 2]) & FIELD_2)


@inline
def turn(a, b, c):
    """Three words of three fields each: field j of result i is field i of word j. Its own inverse."""
    return (
        (a & PART_0) | ((((b << 10) & PART_1) | ((c << 20) & REST_1)) & REST_0),
        ((a >> 10) & PART_0) | (((b & PART_1) | ((c << 10) & REST_1)) & REST_0),
        ((a >> 20) & PART_0) | ((((b >> 10) & PART_1) | (c & REST_1)) & REST_0),
    )


@inline
def post(outbox, quad, v):
    """One quad of all puzzles into a mailbox: four words of three vectors each."""
    a0, b0, c0 = turn(v[0], v[1], v[2])
    a1, b1, c1 = turn(v[3], v[4], v[5])
    a2, b2, c2 = turn(v[6], v[7], v[8])
    a3, b3, c3 = turn(v[9], v[10], v[11])
    at = quad * BLOCK
    store_quads(outbox, at, a0, a1, a2, a3)
    store_quads(outbox, at + 4 * LANES, b0, b1, b2, b3)
    store_quads(outbox, at + 8 * LANES, c0, c1, c2, c3)


@inline
def fetch(inbox, quad):
    """One quad of all puzzles out of a mailbox: four words of three vectors each."""
    at = quad * BLOCK
    a = load_quads(inbox, at)
    b = load_quads(inbox, at + 4 * LANES)
    c = load_quads(inbox, at + 8 * LANES)
    return turn(a[0], b[0], c[0]) + turn(a[1], b[1], c[1]) + turn(a[2], b[2], c[2]) + turn(a[3], b[3], c[3])


@inline
def branch_row(candidates, word, left_0, left_1, left_2, other_0, other_1, other_2):
    """`split` for one digit and row: what stays to be guessed, and the alternative."""
    x0, x1, x2 = load(candidates, word), load(candidates, word + LANES), load(candidates, word + 2 * LANES)
    first_0, first_1, first_2 = x0 & left_0, x1 & left_1, x2 & left_2
    store(candidates, word, x0 & (other_0 | first_0))
    store(candidates, word + LANES, x1 & (other_1 | first_1))
    store(candidates, word + 2 * LANES, x2 & (other_2 | first_2))
    return left_0 & ~x0, left_1 & ~x1, left_2 & ~x2, x0 & ~first_0, x1 & ~first_1, x2 & ~first_2


@inline
def split(candidates, single, choice, outbox):
    """Guess: the cell marked in choice gets its lowest digit; the outbox gets the alternative.

    The cell enters `single`, so the next sweep places it at once. Puzzles without a mark stay, and stand in the outbox
    as they are. Reads and writes candidates and single; reads choice; writes outbox.
    """
    for row in range(3):
        at = 3 * row * LANES
        l0, l1, l2 = load(choice, at), load(choice, at + LANES), load(choice, at + 2 * LANES)
        o0, o1, o2 = ~l0, ~l1, ~l2
        store(single, at, load(single, at) | l0)
        store(single, at + LANES, load(single, at + LANES) | l1)
        store(single, at + 2 * LANES, load(single, at + 2 * LANES) | l2)
        for half in range(2):
            word = 4 * half * DIGIT + at
            l0, l1, l2, a0, b0, c0 = branch_row(candidates, word, l0, l1, l2, o0, o1, o2)
            l0, l1, l2, a1, b1, c1 = branch_row(candidates, word + DIGIT, l0, l1, l2, o0, o1, o2)
            l0, l1, l2, a2, b2, c2 = branch_row(candidates, word + 2 * DIGIT, l0, l1, l2, o0, o1, o2)
            l0, l1, l2, a3, b3, c3 = branch_row(candidates, word + 3 * DIGIT, l0, l1, l2, o0, o1, o2)
            post(outbox, 2 * row + half, (a0, b0, c0, a1, b1, c1, a2, b2, c2, a3, b3, c3))
    # the last digit is never the lowest of two
    x = load9(candidates, 8 * DIGIT)
    post(outbox, 6, x + (x[6], x[7], x[8]))  # noqa: RUF005
    for position in range(9):
        at = 8 * DIGIT + position * LANES
        store(candidates, at, load(candidates, at) & ~load(choice, position * LANES))


@inline
def blend(array, at, new, v):
    """array[at] gets the fields of `new` from v, and keeps the others."""
    v = (load(array, at) & ~new) | (v & new)
    store(array, at, v)
    return v


@inline
def take_in(inbox, new, candidates, single):
    """The puzzles of `new` (a vector of whole fields) come from the inbox; the others stay as they are."""
    v = fetch(inbox, 6)
    for position in range(9):
        blend(candidates, 8 * DIGIT + position * LANES, new, v[position])
    for row in range(3):
        at = 3 * row * LANES
        last = 8 * DIGIT + at
        a, b, c = load(candidates, last), load(candidates, last + LANES), load(candidates, last + 2 * LANES)
        several_a, several_b, several_c = zeros(), zeros(), zeros()
        for half in range(2):
            v = fetch(inbox, 2 * row + half)
            for digit in range(4):
                word = (4 * half + digit) * DIGIT + at
                x = blend(candidates, word, new, v[3 * digit])
                several_a, a = several_a | (a & x), a | x
                x = blend(candidates, word + LANES, new, v[3 * digit + 1])
                several_b, b = several_b | (b & x), b | x
                x = blend(candidates, word + 2 * LANES, new, v[3 * digit + 2])
                several_c, c = several_c | (c & x), c | x
        blend(single, at, new, a & ~several_a)
        blend(single, at + LANES, new, b & ~several_b)
        blend(single, at + 2 * LANES, new, c & ~several_c)


@inline
def parse(text, offset, base, inbox, slot):
    """The puzzle at `slot` of the inbox from the 81 bytes at text[offset].

    Digits are base .. base + 8, any other byte is a blank. A digit given twice in a box leaves no candidate at all: the
    sweep would only find out by counting pigeons in pigeonholes. (Twice in a row or column it sees at once.)
    """
    masks = read_digits(text, offset, base)
    twice = np.uint32(0)
    for digit in range(9):
        a, b, c = masks[digit], masks[9 + digit], masks[18 + digit]
        rows = a | b | c
        twice = np.uint32(
            twice | (a & b) | (c & (a | b)) | (rows & (rows >> np.uint32(10))) | (rows & (rows >> np.uint32(20)))
        )
    allowed = np.uint32(0) if twice else CELLS
    for row in range(3):
        given = np.uint32(0)
        for digit in range(9):
            given = np.uint32(given | masks[9 * row + digit])
        blank = np.uint32(CELLS & ~given)
        at = 2 * row * BLOCK + slot
        for digit in range(4):
            inbox[at + digit] = np.uint32((masks[9 * row + digit] | blank) & allowed)
            inbox[at + BLOCK + digit] = np.uint32((masks[9 * row + 4 + digit] | blank) & allowed)
        inbox[6 * BLOCK + slot + row] = np.uint32((masks[9 * row + 8] | blank) & allowed)


@inline
def forbid(inbox, slot, candidate):
    """The puzzle at `slot` of the inbox loses a candidate, 9 * cell + digit - 1."""
    cell, digit = candidate // 9, candidate % 9
    row, column, box = cell // 9 % 3, cell % 3, cell // 27 * 3 + cell % 9 // 3
    at = slot + (6 * BLOCK + row if digit == 8 else (2 * row + digit // 4) * BLOCK + digit % 4)
    inbox[at] = np.uint32(inbox[at] & ~(np.uint32(1) << np.uint32(10 * column + box)))


@inline
def slot_of(q):
    """Where the first quad of puzzle q stands in a mailbox."""
    return q // LANES * 4 * LANES + quad_of(q % LANES)


@inline
def row_words(mailbox, slot, row):
    """Nine words of a puzzle, one for each digit."""
    at = 2 * row * BLOCK + slot
    return (
        mailbox[at],
        mailbox[at + 1],
        mailbox[at + 2],
        mailbox[at + 3],
        mailbox[at + BLOCK],
        mailbox[at + BLOCK + 1],
        mailbox[at + BLOCK + 2],
        mailbox[at + BLOCK + 3],
        mailbox[6 * BLOCK + slot + row],
    )


@inline
def write_solution(outbox, slot, out, offset, base):
    """The 81 digits of the solved puzzle at `slot` of the outbox to out[offset]; writes these 81 bytes only."""
    masks = row_words(outbox, slot, 0) + row_words(outbox, slot, 1) + row_words(outbox, slot, 2)
    write_digits(out, offset, base, masks)


@inline
def push(outbox, slot, stack, at):
    """The frame at stack[at] becomes the puzzle at `slot` of the outbox."""
    for quad in range(QUADS):
        copy_quad(stack, at + 4 * quad, outbox, slot + quad * BLOCK)


@inline
def pull(inbox, slot, stack, at):
    """The puzzle at `slot` of the inbox becomes the frame at stack[at]."""
    for quad in range(QUADS):
        copy_quad(inbox, slot + quad * BLOCK, stack, at + 4 * quad)
