"""The rows of a dataset: puzzles proved and solved, with class and rating; in chunks and by shard.

**Class.** Two solutions are of one class if a symmetry takes one to the other. Its name is the first 64 bits of the
BLAKE2b hash (RFC 7693) of the minlex form's 81 digits as text: ``hashlib.blake2b(text, digest_size=8).hexdigest()``.
Two of n classes share a name with chance below n**2 / 2**65: 1 in 370,000 for ten million classes. All rows with one
name are on one side of the split, so a shared name never parts a class.

**Split.** A class is on the side whose share of 0 .. 2**64 - 1 its name, read as a number, falls in. Nothing else is
looked at: no seed, no other row.

**Rating.** The mean number of guesses of the lane solver over K morphs. These are images of the puzzle's canonical form
under K symmetries that never change, so a puzzle has the same rating in any disguise, place, order and run.
"""

import functools
from binascii import hexlify
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_jit import canonicalising, solving
from sudoku_jit.datasets.planning import MOST_RATED, Generated, Request
from sudoku_jit.errors import PuzzleError, RequestError, whole
from sudoku_jit.grids import Cells, as_cells
from sudoku_jit.status import Status

PIECE = 1 << 13
"""Rows that are worked on at once: what they need stays near the processor."""


class Rows(NamedTuple):
    """n rows. ``puzzles``, ``solutions``: uint8 (n, 81). ``clues``: int8 (n,). ``classes``: uint64 (n,).

    ``guesses``: float64 (n,), rounded to thousandths, or None without a rating.
    """

    puzzles: Cells
    solutions: Cells
    clues: NDArray[np.int8]
    classes: NDArray[np.uint64]
    guesses: NDArray[np.float64] | None

    def part(self, chosen: Any) -> "Rows":
        """Some of the rows: by a mask, a slice or places."""
        guesses = None if self.guesses is None else self.guesses[chosen]
        return Rows(self.puzzles[chosen], self.solutions[chosen], self.clues[chosen], self.classes[chosen], guesses)


def columns(puzzles: ArrayLike | str | list[str], *, rating: int = 8, threads: int | None = 1) -> Rows:
    """Solve puzzles, prove that each has one solution, find its class and rate it.

    ``puzzles``: as ``as_cells`` takes them. ``rating``: morphs; 0: none. Raises ``PuzzleError`` for a puzzle without
    exactly one solution. O(n * (1 + rating)).

    >>> rows = columns("3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4")
    >>> rows.clues.tolist(), rows.guesses.tolist(), class_texts(rows.classes)
    ([30], [1.0], ['38e1da052717df9c'])
    """
    cells = as_cells(puzzles)
    solutions = _proved(cells, 0, threads)
    classes, guesses = classes_and_guesses(cells, solutions, rating, threads)
    return Rows(cells, solutions, clues_of(cells), classes, guesses)


def shard(request: Request, i: int, puzzles: Cells | None = None) -> Rows:
    """The rows of shard ``i``: each puzzle, then its morphs. The same on any machine.

    ``puzzles``: uint8 (n, 81), those of the shard, if they are given. Every row is solved and proved by itself, morphs
    too. Raises ``PuzzleError``.

    >>> from sudoku_jit.datasets.planning import Generated
    >>> rows = shard(Request(Generated(10), seed=1, augment=2, shard=4), 2)
    >>> rows.puzzles.shape, len(np.unique(rows.guesses)) <= 2
    ((6, 81), True)
    """
    numbers = request.shard_range(i)
    if puzzles is not None and len(puzzles) != len(numbers):
        raise RequestError(f"{len(puzzles)} puzzles for shard {i}; expected {len(numbers)}")
    if puzzles is None:
        if not isinstance(request.source, Generated):
            raise RequestError(f"shard {i} of given puzzles needs the puzzles")
        puzzles = request.source.puzzles(request.seed, numbers.start, len(numbers))
    starts = range(0, len(numbers), PIECE)
    return joined([_with_morphs(request, puzzles[at : at + PIECE], numbers.start + at) for at in starts])


def joined(parts: list[Rows]) -> Rows:
    """All the rows, in order."""
    if len(parts) == 1:
        return parts[0]
    puzzles, solutions, clues, classes, guesses = zip(*parts, strict=True)
    return Rows(
        np.concatenate(puzzles),
        np.concatenate(solutions),
        np.concatenate(clues),
        np.concatenate(classes),
        None if guesses[0] is None else np.concatenate(guesses),
    )


