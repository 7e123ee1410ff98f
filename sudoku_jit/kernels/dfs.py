"""Depth-first search with an explicit stack: the report's solver, and the oracle of all others.

State of one search. The blanks stand in ``order``; those before ``depth`` are filled.

    order   81   the blanks' cells: order[k] is filled at depth k
    tried   81   candidates of order[k] that were not tried yet, taken when the search came to it
    cells   81   one-hot digits as filled so far
    used    27   digits of each row, column and box as filled so far

A step at depth k takes the lowest bit of ``tried[k]`` (``t & -t``), fills the cell and goes on to
k + 1; with no bit left it clears the cell and goes back to k - 1. A full grid is a solution. Both
orders are the same loop: READING keeps the blanks in reading order, FEWEST swaps the blank with
fewest candidates (the first of them in reading order) to place k before it looks at it. FEWEST is
Golomb and Baumert's choice ("Backtrack programming", 1965).

A search stops at its limit, at its end or after a number of nodes; it goes on where it stopped when
it is called again, so the caller decides how long a call may last.
"""

import numpy as np

from sudoku_jit.kernels.candidates import (
    CONSISTENT,
    DIGITS,
    NAMES,
    candidates,
    examine,
    toggle,
)
from sudoku_jit.kernels.policy import inline, kernel

READING = 0
FEWEST = 1

# Places in `state`, int64 (STATE,).
DEPTH = 0  # blanks filled; -1: the search is over
BLANKS = 1
FOUND = 2  # solutions so far
NODES = 3  # digits filled in so far
VERDICT = 4  # what `examine` said
CELL = 5  # `smallest`: the cell it is at, -1 before it begins
DIGIT = 6  # `smallest`: the digit it tries there, 0 between tries
PUZZLE = 7  # `search_many`: the puzzle it is at
STAGE = 8  # `search_many`: what is being done with it
STATE = 9

STACK = 189
"""Length of ``stack``, int64: order (81), tried (81), used (27)."""


@inline
def begin(grid, order, cells, stack, state):
    """Set up the search of ``grid``; a puzzle that ``examine`` rejects is over at once."""
    verdict = examine(grid, stack[162:189], cells)
    blanks = 0
    for cell in range(81):
        if grid[cell] == 0:
            stack[blanks] = cell
            blanks += 1
    state[VERDICT] = verdict
    state[BLANKS] = blanks
    state[FOUND] = 0
    state[DEPTH] = 0 if verdict == CONSISTENT else -1
    if state[DEPTH] == 0 and blanks > 0:
        choose(order, 0, blanks, stack)


@inline
def choose(order, depth, blanks, stack):
    """Bring the blank to fill next to place ``depth`` and note its candidates."""
    used = stack[162:189]
    if order == FEWEST:
        best, fewest = depth, 10
        for k in range(depth, blanks):
            count = np.int64(DIGITS[candidates(used, stack[k])])
            if count < fewest or (count == fewest and stack[k] < stack[best]):
                best, fewest = k, count
        stack[depth], stack[best] = stack[best], stack[depth]
    stack[81 + depth] = candidates(used, stack[depth])


@inline
def advance(order, limit, budget, cells, first, stack, state):
    """Search on until ``limit`` solutions, the end, or about ``budget`` nodes more.

    The first solution is written to ``first``. Returns True when the search is over.
    """
    used, tried = stack[162:189], stack[81:162]
    depth, blanks, nodes = state[DEPTH], state[BLANKS], state[NODES]
    stop = nodes + budget
    while depth >= 0:
        if depth == blanks:
            if state[FOUND] == 0:
                for cell in range(81):
                    first[cell] = NAMES[cells[cell]]
            state[FOUND] += 1
            if state[FOUND] >= limit:
                break
        elif tried[depth] != 0:
            if nodes >= stop:
                state[DEPTH], state[NODES] = depth, nodes
                return False
            bit = tried[depth] & -tried[depth]
            tried[depth] ^= bit
            cells[stack[depth]] = bit
            toggle(used, stack[depth], bit)
            nodes += 1
            depth += 1
            if depth < blanks:
                choose(order, depth, blanks, stack)
            continue
        # Back: undo the blank before, which then tries its next candidate.
        depth -= 1
        if depth >= 0:
            cell = stack[depth]
            toggle(used, cell, cells[cell])
            cells[cell] = 0
    state[DEPTH], state[NODES] = -1, nodes
    return True


