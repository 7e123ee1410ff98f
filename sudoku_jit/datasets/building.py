"""Building a dataset: shard by shard, each whole or not at all, going on where an earlier run ended."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np

from sudoku_jit import streaming
from sudoku_jit.datasets import metadata, planning, writing
from sudoku_jit.datasets.given import Examined
from sudoku_jit.datasets.metadata import File
from sudoku_jit.datasets.planning import Request
from sudoku_jit.datasets.rows import shard, sides
from sudoku_jit.errors import FormatError, RequestError
from sudoku_jit.grids import Cells

Job = tuple[int, Cells | None]
"""A shard's number, and its puzzles if they are given."""


class Made(NamedTuple):
    """A shard as bytes: its number, and its files with what they hold."""

    number: int
    files: tuple[File, ...]
    data: tuple[bytes, ...]


class Runner(Protocol):
    """How shards are made: by threads of this machine, or by a cluster; in any order."""

    def __call__(self, work: Callable[[Job], Made], jobs: Iterable[Job], /) -> Iterator[Made]:
        """The results of ``work`` for all jobs."""


class Built(NamedTuple):
    """``counts``: those of the metadata. ``built``: shards made by this run; ``found``: those that were there."""

    counts: dict[str, Any]
    built: int
    found: int


def build(
    folder: str | os.PathLike[str],
    request: Request,
    *,
    given: Examined | None = None,
    threads: int | None = None,
    run: Runner | None = None,
    advance: Callable[[int], None] = lambda rows: None,
    tell: Callable[[str], None] = lambda message: None,
) -> Built:
    """Write the dataset that ``request`` says to ``folder``, which is made if need be.

    A shard's files appear whole or not at all; a run that was ended in any way goes on when the same call is made
    again, and ends with the same bytes. What an earlier run left is trusted if the checksum is right, else built
    again. ``given``: from ``datasets.given.examined``, where the puzzles are given. ``run``: how shards are made,
    threads of this machine by default. ``advance`` is called with numbers of rows done, ``tell`` with messages. Memory:
    some 40 MB a thread. Raises ``RequestError``, also for a folder that holds another dataset; ``OSError``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     build(folder, Request(planning.Generated(5), seed=1, rating=0, to="csv")).counts["splits"]
    {'train': {'puzzles': 5, 'rows': 5, 'files': 1}}
    """
    folder = os.fspath(folder)
    versions = planning.versions(request.to)
    first = metadata.head(request, versions)
    _check_folder(folder, first)
    os.makedirs(folder, exist_ok=True)
    with _journal(folder) as journal:
        _remove_parts(folder, request)
        known = metadata.read(folder)
        claimed = _claimed(folder, known, journal)
        shards = _trusted(folder, request, claimed, threads, tell)
        _rewrite(journal, shards)
        if known is None or (len(shards) < request.shards and known != first):
            metadata.write(folder, first)
            known = first
        advance(sum(map(request.rows_of, shards)))
        found = len(shards)
        run = run or partial(streaming.in_order, threads=streaming.chosen_threads(threads))
        work = partial(made, request, versions)
        for one in run(work, _jobs(folder, request, given, shards)):
            for file, data in zip(one.files, one.data, strict=True):
                path = os.path.join(folder, file.path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with streaming.output(path) as stream:
                    streaming.write_all(stream, memoryview(data))
            shards[one.number] = one.files
            _note(journal, one.number, one.files)
            advance(request.rows_of(one.number))
        record = metadata.whole(request, versions, shards)
        if known != record:
            metadata.write(folder, record)
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(folder, metadata.JOURNAL))
    return Built(record["counts"], request.shards - found, found)


