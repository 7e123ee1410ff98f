"""Part 3: line_profiler's listings, and the share of writing taken from them.

line_profiler sees Python lines. Compiled code is invisible to it: of a kernel it shows the call.
"""

import inspect
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import report_solver
import report_writer
from line_profiler import LineProfiler
from puzzles import HARD

WRITING = ("open(", "output(", "file.write(", "write_each", "write_all")
"""What makes a line of a writer a writing line."""


def _listing(functions: list[Any], run: Callable[[], Any]) -> tuple[str, LineProfiler]:
    profiler = LineProfiler(*functions)
    profiler.enable_by_count()
    try:
        run()
    finally:
        profiler.disable_by_count()
    text = io.StringIO()
    profiler.print_stats(stream=text, stripzeros=True)
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    # Where a file lies on this machine says nothing to a reader.
    lines = [f"File: {Path(line).name}" if line.startswith("File: ") else line for line in lines]
    return "\n".join(lines).strip() + "\n", profiler


def profile_solvers(nodes: int) -> dict[str, str]:
    """Profile the report's two solvers in plain Python, stopped after ``nodes`` nodes."""
    listings = {}
    for name, source, run in (
        ("solver before", report_solver.before, report_solver.run_before),
        ("solver after", report_solver.after, report_solver.run_after),
    ):
        search, helper = source(report_solver.plain)
        work = lambda run=run, search=search: run(search, HARD, 2, nodes)  # noqa: E731
        listings[name], _ = _listing([helper, search], work)
    return listings


def profile_writers(folder: Path, n: int, seed: int) -> tuple[dict[str, str], dict[str, float]]:
    """Profile the ways to write ``n`` grids: listings, and the share of the writing lines.

    Only the outer function is profiled for the share, so that the profiler's own cost for each line
    does not swell the inner loops.
    """
    listings, shares = {}, {}
    path = str(folder / "profiled.txt")
    for name, way in report_writer.WRITERS.items():
        way(path, 1, seed)
        text, profiler = _listing([way], lambda way=way: way(path, n, seed))
        listings[f"writing: {name}"] = text
        shares[name] = _share(profiler, way)
    grid = report_writer.make_grid(random.Random(seed))
    with open(path, "w") as file:
        for inner in (report_writer.write_each_digit, report_writer.write_each_row):
            listings[f"inside {inner.__name__}"], _ = _listing(
                [inner], lambda inner=inner: [inner(file, grid) for _ in range(n)]
            )
    return listings, shares


def _share(profiler: LineProfiler, function: Callable[..., Any]) -> float:
    """Add up the part of the function's time that its writing lines take, opening and closing included."""
    source, first = inspect.getsourcelines(function)
    writing = total = 0
    for lines in profiler.get_stats().timings.values():
        for number, _, spent in lines:
            total += spent
            text = source[number - first]
            if any(word in text for word in WRITING):
                writing += spent
    return writing / total
