"""``sudoku-jit check``: what is in a file of puzzles."""

import json
import sys
from typing import Annotated, Any

import typer

from sudoku_jit.cli import files
from sudoku_jit.cli.exits import Exit


def check(
    file: files.File,
    from_: files.From = None,
    on_error: files.Bad = "stop",
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    verbose: files.Verbose = False,
) -> int:
    """Say what FILE holds: format, number of puzzles, clues, duplicates, solutions.

    The exit code is 1 if a record is no puzzle or a puzzle has not exactly one solution.
    """
    from sudoku_jit import checking, streaming

    with (
        files.opened(file, from_, on_error, "-", verbose) as puzzles,
        streaming.progress(None, "puzzles") as advance,
    ):
        found = checking.check(puzzles, advance)
    told = {
        "file": puzzles.name,
        "format": puzzles.format.name,
        "detected": list(puzzles.detected),
        "puzzles": found.puzzles,
        "malformed": puzzles.bad,
        "clues": found.clues,
        "full": found.full,
        "duplicates": found.duplicates,
        "status": found.status,
    }
    if as_json:
        print(json.dumps(told))
    else:
        _print(told)
    good = found.status["unique"] == found.puzzles and not puzzles.bad
    return Exit.GOOD if good else Exit.NOT_ALL


def _print(told: dict[str, Any]) -> None:
    clues = told["clues"]
    rows = [
        ("format", told["format"]),
        ("detected", ", ".join(told["detected"])),
        ("puzzles", f"{told['puzzles']}"),
        ("malformed records", f"{told['malformed']}"),
        ("clues", ", ".join(f"{count}: {number}" for count, number in clues.items())),
        ("full grids", f"{told['full']}"),
        ("duplicates", f"{told['duplicates']}"),
        *((f"status {name}", f"{number}") for name, number in told["status"].items()),
    ]
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table("", told["file"], show_header=True)
        for row in rows:
            table.add_row(*row)
        Console().print(table)
    else:
        for name, value in rows:
            print(f"{name:<18} {value}")
