"""Part 3: whole processes, from start to exit: cold, warm, and what they are held against."""

import os
import shutil
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import Ended, Times, in_turn, process, wall
from puzzles import HARD, HARD_FILE
from tables import Row, Table, megabytes, seconds, times

IMPORT_NUMBA = (sys.executable, "-c", "import numba")
PROGRAM = (sys.executable, "-m", "sudoku_jit")
SOLVE_GOAL, FIRST_RUN_GOAL, MEMORY_GOAL = 1.6, 6.0, 300_000_000


class Processes:
    """Runs of the program with a cache of their own, so the user's is neither used nor touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.peaks: dict[str, list[int]] = {}
        self.spent: dict[str, list[float]] = {}

    def run(self, name: str, *arguments: str, cache: str = "warm") -> Ended:
        """One run; its processor time and peak of memory are noted under ``name``."""
        cached = {"NUMBA_CACHE_DIR": str(self.folder / cache)}
        ended = process(arguments, cached, self.folder)
        if ended.peak_bytes:
            self.peaks.setdefault(name, []).append(ended.peak_bytes)
        if ended.processor:
            self.spent.setdefault(name, []).append(ended.processor)
        return ended

    def gen(self, name: str, n: int, seed: int, *options: str, cache: str = "warm") -> Ended:
        """Generate ``n`` grids to a new file."""
        path = self.folder / "sudoku.txt"
        path.unlink(missing_ok=True)
        ended = self.run(name, *PROGRAM, "gen", str(n), "-o", str(path), "--seed", str(seed), *options, cache=cache)
        path.unlink()
        return ended

    def solve(self, name: str, cache: str = "warm") -> Ended:
        """Solve the hard puzzle."""
        return self.run(name, *PROGRAM, "solve", str(HARD_FILE), cache=cache)

    def write_from_memory(self, size: int) -> float:
        """Seconds that ``size`` bytes take from memory to a new file, a MiB at a time."""
        path = self.folder / "zeros"
        block = bytes(1 << 20)

        def work() -> None:
            with open(path, "wb", buffering=0) as file:
                for at in range(0, size, len(block)):
                    file.write(block[: size - at])

        taken = wall(work)
        path.unlink()
        return taken


def measure_processes(folder: Path, n: int, rounds: int, cold_rounds: int, seed: int) -> tuple[Table, dict[str, Times]]:
    """Time whole processes, all in turn. Call it before anything large is imported.

    Returns the table, and the times by name for the table of starts.
    """
    assert "numpy" not in sys.modules, "the peaks of memory would be this process's own"
    runs = Processes(folder)
    cold: dict[str, list[float]] = {"gen cold": [], "solve cold": []}
    announced = []
    for k in range(cold_rounds):
        for name, run in (
            ("gen cold", lambda cache: runs.gen("gen cold", n, seed, cache=cache)),
            ("solve cold", lambda cache: runs.solve("solve cold", cache)),
        ):
            ended = run(f"{name} {k}")
            cold[name].append(ended.seconds)
            announced.append(ended.stderr.count("compiling"))
            shutil.copytree(folder / f"{name} {k}", folder / "warm", dirs_exist_ok=True)
    size = n * 163
    variants: dict[str, Callable[[], float]] = {
        "import numba": lambda: runs.run("import numba", *IMPORT_NUMBA).seconds,
        "write": lambda: runs.write_from_memory(size),
        "gen": lambda: runs.gen("gen", n, seed).seconds,
        "gen orbit": lambda: runs.gen("gen orbit", n, seed, "--method", "orbit").seconds,
        "gen twice": lambda: runs.gen("gen twice", 2 * n, seed).seconds,
        "solve": lambda: runs.solve("solve").seconds,
    }
    measured = in_turn(variants, rounds)
    measured |= {name: Times(tuple(spent)) for name, spent in cold.items()}
    table = _table(measured, runs, n, announced)
    return table, measured


def _table(measured: dict[str, Times], runs: Processes, n: int, announced: list[int]) -> Table:
    peaks = runs.peaks
    base, write = measured["import numba"].median, measured["write"].median
    labels: dict[str, tuple[str, float | None, str]] = {
        "import numba": ('python -c "import numba"', None, ""),
        "write": (f"writing {n * 163:,} bytes from memory", None, ""),
        "gen": (f"gen {n:,}", 3 * measured["gen orbit"].median, "3 x gen --method orbit"),
        "gen orbit": (f"gen {n:,} --method orbit", base + 2 * write, "import numba + 2 x writing"),
        "gen twice": (f"gen {2 * n:,}", 2 * measured["gen"].median, f"2 x gen {n:,}"),
        "solve": ("solve hard.txt", SOLVE_GOAL * base, f"{SOLVE_GOAL} x import numba"),
        "gen cold": (f"gen {n:,}, empty cache", FIRST_RUN_GOAL, f"{FIRST_RUN_GOAL:.0f} s"),
        "solve cold": ("solve hard.txt, empty cache", FIRST_RUN_GOAL, f"{FIRST_RUN_GOAL:.0f} s"),
    }
    rows: list[Row] = []
    for name, (label, goal, reason) in labels.items():
        record: dict[str, Any] = measured[name].record()
        peak = max(peaks[name]) if peaks.get(name) else None
        spent = statistics.median(runs.spent[name]) if runs.spent.get(name) else None
        rows.append(
            {
                "name": name,
                "label": label,
                **record,
                "goal": goal,
                "goal_is": reason or None,
                "of_goal": record["seconds"] / goal if goal else None,
                "met": record["seconds"] <= goal if goal else None,
                "against_import": record["seconds"] / base,
                "peak_bytes": peak,
                "processor": spent,
            }
        )
    highest = max((peak for name in peaks if name.startswith("gen") for peak in peaks[name]), default=0)
    notes = [
        "Seconds by the clock from start to exit, median, all in turn in one run; output goes to "
        "new files in one folder.",
        "Lines on stderr that say that it compiles, in each process with an empty cache: "
        f"{', '.join(map(str, announced))}.",
        f"{megabytes(MEMORY_GOAL)} of memory are allowed for any number of grids; the highest peak "
        f"was {megabytes(highest) if highest else 'not to be had here'}.",
        f"gen {2 * n:,} takes {times(measured['gen twice'].median / measured['gen'].median)} times "
        f"as long as gen {n:,}.",
    ]
    return Table(
        "process",
        "Whole processes",
        {
            "process": ("label", str),
            "time": ("seconds", seconds),
            "least": ("least", seconds),
            "most": ("most", seconds),
            "processor time": ("processor", seconds),
            "against import numba": ("against_import", times),
            "allowed": ("goal", seconds),
            "that is": ("goal_is", str),
            "of the allowed": ("of_goal", times),
            "peak memory": ("peak_bytes", megabytes),
        },
        rows,
        notes,
    )


def measure_starts(measured: dict[str, Times], folder: Path, n: int, rounds: int, seed: int) -> Table:
    """Put the three times of a command side by side that are easily taken for one another."""
    import report_writer

    from sudoku_jit import solving

    path = str(folder / "steady.txt")

    def gen() -> float:
        spent = wall(lambda: report_writer.whole_file(path, n, seed, "search"))
        os.unlink(path)
        return spent

    def solve() -> float:
        return wall(lambda: solving.solve(HARD))

    gen(), solve()
    steady = in_turn({"gen": gen, "solve": solve}, rounds)
    base = measured["import numba"].median
    rows: list[Row] = [
        {
            "name": name,
            "label": label,
            "cold": measured[f"{name} cold"].median,
            "warm": measured[name].median,
            "steady": statistics.median(steady[name].seconds),
            "import_numba": base,
            "ratio": measured[name].median / base,
        }
        for name, label in (("gen", f"gen {n:,}"), ("solve", "solve hard.txt"))
    ]
    return Table(
        "starts",
        "Cold, warm and steady",
        {
            "command": ("label", str),
            "cold process": ("cold", seconds),
            "warm process": ("warm", seconds),
            "steady, in process": ("steady", seconds),
            "import numba": ("import_numba", seconds),
            "warm against import numba": ("ratio", times),
        },
        rows,
        [
            "Cold: the cache folder is empty, kernels are compiled. Warm: a whole process that "
            "loads them. Steady: the same work called again in one process, kernels loaded.",
        ],
    )
