"""Course mode: the rules R1 to R11 of the assignment, and the faults of student programs."""

import os
import subprocess
import sys
from pathlib import Path

import naive
import pytest
from cases import AL_ESCARGOT, EASY, EASY_SOLUTION, EMPTY, REPORT, SOLVED, UNSOLVABLE
from conftest import JIT
from course_checker import check_finished, check_solved, grids

FILE = Path("sudoku.txt")
OLD = b"an older result"


def block(text, end="\n", blank="0"):
    rows = [" ".join(text[r : r + 9].replace("0", blank)) + end for r in range(0, 81, 9)]
    return "".join(rows)


@pytest.mark.parametrize("n", [1, 2, 5, 100, 1000] if JIT else [1, 5])
def test_r1_to_r4_finished_grids(cli, n):
    FILE.write_bytes(OLD)
    code, out, err = cli("-c", n)
    assert (code, out) == (0, b"")
    assert "--seed" in err
    check_finished(FILE.read_bytes(), n)


@pytest.mark.compiled
def test_r1_upper_end(program):
    assert program("-c", 1_000_000).returncode == 0
    assert FILE.stat().st_size == 173 * 1_000_000 - 2
    data = FILE.read_bytes()
    check_finished(data[: 173 * 500 - 2], 500)
    records = {data[k : k + 171] for k in range(0, len(data), 173)}
    assert len(records) == 1_000_000


def test_r2_overwrites_and_does_not_append(cli):
    for n in (3, 2):
        cli("-c", n)
        check_finished(FILE.read_bytes(), n)


@pytest.mark.parametrize("digit", range(1, 10))
def test_r5_first_digit(cli, digit):
    cli("-c", 20, "--first-digit", digit)
    check_finished(FILE.read_bytes(), 20, digit)


def test_line_ends_are_an_option(cli):
    cli("-c", 2, "--newline", "lf", "--seed", 1)
    data = FILE.read_bytes()
    assert b"\r" not in data
    cli("-c", 2, "--seed", 1)
    assert FILE.read_bytes() == data.replace(b"\n", b"\r\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n", "  \r\n"])
