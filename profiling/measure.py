"""Measuring: variants in turn, processes with their memory, and what machine it was."""

import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

NOISY = 0.25
"""A spread (quarter to quarter, against the median) above which a figure is called noisy."""


class Times(NamedTuple):
    """Seconds of the runs of one variant, in the order they were made."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The figure that the tables show."""
        return statistics.median(self.seconds)

    @property
    def noisy(self) -> bool:
        """Whether the middle half of the runs lies far apart."""
        if len(self.seconds) < 4:
            return False
        low, _, high = statistics.quantiles(self.seconds, n=4)
        return high - low > NOISY * self.median

    def record(self) -> dict[str, Any]:
        """Give the fields of a table's row."""
        return {
            "seconds": self.median,
            "least": min(self.seconds),
            "most": max(self.seconds),
            "runs": list(self.seconds),
            "noisy": self.noisy,
        }


def in_turn(variants: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, Times]:
    """Run A B C, A B C, ...: a slow minute of the machine then falls on all variants alike.

    Each variant returns the seconds it took, so that it can prepare and clear away untimed.
    """
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, run in variants.items():
            seconds[name].append(run())
    return {name: Times(tuple(runs)) for name, runs in seconds.items()}


def wall(work: Callable[[], Any]) -> float:
    """Seconds by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def processor(work: Callable[[], Any]) -> float:
    """Seconds of processor time of this thread: what other programs take meanwhile is left out."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


class Ended(NamedTuple):
    """A process that ended well: seconds by the clock; if known, of processors, and the peak of memory."""

    seconds: float
    processor: float | None
    peak_bytes: int | None
    stderr: str


def process(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    stdin: Path | str = os.devnull,
    stdout: Path | str = os.devnull,
) -> Ended:
    """Run a whole process from start to exit; its peak of memory is its own alone (``wait4``).

    The kernel counts the memory of the parent at the moment of the fork for the child too, so call
    this before the parent has imported anything large.
    """
    with open(folder / "stderr.txt", "w+b") as said, open(stdin, "rb") as source, open(stdout, "wb") as target:
        start = time.perf_counter()
        child = subprocess.Popen(
            arguments,
            stdin=source,
            stdout=target,
            stderr=said,
            cwd=folder,
            env={**os.environ, **environment},
        )
        peak = spent = None
        if hasattr(os, "wait4"):
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            spent = usage.ru_utime + usage.ru_stime
            peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        else:
            child.wait()
        seconds = time.perf_counter() - start
        said.seek(0)
        stderr = said.read().decode(errors="replace")
    if child.returncode:
        what = " ".join(arguments)
        raise SystemExit(f"{Path(sys.argv[0]).name}: {what} ended with {child.returncode}\n{stderr}")
    return Ended(seconds, spent, peak, stderr)


def machine() -> dict[str, Any]:
    """Record what the figures depend on."""
    packages = ("sudoku-jit", "numba", "numpy", "llvmlite", "line_profiler", "matplotlib")
    record: dict[str, Any] = {
        "processor": _processor_name(),
        "processors usable": _usable(),
        "system": f"{platform.system()} {_main_version(platform.release())} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
    }
    for name in packages:
        try:
            record[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            record[name] = "not installed"
    return record


def load() -> float | None:
    """Count the processes that wanted a processor in the last minute, this one included."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _usable() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _main_version(release: str) -> str:
    return ".".join(release.split(".")[:2])


def _processor_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(line.replace("\t", "").split(":", 1) for line in lines if ":" in line)
    name = fields.get("model name", platform.machine()).strip()
    if "model" in fields and "cpu family" in fields:
        name += f", family {fields['cpu family'].strip()} model {fields['model'].strip()}"
    return name
