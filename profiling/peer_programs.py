"""Calling a solver that is a program of its own, and holding its counts against this package's."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

EXPECTED = 'expected one JSON line {"peer": ..., "puzzles": ..., "rate": ..., "counts": [none, one, several]}'


class Answer(NamedTuple):
    """``rate``: puzzles a second; ``counts``: puzzles with no, with one, with several solutions."""

    peer: str
    puzzles: int
    rate: float
    counts: list[int]


def call(
    program: Sequence[str], file: Path, limit: int, processor: bool, timeout: float | None = None
) -> Answer | None:
    """Run ``PROGRAM FILE LIMIT``; None if it did not end within ``timeout`` seconds."""
    environment = {name: value for name, value in os.environ.items() if name != "PEER_CPU"}
    if processor:
        environment["PEER_CPU"] = "1"
    what = " ".join([*program, file.name, str(limit)])
    try:
        child = subprocess.Popen(
            [*program, str(file), str(limit)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise wrong(f"{what}: {error.strerror}") from None
    try:
        out, said = child.communicate(timeout=timeout)
    except BaseException as error:
        # What it has started ends with it.
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        if isinstance(error, subprocess.TimeoutExpired):
            return None
        raise
    if child.returncode:
        raise wrong(f"{what} ended with {child.returncode}\n{said}")
    try:
        told = json.loads(out)
        return Answer(str(told["peer"]), int(told["puzzles"]), float(told["rate"]), [int(k) for k in told["counts"]])
    except (ValueError, KeyError, TypeError):
        raise wrong(f"{what} printed {out[:200]!r}; {EXPECTED}") from None


def check_counts(answer: Answer, ours: list[int], name: str, limit: int) -> None:
    """End the run if a peer counted otherwise: a rate of wrong answers is no figure."""
    if answer.counts != ours:
        raise wrong(
            f"{answer.peer} and this package disagree on {name}, counted up to {limit}: "
            f"{answer.counts} and {ours} puzzles with none, one and several solutions"
        )


def wrong(message: str) -> SystemExit:
    """Make an exception that ends the run with a message and exit code 1."""
    return SystemExit(f"{Path(sys.argv[0]).name}: {message}")
