import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from cases import EASY
from conftest import JIT, default_signals
from test_cli_convert import LINUX, peak

from sudoku_jit import generate_puzzles, grid_from_text, grid_to_text
from sudoku_jit.digging import SYMMETRIES
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.formats.registry import WRITABLE

FEW = 40 if JIT else 3
EASILY = ("--clues", "40..60")
ASKED = {"clues": (40, 60)}


def texts(cells):
    return [grid_to_text(each) for each in cells]


def test_lines_to_standard_output(cli):
    code, out, err = cli("puzzles", FEW, "--seed", 5, *EASILY)
    assert (code, err) == (0, "")
    assert out.decode().split() == texts(generate_puzzles(FEW, seed=5, **ASKED)[0])


def test_a_seed_is_drawn_and_said(cli):
    code, out, err = cli("puzzles", 2, *EASILY)
    assert code == 0
    seed = int(err.split("--seed ")[1])
    assert out.decode().split() == texts(generate_puzzles(2, seed=seed, **ASKED)[0])


def test_start_and_threads(cli):
    _, whole, _ = cli("puzzles", 9, "--seed", 5, *EASILY)
    _, end, _ = cli("puzzles", 5, "--seed", 5, "--start", 4, "--threads", 3, *EASILY)
    assert whole.split()[4:] == end.split()


@pytest.mark.parametrize("format", sorted(set(WRITABLE) - {"extreme"}))
def test_every_format(cli, format):
    pytest.importorskip("pyarrow") if format == "parquet" else None
    code, out, err = cli("puzzles", 3, "--seed", 5, "--to", format, "-o", "p", *EASILY)
    assert (code, out, err) == (0, b"", "")
    with open_puzzles("p", format if format in ("block", "line") else None) as puzzles:
        cells = np.concatenate([chunk.cells for chunk in puzzles.chunks])
    assert (cells == generate_puzzles(3, seed=5, **ASKED)[0]).all()


def test_solutions(cli):
    puzzles, grids = generate_puzzles(3, seed=5, **ASKED)
    for format in ("csv", "jsonl", "extreme"):
        code, out, _ = cli("puzzles", 3, "--seed", 5, "--solutions", "--to", format, *EASILY)
        assert code == 0
        lines = out.decode().splitlines()
        rows = list(map(json.loads, lines)) if format == "jsonl" else list(csv.DictReader(lines))
        assert [row.get("solution") or row["answer"] for row in rows] == texts(grids)
        given = [row.get("puzzle") or row["question"] for row in rows]
        assert [text.replace(".", "0") for text in given] == texts(puzzles)


def test_solutions_without_a_place(cli):
    Path("p").write_text("older")
    code, _, err = cli("puzzles", 3, "--solutions", "--to", "line", "-o", "p")
    assert code == 2
    assert "format 'line' has no place for them; expected --to csv, jsonl or parquet" in err
    assert Path("p").read_text() == "older"
    code, _, err = cli("puzzles", 3, "--to", "extreme", *EASILY)
    assert code == 2
    assert "has an answer for each puzzle" in err


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (["--clues", "45"], {"clues": (45, 45)}),
        (["--blanks", "30..40"], {"clues": (41, 51)}),
        (["--minimal"], {"minimal": True}),
        (["--min-blanks-per-box", 3, *EASILY], {"min_blanks_per_box": 3, **ASKED}),
        (["--max-guesses", 0, *EASILY], {"guesses": (None, 0), **ASKED}),
        (["--pattern", "p"], {"pattern": grid_from_text(EASY) > 0}),
        *((["--symmetry", name, *EASILY], {"symmetry": name, **ASKED}) for name in SYMMETRIES),
    ],
)
def test_options_are_those_of_python(cli, options, asked):
    Path("p").write_text(EASY)
    n = FEW if JIT else 1
    code, out, err = cli("puzzles", n, "--seed", 5, *options)
    assert (code, err) == (0, "")
    assert out.decode().split() == texts(generate_puzzles(n, seed=5, **asked)[0])


@pytest.mark.compiled
def test_guesses_are_those_of_count(cli):
    code, out, _ = cli("puzzles", 20, "--seed", 5, "--min-guesses", 3, "--max-guesses", 6)
    assert code == 0
    code, out, _ = cli("count", "-", "--json", stdin=out)
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["solutions"] for row in rows] == [1] * 20
    assert all(3 <= row["guesses"] <= 6 for row in rows)


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ("x" * 80, "p: 80 marks; expected 81"),
        ("x" * 82, "p: 82 marks; expected 81"),
        ("", "p: 0 marks; expected 81"),
        ("x..\n.?.", "p:2:2: '?'; expected one of 123456789xX#* where a given may stand, else one of .0_"),
        ("x" * 70_000, "p: more than 65536 bytes; expected 81 marks"),
        ("x" * 10 + "." * 71, "10 to 10 clues: no puzzle with one solution has fewer than 17"),
    ],
)
def test_pattern_files_that_are_none(cli, marks, words):
    Path("p").write_text(marks)
    code, out, err = cli("puzzles", 1, "--pattern", "p")
    assert (code, out) == (2, b"")
    assert words in err


