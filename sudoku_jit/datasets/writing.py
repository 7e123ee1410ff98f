"""Rows to bytes of files: whole columns at a time, never row by row."""

import csv
import io
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.datasets.parquet import parquet
from sudoku_jit.datasets.planning import To
from sudoku_jit.datasets.rows import Rows, class_text
from sudoku_jit.errors import RequestError
from sudoku_jit.grids import Cells

Bytes = NDArray[np.uint8]

ZSTD_LEVEL = 1
"""Of columns that are no grids. Higher levels take longer and save nothing."""


def files(rows: Rows, to: To, source: str) -> dict[str, bytes]:
    """The files that hold the rows, by the ends of their names: bytes.

    ``source``: what format ``extreme`` is to say of where the puzzles come from.
    """
    match to:
        case "parquet":
            return {".parquet": _parquet(rows)}
        case "npy":
            return {f".{name}.npy": _npy(column) for name, column in _arrays(rows).items()}
        case "csv":
            return {".csv": _csv(rows)}
        case "extreme":
            return {".csv": _extreme(rows, source)}
    raise RequestError(f"format {to!r}")


def table(rows: Rows) -> Any:
    """A pyarrow table: ``puzzle``, ``solution`` (text), ``clues`` (int8), ``guesses`` (float64), ``class`` (text).

    Blanks are full stops. Raises ``RequestError`` without pyarrow.

    >>> from sudoku_jit.datasets.rows import columns
    >>> made = table(columns("3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4"))
    >>> made.column_names, made["puzzle"][0].as_py()[:9]
    (['puzzle', 'solution', 'clues', 'guesses', 'class'], '3.9...4..')
    """
    pyarrow = pyarrow_module()
    columns = {
        "puzzle": _text_column(puzzle_text(rows.puzzles)),
        "solution": _text_column(rows.solutions + np.uint8(ord("0"))),
        "clues": pyarrow.array(rows.clues),
    }
    if rows.guesses is not None:
        columns["guesses"] = pyarrow.array(rows.guesses)
    columns["class"] = _text_column(class_text(rows.classes))
    return pyarrow.table(columns)


def pyarrow_module() -> Any:
    """The module, with its Parquet part. Raises ``RequestError`` if it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise RequestError("Parquet needs an extra: pip install 'sudoku-jit[parquet]'") from None
    return pyarrow


def _text_column(text: Bytes) -> Any:
    """A string array of texts of one width, uint8 (n, width), without a copy."""
    pyarrow = pyarrow_module()
    n, width = text.shape
    offsets = np.arange(0, (n + 1) * width, width, dtype=np.int32)
    characters = pyarrow.py_buffer(np.ascontiguousarray(text))
    return pyarrow.StringArray.from_buffers(n, pyarrow.py_buffer(offsets), characters)


def _parquet(rows: Rows) -> bytes:
    codec = pyarrow_module().Codec("zstd", compression_level=ZSTD_LEVEL)
    return parquet(rows, partial(codec.compress, asbytes=True))


def _arrays(rows: Rows) -> dict[str, Any]:
    arrays: dict[str, Any] = {"puzzle": rows.puzzles, "solution": rows.solutions, "clues": rows.clues}
    if rows.guesses is not None:
        arrays["guesses"] = rows.guesses
    return {**arrays, "class": rows.classes}


def _npy(column: Any) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(column), version=(1, 0), allow_pickle=False)
    return out.getvalue()


def _csv(rows: Rows) -> bytes:
    names = ["puzzle", "solution", "clues"]
    parts = [puzzle_text(rows.puzzles), rows.solutions + np.uint8(ord("0")), _number(rows.clues)]
    if rows.guesses is not None:
        names.append("guesses")
        parts.append(_thousandths(rows.guesses))
    return _joined([*names, "class"], [*parts, class_text(rows.classes)])


def _extreme(rows: Rows, source: str) -> bytes:
    assert rows.guesses is not None
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([source])
    named = np.frombuffer(out.getvalue().encode("utf-8", "surrogateescape"), np.uint8)
    parts = [
        np.broadcast_to(named, (len(rows.puzzles), len(named))),
        puzzle_text(rows.puzzles),
        rows.solutions + np.uint8(ord("0")),
        _number(whole_ratings(rows.guesses)),
    ]
    return _joined(["source", "question", "answer", "rating"], parts)


def whole_ratings(guesses: NDArray[np.float64]) -> NDArray[np.int64]:
    """Ratings as whole numbers, a half upwards: who reads ``extreme`` takes them for counts."""
    return np.floor(guesses + 0.5).astype(np.int64)


def puzzle_text(puzzles: Cells) -> Bytes:
    """uint8 (n, 81): the digits as text, full stops for blanks."""
    text = puzzles + np.uint8(ord("0"))
    blank = (puzzles == 0).view(np.uint8)
    text -= np.multiply(blank, np.uint8(ord("0") - ord(".")), out=blank)
    return text


def _number(values: NDArray[Any]) -> Bytes:
    """Whole numbers as text, uint8 (n, width), with NUL where a leading zero would stand."""
    numbers = values.astype(np.int64)
    width = len(str(int(numbers.max(initial=0))))
    powers = 10 ** np.arange(width - 1, -1, -1, dtype=np.int64)
    text = (numbers[:, None] // powers % 10 + ord("0")).astype(np.uint8)
    text[:, :-1][numbers[:, None] < powers[:-1]] = 0
    return text


def _thousandths(values: NDArray[np.float64]) -> Bytes:
    """Numbers as text with three decimals."""
    numbers = np.rint(values * 1000).astype(np.int64)
    decimals = _number(numbers % 1000 + 1000)[:, 1:] if len(numbers) else np.empty((0, 3), np.uint8)
    point = np.full((len(numbers), 1), ord("."), np.uint8)
    return np.concatenate([_number(numbers // 1000), point, decimals], axis=1)


def _joined(names: list[str], parts: list[Bytes]) -> bytes:
    """A header and the rows of a table: commas between the columns, NUL bytes left out."""
    n = len(parts[0])
    comma, end = np.full((n, 1), ord(","), np.uint8), np.full((n, 1), ord("\n"), np.uint8)
    between = [piece for part in parts for piece in (part, comma)]
    lines = np.concatenate([*between[:-1], end], axis=1).ravel()
    header = np.frombuffer((",".join(names) + "\n").encode(), np.uint8)
    return np.concatenate([header, lines[lines != 0]]).tobytes()
