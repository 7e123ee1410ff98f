"""Part 4: whole processes on a file of a million lines, beside the example program of tdoku."""

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Ended, Times, in_turn, process
from peer_programs import wrong
from peer_sets import PuzzleSet
from tables import Row, Table, number, seconds, times

LINE = 82
"""Bytes of a puzzle's line."""
SOLVE = (sys.executable, "-m", "sudoku_jit", "solve")
OURS: dict[str, list[str]] = {"ours": [], "ours, one thread": ["--threads", "1"]}
LABELS = {
    "ours": "sudoku-jit solve IN -o OUT",
    "ours, one thread": "sudoku-jit solve IN -o OUT --threads 1",
    "example 2": "tdoku's example, limit 2 (and the grid by a second search)",
    "example 1": "tdoku's example, limit 1 (nothing proved)",
}


def measure_files(puzzles: PuzzleSet, lines: int, example: str | None, rounds: int, folder: Path) -> Table:
    """Solve a file that repeats the set up to so many lines, in turn; assert that the grids are the same."""
    source, target = folder / "in.txt", folder / "out.txt"
    whole, rest = divmod(lines, len(puzzles.lines))
    source.write_bytes(puzzles.text * whole + puzzles.text[: rest * LINE])
    spent: dict[str, list[float]] = {}

    def run(name: str) -> float:
        target.unlink(missing_ok=True)
        if name in OURS:
            ended: Ended = process([*SOLVE, str(source), "-o", str(target), *OURS[name]], {}, folder)
        else:
            ended = process([str(example), name[-1]], {}, folder, stdin=source, stdout=target)
        if ended.processor:
            spent.setdefault(name, []).append(ended.processor)
        return ended.seconds

    def solved(name: str) -> list[str]:
        run(name)
        return target.read_text(encoding="ascii").splitlines()

    names = [*OURS, "example 2", "example 1"] if example else [*OURS]
    # The first run of each is not timed: kernels and files are then at hand.
    grids, again = (solved(name) for name in OURS)
    assert grids == again, "the threads change the output"
    if len(grids) != lines:
        raise wrong(f"sudoku-jit solve wrote {len(grids):,} lines; expected {lines:,}")
    for name in names[len(OURS) :]:
        _check_grids(solved(name), grids, puzzles.name)
    spent.clear()
    variants: dict[str, Callable[[], float]] = {name: lambda name=name: run(name) for name in names}
    measured = in_turn(variants, rounds)
    return _table(measured, spent, puzzles, lines, rounds)


def _check_grids(answers: list[str], grids: list[str], name: str) -> None:
    """``answers``: lines ``puzzle:count:solution`` of the example program."""
    for answer, grid in zip(answers, grids, strict=True):
        _, count, solution = answer.split(":")
        if count == "1" and solution != grid:
            raise wrong(f"tdoku's example and this package disagree on {name}: {answer} and {grid}")


def _table(
    measured: dict[str, Times], spent: dict[str, list[float]], puzzles: PuzzleSet, lines: int, rounds: int
) -> Table:
    ours = measured["ours"].median
    processor = {name: statistics.median(runs) for name, runs in spent.items()}
    rows: list[Row] = []
    for name, runs in measured.items():
        record: dict[str, Any] = runs.record()
        known = name != "ours" and name in processor and "ours" in processor
        rows.append(
            {
                "name": name,
                "label": LABELS[name],
                "lines": lines,
                **record,
                "processor": processor.get(name),
                "ratio": record["seconds"] / ours if name != "ours" else None,
                "processor_ratio": processor[name] / processor["ours"] if known else None,
            }
        )
    return Table(
        "files",
        f"Whole process: {lines:,} lines of {puzzles.name}",
        {
            "command": ("label", str),
            "lines": ("lines", number),
            "by the clock": ("seconds", seconds),
            "least": ("least", seconds),
            "most": ("most", seconds),
            "processor time": ("processor", seconds),
            "times this package's, by the clock": ("ratio", times),
            "times this package's, processor time": ("processor_ratio", times),
        },
        rows,
        [
            f"From start to exit, warm, in turn, rounds: {rounds}, medians. The file repeats the set. The grids are "
            "the same: asserted. `sudoku-jit solve` proves each puzzle, writes its grid, and takes as many threads as "
            "there are processors unless told; the example program has one thread, and writes puzzle, count and grid."
            + ("" if len(measured) > len(OURS) else " No peer was given: --tdoku-example PROGRAM."),
        ],
    )
