"""``sudoku-jit morph``: random images of the puzzles of a file under the symmetries of sudoku."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.console import Seed, Threads, drawn_seed, number
from sudoku_jit.cli.exits import Exit
from sudoku_jit.errors import FormatError, PuzzleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_jit.formats.records import Chunk
    from sudoku_jit.grids import Cells

MORPHS_A_PIECE = 1 << 14
SYMMETRIES = 1_218_998_108_160


def morph(
    file: files.File,
    times: Annotated[
        int, typer.Option("--times", parser=number(1, SYMMETRIES), metavar="K", help="How many morphs of each puzzle.")
    ] = 1,
    seed: Seed = None,
    output: files.Output = "-",
    from_: files.From = None,
    to: files.To = None,
    on_error: files.Bad = "stop",
    threads: Threads = None,
    verbose: files.Verbose = False,
) -> int:
    """Write K random morphs of every puzzle or grid of FILE: those of the first, then those of the second, ...

    A morph is the image under a relabelling, orders of rows, columns, bands and stacks, and transposition or not; all
    1,218,998,108,160 have the same chance, and none comes twice for one puzzle. So its morphs differ, unless it has
    automorphisms or lacks two digits. The same seed gives the same bytes. Solutions in FILE go along, under the same
    symmetries; what else FILE says of its puzzles is repeated.
    """
    from sudoku_jit import streaming
    from sudoku_jit.cli.forms import numbered

    with (
        files.opened(file, from_, on_error, output, verbose) as puzzles,
        streaming.output(output) as stream,
        streaming.progress(None, "morphs") as advance,
    ):
        chosen = drawn_seed(seed)
        format = files.format_to_write(puzzles, to, "morphs")
        writer = files.opened_writer(format, stream, "lf", puzzles.columns, on_error)
        lost = files.Lost(writer)

        def pieces() -> "Iterator[tuple[int, Chunk, int, int]]":
            for start, chunk in numbered(puzzles.chunks):
                lost.add(chunk.columns())
                total = len(chunk.cells) * times
                for first in range(0, total, MORPHS_A_PIECE):
                    yield start, chunk, first, min(MORPHS_A_PIECE, total - first)

        def morphed(job: "tuple[int, Chunk, int, int]") -> tuple[int, Any]:
            start, chunk, first, count = job
            made = _morphs(puzzles.name, start, chunk, first, count, times, chosen)
            columns = made.columns()
            if on_error == "keep":
                columns.setdefault("status", ["ok"] * count)
            return count, writer.encode(made.cells, files.mark_bad(made, columns))

        for count, data in streaming.in_order(morphed, pieces(), streaming.chosen_threads(threads)):
            writer.put(data)
            advance(count)
        writer.finish()
    lost.say(format)
    return Exit.NOT_ALL if puzzles.bad else Exit.GOOD


def _morphs(name: str, start: int, chunk: "Chunk", first: int, count: int, times: int, seed: int) -> "Chunk":
    """Morphs ``first`` .. ``first + count - 1`` of the chunk that has ``start`` puzzles before it."""
    import numpy as np

    from sudoku_jit.canonicalising import fill_morphs
    from sudoku_jit.formats.reading import part
    from sudoku_jit.formats.records import Chunk

    low, high = first // times, (first + count - 1) // times
    chunk, start, first = part(chunk, range(low, high + 1)), start + low, first - low * times
    owners = ((first + np.arange(count)) // times).tolist()

    def images(cells: "Cells") -> "Cells":
        out = np.empty((count, 81), np.uint8)
        fill_morphs(cells, out, times, first, seed=seed, start=start)
        return out

    of_file = chunk.columns()
    columns = {name: [values[owner] for owner in owners] for name, values in of_file.items()}
    if any(of_file.get("solution", [])):
        solved = images(_solutions(name, of_file["solution"], chunk.lines))
        columns["solution"] = [
            text if given else "" for text, given in zip(_texts(solved), columns["solution"], strict=True)
        ]
    errors = {k: chunk.errors[owner] for k, owner in enumerate(owners) if owner in chunk.errors} if chunk.errors else {}
    return Chunk(images(chunk.cells), chunk.lines[owners], lambda: columns, errors)


def _texts(cells: "Cells") -> list[str]:
    from sudoku_jit.formats.writing import texts

    return texts(cells)


def _solutions(name: str, given: list[str], lines: "NDArray[np.int64]") -> "Cells":
    """The cells of the solutions that a file gives, blank where it gives none."""
    import numpy as np

    from sudoku_jit.grids import grid_from_text

    cells = np.zeros((len(given), 81), np.uint8)
    for k, text in enumerate(given):
        try:
            if text:
                cells[k] = grid_from_text(text)
        except PuzzleError as error:
            raise FormatError(name, int(lines[k]), 0, f"the solution: {error}", "expected a grid to morph") from None
    return cells