def made(request: Request, versions: dict[str, str], job: Job) -> Made:
    """A shard as bytes. Raises ``RequestError`` where other versions of packages are installed than ``versions``."""
    other = planning.differences(planning.versions(request.to), versions)
    if other:
        raise RequestError(f"versions differ between the machines of the cluster: {'; '.join(other)}")
    _keep_memory()
    number, puzzles = job
    rows = shard(request, number, puzzles)
    times, side = request.augment + 1, sides(request, rows.classes)
    files, held = [], []
    for at, split in enumerate(request.splits):
        part = rows.part(side == at) if len(request.split) > 1 else rows
        n = len(part.puzzles)
        if not n:
            continue
        for end, data in writing.files(part, request.to, metadata.source_name(request)).items():
            path = f"{split}/{number:06d}{end}"
            files.append(File(path, split, n, n // times, len(data), sha256(data).hexdigest()))
            held.append(data)
    return Made(number, tuple(files), tuple(held))


@cache
def _keep_memory() -> None:
    """Have glibc keep up to 32 MB that a shard lets go of for the next one ("dynamic mmap threshold" in mallopt(3)).

    Pages that it would hand back have to be cleared again, which takes longer than to pack what is written to them.
    """
    np.empty(1 << 24, np.uint8)


def _check_folder(folder: str, first: dict[str, Any]) -> None:
    """Raise ``RequestError`` for a folder that holds something else."""
    known = metadata.read(folder)
    if known is None:
        if os.path.isdir(folder) and set(os.listdir(folder)) - {metadata.JOURNAL}:
            raise RequestError(f"{folder} is not empty and holds no dataset; expected a new or empty folder")
        return
    parts = ("request", "versions")
    other = planning.differences({part: first[part] for part in parts}, {part: known.get(part) for part in parts})
    if other:
        raise RequestError(
            f"{folder} holds a dataset of another request: {'; '.join(other)}. Give that request to go on with it, or "
            "another folder"
        )


@contextmanager
def _journal(folder: str) -> Iterator[BinaryIO]:
    """The list of finished shards of a dataset at work, which only one process may have open."""
    path = os.path.join(folder, metadata.JOURNAL)
    with open(path, "a+b", buffering=0) as journal:
        try:
            import fcntl
        except ImportError:
            pass
        else:
            try:
                fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RequestError(f"another process is building in {folder}; wait for it to end") from None
        yield journal


def _note(journal: BinaryIO, number: int, files: tuple[File, ...]) -> None:
    line = json.dumps([number, [file._asdict() for file in files]]) + "\n"
    streaming.write_all(journal, memoryview(line.encode()))


def _rewrite(journal: BinaryIO, shards: metadata.Shards) -> None:
    journal.truncate(0)
    for number, files in shards.items():
        _note(journal, number, files)


def _claimed(folder: str, known: dict[str, Any] | None, journal: BinaryIO) -> dict[int, tuple[File, ...]]:
    """The shards that an earlier run says it finished. A line that is not whole was never finished."""
    claimed = {}
    listed = (known or {}).get("shards")
    for number, record in enumerate(listed if isinstance(listed, list) else []):
        with suppress(RequestError):
            claimed[number] = metadata.shard_files(record)
    journal.seek(0)
    for line in journal:
        with suppress(ValueError, TypeError, RequestError):
            number, record = json.loads(line)
            claimed[number] = metadata.shard_files(record)
    return claimed


def _trusted(
    folder: str,
    request: Request,
    claimed: dict[int, tuple[File, ...]],
    threads: int | None,
    tell: Callable[[str], None],
) -> dict[int, tuple[File, ...]]:
    """Those of the claimed shards whose files have the checksums they should have."""

    def checked(number: int) -> tuple[int, str | None]:
        return number, next((file.path for file in claimed[number] if wrong_bytes(folder, file)), None)

    trusted = {}
    numbers = sorted(
        number
        for number, files in claimed.items()
        if number in range(request.shards) and metadata.rows_of(files) == request.rows_of(number)
    )
    for number, bad in streaming.in_order(checked, numbers, streaming.chosen_threads(threads)):
        if bad is None:
            trusted[number] = claimed[number]
        else:
            tell(f"{os.path.join(folder, bad)} is not what was built: shard {number} is built again")
    return trusted


def wrong_bytes(folder: str, file: File) -> str | None:
    """What is wrong with the bytes of a file: missing, another size or checksum; None if they are right."""
    digest = sha256()
    try:
        with open(os.path.join(folder, file.path), "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size != file.bytes:
                return f"{size} bytes; expected {file.bytes}"
            while piece := stream.read(1 << 20):
                digest.update(piece)
    except FileNotFoundError:
        return "missing"
    return None if digest.hexdigest() == file.sha256 else f"sha256 {digest.hexdigest()}; expected {file.sha256}"


def _jobs(folder: str, request: Request, given: Examined | None, shards: metadata.Shards) -> Iterator[Job]:
    """The shards that are still to be made; given puzzles that are left out are listed on the way."""
    if given is None:
        yield from ((number, None) for number in range(request.shards) if number not in shards)
        return
    if len(shards) == request.shards and (
        not given.source.left_out or os.path.exists(os.path.join(folder, metadata.LEFT_OUT))
    ):
        return
    if not given.source.left_out:
        yield from (job for job in given.shards(request.shard, lambda error: None) if job[0] not in shards)
        return
    with streaming.output(os.path.join(folder, metadata.LEFT_OUT)) as stream:

        def listed(error: FormatError) -> None:
            streaming.write_all(stream, memoryview(f"{error}\n".encode("utf-8", "backslashreplace")))

        yield from (job for job in given.shards(request.shard, listed) if job[0] not in shards)


def _remove_parts(folder: str, request: Request) -> None:
    """Remove what ``streaming.output`` was writing when an earlier run was killed."""
    for place in (folder, *(os.path.join(folder, split) for split in request.splits)):
        with suppress(FileNotFoundError):
            for name in os.listdir(place):
                if name.startswith(".") and name.endswith(".part"):
                    os.unlink(os.path.join(place, name))
