"""Grids as frames of Zstandard (RFC 8878): a fixed Huffman code for each kind of grid.

The text of grids has no repeats worth a search: a code of its own for each character is all that there is to gain. With
one code for all grids, characters need not be counted either, nor written as text before they are packed.
"""

import struct
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_jit.grids import Cells

Bytes = NDArray[np.uint8]

_TEXT = ".123456789"
_CHARACTERS = np.frombuffer(_TEXT.encode(), np.uint8)
_MAGIC = 0xFD2FB528
_SIZE_OF_4_BYTES = 2 << 6
_WINDOW = 7 << 3
"""128 KiB, which is the most of a block."""


class Code(NamedTuple):
    """``pairs``, ``tree``: as ``kernels.huffman.blocks`` takes them."""

    pairs: NDArray[np.uint32]
    tree: Bytes


def code(lengths: dict[str, int]) -> Code:
    """The Huffman code with codes of these lengths in bits, one for each character of a grid: 1 to 9, and a full stop.

    >>> found = code({".": 1, "4": 2, "9": 2})
    >>> f"{found.pairs[9 | 0 << 4]:b}", bytes(found.tree[-6:]).hex()  # three bits: 01 of the nine, 1 of the blank
    ('110000000000000011', '200000100000')
    """
    longest = max(lengths.values())
    weights = np.zeros(ord(max(lengths)), np.uint8)  # of all bytes before the last character, whose weight follows
    codes, value, bits = {}, 0, longest
    for character in sorted(lengths, key=lambda each: (-lengths[each], each)):
        value >>= bits - lengths[character]
        bits = lengths[character]
        codes[character] = value, bits
        value += 1
        weights[ord(character) : ord(character) + 1] = longest + 1 - bits
    nibbles = np.append(weights, np.zeros(len(weights) % 2, np.uint8)).reshape(-1, 2)
    pairs = np.zeros(256, np.uint32)
    for (a, first), (b, second) in product(enumerate(_TEXT), repeat=2):
        if first in codes and second in codes:
            (high, more), (low, less) = codes[first], codes[second]
            pairs[a | b << 4] = high << less | low | (more + less) << 16
    return Code(pairs, np.append(np.uint8(127 + len(weights)), nibbles[:, 0] << 4 | nibbles[:, 1]))


_DIGITS = {"1": 4, "2": 4, **dict.fromkeys("3456789", 3)}
SOLUTIONS = code(_DIGITS)
PUZZLES = code({".": 1, **{digit: length + 1 for digit, length in _DIGITS.items()}})
"""No Huffman code is shorter for puzzles of up to 51 clues."""


def frame(before: bytes, grids: Cells, by: Code) -> list[bytes | memoryview]:
    """The parts of a frame that holds some bytes, at most 128 KiB, then the text of grids, uint8 (n, 81). O(n).

    >>> sum(map(len, frame(b"", np.tile(np.arange(1, 10, dtype=np.uint8), (1000, 9)), SOLUTIONS)))  # 81 kB of text
    32693
    """
    from sudoku_jit.kernels import huffman

    cells = np.ascontiguousarray(grids).ravel()
    coded = len(cells) // 32 * 32  # four streams of whole words
    eights = np.require(cells[:coded].view(np.uint64), requirements="A")
    headers = (len(eights) // huffman.WORDS + 1) * huffman.HEADERS
    words = np.empty(len(eights) + headers // 8, np.uint64)
    out = words.view(np.uint8)
    size = huffman.blocks(eights, by.pairs, by.tree, words, out)
    rest = _CHARACTERS[cells[coded:]].tobytes()
    head = struct.pack("<IBBI", _MAGIC, _SIZE_OF_4_BYTES, _WINDOW, len(before) + len(cells))
    return [head, _raw(before), out[:size].data, _raw(rest, last=True)]


def _raw(data: bytes, *, last: bool = False) -> bytes:
    """A block of bytes as they are."""
    return (len(data) << 3 | last).to_bytes(3, "little") + data
