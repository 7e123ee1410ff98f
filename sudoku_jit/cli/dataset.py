"""``sudoku-jit dataset``: build sets of puzzles for training and research, and prove them again."""

import logging
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sudoku_jit.cli import requests
from sudoku_jit.cli.console import (
    ENDLESS,
    FirstDigit,
    Seed,
    Start,
    Threads,
    announce_compiling,
    drawn_seed,
    number,
    say,
)
from sudoku_jit.cli.exits import Exit
from sudoku_jit.formats import registry

if TYPE_CHECKING:
    from sudoku_jit.datasets.given import Examined
    from sudoku_jit.datasets.planning import Generated, Given, Request

app = typer.Typer(help="Datasets of puzzles: split by class, proved, rated, repeatable.", no_args_is_help=True)

Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of the dataset.")]


def _shares(text: str) -> tuple[tuple[str, str], ...]:
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(name and share for name, _, share in pairs):
        raise typer.BadParameter(f"--split {text!r}: expected names and shares such as train=0.9,test=0.1.")
    return tuple((name.strip(), share.strip()) for name, _, share in pairs)


@app.command("build")
def build(
    folder: Folder,
    n: Annotated[
        int | None,
        typer.Option("--n", parser=number(1, ENDLESS), metavar="N", help="Generate N different puzzles."),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Take the puzzles of FILE, in any format that 'convert' reads."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"With --from: format of FILE, where the text does not tell it: {', '.join(registry.READABLE)}.",
        ),
    ] = None,
    on_error: Annotated[
        Literal["stop", "skip"],
        typer.Option(
            help="With --from: a record that is no puzzle, a puzzle without exactly one solution, or one that repeats "
            "an earlier one cell for cell: stop there; or leave it out, list it in DIR/left_out.txt and count it in "
            "the metadata."
        ),
    ] = "stop",
    clues: requests.Clues = None,
    blanks: requests.Blanks = None,
    minimal: requests.Minimal = False,
    symmetry: requests.Symmetric = "none",
    pattern: requests.Pattern = None,
    min_blanks_per_box: requests.PerBox = 0,
    min_guesses: requests.MinGuesses = None,
    max_guesses: requests.MaxGuesses = None,
    first_digit: FirstDigit = None,
    start: Start = 0,
    split: Annotated[
        str,
        typer.Option(
            metavar="NAME=SHARE,...", help="Splits and their shares, which add up to 1; they are met on the average."
        ),
    ] = "train=1",
    by: Annotated[
        Literal["class"],
        typer.Option(
            help="What decides the split. class: a hash of the solution's canonical form, and nothing else, so that "
            "puzzles that are one in disguise, or share their solution, are on one side, in every dataset."
        ),
    ] = "class",
    augment: Annotated[
        int,
        typer.Option(
            parser=number(0, 65_535),
            metavar="K",
            help="K random morphs after each puzzle, on its side of the split.",
        ),
    ] = 0,
    rating: Annotated[
        int,
        typer.Option(
            parser=number(0, 1000),
            metavar="K",
            help="Rate each puzzle by the mean number of the solver's guesses over K fixed morphs of its canonical "
            "form: the same in any disguise, order and run. 0: no rating.",
        ),
    ] = 8,
    to: Annotated[
        Literal["parquet", "npy", "csv", "extreme"],
        typer.Option(
            "--to",
            help="parquet: zstd (extra: parquet). npy: an array for each column. csv. extreme: CSV with the columns of "
            "sudoku-extreme: source,question,answer,rating.",
        ),
    ] = "parquet",
    seed: Seed = None,
    shard: Annotated[
        int | None,
        typer.Option(
            parser=number(1, 1 << 20), metavar="M", help="Puzzles a shard (default: so many that it has 32768 rows)."
        ),
    ] = None,
    threads: Threads = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Make the shards on the workers of a Dask scheduler, such as tcp://10.0.0.1:8786 (extra: cluster); "
            "they send them here, so no folder need be shared.",
        ),
    ] = None,
) -> int:
    """Build a dataset in DIR: puzzle, solution, clues, guesses, class; files DIR/SPLIT/SHARD and DIR/metadata.json.

    Every row is proved to have one solution. A shard appears whole or not at all. The same command goes on where an
    earlier run ended, by Ctrl-C, a kill or a full disk, and ends with the same bytes; finished shards are trusted if
    their SHA-256 is right and built again if not. Another request in the same DIR is refused. The bytes depend on
    the request and on the versions of packages, not on threads, machines or runs.
    """
    if (n is None) == (file is None):
        raise typer.BadParameter("expected one of --n N and --from FILE.")
    if file is None and (format or on_error != "stop"):
        raise typer.BadParameter("--format and --on-error go with --from.")
    options = requests.asked(
        clues, blanks, minimal, symmetry, pattern, min_blanks_per_box, min_guesses, max_guesses
    ) | {"first_digit": first_digit, "start": start}
    chosen = (clues, blanks, minimal, symmetry != "none", pattern, min_blanks_per_box, first_digit, start)
    if file is not None and (any(chosen) or (min_guesses, max_guesses) != (None, None)):
        raise typer.BadParameter("what puzzles to generate, such as --clues, --symmetry or --start, goes with --n.")
    shares = _shares(split)
    from sudoku_jit.datasets.planning import Generated, Request

    def request(source: "Generated | Given") -> Request:
        return Request(
            source,
            seed=_seed(folder, seed) if n is not None or augment else seed or 0,
            split=shares,
            augment=augment,
            rating=rating,
            to=to,
            shard=shard or 0,
        )

    if n is not None:
        marks = options["pattern"]
        text = None if marks is None else "".join("x" if mark else "." for mark in marks)
        return _build(folder, request(Generated(n, **options | {"pattern": text})), None, threads, scheduler)
    from sudoku_jit import streaming
    from sudoku_jit.datasets.given import examined

    announce_compiling()
    with ExitStack() as stack:
        with streaming.progress(None, "puzzles looked at") as advance:
            given = stack.enter_context(examined(str(file), format, on_error, threads, advance))
        for reason, count in given.source.left_out:
            say(f"left out: {count} with {reason}")
        return _build(folder, request(given.source), given, threads, scheduler)


