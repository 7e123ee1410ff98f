"""Many puzzles searched side by side: fill the lanes, sweep, guess, back up, count, refill, help.

A `seat` is a place for one puzzle in the vectors: PUZZLES of them, seat q = g * LANES + lane. What a seat has:

    its field of the vectors    the node being propagated                                        (sweep.py)
    stack[q], DEPTH frames      alternatives not yet tried, oldest at `OLDEST`, newest below `TOP`   (exchange.py)
    book[.., q]                 PUZZLE, its number; OLDEST; TOP; JUMP, see below

       stack[q]:   | taken | oldest | ... | newest | free ... |
                            ^ OLDEST               ^ TOP

Seats are handled as bit sets, three words of LANES bits (for g = 0, 1, 2), in `sets`. One round:

    1. refill     an idle seat takes the next puzzle; when there is none, the oldest frame of the fullest seat
    2. propagate  sweeps, until enough seats have an event: contradiction, solution, or nothing new (guess)
    3. guess      choose a cell in each puzzle that needs it (branch.py), place a digit, alternative to outbox
    4. solutions  count, write the first one
    5. back up    after a contradiction or solution: the newest frame to the inbox, or the seat is idle
    6. push       the alternatives of step 3
    7. the inbox enters the vectors

A seat with an event waits, its puzzle unchanged (frozen), until BADS / 16 of the busy seats have a contradiction or
OUTS / 16 a guess or solution, because steps 3 and 7 cost the same for one as for all: 15 % on the hardest, 40 % on
17-clue puzzles against a round for every sweep. Guesses and solutions need the outbox, that is `choose` and `split`,
four times as dear as `take_in`: where they are fewer than OUTS_TOO / 16 they wait for another round.

**Jumps.** On a grid with few givens the first guesses can end in a subtree without solution that is huge, while its
neighbour is full of solutions. So when a puzzle has cost PATIENCE guesses since the last jump, the seat goes on with
its oldest frame instead of the newest (a few times; the stack is the limit). A puzzle with one solution or none costs
the same, since its whole tree is searched in any order; 10,000 puzzles with many solutions (counted to 2) went from
70,000 to 940,000/s.

**Helping.** At the end of the input idle seats take frames of busy ones, so that one hard puzzle alone is searched by
all seats. A puzzle searched to its end has the same count and guesses in any order. Of one that stopped at the limit,
or that has several solutions, what was found first depends on the order: such puzzles, if somebody helped, are done
again at the end without help. Together with puzzle-wise rules everywhere else that makes every result independent of
LANES, chunks and neighbours.

The idea of one puzzle a lane is this project's; locked candidates as permutation matrices of three boxes are tdoku's.
"""

import numpy as np

from sudoku_jit.kernels.branch import PLANES, choose, choose_first
from sudoku_jit.kernels.exchange import (
    FRAME,
    MAILBOX,
    PUZZLES,
    forbid,
    parse,
    pull,
    push,
    puzzle_bits,
    puzzle_fields,
    slot_of,
    split,
    take_in,
    write_solution,
)
from sudoku_jit.kernels.lanes import LANES, ctz, popcount
from sudoku_jit.kernels.policy import inline, kernel
from sudoku_jit.kernels.sweep import cells, digits

ONE, NONE = np.uint64(1), np.uint64(0)
EVERY_LANE = np.uint64((1 << LANES) - 1)

DEPTH = 256  # frames a seat; one descent pushes at most 81. Measured no: 257, to spread the stacks over cache sets
LAST_JUMP = DEPTH - 82  # above this no jump, so that one more descent always fits
PATIENCE = 64  # guesses between jumps; 32 and 64 alike, 16 and 200 slower
# sixteenths of the busy seats that end a round's sweeps: with a contradiction; with a guess or solution
BADS, OUTS = np.uint64(5), np.uint64(6)
OUTS_TOO = np.uint64(4)  # and at the end of a round so many guesses and solutions are seen to, else they wait on

