"""``sudoku-jit count``: how many solutions each puzzle of a file has."""

import json
from typing import Annotated

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.console import Threads, number
from sudoku_jit.cli.exits import Exit


def count(
    file: files.File,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")] = "-",
    limit: Annotated[
        int, typer.Option("--limit", parser=number(1, 1 << 40), metavar="K", help="Stop counting a puzzle at K.")
    ] = 100_000,
    from_: files.From = None,
    on_error: files.Bad = "stop",
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a puzzle: its number, line, solutions, status, guesses.")
    ] = False,
    threads: Threads = None,
    verbose: files.Verbose = False,
) -> int:
    """Count the solutions of every puzzle of FILE: one number a line, in order.

    A number equal to K means K or more. A kept bad record (--on-error keep) has an empty line, or its error in JSON.
    The exit code is 0 if every record was a puzzle, whatever the numbers are.
    """
    from sudoku_jit import solving, streaming
    from sudoku_jit.formats.records import Chunk
    from sudoku_jit.status import Status

    def counted(chunk: Chunk) -> tuple[Chunk, solving.Counts]:
        return chunk, solving.count_many(chunk.cells, limit, threads=1)

    done = 0
    with (
        files.opened(file, from_, on_error, output, verbose) as puzzles,
        streaming.output(output) as stream,
        streaming.progress(None, "puzzles") as advance,
    ):
        for chunk, found in streaming.in_order(counted, puzzles.chunks, streaming.chosen_threads(threads)):
            lines = [str(n) for n in found.counts.tolist()]
            if as_json:
                lines = [
                    json.dumps(
                        {
                            "puzzle": done + k,
                            "line": line,
                            "solutions": solutions,
                            "status": Status(status).name.lower(),
                            "guesses": guesses,
                        }
                    )
                    for k, (line, solutions, status, guesses) in enumerate(
                        zip(chunk.lines.tolist(), *(column.tolist() for column in found), strict=True), 1
                    )
                ]
            for at, error in chunk.errors.items():
                record = {"puzzle": done + at + 1, "line": error.line, "status": "malformed", "error": str(error)}
                lines[at] = json.dumps(record) if as_json else ""
            streaming.write_all(stream, memoryview("".join(f"{line}\n" for line in lines).encode()))
            done += len(lines)
            advance(len(lines))
    return Exit.NOT_ALL if puzzles.bad else Exit.GOOD
