"""Lanes: a vector of LANES unsigned words of 32 bits, and byte vectors for text. Knows no sudoku.

    v = load(array, i)          lane l holds array[i + l]
    v & w, v | w, v ^ w, ~v     between vectors, or with an integer for all lanes
    v + w, v - w                wrap around
    v << k, v >> k              k an integer constant, logical shift
    store(array, i, v)          array[i + l] = lane l
    load_quads, store_quads     four vectors at once, each lane's four words side by side

What stands here is what each operation means, on NumPy arrays of LANES uint32; with the JIT off the kernels run on
it. ``lanes_llvm`` says how each is compiled: a vector is then one LLVM value ``<LANES x i32>``, kept in as many
registers as the CPU needs (one of AVX-512 for 16 lanes, two of AVX2, four of SSE2 or NEON).

LANES comes from the environment variable SUDOKU_JIT_LANES: 8, 16 or 32. Results do not depend on it. Measured with
AVX-512: 16 is best for batches; 8 is 8 % slower there but 30 % faster on one puzzle alone; 32 is 15 % to 60 % slower.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sudoku_jit.kernels.policy import inline

_given = os.environ.get("SUDOKU_JIT_LANES", "16")
if _given not in ("8", "16", "32"):
    raise ValueError(f"SUDOKU_JIT_LANES is {_given!r}; expected 8, 16 or 32")
LANES = int(_given)


def load(array, index):
    """Lane l of the result is array[index + l]; array is uint32 (n,)."""
    return array[index : index + LANES].copy()


def store(array, index, vector):
    """array[index + l] = lane l of the vector; array is uint32 (n,)."""
    array[index : index + LANES] = vector


def zeros():
    """The vector of zeros."""
    return np.zeros(LANES, np.uint32)


QUAD = 4
"""Words: all CPUs with vectors copy that many at once."""


def load_quads(array, index):
    """Four vectors whose lane l, taken together, is the quad array[index + quad_of(l)] and the three words after it."""
    words = array[index : index + QUAD * LANES].reshape(QUAD, LANES // QUAD, QUAD)
    return tuple(words.transpose(2, 1, 0).reshape(QUAD, LANES))


def store_quads(array, index, a, b, c, d):
    """The inverse: lane l of the four becomes the quad array[index + quad_of(l)] and the three words after it."""
    words = np.stack((a, b, c, d)).reshape(QUAD, LANES // QUAD, QUAD)
    array[index : index + QUAD * LANES] = words.transpose(2, 1, 0).ravel()


def copy_quad(target, i, source, j):
    """target[i : i + 4] = source[j : j + 4]; both uint32 (n,)."""
    target[i : i + QUAD] = source[j : j + QUAD]


@inline
def quad_of(lane):
    """Where ``store_quads`` puts a lane's quad."""
    return QUAD * (LANES // QUAD * (lane % QUAD) + lane // QUAD)


def nonzero_lanes(vector):
    """uint64: bit l is set where lane l is not zero."""
    return np.uint64(sum(1 << lane for lane in range(LANES) if vector[lane]))


def lane_mask(bits):
    """The vector with all ones in lane l where bit l of the uint64 is set, zero in the other lanes."""
    return np.array([0xFFFFFFFF if int(bits) >> lane & 1 else 0 for lane in range(LANES)], np.uint32)


def popcount(word):
    """Number of bits set in a uint64."""
    return np.uint64(int(word).bit_count())


def ctz(word):
    """Index of the lowest bit set in a uint64 that is not zero."""
    word = int(word)
    return (word & -word).bit_length() - 1


class ByteOrder(NamedTuple):
    """Which byte of a record goes to which bit of which word.

    ``orders[o][k]`` is the byte at bit k of the words of order o, None for none. ``length`` bytes a record, 65 to 128;
    ``values`` consecutive byte values.
    """

    orders: tuple[tuple[int | None, ...], ...]
    length: int
    values: int


byte_readers: list[tuple[Callable[..., Any], ByteOrder]] = []
byte_writers: list[tuple[Callable[..., Any], ByteOrder]] = []
"""All readers and writers made, for ``lanes_llvm``."""


def byte_reader(order: ByteOrder) -> Callable[..., Any]:
    """Make read(text, offset, first): compare the bytes of a record with consecutive values, in given orders.

    The result is a tuple of len(orders) * values uint32: word o * values + d has bit k set where
    text[offset + orders[o][k]] == first + d. Reads exactly ``length`` bytes of the uint8 array. An AVX-512 CPU does it
    in one shuffle for each order and one compare for each word.
    """

    def read(text, offset, first):
        record = text[offset : offset + order.length]
        return tuple(
            np.uint32(sum(1 << k for k, at in enumerate(places) if at is not None and record[at] == first + d))
            for places in order.orders
            for d in range(order.values)
        )

    byte_readers.append((read, order))
    return read


def byte_writer(order: ByteOrder) -> Callable[..., Any]:
    """Make write(text, offset, first, masks), the inverse of ``byte_reader`` for three orders.

    Byte text[offset + orders[o][k]] becomes first + d where bit k of masks[o * values + d] is set (the highest such d),
    first - 1 where there is none. Writes exactly ``length`` bytes: neighbours may be written by other threads.
    """
    place = {at: (o, k) for o, places in enumerate(order.orders) for k, at in enumerate(places)}

    def write(text, offset, first, masks):
        for at in range(order.length):
            o, k = place[at]
            digits = [d for d in range(order.values) if int(masks[o * order.values + d]) >> k & 1]
            text[offset + at] = first + (digits[-1] if digits else -1)

    byte_writers.append((write, order))
    return write
