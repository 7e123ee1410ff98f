"""Reading puzzles of any format from a file, chunk by chunk, in constant memory."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO

import numpy as np

from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import OnError, registry
from sudoku_jit.formats.records import Chunk, Columns, shown
from sudoku_jit.formats.registry import Format
from sudoku_jit.formats.source import HEAD, Source, opened

ENOUGH = 4096
"""Puzzles of small chunks are gathered up to so many,"""
PARTS = 32
"""from so many chunks at most: each may hold on to a piece of the file."""


class Puzzles:
    """An open file of puzzles.

    ``name``: the file, for messages. ``format``: of the registry. ``detected``: compression,
    encoding and line ends, in words. ``columns``: names of what the file says of its puzzles, as the
    first chunk has them. ``chunks``: an iterator of ``Chunk``; it raises ``FormatError``. ``bad``:
    how many bad records were met so far.
    """

    def __init__(
        self,
        source: Source,
        format: Format,
        pieces: Iterator[Chunk],
        on_error: OnError,
        report: Callable[[FormatError], None],
    ) -> None:
        self.name, self.format, self.detected = source.name, format, source.detected
        self.bad = 0
        self._on_error, self._report = on_error, report
        chunks = self._gathered(pieces)
        first = next(chunks, None)
        if first is None and self.bad == 0:
            raise FormatError(self.name, 0, 0, "no puzzle in it", "expected one at least")
        self.columns = tuple(name for name, values in (first.columns() if first else {}).items() if any(values))
        self.chunks: Iterator[Chunk] = chain([first] if first else [], chunks)

    def refuse(self, error: FormatError) -> None:
        """Count and report a bad record."""
        self.bad += 1
        self._report(error)

    def _gathered(self, pieces: Iterator[Chunk]) -> Iterator[Chunk]:
        """Chunks, with bad records as ``on_error`` has it; small ones are put together."""
        held: list[Chunk] = []
        size = 0
        for piece in pieces:
            if piece.errors and self._on_error == "stop":
                place, error = next(iter(piece.errors.items()))
                if place:
                    yield part(piece, range(place))
                raise error
            for error in piece.errors.values():
                self.refuse(error)
            if piece.errors and self._on_error == "skip":
                piece = part(piece, [k for k in range(len(piece.cells)) if k not in piece.errors])
                if not len(piece.cells):
                    continue
            held.append(piece)
            size += len(piece.cells)
            if self._on_error == "stop" or size >= ENOUGH or len(held) == PARTS:
                yield _joined(held)
                held, size = [], 0
        if held:
            yield _joined(held)


def part(chunk: Chunk, places: Sequence[int]) -> Chunk:
    """The records at some places."""

    def columns() -> Columns:
        return {name: [texts[k] for k in places] for name, texts in chunk.columns().items()}

    at = np.array(places, np.int64)
    errors = {k: chunk.errors[place] for k, place in enumerate(places) if place in chunk.errors} if chunk.errors else {}
    return Chunk(chunk.cells[at], chunk.lines[at], columns, errors)


def _joined(chunks: list[Chunk]) -> Chunk:
    if len(chunks) == 1:
        return chunks[0]
    errors, at = {}, 0
    for chunk in chunks:
        errors.update({at + k: error for k, error in chunk.errors.items()})
        at += len(chunk.cells)

    def columns() -> Columns:
        parts = [(chunk.columns(), len(chunk.cells)) for chunk in chunks]
        names = dict.fromkeys(name for part, _ in parts for name in part)
        return {name: [text for part, n in parts for text in part.get(name) or [""] * n] for name in names}

    return Chunk(
        np.concatenate([chunk.cells for chunk in chunks]),
        np.concatenate([chunk.lines for chunk in chunks]),
        columns,
        errors,
    )


@contextmanager
def open_puzzles(
    path: str | BinaryIO,
    from_: str | None = None,
    on_error: OnError = "stop",
    report: Callable[[FormatError], None] = lambda error: None,
    name: str = "<bytes>",
) -> Iterator[Puzzles]:
    r"""Open a file of puzzles in whatever format, packing and encoding.

    ``path``: its name, ``-`` for standard input, or an open stream of bytes, known as ``name``.

    ``from_`` names the format; without it the text tells it, and a text that two formats read as
    different puzzles is an error. ``on_error``: what becomes of a record that is not a puzzle:
    ``stop`` raises its ``FormatError``, ``skip`` leaves it out, ``keep`` keeps a grid of ones in its
    place and the error in ``Chunk.errors``; ``report`` is called with each error that is not
    raised. What cannot be read past, such as damaged compression, is always raised.

    Raises ``OSError``, ``FormatError``, and ``RequestError`` for a name or extra that is missing.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = file.write(b"." * 80 + b"7\r\n")
    ...     file.flush()
    ...     with open_puzzles(file.name) as puzzles:
    ...         print(puzzles.format.name, *puzzles.detected, next(puzzles.chunks).cells.sum())
    line UTF-8 CR LF line ends 7
    """
    chosen = registry.named(from_) if from_ else None
    with opened(path, name) as source:
        format = chosen or detect(source)
        pieces = format.module.read(format.name, source)
        yield Puzzles(source, format, pieces, on_error, report)


def detect(source: Source) -> Format:
    """The format of a text. Raises ``FormatError`` if it is none, or two that read it differently."""
    fitting = registry.candidates(source.head, source.name)
    if not fitting:
        lines = enumerate(source.head.split(b"\n"), 1)
        line, first = next(((n, t) for n, t in lines if t.strip() and not t.startswith(b"#")), (0, b""))
        if not line:
            raise FormatError(source.name, 0, 0, "no puzzle in it", "expected one at least")
        raise FormatError(
            source.name,
            line,
            1,
            f"the line {shown(first)}",
            "expected 81 cells, a row of nine cells, or the beginning of another format that --from names",
        )
    if len(fitting) == 1:
        return fitting[0]
    readings: dict[bytes, Format] = {}
    for format in fitting:
        first_puzzle = _first(format, source)
        if first_puzzle is not None:
            readings.setdefault(first_puzzle, format)
    if len(readings) > 1:
        one, other = list(readings.values())[:2]
        raise FormatError(
            source.name,
            0,
            1,
            f"{one.name} and {other.name} read it as different puzzles",
            f"expected --from {one.name} or --from {other.name}",
        )
    return next(iter(readings.values()), fitting[0])


def _first(format: Format, source: Source) -> bytes | None:
    """The first puzzle as ``format`` reads the head of a source; None if it cannot."""
    head = source.head[:HEAD]
    if len(source.head) > HEAD:
        head = head[: head.rfind(b"\n") + 1] or head
    tried = source._replace(pieces=iter([head]))
    try:
        first = next(format.module.read(format.name, tried), None)
    except (FormatError, RequestError):
        return None
    return first.cells[0].tobytes() if first is not None and 0 not in first.errors else None
