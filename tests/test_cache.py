"""The cache folder, in real processes."""

import os
import re
import subprocess
import sys

import pytest
from cases import EASY

from sudoku_jit import generate_grids, grid_to_text

pytestmark = pytest.mark.compiled

MAKE = "import sudoku_jit; print(sudoku_jit.grid_to_text(sudoku_jit.generate_grids(1, seed=1, method='orbit')[0]))"
GEN = ("gen", 1, "--seed", 1, "--method", "orbit", "--style", "line", "-o", "-")
"""The quickest kernel to compile."""


@pytest.fixture(scope="module")
def grid():
    return grid_to_text(generate_grids(1, seed=1, method="orbit")[0])


def python(code, **env):
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **env}, text=True, capture_output=True,
        timeout=120, check=False,
    )  # fmt: skip


def test_first_run_says_that_it_compiles_and_the_second_does_not(program, tmp_path, grid):
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    first = program(*GEN, env=env)
    second = program(*GEN, env=env)
    assert first.stderr.count(b"compiling") == 1
    assert second.stderr == b""
    assert first.stdout == second.stdout == grid.encode() + b"\n"


def test_a_warm_process_does_not_import_numba(tmp_path):
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    tell = f"{MAKE}; import sys; print('numba' in sys.modules)"
    assert python(tell, **env).stdout.split()[1] == "True"
    assert python(tell, **env).stdout.split()[1] == "False"


def test_info_clear_and_warm(program, tmp_path):
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert b"kernels  0\n" in program("cache", "info", env=env).stdout
    warm = program("cache", "warm", env=env)
    assert re.match(rb"[1-9]\d* kernels ready in", warm.stdout)
    again = program("solve", "-", stdin=EASY.encode(), env=env)
    assert again.stderr == b""
    info = program("cache", "info", env=env).stdout
    assert str(tmp_path / "cache").encode() in info
    assert b"deleted" in program("cache", "clear", env=env).stdout
    assert list((tmp_path / "cache").glob("sudoku-jit/*")) == []
    assert program("cache", "clear", env=env).returncode == 0


def test_numba_cache_dir_is_respected(tmp_path, grid):
    assert python(MAKE, NUMBA_CACHE_DIR=str(tmp_path)).stdout.strip() == grid
    assert list(tmp_path.glob("sudoku-jit/*/orbit.orbit.o"))


def test_without_a_place_to_write_it_works_without_a_cache(tmp_path, grid):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    result = python(MAKE, XDG_CACHE_HOME=str(blocked))
    assert (result.stdout.strip(), result.stderr) == (grid, "")


@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_a_damaged_file_is_compiled_again(tmp_path, damage, grid):
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    python(MAKE, **env)
    (path,) = tmp_path.glob("sudoku-jit/*/orbit.orbit.o")
    whole = path.read_bytes()
    path.write_bytes(whole[:-10] + b"0123456789" if damage is None else damage)
    assert python(MAKE, **env).stdout.strip() == grid
    assert len(path.read_bytes()) == len(whole)


def test_many_processes_may_compile_at_once(tmp_path, grid):
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    running = [
        subprocess.Popen([sys.executable, "-c", MAKE], env=env, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert {process.communicate(timeout=120)[0].strip() for process in running} == {grid}
    assert not [p for p in tmp_path.glob("sudoku-jit/*/*") if p.suffix != ".o"]


def test_caches_of_old_versions_go(tmp_path):
    root = tmp_path / "sudoku-jit"
    for k in range(6):
        (root / f"old{k}").mkdir(parents=True)
        os.utime(root / f"old{k}", (k, k))
    python(MAKE, XDG_CACHE_HOME=str(tmp_path))
    assert sorted(p.name for p in root.iterdir() if p.name.startswith("old")) == [
        "old3", "old4", "old5",
    ]  # fmt: skip


def test_bounds_checks_raise(tmp_path):
    code = (
        "import numpy as np; from sudoku_jit.kernels.text import put;"
        "put(np.zeros((1, 81), np.uint8), np.zeros(80, np.uint8), 81, np.arange(81), 48, 48)"
    )
    result = python(code, XDG_CACHE_HOME=str(tmp_path), NUMBA_BOUNDSCHECK="1")
    assert "IndexError: kernel text.put: an index is out of bounds" in result.stderr


def test_a_kernel_that_would_need_numba_later_is_refused(tmp_path):
    (tmp_path / "bad.py").write_text(
        "import numpy as np\n"
        "from sudoku_jit.kernels.policy import kernel\n"
        "@kernel('i64 -> i64')\n"
        "def bad(n):\n"
        "    return np.zeros(n).sum()\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import bad; bad.bad(3)"
    result = python(code, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert result.returncode == 1
    assert "Error" in result.stderr
