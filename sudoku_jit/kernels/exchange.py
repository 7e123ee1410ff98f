"""Puzzles into and out of the vectors: text to puzzle, puzzle to text, and the copies that the search keeps.

In the vectors a word holds three puzzles (see sweep.py). To copy one puzzle that is awkward, so two mailboxes hold
puzzles one by one, and all are turned at once, in vectors: WORDS words a puzzle,

    word 3 * d + r          digit d (0 to 8) may stand in row r of a box; words 27 + r: the cells known to be single
    bit  10 * c + box       ... and in column c of that box

at mailbox[word * PUZZLES + q] for puzzle q = g * LANES + lane. Three words of the vectors (c = 0, 1, 2) and their three
fields (g) change places: a transposition of 3 x 3 fields, 16 instructions for 3 * LANES puzzles. A frame on a stack is
the same WORDS words side by side, so that to push or pop is 30 plain copies.
"""

import numpy as np

from sudoku_jit.kernels.lanes import LANES, ByteOrder, byte_reader, byte_writer, lane_mask, load, nonzero_lanes, store
from sudoku_jit.kernels.policy import inline
from sudoku_jit.kernels.sweep import DIGIT, FIELD

PUZZLES = 3 * LANES  # solved side by side
WORDS = 30  # of a puzzle in a mailbox or frame
FRAME = 32  # words from one frame to the next: two cache lines

FIELD_0, FIELD_1, FIELD_2 = 0x1FF, 0x1FF << 10, 0x1FF << 20
PART_0, PART_1, PART_2 = 0x3FF, 0x3FF << 10, 0x3FF << 20
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
    d1 = (b & PART_0) | (c & PART_1) | (a & PART_2)
    d2 = (c & PART_0) | (a & PART_1) | (b & PART_2)
    up_1, up_2, down_1, down_2 = d1 << 10, d2 << 20, d2 >> 10, d1 >> 20
    return (
        (a & PART_0) | (up_1 & PART_1) | (up_2 & PART_2),
        (down_1 & PART_0) | (b & PART_1) | (up_1 & PART_2),
        (down_2 & PART_0) | (down_1 & PART_1) | (c & PART_2),
    )


@inline
def post(outbox, word, a, b, c):
    """One word of all puzzles into a mailbox."""
    a, b, c = turn(a, b, c)
    store(outbox, word * PUZZLES, a)
    store(outbox, word * PUZZLES + LANES, b)
    store(outbox, word * PUZZLES + 2 * LANES, c)


@inline
def fetch(inbox, word):
    """One word of all puzzles out of a mailbox."""
    at = word * PUZZLES
    return turn(load(inbox, at), load(inbox, at + LANES), load(inbox, at + 2 * LANES))


@inline
def split(candidates, single, pair, choice, outbox):
    """Guess: the cell marked in choice gets its lowest digit; the outbox gets the alternative.

    The cell enters `single` (so the next sweep places it at once), and in the alternative too where one candidate is
    left. Puzzles without a mark stay, and stand in the outbox as they are. Reads and writes candidates and single;
    reads pair and choice; writes outbox.
    """
    for row in range(3):
        at = 3 * row * LANES
        left_0, left_1, left_2 = load(choice, at), load(choice, at + LANES), load(choice, at + 2 * LANES)
        other_0, other_1, other_2 = ~left_0, ~left_1, ~left_2
        n0, n1, n2 = load(single, at), load(single, at + LANES), load(single, at + 2 * LANES)
        p0, p1, p2 = load(pair, at), load(pair, at + LANES), load(pair, at + 2 * LANES)
        store(single, at, n0 | left_0)
        store(single, at + LANES, n1 | left_1)
        store(single, at + 2 * LANES, n2 | left_2)
        post(outbox, 27 + row, n0 | (left_0 & p0), n1 | (left_1 & p1), n2 | (left_2 & p2))
        for digit in range(9):
            word = digit * DIGIT + at
            x0, x1, x2 = load(candidates, word), load(candidates, word + LANES), load(candidates, word + 2 * LANES)
            first_0, first_1, first_2 = x0 & left_0, x1 & left_1, x2 & left_2
            store(candidates, word, x0 & (other_0 | first_0))
            store(candidates, word + LANES, x1 & (other_1 | first_1))
            store(candidates, word + 2 * LANES, x2 & (other_2 | first_2))
            post(outbox, 3 * digit + row, x0 & ~first_0, x1 & ~first_1, x2 & ~first_2)
            left_0, left_1, left_2 = left_0 & ~x0, left_1 & ~x1, left_2 & ~x2


@inline
def take_in(inbox, new, candidates, single):
    """The puzzles of `new` (a vector of whole fields) come from the inbox; the others stay as they are."""
    keep = ~new
    for row in range(3):
        at = 3 * row * LANES
        a, b, c = fetch(inbox, 27 + row)
        store(single, at, (load(single, at) & keep) | (a & new))
        store(single, at + LANES, (load(single, at + LANES) & keep) | (b & new))
        store(single, at + 2 * LANES, (load(single, at + 2 * LANES) & keep) | (c & new))
        for digit in range(9):
            word = digit * DIGIT + at
            a, b, c = fetch(inbox, 3 * digit + row)
            store(candidates, word, (load(candidates, word) & keep) | (a & new))
            store(candidates, word + LANES, (load(candidates, word + LANES) & keep) | (b & new))
            store(candidates, word + 2 * LANES, (load(candidates, word + 2 * LANES) & keep) | (c & new))


@inline
def parse(text, offset, base, inbox, q):
    """Puzzle q of the inbox from the 81 bytes at text[offset]: digits are base .. base + 8, any other byte is a blank.

    A digit given twice in a box leaves no candidate at all: the sweep would only find out by counting pigeons in
    pigeonholes. (Twice in a row or column it sees at once.)
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
        for digit in range(9):
            inbox[(3 * digit + row) * PUZZLES + q] = np.uint32((masks[9 * row + digit] | blank) & allowed)
        inbox[(27 + row) * PUZZLES + q] = given


@inline
def every_third(mailbox, at):
    """Nine words of a puzzle, one for each digit."""
    step = 3 * PUZZLES
    return (
        mailbox[at],
        mailbox[at + step],
        mailbox[at + 2 * step],
        mailbox[at + 3 * step],
        mailbox[at + 4 * step],
        mailbox[at + 5 * step],
        mailbox[at + 6 * step],
        mailbox[at + 7 * step],
        mailbox[at + 8 * step],
    )


@inline
def write_solution(outbox, q, out, offset, base):
    """The 81 digits of the solved puzzle q of the outbox to out[offset]; writes these 81 bytes only."""
    masks = every_third(outbox, q) + every_third(outbox, PUZZLES + q) + every_third(outbox, 2 * PUZZLES + q)
    write_digits(out, offset, base, masks)


@inline
def push(outbox, q, stack, at):
    """The frame at stack[at] becomes puzzle q of the outbox."""
    for word in range(WORDS):
        stack[at + word] = outbox[word * PUZZLES + q]


@inline
def pull(inbox, q, stack, at):
    """Puzzle q of the inbox becomes the frame at stack[at]."""
    for word in range(WORDS):
        inbox[word * PUZZLES + q] = stack[at + word]
