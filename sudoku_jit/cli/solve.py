"""``sudoku-jit solve``: a file of puzzles to a file of solutions."""

from typing import Annotated, Literal

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.console import Exit, say
from sudoku_jit.formats import Newline, OnError


def solve(
    file: files.File,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")] = "-",
    method: Annotated[
        Literal["fewest", "reading"],
        typer.Option(
            help="fewest: search at the cell with fewest candidates. "
            "reading: in reading order, as the report does it; some puzzles take it minutes."
        ),
    ] = "fewest",
    from_: files.From = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help=f"Format to write, else that of FILE or lines: {files.WRITABLE}.",
        ),
    ] = None,
    on_error: files.Bad = "stop",
    verbose: files.Verbose = False,
) -> int:
    """Solve every puzzle of FILE, and prove that its solution is the only one.

    One grid is written for each puzzle, in the order and format of FILE: the solution that is
    smallest in reading order, or the givens where there is none. Formats with columns (csv, jsonl,
    parquet) get the puzzle, its solution if there is one, and the status. A puzzle with no solution
    or several is said on stderr with its line; the exit code is then 1.
    """
    puzzles, bad = write(file, output, method, 2, "lf", to, from_, on_error, verbose)
    if bad:
        say(f"{bad} of {puzzles} puzzles without exactly one solution")
    return Exit.NOT_ALL_UNIQUE if bad else Exit.GOOD


def write(
    file: str,
    output: str,
    method: Literal["fewest", "reading"],
    limit: int,
    newline: Newline,
    to: str | None = None,
    from_: str | None = None,
    on_error: OnError = "stop",
    verbose: bool = False,
) -> tuple[int, int]:
    """The work of ``solve``, and of ``-s`` in course mode: numbers of puzzles and of bad ones."""
    from sudoku_jit import solving, streaming
    from sudoku_jit.formats.writing import texts
    from sudoku_jit.status import Status

    good = (Status.UNIQUE, Status.SOLVABLE)
    count = bad = 0
    with (
        files.opened(file, from_, on_error, output, verbose) as puzzles,
        streaming.output(output) as stream,
        streaming.progress(None, "puzzles") as advance,
    ):
        format = to or (puzzles.format.name if puzzles.format.writes else "line")
        if not to and not puzzles.format.writes:
            say(f"format {puzzles.format.name} can be read only: solutions are written as lines")
        names = ("solution", "status", *puzzles.columns)
        writer = files.opened_writer(format, stream, newline, tuple(dict.fromkeys(names)), on_error)
        for chunk in puzzles.chunks:
            answers = solving.solve_many(chunk.cells, limit, method)
            for k, status in enumerate(answers.status):
                if status not in good and k not in chunk.errors:
                    bad += 1
                    say(f"{puzzles.name}:{chunk.lines[k]}: puzzle {count + k + 1}: {Status(status).words}")
            if "solution" in writer.columns:
                solved = answers.counts > 0
                columns = chunk.columns() | {
                    "solution": [
                        text if found else "" for text, found in zip(texts(answers.grids), solved, strict=True)
                    ],
                    "status": [Status(status).name.lower() for status in answers.status],
                }
                data = writer.encode(chunk.cells, files.mark_bad(chunk, columns))
            else:
                data = writer.encode(answers.grids, {})
            writer.put(data)
            count += len(chunk.cells)
            advance(len(chunk.cells))
        writer.finish()
    return count + (puzzles.bad if on_error == "skip" else 0), bad + puzzles.bad
