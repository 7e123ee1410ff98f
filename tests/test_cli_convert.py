import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from samples import BLOCK, PASTE, SAMPLES, SS, P, S, Z

PUZZLE = [sys.executable, "-m", "sudoku_jit"]


def test_convert_to_stdout(cli):
    code, out, err = cli("convert", "-", "--to", "ss", stdin=P.encode())
    assert (code, out.decode(), err) == (0, SS, "")


def test_what_was_detected_is_said(cli):
    Path("p.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + P.encode() + b"\r\n"))
    code, out, err = cli("convert", "p.gz", "--to", "line", "-v")
    assert (code, out.decode()) == (0, f"{Z}\n")
    assert "p.gz: gzip, UTF-8 with byte order mark, CR LF line ends; format line" in err


def test_from_overrules(cli):
    Path("p").write_text(SS + "\n" + SS.replace(".", "1", 1))
    code, _, err = cli("convert", "p", "--to", "line")
    assert code == 2
    assert "--from boxed" in err
    code, out, _ = cli("convert", "p", "--to", "line", "--from", "boxed")
    assert (code, len(out.split())) == (0, 2)


def test_columns_that_have_no_place_are_said(cli):
    Path("p").write_text(SAMPLES["kaggle 3M"][0])
    code, out, err = cli("convert", "p", "--to", "extreme")
    assert (code, out.decode()) == (0, f"source,question,answer,rating\n,{P},{S},\n")
    assert "no place for it: id, clues, difficulty" in err
    code, out, err = cli("convert", "p", "--to", "csv")
    assert out.decode() == f"puzzle,id,solution,clues,difficulty\n{P},1,{S},25,0.0\n"
    assert err == ""


def test_no_answer_for_sudoku_extreme(cli):
    code, out, err = cli("convert", "-", "--to", "extreme", stdin=P.encode())
    assert (code, out) == (2, b"")
    assert "solve --to extreme" in err
    assert cli("solve", "-", "--to", "extreme", stdin=P.encode())[1].decode().split()[1] == f",{P},{S},"


BAD = f"{P}\n{P[:-1]}\n{S}\n"


def test_stop_at_a_bad_record(cli):
    Path("p").write_text(BAD)
    Path("out").write_text("old")
    code, _, err = cli("convert", "p", "-o", "out", "--to", "line")
    assert code == 2
    assert "p:2:81: puzzle 2: 80 cells" in err
    assert Path("out").read_text() == "old"
    assert {path.name for path in Path().iterdir()} == {"p", "out"}


@pytest.mark.parametrize("command", ["convert", "solve"])
def test_skip_lists_bad_records(cli, command):
    Path("p").write_text(BAD)
    code, _, err = cli(command, "p", "-o", "out", "--to", "line", "--on-error", "skip")
    assert code == 1
    assert "1 bad record skipped, listed in out.rejected" in err
    assert Path("out").read_text().split() == [Z if command == "convert" else S, S]
    assert Path("out.rejected").read_text().startswith("p:2:81: puzzle 2: 80 cells")
    cli("convert", "p", "-o", os.devnull, "--to", "line", "--on-error", "skip")
    assert Path("p.rejected").exists()
    cli("convert", "-", "--to", "line", "--on-error", "skip", stdin=BAD.encode())
    assert Path("stdin.rejected").exists()


@pytest.mark.parametrize("command", ["convert", "solve"])
def test_keep_has_a_record_for_each(cli, command):
    Path("p").write_text(BAD)
    code, out, err = cli(command, "p", "--to", "csv", "--on-error", "keep")
    assert code == 1
    assert "1 bad record kept" in err
    rows = list(csv.DictReader(out.decode().splitlines()))
    assert [row["puzzle"] for row in rows] == [P, "", S]
    good = "ok" if command == "convert" else "unique"
    assert [row["status"] for row in rows] == [good, "malformed", good]
    assert rows[1]["error"].startswith("p:2:81: puzzle 2: 80 cells")
    if command == "solve":
        assert [row["solution"] for row in rows] == [S, "", S]


def test_keep_needs_a_place_for_the_status(cli):
    code, _, err = cli("convert", "-", "--to", "line", "--on-error", "keep", stdin=P.encode())
    assert code == 2
    assert "no place for a status" in err


def test_npy_and_parquet_files(cli):
    pytest.importorskip("pyarrow")
    Path("p").write_text(BLOCK)
    for format in ("npy", "parquet"):
        assert cli("convert", "p", "-o", f"out.{format}", "--to", format)[0] == 0
        assert cli("convert", f"out.{format}", "--to", "line")[1].decode() == f"{Z}\n"
    assert np.load("out.npy").shape == (1, 81)


def test_solutions_of_a_format_that_is_only_read(cli):
    code, out, err = cli("solve", "-", stdin=SAMPLES["euler"][0].encode())
    assert (code, out.decode()) == (0, f"{S}\n")
    assert "format euler can be read only: solutions are written as lines" in err


def test_solutions_in_the_style_of_the_puzzles(cli):
    assert cli("solve", "-", stdin=PASTE.encode())[1].decode().count("|157|869|324|") == 1
    Path("p.csv").write_text(SAMPLES["extreme"][0])
    assert cli("solve", "p.csv")[1].decode() == f"source,question,answer,rating\nmine,{P},{S},0\n"
    out = cli("solve", "-", "--to", "jsonl", stdin=f"{P}\n{'.' * 81}\n11{'.' * 79}".encode())[1]
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["status"] for row in rows] == ["unique", "multiple", "invalid"]
    assert [bool(row["solution"]) for row in rows] == [True, True, False]


