"""Canonical forms and morphs, a second: ``python profiling/canonical_forms.py``.

Solution grids in any order of rows, columns and digits are brought to minlex form on one thread: by this package and,
if one is given (--rust), by a program of another. It is called as

    PROGRAM FILE 1

FILE: solution grids, lines of 81 digits. It reads them all, brings them to minlex form once to warm up, then in timed
passes on one thread, and prints one JSON line:

    {"peer": "its name", "puzzles": 20000, "rate": 30000, "counts": [19000, 20100]}

rate: grids a second, median of the passes, in seconds of processor time if PEER_CPU is in its environment. counts: how
many different forms, and the sum of the numbers of automorphisms; they must be those that this package finds.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
import tables
from peer_programs import call, wrong
from tables import Row, Table

MARKS = "<!-- printed by canonical_forms.py: begin -->", "<!-- printed by canonical_forms.py: end -->"
SEED = 1
ABOUT = """    python profiling/canonical_forms.py                              # grids made from a fixed seed
    python profiling/canonical_forms.py --sets FILE ... --rust PROGRAM    # solutions of puzzles; beside a peer
    python profiling/canonical_forms.py --quick                      # small counts, for the tests

brings solution grids to minlex form on one thread, this package and a program of yours in turn. Such a program is
called as `PROGRAM FILE 1`, with lines of 81 digits, and prints one JSON line as those above do; `counts` are the number
of different forms and the sum of the numbers of automorphisms, and must be those that this package finds.
"""


def arguments() -> argparse.Namespace:
    """Read the command line; a wrong one ends the program with what was expected."""
    parser = argparse.ArgumentParser(
        prog="canonical_forms.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=Path, nargs="+", default=[], metavar="FILE", help="puzzles with one solution")
    parser.add_argument(
        "--rust",
        metavar="PROGRAM",
        default=os.environ.get("PEER_RUST_CANONICAL"),
        help="PROGRAM FILE 1, see above, made with the Rust crate sudoku (default: $PEER_RUST_CANONICAL)",
    )
    parser.add_argument("--quick", action="store_true", help="one short round, few grids: for the tests")
    parser.add_argument("--note", action="append", default=[], metavar="TEXT", help="for the record; repeatable")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="put the table between the marks in FILE")
    options = parser.parse_args()
    if options.rust and not shutil.which(options.rust):
        parser.error(f"--rust {options.rust}: there is no such program; expected PROGRAM FILE 1, see above")
    for path in options.sets:
        if not path.is_file():
            parser.error(f"--sets {path}: there is no such file")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        parser.error("NUMBA_DISABLE_JIT is set: there would be no compiled code to measure")
    return options


def solutions(path: Path) -> tuple[Any, Any]:
    """The puzzles of a file and their solutions, both as random morphs."""
    import peer_sets

    from sudoku_jit import morph_many, solve_many

    try:
        puzzles = peer_sets.read_set(path)
    except peer_sets.SetError as error:
        raise wrong(str(error)) from None
    answers = solve_many(puzzles)
    if (answers.status != 1).any():
        raise wrong(f"{path}: a puzzle without exactly one solution; expected one for each")
    return morph_many(puzzles, 1, seed=SEED)[:, 0], morph_many(answers.grids, 1, seed=SEED)[:, 0]


def made(n: int) -> Any:
    """Solution grids of many classes: the smallest solutions of puzzles that have several, as random morphs."""
    from sudoku_jit import generate_puzzles, morph_many, solve_many

    puzzles, _ = generate_puzzles(n, seed=SEED, clues=(19, 21), unique=False)
    return morph_many(solve_many(puzzles, limit=1).grids, 1, seed=SEED)[:, 0]


def measured(name: str, grids: Any, puzzles: Any, rust: str | None, rounds: int, least: float, folder: Path) -> Row:
    """Time all on one set of grids, in turn."""
    import numpy as np
    from solvers_part import seconds_a_puzzle

    from sudoku_jit import canonical_grids, canonical_puzzles, grid_to_text, morph_many

    found = canonical_grids(grids)
    counts = [len(np.unique(found.forms, axis=0)), int(found.automorphisms.sum())]
    path = folder / "grids.txt"
    path.write_text("".join(f"{grid_to_text(grid)}\n" for grid in grids), encoding="ascii")
    peer: dict[str, str] = {}

    def ask() -> float:
        answer = call([str(rust)], path, 1, processor=True)
        assert answer
        if answer.counts != counts:
            raise wrong(f"{answer.peer} and this package disagree on {name}: {answer.counts} and {counts}")
        peer["peer"] = answer.peer
        return 1 / answer.rate

    works: dict[str, Callable[[], Any]] = {
        "grids": lambda: canonical_grids(grids, threads=1),
        "morphs": lambda: morph_many(grids, 10, seed=SEED, threads=1),
    }
    if puzzles is not None:
        works["puzzles"] = lambda: canonical_puzzles(puzzles, threads=1)
    variants = {
        key: lambda key=key, work=work: seconds_a_puzzle(work, len(grids) * (10 if key == "morphs" else 1), least, True)
        for key, work in works.items()
    }
    spent = measure.in_turn(variants | ({"rust": ask} if rust else {}), rounds)
    rates = {key: 1 / times.median for key, times in spent.items()}
    ratio = rates["grids"] / rates["rust"] if rust else None
    noisy = any(times.noisy for times in spent.values())
    return {"name": name, "n": len(grids), "classes": counts[0], "ratio": ratio, "noisy": noisy, **rates, **peer}


def table(rows: list[Row]) -> Table:
    """Lay out what was measured."""
    peer = rows[0].get("peer")
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {
        "set": ("name", str),
        "grids": ("n", tables.number),
        "classes": ("classes", tables.number),
        "canonical_grids/s": ("grids", tables.rate),
        "canonical_puzzles/s": ("puzzles", tables.rate),
        "morph_many/s": ("morphs", tables.rate),
    }
    if peer:
        columns |= {f"{peer}/s": ("rust", tables.rate), "canonical_grids against it": ("ratio", tables.times)}
    notes = [
        "A second of processor time, one thread; in turn, medians. Each grid stands in random order of rows, columns "
        "and digits. `canonical_puzzles` solves the puzzles first; `morph_many` makes ten of each grid."
    ]
    notes.append("Forms and automorphisms as the peer has them: asserted." if peer else "No peer was given: --rust.")
    return Table("canonical", "Canonical forms and morphs", columns, rows, notes)


def main() -> int:
    """Measure, print, and write the file asked for."""
    options = arguments()
    rounds, least, n = (1, 0.02, 300) if options.quick else (5, 0.5, 20_000)
    machine = measure.machine()
    machine["load before"] = measure.load()
    rows = []
    with tempfile.TemporaryDirectory(prefix="canonical-") as folder:
        rust = options.rust and str(Path(shutil.which(options.rust) or "").absolute())
        for name, (puzzles, grids) in [
            ("made here", (None, made(n))),
            *((f"solutions of {path.name}", solutions(path)) for path in options.sets),
        ]:
            rows.append(measured(name, grids, puzzles, rust, rounds, least, Path(folder)))
    machine["load after"] = measure.load()
    result = table(rows)
    facts = [f"{name}: {value}" for name, value in machine.items() if name not in ("line_profiler", "matplotlib")]
    print(tables.as_text(result) + "\n\n" + "\n".join([*options.note, *facts]))
    if options.markdown:
        notes = [f"- {note}" for note in [*options.note, *facts]]
        parts = ["## Canonical forms", "", ABOUT, tables.as_markdown(result), *notes]
        tables.put_between_marks(options.markdown, "\n".join(parts), MARKS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
