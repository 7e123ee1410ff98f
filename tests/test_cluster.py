"""Shards on a real Dask scheduler with workers that die, and the functions for other tools."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial

import pyarrow
import pytest
from cases import EASY, EASY_SOLUTION, REPORT, SIX
from conftest import JIT, ROOT
from datasets_made import tree, write_lines

from sudoku_jit import cluster, datasets, generate_puzzles
from sudoku_jit.datasets import Generated, Request
from sudoku_jit.datasets.given import examined
from sudoku_jit.errors import PuzzleError, RequestError

RATING = 2 if JIT else 1
COLUMNS = ["puzzle", "solution", "clues", "guesses", "class"]
REQUEST = Request(Generated(5, clues=(60, 63)), seed=1, augment=1, rating=RATING, shard=2)


def test_a_shard_is_a_table():
    tables = [cluster.shard_table(REQUEST, i) for i in range(REQUEST.shards)]
    assert [table.num_rows for table in tables] == [4, 4, 2]
    assert {tuple(table.column_names) for table in tables} == {tuple(COLUMNS)}


def test_map_in_arrow_takes_and_gives_batches():
    """As Spark calls it: iterators of record batches, with any other columns, on both sides."""
    batch = pyarrow.record_batch({"name": ["a", "b"], "puzzle": [EASY, EASY_SOLUTION]})
    made = list(cluster.map_in_arrow(iter([batch, batch[:0], batch[1:]]), rating=RATING))
    assert [type(each) for each in made] == [pyarrow.RecordBatch] * 2
    assert [each.num_rows for each in made] == [2, 1]
    whole = pyarrow.Table.from_batches(made)
    assert whole.column_names == COLUMNS == [field.split()[0] for field in cluster.SPARK_SCHEMA.split(", ")]
    assert whole["solution"].to_pylist() == [EASY_SOLUTION] * 3
    assert whole["clues"].to_pylist() == [30, 81, 81]
    assert len(set(whole["class"].to_pylist())) == 1
    for puzzle in (SIX, "short"):
        with pytest.raises(PuzzleError):
            list(cluster.map_in_arrow([pyarrow.record_batch({"puzzle": [puzzle]})], rating=RATING))


def test_dask_bag():
    bag = pytest.importorskip("dask.bag")
    numbers = bag.from_sequence(range(REQUEST.shards), npartitions=REQUEST.shards)
    tables = numbers.map(partial(cluster.shard_table, REQUEST)).compute(scheduler="threads")
    assert tables == [cluster.shard_table(REQUEST, i) for i in range(REQUEST.shards)]


@pytest.mark.compiled
@pytest.mark.filterwarnings("default")
def test_ray_data(monkeypatch):
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    data = pytest.importorskip("ray.data")
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        blocks = data.from_arrow(pyarrow.table({"puzzle": [EASY, REPORT]}))
        rows = blocks.map_batches(cluster.answered, batch_format="pyarrow").take_all()
    finally:
        ray.shutdown()
    assert [row["clues"] for row in rows] == [30, 17]


@pytest.mark.compiled
@pytest.mark.filterwarnings("default")
def test_spark(monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    sql = pytest.importorskip("pyspark.sql")
    pytest.importorskip("pandas")  # pyspark wants it beside pyarrow
    spark = sql.SparkSession.builder.master("local[1]").getOrCreate()
    try:
        given = spark.createDataFrame([(EASY,), (REPORT,)], "puzzle string")
        rows = given.mapInArrow(cluster.map_in_arrow, cluster.SPARK_SCHEMA).collect()
    finally:
        spark.stop()
    assert [row.clues for row in rows] == [30, 17]
    assert rows[0].solution == EASY_SOLUTION


class Cluster:
    """A scheduler and its workers as processes on loopback, as the two commands of the README start them."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.folder, self.processes = folder, []
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")

    def start(self, *arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{arguments[0]}", *arguments[1:]],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self):
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")


@contextmanager
def running(folder):
    made = Cluster(folder)
    try:
        yield made
    finally:
        for process in made.processes:
            with_group = getattr(os, "killpg", None)
            if process.poll() is None and with_group:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)


@pytest.fixture
def dask(tmp_path):
    pytest.importorskip("distributed")
    folder = tmp_path / "dask"
    folder.mkdir()
    with running(folder) as made:
        yield made


@pytest.mark.filterwarnings("default")
def test_workers_make_the_same_bytes(tmp_path, dask):
    dask.worker()
    with cluster.on_dask(dask.address) as run:
        assert datasets.build(tmp_path / "there", REQUEST, run=run).built == 3
    datasets.build(tmp_path / "here", REQUEST)
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


@pytest.mark.compiled
@pytest.mark.filterwarnings("default")
def test_a_worker_that_dies_changes_nothing(tmp_path, dask):
    source = write_lines(tmp_path / "p", generate_puzzles(200, seed=1)[0])
    workers = [dask.worker(), dask.worker()]
    told, seen = [], []

    def kill_one(rows):
        seen.append(rows)
        if len(seen) == 6:  # the first call is for shards that were there
            workers[0].kill()

    with examined(source) as found:
        split = ("train", "0.75"), ("test", "0.25")
        request = Request(found.source, 7, split, augment=300, shard=5, rating=2)
        datasets.build(tmp_path / "here", request, given=found)
        with cluster.on_dask(dask.address, told.append) as run:
            built = datasets.build(tmp_path / "there", request, given=found, run=run, advance=kill_one)
    assert built.built == 40
    assert workers[0].wait(30) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


def test_the_command(tmp_path, dask, program):
    n, clues = (40, 50) if JIT else (4, 63)
    options = ("--n", n, "--seed", 1, "--clues", clues, "--shard", n // 4, "--rating", 1, "--augment", 3)
    dask.worker()
    result = program("dataset", "build", "there", *options, "--scheduler", dask.address, timeout=120)
    assert (result.returncode, f"{4 * n} rows in there".encode() in result.stderr) == (0, True), result.stderr
    assert program("dataset", "build", "here", *options).returncode == 0
    assert tree("there") == tree("here")


@pytest.mark.filterwarnings("default")
def test_no_worker_and_no_scheduler_are_said(tmp_path, dask, monkeypatch):
    told = []
    monkeypatch.setattr(cluster, "NO_WORKER", 1.0)
    with (
        cluster.on_dask(dask.address, told.append) as run,
        pytest.raises(RequestError, match=r"no worker at .* in 1 s; 'dask worker"),
    ):
        datasets.build(tmp_path / "a", REQUEST, run=run)
    assert told == [f"no worker at {dask.address} yet; 'dask worker {dask.address}' starts one"]
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    dask.scheduler.kill()
    dask.scheduler.wait(30)
    with pytest.raises(RequestError, match=r"no Dask scheduler at .*'dask scheduler' starts one"):
        cluster.on_dask(dask.address).__enter__()


@pytest.mark.compiled
@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_goes_away_is_said(tmp_path, dask):
    dask.worker()
    request = Request(Generated(400), seed=1, augment=300, shard=4, rating=0)
    begun = time.monotonic()

    def kill_it(rows):
        if rows and dask.scheduler.poll() is None:
            dask.scheduler.kill()

    with pytest.raises(RequestError, match="was lost"), cluster.on_dask(dask.address) as run:
        datasets.build(tmp_path / "a", request, run=run, advance=kill_it)
    assert time.monotonic() - begun < 100
    assert datasets.build(tmp_path / "a", request).found > 0
