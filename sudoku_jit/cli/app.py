"""The typer app: commands, and course mode as options of the program itself."""

from typing import Annotated

import typer

from sudoku_jit.cli import cache, canon, check, convert, count, course, dataset, dedupe, gen, morph, puzzles, solve
from sudoku_jit.cli.console import FirstDigit, Seed, number
from sudoku_jit.formats import Newline

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("gen")(gen.gen)
app.command("puzzles")(puzzles.puzzles)
app.command("solve")(solve.solve)
app.command("count")(count.count)
app.command("convert")(convert.convert)
app.command("check")(check.check)
app.command("canon")(canon.canon)
app.command("morph")(morph.morph)
app.command("dedupe")(dedupe.dedupe)
app.add_typer(dataset.app, name="dataset")
app.add_typer(cache.app, name="cache")


@app.callback(invoke_without_command=True)
def sudoku_jit(
    context: typer.Context,
    c: Annotated[
        int | None,
        typer.Option(
            "-c",
            parser=number(1, 1_000_000),
            metavar="N",
            help="Course mode: write N different finished grids, 1 to 1000000, to sudoku.txt.",
        ),
    ] = None,
    s: Annotated[
        str | None,
        typer.Option(
            "-s",
            metavar="PATH",
            help="Course mode: solve the puzzles of PATH, one solution each, to sudoku.txt.",
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "-n",
            parser=number(1, 10_000),
            metavar="N",
            help="Course mode: write N puzzles, 1 to 10000, to sudoku.txt, blanks as 0.",
        ),
    ] = None,
    m: Annotated[
        int | None,
        typer.Option(
            "-m",
            parser=number(1, 3),
            metavar="M",
            help="With -n: difficulty by blanks, 1 = 30 to 39, 2 = 40 to 47, 3 = 48 to 55.",
        ),
    ] = None,
    r: Annotated[
        str | None,
        typer.Option("-r", metavar="LO~HI", help="With -n: blanks, 20 <= LO <= HI <= 55."),
    ] = None,
    u: Annotated[bool, typer.Option("-u", help="With -n: only puzzles with one solution.")] = False,
    newline: Annotated[
        Newline | None, typer.Option(help="Course mode: line ends of sudoku.txt (default: crlf).")
    ] = None,
    first_digit: FirstDigit = None,
    seed: Seed = None,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> int:
    """Generate, solve, count and check sudoku by the million.

    Exit codes: 0 good; 1 some puzzle has no solution or several; 2 wrong use or unreadable input;
    129, 130, 143 stopped by a signal; 141 the reader of the output went away.
    """
    if version:
        from sudoku_jit import __version__

        print(f"sudoku-jit {__version__}")
        return 0
    return course.course(context, c, s, n, m, r, u, newline, first_digit, seed)
