"""What a dataset costs: a shard by stage, its packing, a whole build, small shards, and those by a Dask cluster.

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
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import measure
import numpy as np
import tables
from tables import Table

from sudoku_jit import canonicalising, datasets, solving, streaming
from sudoku_jit.datasets import building, parquet, planning, rows, writing, zstandard
from sudoku_jit.datasets.planning import Generated, Request

MARKS = "<!-- printed by datasets.py: begin -->", "<!-- printed by datasets.py: end -->"
BILLION = 10**9
BYTES = "file format, packing"
LEVELS = (-50, -10, -5, -1, 1, 2, 3, 6, 9)
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
            for data in timed(BYTES, writing.files, part, request.to, "sudoku-jit").values():
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
        f"Writing ({BYTES}, checksum) takes {_writing(spent) / spent['solve and prove']:.2f} of what solving and "
        f"proving takes, and {_writing(spent) / (rest - _writing(spent)):.2f} of all that is done to a puzzle once it "
        "is there.",
        f"A billion rows of this kind: {hours:,.1f} core hours, {disk:,.0f} GB, "
        f"{-(-BILLION // planning.ROWS_A_SHARD):,} shards of the usual size.",
    ]
    title = f"One shard by stage: {request.augment} morphs of each puzzle, rating by {request.rating}"
    return Table("stages", title, {"stage": ("what", str), **MICRO}, record, notes), total


def _writing(spent):
    return spent[BYTES] + spent["checksum"]


def packing_table(request):
    """What it takes to pack the text of the grids of shard 0: by the code for grids, and by a general library."""
    made = rows.shard(request, 0)
    n = len(made.puzzles)
    step = parquet.ROWS_A_PAGE
    kinds = ((made.puzzles, zstandard.PUZZLES), (made.solutions, zstandard.SOLUTIONS))
    pages = [(grids[at : at + step], code) for grids, code in kinds for at in range(0, n, step)]
    texts = [writing.puzzle_text(grids).tobytes() for grids, _ in pages]
    ways = {"a code for grids": lambda: [b"".join(zstandard.frame(b"", *page)) for page in pages]}
    for level in LEVELS:
        ways[f"zstd library, level {level}"] = partial(_compressed, level, texts)
    record = []
    for what, pack in ways.items():
        seconds = min(_processor_seconds(pack) for _ in range(3))
        record.append({"what": what, "row": seconds / n * 1e6, "bytes": sum(map(len, pack())) / n})
    solving_seconds = min(_processor_seconds(lambda: solving.solve_many(made.puzzles, threads=1)) for _ in range(3))
    columns = {
        "puzzles and solutions packed by": ("what", str),
        "a row": MICRO["a row"],
        "bytes a row": ("bytes", lambda value: f"{value:.1f}"),
    }
    notes = [
        f"{n:,} rows, {made.clues.mean():.1f} clues on average, of 162 bytes of text each. Solving and proving one "
        f"takes {solving_seconds / n * 1e6:.3f} us."
    ]
    return Table("packing", "Packing the text of the grids", columns, record, notes)


def _compressed(level, texts):
    codec = writing.pyarrow_module().Codec("zstd", compression_level=level)
    return [codec.compress(text, asbytes=True) for text in texts]


def _processor_seconds(work):
    start = time.thread_time()
    work()
    return time.thread_time() - start


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


def small_table(request, folder, threads, seconds):
    """The same rows in ever smaller shards: what a shard costs besides its rows, here and by Dask.

    ``seconds``: of one core for a shard of ``request``.
    """
    n = min(request.source.n, 4096, planning.MOST_ROWS_A_SHARD // (request.augment + 1))
    record, requests = [], []
    for puzzles in sorted({max(1, n // parts) for parts in (8, 64, 512)}, reverse=True):
        small = replace(request, source=Generated(n), shard=puzzles)
        row = {"what": f"{puzzles * (small.augment + 1):,} rows", "shards": small.shards}
        row["here"] = min(build(small, folder, threads=threads)[0] for _ in range(3))
        record.append(row)
        requests.append(small)
    client, size = client_seconds(request, folder)
    through, spent = dask_seconds(requests, folder, round(size))
    for row, each in zip(record, spent, strict=True):
        row["dask"] = each
    columns = {
        "a shard": ("what", str),
        "shards": ("shards", tables.number),
        f"{threads} threads": ("here", tables.seconds),
        "2 Dask workers": ("dask", tables.seconds),
    }
    first, last = record[0], record[-1]
    each = (last["here"] - first["here"]) / max(1, last["shards"] - first["shards"])
    notes = [
        f"Each further shard costs {each * 1e3:.2f} ms: two files, and lanes that run empty where few puzzles are dug "
        "at a time.",
        f"The client writes a shard of {request.shard * (request.augment + 1):,} rows that came back ({size:,.0f} "
        f"bytes) in {client * 1e3:.2f} ms; making it takes a core {seconds:.2f} s: {seconds / client:,.0f} cores for "
        f"one client. A network of 1 GB/s carries the shards of {seconds / size * 1e9:,.0f} cores.",
    ]
    if through:
        processors = measure.machine()["processors usable"]
        notes.append(
            f"So many bytes that need no making take {through * 1e3:.2f} ms each on their way through scheduler, "
            f"workers and client, all on {processors} processors. With shards that are made as fast as these the way "
            f"is full at {seconds / through:,.0f} cores: the first bottleneck. Dearer rows move it: fewer morphs, a "
            "rating by more of them, hard requests."
        )
    return Table("small", "The same rows in smaller shards", columns, record, notes)


def client_seconds(request, folder):
    """Seconds in which the process that gathers shards writes one that came back, least of five, and its bytes."""
    some = replace(request, source=Generated(min(request.source.n, 4 * request.shard)))
    ready = [building.made(some, planning.versions(some.to), (i, None)) for i in range(some.shards)]
    seconds = []

    def run(work, jobs):
        begun = time.perf_counter()
        yield from ready
        seconds.append((time.perf_counter() - begun) / len(ready))

    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        datasets.build(folder, some, run=run)
    size = sum(len(data) for one in ready for data in one.data)
    return min(seconds), size / len(ready)


def dask_seconds(requests, folder, size):
    """Seconds by two workers of one thread on this machine: of ``size`` bytes on their way, and of whole builds.

    None for each without the extra.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        return None, [None] * len(requests)
    from sudoku_jit import cluster

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
                build(replace(requests[0], source=Generated(64), shard=8), folder, run=run)  # to warm up
                jobs = [size] * 64
                through = min(measure.wall(lambda: list(run(bytes, jobs))) for _ in range(3)) / len(jobs)
                return through, [min(build(each, folder, run=run)[0] for _ in range(3)) for each in requests]
        finally:
            for process in started[::-1]:
                process.terminate()
            for process in started:
                process.wait(30)


