import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
ROOT = Path(__file__).parent.parent


def default_signals():
    """For a child that is to be interrupted: a suite started in the background ignores SIGINT, and it would too."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def pytest_collection_modifyitems(items):
    if not JIT:
        for item in items:
            if "compiled" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="too slow with JIT off"))


@pytest.fixture(scope="session", autouse=True)
def _compiled():
    """Compile first, so that no test is told of it."""
    if JIT:
        from sudoku_jit import caching

        caching.warm()


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Runs the command line as a process in an empty folder; returns what it left."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=b"", env=None, timeout=300):
        return subprocess.run(
            [sys.executable, "-m", "sudoku_jit", *map(str, arguments)],
            input=stdin, capture_output=True, timeout=timeout, check=False,
            env={**os.environ, **(env or {})},
        )  # fmt: skip

    return run


@pytest.fixture
def cli(tmp_path, monkeypatch, capfdbinary):
    """Runs the command line in this process, so that coverage sees it: (exit code, out, err)."""
    from io import BytesIO, TextIOWrapper

    from sudoku_jit import cli

    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        code = cli.run([str(a) for a in arguments])
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return code, out, err.decode()

    return run
