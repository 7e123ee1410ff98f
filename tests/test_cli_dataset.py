import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import EASY, REPORT, SIX
from conftest import JIT, default_signals
from datasets_made import tree, write_lines

from sudoku_jit import generate_puzzles

N = 40 if JIT else 4


def build(cli, *arguments):
    code, out, err = cli("dataset", "build", *arguments)
    assert out == b""
    return code, err


def test_generated_puzzles(cli):
    code, err = build(cli, "a", "--n", N, "--seed", 3, "--rating", 1, "--clues", "60..63", "--first-digit", 7)
    assert (code, err) == (0, f"sudoku-jit: {N} rows in a: train {N}\n")
    assert sorted(tree("a")) == ["metadata.json", "train/000000.parquet"]
    record = json.loads(Path("a/metadata.json").read_text())
    assert record["request"]["source"] == {
        "kind": "generated", "n": N, "clues": [60, 63], "minimal": False, "symmetry": "none", "pattern": None,
        "min_blanks_per_box": 0, "guesses": [None, None], "first_digit": 7, "start": 0,
    }  # fmt: skip
    assert cli("dataset", "verify", "a") == (0, f"a/: {N} rows in 1 files: all is right\n".encode(), "")


def test_puzzles_of_a_file(cli):
    write_lines("p", generate_puzzles(N, seed=1, clues=(71, 71))[0])
    options = ("--from", "p", "--split", "train=0.5,test=0.5", "--augment", 2, "--rating", 1, "--to", "csv")
    code, err = build(cli, "a", *options, "--seed", 1, "--threads", 1)
    assert (code, err.startswith(f"sudoku-jit: {3 * N} rows in a: train ")) == (0, True)
    before = tree("a")
    code, err = build(cli, "a", *options, "--seed", 1, "--threads", 2)
    assert (code, err.startswith("sudoku-jit: 1 of 1 shards were there already\n")) == (0, True)
    assert tree("a") == before
    assert build(cli, "b", *options, "--seed", 1)[0] == 0
    assert tree("b") == before
    assert cli("dataset", "verify", "a", "--threads", 1)[0] == 0


def test_generated_puzzles_with_the_options_of_puzzles(cli):
    Path("p").write_text("x" * 72 + "." * 9)
    options = ("--clues", "50..60", "--symmetry", "vertical", "--pattern", "p", "--max-guesses", 0, "--start", 7)
    split = ("--split", "train=0.5,test=0.5")
    code, _ = build(cli, "a", "--n", N, "--seed", 3, "--rating", 0, "--to", "csv", *options, *split)
    assert code == 0
    _, out, _ = cli("puzzles", N, "--seed", 3, *options)
    made = [line.split(",")[0] for path in sorted(Path("a").glob("*/*.csv")) for line in path.read_text().split()[1:]]
    assert len(list(Path("a").glob("*/*.csv"))) == 2
    assert sorted(made) == sorted(out.decode().replace("0", ".").split())
    assert cli("dataset", "verify", "a")[0] == 0


def test_a_drawn_seed_is_said_and_kept(cli):
    options = ("--n", 2, "--clues", 63, "--rating", 0, "--to", "csv")
    code, err = build(cli, "a", *options)
    seed = err.split("--seed ")[1].split()[0]
    before = tree("a")
    code, err = build(cli, "a", *options)
    assert (code, "--seed" in err) == (0, False)
    assert tree("a") == before
    build(cli, "b", *options, "--seed", seed)
    assert tree("b") == before


def test_left_out_records(cli):
    Path("p").write_text(f"{EASY}\n{SIX}\n{EASY}\n{REPORT}\nnothing\n")
    code, err = build(cli, "a", "--from", "p", "--rating", 0, "--to", "csv")
    assert code == 2
    assert "p:2: puzzle 2: several solutions" in err or "p:5" in err
    assert not Path("a").exists()
    code, err = build(cli, "a", "--from", "p", "--rating", 0, "--to", "csv", "--on-error", "skip")
    assert code == 1
    assert "left out: 1 with several solutions" in err
    assert len(Path("a/left_out.txt").read_text().splitlines()) == 3
    assert cli("dataset", "verify", "a")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "one of --n N and --from FILE"),
        (["--n", 1, "--from", "p"], "one of --n N and --from FILE"),
        (["--n", 0], "0"),
        (["--n", 1, "--format", "csv"], "go with --from"),
        (["--n", 1, "--on-error", "skip"], "go with --from"),
        (["--from", "p", "--clues", "30"], "goes with --n"),
        (["--n", 1, "--clues", "few"], "'few'"),
        (["--n", 1, "--clues", "30-20"], "expected LO..HI"),
        (["--n", 1, "--clues", "5"], "fewer than 17"),
        *(
            (["--from", "p", *options], "goes with --n")
            for options in (
                ["--minimal"],
                ["--symmetry", "full"],
                ["--pattern", "p"],
                ["--max-guesses", 0],
                ["--start", 1],
            )
        ),
        (["--n", 1, "--timeout", 3], "--timeout"),
        (["--n", 1, "--split", "train"], "'train'"),
        (["--from", "p", "--split", "train=0.5,test=0.4"], "add up to 0.9"),
        (["--n", 1, "--by", "string"], "string"),
        (["--n", 1, "--to", "xml"], "xml"),
        (["--n", 1, "--rating", 0, "--to", "extreme"], "rating"),
        (["--n", 1, "--augment", -1], "-1"),
        (["--n", 1, "--shard", 0], "0"),
        (["--n", 1 << 62], "a seed has"),
        (["--from", "none"], "none: No such file"),
        (["--from", "-"], "read twice"),
    ],
)
def test_wrong_use_has_a_message_and_makes_nothing(cli, arguments, words):
    Path("p").write_text(f"{EASY}\n")
    code, err = build(cli, "a", *arguments)
    assert code == 2
    assert words in err
    assert "Traceback" not in err
    assert os.listdir() == ["p"]


