"""Sudoku files: bytes to uint8 cells and back. No solving here.

``reading`` tells the style of a stream and parses it, ``layout`` says where digits stand in a
written record. A new format is a module here.
"""

from sudoku_jit.formats.layout import LINE_ENDS, Layout, Newline, layout, write
from sudoku_jit.formats.reading import Chunk, read, sniff

__all__ = ["LINE_ENDS", "Chunk", "Layout", "Newline", "layout", "read", "sniff", "write"]
