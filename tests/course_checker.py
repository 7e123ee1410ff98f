"""Checks a file of the course's format as its public graders do: CR LF and nothing else parts lines."""

import naive


def grids(data: bytes) -> list[list[int]]:
    text = data.decode("ascii")
    text = text.removesuffix("\r\n")
    out = []
    for block in text.split("\r\n\r\n"):
        rows = block.split("\r\n")
        assert len(rows) == 9, f"{len(rows)} rows"
        cells = []
        for row in rows:
            assert row == row.strip(), "white space at the end of a row"
            digits = row.split(" ")
            assert len(digits) == 9, f"{len(digits)} digits in a row"
            cells += [int(d) for d in digits]
        out.append(cells)
    return out


def check_finished(data: bytes, count: int, first_digit: int | None = None) -> None:
    found = grids(data)
    assert len(found) == count
    assert len({tuple(g) for g in found}) == count, "a grid comes twice"
    for grid in found:
        assert naive.is_solution(grid, [0] * 81)
        assert first_digit in (None, grid[0])


def check_solved(data: bytes, puzzles: list[list[int]]) -> None:
    found = grids(data)
    assert len(found) == len(puzzles)
    for grid, puzzle in zip(found, puzzles, strict=True):
        assert naive.is_solution(grid, puzzle)
