"""Parts 1 and 2: sets of puzzles solved in process, counted to two and to one, beside programs of other solvers."""

import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from measure import Times, in_turn
from peer_programs import call, check_counts
from peer_sets import PuzzleSet
from tables import Row, Table, number, rate, times

from sudoku_jit.solving import count_many, solve_many

OURS = {
    "count_many": lambda puzzles, limit: count_many(puzzles.cells, limit, threads=1),
    "count_many, text": lambda puzzles, limit: count_many(puzzles.text, limit, threads=1),
    "solve_many": lambda puzzles, limit: solve_many(puzzles.cells, limit, threads=1),
}
LEAST_PASSES = 3

TITLES = {
    2: "Counted to two: each puzzle proved to have none, one or several",
    1: "Counted to one: a solution or none, nothing proved about a second",
}
GIVES = {
    2: "Gives a grid: `solve_many` alone (where there are several, the one smallest in reading order, which takes a "
    "search of its own). Only a count: `count_many`; tdoku, which returns a solution at limit 1 only; the Rust "
    "crate's `solutions_count_up_to`.",
    1: "Gives a grid: `solve_many` (it counts to two all the same: a solution that is the only one is the smallest) "
    "and tdoku (whichever it comes upon). Only a count: `count_many` and the Rust crate's `solutions_count_up_to`.",
}


def kinds(puzzles: PuzzleSet, limit: int, first: int | None = None) -> list[int]:
    """How many puzzles have none, one and, if counted that far, several solutions."""
    counts = count_many(puzzles.cells[:first], limit, threads=1).counts
    return [int(k) for k in np.bincount(np.minimum(counts, 2), minlength=3)]


def seconds_a_puzzle(work: Callable[[], Any], puzzles: int, least: float, processor: bool) -> float:
    """Median of passes that go on for ``least`` seconds, after one to warm up."""
    clock = time.process_time if processor else time.perf_counter
    work()
    passes: list[float] = []
    begun = time.perf_counter()
    while len(passes) < LEAST_PASSES or time.perf_counter() - begun < least:
        start = clock()
        work()
        passes.append(clock() - start)
    return max(statistics.median(passes), 1e-9) / puzzles


def measure_solvers(
    sets: Sequence[PuzzleSet],
    programs: Mapping[str, str],
    limit: int,
    rounds: int,
    least: float,
    processor: bool,
) -> Table:
    """Time this package and the peers on each set, all in turn; assert that all counts are the same."""
    ours = [name for name in OURS if limit == 2 or "text" not in name]
    titles = {name: name for name in programs}
    rows: list[Row] = []
    for puzzles in sets:
        counts = kinds(puzzles, limit)

        def ask(name: str, puzzles: PuzzleSet = puzzles, counts: list[int] = counts) -> float:
            answer = call([programs[name]], puzzles.path, limit, processor)
            assert answer
            check_counts(answer, counts, puzzles.name, limit)
            titles[name] = answer.peer
            return 1 / answer.rate

        def solve(name: str, puzzles: PuzzleSet = puzzles) -> float:
            return seconds_a_puzzle(lambda: OURS[name](puzzles, limit), len(puzzles.cells), least, processor)

        measured = in_turn(
            {
                name: lambda name=name, run=run: run(name)
                for run, names in ((solve, ours), (ask, programs))
                for name in names
            },
            rounds,
        )
        rows.append(_row(puzzles, counts, measured, ours, list(programs)))
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {"set": ("name", str), "puzzles": ("puzzles", number)}
    columns |= {f"{titles.get(name, name)}/s": (name, rate) for name in [*ours, *programs]}
    if programs:
        columns |= {f"{name} against the quickest peer": (f"{name} ratio", times) for name in ours}
    return Table(
        "solvers" if limit == 2 else "first",
        TITLES[limit],
        columns,
        rows,
        [_clock(processor, rounds), GIVES[limit], *_slower(rows, ours, titles, bool(programs))],
    )


def _row(
    puzzles: PuzzleSet, counts: list[int], measured: dict[str, Times], ours: list[str], programs: list[str]
) -> Row:
    rates = {name: 1 / spent.median for name, spent in measured.items()}
    quickest = max(programs, key=rates.__getitem__, default=None)
    ratios = {f"{name} ratio": rates[name] / rates[quickest] if quickest else None for name in ours}
    return {
        "name": puzzles.name,
        "puzzles": len(puzzles.cells),
        "counts": counts,
        **rates,
        "quickest": quickest,
        **ratios,
        "runs": {name: [1 / seconds for seconds in spent.seconds] for name, spent in measured.items()},
        "noisy": any(spent.noisy for spent in measured.values()),
    }


def _clock(processor: bool, rounds: int) -> str:
    clock = "of processor time" if processor else "by the clock"
    return (
        f"Puzzles a second {clock}, one thread; in turn, rounds: {rounds}, medians. `count_many` and `solve_many` "
        "take an array that was parsed beforehand; the text column parses the characters within the time, as the peers "
        "do."
    )


def _slower(rows: list[Row], ours: list[str], titles: dict[str, str], peers: bool) -> list[str]:
    if not peers:
        return ["No peer was given: --tdoku PROGRAM, --rust PROGRAM."]
    slower = [
        f"{name} on {row['name']} ({times(row[f'{name} ratio'])} times {titles[row['quickest']]})"
        for row in rows
        for name in ours
        if row[f"{name} ratio"] < 1
    ]
    return [f"Slower than the quickest peer: {', '.join(slower) or 'none of them'}."]


def say(what: str) -> None:
    """Say on standard error what is being measured."""
    print(f"{Path(sys.argv[0]).name}: {what} ...", file=sys.stderr, flush=True)
