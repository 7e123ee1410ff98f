"""Chunks through a function with threads, in order; output that appears whole or not at all."""

import errno
import os
import stat
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from sudoku_jit.errors import whole

Job = TypeVar("Job")
Result = TypeVar("Result")

HELD = 1 << 24
"""Bytes that are kept in memory until all is there."""
PATIENCE = 1.0
"""Seconds before a progress bar is worth showing."""
RATES = {9: "G", 6: "M", 3: "k", 0: ""}


class OutputClosed(Exception):  # noqa: N818
    """The reader of our output has gone: there is nobody left to write for, or to tell."""


def threads_here() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chosen_threads(threads: int | None) -> int:
    """The number asked for, or all processors. Raises ``RequestError``."""
    return threads_here() if threads is None else whole("threads", threads, 1, 1024)


def in_order(work: Callable[[Job], Result], jobs: Iterable[Job], threads: int) -> Iterator[Result]:
    """``map(work, jobs)`` by ``threads`` threads, in order, with at most ``2 * threads`` jobs under way.

    The work must let go of the GIL to gain by it, as kernels do. Where the jobs end with an error, the results of all
    before it come first: for any number of threads the first error is the one that is raised.

    >>> list(in_order(abs, [-1, -2, -3], 2))
    [1, 2, 3]
    """
    if threads <= 1:
        yield from map(work, jobs)
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Result]] = deque()
    failed: Exception | None = None
    todo = iter(jobs)
    try:
        while True:
            try:
                job = next(todo)
            except StopIteration:
                break
            except Exception as error:
                failed = error
                break
            waiting.append(pool.submit(work, job))
            if len(waiting) >= 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if failed is not None:
            raise failed
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def output(target: str, whole: bool = False) -> Iterator[BinaryIO]:
    """A stream to write ``target`` to: ``-`` is standard output.

    A file appears under its name only when the block ends without an error; until then, and after an error, an older
    file stays as it was. Its permissions are kept. Pipes and devices are written as they are, or, if they too are to be
    ``whole``, at the end; until then what they shall get is in memory, from 16 MB on in a temporary file. Raises
    ``OSError``, and ``OutputClosed`` when a reader went away.
    """
    try:
        if target == "-":
            with _held(sys.stdout.buffer, whole) as stream:
                yield stream
            sys.stdout.buffer.flush()
            return
        path = Path(os.path.realpath(target))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
        if path.exists() and not path.is_file():
            with path.open("wb", buffering=0) as device, _held(device, whole) as stream:
                yield stream
            return
        with _whole(path) as stream:
            yield stream
    except BrokenPipeError:
        raise OutputClosed from None
    except OSError as error:
        if error.filename is None:  # writing failed: say to what
            error.filename = target
        raise


@contextmanager
def _held(stream: BinaryIO, whole: bool) -> Iterator[BinaryIO]:
    if not whole:
        yield stream
        return
    with tempfile.SpooledTemporaryFile(HELD) as held:
        yield cast(BinaryIO, held)
        held.seek(0)
        while piece := held.read(1 << 20):
            write_all(stream, memoryview(piece))


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    mode = _mode_of_new_files()
    if path.exists():
        with path.open("ab"):
            pass  # raises where the older file may not be written
        mode = stat.S_IMODE(path.stat().st_mode)
    try:
        number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        error.filename = None  # the name of a temporary file tells nobody anything
        raise
    try:
        with os.fdopen(number, "wb", buffering=0) as stream:
            yield stream
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode_of_new_files() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_all(stream: BinaryIO, data: memoryview) -> None:
    """Write all of ``data``: an unbuffered stream may take less at a time."""
    while len(data):
        data = data[stream.write(data) :]


@contextmanager
def progress(total: int | None, what: str) -> Iterator[Callable[[int], None]]:
    """A function to call with the number of ``what`` just done.

    Draws a bar on standard error if that is a terminal and the work takes longer than a second.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    start, done, bar, task = time.monotonic(), 0, None, None

    def advance(count: int) -> None:
        nonlocal done, bar, task
        done += count
        if bar is None and time.monotonic() - start > PATIENCE:
            bar = _bar()
            bar.start()
            task = bar.add_task(what, total=total)
        if bar is not None:
            bar.update(task, completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def rate(speed: float | None) -> str:
    """How many a second, in three digits; nothing while it is not known.

    >>> rate(1_840_000.0), rate(52.3), rate(None)
    ('1.84 M/s', '52.3 /s', '')
    """
    if speed is None:
        return ""
    speed = float(f"{speed:.3g}")
    power = next((power for power in (9, 6, 3) if speed >= 10**power), 0)
    digits = f"{speed / 10**power:#.3g}".rstrip(".")
    return f"{digits} {RATES[power]}/s"


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class RateColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(rate(task.speed))

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
