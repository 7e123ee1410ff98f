"""Other solvers and this package, side by side: ``python profiling/peers.py``.

Runs whatever peers there are, in turn with this package, on the same puzzles and one thread, and prints a table for
each part and a record of the machine. Without a peer it prints this package's figures alone.

A peer that is a program of its own (--tdoku, --rust) is called as

    PROGRAM FILE LIMIT

FILE: lines of 81 characters, digits and dots. LIMIT: how many solutions of each puzzle are counted at most, 2 or 1. It
reads all lines first, solves them once to warm up, then in timed passes on one thread, and prints one JSON line:

    {"peer": "its name", "puzzles": 1465, "rate": 160300, "counts": [0, 1465, 0]}

rate: puzzles a second, median of the passes, in seconds of processor time if PEER_CPU is in its environment, else by
the clock. counts: puzzles with no, with one, with several solutions; they must be those that this package counts.
"""

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import measure
import tables

MARKS = "<!-- printed by peers.py: begin -->", "<!-- printed by peers.py: end -->"

ABOUT = """    python profiling/peers.py                     # sets made from fixed seeds, the peers that are installed
    python profiling/peers.py --sets FILE ... --tdoku PROGRAM --rust PROGRAM --tdoku-example PROGRAM --python PROGRAM
    python profiling/peers.py --quick             # small counts, for the tests

runs whatever peers there are in turn with this package, on the same puzzles, and prints a table for each part. The
fastest solvers known, [tdoku](https://github.com/t-dillon/tdoku) and the Rust crate
[sudoku](https://github.com/Emerentius/sudoku), are programs that you build; none of their code is here. A program is
called as `PROGRAM FILE LIMIT`: a file of lines of 81 characters, digits and dots, and how many solutions are counted of
each puzzle at most. It reads all lines first, solves them once to warm up, then in timed passes on one thread, and
prints one JSON line:

    {"peer": "its name", "puzzles": 1465, "rate": 160300, "counts": [0, 1465, 0]}

`rate`: puzzles a second, median of the passes; of processor time if `PEER_CPU` is in its environment, else by the
clock. `counts`: puzzles with none, one and several solutions; a peer that counts otherwise than this package ends the
run.
`--tdoku-example` is tdoku's own `example/solve`. The Python packages rustoku, hodoku-py and py-sudoku are looked for in
this interpreter and in those of `--python`, qqwing on the path.

The figures below are of these sets and peers:
"""


class Scale(NamedTuple):
    """How much is measured: rounds, seconds of passes in each, lines of the file, puzzles of the sets made here.

    ``patience``: seconds after which a Python package is stopped.
    """

    rounds: int
    least: float
    lines: int
    made: tuple[int, int, int]
    patience: float


QUICK = Scale(1, 0.02, 2_000, (200, 100, 50), 2)
USUAL = Scale(5, 0.5, 1_000_000, (20_000, 10_000, 5_000), 20)

PROGRAMS = {
    "tdoku": "PROGRAM FILE LIMIT, see above",
    "rust": "the same, for the Rust crate sudoku",
    "tdoku-example": "tdoku's example/solve: PROGRAM LIMIT, puzzles on stdin",
}


def arguments() -> argparse.Namespace:
    """Read the command line; a wrong one ends the program with what was expected."""
    parser = argparse.ArgumentParser(
        prog="peers.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sets", type=Path, nargs="+", metavar="FILE", help="puzzles; default: sets made from fixed seeds"
    )
    for name, called in PROGRAMS.items():
        variable = f"PEER_{name.upper().replace('-', '_')}"
        parser.add_argument(
            f"--{name}", metavar="PROGRAM", default=os.environ.get(variable), help=f"{called} (default: ${variable})"
        )
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="PROGRAM",
        help="one more interpreter to look for rustoku, hodoku-py and py-sudoku; can be repeated",
    )
    parser.add_argument("--quick", action="store_true", help="one short round, a small file: for the tests")
    parser.add_argument("--wall", action="store_true", help="in process: seconds by the clock, not of processor time")
    parser.add_argument(
        "--note", action="append", default=[], metavar="TEXT", help="for the record, e.g. what a set is; repeatable"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, for a program")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the tables between the marks in FILE")
    options = parser.parse_args()
    for path in (options.json, options.markdown):
        if path and not path.absolute().parent.is_dir():
            parser.error(f"{path}: there is no folder {path.absolute().parent}")
    for path in options.sets or []:
        if not path.is_file():
            parser.error(f"--sets {path}: there is no such file")
    names = [path.name for path in options.sets or []]
    if len(set(names)) < len(names):
        parser.error("--sets: two files have the same name; expected different ones, the tables know them by it")
    for name, called in PROGRAMS.items():
        given = getattr(options, name.replace("-", "_"))
        if given:
            found = shutil.which(given)
            if not found:
                parser.error(f"--{name} {given}: there is no such program; expected {called}")
            setattr(options, name.replace("-", "_"), str(Path(found).absolute()))
    for given in options.python:
        if not shutil.which(given):
            parser.error(f"--python {given}: there is no such program; expected a Python interpreter")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        parser.error("NUMBA_DISABLE_JIT is set: there would be no compiled code to measure")
    if importlib.util.find_spec("sudoku_jit") is None:
        parser.exit(2, "peers.py: sudoku_jit not installed; expected: pip install sudoku-jit\n")
    return options


