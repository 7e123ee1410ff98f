"""Streams that are closed, full or given up by their reader, and signals at any moment, in real processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import EASY
from conftest import default_signals

pytestmark = pytest.mark.compiled


def shell(command, folder):
    """Run a command line with ``$run`` for the program; returns (exit code, stdout, stderr)."""
    result = subprocess.run(
        ["bash", "-c", f"run='{sys.executable} -m sudoku_jit'; {command}"],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return result.returncode, result.stdout, result.stderr


@pytest.fixture
def puzzle(tmp_path):
    (tmp_path / "p").write_text(f"{EASY}\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    ["gen 10 --seed 1 -o -", "puzzles 9 --seed 1", "solve p", "count p", "check p", "cache info", "--version"],
)
def test_closed_output_is_an_error(puzzle, command):
    code, _, err = shell(f"$run {command} >&-", puzzle)
    assert code == 2
    assert "Bad file descriptor" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "command",
    ["gen 10 --seed 1 -o -", "puzzles 9 --seed 1", "solve p", "count p", "check p", "cache info", "--version"],
)
def test_full_output_is_an_error(puzzle, command):
    code, _, err = shell(f"$run {command} >/dev/full", puzzle)
    assert code == 2
    assert "No space left" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["solve -", "count -", "check -"])
def test_closed_input_holds_no_puzzle(puzzle, command):
    code, out, err = shell(f"$run {command} <&-", puzzle)
    assert (code, out) == (2, "")
    assert "no puzzle" in err


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_messages_that_nobody_can_read_change_nothing(puzzle, closed):
    assert shell(f"$run gen 10 -o x {closed}", puzzle)[0] == 0
    assert (puzzle / "x").stat().st_size == 163 * 10 - 1
    assert shell(f"$run gen -5 {closed}", puzzle)[0] == 2
    assert shell(f"$run solve nothing {closed}", puzzle)[0] == 2


@pytest.mark.parametrize("command", ["solve p", "count p", "check p", "check p --json", "--help", "--version"])
def test_a_reader_that_is_gone_is_met_with_141(puzzle, command):
    shell(f"(sleep 1; $run {command}; echo $? > code) | true", puzzle)
    limit = time.monotonic() + 60
    while not (puzzle / "code").exists() or not (puzzle / "code").read_text():
        assert time.monotonic() < limit
        time.sleep(0.05)
    assert (puzzle / "code").read_text() == "141\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("delay", [0.06, 0.12, 0.2])
def test_signals_at_any_moment(tmp_path, number, delay):
    (tmp_path / "sudoku.txt").write_text("old")
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "gen", "30000000", "--seed", "1"],
        stderr=subprocess.PIPE, text=True, cwd=tmp_path, preexec_fn=default_signals,
    )  # fmt: skip
    try:
        time.sleep(delay)
        process.send_signal(number)
        err = process.communicate(timeout=30)[1]
    finally:
        process.kill()
    # In its first milliseconds Python itself is not ready for signals yet.
    assert process.returncode in (128 + number, -number)
    if process.returncode > 0:
        assert "Traceback" not in err
    assert os.listdir(tmp_path) == ["sudoku.txt"]
    assert Path(tmp_path, "sudoku.txt").read_text() == "old"


def test_a_hang_up_that_is_ignored_stays_ignored(tmp_path):
    code, _, _ = shell("trap '' HUP; $run gen 3000000 --seed 1 & sleep 0.7; kill -HUP $!; wait $!", tmp_path)
    assert code == 0
    assert (tmp_path / "sudoku.txt").stat().st_size == 163 * 3_000_000 - 1


@pytest.mark.parametrize("target", ["missing/x", "/proc/x"])
def test_errors_name_the_file_that_was_asked_for(tmp_path, target):
    code, _, err = shell(f"$run gen 2 --seed 1 -o {target}", tmp_path)
    assert code == 2
    assert f"error: {target}: " in err


def test_a_file_without_a_name_is_named(tmp_path):
    assert "error: '': " in shell("$run solve ''", tmp_path)[2]


def test_a_wrong_width_of_lanes_is_said(puzzle):
    for width in ("7", "abc"):
        code, _, err = shell(f"SUDOKU_JIT_LANES={width} $run solve p", puzzle)
        assert code == 2
        assert "expected 8, 16 or 32" in err
        assert "Traceback" not in err
