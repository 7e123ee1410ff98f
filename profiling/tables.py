"""Tables: for the terminal, for a README, and as they are for JSON."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

BEGIN, END = "<!-- printed by compare.py: begin -->", "<!-- printed by compare.py: end -->"

Row = dict[str, Any]


class Table(NamedTuple):
    """``columns``: title to (key of the rows, how to show it); None shows as a dash."""

    name: str
    title: str
    columns: dict[str, tuple[str, Callable[[Any], str]]]
    rows: list[Row]
    notes: list[str]

    def record(self) -> dict[str, Any]:
        """Give what goes into the JSON."""
        return {"title": self.title, "rows": self.rows, "notes": self.notes}

    def shown(self) -> list[list[str]]:
        """Titles, then the cells of each row, as text."""
        lines = [list(self.columns)]
        for row in self.rows:
            cells = []
            for key, show in self.columns.values():
                value = row.get(key)
                cells.append("-" if value is None else show(value))
            if row.get("extrapolated"):
                cells[0] += " (extrapolated)"
            if row.get("noisy"):
                cells[0] += " (noisy)"
            lines.append(cells)
        return lines


def seconds(value: float) -> str:
    """Show three or four digits that count.

    >>> seconds(21.984), seconds(0.02612), seconds(0.0051)
    ('21.98 s', '26.1 ms', '5.10 ms')
    """
    if value >= 10:
        return f"{value:.2f} s"
    if value >= 0.1:
        return f"{value:.3f} s"
    return f"{value * 1e3:.1f} ms" if value >= 0.01 else f"{value * 1e3:.2f} ms"


def times(value: float) -> str:
    """Show a ratio."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def megabytes(value: int) -> str:
    """Show bytes in MB of a million."""
    return f"{value / 1e6:.0f} MB"


def percent(value: float) -> str:
    """Show a share."""
    return f"{value:.1%}"


def rate(value: float) -> str:
    """Show how many a second, four digits of it.

    >>> rate(2911234.5), rate(882.4), rate(3.14159)
    ('2,911,000', '882', '3.14')
    """
    if value < 10:
        return f"{value:.2f}"
    digits = max(0, len(str(int(value))) - 4)
    return f"{round(value, -digits):,.0f}"


def number(value: int) -> str:
    """Show a count, with commas."""
    return f"{value:,}"


def as_text(table: Table) -> str:
    """Lay the table out for a terminal: the first column to the left, numbers to the right."""
    lines = table.shown()
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    out = [table.title, "-" * len(table.title)]
    for first, *others in lines:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        out.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join([*out, *table.notes])


def as_markdown(table: Table) -> str:
    """Write the table for a README."""
    head, *lines = table.shown()
    rule = ["---"] + ["---:"] * (len(head) - 1)
    rows = ["| " + " | ".join(cells) + " |" for cells in (head, rule, *lines)]
    return "\n".join([f"### {table.title}", "", *rows, "", *(f"{note}\n" for note in table.notes)])


def put_between_marks(path: Path, text: str, marks: tuple[str, str] = (BEGIN, END)) -> None:
    """Replace what stands between the two marks of a file; a file without them is made anew."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    head, begin, rest = old.partition(marks[0])
    _, end, tail = rest.partition(marks[1])
    if not (begin and end):
        head, tail = "", "\n"
    path.write_text(f"{head}{marks[0]}\n{text.strip()}\n{marks[1]}{tail}", encoding="utf-8")
