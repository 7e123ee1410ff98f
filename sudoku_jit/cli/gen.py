"""``sudoku-jit gen``: finished grids to a file."""

from typing import Annotated, Literal

import typer

from sudoku_jit.cli.console import ENDLESS, FirstDigit, Seed, Start, Threads, announce_compiling, drawn_seed, number
from sudoku_jit.formats import Newline, Style

Method = Literal["search", "orbit", "report", "uniform"]


def gen(
    n: Annotated[int, typer.Argument(parser=number(1, ENDLESS), metavar="N", help="How many grids.")],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="File to write; - for stdout.")
    ] = "sudoku.txt",
    method: Annotated[
        Method,
        typer.Option(
            help="\b\n"
            "search: 4.8e16 grids of all kinds.\n"
            "orbit: 1.2e12 images of one grid.\n"
            "report: 362880 grids, a 3x3 block shifted.\n"
            "uniform: 6.67e21, all, with equal chances.\n\n"
            "Only uniform may repeat."
        ),
    ] = "search",
    seed: Seed = None,
    start: Start = 0,
    first_digit: FirstDigit = None,
    style: Annotated[
        Style, typer.Option(help="block: spaced rows, a blank line between grids. line: 81 digits.")
    ] = "block",
    newline: Annotated[Newline, typer.Option(help="Line ends.")] = "lf",
    threads: Threads = None,
) -> int:
    """Write N finished grids, all different unless drawn with --method uniform.

    The file appears under its name only when it is whole. The same seed gives the same bytes.
    """
    write(n, output, method, seed, start, first_digit, style, newline, threads)
    return 0


def write(
    n: int,
    output: str,
    method: Method,
    seed: int | None,
    start: int,
    first_digit: int | None,
    style: Style,
    newline: Newline,
    threads: int | None,
) -> None:
    """The work of ``gen``, and of ``-c`` in course mode."""
    from sudoku_jit import generating, streaming
    from sudoku_jit.formats.layout import layout

    announce_compiling()
    generating.check_request(n, start, method, first_digit, seed or 0)
    seed = drawn_seed(seed)
    pieces = generating.write_grids(
        layout(style, newline),
        n,
        seed=seed,
        method=method,
        start=start,
        first_digit=first_digit,
        threads=threads,
    )
    with streaming.output(output) as stream, streaming.progress(n, "grids") as advance:
        for count, data in pieces:
            streaming.write_all(stream, data)
            advance(count)
