"""The ways to generate grids, side by side on one thread: ``python profiling/generators.py``."""

import argparse
import json
import os
from pathlib import Path
from typing import Any

import measure
import tables
from measure import in_turn
from solvers_part import seconds_a_puzzle

from sudoku_jit.formats.layout import layout
from sudoku_jit.generating import METHODS, Method, family_size, write_grids

BASIS: Method = "orbit"


def measure_generators(count: int, rounds: int, least: float, processor: bool) -> tables.Table:
    """Time each method, in turn, writing ``count`` grids as lines of 81 digits to memory."""

    def run(method: Method) -> float:
        def work() -> None:
            for _ in write_grids(layout("line"), count, seed=1, method=method, threads=1):
                pass

        return seconds_a_puzzle(work, count, least, processor)

    measured = in_turn({method: lambda method=method: run(method) for method in METHODS}, rounds)
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
    return tables.Table(
        "generators",
        "Finished grids",
        {
            "method": ("name", str),
            "grids it has": ("grids", tables.number),
            "time a grid": ("seconds", lambda seconds: f"{seconds * 1e9:,.0f} ns"),
            "grids/s": ("rate", tables.rate),
            f"time against {BASIS}": ("ratio", tables.times),
        },
        rows,
        [
            f"Grids a second {'of processor time' if processor else 'by the clock'}, one thread, {count:,} lines of 81 "
            f"digits to memory; in turn, rounds: {rounds}, medians."
        ],
    )


def main() -> int:
    """Measure, print, and write the file asked for."""
    parser = argparse.ArgumentParser(prog="generators.py", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round: for the tests")
    parser.add_argument("--wall", action="store_true", help="seconds by the clock, not of processor time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, for a program")
    options = parser.parse_args()
    if options.json and not options.json.absolute().parent.is_dir():
        parser.error(f"{options.json}: there is no folder {options.json.absolute().parent}")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        parser.error("NUMBA_DISABLE_JIT is set: there would be no compiled code to measure")
    unused = ("line_profiler", "matplotlib")
    machine: dict[str, Any] = {name: value for name, value in measure.machine().items() if name not in unused}
    machine["load before"] = measure.load()
    amount = (2_000, 1, 0.02) if options.quick else (100_000, 5, 0.5)
    table = measure_generators(*amount, not options.wall)
    machine["load after"] = measure.load()
    print(tables.as_text(table) + "\n")
    print("\n".join(f"{name}: {value}" for name, value in machine.items()))
    if options.json:
        record = {"machine": machine, table.name: table.record()}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
