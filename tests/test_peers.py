"""The harness that holds other solvers beside this package. Nothing is timed."""

import importlib
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from cases import AL_ESCARGOT, EASY, GOLDEN_NUGGET, REPORT, SIX, UNSOLVABLE
from conftest import ROOT

FOLDER = ROOT / "profiling"
MADE = [
    "unique, 24 to 26 clues",
    "several solutions",
    "no solution, no clash",
    "Golden Nugget alone",
    "hard.txt alone",
]
UNIQUE = [EASY, AL_ESCARGOT, REPORT, GOLDEN_NUGGET]
MIXED = [SIX, UNSOLVABLE, EASY]

FAKE = """#!{python}
import json, os, sys
known = {known!r}
lines = open(sys.argv[1]).read().split()
counts = [0, 0, 0]
for line in lines:
    counts[min(known[line], int(sys.argv[2]))] += 1
counts[1] += {lie}
assert os.environ["PEER_CPU"] == "1"
print(json.dumps({{"peer": "fake 1.0", "puzzles": len(lines), "rate": 1000, "counts": counts}}))
"""
EXAMPLE = """#!{python}
import sys
for line in sys.stdin.read().split():
    print(line, 2, "", sep=":")
"""

programs = pytest.mark.skipif(os.name == "nt", reason="the programs are scripts")


@pytest.fixture
def part(monkeypatch):
    """Imports a module of profiling/ by its name."""
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module


