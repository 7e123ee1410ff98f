"""Bytes to cells and back.

The parsers share their arguments. ``text``: uint8, read from ``start``; it ends with a line feed,
so every line in it is whole. ``cells``: uint8 (n, 81), written. ``numbers``: int64 (n,), written:
the line that each puzzle begins on. ``spans``: int64 (n, 2), written by the parsers of one-line
records: where the line starts and ends in ``text``. ``faults``: int64 (m, FAULT), written: a row
for each bad record, ``state[FAULTS]`` of them. ``state``: int64 (STATE,), kept between calls, zero
before the first. They return (place in ``text`` after the last line used, records found).

A bad record has its place among the others, with cells of 1, the line at fault for its number and
nothing for its span. A call ends with the text, or where ``cells`` or ``faults`` are full.

A blank is any byte of ``BLANKS``, the same throughout a puzzle.
"""

import numpy as np

from sudoku_jit.kernels.policy import inline, kernel

# Places in `state`.
LINE = 0  # lines used so far
ROWS = 1  # rows: how many of the puzzle at hand were read
BEGUN = 2  # rows: the line it began on
BLANK = 3  # rows: the byte that is its blank, 0 if none was met
PASSING = 4  # rows: 1 while what is left of a bad puzzle is passed over
FAULTS = 5  # how many were found by this call
STATE = 6

# Places in a row of `faults`.
KIND = 0
COLUMN = 1  # of the fault, from 1
WHAT = 2  # the byte at fault, or how many cells, rows or fields there were
OTHER = 3  # of two different blanks, the one that came first; or how many fields are right
AT = 4  # where the line at fault starts in `text`
PLACE = 5  # of the bad record among the records of this call
FAULT = 6

# Kinds of faults.
BYTE = 1  # not a digit, not a blank
SHORT = 2  # too few cells in a line or row
LONG = 3  # too many
MIXED = 4  # two different blanks in one puzzle
FEW_ROWS = 5  # a blank line or the end of the file inside a puzzle
MANY_ROWS = 6  # a tenth row
FIELDS = 7  # more or fewer fields than there should be

BLANKS = b"0.*_-$Xx"
_LF, _CR, _SPACE, _TAB, _HASH = 10, 13, 32, 9, 35

_IS_BLANK = np.zeros(256, dtype=np.uint8)
_IS_BLANK[list(BLANKS)] = 1
_PARTS = np.zeros(256, dtype=np.uint8)
_PARTS[list(b" \t,;:\n")] = 1  # may follow the 81st cell of a line

FEWEST_SPACES = 17
"""A line of 81 digits and spaces is a puzzle with spaces for blanks if it has so many of them: a
solved grid that was cut and a few numbers after it have fewer."""


@inline
def line_end(text, start):
    """Place of the next line feed."""
    end = start
    while text[end] != _LF:
        end += 1
    return end


@inline
def bare(text, start, end):
    """The end of text[start:end] without spaces and tabs."""
    while end > start and (text[end - 1] == _SPACE or text[end - 1] == _TAB):
        end -= 1
    return end


@inline
def fault(faults, state, kind, at, column, what, other):
    """Note a fault of the line that starts at ``at``."""
    k = state[FAULTS]
    faults[k, KIND], faults[k, AT], faults[k, COLUMN], faults[k, WHAT] = kind, at, column, what
    faults[k, OTHER] = other
    state[FAULTS] = k + 1


@inline
def bad(cells, numbers, faults, state, found):
    """Make record ``found`` a bad one, with the fault noted last."""
    for c in range(81):
        cells[found, c] = 1
    numbers[found] = state[LINE]
    faults[state[FAULTS] - 1, PLACE] = found


@inline
def take_part(source, target, first, last, some, every):
    """Cells ``first`` to ``last`` of ``take``, with the union and intersection of blanks so far.

    All in eight bits, without branches, so that LLVM makes vectors of it.
    """
    for n in range(first, last):
        byte = source[n]
        digit = np.uint8(byte - 49) < 9
        target[n] = np.uint8(byte - 48) if digit else np.uint8(0)
        some = np.uint8(some | (np.uint8(0) if digit else byte))
        every = np.uint8(every & (np.uint8(255) if digit else byte))
    return some, every


@inline
def take(source, target):
    """81 bytes to 81 cells. Returns the blank, 0 if there is none, 255 if one byte is no cell.

    All bytes that are no digit 1 to 9 are one symbol if their union is their intersection. Vectors
    of 32 bytes take 0 .. 63 and 49 .. 80: an overlap costs less than 17 single bytes (11 ns
    against 22 ns a line).
    """
    some, every = take_part(source, target, 0, 64, np.uint8(0), np.uint8(255))
    some, every = take_part(source, target, 49, 81, some, every)
    if some == 0:
        return 0 if every == 255 else 255  # NUL leaves no trace in the union
    return np.int64(some) if some == every and _IS_BLANK[some] == 1 else 255


