"""``metadata.json``: what was asked for, by which versions, what the columns mean, and every file with its checksum."""

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from sudoku_jit import streaming
from sudoku_jit.datasets.planning import Given, Request
from sudoku_jit.errors import RequestError

FORMAT = "sudoku-jit dataset 1"
NAME = "metadata.json"
JOURNAL = "shards.journal"
LEFT_OUT = "left_out.txt"
RATING = "lane-guesses", 1
"""Name and version of the rating; the version grows whenever the lane solver guesses otherwise."""


class File(NamedTuple):
    """A file of a shard: ``path`` in the folder, ``split``, rows and puzzles (rows without morphs) in it."""

    path: str
    split: str
    rows: int
    puzzles: int
    bytes: int
    sha256: str


Shards = Mapping[int, tuple[File, ...]]


def head(request: Request, versions: Mapping[str, str]) -> dict[str, Any]:
    """What is known before anything is built."""
    return {
        "format": FORMAT,
        "request": request.record(),
        "versions": dict(versions),
        "columns": _columns(request),
        "class": {
            "name": "blake2b-64-minlex",
            "definition": "the solution's minlex form (smallest of all its images under relabelling, orders of rows, "
            "columns, bands and stacks, and transposition) as 81 digits of text, its BLAKE2b hash of 8 bytes, in "
            "hexadecimal",
            "collisions": "two of n classes share a name with chance below n**2 / 2**65",
        },
        "split": {
            "definition": "the class as a number of 64 bits, divided by 2**64, falls in the share of its side; shares "
            "follow each other from 0 in the order of the request",
        },
        **({"rating": _rating(request)} if request.rating else {}),
        "complete": False,
    }


def whole(request: Request, versions: Mapping[str, str], shards: Shards) -> dict[str, Any]:
    """What a finished dataset says of itself."""
    splits = {name: {"puzzles": 0, "rows": 0, "files": 0} for name in request.splits}
    for i in range(request.shards):
        for name, files in by_split(shards[i]).items():
            split = splits[name]
            split["puzzles"] += files[0].puzzles
            split["rows"] += files[0].rows
            split["files"] += len(files)
    counts = {
        "puzzles": sum(split["puzzles"] for split in splits.values()),
        "rows": sum(split["rows"] for split in splits.values()),
        "splits": splits,
    }
    listed = [[file._asdict() for file in shards[i]] for i in range(request.shards)]
    return {**head(request, versions), "complete": True, "counts": counts, "shards": listed}


def _columns(request: Request) -> dict[str, str]:
    if request.to == "extreme":
        return {
            "source": "sudoku-jit, or the file that the puzzles are from",
            "question": "81 cells in reading order, a full stop for a blank",
            "answer": "the only solution, 81 digits: proved",
            "rating": "the rating below, rounded to a whole number, a half upwards",
        }
    array = request.to == "npy"
    columns = {
        "puzzle": "81 cells in reading order, " + ("0 for a blank" if array else "a full stop for a blank"),
        "solution": "the only solution, 81 digits: proved",
        "clues": "number of givens",
        "guesses": "the rating below, rounded to three decimals",
        "class": "name of the solution's class, " + ("as a number" if array else "16 hexadecimal digits"),
    }
    return {name: what for name, what in columns.items() if name != "guesses" or request.rating}


def _rating(request: Request) -> dict[str, Any]:
    name, version = RATING
    return {
        "name": name,
        "version": version,
        "morphs": request.rating,
        "definition": "mean number of guesses that the lane solver takes to prove the solution of a puzzle, over the "
        "images of its canonical form under the first so many of a fixed list of symmetries; equivalent puzzles have "
        "the same rating",
    }


def by_split(files: tuple[File, ...]) -> dict[str, list[File]]:
    """The files of a shard by split: one, or several that hold columns of the same rows."""
    found: dict[str, list[File]] = {}
    for file in files:
        found.setdefault(file.split, []).append(file)
    return found


def rows_of(files: tuple[File, ...]) -> int:
    """How many rows the files of a shard hold."""
    return sum(files[0].rows for files in by_split(files).values())


def source_name(request: Request) -> str:
    """What the column ``source`` of format ``extreme`` says."""
    return request.source.name if isinstance(request.source, Given) else "sudoku-jit"


def write(folder: str, record: Mapping[str, Any]) -> None:
    """Write ``metadata.json``, whole or not at all."""
    text = json.dumps(record, indent=1, ensure_ascii=True) + "\n"
    with streaming.output(os.path.join(folder, NAME)) as stream:
        streaming.write_all(stream, memoryview(text.encode()))


def read(folder: str) -> dict[str, Any] | None:
    """What ``metadata.json`` says; None if there is no such file. Raises ``RequestError``, ``OSError``."""
    path = os.path.join(folder, NAME)
    try:
        with open(path, "rb") as stream:
            found = json.load(stream)
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise RequestError(f"{path}: no JSON: {error}"[:300]) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise RequestError(f"{path}: not the metadata of a dataset of this version; expected format {FORMAT!r}")
    return found


def shard_files(record: Any) -> tuple[File, ...]:
    """The files of a shard from their records. Raises ``RequestError``."""
    try:
        files = tuple(File(**file) for file in record)
        good = all([type(value) for value in file] == [str, str, int, int, int, str] for file in files)
    except TypeError:
        good = False
    if not good:
        raise RequestError(f"not the files of a shard: {str(record)[:200]}")
    return files
