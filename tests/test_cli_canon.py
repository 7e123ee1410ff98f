import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import JIT
from samples import SAMPLES, P, S, Z
from test_cli_convert import LINUX, peak

from sudoku_jit import canonical_puzzles, generate_grids, generate_puzzles, grid_to_text, morph_many

EMPTY = "." * 81
OTHER = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
BAD = f"{P}\n{EMPTY}\n{P[:-1]}\n{OTHER}\n"
FORM, SOLVED = (grid_to_text(cells[0]) for cells in (lambda f: (f.forms, f.grids))(canonical_puzzles(P)))
DOTS = FORM.replace("0", ".")
few = 200 if JIT else 6


def lines(cells):
    return "".join(f"{grid_to_text(each)}\n" for each in cells)


def rows(out):
    return list(csv.DictReader(out.decode().splitlines()))


# canon


def test_canon_writes_forms_in_order(cli):
    Path("p").write_text(f"{P}\n{OTHER}\n{S}\n")
    code, out, err = cli("canon", "p")
    assert (code, err) == (0, "")
    other = canonical_puzzles(OTHER)
    assert out.decode().split() == [FORM, grid_to_text(other.forms[0]), SOLVED]


def test_canon_brings_together_what_is_equivalent(cli):
    puzzles, grids = generate_puzzles(3, seed=1)
    for cells in (puzzles, grids):
        morphs = morph_many(cells, few // 2, seed=2).reshape(-1, 81)
        code, out, _ = cli("canon", "-", stdin=lines(morphs).encode())
        assert code == 0
        assert len(set(out.split())) == 3


def test_canon_with_columns(cli):
    Path("p.csv").write_text(f"id,puzzle,solution,rating\na,{P},,7\nb,{S},{S},1\n")
    code, out, err = cli("canon", "p.csv")
    assert (code, err) == (0, "")
    assert rows(out) == [
        {"puzzle": DOTS, "solution": SOLVED, "automorphisms": "1", "id": "a", "rating": "7"},
        {"puzzle": SOLVED, "solution": SOLVED, "automorphisms": "1", "id": "b", "rating": "1"},
    ]
    code, out, err = cli("canon", "p.csv", "--to", "line")
    assert (code, out.decode().split()) == (0, [FORM, SOLVED])
    assert "no place for it: id, rating" in err
    assert cli("canon", "-", "--to", "extreme", stdin=P.encode())[1].decode().split()[1] == f",{DOTS},{SOLVED},"
    code, out, _ = cli("canon", "-", "--to", "jsonl", stdin=S.encode())
    assert json.loads(out) == {"puzzle": SOLVED, "solution": SOLVED, "automorphisms": "1"}


def test_canon_of_a_format_that_is_only_read(cli):
    code, out, err = cli("canon", "-", stdin=SAMPLES["euler"][0].encode())
    assert (code, out.decode()) == (0, f"{FORM}\n")
    assert "format euler can be read only: forms are written as lines" in err


def test_canon_stops_at_a_puzzle_without_a_form(cli):
    Path("p").write_text(f"{P}\n{EMPTY}\n")
    code, _, err = cli("canon", "p", "-o", "out")
    assert code == 2
    assert "p:2: puzzle 2: several solutions; expected exactly one solution" in err
    assert not Path("out").exists()


def test_canon_skips_and_lists(cli):
    Path("p").write_text(BAD)
    code, _, err = cli("canon", "p", "-o", "out", "--on-error", "skip")
    assert code == 1
    assert "2 bad records skipped, listed in out.rejected" in err
    assert Path("out").read_text().split() == [FORM, grid_to_text(canonical_puzzles(OTHER).forms[0])]
    listed = sorted(Path("out.rejected").read_text().splitlines())
    assert [line.split(":")[1] for line in listed] == ["2", "3"]


def test_canon_keeps_a_record_for_each(cli):
    Path("p").write_text(BAD)
    code, out, err = cli("canon", "p", "--on-error", "keep", "--to", "csv")
    assert code == 1
    assert "2 bad records kept" in err
    found = rows(out)
    assert [row["status"] for row in found] == ["ok", "malformed", "malformed", "ok"]
    assert [bool(row["puzzle"]) for row in found] == [True, False, False, True]
    assert "puzzle 2: several solutions" in found[1]["error"]
    assert "80 cells" in found[2]["error"]
    assert cli("canon", "p", "--on-error", "keep", "--to", "line")[0] == 2


# morph


def test_morph_writes_morphs_of_each_in_order(cli, monkeypatch):
    from sudoku_jit.cli import morph

    Path("p").write_text(f"{P}\n{OTHER}\n")
    code, out, err = cli("morph", "p", "--times", "7", "--seed", "3")
    assert (code, err) == (0, "")
    assert out.decode() == lines(morph_many([P, OTHER.replace("0", ".")], 7, seed=3).reshape(-1, 81))
    for pieces, threads in ((3, 2), (5, 1), (7, 1), (1, 2)):
        monkeypatch.setattr(morph, "MORPHS_A_PIECE", pieces)
        assert cli("morph", "p", "--times", "7", "--seed", "3", "--threads", threads)[1] == out


def test_morph_draws_and_says_a_seed(cli):
    code, out, err = cli("morph", "-", stdin=P.encode())
    assert code == 0
    seed = err.split("--seed ")[1].strip()
    assert cli("morph", "-", "--seed", seed, stdin=P.encode())[1:] == (out, "")


def test_solutions_are_morphed_and_the_rest_is_repeated(cli):
    Path("p.csv").write_text(f"id,puzzle,solution\na,{P},{S}\nb,{P},\n")
    code, out, _ = cli("morph", "p.csv", "--times", few, "--seed", 1)
    assert code == 0
    found = rows(out)
    assert [row["id"] for row in found] == ["a"] * few + ["b"] * few
    assert not any(row["solution"] for row in found[few:])
    solved = cli("solve", "-", stdin="".join(f"{row['puzzle']}\n" for row in found).encode())[1].decode().split()
    assert [row["solution"] for row in found[:few]] == [text.replace("0", ".") for text in solved[:few]]
    assert len(set(solved)) == 2 * few
    Path("p.csv").write_text(f"puzzle,solution\n{P},{S}\n{P},none\n")
    code, _, err = cli("morph", "p.csv", "--seed", 1)
    assert code == 2
    assert "p.csv:3: the solution: 4 characters" in err


def test_morph_keeps_and_skips_bad_records(cli):
    Path("p").write_text(f"{P}\n{P[:-1]}\n{P}\n")
    code, out, _ = cli("morph", "p", "--times", 2, "--seed", 1, "--on-error", "keep", "--to", "csv")
    assert code == 1
    assert [row["status"] for row in rows(out)] == ["ok"] * 2 + ["malformed"] * 2 + ["ok"] * 2
    code, out, _ = cli("morph", "p", "--times", 2, "--seed", 1, "--on-error", "skip")
    assert (code, len(out.split())) == (1, 4)
    assert cli("morph", "p", "--times", 0)[0] == 2
    assert cli("morph", "p", "--times", 1 << 50)[0] == 2


# dedupe


@pytest.fixture
def mixed():
    """Lines of three puzzle classes over two solution classes, and which lines are the first of their kind."""
    puzzle, grid = generate_puzzles(1, seed=5)
    more = np.where(np.cumsum(puzzle == 0) <= 1, grid, puzzle)  # one clue more: another puzzle over the same grid
    puzzles = np.concatenate([puzzle, more])
    morphs = morph_many(np.concatenate([puzzles, canonical_puzzles(P).forms]), 3, seed=6)
    text = [line.replace("0", ".") for line in lines(morphs.transpose(1, 0, 2).reshape(-1, 81)).split()]
    text += text[2:5]
    return text, {"string": text[:9], "puzzle-class": text[:3], "solution-class": [text[0], text[2]]}


@pytest.mark.parametrize("by", ["string", "puzzle-class", "solution-class"])
@pytest.mark.parametrize("source", ["file", "stdin", "pipe"])
def test_dedupe_keeps_the_first_of_each(cli, mixed, by, source):
    text, first = mixed
    data = "".join(f"{line}\n" for line in text).encode()
    Path("p").write_bytes(data)
    if source == "pipe":
        reading, writing = os.pipe()
        os.write(writing, data)
        os.close(writing)
        named = f"/dev/fd/{reading}"
        if not os.path.exists(named):
            pytest.skip("needs /dev/fd")
        code, out, err = cli("dedupe", named, "--by", by)
    else:
        code, out, err = cli("dedupe", "p" if source == "file" else "-", "--by", by, stdin=data)
    assert code == 0
    assert out.decode().replace("0", ".").split() == first[by]
    assert err == f"sudoku-jit: {len(first[by])} of 12 puzzles kept\n"


def test_dedupe_keeps_what_a_file_says_besides(cli):
    Path("p.csv").write_text(f"id,puzzle,rating\n1,{P},3\n2,{Z},4\n3,{OTHER},5\n")
    code, out, _ = cli("dedupe", "p.csv", "--by", "string")
    assert code == 0
    assert [(row["id"], row["rating"]) for row in rows(out)] == [("1", "3"), ("3", "5")]
    code, out, err = cli("dedupe", "p.csv", "--by", "string", "--to", "line")
    assert (code, out.decode().split()) == (0, [Z, OTHER])
    assert "no place for it: id, rating" in err


def test_dedupe_of_parquet(cli):
    pytest.importorskip("pyarrow")
    cli("convert", "-", "--to", "parquet", "-o", "p.parquet", stdin=f"{P}\n{Z}\n{OTHER}\n".encode())
    assert cli("dedupe", "p.parquet", "--by", "puzzle-class", "-o", "out.parquet")[0] == 0
    assert cli("convert", "out.parquet", "--to", "line")[1].decode().split() == [Z, OTHER]


def test_dedupe_has_a_policy_for_bad_records(cli):
    Path("p").write_text(f"{BAD}{P}\n{EMPTY}\n")
    code, _, err = cli("dedupe", "p", "--by", "puzzle-class", "-o", "out")
    assert code == 2
    assert "p:2: puzzle 2: several solutions" in err
    assert not Path("out").exists()
    code, _, err = cli("dedupe", "p", "--by", "puzzle-class", "-o", "out", "--on-error", "skip")
    assert code == 1
    assert "3 bad records skipped" in err
    assert "2 of 3 puzzles kept" in err
    assert Path("out").read_text().split() == [Z, OTHER]
    assert len(Path("out.rejected").read_text().splitlines()) == 3
    code, out, err = cli("dedupe", "p", "--by", "puzzle-class", "--to", "csv", "--on-error", "keep")
    assert code == 1
    assert [row["status"] for row in rows(out)] == ["ok", "malformed", "malformed", "ok", "malformed"]
    assert "several solutions" in rows(out)[-1]["error"]
    code, out, err = cli("dedupe", "p", "--by", "string", "--on-error", "skip")
    assert (code, out.decode().replace("0", ".").split()) == (1, [P, EMPTY, OTHER.replace("0", ".")])
    assert "3 of 5 puzzles kept" in err
    code, out, err = cli("dedupe", "p", "--by", "string", "--to", "jsonl", "--on-error", "keep")
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["ok", "ok", "malformed", "ok"]


def test_dedupe_is_told_before_the_work_what_cannot_be_written(cli):
    Path("p").write_text(f"{P}\n")
    for wrong in (["--to", "nothing"], ["-o", "no/where"], ["--to", "line", "--on-error", "keep"]):
        assert cli("dedupe", "p", "--by", "string", *wrong)[0] == 2
    assert cli("dedupe", "missing", "--by", "string")[2].startswith("sudoku-jit: error: missing: ")
    assert cli("dedupe", "p")[0] == 2


def test_dedupe_of_a_file_that_changes(cli, monkeypatch):
    from sudoku_jit.cli import dedupe

    for after in (f"{P}\n", f"{P}\n" * 3):
        Path("p").write_text(f"{P}\n{OTHER}\n")
        mark = dedupe._mark

        def changing(*arguments, mark=mark, after=after):
            found = mark(*arguments)
            Path("p").write_text(after)
            return found

        with monkeypatch.context() as patched:
            patched.setattr(dedupe, "_mark", changing)
            code, _, err = cli("dedupe", "p", "--by", "string", "-o", "out")
        assert code == 2
        assert "p: changed while it was read" in err
        assert not Path("out").exists()


@pytest.mark.compiled
def test_dedupe_of_more_than_a_chunk(cli):
    grids = generate_grids(30_000, seed=1, method="orbit")
    order = np.random.default_rng(1).integers(0, len(grids), 60_000)
    drawn = lines(grids[order]).split()
    Path("p").write_text("".join(f"{line}\n" for line in drawn))
    code, out, err = cli("dedupe", "p", "--by", "string", "--threads", 2)
    assert code == 0
    assert out.decode().split() == list(dict.fromkeys(drawn))
    code, out, err = cli("dedupe", "p", "--by", "solution-class")
    assert out.decode().split() == drawn[:1]
    assert "1 of 60000 puzzles kept" in err


@LINUX
@pytest.mark.compiled
def test_dedupe_in_constant_memory(program):
    """A million different grids, from a file and as what comes from a pipe."""
    assert program("gen", 1_000_000, "--method", "orbit", "--style", "line", "-o", "all").returncode == 0
    block = Path("all").read_bytes()

    def feed(stdin):
        stdin.write(block)
        stdin.write(block[: 82 * 1000])

    code, err, memory = peak(["dedupe", "-", "--by", "string"], feed)
    assert (code, err) == (0, "sudoku-jit: 1000000 of 1001000 puzzles kept")
    assert memory < 300
    code, err, memory = peak(["dedupe", "all", "--by", "puzzle-class"], lambda stdin: None)
    assert (code, err) == (0, "sudoku-jit: 1 of 1000000 puzzles kept")
    assert memory < 300


def test_pipes_of_the_three(program):
    Path("p").write_text(f"{P}\n{OTHER}\n")
    run = [sys.executable, "-m", "sudoku_jit"]
    with (
        subprocess.Popen([*run, "morph", "p", "--times", "5", "--seed", "1"], stdout=subprocess.PIPE) as morphs,
        subprocess.Popen([*run, "canon", "-"], stdin=morphs.stdout, stdout=subprocess.PIPE) as forms,
    ):
        left = program("dedupe", "-", "--by", "string", stdin=forms.stdout.read())
    assert left.stdout.decode().split() == [FORM, grid_to_text(canonical_puzzles(OTHER).forms[0])]
