"""The performance section of the report, measured again: ``python profiling/compare.py``.

Prints one table for each part with the report's figures beside the measured ones, the listings of
line_profiler, and a record of the machine.
"""

import argparse
import importlib.util
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import measure
import process_part
import tables

SEED = 1


class Scale(NamedTuple):
    """How much is measured."""

    rounds: int
    plain_nodes: int
    grids: tuple[int, int]
    processes: int
    cold: int
    profiled_nodes: int
    profiled_grids: int


QUICK = Scale(2, 3_000, (1_000, 10_000), 1, 1, 500, 200)
USUAL = Scale(9, 100_000, (10_000, 1_000_000), 15, 3, 20_000, 10_000)


def arguments() -> argparse.Namespace:
    """Read the command line; a wrong one ends the program with what was expected."""
    parser = argparse.ArgumentParser(prog="compare.py", description=__doc__)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--quick", action="store_true", help="small counts, less than 20 seconds")
    amount.add_argument("--full", action="store_true", help="write the million grids also in the slow ways")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, for a program")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a bar chart: .png or .svg")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables between the marks in FILE")
    options = parser.parse_args()
    if options.plot and options.plot.suffix.lower() not in (".png", ".svg"):
        parser.error(f"--plot {options.plot}: expected a name that ends in .png or .svg")
    for path in (options.json, options.plot, options.markdown):
        if path and not path.absolute().parent.is_dir():
            parser.error(f"{path}: there is no folder {path.absolute().parent}")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        parser.error("NUMBA_DISABLE_JIT is set: there would be no compiled code to measure")
    needed = ["sudoku_jit", "line_profiler"] + ["matplotlib"] * bool(options.plot)
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        parser.exit(
            2,
            f"compare.py: {' and '.join(missing)} not installed; "
            "expected the extra: pip install 'sudoku-jit[profile]'\n",
        )
    return options


def measure_all(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure all parts; processes come first, see ``measure.process``."""
    scale = QUICK if options.quick else USUAL
    small, large = scale.grids
    say("whole processes")
    processes, spent = process_part.measure_processes(folder, large, scale.processes, scale.cold, SEED)
    # The kernels of this process come from the cache that the processes have filled.
    os.environ["NUMBA_CACHE_DIR"] = str(folder / "warm")
    import listings
    import solving_part
    import writing_part

    say("solving")
    solving = solving_part.measure_solving(scale.rounds, scale.plain_nodes)
    say("listings")
    texts = listings.profile_solvers(scale.profiled_nodes)
    writers, shares = listings.profile_writers(folder, scale.profiled_grids, SEED)
    say("writing")
    writing = writing_part.measure_writing(folder, (small, large), scale.rounds, options.full, SEED, shares)
    starts = process_part.measure_starts(spent, folder, large, scale.rounds, SEED)
    return {"tables": [solving, writing, starts, processes], "listings": texts | writers}


def main() -> int:
    """Measure, print, and write the files asked for."""
    options = arguments()
    machine = measure.machine() | {"seed": SEED, "load before": measure.load()}
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        made = measure_all(options, Path(folder))
    machine["load after"] = measure.load()
    amount = "quick" if options.quick else "full" if options.full else "usual"
    print("\n\n".join(made["listings"].values()))
    print("(line_profiler sees Python lines; compiled code is invisible to it.)\n")
    for table in made["tables"]:
        print(tables.as_text(table) + "\n")
    print("\n".join(f"{name}: {value}" for name, value in machine.items()))
    if options.json:
        record = {
            "amount": amount,
            "machine": machine,
            **{table.name: table.record() for table in made["tables"]},
            "listings": made["listings"],
        }
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        tables.put_between_marks(options.markdown, markdown(made, machine, amount))
    if options.plot:
        import picture

        solving, writing, *_ = made["tables"]
        picture.draw(options.plot, solving, writing)
    return 0


def markdown(made: dict[str, Any], machine: dict[str, Any], amount: str) -> str:
    """Write the tables, the machine and the listings for a README."""
    facts = [f"| {name} | {value} |" for name, value in machine.items()]
    blocks = [f"#### {name}\n\n```\n{text}```\n" for name, text in made["listings"].items()]
    return "\n".join(
        [
            *map(tables.as_markdown, made["tables"]),
            "### Machine\n",
            "| what | value |",
            "|---|---|",
            *facts,
            f"| amount | {amount} |",
            "",
            "### Listings of line_profiler\n",
            "line_profiler sees Python lines; compiled code is invisible to it.\n",
            *blocks,
        ]
    )


def say(what: str) -> None:
    """Say on standard error what is being measured."""
    print(f"compare.py: {what} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
