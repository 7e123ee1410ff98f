"""The rows of a dataset's files, read back by the readers that other people would use."""

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.datasets.planning import To
from sudoku_jit.datasets.writing import pyarrow_module
from sudoku_jit.errors import SudokuError
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.grids import Cells


class Damaged(Exception):  # noqa: N818
    """What keeps a file from being read."""


class Loaded(NamedTuple):
    """As ``Rows``, but None for what the file has not; ``guesses`` of ``extreme`` are whole."""

    puzzles: Cells
    solutions: Cells
    clues: NDArray[Any] | None
    guesses: NDArray[Any] | None
    classes: NDArray[np.uint64] | None


def load(folder: str, to: To, paths: Sequence[str], rated: bool, size: int) -> Iterator[Loaded]:
    """The rows of one file, or of files with one column each, some at a time. Raises ``Damaged``."""
    full = [os.path.join(folder, path) for path in paths]
    try:
        match to:
            case "parquet":
                yield from _parquet(full, rated, size)
            case "npy":
                yield from _npy(full, rated, size)
            case _:
                yield from _csv(full, to, rated)
    except (SudokuError, ValueError, KeyError, EOFError, OSError) as error:
        raise Damaged(f"cannot be read: {error}"[:300]) from None


def _digits(text: NDArray[np.uint8], low: str) -> Cells:
    """Cells from characters, uint8 (n, 81): ``low`` for 0, or 1 to 9 alone if it is ``1``."""
    cells = text - np.uint8(ord("0"))
    if low == ".":
        cells[text == ord(".")] = 0
    bad = (cells > 9) | ((cells == 0) & (text != ord(low)))
    if bad.any():
        raise Damaged(f"{chr(text[bad][0])!r} in a grid")
    return cells


def _classes(texts: Sequence[str]) -> NDArray[np.uint64]:
    for text in texts:
        if len(text) != 16 or set(text) - set("0123456789abcdef"):
            raise Damaged(f"class {text[:30]!r}; expected 16 hexadecimal digits")
    return np.array([int(text, 16) for text in texts], np.uint64)


def _parquet(paths: list[str], rated: bool, size: int) -> Iterator[Loaded]:
    pyarrow = pyarrow_module()
    names = ["puzzle", "solution", "clues", *(["guesses"] if rated else []), "class"]
    with pyarrow.parquet.ParquetFile(paths[0]) as file:
        if file.schema_arrow.names != names:
            raise Damaged(f"columns {', '.join(file.schema_arrow.names)}; expected {', '.join(names)}")
        for batch in file.iter_batches(size):
            yield Loaded(
                _digits(_characters(batch["puzzle"]), "."),
                _digits(_characters(batch["solution"]), "1"),
                np.asarray(batch["clues"]),
                np.asarray(batch["guesses"]) if rated else None,
                _classes(batch["class"].to_pylist()),
            )


def _characters(column: Any) -> NDArray[np.uint8]:
    """The characters of a string array, uint8 (n, 81)."""
    pyarrow = pyarrow_module()
    if column.null_count or column.type != pyarrow.string():
        raise Damaged(f"{column.null_count} missing values in a column of {column.type}; expected text")
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset :][: len(column) + 1]
    if (np.diff(ends) != 81).any():
        raise Damaged("a grid of other than 81 characters")
    return np.frombuffer(data, np.uint8)[ends[0] : ends[-1]].reshape(-1, 81)


def _npy(paths: list[str], rated: bool, size: int) -> Iterator[Loaded]:
    arrays = {path.split(".")[-2]: np.load(path, mmap_mode="r", allow_pickle=False) for path in paths}
    expected: dict[str, Any] = {"puzzle": np.uint8, "solution": np.uint8, "clues": np.int8, "class": np.uint64}
    if rated:
        expected["guesses"] = np.float64
    if set(arrays) != set(expected):
        raise Damaged(f"arrays {', '.join(arrays)}; expected {', '.join(expected)}")
    n = len(arrays["puzzle"])
    for name, dtype in expected.items():
        shape = (n, 81) if name in ("puzzle", "solution") else (n,)
        if arrays[name].dtype != dtype or arrays[name].shape != shape:
            raise Damaged(f"{name} is a {arrays[name].dtype} array {arrays[name].shape}; expected {shape}")
    for at in range(0, n, size):
        part = {name: np.array(array[at : at + size]) for name, array in arrays.items()}
        if part["puzzle"].max() > 9:
            raise Damaged(f"{part['puzzle'].max()} in a grid")
        yield Loaded(part["puzzle"], part["solution"], part["clues"], part.get("guesses"), part["class"])


def _csv(paths: list[str], to: To, rated: bool) -> Iterator[Loaded]:
    names = {"solution", "source", "rating"} if to == "extreme" else {"solution", "clues", "class"}
    if rated and to == "csv":
        names.add("guesses")
    with open_puzzles(paths[0], to) as puzzles:
        for chunk in puzzles.chunks:
            columns = chunk.columns()
            if set(columns) != names:
                raise Damaged(f"columns {', '.join(columns)} beside the puzzle; expected {', '.join(sorted(names))}")
            characters = "".join(columns["solution"]).encode("utf-8", "surrogateescape")
            if {len(text) for text in columns["solution"]} != {81} or len(characters) != 81 * len(chunk.cells):
                raise Damaged("a solution of other than 81 digits")
            solutions = _digits(np.frombuffer(characters, np.uint8).reshape(-1, 81), "1")
            if to == "extreme":
                yield Loaded(chunk.cells, solutions, None, np.array([int(text) for text in columns["rating"]]), None)
            else:
                yield Loaded(
                    chunk.cells,
                    solutions,
                    np.array([int(text) for text in columns["clues"]]),
                    np.array([float(text) for text in columns["guesses"]]) if rated else None,
                    _classes(columns["class"]),
                )
