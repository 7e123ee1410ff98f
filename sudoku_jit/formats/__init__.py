"""Sudoku files: bytes to uint8 cells and back. No solving here.

``registry`` is the table of formats; ``source`` opens, unpacks and decodes; ``reading`` tells the
format and hands out puzzles; ``writing`` turns them into bytes; the other modules are families of
formats. This module holds the names alone, so that the command line can be parsed without numpy.
"""

from typing import Literal

Style = Literal["block", "line"]
Newline = Literal["lf", "crlf"]
OnError = Literal["stop", "skip", "keep"]
