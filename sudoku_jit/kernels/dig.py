"""Digging: take givens out of full grids, many grids in step, for as long as each keeps one solution.

The unit is an orbit of cells, which stand or go together: one cell, or the images of one under a symmetry of the
picture. Each grid visits the orbits in an order of its own and tries to do without the next; whether the puzzle still
has one solution is asked of `search.solve_lanes` for all grids together, so that these questions fill the lanes. An
orbit that had to stay has to stay in every smaller puzzle too, hence one visit each leaves no orbit that could go.

The question for one cell alone: has the puzzle without it a solution with *another* digit there? No search has to find
the solution that is known; half the time of counting to two. At the start most go, and several orbits are asked for at
once (`jump`).
"""

import numpy as np

from sudoku_jit.kernels.mixing import GOLDEN, below, mix
from sudoku_jit.kernels.policy import kernel

PLACE, NEXT, BLANKS, TARGET = 0, 1, 2, 3  # columns of `progress`: orbits visited, and after the question; cells
COLUMNS = 4


@kernel("u64[:] i64 i64 i64 i64 u8[:,:] u8[:,:] i64[:,:] i64[:]")
def begin(randoms, blanks, least, most, per_box, orbits, order, progress, boxes):
    """Draw for each grid how many blanks it shall have, and the order of the orbits.

    ``randoms``: uint64 (n,), one for each grid. ``blanks``: what all have to begin with. ``least``, ``most``: how many
    they may have. ``per_box``: orbits that give each box so many blanks come first. ``orbits``: uint8 (m, 9), how many
    cells, then which. ``order``: uint8 (n, m), written. ``progress``: int64 (n, COLUMNS), written. ``boxes``: int64
    (9 + m,), scratch.
    """
    m = orbits.shape[0]
    shuffled = boxes[9:]
    for k in range(randoms.size):
        random = mix(randoms[k])
        progress[k, PLACE] = 0
        progress[k, BLANKS] = blanks
        progress[k, TARGET] = least + np.int64(below(random, np.uint64(most - least + 1)))
        for orbit in range(m):  # Fisher and Yates, inside out
            random = mix(random + GOLDEN)
            at = np.int64(below(random, np.uint64(orbit + 1)))
            shuffled[orbit] = shuffled[at]
            shuffled[at] = orbit
        for box in range(9):
            boxes[box] = per_box
        early = 0
        for place in range(m):
            orbit = shuffled[place]
            needed = False
            for c in range(1, 1 + orbits[orbit, 0]):
                box = orbits[orbit, c] // 27 * 3 + orbits[orbit, c] % 9 // 3
                needed |= boxes[box] > 0
            if needed:
                for c in range(1, 1 + orbits[orbit, 0]):
                    boxes[orbits[orbit, c] // 27 * 3 + orbits[orbit, c] % 9 // 3] -= 1
                order[k, early] = orbit
                early += 1
                shuffled[place] = -1
        for place in range(m):
            if shuffled[place] >= 0:
                order[k, early] = shuffled[place]
                early += 1


@kernel("i64 i64[:] i64 i64 i64 u8[:,:] u8[:,:] u8[:,:] i64[:,:] i64[:] u8[:,:] i16[:] -> i64")
def step(asked, counts, wanted, jumped, jump, orbits, order, puzzles, progress, owners, tests, banned):
    """Take the answers to the questions of the step before, and ask the next.

    ``asked``: how many answers there are. ``counts``: int64 (>= asked,), solutions of each test; ``wanted``: what lets
    the orbits go. ``jumped``, ``jump``: how many orbits each question was and is about; of a jump that failed nothing
    is learnt, one orbit that had to stay is passed. ``orbits``, ``order``: see `begin`, read. ``puzzles``: uint8
    (n, 81), ``progress``: int64 (n, COLUMNS), updated. ``owners``: int64 (n,), the grids that the questions are about,
    updated. ``tests``: uint8 (n, 81), written: the puzzles to search. ``banned``: int16 (n,), written: the digit that
    was taken out, as candidate; or empty, if orbits have several cells or ``jump`` is not 1. Returns the number of
    questions.
    """
    asking = 0
    for j in range(asked):
        k = owners[j]
        if counts[j] == wanted:
            progress[k, BLANKS] = 0
            for cell in range(81):
                puzzles[k, cell] = tests[j, cell]
                progress[k, BLANKS] += tests[j, cell] == 0
        if counts[j] == wanted or jumped == 1:
            progress[k, PLACE] = progress[k, NEXT]
        place, blanks, orbits_gone, candidate = progress[k, PLACE], progress[k, BLANKS], 0, -1
        for cell in range(81):
            tests[asking, cell] = puzzles[k, cell]
        while place < orbits.shape[0] and orbits_gone < jump and blanks < progress[k, TARGET]:
            orbit = order[k, place]
            place += 1
            if blanks + orbits[orbit, 0] <= progress[k, TARGET]:
                orbits_gone += 1
                blanks += orbits[orbit, 0]
                for c in range(1, 1 + orbits[orbit, 0]):
                    cell = np.int64(orbits[orbit, c])
                    candidate = 9 * cell + tests[asking, cell] - 1
                    tests[asking, cell] = 0
        progress[k, NEXT] = place
        if orbits_gone:
            if banned.size:
                banned[asking] = candidate
            owners[asking] = k
            asking += 1
    return asking
