"""The report's generator in plain Python, and the ways to write what a generator makes.

The report draws a 3x3 block and shifts it; here the draw is fair (the report's swaps never move
position 0 and favour some arrangements), and a row has its nine columns (the report's row-wise
writer prints eight). Grids may repeat: the family has 9! of them. All ways write the
same number of bytes: rows with a space between digits, a blank line between grids.
"""

import random
from collections.abc import Sequence
from typing import Any, Literal, TextIO

BYTES_A_GRID = 163
FORMAT = " ".join(["{}"] * 9) + "\n"


def make_grid(draw: random.Random) -> list[list[int]]:
    """One grid: ``cell(row, column) = block[(row + b) % 3][(column + a) % 3]`` in block (a, b)."""
    block = list(range(1, 10))
    draw.shuffle(block)
    return [[block[(row + column // 3) % 3 * 3 + (column + row // 3) % 3] for column in range(9)] for row in range(9)]


def write_each_digit(file: TextIO, grid: Sequence[Sequence[int]]) -> None:
    """Write as before: one formatted write for each digit."""
    for row in grid:
        for column in range(8):
            file.write(f"{row[column]} ")
        file.write(f"{row[8]}\n")


def write_each_row(file: TextIO, grid: Sequence[Sequence[int]]) -> None:
    """Write as the report's fix does: one formatted write for each row."""
    for row in grid:
        file.write(FORMAT.format(*row))


def each_digit(path: str, n: int, seed: int) -> None:
    """Generate and write ``n`` grids, digit by digit."""
    draw = random.Random(seed)
    with open(path, "w", newline="\n") as file:
        for k in range(n):
            grid = make_grid(draw)
            if k:
                file.write("\n")
            write_each_digit(file, grid)


def each_digit_compiled(path: str, n: int, seed: int) -> None:
    """Write ``n`` grids digit by digit that the package's compiled generator made."""
    from sudoku_jit import generating

    with open(path, "w", newline="\n") as file:
        for start in range(0, n, 1000):
            count = min(1000, n - start)
            cells = generating.generate_grids(count, seed=seed, method="orbit", start=start).tobytes()
            for at in range(0, len(cells), 81):
                grid = [cells[row : row + 9] for row in range(at, at + 81, 9)]
                if start + at:
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


def whole_file(path: str, n: int, seed: int, method: Literal["orbit", "search"] = "orbit") -> None:
    """Write the package's way: kernels make the bytes of thousands of grids for one write."""
    from sudoku_jit import generating, streaming
    from sudoku_jit.formats.layout import layout

    pieces: Any = generating.write_grids(layout("block"), n, seed=seed, method=method)
    with streaming.output(path) as file:
        for _, data in pieces:
            streaming.write_all(file, data)


WRITERS = {
    "one write for each digit (before)": each_digit,
    "the same, with a compiled generator": each_digit_compiled,
    "one write for each row (the report's fix)": each_row,
    "one byte array for thousands of grids (this package)": whole_file,
}
