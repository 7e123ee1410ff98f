"""What commands share that bring puzzles to canonical form."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sudoku_jit.errors import FormatError
from sudoku_jit.formats import OnError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_jit.formats.records import Chunk
    from sudoku_jit.grids import Cells


class Formed(NamedTuple):
    """The forms of a chunk of n puzzles; grids of 1 for those that have none.

    ``good``: bool (n,), which have one. ``forms``, ``grids``: uint8 (n, 81). ``automorphisms``: int64 (n,).
    ``errors``: for those that have none though they are puzzles.
    """

    good: "NDArray[np.bool_]"
    forms: "Cells"
    grids: "Cells"
    automorphisms: "NDArray[np.int64]"
    errors: dict[int, FormatError]


def numbered(chunks: "Iterable[Chunk]") -> "Iterator[tuple[int, Chunk]]":
    """Each chunk with the number of puzzles before it."""
    start = 0
    for chunk in chunks:
        yield start, chunk
        start += len(chunk.cells)


def formed(name: str, start: int, chunk: "Chunk", on_error: OnError) -> Formed:
    """The forms of a chunk of the file ``name``; a puzzle without exactly one solution is a bad record."""
    import numpy as np

    from sudoku_jit import canonicalising, solving
    from sudoku_jit.status import Status

    answers = solving.solve_many(chunk.cells, threads=1)
    good = answers.status == Status.UNIQUE
    errors = {
        k: FormatError(
            name,
            int(chunk.lines[k]),
            0 if on_error == "skip" else start + k + 1,  # the number in the file is known where none is left out
            Status(answers.status[k]).words,
            "expected exactly one solution",
        )
        for k in np.flatnonzero(~good).tolist()
        if k not in chunk.errors
    }
    if errors and on_error == "stop":
        raise next(iter(errors.values()))
    found = canonicalising.canonical_puzzles(chunk.cells[good], answers.grids[good], threads=1)
    forms, grids = np.ones_like(chunk.cells), np.ones_like(chunk.cells)
    automorphisms = np.zeros(len(good), np.int64)
    forms[good], grids[good], automorphisms[good] = found.forms, found.grids, found.automorphisms
    return Formed(good, forms, grids, automorphisms, errors)


def with_errors(chunk: "Chunk", errors: dict[int, FormatError]) -> "Chunk":
    """The chunk with more of its records marked as bad."""
    return chunk._replace(errors=dict(sorted({**chunk.errors, **errors}.items())))