def test_check(cli):
    Path("p").write_text(f"{P}\n{Z}\n{S}\n{'.' * 81}\n11{'.' * 79}\nx\n")
    code, out, _ = cli("check", "p", "--json", "--on-error", "skip")
    assert code == 1
    told = json.loads(out)
    assert told["puzzles"] == 5
    assert told["malformed"] == 1
    assert told["clues"] == {"0": 1, "2": 1, "25": 2, "81": 1}
    assert (told["full"], told["duplicates"]) == (1, 1)
    assert told["status"] == {"unique": 3, "multiple": 1, "none": 0, "invalid": 1}
    code, out, _ = cli("check", "p", "--on-error", "skip")
    assert b"duplicates" in out
    assert cli("check", "p")[0] == 2
    assert cli("check", "-", stdin=P.encode())[0] == 0


def test_check_prints_a_table_on_a_terminal(cli, monkeypatch):
    from sudoku_jit.cli import check

    monkeypatch.setattr(check.sys.stdout, "isatty", lambda: True)
    assert "25: 1" in cli("check", "-", stdin=P.encode())[1].decode()


# Processes: memory, pipes, signals.


MEASURED = """
import sys
from sudoku_jit.cli import run
code = run(sys.argv[1:])
with open("/proc/self/status") as status:
    print([line for line in status if line.startswith("VmHWM")][0].split()[1], file=sys.stderr)
sys.exit(code)
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def peak(arguments, feed):
    """Exit code, standard error and greatest memory in MB of a process fed by ``feed(stdin)``.

    (The rusage of a child counts the memory of the process that it was forked from.)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", MEASURED, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    with suppress(BrokenPipeError):
        feed(process.stdin)
    with suppress(BrokenPipeError):
        process.stdin.close()
    with process.stderr:
        *err, memory = process.stderr.read().decode().splitlines()
    return process.wait(), "\n".join(err), int(memory) / 1024


@LINUX
@pytest.mark.compiled
def test_a_million_lines_in_constant_memory(tmp_path):
    lines = f"{P}\n".encode() * 10_000

    def feed(stdin):
        for _ in range(100):
            stdin.write(lines)

    code, err, memory = peak(["convert", "-", "--to", "sdm"], feed)
    assert (code, err) == (0, "")
    assert memory < 300


@LINUX
@pytest.mark.compiled
def test_check_in_constant_memory(program):
    """Three million of one puzzle, of two in turn, and a million that are all different."""
    for lines in (f"{P}\n", f"{P}\n{S}\n"):
        block = lines.encode() * (10_000 * 82 // len(lines))

        def feed(stdin, block=block):
            for _ in range(300):
                stdin.write(block)

        code, err, memory = peak(["check", "-"], feed)
        assert (code, err) == (0, "")
        assert memory < 300
    assert program("gen", 1_000_000, "--style", "line", "-o", "all").returncode == 0
    code, err, memory = peak(["check", "all"], lambda stdin: None)
    assert (code, err) == (0, "")
    assert memory < 300


@LINUX
@pytest.mark.compiled
@pytest.mark.parametrize("start", [b"", b"puzzle,x\n", b"<opensudoku>", f"{P}\n".encode(), b"{", b"3x3:"])
def test_a_line_that_never_ends(start):
    def feed(stdin):
        stdin.write(start)
        for _ in range(10_000):
            stdin.write(b"1" * (1 << 20))

    code, err, memory = peak(["convert", "-", "--to", "line"], feed)
    assert code == 2
    assert "more than 1048576 bytes" in err
    assert memory < 300


@LINUX
@pytest.mark.compiled
@pytest.mark.parametrize("filler", [b"1", b"\n", b"\0"])
def test_a_bomb_is_unpacked_piece_by_piece(tmp_path, filler):
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", 1) as file:
        for _ in range(512):
            file.write(filler * (1 << 20))
    code, err, memory = peak(["convert", path, "--to", "line"], lambda stdin: None)
    assert code == 2
    assert "expected" in err
    assert memory < 300


@pytest.mark.compiled
def test_kill_leaves_nothing_under_the_name(tmp_path):
    out = tmp_path / "out"
    process = subprocess.Popen([*PUZZLE, "convert", "-", "-o", out, "--to", "line"], stdin=subprocess.PIPE)
    process.stdin.write(f"{P}\n".encode() * 200_000)
    process.stdin.flush()
    time.sleep(1)
    process.kill()
    process.stdin.close()
    assert process.wait() == -signal.SIGKILL
    assert not out.exists()


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_disk_and_closed_pipe(program, tmp_path):
    Path("p").write_text(f"{P}\n" * 100_000)
    assert program("convert", "p", "-o", "/dev/full", "--to", "line").returncode == 2
    process = subprocess.Popen([*PUZZLE, "convert", "p", "--to", "line"], stdout=subprocess.PIPE)
    process.stdout.read(100)
    process.stdout.close()
    assert process.wait() == 141


def test_help_and_formats_need_no_numpy():
    code = "import sys; sys.argv = ['x', '--help']; import sudoku_jit.cli.app; assert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
