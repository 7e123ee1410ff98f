"""Errors that tell people what to do. All are ``ValueError``; the command line prints them plainly."""

from operator import index


class SudokuError(ValueError):
    """Anything that a caller can put right."""


class RequestError(SudokuError):
    """A number or a choice that cannot be met, such as more grids than a method has."""


class ShortfallError(RequestError):
    """Fewer puzzles were found than asked for."""


def whole(name: str, value: object, low: int, high: int) -> int:
    """``value`` as an int if it is a whole number from ``low`` to ``high``, else ``RequestError``.

    >>> whole("limit", 3, 1, 9)
    3
    """
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not low <= number <= high:
        raise RequestError(f"{name} {value!r}; expected a whole number from {low} to {high}")
    return number


class PuzzleError(SudokuError):
    """A value that is not a puzzle: wrong shape, or a cell outside 0 .. 9."""


class FormatError(SudokuError):
    """A file that is not what it should be, and where.

    ``name``: the file; ``line``: from 1, 0 if no line is to blame; ``puzzle``: number of the puzzle
    in the file, from 1, 0 if none; ``found``: what stood there; ``expected``: what should have;
    ``column``: from 1, 0 if the whole line is to blame.

    >>> print(FormatError("hard.txt", 3, 1, "10 cells", "expected 9"))
    hard.txt:3: puzzle 1: 10 cells; expected 9
    >>> print(FormatError("hard.txt", 3, 1, "'l'", "expected a digit", column=7))
    hard.txt:3:7: puzzle 1: 'l'; expected a digit
    """

    def __init__(self, name: str, line: int, puzzle: int, found: str, expected: str, column: int = 0) -> None:
        self.name, self.line, self.puzzle, self.column = name, line, puzzle, column
        self.found, self.expected = found, expected
        place = name
        if line:
            place += f":{line}" + (f":{column}" if column else "")
        if puzzle:
            place += f": puzzle {puzzle}"
        super().__init__(f"{place}: {found}; {expected}")
