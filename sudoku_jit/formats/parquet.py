"""Parquet tables with a text column ``puzzle``, by pyarrow (extra: parquet)."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.formats import Newline, writing
from sudoku_jit.formats.records import Fault, Piece, Record, batched, cells_of, located
from sudoku_jit.formats.source import Source
from sudoku_jit.formats.tables import PUZZLE, named
from sudoku_jit.grids import Cells

_ROWS = 1 << 13


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RequestError("Parquet needs an extra: pip install 'sudoku-jit[parquet]'") from None
    return pyarrow


def read(name: str, source: Source) -> Iterator[Piece]:
    """Rows of the table; the line of each puzzle is its number."""
    if source.path is None:
        raise FormatError(
            source.name,
            0,
            0,
            "Parquet from a pipe or packed once more",
            "expected a file: its index is at its end",
        )
    return batched(_records(source, source.path))


def _records(source: Source, path: str) -> Iterator[Record | FormatError]:
    pyarrow = _pyarrow()
    puzzle = 0
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            try:
                known = named(names)
            except Fault as fault:
                raise located(fault, source, 0, 0) from None
            if "puzzle" not in known:
                raise FormatError(
                    source.name,
                    0,
                    0,
                    f"columns {', '.join(names)}"[:300],
                    f"expected one named one of {', '.join(PUZZLE)}",
                )
            field = names[known.index("puzzle")]
            others = [(name, column) for name, column in zip(names, known, strict=True) if name != field]
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    puzzle += 1
                    columns = {column: "" if row[name] is None else str(row[name]) for name, column in others}
                    try:
                        text = row[field] if isinstance(row[field], str) else repr(row[field])
                        yield Record(puzzle, cells_of(text.encode()), columns)
                    except Fault as fault:
                        wrong = Fault(fault.found, fault.expected)
                        yield located(wrong, source, 0, puzzle)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(source.name, 0, puzzle + 1, f"damaged Parquet: {error}"[:300], "expected a table") from None


class _Writer(writing.Writer):
    """Batches become row groups."""

    def __init__(self, stream: BinaryIO, columns: tuple[str, ...]) -> None:
        pyarrow = _pyarrow()
        names = ("puzzle", *columns)
        schema = pyarrow.schema([(name, pyarrow.string()) for name in names])

        def encode(cells: Cells, values: writing.Columns) -> Any:
            fields = [writing.puzzle_texts(cells, values)]
            fields += [list(values.get(name) or [""] * len(cells)) for name in columns]
            fields = [[text.encode("utf-8", "replace").decode() for text in field] for field in fields]
            return pyarrow.record_batch(fields, schema=schema)

        super().__init__(stream, encode, columns)
        self._sink = _Sink(self)
        self._file = pyarrow.parquet.ParquetWriter(pyarrow.PythonFile(self._sink, "w"), schema, compression="zstd")

    def put(self, data: Any) -> None:
        if data.num_rows:
            self._file.write_batch(data)

    def finish(self) -> None:
        self._file.close()


class _Sink:
    """The writer's stream as pyarrow wants it: every byte of a call is written."""

    def __init__(self, writer: writing.Writer) -> None:
        self._writer = writer
        self._at = 0
        self.closed = False

    def write(self, data: bytes) -> int:
        self._writer.write(data)
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def writer(name: str, stream: BinaryIO, newline: Newline, columns: tuple[str, ...]) -> writing.Writer:
    """A text column for the puzzle, full stops for blanks, and one for each other name."""
    return _Writer(stream, columns)
