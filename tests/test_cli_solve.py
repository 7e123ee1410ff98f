import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cases import COUNTS, EASY, EASY_SOLUTION, EMPTY, MALFORMED, REPORT, SIX, UNSOLVABLE
from conftest import JIT, ROOT, default_signals

import sudoku_jit
from sudoku_jit import grid_to_text, solve


def block(text):
    return "".join(" ".join(text[r : r + 9]) + "\n" for r in range(0, 81, 9))


def test_hard_file_is_the_reports_puzzle():
    assert (ROOT / "data" / "hard.txt").read_text() == block(REPORT)


def test_the_reports_puzzle(cli):
    code, out, err = cli("solve", ROOT / "data" / "hard.txt")
    assert (code, err) == (0, "")
    assert out.decode() == block(grid_to_text(solve(REPORT).grid))


def test_lines_in_lines_out(cli):
    Path("p").write_text(f"# two\n{EASY}\n\n{EASY.replace('0', '.')} easy, again\n")
    code, out, err = cli("solve", "p")
    assert (code, out.decode(), err) == (0, f"{EASY_SOLUTION}\n" * 2, "")


def test_blocks_in_blocks_out(cli):
    Path("p").write_text("\n\n" + block(EASY) + "\n\n\n" + block(EASY))
    code, out, _ = cli("solve", "p", "-o", "q")
    assert (code, out) == (0, b"")
    assert Path("q").read_text() == block(EASY_SOLUTION) + "\n" + block(EASY_SOLUTION)


def test_stdin_to_a_file(cli):
    code, out, _ = cli("solve", "-", "-o", "out", stdin=EASY.encode())
    assert (code, out, Path("out").read_text()) == (0, b"", f"{EASY_SOLUTION}\n")


@pytest.mark.compiled
def test_one_answer_for_each_puzzle_and_what_is_not_unique_is_said(cli):
    lines = list(COUNTS)
    Path("p").write_text("\n".join(lines))
    code, out, err = cli("solve", "p")
    assert code == 1
    answers = out.decode().split()
    assert answers == [grid_to_text(solve(line).grid) for line in lines]
    for number, line in enumerate(lines, 1):
        said = f"p:{number}: puzzle {number}: "
        assert (said in err) == (COUNTS[line] != 1)
        if COUNTS[line] > 1:
            assert f"{said}several solutions" in err
        if COUNTS[line] == 0:
            assert f"{said}no solution" in err
    bad = sum(count != 1 for count in COUNTS.values())
    assert f"{bad} of {len(lines)} puzzles" in err


def test_givens_that_clash_are_said_so(cli):
    code, out, err = cli("solve", "-", stdin=b"11" + b"." * 79 + b"\n" + UNSOLVABLE.encode())
    assert code == 1
    assert "<stdin>:1: puzzle 1: no solution: its givens clash" in err
    assert "<stdin>:2: puzzle 2: no solution\n" in err
    assert out.decode() == "11" + "0" * 79 + "\n" + UNSOLVABLE + "\n"


@pytest.mark.parametrize("method", ["lanes", "fewest", "reading"])
def test_methods(cli, method):
    code, out, _ = cli("solve", "-", "--method", method, stdin=f"{EASY}\n{SIX}".encode())
    assert code == 1
    assert out.decode().split() == [EASY_SOLUTION, grid_to_text(solve(SIX).grid)]


