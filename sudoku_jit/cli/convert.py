"""``sudoku-jit convert``: a file of puzzles to another format."""

from typing import Annotated

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.exits import Exit
from sudoku_jit.formats import Newline


def convert(
    file: files.File,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"Format to write: {files.WRITABLE}.")],
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")] = "-",
    from_: files.From = None,
    on_error: files.Bad = "stop",
    newline: Annotated[Newline, typer.Option(help="Line ends.")] = "lf",
    verbose: files.Verbose = False,
) -> int:
    """Write the puzzles of FILE in another format, unchanged and in order.

    What FILE says of its puzzles besides (ratings, titles, solutions) goes along where the format
    has a place for it; what has none is said on stderr.
    """
    from sudoku_jit import streaming

    with (
        files.opened(file, from_, on_error, output, verbose) as puzzles,
        streaming.output(output) as stream,
        streaming.progress(None, "puzzles") as advance,
    ):
        writer = files.opened_writer(to, stream, newline, puzzles.columns, on_error)
        lost = files.Lost(writer)
        for chunk in puzzles.chunks:
            columns = chunk.columns()
            lost.add(columns)
            if on_error == "keep":
                columns.setdefault("status", ["ok"] * len(chunk.cells))
            writer.put(writer.encode(chunk.cells, files.mark_bad(chunk, columns)))
            advance(len(chunk.cells))
        writer.finish()
    lost.say(to)
    return Exit.NOT_ALL if puzzles.bad else Exit.GOOD
