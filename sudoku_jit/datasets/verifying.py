"""Proving a dataset again: every row, every file, every count, with nothing taken from who built it."""

import os
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit import solving, streaming
from sudoku_jit.datasets import metadata, planning
from sudoku_jit.datasets.building import wrong_bytes
from sudoku_jit.datasets.loading import Damaged, Loaded, load
from sudoku_jit.datasets.metadata import File
from sudoku_jit.datasets.planning import Request
from sudoku_jit.datasets.rows import PIECE, classes_and_guesses, clues_of, sides
from sudoku_jit.datasets.writing import whole_ratings
from sudoku_jit.errors import RequestError
from sudoku_jit.grids import Cells
from sudoku_jit.repeats import Repeats
from sudoku_jit.status import Status

SHOWN = 10
"""Wrong rows of one kind in one file that are told one by one; the rest is counted."""

Wrong = Callable[[str], None]


class Verified(NamedTuple):
    """What was looked at: ``rows``, ``files``; ``wrong``: how many things are not as they should be."""

    rows: int
    files: int
    wrong: int


def verify(
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    advance: Callable[[int], None] = lambda rows: None,
    tell: Callable[[str], None] = lambda message: None,
) -> Verified:
    """Prove a dataset: ``tell`` is called with a line for each thing that is wrong.

    Every puzzle is solved again and its solution proved to be the only one; solutions, clues, classes, ratings, the
    side of each class, equal puzzles, checksums, counts, missing and additional files and the metadata are checked.
    A row's class and its side are computed anew, so that no class can be on two sides unseen. Memory does not grow
    with the dataset; what finds equal puzzles is in temporary files. Raises ``RequestError`` for a folder without a
    dataset, ``OSError``.
    """
    folder = os.fspath(folder)
    known = metadata.read(folder)
    if known is None:
        raise RequestError(f"{folder} holds no {metadata.NAME}; expected a folder of 'sudoku-jit dataset build'")
    wrong = 0

    def say(message: str) -> None:
        nonlocal wrong
        wrong += 1
        tell(message)

    try:
        request = planning.request_of(known.get("request", {}))
        if known.get("complete") is not True:
            raise RequestError("not finished: the command that began it goes on with it")
        shards = {i: metadata.shard_files(record) for i, record in enumerate(known["shards"])}
        expected = metadata.whole(request, known["versions"], shards) if len(shards) == request.shards else None
    except (RequestError, KeyError, TypeError, ValueError) as error:
        say(f"{metadata.NAME}: {error if isinstance(error, RequestError) else repr(error)}")
        return Verified(0, 0, wrong)
    files = [file for shard in shards.values() for file in shard]
    _check_metadata(request, known, expected, shards, say)
    _check_names(folder, request, files, say)
    rows = _check_rows(folder, request, shards, threads, advance, say)
    return Verified(rows, len(files), wrong)


def _check_metadata(
    request: Request, known: Mapping[str, Any], expected: Mapping[str, Any] | None, shards: metadata.Shards, say: Wrong
) -> None:
    if expected is None:
        say(f"{metadata.NAME}: {len(shards)} shards; expected {request.shards}")
        return
    for other in planning.differences(known, expected):
        say(f"{metadata.NAME}: {other}".replace(", there ", "; expected "))
    for i, files in shards.items():
        if metadata.rows_of(files) != request.rows_of(i):
            say(f"{metadata.NAME}: shard {i} has {metadata.rows_of(files)} rows; expected {request.rows_of(i)}")


def _check_names(folder: str, request: Request, files: list[File], say: Wrong) -> None:
    """Files that are listed twice or not at all."""
    listed = {file.path for file in files}
    if len(listed) < len(files):
        say(f"{metadata.NAME}: a file is listed twice")
    for file in files:
        if file.split not in request.splits or os.path.dirname(file.path) != file.split:
            say(f"{metadata.NAME}: {file.path} in split {file.split}; expected a file in the folder of its split")
    for split in request.splits:
        place = os.path.join(folder, split)
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else []:
            if f"{split}/{name}" not in listed:
                say(f"{split}/{name}: not in {metadata.NAME}")


