"""The profile of datasets, as a process."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.mark.compiled
def test_the_profile_prints_its_tables(tmp_path):
    """A tiny run is whole; nothing is timed. The tables go between the marks of a file as well."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- printed by datasets.py: begin -->\n<!-- printed by datasets.py: end -->\nafter\n")
    options = ["--rows", "400", "--augment", "1", "--threads", "2", "--markdown", str(page)]
    result = subprocess.run(
        [sys.executable, str(ROOT / "profiling" / "datasets.py"), *options],
        capture_output=True, text=True, timeout=200, check=False, env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    for text in (result.stdout, page.read_text()):
        for words in ("One shard by stage", "400 rows", "The same rows in smaller shards", "A billion rows"):
            assert words in text
    assert page.read_text().startswith("before\n")
    assert page.read_text().endswith("after\n")
