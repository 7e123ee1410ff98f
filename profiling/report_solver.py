"""The report's two solvers, before and after, and the second one written for speed.

``before`` and ``after`` take a decorator, so that one source is timed as plain Python on lists and
compiled by Numba on arrays. A node is one digit filled in a blank: a digit that ``before`` tries
and its check turns down is none. All forms fill the blanks in reading order, each with its
candidates in rising order, so all of them go through the same nodes; ``compare.py`` asserts it.

All are compiled with the same flags. ``_nrt=False`` leaves out reference counting, which a
recursive function would otherwise pay for at each call.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

ENDLESS = 1 << 62

# State variables of the recursive searches, places in one list or array of integers.
ROW, COLUMN, DEPTH, LEFT, FOUND, LIMIT, NODES, BUDGET, DONE = range(9)


class Answer(NamedTuple):
    """``solution``: digits of the first solution found, empty if none."""

    nodes: int
    found: int
    solution: list[int]


def plain(function: Any) -> Any:
    """Leave the function in plain Python."""
    return function


def compiled(function: Any) -> Any:
    """Compile the function with Numba at its first call."""
    from numba import njit

    return njit(error_model="numpy", _nrt=False)(function)


def cells_of(puzzle: str) -> list[int]:
    """81 digits, 0 for a blank."""
    return [int(character) for character in puzzle]


def before(mark: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Make the report's first solver: recursion, a check of one digit, many state variables.

    The check goes through the row, the column and the box of a cell, skips the cell itself and
    returns at the first clash. Returns the search and the check.
    """

    @mark
    def fits(grid, row, column, digit):
        for k in range(9):
            if k != column and grid[row * 9 + k] == digit:
                return False
        for k in range(9):
            if k != row and grid[k * 9 + column] == digit:
                return False
        top, left = row // 3 * 3, column // 3 * 3
        for r in range(3):
            for c in range(3):
                if (top + r != row or left + c != column) and (grid[(top + r) * 9 + left + c] == digit):
                    return False
        return True

    @mark
    def search(grid, state, solution):
        row, column = state[ROW], state[COLUMN]
        while row < 9 and grid[row * 9 + column] != 0:
            column += 1
            if column == 9:
                row += 1
                column = 0
        if row == 9:
            if state[FOUND] == 0:
                for cell in range(81):
                    solution[cell] = grid[cell]
            state[FOUND] += 1
            if state[FOUND] >= state[LIMIT]:
                state[DONE] = 1
            return
        for digit in range(1, 10):
            grid[row * 9 + column] = digit
            if fits(grid, row, column, digit):
                state[NODES] += 1
                if state[NODES] >= state[BUDGET]:
                    state[DONE] = 1
                    return
                state[DEPTH] += 1
                state[LEFT] -= 1
                state[ROW] = row
                state[COLUMN] = column
                search(grid, state, solution)
                state[DEPTH] -= 1
                state[LEFT] += 1
                if state[DONE]:
                    return
        grid[row * 9 + column] = 0

    return search, fits