def test_marks_of_patterns(cli):
    Path("p").write_bytes(b"\xef\xbb\xbf" + b"xX#*._0 19\r\n.12 3#456 7\r\n0xxxxXXxX\n" * 3)
    Path("q").write_text("xxxx...xx\n.xxxxxxxx\n.xxxxxxxx\n" * 3)
    given = [cli("puzzles", 1, "--seed", 5, "--pattern", name, *EASILY, stdin=Path("q").read_bytes()) for name in "pq-"]
    assert given[0] == given[1] == given[2]
    assert given[0][0] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["0"], "0 is not within 1"),
        (["many"], "'many' is not a whole number"),
        ([], "Missing argument"),
        ([1, "--clues", "30-24"], "expected LO..HI or a number, up to 81, such as 24..30"),
        ([1, "--clues", "30..24"], "expected LO..HI"),
        ([1, "--clues", "82"], "expected LO..HI"),
        ([1, "--clues", "24", "--blanks", "57"], "--clues and --blanks say the same"),
        ([1, "--clues", "10..16"], "no puzzle with one solution has fewer than 17"),
        ([1, "--blanks", "70..75"], "6 to 11 clues: no puzzle with one solution has fewer than 17"),
        ([1, "--symmetry", "spiral"], "spiral"),
        ([1, "--pattern", "absent"], "absent: No such file"),
        ([1, "--to", "nothing"], "nothing"),
        ([1, "--timeout", "0"], "expected seconds above 0"),
        ([1, "--timeout", "soon"], "valid number"),
        ([10**13], "a seed has"),
        ([1, "-o", "absent/p"], "No such file"),
    ],
)
def test_wrong_use(cli, options, words):
    code, out, err = cli("puzzles", *options)
    assert (code, out) == (2, b"")
    assert words in err


HOPELESS = "".join("x" * 9 if row < 3 else "x" + "." * 8 for row in range(9))


@pytest.mark.parametrize("output", ["-", "p"])
def test_all_or_none(cli, output):
    Path("p").write_text("older")
    Path("marks").write_text(HOPELESS)
    code, out, err = cli("puzzles", 5, "--pattern", "marks", "--timeout", 0.2, "--seed", 1, "-o", output)
    assert (code, out) == (1, b"")
    assert err == "sudoku-jit: error: 0 of 5 puzzles found in 0.2 s; give more time, or widen the request\n"
    assert Path("p").read_text() == "older"


@pytest.mark.compiled
@pytest.mark.parametrize("output", ["-", "p"])
def test_partial(cli, output):
    Path("p").write_text("older")
    asked = (10**6, "--clues", 22, "--timeout", 1, "--seed", 1, "-o", output)
    code, out, err = cli("puzzles", *asked)
    assert (code, out, Path("p").read_text()) == (1, b"", "older")
    code, out, err = cli("puzzles", *asked, "--partial")
    assert code == 1
    puzzles = (out or Path("p").read_bytes()).decode().split()
    assert err.startswith(f"sudoku-jit: {len(puzzles)} of 1000000 puzzles found in 1 s")
    assert puzzles == texts(generate_puzzles(len(puzzles), seed=1, clues=(22, 22))[0])


@pytest.mark.compiled
@pytest.mark.parametrize("partial", [True, False])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(tmp_path, number, code, partial):
    (tmp_path / "p").write_text("older")
    command = [sys.executable, "-m", "sudoku_jit", "puzzles", "100000000", "--seed", "1", "-o", "p"]
    process = subprocess.Popen(
        command + ["--partial"] * partial, cwd=tmp_path, stderr=subprocess.PIPE, text=True, preexec_fn=default_signals
    )
    patience = time.monotonic() + 60
    while not any(part.stat().st_size for part in tmp_path.glob(".p.*.part")) and time.monotonic() < patience:
        time.sleep(0.01)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == code
    assert [path.name for path in tmp_path.iterdir()] == ["p"]
    if partial:
        puzzles = (tmp_path / "p").read_text().split()
        assert said == (
            f"sudoku-jit: stopped: {len(puzzles)} of 100000000 puzzles written; --start {len(puzzles)} goes on\n"
        )
        assert puzzles == texts(generate_puzzles(len(puzzles), seed=1)[0])
    else:
        assert said == "sudoku-jit: stopped; no file was written or changed\n"
        assert (tmp_path / "p").read_text() == "older"


@pytest.mark.compiled
def test_a_signal_while_a_piece_is_written_waits_for_it(cli, monkeypatch):
    from sudoku_jit.formats.writing import Writer

    put = Writer.put

    def slow(writer, data):
        signal.raise_signal(signal.SIGINT)
        put(writer, data)

    monkeypatch.setattr(Writer, "put", slow)
    code, _, err = cli("puzzles", 1000, "--seed", 1, "--partial", "-o", "p", *EASILY)
    puzzles = Path("p").read_text().split()
    assert code == 130
    assert err == f"sudoku-jit: stopped: {len(puzzles)} of 1000 puzzles written; --start {len(puzzles)} goes on\n"
    assert puzzles == texts(generate_puzzles(len(puzzles), seed=1, **ASKED)[0])
    assert len(puzzles) > 0


@pytest.mark.compiled
def test_a_reader_that_reads_nothing_does_not_keep_ctrl_c_away(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "puzzles", "100000000", "--seed", "1", "--partial"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=default_signals,
    )  # fmt: skip
    time.sleep(3)  # by now the pipe is full
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    process.communicate(timeout=60)  # what it still writes at its end has to be read
    assert process.returncode == 130


@pytest.mark.compiled
def test_a_reader_that_goes_away(tmp_path):
    command = (
        f"{sys.executable} -m sudoku_jit puzzles 100000000 --partial --seed 1 | head -n 2; echo ${{PIPESTATUS[0]}}"
    )
    found = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout.split() == [*texts(generate_puzzles(2, seed=1)[0]), "141"]
    assert found.stderr == ""


@LINUX
@pytest.mark.compiled
def test_memory_does_not_grow():
    peaks = []
    for n in ("20000", "400000"):
        code, err, memory = peak(["puzzles", n, "--seed", "1", "--clues", "40..50"], lambda stdin: None)
        assert (code, err) == (0, "")
        peaks.append(memory)
    assert peaks[1] < 300
    assert peaks[1] < peaks[0] + 40
