"""Errors that tell people what to do. All are ``ValueError``; the command line prints them plainly."""


class SudokuError(ValueError):
    """Anything that a caller can put right."""


class RequestError(SudokuError):
    """A number or a choice that cannot be met, such as more grids than a method has."""


class PuzzleError(SudokuError):
    """A value that is not a puzzle: wrong shape, or a cell outside 0 .. 9."""


class FormatError(SudokuError):
    """A file that is not what it should be, and where.

    ``name``: the file; ``line``: from 1, 0 if no line is to blame; ``puzzle``: number of the puzzle
    in the file, from 1.

    >>> print(FormatError("hard.txt", 3, 1, "10 cells", "expected 9"))
    hard.txt:3: puzzle 1: 10 cells; expected 9
    """

    def __init__(self, name: str, line: int, puzzle: int, found: str, expected: str) -> None:
        self.name, self.line, self.puzzle = name, line, puzzle
        self.found, self.expected = found, expected
        place = f"{name}:{line}: puzzle {puzzle}" if line else name
        super().__init__(f"{place}: {found}; {expected}")
