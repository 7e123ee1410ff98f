"""Cells as blocks of Zstandard (RFC 8878): Huffman-coded literals, and no search for repeats, of which grids have none.

A block is up to ``WORDS`` words of eight cells. Its literals are in four streams, each a quarter of the cells. A stream
is read from its end: it is the number whose binary digits are a one and then the codes of the cells in order, written
with its lowest byte first. So the codes are put together from the last cell to the first.
"""

import numpy as np

from sudoku_jit.kernels.policy import inline, kernel

WORDS = 1 << 14
"""Of cells in a block: 128 KiB of text, the most that the format allows."""
HEADERS = 64
"""Bytes of a block beside its streams, at most."""

_BYTES = np.uint64(0x00FF00FF00FF00FF)
_CODE, _LENGTH = np.uint64(0xFFFF), np.uint64(16)
_ONE, _FOUR, _SIX = np.uint64(1), np.uint64(4), np.uint64(6)
_LOW, _TOP = np.uint64(0xFF), np.uint64(63)
_COMPRESSED, _FOUR_STREAMS = 2, 3


@kernel("u64[:] u32[:] u8[:] u64[:] u8[:] -> i64")
def blocks(cells, codes, tree, words, out):
    """Write the blocks that hold the text of cells; returns their size in bytes.

    ``cells``: uint64 (4 m,), read: eight cells a word, the first in the lowest byte. ``codes``: uint32 (256,), read:
    for cells a and b, ``codes[a | b << 4]`` is the code of a above that of b, and, from bit 16 on, how many bits these
    are. ``tree``: uint8, at most 40, read: the code as the format describes it. ``words``, ``out``: the same memory,
    written, as uint64 and as uint8, with room for ``HEADERS`` bytes a block and 8 bytes a word of cells. O(m).
    """
    size = 0
    for first in range(0, len(cells), WORDS):
        count = min(WORDS, len(cells) - first)
        literals = size + 8
        jumps = literals + len(tree)
        for k in range(len(tree)):
            out[literals + k] = tree[k]
        end = jumps + 6
        for stream in range(4):
            begun = end
            last = first + count // 4 * (stream + 1)
            end = _stream(cells, last - count // 4, last, codes, words, end)
            if stream < 3:
                _put(out, jumps + 2 * stream, 2, end - begun)
        _put(out, literals - 5, 5, _COMPRESSED | _FOUR_STREAMS << 2 | 8 * count << 4 | (end - literals) << 22)
        out[end] = 0  # sequences
        end += 1
        _put(out, size, 3, _COMPRESSED << 1 | (end - size - 3) << 3)
        size = end
    return size


@inline
def _stream(cells, start, end, codes, words, at):
    """Write a stream from byte ``at`` on; returns where it ends."""
    w = np.uint64(at >> 3)
    bit = np.uint64(8 * (at & 7))
    word = words[w] & ((_ONE << bit) - _ONE)
    k = np.uint64(end)
    for _ in range(end - start):
        k -= _ONE
        pairs = (cells[k] | (cells[k] >> _FOUR)) & _BYTES
        a = np.uint64(codes[pairs >> np.uint64(48)])
        b = np.uint64(codes[(pairs >> np.uint64(32)) & _LOW])
        c = np.uint64(codes[(pairs >> np.uint64(16)) & _LOW])
        d = np.uint64(codes[pairs & _LOW])
        half = (a >> _LENGTH) + (b >> _LENGTH)
        later = (a & _CODE) | ((b & _CODE) << (a >> _LENGTH))
        earlier = (c & _CODE) | ((d & _CODE) << (c >> _LENGTH))
        eight = later | (earlier << half)
        word |= eight << bit
        words[w] = word
        rest = (eight >> _ONE) >> (_TOP - bit)
        bit += half + (c >> _LENGTH) + (d >> _LENGTH)
        full = bit >> _SIX
        w += full
        word = rest if full else word
        bit &= _TOP
    words[w] = word | (_ONE << bit)
    return np.int64((w << np.uint64(3)) + (bit >> np.uint64(3))) + 1


@inline
def _put(out, at, size, value):
    """Write a number of ``size`` bytes, the lowest first."""
    for k in range(size):
        out[at + k] = (value >> (8 * k)) & 255
