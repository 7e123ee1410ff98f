"""Grids and puzzles generated: this package's methods, qqwing and rustoku: ``python profiling/generators.py``.

Methods and peers run in turn, on one thread; a peer that is not there is left out. rustoku is looked for in this
interpreter and in those of ``--python``, qqwing on the path.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import measure
import tables
from measure import Times, in_turn
from peers import packages
from process_part import Processes
from solvers_part import say, seconds_a_puzzle
from tables import Table

MARKS = "<!-- printed by generators.py: begin -->", "<!-- printed by generators.py: end -->"
BASIS = "orbit"
OURS: dict[str, dict[str, Any]] = {
    "minimal": {"minimal": True},
    "24 to 30 clues": {"clues": (24, 30)},
    "24 to 32 clues (usual)": {},
    "24 to 32 clues, rot180": {"symmetry": "rot180"},
}
SAMPLE = 200
"""Puzzles that are looked at for what they are."""


class Scale(NamedTuple):
    """``grids``, ``puzzles`` at a time; grids of a whole process; rounds, and seconds of passes in each."""

    grids: int
    puzzles: int
    whole: int
    rounds: int
    least: float


QUICK = Scale(2_000, 200, 2_000, 1, 0.02)
USUAL = Scale(100_000, 10_000, 1_000_000, 5, 0.5)


def measure_grids(scale: Scale, processor: bool) -> Table:
    """Time each method writing grids as lines of 81 digits to memory."""
    from sudoku_jit.formats.layout import layout
    from sudoku_jit.generating import METHODS, Method, family_size, write_grids

    def run(method: Method) -> float:
        def work() -> None:
            for _ in write_grids(layout("line"), scale.grids, seed=1, method=method, threads=1):
                pass

        return seconds_a_puzzle(work, scale.grids, scale.least, processor)

    measured = in_turn({method: lambda method=method: run(method) for method in METHODS}, scale.rounds)
    rows: list[tables.Row] = [
        {
            "name": method,
            "grids": family_size(method),
            **spent.record(),
            "rate": 1 / spent.median,
            "ratio": spent.median / measured[BASIS].median,
        }
        for method, spent in measured.items()
    ]
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {
        "method": ("name", str),
        "grids it has": ("grids", tables.number),
        "time a grid": ("seconds", lambda seconds: f"{seconds * 1e9:,.0f} ns"),
        "grids/s": ("rate", tables.rate),
        f"time against {BASIS}": ("ratio", tables.times),
    }
    note = f"Grids a second, one thread, {scale.grids:,} lines of 81 digits to memory."
    return Table("generators", "Finished grids", columns, rows, [note])


def measure_processes(scale: Scale, folder: Path) -> Table:
    """Time whole processes with all threads and a warm cache."""
    runs = Processes(folder)

    def run(method: str, n: int) -> float:
        return runs.gen(method, n, 1, "--method", method).seconds

    jobs = {"search": scale.whole, BASIS: scale.whole, "uniform": scale.whole // 10}
    for method in jobs:
        run(method, 1)
    measured = in_turn({name: lambda name=name: run(name, jobs[name]) for name in jobs}, scale.rounds)
    rows: list[tables.Row] = [
        {
            "name": f"gen {jobs[name]:,} --method {name}",
            **spent.record(),
            "ratio": spent.median / measured[BASIS].median if jobs[name] == jobs[BASIS] else None,
        }
        for name, spent in measured.items()
    ]
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {
        "process": ("name", str),
        "time": ("seconds", tables.seconds),
        "least": ("least", tables.seconds),
        "most": ("most", tables.seconds),
        f"against {BASIS}": ("ratio", tables.times),
    }
    note = "From start to exit by the clock, all threads, to a file; 3 times orbit is allowed for search."
    return Table("processes", "Whole processes", columns, rows, [note])


def measure_puzzles(scale: Scale, peers: dict[str, tuple[str, str]], processor: bool) -> Table:
    """Time puzzles with one solution, beside those of the peers; and what all of them are."""
    from sudoku_jit import generate_puzzles

    examples: dict[str, list[str]] = {}

    def ours(name: str) -> float:
        def work() -> None:
            puzzles, _ = generate_puzzles(scale.puzzles, seed=1, threads=1, **OURS[name])
            examples[name] = ["".join(map(str, puzzle)) for puzzle in puzzles[:SAMPLE].tolist()]

        return seconds_a_puzzle(work, scale.puzzles, scale.least, processor)

    def theirs(name: str) -> float:
        environment = {key: value for key, value in os.environ.items() if key != "PEER_CPU"}
        environment |= {"PEER_CPU": "1"} if processor else {}
        command = [peers[name][0], str(Path(__file__).with_name("python_peers.py")), "--generate", name]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        told = json.loads(done.stdout)
        examples[name] = told["puzzles"][:SAMPLE]
        return float(told["seconds"]) / len(told["puzzles"])

    variants: dict[str, Callable[[], float]] = {name: lambda name=name: ours(name) for name in OURS}
    variants |= {name: lambda name=name: theirs(name) for name in peers}
    measured = in_turn(variants, scale.rounds)
    rows = [_row(name, spent, examples[name], name in OURS) for name, spent in measured.items()]
    rustoku = [row for row in rows if row["name"].startswith("rustoku")]
    notes = [
        "Puzzles a second, one thread. What they are: of those looked at, by this package's solver; a slow "
        "peer gives few."
    ]
    by_name = {row["name"]: row for row in rows}
    if "qqwing" in by_name:
        ratio = by_name["minimal"]["rate"] / by_name["qqwing"]["rate"]
        notes.append(f"Minimal puzzles: {tables.times(ratio)} times as many a second as qqwing's (150 are wanted).")
    if rustoku:
        quickest = max(rustoku, key=lambda row: row["rate"])
        ratio = by_name["24 to 30 clues"]["rate"] / quickest["rate"]
        notes.append(
            f"Puzzles of 24 to 30 clues: {tables.times(ratio)} times as many a second as {quickest['name']} gives, its "
            "quickest way (20 are wanted)."
        )
    if peers:
        versions = {name.partition(",")[0]: version for name, (_, version) in peers.items()}
        notes.append("Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".")
    missing = [peer for peer in ("qqwing", "rustoku") if not any(name.startswith(peer) for name in peers)]
    if missing:
        notes.append(f"Not there: {', '.join(missing)}.")
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {
        "puzzles": ("label", str),
        "puzzles/s": ("rate", tables.rate),
        "looked at": ("looked_at", tables.number),
        "with one solution": ("unique", tables.percent),
        "minimal": ("minimal", tables.percent),
        "clues, mean": ("clues", tables.times),
    }
    return Table("puzzles", "Puzzles", columns, rows, notes)


def _row(name: str, spent: Times, lines: list[str], ours: bool) -> tables.Row:
    import numpy as np

    from sudoku_jit import count_many, grid_from_text

    cells = np.array([grid_from_text(line) for line in lines])
    unique = count_many(cells, 2).counts == 1
    minimal = []
    for puzzle in cells[unique]:
        given = np.flatnonzero(puzzle)
        less = np.repeat(puzzle[None], len(given), axis=0)
        less[np.arange(len(given)), given] = 0
        minimal.append(bool((count_many(less, 2).counts > 1).all()))
    return {
        "name": name,
        "label": f"sudoku-jit, {name}" if ours else name,
        **spent.record(),
        "rate": 1 / spent.median,
        "looked_at": len(lines),
        "unique": float(unique.mean()),
        "minimal": sum(minimal) / len(cells),
        "clues": float(np.count_nonzero(cells, axis=1).mean()),
    }


def arguments() -> argparse.Namespace:
    """Read the command line; a wrong one ends the program with what was expected."""
    parser = argparse.ArgumentParser(
        prog="generators.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="one short round: for the tests")
    parser.add_argument("--wall", action="store_true", help="in process: seconds by the clock, not of processor time")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="PROGRAM",
        help="one more interpreter to look for rustoku; can be repeated",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, for a program")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables between the marks in FILE")
    options = parser.parse_args()
    for path in (options.json, options.markdown):
        if path and not path.absolute().parent.is_dir():
            parser.error(f"{path}: there is no folder {path.absolute().parent}")
    for given in options.python:
        if not shutil.which(given):
            parser.error(f"--python {given}: there is no such program; expected a Python interpreter")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        parser.error("NUMBA_DISABLE_JIT is set: there would be no compiled code to measure")
    return options


def main() -> int:
    """Measure, print, and write the files asked for."""
    options = arguments()
    scale, processor = QUICK if options.quick else USUAL, not options.wall
    unused = ("line_profiler", "matplotlib")
    machine: dict[str, Any] = {name: value for name, value in measure.machine().items() if name not in unused}
    machine["load before"] = measure.load()
    say("whole processes")
    with tempfile.TemporaryDirectory(prefix="generators-") as folder:
        whole = measure_processes(scale, Path(folder))
    say("grids")
    grids = measure_grids(scale, processor)
    say("puzzles")
    peers = packages([sys.executable, *options.python], "--generators")
    made = [grids, whole, measure_puzzles(scale, peers, processor)]
    machine |= {"load after": measure.load(), "in process": "processor time" if processor else "by the clock"}
    print("\n\n".join(map(tables.as_text, made)) + "\n")
    print("\n".join(f"{name}: {value}" for name, value in machine.items()))
    if options.json:
        record = {"machine": machine, **{table.name: table.record() for table in made}}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        facts = "; ".join(f"{name} {value}" for name, value in machine.items())
        text = "\n".join([*map(tables.as_markdown, made), f"Measured with {facts}."])
        tables.put_between_marks(options.markdown, text, MARKS)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
