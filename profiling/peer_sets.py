"""The sets of puzzles on which solvers are held side by side: files that are given, or made here from fixed seeds."""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from puzzles import GOLDEN_NUGGET, HARD

BLANK = "."
SEEDS = {"few": 1, "many": 2, "none": 3}
CLUES_24_TO_26 = 24, 26
CLUES_17_TO_19 = 17, 19


class PuzzleSet(NamedTuple):
    """``path``: a file of nothing but the puzzles, lines of 81 characters with ``BLANK``.

    ``text``: its bytes; ``cells``: uint8 (n, 81).
    """

    name: str
    path: Path
    lines: list[str]
    text: bytes
    cells: NDArray[np.uint8]


class SetError(ValueError):
    """A file that is no set of puzzles."""


def read_set(path: Path) -> list[str]:
    """Lines of 81 characters, digits and blanks as 0 or a dot; comments (#) and empty lines are passed over."""
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        line = text.strip()
        if not line or line.startswith("#"):
            continue
        if not re.fullmatch(r"[0-9.]{81}", line):
            raise SetError(f"{path}:{number}: expected 81 cells, each a digit or a blank (0 or .)")
        lines.append(line.replace("0", BLANK))
    if not lines:
        raise SetError(f"{path}: no puzzle in it, expected one at least")
    return lines


def put(name: str, lines: list[str], folder: Path) -> PuzzleSet:
    """Write a set to ``folder``, so that all solvers read the same bytes, and parse it."""
    path = folder / name
    text = "".join(f"{line}\n" for line in lines).encode("ascii")
    path.write_bytes(text)
    characters = np.frombuffer("".join(lines).encode("ascii"), np.uint8).reshape(-1, 81)
    cells = np.where(characters == ord(BLANK), 0, characters - ord("0")).astype(np.uint8)
    return PuzzleSet(name, path, lines, text, cells)


def made(unique: int, many: int, none: int) -> dict[str, list[str]]:
    """Sets for those who have no files: names to lines, so many puzzles of each kind."""
    from sudoku_jit.digging import generate_puzzles

    few, grids = generate_puzzles(unique + none, seed=SEEDS["few"], clues=CLUES_24_TO_26)
    several, _ = generate_puzzles(many + many // 8, seed=SEEDS["many"], clues=CLUES_17_TO_19, unique=False)
    return {
        "unique, 24 to 26 clues": _as_lines(few[:unique]),
        "several solutions": _as_lines(_with_several(several)[:many]),
        "no solution, no clash": _as_lines(_with_wrong_given(few[unique:], grids[unique:])),
        "Golden Nugget alone": [GOLDEN_NUGGET.replace("0", BLANK)],
        "hard.txt alone": [HARD.replace("0", BLANK)],
    }


def _as_lines(cells: NDArray[np.uint8]) -> list[str]:
    return ["".join(map(str, puzzle)).replace("0", BLANK) for puzzle in cells.tolist()]


def _with_several(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    from sudoku_jit.solving import count_many

    kept: NDArray[np.uint8] = cells[count_many(cells, 2).counts == 2]
    return kept


def _with_wrong_given(cells: NDArray[np.uint8], solutions: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Fill one blank of each puzzle with a digit that clashes with no given and is not that of its only solution."""
    rng = np.random.default_rng(SEEDS["none"])
    cell = np.arange(81)
    row, column = cell // 9, cell % 9
    box = row // 3 * 3 + column // 3
    sees = (row[:, None] == row) | (column[:, None] == column) | (box[:, None] == box)
    wrong = cells.copy()
    for puzzle, solution in zip(wrong, solutions, strict=True):
        for at in rng.permutation(np.flatnonzero(puzzle == 0)):
            fits = np.setdiff1d(np.arange(1, 10), [*puzzle[sees[at]], solution[at]])
            if len(fits):
                puzzle[at] = rng.choice(fits)
                break
    return wrong
