"""``sudoku-jit dedupe``: the first of each puzzle, or of each class of puzzles, of a file."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Literal

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.console import Threads, say
from sudoku_jit.cli.exits import Exit
from sudoku_jit.errors import FormatError
from sudoku_jit.formats import OnError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_jit.formats.reading import Puzzles
    from sudoku_jit.formats.records import Chunk
    from sudoku_jit.formats.writing import Writer
    from sudoku_jit.grids import Cells

Key = Literal["string", "puzzle-class", "solution-class"]

KEPT, REPEATED, REFUSED = 0, 1, 2


def dedupe(
    file: files.File,
    by: Annotated[
        Key,
        typer.Option(
            help="Which puzzles count as equal. string: the same cells. puzzle-class: equivalent puzzles, by their "
            "canonical form. solution-class: puzzles whose solutions are equivalent."
        ),
    ],
    output: files.Output = "-",
    from_: files.From = None,
    to: files.To = None,
    on_error: files.Bad = "stop",
    threads: Threads = None,
    verbose: files.Verbose = False,
) -> int:
    """Write the first puzzle of each kind in FILE, unchanged and in order.

    Memory does not grow with FILE: it is read twice, and in between what is needed to find repeats is in temporary
    files, 57 bytes a puzzle. What is not a regular file (a pipe) is first copied to one as well. By class, a puzzle
    without exactly one solution is a bad record (--on-error).
    """
    import numpy as np

    from sudoku_jit import streaming
    from sudoku_jit.formats.reading import open_puzzles

    with _to_read_twice(file) as copy, TemporaryFile() as marked, streaming.output(output) as stream:
        with (
            files.opened(file, from_, on_error, output, verbose, copy()) as puzzles,
            streaming.progress(None, "puzzles looked at") as advance,
        ):
            format = files.format_to_write(puzzles, to, "puzzles")
            writer = files.opened_writer(format, stream, "lf", puzzles.columns, on_error)
            total = _mark(puzzles, by, on_error, streaming.chosen_threads(threads), marked, advance)
        marks = np.memmap(marked, np.uint8, "r", shape=(total,)) if total else np.zeros(0, np.uint8)
        with (
            open_puzzles(copy() or file, from_, on_error, name=files.shown(file)) as again,
            streaming.progress(total, "puzzles read again") as advance,
        ):
            lost = _write_kept(again, marks, writer, on_error, advance)
        lost.say(format)
        say(f"{np.count_nonzero(marks == KEPT)} of {np.count_nonzero(marks != REFUSED)} puzzles kept")
    return Exit.NOT_ALL if puzzles.bad else Exit.GOOD


@contextmanager
def _to_read_twice(file: str) -> "Iterator[Callable[[], BinaryIO | None]]":
    """A function that gives a copy of what can be read only once, from its beginning; None for a regular file."""
    if os.path.isfile(file):
        yield lambda: None
        return
    with TemporaryFile() as copy:
        if file == "-":
            shutil.copyfileobj(sys.stdin.buffer, copy)
        else:
            with open(file, "rb") as pipe:
                shutil.copyfileobj(pipe, copy)

        def begun() -> BinaryIO:
            copy.seek(0)
            return copy

        yield begun


def _mark(
    puzzles: "Puzzles", by: Key, on_error: OnError, threads: int, marked: BinaryIO, advance: Callable[[int], None]
) -> int:
    """Write a byte for each record: KEPT, REPEATED or REFUSED. Returns how many there are."""
    import numpy as np

    from sudoku_jit import streaming
    from sudoku_jit.cli import forms
    from sudoku_jit.repeats import Repeats

    def keyed(job: "tuple[int, Chunk]") -> "tuple[int, Cells, NDArray[np.bool_], dict[int, FormatError]]":
        start, chunk = job
        if by == "string":
            good = np.ones(len(chunk.cells), np.bool_)
            good[list(chunk.errors)] = False
            return start, chunk.cells, good, {}
        found = forms.formed(puzzles.name, start, chunk, on_error)
        return start, found.forms if by == "puzzle-class" else found.grids, found.good, found.errors

    total = 0
    with Repeats() as repeats:
        jobs = forms.numbered(puzzles.chunks)
        for start, keys, good, errors in streaming.in_order(keyed, jobs, threads):
            for error in errors.values():
                puzzles.refuse(error)
            marks = np.where(good, np.uint8(KEPT), np.uint8(REFUSED))
            marks[repeats.add(start + np.flatnonzero(good), keys[good]) - start] = REPEATED
            marked.write(marks.tobytes())
            total += len(marks)
            advance(len(marks))
        marked.flush()
        if total:
            all_marks = np.memmap(marked, np.uint8, "r+", shape=(total,))
            for numbers in repeats.rest():
                all_marks[numbers] = REPEATED
            all_marks.flush()
    return total


def _write_kept(
    puzzles: "Puzzles",
    marks: "NDArray[np.uint8]",
    writer: "Writer",
    on_error: OnError,
    advance: Callable[[int], None],
) -> files.Lost:
    """Write the records that are marked as kept, and refused ones if ``on_error`` is ``keep``."""
    import numpy as np

    from sudoku_jit.cli import forms
    from sudoku_jit.formats.reading import part

    lost = files.Lost(writer)
    changed = FormatError(puzzles.name, 0, 0, "changed while it was read", "expected the same puzzles twice")
    done = 0
    for start, chunk in forms.numbered(puzzles.chunks):
        mark = marks[start : start + len(chunk.cells)]
        if len(mark) < len(chunk.cells):
            raise changed
        if on_error == "keep":
            chunk = _with_refused(puzzles.name, start, chunk, mark)
        chunk = part(chunk, np.flatnonzero(mark != REPEATED if on_error == "keep" else mark == KEPT).tolist())
        columns = chunk.columns()
        lost.add(columns)
        if on_error == "keep":
            columns.setdefault("status", ["ok"] * len(chunk.cells))
        writer.put(writer.encode(chunk.cells, files.mark_bad(chunk, columns)))
        done = start + len(mark)
        advance(len(mark))
    if done != len(marks):
        raise changed
    writer.finish()
    return lost


def _with_refused(name: str, start: int, chunk: "Chunk", mark: "NDArray[Any]") -> "Chunk":
    """The chunk with the errors of refused puzzles, found again."""
    import numpy as np

    from sudoku_jit.cli import forms
    from sudoku_jit.formats.reading import part

    errors: dict[int, FormatError] = {}
    for k in np.flatnonzero(mark == REFUSED).tolist():
        if k not in chunk.errors:
            errors[k] = forms.formed(name, start + k, part(chunk, [k]), "keep").errors[0]
    return forms.with_errors(chunk, errors)
