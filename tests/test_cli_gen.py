import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import JIT, default_signals

from sudoku_jit import generate_grids, grid_to_text, streaming

FILE = Path("sudoku.txt")


def texts(n, **options):
    return [grid_to_text(grid) for grid in generate_grids(n, **options)]


def test_default_file_is_the_reports(cli):
    code, out, err = cli("gen", 3, "--seed", 9)
    assert (code, out, err) == (0, b"", "")
    blocks = FILE.read_text().split("\n\n")
    assert [b.replace(" ", "").replace("\n", "") for b in blocks] == texts(3, seed=9)
    assert FILE.read_text().endswith(blocks[-1])
    assert FILE.stat().st_size == 163 * 3 - 1


def test_a_drawn_seed_is_said_and_repeats_the_run(cli):
    _, _, err = cli("gen", 5, "-o", "a")
    seed = err.split("--seed ")[1].strip()
    cli("gen", 5, "-o", "b", "--seed", seed)
    assert Path("a").read_bytes() == Path("b").read_bytes()
    cli("gen", 5, "-o", "c")
    assert Path("a").read_bytes() != Path("c").read_bytes()


def test_start_goes_on_with_the_sequence(cli):
    _, whole, _ = cli("gen", 7, "--seed", 1, "--style", "line", "-o", "-")
    _, first, _ = cli("gen", 4, "--seed", 1, "--style", "line", "-o", "-")
    _, rest, _ = cli("gen", 3, "--seed", 1, "--style", "line", "-o", "-", "--start", 4)
    assert first + rest == whole


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_same_bytes_on_any_number_of_threads(cli, threads):
    n = 30_000 if JIT else 50
    _, out, _ = cli("gen", n, "--seed", 1, "--style", "line", "-o", "-", "--threads", threads)
    assert out.decode().split() == texts(n, seed=1)


def test_options(cli):
    options = ("--seed", 2, "-o", "-", "--style", "line")
    _, out, _ = cli("gen", 2, *options, "--newline", "crlf", "--first-digit", 8)
    assert out.decode().split("\r\n")[:-1] == texts(2, seed=2, first_digit=8)
    for method in ("search", "orbit", "report"):
        _, out, _ = cli("gen", 2, *options, "--method", method)
        assert out.decode().split("\n")[:-1] == texts(2, seed=2, method=method)
    _, default, _ = cli("gen", 2, *options)
    assert default.decode().split("\n")[:-1] == texts(2, seed=2, method="search")
    _, out, _ = cli("gen", 2, *options, "--method", "uniform", "--start", 5)
    assert out.decode().split("\n")[:-1] == texts(2, seed=2, method="uniform", start=5)


def test_help_says_in_a_line_what_each_method_means(cli):
    code, out, _ = cli("gen", "--help")
    assert code == 0
    lines = [line.strip() for line in out.decode().splitlines()]
    for method, family in (("search", "4.8e16"), ("orbit", "1.2e12"), ("report", "362880"), ("uniform", "6.67e21")):
        assert [line for line in lines if line.startswith(f"{method}: {family}")]
    assert "Only uniform may repeat.  [default: search]" in lines
    assert max(map(len, out.decode().splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gen"], "N"),
        (["gen", "0"], "0"),
        (["gen", "many"], "many"),
        (["gen", "362881", "--method", "report"], "method orbit has"),
        (["gen", "1", "--start", "47784725839872000"], "47784725839872000"),
        (["gen", "1", "--start", "1218998108160", "--method", "orbit"], "1218998108160"),
        (["gen", "1", "--start", str(2**63 - 1), "--method", "uniform"], str(2**63 - 1)),
        (["gen", "1", "--method", "magic"], "magic"),
        (["gen", "1", "--style", "round"], "round"),
        (["gen", "1", "--seed", "-1"], "-1"),
        (["gen", "1", "--first-digit", "10"], "10"),
        (["gen", "1", "--threads", "0"], "0"),
        (["gen", "1", "-o", "missing/file"], "missing"),
        (["gen", "1", "-o", "."], "."),
        (["gen", "1", "-o", ""], "irectory"),
        (["gen", "1", "2"], "2"),
    ],
)
def test_wrong_use_has_a_message_and_changes_nothing(cli, arguments, words):
    FILE.write_text("old")
    code, out, err = cli(*arguments)
    assert (code, out) == (2, b"")
    assert words in err
    assert "Traceback" not in err
    assert FILE.read_text() == "old"
    assert os.listdir() == ["sudoku.txt"]


