"""Shards and chunks on a cluster: Dask runs a build; plain functions over pyarrow data suit Ray and Spark as well.

Dask: ``on_dask`` is what ``sudoku-jit dataset build --scheduler`` uses. In a program of one's own::

    import dask.bag
    from functools import partial
    from sudoku_jit import cluster
    from sudoku_jit.datasets import Generated, Request

    request = Request(Generated(1_000_000), seed=1, augment=9)
    bag = dask.bag.from_sequence(range(request.shards), npartitions=request.shards)
    bag.map(partial(cluster.shard_table, request)).map(lambda table: table.num_rows).sum().compute()

Ray Data: ``answered`` takes and gives a pyarrow table, so that blocks of puzzles get their columns::

    ray.data.read_parquet("puzzles").map_batches(cluster.answered, batch_format="pyarrow")

Spark: ``map_in_arrow`` takes and gives an iterator of pyarrow record batches::

    spark.read.parquet("puzzles").mapInArrow(cluster.map_in_arrow, cluster.SPARK_SCHEMA)

Each worker needs this package installed; nothing is sent to it but the request and, where they are given, puzzles.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from sudoku_jit.datasets import writing
from sudoku_jit.datasets.planning import Request
from sudoku_jit.datasets.rows import columns, shard
from sudoku_jit.errors import RequestError

Job = TypeVar("Job")
Result = TypeVar("Result")

CONNECT = 10.0
"""Seconds to reach a scheduler."""
NO_WORKER = 120.0
"""Seconds without any worker after which a run is given up."""
_LOOK = 5.0
_LOST = "the scheduler at {} was lost; what is whole is kept, and the same call goes on with it"

SPARK_SCHEMA = "puzzle string, solution string, clues tinyint, guesses double, class string"
"""The columns of ``map_in_arrow`` as Spark writes them."""


def shard_table(request: Request, i: int) -> Any:
    """Shard ``i`` of generated puzzles as a pyarrow table (``datasets.table``): the same on any machine.

    >>> from sudoku_jit.datasets import Generated
    >>> shard_table(Request(Generated(10), seed=1, augment=1, shard=4), 2).num_rows
    4
    """
    return writing.table(shard(request, i))


def answered(table: Any, rating: int = 8) -> Any:
    """A pyarrow table with a text column ``puzzle`` to the table of ``datasets.table``; other columns are left out.

    Raises ``PuzzleError`` for a text that is no puzzle, and for one without exactly one solution.

    >>> import pyarrow
    >>> puzzle = "3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4"
    >>> answered(pyarrow.table({"puzzle": [puzzle]}))["clues"].to_pylist()
    [30]
    """
    return writing.table(columns(table["puzzle"].to_pylist(), rating=rating))


def map_in_arrow(batches: Iterable[Any], rating: int = 8) -> Iterator[Any]:
    """Record batches to record batches, as Spark's ``mapInArrow`` wants it: ``answered`` for each."""
    pyarrow = writing.pyarrow_module()
    for batch in batches:
        if batch.num_rows:
            yield from answered(pyarrow.Table.from_batches([batch]), rating).combine_chunks().to_batches()


@contextmanager
def on_dask(
    address: str, tell: Callable[[str], None] = lambda message: None
) -> Iterator[Callable[[Callable[[Job], Result], Iterable[Job]], Iterator[Result]]]:
    """A function ``run(work, jobs)``: results of the jobs by the workers of a Dask scheduler, as they are done.

    Twice as many jobs as the workers have threads are under way. A job of a worker that is lost goes to another one.
    Results come back to this process, so that nothing but the network is shared. Raises ``RequestError`` if the extra
    is missing, the scheduler cannot be reached or is lost, or has no worker for two minutes.
    """
    try:
        import distributed
    except ImportError:
        raise RequestError("a cluster needs an extra: pip install 'sudoku-jit[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise RequestError(
            f"no Dask scheduler at {address}: {error}. 'dask scheduler' starts one and says its address"
        ) from None
    with client:
        yield lambda work, jobs: _results(client, address, work, iter(jobs), tell)


def _results(
    client: Any,
    address: str,
    work: Callable[[Job], Result],
    jobs: Iterator[Job],
    tell: Callable[[str], None],
) -> Iterator[Result]:
    import distributed

    waiting: set[Any] = set()
    more, room, looked = True, 0, -_LOOK
    try:
        while more or waiting:
            if time.monotonic() - looked > _LOOK:
                room, looked = 2 * _threads(client, address, tell), time.monotonic()
            while more and len(waiting) < room:
                try:
                    waiting.add(client.submit(work, next(jobs), pure=False))
                except StopIteration:
                    more = False
            if not waiting:
                continue
            done: set[Any] = set()
            with suppress(TimeoutError), client.as_current():
                done = distributed.wait(waiting, timeout=_LOOK, return_when="FIRST_COMPLETED").done
            waiting -= done
            for future in done:
                yield future.result()
    except distributed.scheduler.KilledWorker as error:
        raise RequestError(f"workers died at the same shard, again and again: {error}"[:300]) from None
    except (CancelledError, distributed.comm.CommClosedError):
        raise RequestError(_LOST.format(address)) from None
    finally:
        for future in waiting:
            future.release()


def _threads(client: Any, address: str, tell: Callable[[str], None]) -> int:
    """Threads of all workers; waits for the first."""
    begun, told = time.monotonic(), False
    while True:
        if client.status != "running":
            raise RequestError(_LOST.format(address))
        threads: int = sum(client.nthreads().values())
        if threads:
            return threads
        if not told:
            tell(f"no worker at {address} yet; 'dask worker {address}' starts one")
            told = True
        if time.monotonic() - begun > NO_WORKER:
            raise RequestError(f"no worker at {address} in {NO_WORKER:.0f} s; 'dask worker {address}' starts one")
        time.sleep(0.2)
