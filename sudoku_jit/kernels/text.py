"""Bytes to cells and back. A parser takes whole lines; what is left of a record waits for more bytes.

Both parsers share their arguments: ``text``: uint8, read up to ``length``. ``final``: 1 if no more
bytes follow, so the last line may lack its line end. ``cells``: uint8 (n, 81), written. ``numbers``:
int64 (n,), written: the line each puzzle begins on. ``state``: int64 (STATE,), kept between calls,
zero before the first. They return (bytes used, puzzles found) and stop at the first fault, which
``state[FAULT]`` names.
"""

import numpy as np

from sudoku_jit.kernels.policy import inline, kernel

# Places in `state`.
LINE = 0  # lines used so far
ROWS = 1  # block style: rows read of the puzzle at hand
BEGUN = 2  # block style: the line it began on
FAULT = 3
COLUMN = 4  # of the fault, from 1
WHAT = 5  # the byte at fault, or how many cells or rows there were
STATE = 6

# Faults.
BYTE = 1  # not a digit, not a blank
SHORT = 2  # too few cells in a line or row
LONG = 3  # too many
FEW_ROWS = 4  # a blank line or the end of the file inside a puzzle
MANY_ROWS = 5  # a tenth row

_BAD = 255
_VALUES = np.full(256, _BAD, dtype=np.uint8)
_VALUES[48:58] = range(10)
for _blank in b".*_-$":
    _VALUES[_blank] = 0

_LF, _CR, _SPACE, _TAB, _HASH = 10, 13, 32, 9, 35
_COMMA, _SEMICOLON = 44, 59


@inline
def line_end(text, start, length):
    """Place of the next line feed, or ``length``."""
    end = start
    while end < length and text[end] != _LF:
        end += 1
    return end


@inline
def fault(state, kind, column, what):
    """Note a fault of the line at hand."""
    state[FAULT], state[COLUMN], state[WHAT] = kind, column, what


@inline
def bare(text, start, end):
    """The end of text[start:end] without a carriage return and white space before the line end."""
    while end > start and (text[end - 1] == _SPACE or text[end - 1] == _TAB or text[end - 1] == _CR):
        end -= 1
    return end


@kernel("u8[:] i64 i64 u8[:,:] i64[:] i64[:] -> i64 i64")
def parse_lines(text, length, final, cells, numbers, state):
    """One puzzle a line: 81 cells, then the line end, or white space, ``,`` or ``;`` and any text.

    Empty lines and lines that begin with ``#`` are passed over.
    """
    start, found = 0, 0
    while start < length and found < cells.shape[0]:
        end = line_end(text, start, length)
        if end == length and not final:
            break
        stop = bare(text, start, end)
        state[LINE] += 1
        if stop > start and text[start] != _HASH:
            n = 0
            while start + n < stop and n < 81:
                value = _VALUES[text[start + n]]
                if value == _BAD:
                    break
                cells[found, n] = value
                n += 1
            after = text[start + n] if start + n < stop else _SPACE
            parted = after == _SPACE or after == _TAB or after == _COMMA or after == _SEMICOLON
            if n < 81 and parted:
                fault(state, SHORT, n + 1, n)
            elif n < 81:
                fault(state, BYTE, n + 1, after)
            elif not parted:
                while start + n < stop and _VALUES[text[start + n]] != _BAD:
                    n += 1
                fault(state, LONG, 82, n)
            if state[FAULT]:
                return start, found
            numbers[found] = state[LINE]
            found += 1
        start = end + 1
    return min(start, length), found


@kernel("u8[:] i64 i64 u8[:,:] i64[:] i64[:] -> i64 i64")
def parse_blocks(text, length, final, cells, numbers, state):
    """Nine lines a puzzle, a row each: nine cells, with or without white space between them.

    A blank line parts two puzzles; more of them, and blank lines at either end, are allowed. Lines
    that begin with ``#`` are passed over. The cells of a puzzle that is not whole yet stand in
    ``cells[found]``: the caller hands them over again as the first row of the next call.
    """
    start, found = 0, 0
    while start < length and found < cells.shape[0]:
        end = line_end(text, start, length)
        if end == length and not final:
            break
        state[LINE] += 1
        stop = bare(text, start, end)
        if stop > start and text[start] == _HASH:
            start = end + 1
            continue
        n = 0
        for at in range(start, stop):
            byte = text[at]
            if byte == _SPACE or byte == _TAB:
                continue
            value = _VALUES[byte]
            if value == _BAD:
                fault(state, BYTE, at - start + 1, byte)
                return start, found
            if n < 9 and state[ROWS] < 9:
                cells[found, state[ROWS] * 9 + n] = value
            n += 1
        if n == 0:
            if 0 < state[ROWS] < 9:
                fault(state, FEW_ROWS, 1, state[ROWS])
                return start, found
            if state[ROWS] == 9:
                numbers[found] = state[BEGUN]
                found += 1
                state[ROWS] = 0
        elif state[ROWS] == 9:
            fault(state, MANY_ROWS, 1, 10)
            return start, found
        elif n != 9:
            fault(state, SHORT if n < 9 else LONG, stop - start, n)
            return start, found
        else:
            if state[ROWS] == 0:
                state[BEGUN] = state[LINE]
            state[ROWS] += 1
        start = end + 1
    start = min(start, length)
    if final and start == length and found < cells.shape[0]:
        if 0 < state[ROWS] < 9:
            fault(state, FEW_ROWS, 1, state[ROWS])
        elif state[ROWS] == 9:
            numbers[found] = state[BEGUN]
            found += 1
            state[ROWS] = 0
    return start, found


@kernel("u8[:,:] u8[:] i64 i64[:] i64")
def put(cells, out, stride, offsets, zero):
    """Digit c of ``cells[k]`` goes to ``out[k * stride + offsets[c]]`` as ``zero`` + digit.

    ``cells``: uint8 (n, 81), read. ``out``: uint8, written at those places only. ``offsets``:
    int64 (81,), read.
    """
    for k in range(cells.shape[0]):
        at = k * stride
        for c in range(81):
            out[at + offsets[c]] = cells[k, c] + zero
