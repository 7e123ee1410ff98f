"""What commands share that read puzzles and write them: options, messages, the list of bad records."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from sudoku_jit.cli.console import announce_compiling, say
from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import Newline, OnError, registry

if TYPE_CHECKING:
    from sudoku_jit.formats.reading import Puzzles
    from sudoku_jit.formats.records import Chunk, Columns
    from sudoku_jit.formats.writing import Writer

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Puzzles in any format, packed by gzip, xz or zstd or not; - for stdin.",
    ),
]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help=f"Format of FILE, where the text does not tell it: {', '.join(registry.READABLE)}.",
    ),
]
WRITABLE = ", ".join(registry.WRITABLE)
Bad = Annotated[
    OnError,
    typer.Option(
        "--on-error",
        help="A record that is no puzzle: stop there; skip it and list it in a file beside the "
        "output, .rejected; keep a record for it, with status and error (csv, jsonl, parquet).",
    ),
]
Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")]
To = Annotated[
    str | None,
    typer.Option("--to", metavar="FORMAT", help=f"Format to write, else that of FILE or lines: {WRITABLE}."),
]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say on stderr what was detected in FILE.")]


@contextmanager
def opened(
    file: str, from_: str | None, on_error: OnError, output: str, verbose: bool, copy: BinaryIO | None = None
) -> "Iterator[Puzzles]":
    """The puzzles of a file, or of a ``copy`` of it; bad ones that are skipped are listed beside ``output``."""
    from sudoku_jit import streaming
    from sudoku_jit.formats.reading import open_puzzles

    announce_compiling()
    into_file = output != "-" and (os.path.isfile(output) or not os.path.exists(output))
    listed = f"{output if into_file else 'stdin' if file == '-' else os.path.basename(file)}.rejected"
    with ExitStack() as stack:
        lists: list[BinaryIO] = []

        def report(error: FormatError) -> None:
            if on_error == "skip":
                if not lists:
                    lists.append(stack.enter_context(streaming.output(listed)))
                line = f"{error}\n".encode("utf-8", "backslashreplace")
                streaming.write_all(lists[0], memoryview(line))

        puzzles = stack.enter_context(open_puzzles(copy or file, from_, on_error, report, shown(file)))
        if verbose:
            say(f"{puzzles.name}: {', '.join(puzzles.detected)}; format {puzzles.format.name}: {puzzles.format.what}")
        yield puzzles
    if puzzles.bad:
        what = f"{puzzles.bad} bad record{'s' if puzzles.bad > 1 else ''}"
        say(f"{what} skipped, listed in {listed}" if on_error == "skip" else f"{what} kept")


def shown(file: str) -> str:
    """The name of a file in messages."""
    return "<stdin>" if file == "-" else file


def format_to_write(puzzles: "Puzzles", to: str | None, what: str) -> str:
    """The format asked for, or that of the file, or lines, which is said."""
    if not to and not puzzles.format.writes:
        say(f"format {puzzles.format.name} can be read only: {what} are written as lines")
    return to or (puzzles.format.name if puzzles.format.writes else "line")


class Lost:
    """Gathers the names of columns that have no place in the output, and says them."""

    def __init__(self, writer: "Writer") -> None:
        self._writer, self._names = writer, dict[str, None]()

    def add(self, columns: "Columns") -> None:
        """Columns that are to be written."""
        for name, values in columns.items():
            if name not in self._writer.columns and name not in self._names and any(values):
                self._names[name] = None

    def say(self, format: str) -> None:
        """Say what was lost, if anything."""
        if self._names:
            say(f"not written, for format {format} has no place for it: {', '.join(self._names)}")


def opened_writer(
    format: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...], on_error: OnError
) -> "Writer":
    """A writer; one with the columns for bad records where they are kept."""
    from sudoku_jit.formats.writing import writer

    if on_error == "keep":
        columns = (*columns, *(name for name in ("status", "error") if name not in columns))
    made = writer(format, stream, newline, columns)
    if on_error == "keep" and "status" not in made.columns:
        raise RequestError(
            f"--on-error keep with format {format!r}, which has no place for a status; "
            "expected --to csv, jsonl or parquet"
        )
    return made


def mark_bad(chunk: "Chunk", columns: "Columns") -> "Columns":
    """The columns with what is to be said of bad records in their place."""
    from sudoku_jit.formats.writing import texts

    if not chunk.errors:
        return columns
    n = len(chunk.cells)
    marked = {"puzzle": texts(chunk.cells), **columns}
    marked["error"] = [""] * n
    marked["status"] = list(columns.get("status") or ["ok"] * n)
    for at, error in chunk.errors.items():
        for name in marked:
            marked[name][at] = ""
        marked["status"][at], marked["error"][at] = "malformed", str(error)
    return marked
