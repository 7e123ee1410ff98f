"""``sudoku-jit canon``: a file of puzzles or grids to their canonical forms."""

from typing import TYPE_CHECKING, Any

from sudoku_jit.cli import files
from sudoku_jit.cli.console import Threads
from sudoku_jit.cli.exits import Exit
from sudoku_jit.errors import FormatError

if TYPE_CHECKING:
    from sudoku_jit.formats.records import Chunk, Columns


def canon(
    file: files.File,
    output: files.Output = "-",
    from_: files.From = None,
    to: files.To = None,
    on_error: files.Bad = "stop",
    threads: Threads = None,
    verbose: files.Verbose = False,
) -> int:
    """Write the canonical form of every puzzle or finished grid of FILE, in order.

    Equivalent ones get the same form. The form of a grid is the smallest of its images under relabelling, orders of
    rows, columns, bands and stacks, and transposition (minlex). The form of a puzzle is the smallest image of its
    givens under the symmetries that take its solution to the form of that; it is not the minlex form of the puzzle
    itself. A puzzle without exactly one solution is a bad record (--on-error).

    Formats with columns (csv, jsonl, parquet) also get the form of the solution and the number of automorphisms, and
    what FILE says of its puzzles. For the form of solutions alone: sudoku-jit solve FILE | sudoku-jit canon -
    """
    import numpy as np

    from sudoku_jit import streaming
    from sudoku_jit.cli import forms
    from sudoku_jit.formats.reading import part
    from sudoku_jit.formats.writing import texts

    with (
        files.opened(file, from_, on_error, output, verbose) as puzzles,
        streaming.output(output) as stream,
        streaming.progress(None, "puzzles") as advance,
    ):
        format = files.format_to_write(puzzles, to, "forms")
        names = dict.fromkeys(("solution", "automorphisms", *puzzles.columns))
        writer = files.opened_writer(format, stream, "lf", tuple(names), on_error)
        lost = files.Lost(writer)

        def formed(job: "tuple[int, Chunk]") -> "tuple[Columns, dict[int, FormatError], int, Any]":
            start, chunk = job
            found = forms.formed(puzzles.name, start, chunk, on_error)
            made = forms.with_errors(chunk._replace(cells=found.forms), found.errors)
            of_file = chunk.columns()
            columns = dict(of_file)
            if writer.columns:
                columns["solution"] = texts(found.grids)
                columns["automorphisms"] = [str(number) for number in found.automorphisms.tolist()]
            made = made._replace(columns=lambda: columns)
            if found.errors and on_error == "skip":
                made = part(made, np.flatnonzero(found.good).tolist())
            shown = made.columns()
            if on_error == "keep":
                shown.setdefault("status", ["ok"] * len(made.cells))
            data = writer.encode(made.cells, files.mark_bad(made, shown))
            return of_file, found.errors, len(chunk.cells), data

        jobs = forms.numbered(puzzles.chunks)
        for of_file, errors, count, data in streaming.in_order(formed, jobs, streaming.chosen_threads(threads)):
            for error in errors.values():
                puzzles.refuse(error)
            lost.add({name: values for name, values in of_file.items() if name != "solution"})
            writer.put(data)
            advance(count)
        writer.finish()
    lost.say(format)
    return Exit.NOT_ALL if puzzles.bad else Exit.GOOD