def test_permissions_links_and_devices(cli):
    cli("gen", 1, "-o", "new")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(Path("new").stat().st_mode) == 0o666 & ~mask
    Path("old").write_text("old")
    Path("old").chmod(0o640)
    Path("link").symlink_to("old")
    cli("gen", 1, "-o", "link")
    assert Path("link").is_symlink()
    assert Path("old").stat().st_size == 162
    assert stat.S_IMODE(Path("old").stat().st_mode) == 0o640
    assert cli("gen", 1, "-o", "/dev/null")[0] == 0
    assert not Path("/dev/null").is_file()


def test_a_full_device_is_said(cli):
    code, _, err = cli("gen", 1, "-o", "/dev/full")
    assert code == 2
    assert "No space left" in err


@pytest.mark.compiled
def test_a_full_disk_leaves_the_older_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FILE.write_text("old")
    result = subprocess.run(
        [sys.executable, "-m", "sudoku_jit", "gen", "100000", "--seed", "1"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert "File too large" in result.stderr
    assert "Traceback" not in result.stderr
    assert FILE.read_text() == "old"
    assert os.listdir() == ["sudoku.txt"]


@pytest.mark.compiled
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_leave_the_older_file(tmp_path, monkeypatch, number, code):
    monkeypatch.chdir(tmp_path)
    FILE.write_text("old")
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "gen", "20000000", "--seed", "1"],
        stderr=subprocess.PIPE, text=True, preexec_fn=default_signals,
    )  # fmt: skip
    limit = time.monotonic() + 60
    while not any(p.stat().st_size for p in tmp_path.glob(".sudoku.txt.*")):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)
    process.send_signal(number)
    err = process.communicate(timeout=30)[1]
    assert process.returncode == code
    assert "stopped" in err
    assert "Traceback" not in err
    assert FILE.read_text() == "old"
    assert os.listdir() == ["sudoku.txt"]


@pytest.mark.compiled
def test_a_reader_that_goes_away_is_met_with_silence(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "gen", "1000000", "-o", "-", "--seed", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    )  # fmt: skip
    process.stdout.read(100)
    process.stdout.close()
    assert process.wait(timeout=30) == 141
    with process.stderr as err:
        assert err.read() == b""


@pytest.mark.compiled
def test_memory_is_constant(tmp_path):
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, '-m', 'sudoku_jit', 'gen', sys.argv[1], '--seed', '1',"
        " '-o', '/dev/null'], check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    peaks = [
        int(subprocess.run([sys.executable, "-c", code, n], capture_output=True, check=True).stdout)
        for n in ("1000", "100000", "3000000")
    ]
    assert max(peaks) < 300_000
    assert peaks[2] < peaks[1] * 1.2


@pytest.mark.compiled
def test_progress_bar_on_a_terminal_only(tmp_path):
    """Count, rate and time left, in a terminal of 80 columns."""
    import pty

    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "gen", "5000000000", "-o", "/dev/null", "--seed", "1"],
        stderr=inner, cwd=tmp_path, env={**os.environ, "TERM": "xterm", "COLUMNS": "80"}, preexec_fn=default_signals,
    )  # fmt: skip
    os.close(inner)
    shown, seen, limit = b"", None, time.monotonic() + 60
    while not seen and time.monotonic() < limit:
        shown += os.read(outer, 4096)
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="ignore"))
        seen = re.search(r"grids ━+ *\d+/5000000000 +\d[.\d]* [kMG]?/s +\d+:\d\d:\d\d", plain)
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=60)
    os.close(outer)
    assert seen, plain
    assert code == 130


@pytest.mark.parametrize(
    ("speed", "words"),
    [
        (None, ""), (0, "0.00 /s"), (0.5, "0.500 /s"), (7, "7.00 /s"), (123.4, "123 /s"), (999.4, "999 /s"),
        (999.6, "1.00 k/s"), (18_449, "18.4 k/s"), (999_499, "999 k/s"), (999_500, "1.00 M/s"),
        (1_840_000, "1.84 M/s"), (2.5e9, "2.50 G/s"),
    ],
)  # fmt: skip
def test_rates_have_three_digits(speed, words):
    assert streaming.rate(speed) == words
