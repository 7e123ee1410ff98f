"""The report's generator in plain Python, and three ways to write what a generator makes.

The report draws a 3x3 block and shifts it; here the draw is fair (the report's swaps never move
position 0 and favour some arrangements), and a row has its nine columns (the report's row-wise
writer prints eight). Grids may repeat: the family has 9! of them. All three ways write the
same number of bytes: rows with a space between digits, a blank line between grids.
"""

import random
from typing import Any, TextIO

BYTES_A_GRID = 163
ROW = " ".join(["%d"] * 9) + "\n"


def make_grid(draw: random.Random) -> list[list[int]]:
    """One grid: ``cell(row, column) = block[(row + b) % 3][(column + a) % 3]`` in block (a, b)."""
    block = list(range(1, 10))
    draw.shuffle(block)
    return [
        [block[(row + column // 3) % 3 * 3 + (column + row // 3) % 3] for column in range(9)]
        for row in range(9)
    ]


def write_each_digit(file: TextIO, grid: list[list[int]]) -> None:
    """Before: one formatted write for each digit."""
    for row in grid:
        for column in range(8):
            file.write("%d " % row[column])
        file.write("%d\n" % row[8])


def write_each_row(file: TextIO, grid: list[list[int]]) -> None:
    """The report's fix: one formatted write for each row."""
    for row in grid:
        file.write(ROW % tuple(row))


def each_digit(path: str, n: int, seed: int) -> None:
    """Generate and write ``n`` grids, digit by digit."""
    draw = random.Random(seed)
    with open(path, "w", newline="\n") as file:
        for k in range(n):
            grid = make_grid(draw)
            if k:
                file.write("\n")
            write_each_digit(file, grid)


def each_row(path: str, n: int, seed: int) -> None:
    """Generate and write ``n`` grids, row by row."""
    draw = random.Random(seed)
    with open(path, "w", newline="\n") as file:
        for k in range(n):
            grid = make_grid(draw)
            if k:
                file.write("\n")
            write_each_row(file, grid)


def whole_file(path: str, n: int, seed: int) -> None:
    """The package's way: kernels write the bytes of thousands of grids, one write hands them over."""
    from sudoku_jit import generating, streaming
    from sudoku_jit.formats.layout import layout

    pieces: Any = generating.write_grids(layout("block"), n, seed=seed)
    with streaming.output(path) as file:
        for _, data in pieces:
            streaming.write_all(file, data)


WRITERS = {
    "one write for each digit (before)": each_digit,
    "one write for each row (the report's fix)": each_row,
    "one byte array for thousands of grids (this package)": whole_file,
}