def memory_table(request, place):
    """The peak of memory of the command, by threads, and of its proof."""
    n = max(1, min(request.source.n, 8 * request.shard))
    options = f"--n {n} --seed 1 --augment {request.augment} --rating {request.rating} --to {request.to}".split()
    record = []
    for threads in (1, 2, 4):
        folder = os.path.join(place, f"memory{threads}")
        record.append(
            {"what": f"build, {threads} threads", "peak": peak("build", folder, *options, "--threads", threads)}
        )
    record.append({"what": "verify, 2 threads", "peak": peak("verify", folder, "--threads", 2)})
    each = (record[2]["peak"] - record[0]["peak"]) / 3
    note = f"{n * (request.augment + 1):,} rows in shards of {request.shard * (request.augment + 1):,}; a thread takes "
    columns = {"command": ("what", str), "peak": ("peak", tables.megabytes)}
    return Table("memory", "Memory of a process", columns, record, [f"{note}{tables.megabytes(each)}."])


def peak(*arguments):
    """Peak of memory of a ``dataset`` command, started by a process that is small itself."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, '-m', 'sudoku_jit', 'dataset', *sys.argv[1:]], check=True,"
        " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    found = int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return found if sys.platform == "darwin" else found * 1024


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--augment", type=int, default=9)
    parser.add_argument("--rating", type=int, default=8)
    parser.add_argument("--to", default="parquet")
    parser.add_argument("--threads", type=int, default=streaming.threads_here())
    parser.add_argument("--markdown", type=Path, action="append", default=[])
    chosen = parser.parse_args()
    split = (("train", "0.9"), ("test", "0.1"))
    n = max(1, chosen.rows // (chosen.augment + 1))
    request = Request(Generated(n), 1, split, chosen.augment, chosen.rating, chosen.to)
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "dataset")
        one, seconds = stage_table(request)
        plain, _ = stage_table(replace(request, augment=0, shard=0))
        packing = packing_table(request)
        whole = build_table(request, folder, chosen.threads)
        small = small_table(request, folder, chosen.threads, seconds)
        memory = memory_table(request, place)
    machine = measure.machine()
    said = f"Measured with {', '.join(f'{name} {value}' for name, value in machine.items())}; load {measure.load()}."
    memory.notes.append(said)
    printed = [one, plain, packing, whole, small, memory]
    print("\n\n".join(map(tables.as_text, printed)))
    for path in chosen.markdown:
        tables.put_between_marks(path, "\n".join(map(tables.as_markdown, printed)), MARKS)


if __name__ == "__main__":
    main()
