"""Part 3: Python packages and qqwing, which are slow beside the others: each on a sample of the sets."""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from peer_programs import call
from peer_sets import PuzzleSet, put
from solvers_part import kinds
from tables import Row, Table, number, rate, times

ADAPTER = Path(__file__).with_name("python_peers.py")
SAMPLE = {"rustoku": 1000, "hodoku-py": 1000, "py-sudoku": 10, "qqwing": 100}
"""The most puzzles of a set that a peer is given."""
SEED = 1

HOW = (
    "None has a call for a batch: a loop over the puzzles, or a whole file for qqwing (the start of its process is "
    "part of its time, and it has no limit: it counts all solutions). Give a grid and prove: hodoku-py (by the "
    "backtracker inside its generator; its public `validate` is slower and gives none) and qqwing. Only a count: "
    "rustoku (`count_solutions`). Only yes or no: py-sudoku (`has_multiple_solutions`, which solves twice; a third "
    "search tells none from one)."
)


def measure_packages(
    sets: Sequence[PuzzleSet],
    peers: Mapping[str, tuple[str, str]],
    solvers: Table,
    folder: Path,
    patience: float,
    processor: bool,
) -> Table:
    """Time each peer once on a sample of each set; wrong counts do not end the run, they are told.

    ``peers``: names to (interpreter, version). ``solvers``: this package's rates on the same sets.
    """
    rows = [
        _row(puzzles, peers, ours["count_many"], folder, patience, processor)
        for puzzles, ours in zip(sets, solvers.rows, strict=True)
    ]
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {"set": ("name", str)}
    columns |= {f"{name} {version}/s": (name, rate) for name, (_, version) in peers.items()}
    columns |= {"count_many/s": ("count_many", rate), "count_many against the quickest": ("ratio", times)}
    wrong = [
        f"{name} on {row['name']} ({number(puzzles)} of {number(row['ran'][name])})"
        for row in rows
        for name, puzzles in row["wrong"].items()
    ]
    most = ", ".join(f"{name} {SAMPLE[name]:,}" for name in peers)
    notes = [
        f"A bounded number of puzzles, drawn from the set, measured once: at most {most}; fewer where those took more "
        f"than 4 seconds. A dash: not done within {patience:.0f} seconds.",
        f"Wrong counts: {', '.join(wrong) or 'none'}.",
        HOW,
    ]
    if not peers:
        notes = ["None is installed: rustoku, hodoku-py, py-sudoku (see --python), or qqwing."]
    return Table("packages", "Python packages and qqwing, counted to two", columns, rows, notes)


def _row(
    puzzles: PuzzleSet,
    peers: Mapping[str, tuple[str, str]],
    ours: float,
    folder: Path,
    patience: float,
    processor: bool,
) -> Row:
    ran: dict[str, int] = {}
    wrong: dict[str, int] = {}
    rates: dict[str, float] = {}
    for name, (interpreter, _) in peers.items():
        n = min(SAMPLE[name], len(puzzles.lines))
        sample = put("sample.txt", random.Random(SEED).sample(puzzles.lines, n), folder)
        answer = call([interpreter, str(ADAPTER), name], sample.path, 2, processor, patience)
        if answer is None:
            continue
        rates[name], ran[name] = answer.rate, answer.puzzles
        counts = kinds(sample, 2, answer.puzzles)
        if counts != answer.counts:
            wrong[name] = sum(abs(mine - its) for mine, its in zip(counts, answer.counts, strict=True)) // 2
    ratio = ours / max(rates.values()) if rates else None
    return {"name": puzzles.name, "count_many": ours, **rates, "ratio": ratio, "ran": ran, "wrong": wrong}