BUSY, BAD, SOLVED, GUESS, ENTER, DEAD, FRESH, OPEN = 0, 3, 6, 9, 12, 15, 18, 21  # places in `sets`
SETS = 24
PUZZLE, OLDEST, TOP, JUMP, REDO = 0, 1, 2, 3, 4  # rows of `book`; REDO lists the puzzles that got help
ROWS = 5
# places in `state`, what is kept from call to call: has it begun; the next puzzle to begin, and where they end; number
# of puzzles that got help; is this the second pass, over book[REDO]; frames on all stacks; counters
BEGUN, FOLLOWING, END, HELP, AGAIN, FRAMES, SWEEPS, ROUNDS, HELPED = range(9)
STATE = 9
ALONE, HELPING, READING = 0, 1, 2  # modes
GAVE_UP = -1  # count of a puzzle that READING took too many guesses for
TRIES = 500  # that many


@inline
def begin(book, sets, q, lane, puzzle, patience):
    """Seat q works on the puzzle, from what is in the inbox."""
    g = q // LANES
    bit = ONE << np.uint64(lane)
    sets[BUSY + g] |= bit
    sets[ENTER + g] |= bit
    book[PUZZLE, q] = puzzle
    book[OLDEST, q] = 0
    book[TOP, q] = 0
    book[JUMP, q] = patience


@inline
def fullest(book):
    """The seat with most frames, the first of equals."""
    best, seat = 0, 0
    for q in range(PUZZLES):
        frames = book[TOP, q] - book[OLDEST, q]
        if frames > best:
            best, seat = frames, q
    return seat


@inline
def drop_frames(book, q):
    """Seat q forgets its frames. Returns how many."""
    frames = book[TOP, q] - book[OLDEST, q]
    book[TOP, q] = 0
    book[OLDEST, q] = 0
    return frames


@inline
def propagate(candidates, hidden, single, pair, sets, state):
    """Sweep until enough busy seats have an event; BAD, SOLVED and GUESS say which. BAD must be empty before.

    Returns whether it is time for guesses and solutions.
    """
    busy, outs, bads = NONE, NONE, NONE
    for g in range(3):
        busy += popcount(sets[BUSY + g])
        outs += popcount(sets[SOLVED + g] | sets[GUESS + g])
        sets[ENTER + g] = NONE
    while (bads << np.uint64(4)) < busy * BADS and (outs << np.uint64(4)) < busy * OUTS and bads + outs < busy:
        state[SWEEPS] += 1
        missing = digits(candidates, hidden, single, puzzle_fields(sets, GUESS))
        dead, several, fresh = cells(candidates, hidden, single, pair)
        puzzle_bits(dead | missing, sets, DEAD)
        puzzle_bits(fresh, sets, FRESH)
        puzzle_bits(several, sets, OPEN)
        for g in range(3):
            active = sets[BUSY + g] & ~(sets[BAD + g] | sets[SOLVED + g] | sets[GUESS + g])
            bad = active & sets[DEAD + g]
            stalled = active & ~(sets[DEAD + g] | sets[FRESH + g])
            sets[BAD + g] |= bad
            sets[SOLVED + g] |= stalled & ~sets[OPEN + g]
            sets[GUESS + g] |= stalled & sets[OPEN + g]
            bads += popcount(bad)
            outs += popcount(stalled)
    return (outs << np.uint64(4)) >= busy * OUTS_TOO or bads + outs >= busy