def _check_rows(
    folder: str,
    request: Request,
    shards: metadata.Shards,
    threads: int | None,
    advance: Callable[[int], None],
    say: Wrong,
) -> int:
    """Prove the rows of all files; returns how many there are."""

    def checked(group: list[File]) -> tuple[str, list[str], list[Cells]]:
        found: list[str] = []
        good = True
        for file in group:
            bad = wrong_bytes(folder, file)
            if bad:
                found.append(f"{file.path}: {bad}")
                good = good and bad != "missing"
        return group[0].path, found, _prove(folder, request, group, found) if good else []

    groups = [group for shard in shards.values() for group in metadata.by_split(shard).values()]
    names, starts, total = [], [], 0
    with Repeats() as repeats:
        again = []
        for name, found, pieces in streaming.in_order(checked, groups, streaming.chosen_threads(threads)):
            for message in found:
                say(message)
            names.append(name)
            starts.append(total)
            for cells in pieces:
                again.append(repeats.add(np.arange(total, total + len(cells)), cells))
                total += len(cells)
                advance(len(cells))
            again = [numbers for numbers in again if len(numbers)]
        for numbers in (*again, *repeats.rest()):
            for number in numbers.tolist():
                at = bisect_right(starts, number) - 1
                say(f"{names[at]}: row {number - starts[at] + 1}: the same puzzle as an earlier row")
    return total


def _prove(folder: str, request: Request, group: list[File], found: list[str]) -> list[Cells]:
    """Say what is wrong with the rows of a file, or of the files of one's columns; returns the puzzles."""
    name, split = group[0].path, group[0].split
    faults = _Faults(name, found)
    pieces, at = [], 0
    try:
        for loaded in load(folder, request.to, [file.path for file in group], bool(request.rating), PIECE):
            _prove_piece(request, split, loaded, at, faults)
            pieces.append(loaded.puzzles)
            at += len(loaded.puzzles)
    except Damaged as error:
        found.append(f"{name}: {error}")
    else:
        if {at} != {file.rows for file in group}:
            found.append(f"{name}: {at} rows; expected {', '.join(str(file.rows) for file in group)}")
        puzzles, rest = divmod(at, request.augment + 1)
        if rest or {puzzles} != {file.puzzles for file in group}:
            found.append(f"{name}: {at} rows are not those of {group[0].puzzles} puzzles")
    faults.end()
    return pieces


class _Faults:
    """Wrong rows of one file: the first of each kind one by one, the others as a number."""

    def __init__(self, name: str, found: list[str]) -> None:
        self._name, self._found, self._counts = name, found, dict[str, int]()

    def add(self, kind: str, rows: NDArray[np.int64], what: Callable[[int], str], start: int) -> None:
        for k in rows.tolist():
            self._counts[kind] = self._counts.get(kind, 0) + 1
            if self._counts[kind] <= SHOWN:
                self._found.append(f"{self._name}: row {start + k + 1}: {what(k)}")

    def end(self) -> None:
        for kind, count in self._counts.items():
            if count > SHOWN:
                self._found.append(f"{self._name}: {count - SHOWN} more rows with wrong {kind}")


def _prove_piece(request: Request, split: str, loaded: Loaded, start: int, faults: _Faults) -> None:
    answers = solving.solve_many(loaded.puzzles, threads=1)
    unique = answers.status == Status.UNIQUE
    faults.add("uniqueness", np.flatnonzero(~unique), lambda k: Status(answers.status[k]).words, start)
    wrong = unique & (answers.grids != loaded.solutions).any(axis=1)
    faults.add("solution", np.flatnonzero(wrong), lambda k: "the solution is not that of the puzzle", start)
    good = np.flatnonzero(unique)
    if not len(good):
        return
    puzzles, grids = loaded.puzzles[good], answers.grids[good]
    classes, guesses = classes_and_guesses(puzzles, grids, request.rating)

    def compare(kind: str, given: NDArray[Any], right: NDArray[Any], said: Callable[[Any, Any], str]) -> None:
        bad = np.flatnonzero(given != right)
        place = dict(zip(good[bad].tolist(), bad.tolist(), strict=True))
        faults.add(kind, good[bad], lambda k: said(given[place[k]], right[place[k]]), start)

    if loaded.clues is not None:
        compare("clues", loaded.clues[good], clues_of(puzzles), lambda found, right: f"{found} clues; expected {right}")
    if loaded.guesses is not None and guesses is not None:
        rating = whole_ratings(guesses) if request.to == "extreme" else guesses
        compare("rating", loaded.guesses[good], rating, lambda found, right: f"rating {found}; expected {right}")
    if loaded.classes is not None:
        found_classes = loaded.classes[good]
        compare("class", found_classes, classes, lambda found, right: f"class {found:016x}; expected {right:016x}")
    here = np.full(len(good), request.splits.index(split) if split in request.splits else -1)
    compare("side", here, sides(request, classes), lambda _, right: f"its class belongs in {request.splits[right]}")
