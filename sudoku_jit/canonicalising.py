"""Canonical forms of solution grids and of puzzles, and random morphs.

Two puzzles are the same in disguise if a symmetry takes one to the other: relabelling (9!), the order of the bands and
of the rows in each, of the stacks and of the columns in each (6**8), and transposition (2). A canonical form is one
member chosen of all that are the same. For a solution grid it is the minlex form, the smallest as a text of 81 digits.

For a puzzle two forms are in use, and they differ. **Here it is the one that follows the solution**: the smallest image
of the givens (blanks as 0) under exactly the symmetries that take the solution of the puzzle to the minlex form of
the solution. So the form of a puzzle is a subset of the form of its solution, and puzzles of one solution class stand
over one grid. The other, not computed here, is the smallest image of the puzzle itself under all symmetries, whatever
becomes of its solution. Each tells equivalent puzzles from others, but forms of one kind must not be compared with
those of the other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit import solving
from sudoku_jit.errors import PuzzleError, whole
from sudoku_jit.grids import Cells, as_cells
from sudoku_jit.status import Status
from sudoku_jit.streaming import chosen_threads, in_order

GRIDS_A_CHUNK = 4096
_WORD = (1 << 64) - 1


class Canonical(NamedTuple):
    """Canonical forms of n grids, in order.

    ``forms``: uint8 (n, 81). ``cells``: uint8 (n, 81) and ``labels``: uint8 (n, 10), a symmetry that leads there:
    ``forms[i, c] == labels[i, grids[i, cells[i, c]]]``. ``automorphisms``: int64 (n,), how many symmetries take the
    grid to itself: 1 for nearly all, 648 at most.
    """

    forms: Cells
    cells: Cells
    labels: Cells
    automorphisms: NDArray[np.int64]


class CanonicalPuzzles(NamedTuple):
    """Canonical forms of n puzzles, in order: as ``Canonical``, and the class of each solution.

    ``automorphisms`` are those of the puzzle; its solution may have more. ``grids``: uint8 (n, 81), the minlex forms of
    the solutions; the symmetry leads from the solution there.
    """

    forms: Cells
    cells: Cells
    labels: Cells
    automorphisms: NDArray[np.int64]
    grids: Cells


def canonical_grids(grids: ArrayLike | str | list[str], *, threads: int | None = None) -> Canonical:
    """The minlex forms of solution grids: the smallest of all images of each, as a text of 81 digits.

    ``grids``: as ``as_cells`` takes them, (n, 81) or texts. ``threads``: default all. Raises ``PuzzleError`` for what
    is not a solution grid, with its number. O(1) a grid with one automorphism, O(k) with k; ``kernels.canonical`` says
    how.

    >>> from sudoku_jit import generate_grids, grid_to_text
    >>> found = canonical_grids(generate_grids(3, seed=1, method="orbit"))
    >>> len(np.unique(found.forms, axis=0)), found.automorphisms.tolist()
    (1, [1, 1, 1])
    >>> grid_to_text(found.forms[0])[:27]
    '123456789457189236869273415'
    """
    cells = as_cells(grids)
    return _canonical(cells, cells, "grid", threads)


def canonical_puzzles(
    puzzles: ArrayLike | str | list[str],
    grids: ArrayLike | str | list[str] | None = None,
    *,
    threads: int | None = None,
) -> CanonicalPuzzles:
    """The canonical forms of puzzles with one solution, by the symmetries that take the solution to its minlex form.

    Of the two usual definitions this is the one that follows the solution. It is **not** the minlex form of the puzzle
    itself, the smallest of all its images whatever becomes of the solution: the two differ.

    ``grids``: the solutions, (n, 81), if known; that they are the only ones is not proved again. Without them the
    puzzles are solved. A puzzle may be a full grid. Raises ``PuzzleError``, with the number of the puzzle, for one
    without exactly one solution, a grid that is no solution grid, and a given that is not in its solution.

    >>> from sudoku_jit import grid_to_text
    >>> puzzle = "3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4"
    >>> found = canonical_puzzles(puzzle)
    >>> grid_to_text(found.forms[0])[:27], grid_to_text(found.grids[0])[:27]
    ('000450709007089030000003041', '123456789457189236698273541')
    """
    cells = as_cells(puzzles)
    if grids is None:
        solutions, what = _solved(cells, threads), "puzzle"
    else:
        solutions, what = as_cells(grids), "grid"
        if len(solutions) != len(cells):
            raise PuzzleError(f"{len(solutions)} grids for {len(cells)} puzzles; expected one for each")
    found = _canonical(solutions, cells, what, threads)
    moved = np.take_along_axis(solutions, found.cells, axis=1)
    return CanonicalPuzzles(*found, np.take_along_axis(found.labels, moved, axis=1))


def morph_many(
    puzzles: ArrayLike | str | list[str], times: int, *, seed: int, start: int = 0, threads: int | None = None
) -> Cells:
    """``times`` random morphs of each puzzle or grid: uint8 (n, times, 81).

    Each is the image under one of the 1,218,998,108,160 symmetries, all with the same chance, and no symmetry comes
    twice for one puzzle: its morphs all differ, unless it has automorphisms or lacks two digits. The puzzle itself may
    be among them. ``seed``: 0 to 2**64 - 1. ``start``: number of the first puzzle; morph j of puzzle i of a seed is
    always the same, for any ``times`` and ``threads``. So the same call with the solutions gives them under the same
    symmetries. Raises ``PuzzleError``, ``RequestError``. O(n * times).

    >>> grid = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
    >>> morphs = morph_many(grid, 100, seed=1)
    >>> morphs.shape, len(np.unique(canonical_grids(morphs[0]).forms, axis=0))
    ((1, 100, 81), 1)
    >>> bool((morph_many([grid] * 2, 5, seed=1, start=6)[1] == morph_many(grid, 5, seed=1, start=7)[0]).all())
    True
    """
    from sudoku_jit.kernels.orbit import SIZE

    cells = as_cells(puzzles)
    whole("times", times, 1, SIZE)
    whole("seed", seed, 0, _WORD)
    whole("start", start, 0, _WORD)
    out = np.empty((len(cells), times, 81), np.uint8)
    flat = out.reshape(-1, 81)

    def work(part: slice) -> None:
        fill_morphs(cells, flat[part], times, part.start, seed=seed, start=start)

    _in_parts(work, len(flat), threads)
    return out


def fill_morphs(puzzles: Cells, out: Cells, times: int, first: int, *, seed: int, start: int) -> None:
    """Write morphs ``first`` .. ``first + m - 1`` of those of ``morph_many``, flat, to ``out``, uint8 (m, 81)."""
    from sudoku_jit.kernels.mixing import BATCH, ROUNDS
    from sudoku_jit.kernels.morph import morph

    scratch = np.zeros(ROUNDS, np.uint64), np.zeros((2, BATCH), np.uint64), np.zeros(10, np.uint8)
    morph(puzzles, out, times, first, np.uint64(start), np.uint64(seed), *scratch)


def _canonical(grids: Cells, puzzles: Cells, what: str, threads: int | None) -> Canonical:
    from sudoku_jit.kernels.canonical import BYTES, NO_SOLUTION, WORDS, canonical
    from sudoku_jit.kernels.second_rows import second_rows

    n = len(grids)
    found = Canonical(
        np.empty((n, 81), np.uint8), np.empty((n, 81), np.uint8), np.empty((n, 10), np.uint8), np.empty(n, np.int64)
    )
    tables = second_rows()

    def work(part: slice) -> None:
        scratch = np.zeros(BYTES, np.uint8), np.zeros(WORDS, np.int64)
        results = (array[part] for array in found)
        done, fault = canonical(grids[part], puzzles[part], *results, *tables, *scratch)
        number = part.start + done + 1
        if fault == NO_SOLUTION:
            raise PuzzleError(
                f"{what} {number}: not a solution grid; expected 1 to 9 once in every row, column and box"
            )
        if fault:
            raise PuzzleError(f"puzzle {number}: a given that its solution does not have; expected its own solution")

    _in_parts(work, n, threads)
    return found


def _solved(puzzles: Cells, threads: int | None) -> Cells:
    """The solution of each puzzle that has a blank, the others as they are."""
    grids = puzzles.copy()
    blank = np.flatnonzero((puzzles == 0).any(axis=1))
    if len(blank):
        answers = solving.solve_many(puzzles[blank], threads=threads)
        wrong = np.flatnonzero(answers.status != Status.UNIQUE)
        if len(wrong):
            words = Status(answers.status[wrong[0]]).words
            raise PuzzleError(f"puzzle {blank[wrong[0]] + 1}: {words}; expected exactly one")
        grids[blank] = answers.grids
    return grids


def _in_parts(work: Callable[[slice], Any], n: int, threads: int | None) -> None:
    parts = [slice(k, min(k + GRIDS_A_CHUNK, n)) for k in range(0, n, GRIDS_A_CHUNK)]
    for _ in in_order(work, parts, min(chosen_threads(threads), len(parts))):
        pass
