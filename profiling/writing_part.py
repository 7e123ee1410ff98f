"""Part 2: writing grids, digit by digit, row by row, and as bytes."""

import os
from collections.abc import Callable
from pathlib import Path

from measure import Times, in_turn, wall
from report_writer import BYTES_A_GRID, WRITERS
from tables import Row, Table, number, percent, seconds, times

REPORT = {10_000: 2.235, 1_000_000: 21.984}
REPORT_SHARE = 0.907
BEFORE = next(iter(WRITERS))


def measure_writing(
    folder: Path,
    counts: tuple[int, int],
    rounds: int,
    full: bool,
    seed: int,
    shares: dict[str, float],
) -> Table:
    """Time all ways for both ``counts`` of grids.

    The slow ways write the larger count only if ``full``, else it is extrapolated from the smaller.
    ``shares``: the part of the time that writing takes, by way.
    """
    path = str(folder / "grids.txt")

    def timed(name: str, n: int) -> Callable[[], float]:
        def run() -> float:
            taken = wall(lambda: WRITERS[name](path, n, seed))
            assert os.path.getsize(path) == n * BYTES_A_GRID - 1, name
            os.unlink(path)
            return taken

        return run

    small, large = counts
    for name in WRITERS:
        timed(name, 10)()
    measured: dict[tuple[str, int], Times] = {}
    runs = in_turn({name: timed(name, small) for name in WRITERS}, rounds)
    measured.update({(name, small): spent for name, spent in runs.items()})
    ways = list(WRITERS) if full else list(WRITERS)[-1:]
    large_rounds = max(1, rounds // 3) if full else rounds
    runs = in_turn({name: timed(name, large) for name in ways}, large_rounds)
    measured.update({(name, large): spent for name, spent in runs.items()})

    rows: list[Row] = []
    for n in counts:
        for name in WRITERS:
            extrapolated = (name, n) not in measured
            record = measured[name, small if extrapolated else n].record()
            if extrapolated:
                record["seconds"] *= large / small
            rows.append(
                {
                    "name": name,
                    "grids": n,
                    **record,
                    "extrapolated": extrapolated,
                    "share": shares.get(name),
                    "report_seconds": REPORT.get(n) if name == BEFORE else None,
                    "report_share": REPORT_SHARE if name == BEFORE else None,
                }
            )
    for row in rows:
        before = next(r for r in rows if r["grids"] == row["grids"] and r["name"] == BEFORE)
        row["ratio"] = before["seconds"] / row["seconds"]
    return Table(
        "writing",
        "Generating and writing grids",
        {
            "way": ("name", str),
            "grids": ("grids", number),
            "time": ("seconds", seconds),
            "times faster than before": ("ratio", times),
            "report": ("report_seconds", seconds),
            "share of writing": ("share", percent),
            "report's share": ("report_share", percent),
        },
        rows,
        [
            "Seconds by the clock in a warm process, median, the ways in turn; generating is part "
            "of it. The report's ways are plain Python, generator and all; the last is compiled "
            "and threaded.",
            f"{rounds} runs of the smaller count, {large_rounds} of the larger where it is not extrapolated.",
            "Share of writing: by line_profiler, see the listings. The report's program was compiled as a "
            "whole. Here the generator of the first way is plain Python and takes a larger part; that of "
            "the second is compiled.",
            "The report's two times do not fit each other: "
            f"{REPORT[1_000_000] / REPORT[10_000]:.1f} times the time for 100 times the grids.",
        ],
    )