@kernel(
    "u8[:] i64 i64 i64 i16[:] u8[:] i64 i64 i64[:] i64[:] i64 i64 i64"
    " u32[:] u32[:] u32[:] u32[:] u32[:] u32[:] u32[:] u32[:] u32[:] i64[:,:] u64[:] u8[:] i64[:] -> i64"
)
def solve_lanes(
    text,
    n,
    record,
    base,
    banned,
    out,
    out_record,
    out_base,
    count,
    guesses,
    limit,
    mode,
    budget,
    candidates,
    hidden,
    single,
    pair,
    choice,
    planes,
    outbox,
    inbox,
    stack,
    book,
    sets,
    helped,
    state,
):
    """Count the solutions of n puzzles up to `limit` (1 or more), and write one solution of each.

    text        uint8 (>= (n - 1) * record + 81): puzzle i is the 81 bytes at i * record; base .. base + 8 are the
                digits (base 49 for text, 1 for numbers), any other byte is a blank
    banned      int16 (n), or empty for none: the candidate, 9 * cell + digit - 1, that puzzle i may not use, or -1
    out         uint8, likewise with out_record and out_base: one solution, untouched where there is none. The first
                found: any one where there are `limit` or more
    count       int64 (n): number of solutions, at most limit; contradictory givens have 0
    guesses     int64 (n): guesses made; of a puzzle stopped at the limit those before
    mode        HELPING: idle seats help busy ones (results are the same; for limits far above 2 it may cost double).
                ALONE: they do not. READING: guesses go to the first open cell in reading order, so that the first
                solution is the smallest; for limit 1; a puzzle that takes more than TRIES guesses has count GAVE_UP
    budget      sweeps that this call may take, about
    the rest    scratch, see `scratch`; state is zero before the first call
    Returns 1 when all is done; 0 when the budget was spent: call again with the same arguments to go on.
    """
    if state[BEGUN] == 0:
        state[BEGUN] = 1
        state[END] = n
        for k in range(SETS):
            sets[k] = NONE
        for k in range(hidden.size):
            hidden[k] = 0
        for q in range(PUZZLES):
            drop_frames(book, q)
        for i in range(n):
            count[i] = 0
            guesses[i] = 0
            helped[i] = 0
    following, end, again, frames = state[FOLLOWING], state[END], state[AGAIN], state[FRAMES]
    patience = TRIES if mode == READING else PATIENCE
    stop = state[SWEEPS] + budget
    while state[SWEEPS] < stop:
        # 1. refill
        for g in range(3):
            idle = EVERY_LANE & ~sets[BUSY + g]
            while idle != NONE and following < end:
                lane = ctz(idle)
                idle &= idle - ONE
                q = g * LANES + lane
                i = book[REDO, following] if again else following
                following += 1
                parse(text, i * record, base, inbox, slot_of(q))
                if banned.size and banned[i] >= 0:
                    forbid(inbox, slot_of(q), np.int64(banned[i]))
                begin(book, sets, q, lane, i, patience)
            while idle != NONE and frames > 0 and mode == HELPING and not again:
                lane = ctz(idle)
                idle &= idle - ONE
                q = g * LANES + lane
                victim = fullest(book)
                pull(inbox, slot_of(q), stack, (victim * DEPTH + book[OLDEST, victim]) * FRAME)
                book[OLDEST, victim] += 1
                frames -= 1
                i = book[PUZZLE, victim]
                begin(book, sets, q, lane, i, guesses[i] + patience)
                state[HELPED] += 1
                if not helped[i]:
                    helped[i] = 1
                    book[REDO, state[HELP]] = i  # at most PUZZLES: they were all in a seat when the input ended
                    state[HELP] += 1
        if (sets[BUSY] | sets[BUSY + 1] | sets[BUSY + 2]) == NONE:
            if again:
                return 1
            again = 1
            following, end = 0, 0
            for k in range(state[HELP]):
                i = book[REDO, k]
                if count[i] > 1 or count[i] >= limit:
                    count[i] = 0
                    guesses[i] = 0
                    book[REDO, end] = i
                    end += 1
            continue
        # 7. (of the round before)
        if (sets[ENTER] | sets[ENTER + 1] | sets[ENTER + 2]) != NONE:
            take_in(inbox, puzzle_fields(sets, ENTER), candidates, single)
        # 2. propagate
        out_time = propagate(candidates, hidden, single, pair, sets, state)
        state[ROUNDS] += 1
        # 3. guess
        if out_time:
            if mode == READING:
                choose_first(single, puzzle_fields(sets, GUESS), choice)
            else:
                choose(candidates, pair, puzzle_fields(sets, GUESS), choice, planes)
            split(candidates, single, choice, outbox)
        stopped = False  # did a puzzle that several seats work on reach the limit?
        for g in range(3):
            # 4. solutions
            solved = sets[SOLVED + g] if out_time else NONE
            back = sets[BAD + g] | solved
            sets[BAD + g] = NONE
            sets[SOLVED + g] &= ~solved
            while solved != NONE:
                lane = ctz(solved)
                solved &= solved - ONE
                q = g * LANES + lane
                i = book[PUZZLE, q]
                if count[i] == 0:
                    write_solution(outbox, slot_of(q), out, i * out_record, out_base)
                if count[i] < limit:
                    count[i] += 1
                if count[i] >= limit:
                    frames -= drop_frames(book, q)
                    stopped |= helped[i] != 0
            # 5. back up
            while back != NONE:
                lane = ctz(back)
                back &= back - ONE
                q = g * LANES + lane
                frame = book[TOP, q] - 1
                made = guesses[book[PUZZLE, q]]
                if mode == READING and made >= book[JUMP, q] and frame >= book[OLDEST, q]:
                    count[book[PUZZLE, q]] = GAVE_UP
                    frames -= drop_frames(book, q)
                if frame < book[OLDEST, q] or book[TOP, q] == 0:
                    drop_frames(book, q)
                    sets[BUSY + g] &= ~(ONE << np.uint64(lane))
                    continue
                if made >= book[JUMP, q] and frame < LAST_JUMP:
                    book[JUMP, q] = made + patience
                    frame = book[OLDEST, q]
                    book[OLDEST, q] += 1
                else:
                    book[TOP, q] = frame
                frames -= 1
                pull(inbox, slot_of(q), stack, (q * DEPTH + frame) * FRAME)
                sets[ENTER + g] |= ONE << np.uint64(lane)
        # 6. push
        for g in range(3):
            guess = sets[GUESS + g] if out_time else NONE
            sets[GUESS + g] &= ~guess
            while guess != NONE:
                lane = ctz(guess)
                guess &= guess - ONE
                q = g * LANES + lane
                push(outbox, slot_of(q), stack, (q * DEPTH + book[TOP, q]) * FRAME)
                book[TOP, q] += 1
                frames += 1
                guesses[book[PUZZLE, q]] += 1
        if stopped and not again:
            for q in range(PUZZLES):
                i = book[PUZZLE, q]
                bit = ONE << np.uint64(q % LANES)
                if (sets[BUSY + q // LANES] & bit) != NONE and helped[i] and count[i] >= limit:
                    frames -= drop_frames(book, q)
                    sets[BUSY + q // LANES] &= ~bit
                    sets[ENTER + q // LANES] &= ~bit
                    sets[GUESS + q // LANES] &= ~bit
                    sets[SOLVED + q // LANES] &= ~bit
    state[FOLLOWING], state[END], state[AGAIN], state[FRAMES] = following, end, again, frames
    return 0


def aligned(words):
    """uint32 zeros that start on a cache line, so that no load of 64 bytes straddles two: 15 % quicker."""
    array = np.zeros(words + 32, np.uint32)
    start = -array.ctypes.data % 128 // 4
    return array[start : start + words]


def scratch(n: int) -> tuple[np.ndarray, ...]:
    """The scratch arrays of `solve_lanes` for up to n puzzles, in its order: 1.6 MB and n bytes, for one thread."""
    words = 9 * LANES
    return (
        aligned(9 * words),  # candidates
        aligned(2 * words),  # hidden
        aligned(words),  # single
        aligned(words),  # pair
        aligned(words),  # choice
        aligned(PLANES),  # planes
        aligned(MAILBOX),  # outbox
        aligned(MAILBOX),  # inbox
        aligned(PUZZLES * DEPTH * FRAME),  # stack
        np.zeros((ROWS, PUZZLES), np.int64),  # book
        np.zeros(SETS, np.uint64),  # sets
        np.zeros(n, np.uint8),  # helped
        np.zeros(STATE, np.int64),  # state
    )