def test_places_that_cannot_be_written(cli):
    Path("file").write_text("")
    for place in ("file", "file/a", "/proc/a"):
        code, err = build(cli, place, "--n", 1, "--seed", 1, "--rating", 0, "--clues", 63)
        assert code == 2
        assert "error: " in err
        assert "Traceback" not in err
    code, _, err = cli("dataset", "verify", "none")
    assert (code, "holds no metadata.json" in err) == (2, True)


def test_another_request_is_refused_and_damage_is_told(cli):
    options = ("--n", 2, "--clues", 63, "--seed", 1, "--rating", 0, "--to", "csv")
    build(cli, "a", *options)
    code, err = build(cli, "a", *options, "--augment", 1)
    assert code == 2
    assert "request.augment: 1, there 0" in err
    path = Path("a/train/000000.csv")
    path.write_bytes(path.read_bytes().replace(b",63,", b",62,", 1))
    code, out, _ = cli("dataset", "verify", "a")
    lines = out.decode().splitlines()
    assert code == 1
    assert lines[0].startswith("train/000000.csv: sha256 ")
    assert lines[1:] == ["train/000000.csv: row 1: 62 clues; expected 63", "a/: 2 rows in 1 files: 2 things wrong"]
    code, err = build(cli, "a", *options)
    assert (code, "train/000000.csv is not what was built" in err) == (0, True)


@pytest.mark.compiled
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_ended_goes_on(program, tmp_path, number):
    """A real process, ended in the middle; the same command then ends with the bytes of an undisturbed run."""
    write_lines("p", generate_puzzles(300, seed=1)[0])
    options = ("--from", "p", "--split", "train=0.8,test=0.2", "--augment", 400, "--shard", 5, "--seed", 1)
    assert program("dataset", "build", "whole", *options).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "dataset", "build", "a", *map(str, options), "--threads", "1"],
        stderr=subprocess.PIPE, text=True, preexec_fn=default_signals,
    )  # fmt: skip
    limit = time.monotonic() + 60
    journal = Path("a/shards.journal")
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.002)
    process.send_signal(number)
    err = process.communicate(timeout=30)[1]
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert ("whole shards are kept in a" in err) == (number != signal.SIGKILL)
    assert "Traceback" not in err
    assert not json.loads(Path("a/metadata.json").read_text())["complete"]
    again = program("dataset", "build", "a", *options)
    assert again.returncode == 0
    assert b"shards were there already" in again.stderr
    assert tree("a") == tree("whole")


@pytest.mark.compiled
def test_a_full_disk_keeps_whole_shards(tmp_path, program):
    options = ["--n", "40", "--augment", "1000", "--shard", "10", "--seed", "1", "--clues", "60", "--rating", "0"]
    result = subprocess.run(
        [sys.executable, "-m", "sudoku_jit", "dataset", "build", "a", *options],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert "File too large" in result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(tree("a")) == ["metadata.json", "shards.journal"]
    assert program("dataset", "build", "a", *options).returncode == 0
    assert program("dataset", "verify", "a").returncode == 0


@pytest.mark.compiled
def test_memory_is_constant(tmp_path):
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, '-m', 'sudoku_jit', 'dataset', *sys.argv[1:]], check=True,"
        " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )

    def peak(*arguments):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True, cwd=tmp_path)
        return int(done.stdout)

    peaks = []
    for n in ("1000", "5000"):
        options = ("--n", n, "--augment", "199", "--seed", "1", "--clues", "40", "--threads", "2", "--rating", "0")
        peaks.append((peak("build", n, *options), peak("verify", n, "--threads", "2")))
    assert max(map(max, peaks)) < 300_000
    assert peaks[1][0] < peaks[0][0] * 1.2
    assert peaks[1][1] < peaks[0][1] * 1.2


def test_without_the_extra_the_fix_is_named(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, err = build(cli, "a", "--n", 1, "--seed", 1, "--clues", 63, "--scheduler", "tcp://127.0.0.1:1")
    assert code == 2
    assert "pip install 'sudoku-jit[cluster]'" in err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("sudoku_jit.datasets.planning.installed", _no_pyarrow)
    code, err = build(cli, "a", "--n", 1, "--seed", 1, "--clues", 63)
    assert code == 2
    assert "pip install 'sudoku-jit[parquet]'" in err


def _no_pyarrow(name):
    from importlib.metadata import PackageNotFoundError, version

    if name == "pyarrow":
        raise PackageNotFoundError(name)
    return version(name)