def _seed(folder: str, seed: int | None) -> int:
    """The seed asked for, that of the dataset that is there, or one that is drawn."""
    from sudoku_jit.datasets import metadata

    known = metadata.read(folder) if seed is None else None
    there = ((known or {}).get("request") or {}).get("seed")
    return there if isinstance(there, int) else drawn_seed(seed)


def _build(
    folder: str, request: "Request", given: "Examined | None", threads: int | None, scheduler: str | None
) -> int:
    from sudoku_jit import cluster, datasets, streaming

    announce_compiling()
    with ExitStack() as stack:
        run = stack.enter_context(cluster.on_dask(scheduler, say)) if scheduler else None
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what goes wrong is said in one line here
        advance = stack.enter_context(streaming.progress(request.rows, "rows"))
        try:
            built = datasets.build(folder, request, given=given, threads=threads, run=run, advance=advance, tell=say)
        except (KeyboardInterrupt, SystemExit) as stopped:
            stack.close()
            say(f"stopped; whole shards are kept in {folder}, and the same command goes on with them")
            code = stopped.code if isinstance(stopped, SystemExit) else Exit.INTERRUPTED
            raise typer.Exit(int(code or 0)) from None
    if built.found:
        say(f"{built.found} of {request.shards} shards were there already")
    splits = ", ".join(f"{name} {split['rows']}" for name, split in built.counts["splits"].items())
    say(f"{built.counts['rows']} rows in {folder}: {splits}")
    return Exit.NOT_ALL if given is not None and given.source.left_out else Exit.GOOD


@app.command("verify")
def verify(folder: Folder, threads: Threads = None) -> int:
    """Prove the dataset in DIR again: print a line for each thing that is wrong; the exit code is then 1.

    Every puzzle is solved and proved to have one solution; solutions, clues, classes, ratings, the side of each class,
    equal puzzles, checksums, counts, missing and additional files and the metadata are checked. What finds equal
    puzzles is in temporary files, 56 bytes a row.
    """
    from sudoku_jit import datasets, streaming

    announce_compiling()
    with streaming.progress(None, "rows") as advance:
        found = datasets.verify(folder, threads=threads, advance=advance, tell=print)
    said = f"{found.wrong} thing{'s' if found.wrong != 1 else ''} wrong" if found.wrong else "all is right"
    print(f"{os.path.join(folder, '')}: {found.rows} rows in {found.files} files: {said}")
    return Exit.NOT_ALL if found.wrong else Exit.GOOD
