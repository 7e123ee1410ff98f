"""The profiling harness: its solvers and writers agree, and a quick run is whole. Nothing is timed."""

import importlib
import json
import os
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import ROOT

from sudoku_jit.grids import is_valid

FOLDER = ROOT / "profiling"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.fixture
def part(monkeypatch):
    """Imports a module of profiling/ by its name."""
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module


def compare(*arguments, **environment):
    return subprocess.run(
        [sys.executable, str(FOLDER / "compare.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, **environment},
    )


def test_plain_solvers_agree_node_for_node(part):
    solver, puzzles = part("report_solver"), part("puzzles")
    (before, _), (after, _) = solver.before(solver.plain), solver.after(solver.plain)
    for limit in (1, 2):
        first = solver.run_before(before, puzzles.EASY, limit)
        second = solver.run_after(after, puzzles.EASY, limit)
        assert first == second
        assert first.found == 1
        assert first.nodes > 0
        assert "".join(map(str, first.solution)) == SOLVED


def test_plain_solvers_stop_at_their_budget(part):
    solver, puzzles = part("report_solver"), part("puzzles")
    (before, _), (after, _) = solver.before(solver.plain), solver.after(solver.plain)
    assert solver.run_before(before, puzzles.HARD, 2, 100) == (100, 0, [])
    assert solver.run_after(after, puzzles.HARD, 2, 100) == (100, 0, [])


@pytest.mark.parametrize(
    ("puzzle", "found"),
    [(SOLVED, 1), ("12345678" + "0" + "9" * 9 + "0" * 63, 0)],
    ids=["full", "no solution"],
)
def test_plain_solvers_with_nothing_to_search(part, puzzle, found):
    solver = part("report_solver")
    (before, _), (after, _) = solver.before(solver.plain), solver.after(solver.plain)
    first, second = solver.run_before(before, puzzle, 2), solver.run_after(after, puzzle, 2)
    assert first == second == (0, found, [int(digit) for digit in SOLVED] if found else [])


@pytest.mark.compiled
def test_compiled_solvers_agree_with_plain_ones(part):
    solver, puzzles = part("report_solver"), part("puzzles")
    plain = solver.run_before(solver.before(solver.plain)[0], puzzles.EASY, 2)
    recursive = [(solver.before, solver.run_before), (solver.after, solver.run_after)]
    for source, run in recursive:
        assert run(source(solver.compiled)[0], puzzles.EASY, 2, kind=np.array) == plain
    for source in (solver.stack, solver.ahead):
        assert solver.run_stack(source(solver.compiled), puzzles.EASY, 2) == plain
        assert solver.run_stack(source(solver.compiled), puzzles.EASY, 1).solution == plain.solution


def test_search_of_several_solutions(part):
    solver = part("report_solver")
    puzzle = "0" * 9 + SOLVED[9:27].replace("6", "0").replace("1", "0") + SOLVED[27:]
    first = solver.run_before(solver.before(solver.plain)[0], puzzle, 100)
    second = solver.run_after(solver.after(solver.plain)[0], puzzle, 100)
    assert first == second
    assert first.found >= 1


def test_writers_write_the_same_bytes(part, tmp_path):
    writer = part("report_writer")
    files = []
    for k, write in enumerate(writer.WRITERS.values()):
        path = tmp_path / str(k)
        write(str(path), 5, 7)
        files.append(path.read_bytes())
        grids = path.read_text().split("\n\n")
        assert len(grids) == 5
        assert is_valid(["".join(grid.split()) for grid in grids]).all()
        assert len(files[-1]) == 5 * writer.BYTES_A_GRID - 1
    digits, compiled_digits, rows, whole = files
    assert digits == rows
    assert compiled_digits == whole


def test_marks_in_a_file(part, tmp_path):
    tables = part("tables")
    path = tmp_path / "README.md"
    path.write_text(f"head\n{tables.BEGIN}\nold\n{tables.END}\ntail\n")
    tables.put_between_marks(path, "new")
    assert path.read_text() == f"head\n{tables.BEGIN}\nnew\n{tables.END}\ntail\n"


def test_readme_has_a_machine_and_its_figures(part):
    tables = part("tables")
    text = (FOLDER / "README.md").read_text()
    printed = text.partition(tables.BEGIN)[2].partition(tables.END)[0]
    for title in ("### Solving the hard puzzle", "### Whole processes", "### Machine"):
        assert title in printed


@pytest.mark.compiled
def test_quick_run(tmp_path):
    numbers, picture, page = (tmp_path / name for name in ("out.json", "out.png", "out.md"))
    done = compare("--quick", "--json", numbers, "--plot", picture, "--markdown", page)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    record = json.loads(numbers.read_text())
    assert {"amount", "machine", "solving", "writing", "starts", "process", "listings"} == set(record)
    assert record["machine"]["numba"]
    assert record["machine"]["seed"] == 1

    rows = record["solving"]["rows"]
    for search, nodes in (("whole tree", 5_322_889), ("first solution", 2_157_179)):
        same = [row for row in rows if row["search"] == search and row["name"] != "fewest"]
        names = {row["name"] for row in same}
        assert names == {"before", "after", "stack", "ahead", "reading", "plain before", "plain after"}
        assert {row["nodes"] for row in same} == {nodes}
        for row in same:
            assert row["extrapolated"] == row["name"].startswith("plain")
    before = next(row for row in rows if row["name"] == "before")
    assert (before["report_seconds"], before["ratio"]) == (34.263, 1.0)

    for row in record["writing"]["rows"]:
        assert row["seconds"] > 0
        assert 0 <= row["share"] <= 1
    for row in record["starts"]["rows"]:
        assert {"cold", "warm", "steady", "import_numba"} <= set(row)
    assert {"import numba", "write", "gen", "gen orbit", "gen twice", "solve", "gen cold", "solve cold"} == {
        row["name"] for row in record["process"]["rows"]
    }
    assert all("Line Contents" in text for text in record["listings"].values())
    for part in ("solving", "writing", "starts", "process"):
        assert record[part]["title"] in done.stdout
        assert record[part]["title"] in page.read_text()


def test_picture_as_svg(part, tmp_path):
    pytest.importorskip("matplotlib")
    picture, tables = part("picture"), part("tables")
    row = {"seconds": 0.5, "extrapolated": False, "report_seconds": 34.263}
    solving = {"search": "whole tree", "label": "before", "language": "Numba"}
    made = [
        tables.Table(name, name, {}, [row | more], [])
        for name, more in (("solving", solving), ("writing", {"name": "digits", "grids": 10}))
    ]
    path = tmp_path / "out.svg"
    picture.draw(path, *made)
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


@pytest.mark.parametrize("missing", ["line_profiler", "matplotlib"])
def test_a_missing_package_names_the_extra(missing, tmp_path):
    code = f"""
import importlib.util, runpy, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *a: None if name == {missing!r} else find(name, *a)
sys.argv = ["compare.py", "--quick", "--plot", "out.png"]
runpy.run_path({str(FOLDER / "compare.py")!r}, run_name="__main__")
"""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER), "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"compare.py: {missing} not installed; expected the extra: pip install 'sudoku-jit[profile]'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["--plot", "out.jpg"], {}, "expected a name that ends in .png or .svg"),
        (["--json", "nowhere/out.json"], {}, "there is no folder"),
        (["--quick", "--full"], {}, "not allowed with"),
        (["--quick"], {"NUMBA_DISABLE_JIT": "1"}, "no compiled code to measure"),
    ],
)
def test_wrong_use(arguments, environment, said):
    done = compare(*arguments, **{"NUMBA_DISABLE_JIT": "0", **environment})
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.compiled
def test_generators_are_measured_side_by_side(tmp_path):
    path = tmp_path / "out.json"
    done = subprocess.run(
        [sys.executable, str(FOLDER / "generators.py"), "--quick", "--json", str(path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    record = json.loads(path.read_text())
    assert [row["name"] for row in record["generators"]["rows"]] == ["search", "orbit", "report", "uniform"]
    assert len(record["processes"]["rows"]) == 3
    puzzles = record["puzzles"]["rows"]
    assert [row["minimal"] for row in puzzles if row["name"] == "minimal"] == [1]
    assert all(row["unique"] == 1 for row in puzzles)
    for table in ("generators", "processes", "puzzles"):
        assert all(row["seconds"] > 0 for row in record[table]["rows"])
        assert record[table]["title"] in done.stdout


@pytest.mark.parametrize(
    ("arguments", "jit", "said"),
    [
        (["--json", "nowhere/out.json"], "0", "there is no folder"),
        (["--python", "nowhere/python"], "0", "there is no such program"),
        ([], "1", "no compiled code to measure"),
    ],
)
def test_wrong_use_of_generators(arguments, jit, said):
    done = subprocess.run(
        [sys.executable, str(FOLDER / "generators.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": jit},
    )
    assert done.returncode == 2
    assert said in done.stderr
