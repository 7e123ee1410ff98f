"""What became of a puzzle."""

from enum import IntEnum


class Status(IntEnum):
    """The answer to "how many solutions?", as small integers that fit a uint8 array."""

    NONE = 0
    """No solution, though no two givens clash."""
    UNIQUE = 1
    """Exactly one solution: proved."""
    MULTIPLE = 2
    """Two solutions at least."""
    INVALID = 3
    """Two equal givens in one row, column or box."""
    SOLVABLE = 4
    """One solution at least; only one was asked for, so nothing is said about a second."""

    @property
    def words(self) -> str:
        """The status as a person would say it."""
        return _WORDS[self]


_WORDS = {
    Status.NONE: "no solution",
    Status.UNIQUE: "one solution",
    Status.MULTIPLE: "several solutions",
    Status.INVALID: "no solution: its givens clash",
    Status.SOLVABLE: "at least one solution",
}
