"""What all commands share: messages on standard error, common options."""

import functools
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated

import typer


def say(message: str) -> None:
    """One line on standard error; where that is full, nobody can be told."""
    with suppress(OSError):
        print(f"sudoku-jit: {message}", file=sys.stderr, flush=True)


def announce_compiling() -> None:
    """Say so, once, if kernels have to be compiled."""
    from sudoku_jit import caching

    caching.before_compiling(_say_compiling)


@functools.cache
def _say_compiling() -> None:
    say("compiling kernels: once after an installation, some seconds")


def drawn_seed(seed: int | None) -> int:
    """``seed``, or a random one that is said, so that the run can be repeated."""
    if seed is None:
        import secrets

        seed = secrets.randbits(48)
        say(f"--seed {seed}")
    return seed


@contextmanager
def undisturbed() -> Iterator[None]:
    """Signals that end the program wait until the block is done."""
    late: list[int] = []
    handlers = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and callable(signal.getsignal(number)):
            handlers[number] = signal.signal(number, lambda number, frame: late.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in late:
            signal.raise_signal(number)


def number(low: int, high: int) -> Callable[[str | int], int]:
    """A parser of whole numbers from ``low`` to ``high``, which says what it was given."""

    def parse(given: str | int) -> int:
        text = str(given)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()):
            raise typer.BadParameter(f"{text!r} is not a whole number.")
        if len(digits) > 30 or not low <= int(text) <= high:
            raise typer.BadParameter(f"{text} is not within {low} to {high}.")
        return int(text)

    return parse


ENDLESS = (1 << 63) - 1
"""More than there is of anything: how much there is, is said by the module that has it."""
Seed = Annotated[
    int | None,
    typer.Option(
        parser=number(0, (1 << 64) - 1),
        metavar="S",
        help="Start of the random sequence; without it one is drawn and printed to stderr.",
    ),
]
Start = Annotated[int, typer.Option(parser=number(0, ENDLESS), metavar="K", help="Go on at number K of the sequence.")]
FirstDigit = Annotated[
    int | None,
    typer.Option(parser=number(1, 9), metavar="D", help="Only grids whose top left digit is D."),
]
Threads = Annotated[
    int | None,
    typer.Option(parser=number(1, 1024), metavar="T", help="Threads; default: all processors. Same bytes for any T."),
]
