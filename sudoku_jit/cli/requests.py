"""Options that say what puzzles to generate."""

import re
from typing import Annotated, Any, Literal

import typer

from sudoku_jit.cli.console import number

Symmetry = Literal["none", "rot180", "rot90", "horizontal", "vertical", "diagonal", "antidiagonal", "full"]

Clues = Annotated[
    str | None,
    typer.Option(
        metavar="LO..HI",
        help="Givens, such as 24..30 or 25 (default: 24..32; with --minimal any; with --pattern all of it).",
    ),
]
Blanks = Annotated[str | None, typer.Option(metavar="LO..HI", help="The same by blanks: 81 less the givens.")]
Minimal = Annotated[bool, typer.Option("--minimal", help="No given can be left out.")]
Symmetric = Annotated[
    Symmetry,
    typer.Option(
        help="Of the picture of givens: turned by half, by a quarter; mirrored at the horizontal or vertical middle "
        "line or at a diagonal; full: all of these."
    ),
]
Pattern = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="81 marks where givens may stand, such as x; . where they may not. A puzzle will do; - for stdin.",
    ),
]
PerBox = Annotated[int, typer.Option(parser=number(0, 9), metavar="K", help="Blanks that each box has at least.")]
MinGuesses = Annotated[
    int | None,
    typer.Option(
        parser=number(0, 1 << 40),
        metavar="K",
        help="Search difficulty: guesses that the proof of the solution takes at least, as 'count --json' says them.",
    ),
]
MaxGuesses = Annotated[int | None, typer.Option(parser=number(0, 1 << 40), metavar="K", help="And at most.")]


def asked(
    clues: str | None,
    blanks: str | None,
    minimal: bool,
    symmetry: Symmetry,
    pattern: str | None,
    per_box: int,
    min_guesses: int | None,
    max_guesses: int | None,
) -> dict[str, Any]:
    """The arguments of ``digging.request``."""
    if clues is not None and blanks is not None:
        raise typer.BadParameter("--clues and --blanks say the same: give one of them.")
    span = _range("--clues", clues)
    if blanks is not None:
        least, most = _range("--blanks", blanks) or (0, 0)
        span = 81 - most, 81 - least
    marks = None
    if pattern is not None:
        from sudoku_jit.formats.pattern import read_pattern

        marks = read_pattern(pattern)
    return {
        "clues": span,
        "minimal": minimal,
        "symmetry": symmetry,
        "pattern": marks,
        "min_blanks_per_box": per_box,
        "guesses": (min_guesses, max_guesses),
    }


def _range(name: str, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,2})(?:\.\.([0-9]{1,2}))?", text)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not low <= high <= 81:
        raise typer.BadParameter(f"{name} {text!r}: expected LO..HI or a number, up to 81, such as 24..30.")
    return low, high