def _with_morphs(request: Request, cells: Cells, start: int) -> Rows:
    """The rows of some puzzles, the first of them number ``start``."""
    times = request.augment + 1
    step = max(1, PIECE // times)
    all_cells = np.empty((len(cells), times, 81), np.uint8)
    all_cells[:, 0] = cells
    solutions = np.empty_like(all_cells)
    for first in range(0, len(cells), step):
        part = slice(first, first + step)
        if request.augment:
            all_cells[part, 1:] = canonicalising.morph_many(
                cells[part], request.augment, seed=request.seed, start=start + first, threads=1
            )
        solved = _proved(all_cells[part].reshape(-1, 81), (start + first) * times, 1)
        solutions[part] = solved.reshape(-1, times, 81)
    classes, guesses = classes_and_guesses(cells, np.ascontiguousarray(solutions[:, 0]), request.rating)
    guesses = None if guesses is None else np.repeat(guesses, times)
    clues = np.repeat(clues_of(cells), times)
    return Rows(all_cells.reshape(-1, 81), solutions.reshape(-1, 81), clues, np.repeat(classes, times), guesses)


def _proved(cells: Cells, start: int, threads: int | None) -> Cells:
    answers = solving.solve_many(cells, threads=threads)
    wrong = np.flatnonzero(answers.status != Status.UNIQUE)
    if len(wrong):
        words = Status(answers.status[wrong[0]]).words
        raise PuzzleError(f"puzzle {start + wrong[0] + 1}: {words}; expected exactly one solution")
    return answers.grids


def clues_of(cells: Cells) -> NDArray[np.int8]:
    """How many givens each puzzle has: int8 (n,)."""
    clues: NDArray[np.int8] = np.sum(cells != 0, axis=1, dtype=np.int8)
    return clues


def classes_and_guesses(
    puzzles: Cells, solutions: Cells, rating: int, threads: int | None = 1
) -> tuple[NDArray[np.uint64], NDArray[np.float64] | None]:
    """The class of each puzzle's solution, uint64 (n,), and its rating, float64 (n,), or None for rating 0."""
    found = canonicalising.canonical_puzzles(puzzles, solutions, threads=threads)
    guesses = ratings(found.forms, rating, threads) if whole("rating", rating, 0, MOST_RATED) else None
    return classes_of(found.grids), guesses


def classes_of(forms: Cells) -> NDArray[np.uint64]:
    """The names of the classes of minlex forms, uint64 (n,)."""
    text = (forms + np.uint8(ord("0"))).tobytes()
    names = b"".join([blake2b(text[at : at + 81], digest_size=8).digest() for at in range(0, len(text), 81)])
    return np.frombuffer(names, ">u8").astype(np.uint64)


def class_text(classes: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """uint8 (n, 16): names of classes in hexadecimal digits."""
    return np.frombuffer(hexlify(classes.astype(">u8").data), np.uint8).reshape(-1, 16)


def class_texts(classes: NDArray[np.uint64]) -> list[str]:
    """Names of classes as text: 16 hexadecimal digits.

    >>> class_texts(np.array([255], np.uint64))
    ['00000000000000ff']
    """
    return [f"{name:016x}" for name in classes.tolist()]


def ratings(forms: Cells, times: int, threads: int | None = 1) -> NDArray[np.float64]:
    """The mean number of guesses over the images of canonical forms under the first ``times`` fixed symmetries."""
    total = np.zeros(len(forms), np.int64)
    for cells, labels in zip(*fixed_symmetries(times), strict=True):
        total += solving.count_many(labels[forms[:, cells]], 2, threads).guesses
    thousandths = (total * 2000 + times) // (2 * times)
    rounded: NDArray[np.float64] = thousandths / 1000
    return rounded


@functools.cache
def fixed_symmetries(times: int) -> tuple[NDArray[np.int64], Cells]:
    """Symmetries that never change: cells, int64 (times, 81), and labels, uint8 (times, 10).

    The image of ``grid`` is ``labels[grid[cells]]``. Orders come from sorting words of SplitMix64 begun at 0.
    """
    from sudoku_jit.kernels.mixing import GOLDEN, mix

    words = mix(GOLDEN * np.arange(1, times * 34 + 1, dtype=np.uint64)).reshape(times, 34)
    labels = np.zeros((times, 10), np.uint8)
    labels[:, 1:] = np.argsort(words[:, :9], axis=1) + 1
    rows, columns = _line_orders(words[:, 9:21]), _line_orders(words[:, 21:33])
    cells = rows[:, :, None] * 9 + columns[:, None, :]
    turned = (words[:, 33] & np.uint64(1)).astype(np.bool_)
    cells[turned] = cells[turned].transpose(0, 2, 1)
    return cells.reshape(times, 81), labels


def _line_orders(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Orders of nine lines that keep bands together, (n, 9), from words (n, 12)."""
    bands = np.argsort(words[:, :3], axis=1)
    within = np.argsort(words[:, 3:].reshape(-1, 3, 3), axis=2)
    return (bands[:, :, None] * 3 + within).reshape(-1, 9)


def sides(request: Request, classes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The place in ``request.split`` of the side that each class is on, int64 (n,)."""
    return np.searchsorted(request.bounds(), classes, side="right")
