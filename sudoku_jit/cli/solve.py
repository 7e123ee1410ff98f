"""``sudoku-jit solve``: a file of puzzles to a file of solutions."""

import sys
from typing import Annotated, Literal

import typer

from sudoku_jit.cli.console import Exit, announce_compiling, say
from sudoku_jit.errors import FormatError
from sudoku_jit.formats import Newline, Style

Method = Literal["lanes", "fewest", "reading"]


def solve(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Puzzles, as lines or blocks; - for stdin.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")] = "-",
    method: Annotated[
        Method,
        typer.Option(
            help="lanes: many puzzles side by side in SIMD lanes. fewest: one by one, at the cell with fewest "
            "candidates. reading: in reading order, as the report does it; some puzzles take it minutes."
        ),
    ] = "lanes",
) -> int:
    """Solve every puzzle of FILE, and prove that its solution is the only one.

    One grid is written for each puzzle, in the order and style of FILE: the solution that is
    smallest in reading order, or the givens where there is none. A puzzle with no solution or
    several is said on stderr with its line; the exit code is then 1.
    """
    puzzles, bad = write(file, output, method, 2, "lf")
    if bad:
        say(f"{bad} of {puzzles} puzzles without exactly one solution")
    return Exit.NOT_ALL_UNIQUE if bad else Exit.GOOD


def write(
    file: str,
    output: str,
    method: Method,
    limit: int,
    newline: Newline,
    style: Style | None = None,
) -> tuple[int, int]:
    """The work of ``solve``, and of ``-s`` in course mode: numbers of puzzles and of bad ones."""
    from contextlib import ExitStack
    from functools import partial

    import numpy as np

    from sudoku_jit import solving, streaming
    from sudoku_jit.formats import layout as layouts
    from sudoku_jit.formats import reading
    from sudoku_jit.status import Status

    good = (Status.UNIQUE, Status.SOLVABLE)
    name = "<stdin>" if file == "-" else file
    puzzles = bad = 0
    with ExitStack() as stack:
        source = sys.stdin.buffer if file == "-" else stack.enter_context(open(file, "rb"))
        announce_compiling()
        read_style, chunks = reading.read(source, name)
        layout = layouts.layout(style or read_style, newline)
        stream = stack.enter_context(streaming.output(output))
        advance = stack.enter_context(streaming.progress(None, "puzzles"))
        solve = solving.solve_many if method == "lanes" else partial(solving.search_many, order=method)
        held: memoryview | None = None
        for chunk in chunks:
            answers = solve(chunk.cells, limit=limit)
            if held is not None:
                streaming.write_all(stream, held)
            held = layouts.write(answers.grids, layout).data
            for k in np.flatnonzero(~np.isin(answers.status, good)):
                bad += 1
                words = Status(answers.status[k]).words
                say(f"{name}:{chunk.lines[k]}: puzzle {puzzles + k + 1}: {words}")
            puzzles += len(chunk.cells)
            advance(len(chunk.cells))
        if held is None:
            raise FormatError(name, 0, 0, "no puzzle in it", "expected one at least")
        streaming.write_all(stream, held[: len(held) - layout.trim])
    return puzzles, bad
