"""Exit codes."""

from enum import IntEnum


class Exit(IntEnum):
    """As ruff and grep have them; signals as a shell reports them."""

    GOOD = 0
    NOT_ALL = 1
    WRONG = 2
    HUNG_UP = 129
    INTERRUPTED = 130
    CLOSED = 141
    TERMINATED = 143
