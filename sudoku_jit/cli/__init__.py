"""The command line: parse, call, print, exit code. ``main`` is the entry point."""

import gc
import os
import signal
import sys
from typing import Any, NoReturn

from sudoku_jit.cli.console import Exit, say
from sudoku_jit.errors import SudokuError


def main() -> NoReturn:
    """Run the command line and leave with its exit code (``console.Exit``)."""
    gc.set_threshold(100_000)  # importing numba makes many objects and no garbage
    signal.signal(signal.SIGTERM, _terminate)
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = Exit.CLOSED
    # Leaving the usual way takes the interpreter 0.1 s and more after numba was imported, and waits
    # for kernels that still run in threads after Ctrl-C.
    os._exit(code)


def _terminate(*_: Any) -> NoReturn:
    raise SystemExit(Exit.TERMINATED)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors are said on standard error."""
    from typer import TyperException

    from sudoku_jit.cli.app import app
    from sudoku_jit.streaming import OutputClosed

    try:
        code = app(arguments, prog_name="sudoku-jit", standalone_mode=False)
    except TyperException as error:
        error.show()  # type: ignore[attr-defined]
        return Exit.WRONG
    except SudokuError as error:
        say(f"error: {error}")
        return Exit.WRONG
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        say(f"error: {name}{error.strerror or error}")
        return Exit.WRONG
    except OutputClosed:
        return Exit.CLOSED
    except KeyboardInterrupt:
        code = Exit.INTERRUPTED
    except SystemExit as leaving:
        code = leaving.code
    if code in (Exit.INTERRUPTED, Exit.TERMINATED):
        say("stopped; no file was written or changed")
    return int(code or 0)