def packages(interpreters: list[str], listed: str = "--list") -> dict[str, tuple[str, str]]:
    """Peers that are Python packages, or qqwing: names to (the first interpreter that has it, version)."""
    found: dict[str, tuple[str, str]] = {}
    adapter = str(Path(__file__).with_name("python_peers.py"))
    for interpreter in interpreters:
        done = subprocess.run([interpreter, adapter, listed], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{Path(sys.argv[0]).name}: {interpreter} ended with {done.returncode}\n{done.stderr}")
        for name, version in json.loads(done.stdout).items():
            found.setdefault(name, (interpreter, version))
    return found


def measure_all(options: argparse.Namespace, folder: Path) -> list[tables.Table]:
    """Measure all parts."""
    import files_part
    import packages_part
    import peer_sets
    import solvers_part
    from solvers_part import say

    scale = QUICK if options.quick else USUAL
    say("sets")
    try:
        lines = {path.name: peer_sets.read_set(path) for path in options.sets or []}
    except peer_sets.SetError as error:
        raise SystemExit(f"peers.py: {error}") from None
    made = lines or peer_sets.made(*scale.made)
    sets = [peer_sets.put(name, puzzles, folder) for name, puzzles in made.items()]
    programs = {name: getattr(options, name) for name in ("tdoku", "rust") if getattr(options, name)}
    say("counted to two")
    amount = scale.rounds, scale.least, not options.wall
    two = solvers_part.measure_solvers(sets, programs, 2, *amount)
    say("counted to one")
    one = solvers_part.measure_solvers(sets, programs, 1, *amount)
    say("Python packages")
    found = packages([sys.executable, *options.python])
    slow = packages_part.measure_packages(sets, found, two, folder, scale.patience, not options.wall)
    say("whole processes")
    unique = [puzzles for puzzles in sets if solvers_part.kinds(puzzles, 2)[1] == len(puzzles.lines)]
    whole = [
        files_part.measure_files(puzzles, scale.lines, options.tdoku_example, scale.rounds, folder)
        for puzzles in unique[:1]
    ]
    return [two, one, slow, *whole]


def main() -> int:
    """Measure, print, and write the files asked for."""
    options = arguments()
    unused = ("line_profiler", "matplotlib")
    machine: dict[str, Any] = {name: value for name, value in measure.machine().items() if name not in unused}
    machine["load before"] = measure.load()
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        made = measure_all(options, Path(folder))
    machine |= {"load after": measure.load(), "in process": "by the clock" if options.wall else "processor time"}
    machine |= {"amount": "quick" if options.quick else "usual"}
    for table in made:
        print(tables.as_text(table) + "\n")
    print("\n".join([*options.note, *(f"{name}: {value}" for name, value in machine.items())]))
    if options.json:
        record = {"machine": machine, "notes": options.note, **{table.name: table.record() for table in made}}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        tables.put_between_marks(options.markdown, markdown(made, machine, options.note), MARKS)
    return 0


def markdown(made: list[tables.Table], machine: dict[str, Any], notes: list[str]) -> str:
    """Write how it is done, the tables and the machine for a README."""
    facts = [f"| {name} | {value} |" for name, value in machine.items()]
    return "\n".join(
        [
            "## Side by side with other solvers\n",
            ABOUT,
            *(f"- {note}" for note in notes),
            "",
            *map(tables.as_markdown, made),
            "### Machine of these figures\n",
            "| what | value |",
            "|---|---|",
            *facts,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
