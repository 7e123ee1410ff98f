"""Course mode: ``-c N``, ``-s PATH``, ``-n N``, with the rules and the file of the assignment."""

import re

import typer

from sudoku_jit.cli import gen, solve
from sudoku_jit.cli.console import announce_compiling, drawn_seed, say
from sudoku_jit.formats import Newline

FILE = "sudoku.txt"
BLANKS = {1: (30, 39), 2: (40, 47), 3: (48, 55)}
ANY_BLANKS = (30, 55)
LEAST, MOST = 20, 55
PER_BOX = 2


def course(
    context: typer.Context,
    c: int | None,
    s: str | None,
    n: int | None,
    m: int | None,
    r: str | None,
    u: bool,
    newline: Newline | None,
    first_digit: int | None,
    seed: int | None,
) -> int:
    """Check how the options go together, then do what they ask for."""
    tasks = [f"-{name}" for name, value in (("c", c), ("s", s), ("n", n)) if value is not None]
    given = [
        name
        for name, value in (
            ("-m", m),
            ("-r", r),
            ("-u", u or None),
            ("--newline", newline),
            ("--first-digit", first_digit),
            ("--seed", seed),
        )
        if value is not None
    ]
    if context.invoked_subcommand is not None:
        if tasks or given:
            wrong = ", ".join(tasks + given)
            context.fail(f"{wrong} before '{context.invoked_subcommand}': give options after it")
        return 0
    if not tasks:
        wrong = f"{given[0]} needs -c, -s or -n. " if given else ""
        context.fail(f"{wrong}Give a command, or one of -c N, -s PATH, -n N.")
    if len(tasks) > 1:
        context.fail(f"{' and '.join(tasks)}: give one of them.")
    allowed = {
        "-c": {"--newline", "--first-digit", "--seed"},
        "-s": {"--newline"},
        "-n": set(given),
    }[tasks[0]]
    for name in given:
        if name not in allowed:
            context.fail(f"{name} does not go with {tasks[0]}.")
    if m is not None and (r is not None or u):
        context.fail("-m goes with neither -r nor -u.")
    newline = newline or "crlf"
    if c is not None:
        gen.write(c, FILE, "orbit", seed, 0, first_digit, "block", newline, None)
    elif s is not None:
        puzzles, bad = solve.write(s, FILE, "lanes", 1, newline, to="block")
        if bad:
            say(f"{bad} of {puzzles} puzzles have no solution")
            return 1
    elif n is not None:
        blanks = BLANKS[m] if m else ANY_BLANKS if r is None else _range(context, r)
        _puzzles(n, blanks, u, seed, first_digit, newline)
    return 0


def _range(context: typer.Context, text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,9})~([0-9]{1,9})", text)
    if match:
        low, high = int(match[1]), int(match[2])
        if LEAST <= low <= high <= MOST:
            return low, high
    context.fail(f"-r {text}: expected LO~HI with {LEAST} <= LO <= HI <= {MOST}, such as 20~55.")


def _puzzles(
    n: int,
    blanks: tuple[int, int],
    unique: bool,
    seed: int | None,
    first_digit: int | None,
    newline: Newline,
) -> None:
    from sudoku_jit import digging, streaming
    from sudoku_jit.formats import layout as layouts

    announce_compiling()
    wanted = digging.request(clues=(81 - blanks[1], 81 - blanks[0]), min_blanks_per_box=PER_BOX, unique=unique)
    found = digging.find_puzzles(n, wanted, seed=drawn_seed(seed), first_digit=first_digit)
    layout = layouts.layout("block", newline)
    with streaming.output(FILE) as stream:
        done = 0
        for puzzles, _ in found:
            done += len(puzzles)
            data = layouts.write(puzzles, layout).data
            streaming.write_all(stream, data if done < n else data[: len(data) - layout.trim])
