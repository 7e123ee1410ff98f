"""Counter-based random numbers, and a permutation of an index range that is computed, not stored.

``mix`` is the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", 2014). ``permute`` is the generalised Feistel network of Black and Rogaway ("Ciphers
with arbitrary finite domains", 2002): an index of 0 .. a * b - 1 is a pair (left < a, right < b),
and each round adds a pseudo-random function of one half to the other, modulo its range. A round can
be undone, so the whole is a bijection of the range, whatever the function.
"""

import numpy as np

from sudoku_jit.kernels.policy import inline

ROUNDS = 6
_U30, _U27, _U31, _U32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@inline
def mix(x):
    """A bijection of uint64 that looks random: each bit of ``x`` reaches each bit of the result."""
    x = (x ^ (x >> _U30)) * _M1
    x = (x ^ (x >> _U27)) * _M2
    return x ^ (x >> _U31)


@inline
def below(bits, n):
    """The top half of 64 random ``bits`` scaled to 0 .. n - 1 (uint64 n < 2**32), off by < n / 2**32."""
    return ((bits >> _U32) * n) >> _U32


@inline
def permute(index, left_range, right_range, keys):
    """The image of ``index`` under the permutation of 0 .. left_range * right_range - 1.

    ``keys``: uint64 (ROUNDS,), read. All arguments uint64, ranges below 2**32. Returns the pair
    (left, right), uint64: the image is ``left * right_range + right``.
    """
    left, right = index // right_range, index % right_range
    for r in range(0, ROUNDS, 2):
        left += below(mix(right ^ keys[r]), left_range)
        if left >= left_range:
            left -= left_range
        right += below(mix(left ^ keys[r + 1]), right_range)
        if right >= right_range:
            right -= right_range
    return left, right


BATCH = 64


@inline
def permute_batch(start, count, left_range, right_range, keys, pairs):
    """The images of ``start`` .. ``start + count - 1`` to ``pairs``, uint64 (2, BATCH): lefts and rights.

    The rounds of one index wait for each other, those of many do not: half the time of one by one.
    """
    for k in range(count):
        pairs[0, k], pairs[1, k] = permute(np.uint64(start + k), left_range, right_range, keys)


DIGITS = np.uint64(0x987654321)
"""The digits 1 .. 9 packed four bits each, 1 lowest."""


@inline
def without(packed, at):
    """``packed`` nibbles with the one at place ``at`` (uint64) taken out, those above moved down."""
    shift = at * np.uint64(4)
    low = packed & ((np.uint64(1) << shift) - np.uint64(1))
    return low | ((packed >> (shift + np.uint64(4))) << shift)


@inline
def unrank(rank, packed, size, chosen):
    """The ``rank``-th order of the ``size`` nibbles in ``packed`` (Lehmer code).

    ``rank``: uint64 below size!. ``chosen``: uint8 (size,), written. With a literal ``size`` the loop
    is unrolled and the divisions are by constants.
    """
    for k in range(size):
        left = np.uint64(size - k)
        at = rank % left
        rank = rank // left
        chosen[k] = (packed >> (at * np.uint64(4))) & np.uint64(15)
        packed = without(packed, at)