@inline
def smallest(grid, budget, cells, first, other, stack, state):
    """Turn ``first``, any solution of ``grid``, into the smallest one in reading order.

    Fixes the blanks in reading order, each to the smallest digit that leaves a solution; whether one
    is left is asked of a FEWEST search. ``other``: uint8 (162,), scratch: the puzzle with the cells
    fixed so far, and a solution of it. Returns True when done, False after about ``budget`` nodes.
    """
    stop = state[NODES] + budget
    if state[CELL] < 0:
        for cell in range(81):
            other[cell] = grid[cell]
        state[CELL], state[DIGIT] = 0, 0
    while state[CELL] < 81:
        cell = state[CELL]
        if state[DIGIT] == 0:
            digit = np.int64(other[cell]) + 1
            if grid[cell] != 0 or digit >= first[cell]:
                other[cell] = first[cell]
                state[CELL] += 1
                continue
            other[cell] = digit
            state[DIGIT] = digit
            begin(other[:81], FEWEST, cells, stack, state)
        left = stop - state[NODES]
        if left <= 0 or not advance(FEWEST, 1, left, cells, other[81:], stack, state):
            return False
        state[DIGIT] = 0
        if state[FOUND] > 0:
            for k in range(81):
                first[k] = other[81 + k]
    return True


IDLE = 0
SEARCHING = 1
ORDERING = 2


@kernel("u8[:,:] i64 i64 i64 u8[:,:] i64[:] i64[:] i64[:] u8[:] i64[:] i64[:] -> i64")
def search_many(grids, order, limit, budget, first, found, verdict, nodes, scratch, stack, state):
    """Search puzzle after puzzle: up to ``limit`` solutions of each, and the smallest of them.

    ``grids``: uint8 (n, 81), 0 blank, read. ``order``: READING or FEWEST. ``first``: uint8 (n, 81),
    written: the solution smallest in reading order, or the givens if there is none. ``found``,
    ``verdict``, ``nodes``: int64 (n,), written: solutions counted up to ``limit``, what ``examine``
    said, digits filled in (the search for the smallest counted too). ``scratch``: uint8 (162,),
    ``stack``: int64 (STACK + 81,), ``state``: int64 (STATE,), zero before the first call.

    Returns the number of puzzles done. When it is less than n the ``budget`` of nodes was spent:
    call again with the same arrays to go on.
    """
    cells = stack[STACK:]
    spent = state[NODES]
    while state[PUZZLE] < grids.shape[0]:
        puzzle = state[PUZZLE]
        grid = grids[puzzle]
        if state[STAGE] == IDLE:
            state[NODES] = 0
            spent = 0
            for cell in range(81):
                first[puzzle, cell] = grid[cell]
            begin(grid, order, cells, stack, state)
            verdict[puzzle] = state[VERDICT]
            state[STAGE] = SEARCHING
        if state[STAGE] == SEARCHING:
            if not advance(order, limit, budget, cells, first[puzzle], stack, state):
                return puzzle
            found[puzzle] = state[FOUND]
            # One solution of one is the smallest; so is the first one in reading order.
            if order == READING or state[FOUND] == 0 or (state[FOUND] == 1 and limit > 1):
                state[STAGE] = IDLE
            else:
                state[CELL] = -1
                state[STAGE] = ORDERING
        if state[STAGE] == ORDERING:
            if not smallest(grid, budget, cells, first[puzzle], scratch, stack, state):
                return puzzle
            state[STAGE] = IDLE
        nodes[puzzle] = state[NODES]
        budget -= state[NODES] - spent
        state[PUZZLE] += 1
    return state[PUZZLE]
