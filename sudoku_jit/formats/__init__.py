"""Sudoku files: bytes to uint8 cells and back. No solving here.

``reading`` tells the style of a stream and parses it; ``layout`` says where digits stand in a
written record. This module holds the names alone, so that the command line can be parsed without
numpy.
"""

from typing import Literal

Style = Literal["block", "line"]
Newline = Literal["lf", "crlf"]