@inline
def take_row(source, step, target):
    """Nine bytes, ``step`` apart with spaces between, to nine cells; returns what ``take`` does."""
    some, every, gaps = np.uint8(0), np.uint8(255), np.uint8(0)
    for n in range(9):
        byte = source[n * step]
        digit = np.uint8(byte - 49) < 9
        target[n] = np.uint8(byte - 48) if digit else np.uint8(0)
        some = np.uint8(some | (np.uint8(0) if digit else byte))
        every = np.uint8(every & (np.uint8(255) if digit else byte))
    if step == 2:
        for n in range(8):
            gaps = np.uint8(gaps | (source[2 * n + 1] ^ np.uint8(_SPACE)))
    if some == 0:
        return 0 if every == 255 and gaps == 0 else 255
    return np.int64(some) if some == every and _IS_BLANK[some] == 1 and gaps == 0 else 255


@inline
def explain(text, start, column, stop, faults, state, at):
    """Note what keeps text[start:stop] from being 81 cells and a separator."""
    n, blank = 0, 0
    while start + n < stop:
        byte = text[start + n]
        if byte < 49 or byte > 57:
            if _IS_BLANK[byte] == 0:
                break
            if blank != 0 and byte != blank and n < 81:
                fault(faults, state, MIXED, at, column + n, byte, blank)
                return
            blank = byte
        n += 1
    if n > 81:
        fault(faults, state, LONG, at, column + 81, n, 0)
    elif start + n >= stop or (n < 81 and _PARTS[text[start + n]] == 1):
        fault(faults, state, SHORT, at, column + n, n, 0)
    else:
        fault(faults, state, BYTE, at, column + n, text[start + n], 0)


@inline
def spaced(text, start, target):
    """Whether the 81 bytes at ``start`` are digits 1 to 9 and enough spaces, taken as blanks."""
    spaces = 0
    for n in range(81):
        byte = text[start + n]
        if byte == _SPACE:
            spaces += 1
            target[n] = 0
        elif 49 <= byte <= 57:
            target[n] = byte - 48
        else:
            return False
    return FEWEST_SPACES <= spaces < 81


@kernel("u8[:] i64 u8[:,:] i64[:] i64[:,:] i64[:,:] i64[:] -> i64 i64")
def parse_lines(text, start, cells, numbers, spans, faults, state):
    """One puzzle a line: 81 cells, then the line end, or white space, ``,`` ``;`` ``:`` and any text.

    Empty lines and lines that begin with ``#`` are passed over.
    """
    length, found = text.shape[0], 0
    state[FAULTS] = 0
    while start < length and found < cells.shape[0] and state[FAULTS] < faults.shape[0]:
        state[LINE] += 1
        blank = 255
        if start + 82 <= length and _PARTS[text[start + 81]] == 1:
            blank = take(text[start : start + 81], cells[found])
        if blank != 255 and text[start + 81] == _LF:
            end = start + 81
        else:
            end = line_end(text, start if blank == 255 else start + 81)
            stop = bare(text, start, end)
            if stop == start or text[start] == _HASH:
                start = end + 1
                continue
            if blank == 255 and not (end - start == 81 and spaced(text, start, cells[found])):
                explain(text, start, 1, stop, faults, state, start)
                bad(cells, numbers, faults, state, found)
                spans[found, 0], spans[found, 1] = start, start
                found += 1
                start = end + 1
                continue
        numbers[found] = state[LINE]
        spans[found, 0], spans[found, 1] = start, end
        found += 1
        start = end + 1
    return start, found


@kernel("u8[:] i64 i64 i64 i64 u8[:,:] i64[:] i64[:,:] i64[:,:] i64[:] -> i64 i64")
def parse_fields(text, start, separator, field, fields, cells, numbers, spans, faults, state):
    """One puzzle a line: the 81 cells that are field ``field``, from 0, of those parted by a byte.

    Each line has ``fields`` fields, any number if that is 0: a line with another number may have its
    puzzle elsewhere. No quotes: the caller makes sure of that. Empty lines are passed over.
    """
    length, found = text.shape[0], 0
    state[FAULTS] = 0
    while start < length and found < cells.shape[0] and state[FAULTS] < faults.shape[0]:
        state[LINE] += 1
        at, missing, before = start, field, state[FAULTS]
        while missing > 0 and text[at] != _LF:
            missing -= text[at] == separator
            at += 1
        blank = 255
        if missing == 0 and at + 82 <= length:
            blank = take(text[at : at + 81], cells[found])
        end = at + 81 if blank != 255 else start
        after = text[end] if blank != 255 else 0
        parted = 0 if blank == 255 else field
        while text[end] != _LF:
            parted += text[end] == separator
            end += 1
        if (after != separator and after != _LF) or (fields > 0 and parted != fields - 1):
            stop = bare(text, start, end)
            if stop == start:
                start = end + 1
                continue
            close = at
            while close < stop and text[close] != separator:
                close += 1
            if missing > 0 or (fields > 0 and parted != fields - 1):
                fault(faults, state, FIELDS, start, 0, parted + 1, fields if fields > 0 else field + 1)
            elif blank == 255 or close != at + 81:
                explain(text, at, at - start + 1, close, faults, state, start)
            if state[FAULTS] > before:
                bad(cells, numbers, faults, state, found)
                spans[found, 0], spans[found, 1] = start, start
                found += 1
                start = end + 1
                continue
        numbers[found] = state[LINE]
        spans[found, 0], spans[found, 1] = start, end
        found += 1
        start = end + 1
    return start, found