BLOCK = block(EASY)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (MALFORMED, "p:1: puzzle 1: 1 row before"),
        (EASY[:-1], "p:1:81: puzzle 1: 80 cells"),
        (EASY + "0", "p:1:82: puzzle 1: 82 cells"),
        (EASY + "\n" + EASY[:40] + "\n", "p:2:41: puzzle 2: 40 cells"),
        (EASY[:10] + "y" + EASY[11:], "p:1:11: puzzle 1: 'y'"),
        (EASY[:10] + "x" + EASY[11:], "p:1:11: puzzle 1: two blanks, '0' and 'x'"),
        (EASY + "x", "p:1:82: puzzle 1: 82 cells"),
        (EASY + "y", "p:1:82: puzzle 1: 'y'"),
        (EASY[:10] + "\0" + EASY[11:], "p:1:11: puzzle 1: "),
        (EASY[:10] + "\xff" + EASY[11:], "p:1:11: puzzle 1: "),
        (EASY + "\n\n" + BLOCK, "p:3:2: puzzle 2: 1 cell:"),
        ("", "no puzzle in it"),
        ("# nothing\n\n", "no puzzle in it"),
        ("Grid 01\n", "no puzzle in it"),
        (BLOCK.replace("5 3 0", "5 3"), "p:1: puzzle 1: "),
        (BLOCK.replace("6 0 0 1 9 5", "6 0 0 1 9"), "p:2:15: puzzle 1: 8 cells"),
        (BLOCK.replace("6 0 0 1 9 5", "6 0 0 1 9 5 5"), "p:2:19: puzzle 1: 10 cells"),
        (BLOCK.replace("6 0 0 1 9 5", "6 0 0 a 9 5"), "p:2:7: puzzle 1: 'a'"),
        ("\n".join(BLOCK.splitlines()[:8]), "p:8: puzzle 1: 8 rows"),
        ("\n".join(BLOCK.splitlines()[:8]) + "\n\n" + BLOCK, "p:9: puzzle 1: 8 rows"),
        (BLOCK + BLOCK, "p:10: puzzle 1: a tenth row"),
        (BLOCK + "\n" + BLOCK + "1 2 3", "p:20: puzzle 2: a tenth row"),
        ("1" * 2_000_000, "p:1: puzzle 1: "),
    ],
)
def test_malformed_input_is_refused_with_its_place(cli, content, words):
    Path("p").write_bytes(content.encode("latin-1"))
    Path("out").write_text("old")
    code, out, err = cli("solve", "p", "-o", "out")
    assert (code, out) == (2, b"")
    assert words in err
    assert "expected" in err
    assert "Traceback" not in err
    assert Path("out").read_text() == "old"


@pytest.mark.parametrize("arguments", [["solve"], ["solve", "no such file"], ["solve", "."]])
def test_wrong_use(cli, arguments):
    code, out, err = cli(*arguments)
    assert (code, out) == (2, b"")
    assert err
    assert "Traceback" not in err


@pytest.mark.parametrize("style", ["line", "block"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_longer_than_a_chunk(cli, style, end, monkeypatch):
    from sudoku_jit.formats import source

    n = 3000 if JIT else 12
    monkeypatch.setattr(source, "PIECE", 1021)
    monkeypatch.setattr(source, "HEAD", 100)
    grids = sudoku_jit.generate_puzzles(n, seed=1, clues=(51, 61))
    puzzles, solutions = ([grid_to_text(g) for g in part] for part in grids)
    records = puzzles if style == "line" else [block(p).removesuffix("\n") for p in puzzles]
    parted = ("\n" if style == "line" else "\n\n").join(records).replace("\n", end)
    code, out, err = cli("solve", "-", stdin=parted.encode())
    assert (code, err) == (0, "")
    assert out.decode().replace(" ", "").replace("\n", "") == "".join(solutions)


@pytest.mark.compiled
def test_interrupted_search_stops_at_once(tmp_path):
    """Read in order, this puzzle takes minutes; Ctrl-C must not."""
    text = "001000000200000000003000000400000005005000600600000040007103000800000000009020000"
    process = subprocess.Popen(
        [sys.executable, "-m", "sudoku_jit", "solve", "-", "--method", "reading", "-o", "out"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, preexec_fn=default_signals,
    )  # fmt: skip
    process.stdin.write(text.encode())
    process.stdin.close()
    limit = time.monotonic() + 60
    while not list(tmp_path.glob(".out.*")):
        assert time.monotonic() < limit
        time.sleep(0.01)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - start < 10
    with process.stderr as err:
        assert b"Traceback" not in err.read()
    assert list(tmp_path.iterdir()) == []


def test_the_empty_grid_is_answered(cli):
    code, out, err = cli("solve", "-", stdin=EMPTY.encode())
    assert code == 1
    assert out.startswith(b"123456789456789123")
    assert "several solutions" in err
