"""Exact arithmetic over all solution grids, from nothing but the rules: how often what is seen in one.

The digits are 0 .. 8 here and the first box has them row by row. Two other boxes of its band are known by the three
triples of digits in their columns (a *partition*, one of 280, in no order), two of its stack by those in their rows.
The four boxes that are left have ``completions`` that depend on these four partitions alone, and not on the names of
the digits. So five kinds of pairs of partitions and 280 * 280 other pairs are all that there is.
"""

from functools import cache
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

_BITS = [[word >> k & 1 for k in range(9)] for word in range(512)]
_MOVED = (np.arange(9) // 3 + 1 + np.array(_BITS)) % 3
LINES = _MOVED[[(np.bincount(lines) == 3).all() for lines in _MOVED]]
"""(56, 9): the lines that digits labelled line by line in one box can have in the next; reversed, in the last."""
LEFT, RIGHT = np.triu_indices(9, 1)


def _partitions():
    found = []
    for a in combinations(range(1, 9), 2):
        rest = [d for d in range(1, 9) if d not in a]
        for b in combinations(rest[1:], 2):
            found.append(((0, *a), (rest[0], *b), tuple(d for d in rest[1:] if d not in b)))
    return found


PARTITIONS = _partitions()
NUMBER = {partition: k for k, partition in enumerate(PARTITIONS)}
LABELS = np.array([[sum(p, ()).index(d) for d in range(9)] for p in PARTITIONS])
TOGETHER = LABELS[:, LEFT] // 3 == LABELS[:, RIGHT] // 3
"""(280, 36): which pairs of digits share a triple."""
ROWS, COLUMNS = NUMBER[(0, 1, 2), (3, 4, 5), (6, 7, 8)], NUMBER[(0, 3, 6), (1, 4, 7), (2, 5, 8)]


@cache
def clashes(second):
    """(280, 56, 36): which pairs of digits share a line in the second box (or the third), by partition of the first."""
    lines = (LINES if second else LINES[::-1])[:, LABELS].transpose(1, 0, 2)
    return (lines[..., LEFT] == lines[..., RIGHT]).astype(np.float32)


@cache
def kinds():
    """(280, 280): which of the five kinds each pair of partitions is, and the first pair (0, partition) of each."""
    seen, table = {}, np.zeros((280, 280), np.int64)
    for p in range(280):
        for q in range(280):
            shared = np.bincount(LABELS[p] // 3 * 3 + LABELS[q] // 3, minlength=9)
            kind = tuple(np.bincount(shared, minlength=4))
            table[p, q] = seen.setdefault(kind, len(seen))
    return table, [int(np.argmax(table[0] == k)) for k in range(len(seen))]


def fit(rows, columns):
    """(..., 56, 56): whether a pattern of rows and one of columns make a box: no two digits share both."""
    return (rows @ columns.T == 0).astype(np.float32)


def completions(p2, p3, q4=slice(None), q7=slice(None)):
    """Ways to fill the four boxes, by the partitions of boxes 2, 3, 4 and 7; (280, 280) for all of the last two."""
    second, third = clashes(True), clashes(False)

    def both(rows, columns):
        two = [fit(*box) for box in zip(rows, columns, strict=True)]
        return np.einsum("...as,...at->...st", *two).reshape(*two[0].shape[:-2], -1)

    five_six = both((second[q4], third[q4]), (second[p2], second[p3]))
    eight_nine = both((second[q7], third[q7]), (third[p2], third[p3]))
    return (five_six @ eight_nine.T).astype(np.int64)


def bands(partition):
    """(56, 280) twice: whether a pattern of a box with the rows of ``partition`` can have columns of a partition."""
    second = clashes(True)[partition] @ TOGETHER.T == 0
    return second, second[::-1]


def image(digits):
    """(280,): the image of each partition under a renaming of the digits."""
    return np.array([NUMBER[tuple(sorted(tuple(sorted(digits[d] for d in t)) for t in p))] for p in PARTITIONS])


def to_first_of_its_kind(p, q):
    """The image of the partitions under a renaming that takes the pair to the first pair of its kind."""
    table, firsts = kinds()
    goal = firsts[table[p, q]]

    def cells(a, b):
        return [[sorted(set(s) & set(t)) for t in PARTITIONS[b]] for s in PARTITIONS[a]]

    here, there = cells(p, q), cells(0, goal)
    for rows in permutations(range(3)):
        for columns in permutations(range(3)):
            pairs = [(here[rows[i]][columns[j]], there[i][j]) for i in range(3) for j in range(3)]
            if all(len(mine) == len(other) for mine, other in pairs):
                return image({d: e for mine, other in pairs for d, e in zip(mine, other, strict=True)})
    raise AssertionError


def crossed(partition):
    """(56,): rectangles between the first two boxes of a band, by pattern: two digits of a column of the first box
    change rows and have a column of the second, a triple of its ``partition``, in common.
    """
    columns = LABELS[partition] // 3
    cells = [(3 * r + c, r, 3 * s + c, s) for c in range(3) for r, s in combinations(range(3), 2)]
    return sum((LINES[:, x] == s) & (LINES[:, y] == r) & (columns[x] == columns[y]) for x, r, y, s in cells)


class Law(NamedTuple):
    """What is known of all grids. Numbers of completions are of a pair (first band, first stack).

    ``pairs``: (most + 1,), how many have each number of completions, for a given first box and with columns of the
    other boxes of the band, rows of those of the stack, in no order: a 36 * 36 th of all. ``kinds``: (5,), grids by the
    kind of the pair of partitions of boxes 2 and 3, out of ``grids``. ``rectangles``: those between boxes 1 and 2, all
    grids together.
    """

    pairs: np.ndarray
    kinds: list[int]
    grids: int
    rectangles: int


@cache
def law():
    """Sum over all pairs of partitions of boxes 2 and 3; the 36 symmetries of box 1 that keep its rows save work."""
    table, firsts = kinds()
    by_kind = [completions(0, first) for first in firsts]
    (second, third), (down, further) = bands(ROWS), bands(COLUMNS)
    weights, stacks = second.T.astype(np.int64) @ third, down.T.astype(np.int64) @ further
    swapped = np.stack([crossed(p) for p in range(280)], axis=1)
    rectangles = (second * swapped).T.astype(np.int64) @ third
    images = [
        image([3 * rows[d // 3] + columns[d % 3] for d in range(9)])
        for rows in permutations(range(3))
        for columns in permutations(range(3))
    ]
    p, q = np.divmod(np.arange(280 * 280), 280)
    orbit = np.min([moved[p] * 280 + moved[q] for moved in images], axis=0)
    pairs, grids_of, seen = np.zeros(1 << 14, np.int64), [0] * len(firsts), 0
    for first in np.unique(orbit):
        p, q = divmod(int(first), 280)
        members = orbit == first
        weight, found = int(weights.ravel()[members].sum()), int(rectangles.ravel()[members].sum())
        if weight:
            kind, moved = table[p, q], to_first_of_its_kind(p, q)
            ways = by_kind[kind][moved][:, moved]
            pairs += weight * np.bincount(ways.ravel(), stacks.ravel(), len(pairs)).astype(np.int64)
            together = int((ways * stacks).sum())
            grids_of[kind] += weight * together
            seen += found * together
    return Law(pairs, grids_of, sum(grids_of), seen)