@kernel("u8[:] i64 u8[:] u8[:,:] i64[:] i64[:,:] i64[:] -> i64 i64")
def parse_rows(text, start, passed, cells, numbers, faults, state):
    """Nine lines a puzzle, a row each: nine cells and any bytes that ``passed`` names between them.

    ``passed``: uint8 (256,), read, 1 for a byte that is passed over. A blank line parts two puzzles;
    more of them, and blank lines at either end, are allowed. Lines that begin with ``#`` are passed
    over. The cells of a puzzle that is not whole yet stand in ``cells[found]``: the caller hands
    them over again as the first row of the next call.
    """
    length, found = text.shape[0], 0
    state[FAULTS] = 0
    while start < length and found < cells.shape[0] and state[FAULTS] < faults.shape[0]:
        # A row as most files have it; all else goes the longer way.
        blank, size, first = 255, 0, state[ROWS] * 9
        if first < 81 and state[PASSING] == 0:
            if start + 18 <= length and text[start + 17] == _LF:
                blank, size = take_row(text[start : start + 17], 2, cells[found, first : first + 9]), 18
            elif start + 10 <= length and text[start + 9] == _LF:
                blank, size = take_row(text[start : start + 9], 1, cells[found, first : first + 9]), 10
        if blank != 255 and (blank == 0 or state[BLANK] == 0 or state[BLANK] == blank):
            state[LINE] += 1
            if first == 0:
                state[BEGUN] = state[LINE]
            state[BLANK] |= blank
            state[ROWS] += 1
            start += size
            continue
        end = line_end(text, start)
        stop = bare(text, start, end)
        at, start = start, end + 1
        state[LINE] += 1
        if stop == at:
            rows, state[ROWS], state[BLANK] = state[ROWS], 0, 0
            if state[PASSING] == 1:
                state[PASSING] = 0
            elif rows == 9:
                numbers[found] = state[BEGUN]
                found += 1
            elif rows > 0:
                fault(faults, state, FEW_ROWS, at, 1, rows, 0)
                bad(cells, numbers, faults, state, found)
                found += 1
            continue
        if text[at] == _HASH or state[PASSING] == 1:
            continue
        if state[ROWS] == 0:
            state[BEGUN] = state[LINE]
        n, before = 0, state[FAULTS]
        for place in range(at, stop):
            byte = text[place]
            if 49 <= byte <= 57 or _IS_BLANK[byte] == 1:
                digit = 49 <= byte <= 57
                if n < 9 and state[ROWS] < 9:
                    if not digit and state[BLANK] != 0 and state[BLANK] != byte:
                        fault(faults, state, MIXED, at, place - at + 1, byte, state[BLANK])
                        break
                    if not digit:
                        state[BLANK] = byte
                    cells[found, state[ROWS] * 9 + n] = byte - 48 if digit else 0
                n += 1
            elif passed[byte] == 0:
                fault(faults, state, BYTE, at, place - at + 1, byte, 0)
                break
        if state[FAULTS] == before:
            if state[ROWS] == 9:
                fault(faults, state, MANY_ROWS, at, 1, 10, 0)
            elif n != 9:
                fault(faults, state, SHORT if n < 9 else LONG, at, stop - at, n, 0)
        if state[FAULTS] > before:
            state[PASSING] = 1
            bad(cells, numbers, faults, state, found)
            found += 1
        else:
            state[ROWS] += 1
    return start, found


@kernel("u8[:] u8[:] -> i64")
def line_feeds(text, out):
    """Copy ``text`` with a line feed for each carriage return, and for each CR LF; returns the size.

    ``text``: uint8, read, not ending in a carriage return. ``out``: uint8, as long, written. Without
    branches: 0.3 ns a byte, where ``bytes.replace`` takes 1.5.
    """
    size = 0
    for at in range(text.shape[0] - 1):
        byte = text[at]
        out[size] = _LF if byte == _CR else byte
        size += 0 if byte == _CR and text[at + 1] == _LF else 1
    if text.shape[0] > 0:
        out[size] = text[text.shape[0] - 1]
        size += 1
    return size


@kernel("u8[:,:] u8[:] i64 i64[:] i64 i64")
def put(cells, out, stride, offsets, zero, blank):
    """Digit c of ``cells[k]`` goes to ``out[k * stride + offsets[c]]`` as ``zero`` + digit.

    ``cells``: uint8 (n, 81), read. ``out``: uint8, written at those places only. ``offsets``:
    int64 (81,), read. ``blank``: what stands there for a digit 0.
    """
    for k in range(cells.shape[0]):
        at = k * stride
        for c in range(81):
            digit = cells[k, c]
            out[at + offsets[c]] = digit + zero if digit != 0 else blank
