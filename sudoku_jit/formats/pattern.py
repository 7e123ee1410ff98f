"""Pattern files: 81 marks that say where givens may stand."""

import os
import sys

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.errors import FormatError

BLANKS = ".0_"
MARKS = "123456789xX#*"
MOST_BYTES = 1 << 16


def read_pattern(path: str | os.PathLike[str]) -> NDArray[np.bool_]:
    r"""The marks of a file, bool (81,): where givens may stand.

    A mark is one of ``123456789xX#*`` and a cell to leave blank one of ``.0_``, so that a puzzle is a pattern too;
    spaces, tabs and line ends are passed over. ``-`` is standard input. Raises ``FormatError``, ``OSError``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "pattern.txt")
    ...     with open(path, "w") as file:
    ...         _ = file.write("x........\n" * 9)
    ...     np.flatnonzero(read_pattern(path)).tolist()
    [0, 9, 18, 27, 36, 45, 54, 63, 72]
    """
    name = os.fspath(path)
    if name == "-":
        name, data = "<stdin>", sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FormatError(name, 0, 0, f"more than {MOST_BYTES} bytes", "expected 81 marks")
    marks: list[bool] = []
    for at, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        for column, symbol in enumerate(line, 1):
            if symbol in MARKS or symbol in BLANKS:
                marks.append(symbol in MARKS)
            elif not symbol.isspace():
                expected = f"expected one of {MARKS} where a given may stand, else one of {BLANKS}"
                raise FormatError(name, at, 0, repr(symbol), expected, column)
    if len(marks) != 81:
        raise FormatError(name, 0, 0, f"{len(marks)} marks", "expected 81")
    return np.array(marks)
