"""The command line: parse, call, print, exit code. ``main`` is the entry point.

Little is imported here, so that Ctrl-C is answered from the first moment.
"""

import gc
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from sudoku_jit.cli.exits import Exit
from sudoku_jit.errors import ShortfallError, SudokuError


def main() -> NoReturn:
    """Run the command line and leave with its exit code (``exits.Exit``)."""
    try:
        for number, code in ((signal.SIGTERM, Exit.TERMINATED), (getattr(signal, "SIGHUP", None), Exit.HUNG_UP)):
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, lambda *_, code=code: sys.exit(code))
        gc.set_threshold(100_000)  # importing numba makes many objects and no garbage
        _open_closed_streams()
        left = run(sys.argv[1:])
    except KeyboardInterrupt:
        left = Exit.INTERRUPTED
    except SystemExit as leaving:
        left = int(leaving.code or 0)
    left = _flushed(left)
    # Leaving the usual way takes the interpreter 0.1 s and more after numba was imported, and waits
    # for kernels that still run in threads after Ctrl-C.
    os._exit(left)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors are said on standard error."""
    from typer import Exit as Leaving
    from typer import TyperException
    from typer.main import get_command

    from sudoku_jit.cli.app import app
    from sudoku_jit.streaming import OutputClosed

    command = get_command(app)
    try:
        with command.make_context("sudoku-jit", list(arguments)) as context:
            return int(command.invoke(context) or 0)
    except Leaving as leaving:
        return leaving.exit_code
    except TyperException as error:
        error.message = error.message.replace("Value error, ", "")
        with suppress(OSError):
            error.show()  # type: ignore[attr-defined]
        return Exit.WRONG
    except SudokuError as error:
        _say(f"error: {error}")
        return Exit.NOT_ALL if isinstance(error, ShortfallError) else Exit.WRONG
    except (OutputClosed, BrokenPipeError):
        return Exit.CLOSED
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename or repr('')}: "
        _say(f"error: {name}{error.strerror or error}")
        return Exit.WRONG
    except KeyboardInterrupt:
        _say("stopped; no file was written or changed")
        return Exit.INTERRUPTED
    except SystemExit as leaving:
        _say("stopped; no file was written or changed")
        return int(leaving.code or 0)


def _say(message: str) -> None:
    from sudoku_jit.cli.console import say

    say(message)


def _open_closed_streams() -> None:
    """A stream that the caller closed: nothing to read, an error to write to, or no place for messages."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _flushed(code: int) -> int:
    """The exit code after what was printed has gone out."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = Exit.CLOSED
    except OSError as error:
        _say(f"error: standard output: {error.strerror}")
        code = Exit.WRONG
    with suppress(OSError):
        sys.stderr.flush()
    return code