def after(mark: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Make the report's second solver: one-hot cells, the OR of 27 cells, a list of blanks.

    Returns the search and the computation of candidates.
    """

    @mark
    def candidates(cells, cell):
        row, column = cell // 9, cell % 9
        corner = row // 3 * 27 + column // 3 * 3
        seen = 0
        for k in range(9):
            seen |= cells[row * 9 + k] | cells[k * 9 + column] | cells[corner + k // 3 * 9 + k % 3]
        return 511 & ~seen

    @mark
    def search(cells, blanks, k, state, solution):
        if k == len(blanks):
            if state[FOUND] == 0:
                for cell in range(81):
                    solution[cell] = cells[cell]
            state[FOUND] += 1
            if state[FOUND] >= state[LIMIT]:
                state[DONE] = 1
            return
        cell = blanks[k]
        left = candidates(cells, cell)
        while left:
            bit = left & -left
            left ^= bit
            cells[cell] = bit
            state[NODES] += 1
            if state[NODES] >= state[BUDGET]:
                state[DONE] = 1
                return
            search(cells, blanks, k + 1, state, solution)
            if state[DONE]:
                return
        cells[cell] = 0

    return search, candidates


def _state(limit: int, budget: int, blanks: int) -> list[int]:
    state = [0] * 9
    state[LIMIT], state[BUDGET], state[LEFT] = limit, budget, blanks
    return state


def _one_hot(puzzle: str) -> tuple[list[int], list[int]]:
    """Return the one-hot cells and the list of blanks."""
    digits = cells_of(puzzle)
    return [1 << digit >> 1 for digit in digits], [k for k in range(81) if not digits[k]]


def _digits(cells: Sequence[Any], found: int) -> list[int]:
    return [int(cell).bit_length() for cell in cells] if found else []


def run_before(
    search: Any, puzzle: str, limit: int, budget: int = ENDLESS, kind: Callable[[Any], Any] = list
) -> Answer:
    """Run ``before``; ``kind`` makes the containers: ``list``, or ``numpy.array`` if compiled."""
    grid, solution = kind(cells_of(puzzle)), kind([0] * 81)
    state = kind(_state(limit, budget, puzzle.count("0")))
    search(grid, state, solution)
    found = int(state[FOUND])
    return Answer(int(state[NODES]), found, [int(digit) for digit in solution] if found else [])


def run_after(search: Any, puzzle: str, limit: int, budget: int = ENDLESS, kind: Callable[[Any], Any] = list) -> Answer:
    """Run ``after``; the arguments are those of ``run_before``."""
    cells, blanks = _one_hot(puzzle)
    state, solution = kind(_state(limit, budget, len(blanks))), kind([0] * 81)
    search(kind(cells), kind(blanks), 0, state, solution)
    return Answer(int(state[NODES]), int(state[FOUND]), _digits(solution, int(state[FOUND])))


# The forms below are for Numba alone. Indices are unsigned, so that no index is tested for being
# negative, and a cell is 16 bits wide.

ONE, THREE, NINE = np.uint64(1), np.uint64(3), np.uint64(9)


def _look(cells, starts, k):
    """Candidates of blank ``k``: the OR of the 27 cells of its row, column and box."""
    row, column, corner = starts[k, 0], starts[k, 1], starts[k, 2]
    seen = np.int16(0)
    for i in range(NINE):
        seen = np.int16(seen | cells[row + i])
    for i in range(NINE):
        seen = np.int16(seen | cells[column + i * NINE])
    for i in range(THREE):
        for j in range(THREE):
            seen = np.int16(seen | cells[corner + i * NINE + j])
    return np.int64(511) & ~np.int64(seen)


def stack(mark: Callable[[Any], Any]) -> Any:
    """``after`` without recursion: the candidates not yet tried stand in ``tried``.

    ``starts``, uint64 (n + 1, 3): for each blank, where its row, column and box begin.
    """
    look = mark(_look)

    @mark
    def search(cells, blanks, starts, beside, tried, ahead, limit, solution):
        last = np.uint64(len(blanks))
        k, nodes, found = np.uint64(0), 0, 0
        left = look(cells, starts, k)
        while True:
            while left != 0:
                bit = left & -left
                tried[k] = left ^ bit
                cells[blanks[k]] = bit
                nodes += 1
                k += ONE
                if k == last:
                    if found == 0:
                        for cell in range(81):
                            solution[cell] = cells[cell]
                    found += 1
                    if found >= limit:
                        return nodes, found
                    k -= ONE
                    left = tried[k]
                else:
                    left = look(cells, starts, k)
            while left == 0:
                cells[blanks[k]] = 0
                if k == 0:
                    return nodes, found
                k -= ONE
                left = tried[k]

    return search


def ahead(mark: Callable[[Any], Any]) -> Any:
    """``stack``, but the 27 cells of the next blank are looked at before this one is filled.

    What they hold is the same for every digit of this blank, so one look serves all of them: the
    next blank's candidates are what was seen, less the digit itself if the two blanks see each
    other (``beside``, int64 (n,): 511 if so, else 0). A dead end costs no look at all.
    """
    look = mark(_look)

    @mark
    def search(cells, blanks, starts, beside, tried, ahead, limit, solution):
        last = np.uint64(len(blanks) - 1)
        k, nodes, found = np.uint64(0), 0, 0
        left = look(cells, starts, k)
        if left == 0:
            return nodes, found
        while True:
            after_it = look(cells, starts, k + ONE) if k < last else np.int64(511)
            ahead[k] = after_it
            while True:
                bit = left & -left
                left ^= bit
                nodes += 1
                following = after_it & ~(bit & beside[k])
                if following != 0:
                    cells[blanks[k]] = bit
                    if k < last:
                        tried[k] = left
                        left = following
                        k += ONE
                        break
                    if found == 0:
                        for cell in range(81):
                            solution[cell] = cells[cell]
                    found += 1
                    if found >= limit:
                        return nodes, found
                    cells[blanks[k]] = 0
                while left == 0:
                    if k == 0:
                        return nodes, found
                    k -= ONE
                    cells[blanks[k]] = 0
                    left = tried[k]
                    after_it = ahead[k]

    return search


def run_stack(search: Any, puzzle: str, limit: int) -> Answer:
    """Run ``stack`` or ``ahead`` on a puzzle that has a blank."""
    one_hot, places = _one_hot(puzzle)
    cells, solution = np.array(one_hot, np.int16), np.zeros(81, np.int16)
    at = [(place // 9, place % 9) for place in places]
    starts = np.array([(r * 9, c, r // 3 * 27 + c // 3 * 3) for r, c in [*at, (0, 0)]], np.uint64)
    beside = np.zeros(len(at), np.int64)
    for k, ((r, c), (s, d)) in enumerate(pairwise(at)):
        if r == s or c == d or (r // 3, c // 3) == (s // 3, d // 3):
            beside[k] = 511
    tried, seen = np.zeros(81, np.int64), np.zeros(81, np.int64)
    blanks = np.array(places, np.uint64)
    nodes, found = search(cells, blanks, starts, beside, tried, seen, limit, solution)
    return Answer(int(nodes), int(found), _digits(solution, int(found)))
