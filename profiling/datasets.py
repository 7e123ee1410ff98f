"""What a dataset costs: one shard by stage, a whole build, many small shards, and the same by a Dask cluster.

    python profiling/datasets.py [--rows N] [--augment K] [--rating R] [--to FORMAT] [--threads T] [--markdown FILE]

The rows are generated puzzles and K morphs of each. Stages are processor time of one thread; builds are by the clock.
With ``--markdown`` the tables also go between the marks of FILE, such as docs/scale.md.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import measure
import numpy as np
import tables
from tables import Table

from sudoku_jit import canonicalising, datasets, solving, streaming
from sudoku_jit.datasets import building, planning, rows, writing
from sudoku_jit.datasets.planning import Generated, Request

MARKS = "<!-- printed by datasets.py: begin -->", "<!-- printed by datasets.py: end -->"
BILLION = 10**9
MICRO = {"a row": ("row", lambda value: f"{value:.3f} us"), "share": ("share", tables.percent)}


def stages(request):
    """Processor seconds of each stage of shard 0, as ``building.made`` goes through them, and its bytes."""
    spent = {}

    def timed(name, work, *arguments, **options):
        start = time.thread_time()
        result = work(*arguments, **options)
        spent[name] = spent.get(name, 0) + time.thread_time() - start
        return result

    times = request.augment + 1
    number = len(request.shard_range(0))
    puzzles = timed("generate puzzles", request.source.puzzles, request.seed, 0, number)
    cells, solved = np.empty((2, number, times, 81), np.uint8)
    cells[:, 0] = puzzles
    step = max(1, rows.PIECE // times)
    for start in range(0, number, step):
        part = slice(start, start + step)
        if request.augment:
            options = {"seed": request.seed, "start": start, "threads": 1}
            cells[part, 1:] = timed("morph", canonicalising.morph_many, puzzles[part], request.augment, **options)
        answers = timed("solve and prove", solving.solve_many, cells[part].reshape(-1, 81), threads=1)
        solved[part] = answers.grids.reshape(-1, times, 81)
    grids = np.ascontiguousarray(solved[:, 0])
    found = timed("canonical forms", canonicalising.canonical_puzzles, puzzles, grids, threads=1)
    classes = timed("class names", rows.classes_of, found.grids).repeat(times)
    guesses = timed("rating", rows.ratings, found.forms, request.rating).repeat(times) if request.rating else None
    cells, solved = cells.reshape(-1, 81), solved.reshape(-1, 81)
    made = rows.Rows(cells, solved, rows.clues_of(cells), classes, guesses)
    side = timed("split", rows.sides, request, classes)
    size = 0
    for at in range(len(request.split)):
        part = timed("split", made.part, side == at)
        if len(part.puzzles):
            for data in timed("columns to bytes", writing.files, part, request.to, "sudoku-jit").values():
                timed("checksum", sha256, data)
                size += len(data)
    return spent, size, len(cells)


def stage_table(request):
    """The stages, least of three runs, and what a billion rows take."""
    building.made(request, planning.versions(request.to), (0, None))
    runs = [stages(request) for _ in range(3)]
    _, size, n = runs[0]
    spent = {name: min(run[0][name] for run in runs) for name in runs[0][0]}
    total = sum(spent.values())
    record = [{"what": name, "row": seconds / n * 1e6, "share": seconds / total} for name, seconds in spent.items()]
    record.append({"what": "all", "row": total / n * 1e6, "share": 1})
    hours = total / n * BILLION / 3600
    rest = total - spent["generate puzzles"]
    disk = size / n * BILLION / 1e9
    notes = [
        f"One shard: {n:,} rows, {n // (request.augment + 1):,} puzzles, {size:,} bytes ({size / n:.1f} a row) of "
        f"{request.to}, {total:.2f} s of one core. A core makes {n / total:,.0f} rows a second; from puzzles that are "
        f"given, {n / rest:,.0f}.",
        f"Writing (columns to bytes, checksum) takes {_writing(spent) / spent['solve and prove']:.2f} of what solving "
        "and proving takes.",
        f"A billion rows of this kind: {hours:,.1f} core hours, {disk:,.0f} GB, {-(-BILLION // n):,} shards.",
    ]
    title = f"One shard by stage: {request.augment} morphs of each puzzle, rating by {request.rating}"
    return Table("stages", title, {"stage": ("what", str), **MICRO}, record, notes), total, n


def _writing(spent):
    return spent["columns to bytes"] + spent["checksum"]


def build(request, folder, **options):
    """Seconds of a whole build, then of a second run, which finds all of it."""
    shutil.rmtree(folder, ignore_errors=True)
    first = measure.wall(lambda: datasets.build(folder, request, **options))
    again = measure.wall(lambda: datasets.build(folder, request, **options))
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return first, again, size


def build_table(request, folder, threads):
    """A whole build, and its proof."""
    first, again, size = build(request, folder, threads=threads)
    start = time.perf_counter()
    proved = datasets.verify(folder, threads=threads)
    seconds = time.perf_counter() - start
    assert not proved.wrong
    record = [
        {"what": name, "seconds": took, "rate": request.rows / took, "core": request.rows / took / threads}
        for name, took in (("build", first), ("second run: all is there", again), ("verify", seconds))
    ]
    columns = {
        "run": ("what", str),
        "time": ("seconds", tables.seconds),
        "rows a second": ("rate", tables.rate),
        "a thread": ("core", tables.rate),
    }
    note = f"{request.rows:,} rows by {threads} threads; {size:,} bytes on disk."
    return Table("build", f"{request.rows:,} rows", columns, record, [note])


def small_table(request, folder, threads):
    """The same rows in ever smaller shards: what a shard costs besides its rows, here and by Dask."""
    n = min(request.source.n, 4096, planning.MOST_ROWS_A_SHARD // (request.augment + 1))
    record = []
    for puzzles in sorted({n, max(1, n // 8), max(1, n // 64)}, reverse=True):
        small = Request(
            Generated(n), request.seed, request.split, request.augment, request.rating, request.to, shard=puzzles
        )
        ready = [building.made(small, planning.versions(small.to), (i, None)) for i in range(min(small.shards, 8))]
        row = {"what": f"{puzzles * (small.augment + 1):,} rows", "shards": small.shards}
        row["here"] = build(small, folder, threads=threads)[0]
        row["client"] = client_seconds(small, ready, folder) / len(ready)
        row["bytes"] = int(np.mean([sum(map(len, one.data)) for one in ready]))
        row["dask"] = dask_seconds(small, folder)
        record.append(row)
    columns = {
        "a shard": ("what", str),
        "shards": ("shards", tables.number),
        "bytes a shard": ("bytes", tables.number),
        f"{threads} threads": ("here", tables.seconds),
        "2 Dask workers": ("dask", tables.seconds),
        "writing a shard that came back": ("client", tables.seconds),
    }
    last, first = record[-1], record[0]
    notes = []
    if first["dask"]:
        each = max(0.0, last["dask"] - first["dask"]) / (last["shards"] - first["shards"])
        notes.append(f"Each further shard costs {each * 1e3:.1f} ms by Dask, scheduler, network and client together.")
    return Table("small", "The same rows in smaller shards", columns, record, notes), record


def client_seconds(request, ready, folder):
    """Seconds that the process that gathers the shards takes to write those that are ready."""
    shutil.rmtree(folder, ignore_errors=True)
    waiting = iter(ready)
    begun = []

    def run(work, jobs):
        begun.append(time.perf_counter())
        for number, one in enumerate(waiting):
            yield one._replace(number=number)
        begun.append(time.perf_counter())
        for job in jobs:
            yield building.Made(job[0], (), ())

    datasets.build(folder, request, run=run)
    return begun[1] - begun[0]


def dask_seconds(request, folder):
    """Seconds of the same build by two workers of one thread on this machine; None without the extra."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        return None
    from sudoku_jit import cluster

    shutil.rmtree(folder, ignore_errors=True)
    port = random.randrange(20_000, 60_000)
    address = f"tcp://127.0.0.1:{port}"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = [*command, "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__HTTP": "{}"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    with tempfile.TemporaryDirectory() as place:
        started = [subprocess.Popen(each, cwd=place, **quiet) for each in (scheduler, worker, worker)]
        try:
            with cluster.on_dask(address) as run:
                warm = Request(Generated(64), 0, request.split, request.augment, request.rating, request.to, shard=8)
                datasets.build(folder, warm, run=run)
                shutil.rmtree(folder)
                return measure.wall(lambda: datasets.build(folder, request, run=run))
        finally:
            for process in started[::-1]:
                process.terminate()
            for process in started:
                process.wait(30)


def bottleneck(record, seconds, n):
    """How many cores one client can write for."""
    first = record[0]
    size = first["bytes"] / n_rows(first)
    each = first["client"] / n_rows(first)
    return (
        f"A core takes {seconds / n * 1e6:.2f} us a row, the client {each * 1e6:.3f} us to write one that came back: "
        f"it keeps up with {seconds / n / each:,.0f} cores. A network of 1 GB/s carries {1e9 / size / 1e6:.1f} million "
        f"rows a second, the work of {1e9 / size * seconds / n:,.0f} cores."
    )


def n_rows(row):
    """The rows of a shard of the table of small shards."""
    return int(row["what"].split()[0].replace(",", ""))


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--augment", type=int, default=9)
    parser.add_argument("--rating", type=int, default=8)
    parser.add_argument("--to", default="parquet")
    parser.add_argument("--threads", type=int, default=streaming.threads_here())
    parser.add_argument("--markdown", type=Path)
    chosen = parser.parse_args()
    split = (("train", "0.9"), ("test", "0.1"))
    n = max(1, chosen.rows // (chosen.augment + 1))
    request = Request(Generated(n), 1, split, chosen.augment, chosen.rating, chosen.to)
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "dataset")
        one, seconds, rows_of_shard = stage_table(request)
        plain, _, _ = stage_table(Request(Generated(n), 1, split, 0, chosen.rating, chosen.to, shard=min(n, 4096)))
        whole = build_table(request, folder, chosen.threads)
        small, record = small_table(request, folder, chosen.threads)
    small.notes.append(bottleneck(record, seconds, rows_of_shard))
    machine = measure.machine()
    said = f"Measured with {', '.join(f'{name} {value}' for name, value in machine.items())}; load {measure.load()}."
    small.notes.append(said)
    printed = [one, plain, whole, small]
    print("\n\n".join(map(tables.as_text, printed)))
    if chosen.markdown:
        tables.put_between_marks(chosen.markdown, "\n".join(map(tables.as_markdown, printed)), MARKS)


if __name__ == "__main__":
    main()
