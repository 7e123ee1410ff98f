"""``sudoku-jit puzzles``: new puzzles with one solution."""

from contextlib import nullcontext
from typing import Annotated

import typer

from sudoku_jit.cli import files, requests
from sudoku_jit.cli.console import (
    ENDLESS,
    Seed,
    Start,
    Threads,
    announce_compiling,
    drawn_seed,
    number,
    say,
    undisturbed,
)
from sudoku_jit.cli.exits import Exit
from sudoku_jit.errors import RequestError, ShortfallError
from sudoku_jit.formats import Newline


def puzzles(
    n: Annotated[int, typer.Argument(parser=number(1, ENDLESS), metavar="N", help="How many puzzles.")],
    clues: requests.Clues = None,
    blanks: requests.Blanks = None,
    minimal: requests.Minimal = False,
    symmetry: requests.Symmetric = "none",
    pattern: requests.Pattern = None,
    min_blanks_per_box: requests.PerBox = 0,
    min_guesses: requests.MinGuesses = None,
    max_guesses: requests.MaxGuesses = None,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Write the solutions too, in formats that have a place for them.")
    ] = False,
    seed: Seed = None,
    start: Start = 0,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Give up after so long. Without it, after some four million grids for one puzzle."
        ),
    ] = None,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial",
            help="Write the puzzles that were found, as they are found, even if there will be fewer than N.",
        ),
    ] = False,
    output: files.Output = "-",
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"Format to write: {files.WRITABLE}.")] = "line",
    newline: Annotated[Newline, typer.Option(help="Line ends.")] = "lf",
    threads: Threads = None,
) -> int:
    """Write N different puzzles, each proved to have exactly one solution.

    Givens are dug out of grids of 'gen --method search', each puzzle's in an order of its own. The same seed gives the
    same bytes. All N are written or none, to standard output too, unless --partial is given; the exit code is 1 if
    fewer than N were found. What no puzzle can be is refused at once.
    """
    from sudoku_jit import digging, streaming
    from sudoku_jit.formats.writing import texts

    wanted = digging.request(
        **requests.asked(clues, blanks, minimal, symmetry, pattern, min_blanks_per_box, min_guesses, max_guesses)
    )
    digging.check_numbers(n, start, seed or 0, None)
    done = 0
    ended: BaseException | None = None
    with streaming.output(output, whole=not partial) as stream, streaming.progress(n, "puzzles") as advance:
        writer = files.opened_writer(to, stream, newline, ("solution",) if solutions else (), "stop")
        if solutions and "solution" not in writer.columns:
            raise RequestError(f"--solutions: format {to!r} has no place for them; expected --to csv, jsonl or parquet")
        announce_compiling()
        found = digging.find_puzzles(n, wanted, seed=drawn_seed(seed), start=start, threads=threads, timeout=timeout)
        try:
            for cells, grids in found:
                data = writer.encode(cells, {"solution": texts(grids)} if writer.columns else {})
                with undisturbed() if stream.seekable() else nullcontext():  # a pipe may be full for ever
                    writer.put(data)
                    done += len(cells)
                advance(len(cells))
        except (ShortfallError, KeyboardInterrupt, SystemExit) as stopped:
            if not partial:
                raise
            ended = stopped
        writer.finish()
    if ended is None:
        return Exit.GOOD
    if isinstance(ended, ShortfallError):
        say(str(ended))
        return Exit.NOT_ALL
    say(f"stopped: {done} of {n} puzzles written; --start {start + done} goes on")
    return int(ended.code or 0) if isinstance(ended, SystemExit) else Exit.INTERRUPTED