def peers(*arguments, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PEER_")}
    return subprocess.run(
        [sys.executable, str(FOLDER / "peers.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**kept, "NUMBA_DISABLE_JIT": "0", **environment},
    )


def script(path, text, **fields):
    path.write_text(text.format(python=sys.executable, **fields))
    path.chmod(0o755)
    return path


@pytest.fixture
def sets(tmp_path):
    unique, mixed = tmp_path / "unique.txt", tmp_path / "mixed.txt"
    unique.write_text("# four\n\n" + "\n".join(UNIQUE) + "\n")
    mixed.write_text("\r\n".join(MIXED))
    return [mixed, unique]


def fake(path, lie=0):
    known = {puzzle.replace("0", "."): 1 for puzzle in UNIQUE}
    known |= {SIX.replace("0", "."): 2, UNSOLVABLE.replace("0", "."): 0}
    return script(path, FAKE, known=known, lie=lie)


@pytest.mark.compiled
def test_quick_run_without_programs(tmp_path):
    numbers = tmp_path / "out.json"
    done = peers("--quick", "--json", numbers, PATH="")
    assert done.returncode == 0, done.stderr
    record = json.loads(numbers.read_text())
    assert set(record) == {"machine", "notes", "solvers", "first", "packages", "files"}
    assert record["machine"]["numba"]
    assert record["machine"]["in process"] == "processor time"
    rows = record["solvers"]["rows"]
    assert [row["name"] for row in rows] == MADE
    assert [row["counts"] for row in rows] == [[0, 200, 0], [0, 0, 100], [50, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert [row["counts"] for row in record["first"]["rows"]] == [
        [0, 200, 0],
        [0, 100, 0],
        [50, 0, 0],
        *[[0, 1, 0]] * 2,
    ]
    for row in rows:
        assert min(row["count_many"], row["count_many, text"], row["solve_many"]) > 0
        assert row["quickest"] is None
    assert [row["name"] for row in record["files"]["rows"]] == ["ours", "ours, one thread"]
    assert "No peer was given: --tdoku PROGRAM, --rust PROGRAM." in done.stdout
    for name in ("solvers", "first", "packages", "files"):
        assert record[name]["title"] in done.stdout


@programs
@pytest.mark.compiled
def test_quick_run_beside_programs(tmp_path, sets):
    numbers, page = tmp_path / "out.json", tmp_path / "out.md"
    environment = {
        "PEER_RUST": str(fake(tmp_path / "rust")),
        "PEER_TDOKU_EXAMPLE": str(script(tmp_path / "example", EXAMPLE)),
        "PATH": "",
    }
    given = ["--tdoku", fake(tmp_path / "tdoku"), "--sets", *sets, "--note", "tdoku: not the real one"]
    done = peers("--quick", *given, "--json", numbers, "--markdown", page, **environment)
    assert done.returncode == 0, done.stderr
    record = json.loads(numbers.read_text())
    mixed, unique = record["solvers"]["rows"]
    assert (mixed["name"], mixed["puzzles"], mixed["counts"]) == ("mixed.txt", 3, [1, 1, 1])
    assert (unique["name"], unique["puzzles"], unique["counts"]) == ("unique.txt", 4, [0, 4, 0])
    for row in (mixed, unique, *record["first"]["rows"]):
        assert row["tdoku"] == row["rust"] == pytest.approx(1000)
        for name in ("count_many", "solve_many"):
            assert row[f"{name} ratio"] == pytest.approx(row[name] / 1000)
    assert record["files"]["title"].endswith("2,000 lines of unique.txt")
    assert [row["name"] for row in record["files"]["rows"]] == ["ours", "ours, one thread", "example 2", "example 1"]
    assert "fake 1.0/s" in done.stdout
    text = page.read_text()
    assert text.startswith("<!-- printed by peers.py: begin -->\n## Side by side")
    assert "- tdoku: not the real one" in text
    assert str(tmp_path) not in text


@programs
@pytest.mark.compiled
def test_a_peer_that_counts_otherwise_ends_the_run(tmp_path, sets):
    done = peers("--quick", "--sets", *sets, "--tdoku", fake(tmp_path / "liar", lie=1))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "peers.py: fake 1.0 and this package disagree on mixed.txt, counted up to 2: "
        "[1, 2, 1] and [1, 1, 1] puzzles with none, one and several solutions"
    )


@programs
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\necho solved\n", "one.txt 2 printed 'solved\\n'; expected one JSON line"),
        ("#!/bin/sh\necho '[1]'\n", "expected one JSON line"),
        ("#!/bin/sh\necho no >&2; exit 3\n", "one.txt 2 ended with 3\nno\n"),
        ("#!/nowhere/sh\n", "No such file"),
    ],
)
def test_a_peer_that_does_not_speak(part, tmp_path, text, said):
    programs = part("peer_programs")
    with pytest.raises(SystemExit) as raised:
        programs.call([str(script(tmp_path / "peer", text))], tmp_path / "one.txt", 2, True)
    assert said in str(raised.value)


@programs
def test_a_peer_that_does_not_end(part, tmp_path):
    programs = part("peer_programs")
    # The sleep holds the pipe: unless it is ended too, this waits for it.
    path = script(tmp_path / "peer", "#!/bin/sh\nsleep 100\n")
    assert programs.call([str(path)], tmp_path / "one.txt", 2, False, 0.2) is None


def test_adapter_speaks_the_protocol(part, monkeypatch, tmp_path, capsys):
    adapter = part("python_peers")
    path = tmp_path / "set.txt"
    path.write_text(f"{EASY}\n{SIX}\n{UNSOLVABLE}\n")
    monkeypatch.setitem(adapter.PEERS, "naive", ("", lambda puzzles: iter([1, 6, 0])))
    monkeypatch.setattr(sys, "argv", ["python_peers.py", "naive", str(path), "2"])
    ticks = iter(range(1000))
    monkeypatch.setattr(adapter.time, "perf_counter", lambda: float(next(ticks)))
    assert adapter.main() == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["peer"], told["puzzles"], told["counts"]) == ("naive", 3, [1, 1, 1])
    assert told["rate"] > 0


def test_adapter_lists_what_is_installed(part, monkeypatch, capsys):
    adapter = part("python_peers")
    monkeypatch.setattr(sys, "argv", ["python_peers.py", "--list"])
    assert adapter.main() == 0
    assert set(json.loads(capsys.readouterr().out)) <= {"rustoku", "hodoku-py", "py-sudoku", "qqwing"}


def test_adapter_generates(part, monkeypatch, capsys):
    adapter = part("python_peers")
    asked = []

    def generate_advanced(symmetry, difficulty):
        asked.append((symmetry, difficulty))
        if len(asked) == 1:
            raise ValueError("Puzzle generation failed")
        return EASY

    monkeypatch.setitem(sys.modules, "rustoku", SimpleNamespace(generate_advanced=generate_advanced))
    monkeypatch.setattr(adapter, "SECONDS_GENERATING", 0)
    for name, how in (("no level", ("none", None)), ("easy", ("none", "easy"))):
        asked.clear()
        monkeypatch.setattr(sys, "argv", ["python_peers.py", "--generate", f"rustoku, {name}"])
        assert adapter.main() == 0
        told = json.loads(capsys.readouterr().out)
        assert told["puzzles"] == [EASY] * 10
        assert told["seconds"] >= 0
        assert set(asked) == {how}
        assert len(asked) == 21


@pytest.mark.parametrize(
    ("text", "said"),
    [("# none\n", "no puzzle in it"), (EASY + "\n" + EASY[:-1], "set.txt:2: expected 81 cells")],
)
def test_a_file_that_is_no_set(part, tmp_path, text, said):
    sets = part("peer_sets")
    path = tmp_path / "set.txt"
    path.write_text(text)
    with pytest.raises(sets.SetError, match=said):
        sets.read_set(path)


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["--tdoku", "nowhere"], {}, "--tdoku nowhere: there is no such program; expected PROGRAM FILE LIMIT"),
        ([], {"PEER_RUST": "nowhere"}, "--rust nowhere: there is no such program"),
        (["--tdoku-example", "nowhere"], {}, "--tdoku-example nowhere: there is no such program"),
        (["--python", "nowhere"], {}, "--python nowhere: there is no such program; expected a Python interpreter"),
        (["--sets", "nowhere.txt"], {}, "--sets nowhere.txt: there is no such file"),
        (["--sets", __file__, __file__], {}, "two files have the same name"),
        (["--json", "nowhere/out.json"], {}, "there is no folder"),
        (["--quick"], {"NUMBA_DISABLE_JIT": "1"}, "no compiled code to measure"),
    ],
)
def test_wrong_use(arguments, environment, said):
    done = peers(*arguments, **environment)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_readme_has_a_machine_and_its_figures(part):
    begin, end = part("peers").MARKS
    printed = (FOLDER / "README.md").read_text().partition(begin)[2].partition(end)[0]
    for title in ("### Counted to two", "### Counted to one", "### Whole process", "### Machine of these figures"):
        assert title in printed
