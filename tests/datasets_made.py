"""Puzzles of many classes, and folders as bytes, for the tests of datasets."""

from pathlib import Path

import numpy as np

import sudoku_jit
from sudoku_jit.formats.writing import texts


def puzzles_of_many_classes(n, seed=1, blanks=45):
    """Solutions of random diagonal boxes, with blanks as long as each stays the only one: uint8 (n, 81)."""
    random = np.random.default_rng(seed)
    begun = np.zeros((n, 9, 9), np.uint8)
    for at in range(0, 9, 3):
        digits = random.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (n, 1)), axis=1)
        begun[:, at : at + 3, at : at + 3] = digits.reshape(n, 3, 3)
    puzzles = sudoku_jit.solve_many(begun, limit=1).grids
    order = np.array([random.permutation(81) for _ in range(n)])
    for at in range(blanks):
        tried = puzzles.copy()
        tried[np.arange(n), order[:, at]] = 0
        good = sudoku_jit.count_many(tried, 2).counts == 1
        puzzles[good] = tried[good]
    return puzzles


def write_lines(path, puzzles):
    Path(path).write_text("".join(f"{text}\n" for text in texts(puzzles)))
    return str(path)


def tree(folder):
    """All files under a folder, with their bytes."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found
