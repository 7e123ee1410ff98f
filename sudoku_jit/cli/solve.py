"""``sudoku-jit solve``: a file of puzzles to a file of solutions."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.console import Threads, say
from sudoku_jit.cli.exits import Exit
from sudoku_jit.formats import Newline, OnError

if TYPE_CHECKING:
    from sudoku_jit.formats.records import Chunk
    from sudoku_jit.formats.writing import Writer
    from sudoku_jit.solving import Searched, Solutions

Method = Literal["lanes", "fewest", "reading"]


def solve(
    file: files.File,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")] = "-",
    method: Annotated[
        Method,
        typer.Option(
            help="lanes: many puzzles side by side in SIMD lanes. fewest: one by one, at the cell with fewest "
            "candidates. reading: in reading order, as the report does it; some puzzles take it minutes."
        ),
    ] = "lanes",
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
    threads: Threads = None,
    verbose: files.Verbose = False,
) -> int:
    """Solve every puzzle of FILE, and prove that its solution is the only one.

    One grid is written for each puzzle, in the order and format of FILE: the solution that is
    smallest in reading order, or the givens where there is none. Formats with columns (csv, jsonl,
    parquet) get the puzzle, its solution if there is one, and the status. A puzzle with no solution
    or several is said on stderr with its line; the exit code is then 1.
    """
    puzzles, bad = write(file, output, method, 2, "lf", to, from_, on_error, threads, verbose)
    if bad:
        say(f"{bad} of {puzzles} puzzles without exactly one solution")
    return Exit.NOT_ALL if bad else Exit.GOOD


def write(
    file: str,
    output: str,
    method: Method,
    limit: int,
    newline: Newline,
    to: str | None = None,
    from_: str | None = None,
    on_error: OnError = "stop",
    threads: int | None = None,
    verbose: bool = False,
) -> tuple[int, int]:
    """The work of ``solve``, and of ``-s`` in course mode: numbers of puzzles and of bad ones.

    A pipeline: this thread reads and parses, others solve and encode chunk by chunk, and this one writes them in order.
    """
    import numpy as np

    from sudoku_jit import solving, streaming
    from sudoku_jit.status import Status

    good = (Status.UNIQUE, Status.SOLVABLE)
    count = bad = 0
    with (
        files.opened(file, from_, on_error, output, verbose) as puzzles,
        streaming.output(output) as stream,
        streaming.progress(None, "puzzles") as advance,
    ):
        format = files.format_to_write(puzzles, to, "solutions")
        names = ("solution", "status", *puzzles.columns)
        writer = files.opened_writer(format, stream, newline, tuple(dict.fromkeys(names)), on_error)

        def answered(chunk: "Chunk") -> "tuple[Chunk, Solutions | Searched, Any]":
            answers: Solutions | Searched
            if method == "lanes":
                answers = solving.solve_many(chunk.cells, limit, threads=1)
            else:
                answers = solving.search_many(chunk.cells, method, limit)
            return chunk, answers, _encoded(chunk, answers, writer)

        for chunk, answers, data in streaming.in_order(answered, puzzles.chunks, streaming.chosen_threads(threads)):
            for k in np.flatnonzero(~np.isin(answers.status, good)).tolist():
                if k not in chunk.errors:
                    bad += 1
                    words = Status(answers.status[k]).words
                    say(f"{puzzles.name}:{chunk.lines[k]}: puzzle {count + k + 1}: {words}")
            writer.put(data)
            count += len(chunk.cells)
            advance(len(chunk.cells))
        writer.finish()
    return count + (puzzles.bad if on_error == "skip" else 0), bad + puzzles.bad


def _encoded(chunk: "Chunk", answers: "Solutions | Searched", writer: "Writer") -> Any:
    from sudoku_jit.formats.writing import texts
    from sudoku_jit.status import Status

    if "solution" not in writer.columns:
        return writer.encode(answers.grids, {})
    solved = answers.counts > 0
    columns = chunk.columns() | {
        "solution": [text if found else "" for text, found in zip(texts(answers.grids), solved, strict=True)],
        "status": [Status(status).name.lower() for status in answers.status],
    }
    return writer.encode(chunk.cells, files.mark_bad(chunk, columns))
