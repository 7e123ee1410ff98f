"""The package as a whole: what it imports, what it promises, what its documents say."""

import subprocess
import sys

import pytest
from conftest import ROOT

import sudoku_jit


def modules_after(code):
    script = f"{code}\nimport sys; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    return set(result.stdout.decode().splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        "import sudoku_jit",
        "from sudoku_jit import cli; cli.run(['--help'])",
        "from sudoku_jit import cli; cli.run(['gen', '--help'])",
        "from sudoku_jit import cli; cli.run(['-c', '0'])",
    ],
)
def test_neither_numba_nor_numpy_is_imported(code):
    assert not {"numba", "numpy", "llvmlite"} & modules_after(code)


def test_public_names_are_there():
    for name in sudoku_jit.__all__:
        assert getattr(sudoku_jit, name)
    assert set(dir(sudoku_jit)) == set(sudoku_jit.__all__)
    with pytest.raises(AttributeError, match="no attribute 'sudoko'"):
        sudoku_jit.sudoko  # noqa: B018


def test_imports_run_one_way():
    result = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout


def test_version(cli):
    assert cli("--version")[1].decode() == f"sudoku-jit {sudoku_jit.__version__}\n"


def test_help_of_every_command(cli):
    for command in (["gen"], ["solve"], ["canon"], ["morph"], ["dedupe"], ["cache"], ["cache", "warm"], []):
        code, out, err = cli(*command, "--help")
        assert (code, err) == (0, "")
        assert out.startswith(b"Usage: sudoku-jit")