@pytest.mark.parametrize("blank", ["0", "$"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("final", [True, False])
def test_r6_r7_solves_every_edition(cli, end, blank, packed, final):
    texts = [EASY, REPORT, AL_ESCARGOT, SOLVED]
    data = end.join(block(text, end, blank) for text in texts)
    if packed:
        data = data.replace(" ", "") if end.strip(" ") == end else data
    if not final:
        data = data.rstrip()
    Path("puzzles.txt").write_bytes(data.encode())
    code, out, err = cli("-s", Path("puzzles.txt").absolute())
    assert (code, out, err) == (0, b"", "")
    check_solved(FILE.read_bytes(), [naive.parse(text) for text in texts])


def test_r6_a_puzzle_need_not_be_unique_and_the_path_may_be_relative(cli):
    Path("puzzles.txt").write_text(block(EMPTY) + "\n" + block(EASY))
    code, _, err = cli("-s", "puzzles.txt")
    assert (code, err) == (0, "")
    check_solved(FILE.read_bytes(), [naive.parse(EMPTY), naive.parse(EASY)])


def test_a_puzzle_without_a_solution_is_told_apart(cli):
    Path("puzzles.txt").write_text(block(EASY) + "\n" + block(UNSOLVABLE))
    code, _, err = cli("-s", "puzzles.txt")
    assert code == 1
    assert "puzzles.txt:11: puzzle 2: no solution" in err
    solved, left = grids(FILE.read_bytes())
    assert naive.is_solution(solved, naive.parse(EASY))
    assert left == naive.parse(UNSOLVABLE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c"],
        ["-c", "abc"],
        ["-c", "-100"],
        ["-c", "0"],
        ["-c", "1000001"],
        ["-c", "12abc"],
        ["-c", "1.5"],
        ["-c", ""],
        ["-abc", "1"],
        [],
        ["-c", "-c", "1"],
        ["-c", "1", "2"],
        ["-s"],
        ["-s", "no such file"],
        ["-s", "."],
        ["-c", "1", "-s", "puzzles.txt"],
        ["-n", "0"],
        ["-n", "10001"],
        ["-n", "x"],
        ["-n"],
        ["-n", "1", "-m", "0"],
        ["-n", "1", "-m", "4"],
        ["-n", "1", "-m", "1", "-u"],
        ["-n", "1", "-m", "1", "-r", "20~55"],
        ["-m", "1"],
        ["-r", "20~55"],
        ["-u"],
        ["-c", "1", "-u"],
        ["-n", "1", "-r", "19~55"],
        ["-n", "1", "-r", "20~56"],
        ["-n", "1", "-r", "50~40"],
        ["-n", "1", "-r", "20-55"],
        ["-n", "1", "-r", "~"],
        ["-n", "1", "-r", "a~b"],
        ["-n", "1", "-r"],
        ["-n", "1", "-s", "puzzles.txt"],
        ["-s", "puzzles.txt", "--first-digit", "3"],
        ["-c", "1", "gen", "1"],
        ["--seed", "1"],
        ["-x"],
    ],
)
def test_r8_wrong_arguments_get_a_message_and_leave_the_file(cli, arguments):
    FILE.write_bytes(OLD)
    Path("puzzles.txt").write_text(block(EASY))
    code, out, err = cli(*arguments)
    assert code == 2
    assert err.strip()
    assert "Traceback" not in err
    assert out == b""
    assert FILE.read_bytes() == OLD


@pytest.mark.parametrize("content", ["", "\n\n", "1 2 3", block(EASY) + block(EASY), "y" * 81])
def test_a_file_that_is_no_puzzle_file_gets_a_message_and_leaves_the_file(cli, content):
    FILE.write_bytes(OLD)
    Path("puzzles.txt").write_text(content)
    code, _, err = cli("-s", "puzzles.txt")
    assert code == 2
    assert "puzzles.txt" in err
    assert FILE.read_bytes() == OLD


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [
        ([], 30, 55),
        (["-m", "1"], 30, 39),
        (["-m", "2"], 40, 47),
        (["-m", "3"], 48, 55),
        (["-r", "20~20"], 20, 20),
        (["-r", "55~55"], 55, 55),
        (["-u", "-r", "45~50"], 45, 50),
        (["-r", "45~50", "-u"], 45, 50),
    ],
)
def test_r9_to_r11_puzzles(cli, options, least, most):
    n = 50 if JIT else 2
    assert cli("-n", n, *options)[0] == 0
    found = grids(FILE.read_bytes())
    assert len(found) == n
    for grid in found:
        assert least <= grid.count(0) <= most
        for box in range(9):
            cells = [box // 3 * 27 + box % 3 * 3 + k // 3 * 9 + k % 3 for k in range(9)]
            assert sum(grid[c] == 0 for c in cells) >= 2
        solutions = naive.solutions(list(grid))
        assert next(solutions)
        if "-u" in options:
            assert next(solutions, None) is None


def test_options_come_in_any_order(cli):
    assert cli("-u", "-r", "40~45", "-n", 2, "--seed", 1)[0] == 0
    data = FILE.read_bytes()
    assert cli("-n", 2, "--seed", 1, "-r", "40~45", "-u")[0] == 0
    assert FILE.read_bytes() == data


def test_the_program_works_under_any_name(tmp_path):
    script = tmp_path / "sudoku.exe"
    script.write_text(f"#!{sys.executable}\nfrom sudoku_jit.cli import main\nif __name__ == '__main__': main()\n")
    script.chmod(0o755)
    subprocess.run([str(script), "-c", "3"], cwd=tmp_path, check=True, env=os.environ)
    check_finished((tmp_path / "sudoku.txt").read_bytes(), 3)


def test_solution_of_the_easy_puzzle_byte_for_byte(cli):
    Path("puzzles.txt").write_text(block(EASY))
    cli("-s", "puzzles.txt")
    assert FILE.read_bytes() == block(EASY_SOLUTION, "\r\n").encode()
