"""Part 1: the hard puzzle, before and after."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import report_solver
from measure import in_turn, processor, wall
from puzzles import EASY, HARD
from report_solver import Answer
from tables import Row, Table, number, seconds, times

REPORT = {"before": 34.263, "after": 2.614}
GOAL = 13.1

SEARCHES = {2: "whole tree", 1: "first solution"}
"""Solutions to stop at, and what that makes of the search: the puzzle has one solution."""


class Form(NamedTuple):
    """``solve(puzzle, limit)``; ``reading``: whether it fills the blanks in reading order."""

    label: str
    solve: Callable[[str, int], Answer]
    reading: bool = True
    report: float | None = None


def _package(order: str) -> Callable[[str, int], Answer]:
    def solve(puzzle: str, limit: int) -> Answer:
        from sudoku_jit import solving

        found = solving.search_many(puzzle, order, limit)  # type: ignore[arg-type]
        return Answer(int(found.nodes[0]), int(found.counts[0]), found.grids[0].tolist())

    return solve


def _forms() -> dict[str, Form]:
    def recursive(source, run):  # type: ignore[no-untyped-def]
        search, _ = source(report_solver.compiled)
        return functools.partial(run, search, kind=np.array)

    def iterative(source):  # type: ignore[no-untyped-def]
        return functools.partial(report_solver.run_stack, source(report_solver.compiled))

    return {
        "before": Form(
            "before: check of row, column, box; recursion",
            recursive(report_solver.before, report_solver.run_before),
            report=REPORT["before"],
        ),
        "after": Form(
            "after: one-hot, OR of 27 cells; recursion",
            recursive(report_solver.after, report_solver.run_after),
            report=REPORT["after"],
        ),
        "stack": Form("after, explicit stack, 16-bit cells", iterative(report_solver.stack)),
        "ahead": Form("after, the same, 27 cells looked at one blank ahead", iterative(report_solver.ahead)),
        "reading": Form("sudoku_jit, reading order, OR kept for each unit", _package("reading")),
        "fewest": Form("sudoku_jit, fewest candidates first", _package("fewest"), reading=False),
    }


def measure_solving(rounds: int, plain_nodes: int) -> Table:
    """Time all forms on the hard puzzle; assert that those in reading order visit the same nodes.

    ``plain_nodes``: how many nodes the plain Python forms are given.
    """
    forms = _forms()
    first_calls = {name: wall(lambda form=form: form.solve(EASY, 2)) for name, form in forms.items()}
    rows: list[Row] = []
    totals: dict[str, int] = {}
    for limit, search in SEARCHES.items():
        answers = {name: form.solve(HARD, limit) for name, form in forms.items()}
        nodes = answers["before"].nodes
        totals[search] = nodes
        for name, form in forms.items():
            assert answers[name].solution == answers["before"].solution, name
            assert answers[name].found == 1, name
            assert not form.reading or answers[name].nodes == nodes, (name, answers[name].nodes)
        measured = in_turn(
            {
                name: lambda form=form, limit=limit: processor(lambda: form.solve(HARD, limit))
                for name, form in forms.items()
            },
            rounds,
        )
        for name, form in forms.items():
            rows.append(
                {
                    "name": name,
                    "label": form.label,
                    "language": "Numba",
                    "search": search,
                    "nodes": answers[name].nodes,
                    **measured[name].record(),
                    "ratio": measured["before"].median / measured[name].median,
                    "first_call": first_calls[name] if name in _COMPILED_HERE else None,
                    "report_seconds": form.report,
                    "report_ratio": REPORT["before"] / form.report if form.report else None,
                    "extrapolated": False,
                }
            )
    for search, nodes in totals.items():
        rows += _plain(plain_nodes, max(1, rounds // 3), search, nodes)
    return Table(
        "solving",
        "Solving the hard puzzle",
        {
            "form": ("label", str),
            "language": ("language", str),
            "search": ("search", str),
            "nodes": ("nodes", number),
            "time": ("seconds", seconds),
            "times faster than before": ("ratio", times),
            "report": ("report_seconds", seconds),
            "report's ratio": ("report_ratio", times),
            "compiling": ("first_call", seconds),
        },
        rows,
        [
            "Processor time of the thread, median; the forms run in turn. Whole tree: the search "
            "goes on after the first solution and proves that it is the only one. The report does "
            "not say which of the two it timed; its figures stand beside both.",
            "A node is one digit filled in. All forms in reading order visit the same nodes and "
            "find the same solution: asserted. Plain Python ran "
            f"{plain_nodes:,} nodes; its time is extrapolated by the number of nodes.",
            "Compiling: the first call, on an easy puzzle. The package's own kernels come from its "
            "cache. Its first solution with the fewest candidates is then made the smallest in "
            "reading order, and those nodes are counted too.",
        ],
    )


_COMPILED_HERE = ("before", "after", "stack", "ahead")


def _plain(budget: int, rounds: int, search: str, nodes: int) -> list[Row]:
    """Both of the report's forms in plain Python, stopped after ``budget`` nodes."""
    before, _ = report_solver.before(report_solver.plain)
    after, _ = report_solver.after(report_solver.plain)
    runs = {
        "before": lambda: report_solver.run_before(before, HARD, 2, budget),
        "after": lambda: report_solver.run_after(after, HARD, 2, budget),
    }
    for run in runs.values():
        assert run().nodes == budget
    measured = in_turn({name: lambda run=run: processor(run) for name, run in runs.items()}, rounds)
    rows = []
    for name in runs:
        record = measured[name].record()
        rows.append(
            {
                "name": f"plain {name}",
                "label": f"{name}, as the report has it",
                "language": "Python",
                "search": search,
                "nodes": nodes,
                **record,
                "nodes_run": budget,
                "seconds_run": record["seconds"],
                "seconds": record["seconds"] * nodes / budget,
                "ratio": measured["before"].median / measured[name].median,
                "report_seconds": REPORT[name],
                "report_ratio": REPORT["before"] / REPORT[name],
                "extrapolated": True,
            }
        )
    return rows
