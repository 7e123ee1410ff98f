"""The script that measures canonical forms. Nothing is timed."""

import os
import subprocess
import sys

import pytest
from cases import AL_ESCARGOT, EASY, EMPTY, REPORT
from conftest import ROOT

SCRIPT = ROOT / "profiling" / "canonical_forms.py"
FAKE = """#!{python}
import json, os, sys
assert os.environ["PEER_CPU"] == "1"
assert sys.argv[2:] == ["1"]
grids = open(sys.argv[1]).read().split()
print(json.dumps({{"peer": "fake 1.0", "puzzles": len(grids), "rate": 1000, "counts": [{classes} or len(grids), len(grids)]}}))
"""  # noqa: E501
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(os.name == "nt", reason="the program is a script"),
]


def measure(*arguments):
    return subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
    )  # fmt: skip


def program(path, classes=0):
    path.write_text(FAKE.format(python=sys.executable, classes=classes))
    path.chmod(0o755)
    return path


def test_quick_run_beside_a_peer(tmp_path):
    sets, readme = tmp_path / "three.txt", tmp_path / "README.md"
    sets.write_text(f"{EASY}\n{REPORT}\n{AL_ESCARGOT}\n")
    readme.write_text("before\n<!-- printed by canonical_forms.py: begin -->\nold\n"
                      "<!-- printed by canonical_forms.py: end -->\nafter\n")  # fmt: skip
    done = measure("--quick", "--sets", sets, "--rust", program(tmp_path / "peer"), "--markdown", readme, "--note", "N")
    assert done.returncode == 0, done.stderr
    assert "Forms and automorphisms as the peer has them: asserted." in done.stdout
    written = readme.read_text()
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert "old" not in written
    assert "fake 1.0/s" in written
    assert [line.split("|")[1:4] for line in written.splitlines() if line.startswith("| s")] == [
        [" set ", " grids ", " classes "],
        [" solutions of three.txt ", " 3 ", " 3 "],
    ]


def test_a_peer_that_finds_other_classes_ends_the_run(tmp_path):
    done = measure("--quick", "--rust", program(tmp_path / "peer", classes=1))
    assert done.returncode == 1
    assert "disagree on made here: [1, 300]" in done.stderr


def test_wrong_use(tmp_path):
    assert "there is no such program" in measure("--rust", tmp_path / "none").stderr
    assert "there is no such file" in measure("--sets", tmp_path / "none").stderr
    sets = tmp_path / "sets"
    sets.write_text(f"{EMPTY}\n")
    assert "without exactly one solution" in measure("--quick", "--sets", sets).stderr
