from itertools import permutations, product
from random import Random

import grid_law
import naive
import numpy as np
import pytest
from conftest import JIT

from sudoku_jit import RequestError, generate_grids, is_valid
from sudoku_jit.generating import check_request, family_size, round_keys
from sudoku_jit.kernels import uniform

GRIDS = 6_670_903_752_021_072_936_960
WORD = 2**64 - 1
WORDS = [w for w in range(512) if (w & 7).bit_count() == (w >> 3 & 7).bit_count() == (w >> 6).bit_count()]


# ---------------------------------------------------------------- patterns, bands and stacks


def test_patterns_are_all_ways_to_have_three_digits_a_line():
    ways = {
        tuple((k // 3 + 1 + bit) % 3 for k, bit in enumerate(bits))
        for bits in product(range(2), repeat=9)
        if all(sum((k // 3 + 1 + bit) % 3 == line for k, bit in enumerate(bits)) == 3 for line in range(3))
    }
    assert {tuple(row) for row in uniform.LINE.tolist()} == ways
    assert len(uniform.LINE) == len(ways) == uniform.PATTERNS
    both = uniform.LINE + uniform.LINE[::-1] + np.arange(9) // 3
    assert (both == 3).all()  # the three boxes of a band have a digit in three different rows
    for pattern, labels in enumerate(uniform.LABELS.tolist()):
        assert [uniform.LINE[pattern, k] for k in labels] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
        assert uniform.TRIPLES[uniform.LINES[pattern]].ravel().tolist() == labels


def test_patterns_that_put_two_labels_apart():
    for third, lines in enumerate((uniform.LINE, uniform.LINE[::-1])):
        for j, k, pattern in product(range(9), range(9), range(uniform.PATTERNS)):
            apart = int(uniform.APART[third, j, k]) >> pattern & 1
            assert apart == (lines[pattern, j] != lines[pattern, k])


def boxes_of(ranks, turned=0):
    """uint8 (n, 2, 3, 3): what goes on from the box 1 .. 9."""
    box, boxes = np.arange(1, 10, dtype=np.uint8), np.zeros((len(ranks), 2, 9), np.uint8)
    for rank, (second, third) in zip(ranks, boxes, strict=True):
        uniform.extend(np.uint64(rank), box, uniform.CELLS[turned], second, third)
    return boxes.reshape(-1, 2, 3, 3)


def bands_of(boxes):
    first = np.broadcast_to(np.arange(1, 10).reshape(1, 3, 3), (len(boxes), 3, 3))
    return np.concatenate([first, boxes[:, 0], boxes[:, 1]], axis=2)


def are_valid_and_different(bands):
    assert (np.sort(bands, axis=2) == np.arange(1, 10)).all()
    assert (np.sort(bands.reshape(-1, 3, 3, 3).transpose(0, 2, 1, 3).reshape(-1, 9)) == np.arange(1, 10)).all()
    digits = bands.reshape(len(bands), 27)[:, [3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 21, 22, 23, 24, 25, 26]]
    assert len(np.unique(digits @ 10 ** np.arange(18))) == len(bands)


def test_ranks_give_different_bands_that_are_valid():
    """All patterns with all lines in one order, and one pattern with all orders of all lines."""
    assert uniform.STACKS == 56 * 6**6 == 2_612_736
    assert 362_880 * uniform.STACKS == 948_109_639_680
    are_valid_and_different(bands_of(boxes_of(range(56 * 100, 56 * 101))))
    are_valid_and_different(bands_of(boxes_of(range(30, uniform.STACKS, 56 * (1 if JIT else 36)))))
    last = boxes_of([0, uniform.STACKS - 1])
    assert (last[0] != last[1]).any()


@pytest.mark.compiled
def test_every_rank_gives_a_band_of_its_own():
    from numba import njit

    from sudoku_jit.kernels import compiling  # noqa: F401 : makes Numba know what @inline marks

    extend, cells = uniform.extend, uniform.CELLS

    @njit
    def all_bands(box, boxes):
        for rank in range(len(boxes)):
            extend(np.uint64(rank), box, cells[0], boxes[rank, 0], boxes[rank, 1])

    boxes = np.zeros((uniform.STACKS, 2, 9), np.uint8)
    all_bands(np.arange(1, 10, dtype=np.uint8), boxes)
    assert (boxes_of([0, 12_345, uniform.STACKS - 1]).ravel() == boxes[[0, 12_345, -1]].ravel()).all()
    are_valid_and_different(bands_of(boxes.reshape(-1, 2, 3, 3)))


def test_a_stack_is_a_band_with_rows_and_columns_exchanged():
    ranks = range(7, uniform.STACKS, 99_991)
    box = np.arange(1, 10, dtype=np.uint8)
    turned = np.ascontiguousarray(box.reshape(3, 3).T).ravel()
    for rank in ranks:
        a, b, c, d = np.zeros((4, 9), np.uint8)
        uniform.extend(np.uint64(rank), box, uniform.CELLS[1], a, b)
        uniform.extend(np.uint64(rank), turned, uniform.CELLS[0], c, d)
        assert (a.reshape(3, 3).T.ravel() == c).all()
        assert (b.reshape(3, 3).T.ravel() == d).all()


# ---------------------------------------------------------------- completions


def open_square(grid):
    """The grid with boxes 5, 6, 8 and 9 blank."""
    return [int(digit) if c < 27 or c % 9 < 3 else 0 for c, digit in enumerate(grid)]


def pattern_word(first, second, turned):
    """Which digits of a box are two lines further in the next box; digits line by line. Boxes are lists of 9."""
    cells = [3 * (k % 3) + k // 3 for k in range(9)] if turned else range(9)
    line = [second.index(first[cell]) % 3 if turned else second.index(first[cell]) // 3 for cell in cells]
    return sum(1 << k for k in range(9) if (line[k] - k // 3) % 3 == 2)


def in_order(grid):
    """The completions of a grid's first band and stack, in the order of their patterns: a plain search, sorted."""

    def patterns(full):
        box = [[full[27 * (b // 3) + 3 * (b % 3) + 9 * (k // 3) + k % 3] for k in range(9)] for b in range(9)]
        words = ((box[3], box[4], 0), (box[6], box[7], 0), (box[1], box[4], 1), (box[2], box[5], 1))
        return [pattern_word(*word) for word in words]

    return sorted(naive.searched(open_square(grid)), key=patterns)


def fits_of(grid):
    box = np.array(grid, np.uint8).reshape(3, 3, 3, 3).transpose(0, 2, 1, 3).reshape(9, 9).copy()
    labels2, labels3 = np.zeros((2, 10), np.uint8)
    fits, triples = np.zeros((4, uniform.PATTERNS), np.uint64), np.zeros(57, np.uint64)
    uniform.label(box[1], labels2)
    uniform.label(box[2], labels3)
    for k, (first, labels, row, column) in enumerate(
        [(box[3], labels2, 0, 0), (box[3], labels3, 1, 0), (box[6], labels2, 0, 1), (box[6], labels3, 1, 1)]
    ):
        uniform.relate(first, labels, row, column, triples, fits[k])
    return box[3], box[6], labels2, labels3, fits


def test_completions_are_those_of_a_plain_search_each_once():
    grid = generate_grids(1, seed=0)[0]
    expected = in_order(grid)
    assert sorted(expected) == sorted(naive.solutions(open_square(grid)))
    box4, box7, labels2, labels3, fits = fits_of(grid)
    for rank in range(0, len(expected), 1 if JIT else 97):
        a, b, left = uniform.seek(np.uint64(rank), fits)
        found = np.array(open_square(grid), np.uint8)
        uniform.complete(box4, box7, labels2, labels3, a, b, left, fits, found)
        assert found.tolist() == expected[rank]
    assert uniform.seek(np.uint64(len(expected)), fits)[0] == -1


def test_completions_of_all_pairs_are_all_grids():
    """The sum over all pairs of the arithmetic that no pair is too large for, and that no grid is missing."""
    law = grid_law.law()
    assert int(law.pairs.sum()) * 36 * 36 == uniform.STACKS**2
    ways = np.flatnonzero(law.pairs)
    assert sum(int(law.pairs[c]) * int(c) for c in ways) == law.grids
    assert law.grids * 36 * 36 * 362_880 == GRIDS == uniform.SIZE
    assert ways[-2:].tolist() == [uniform.OTHERS, uniform.MOST]


def test_only_aligned_pairs_have_more_completions_than_others():
    _, firsts = grid_law.kinds()
    for first in firsts:
        ways = grid_law.completions(0, first)
        if first == 0:
            assert ways[0, 0] == uniform.MOST
            ways[0, 0] = 0
        assert ways.max() <= uniform.OTHERS


def ways(grid):
    """Completions of a grid's first band and stack, by arithmetic."""
    name = [0, *np.argsort(grid.reshape(9, 9)[:3, :3].ravel()).tolist()]
    square = [[name[digit] for digit in row] for row in grid.reshape(9, 9).tolist()]
    columns = list(zip(*square, strict=True))

    def number(lines, first):
        return grid_law.NUMBER[tuple(sorted(tuple(sorted(line[:3])) for line in lines[first : first + 3]))]

    return int(grid_law.completions(number(columns, 3), number(columns, 6), number(square, 3), number(square, 6)))


@pytest.mark.parametrize("seed", range(4))
def test_completions_by_arithmetic_are_those_of_the_kernel(seed):
    grid = generate_grids(1, seed=seed, method="uniform")[0]
    *_, fits = fits_of(grid)
    number = ways(grid)
    assert uniform.seek(np.uint64(number - 1), fits)[0] >= 0
    assert uniform.seek(np.uint64(number), fits)[0] == -1


def test_aligned_is_what_it_says():
    box, cells = np.arange(1, 10, dtype=np.uint8), uniform.CELLS
    labels = np.zeros(10, np.uint8)
    uniform.label(box[cells[1]], labels)  # columns hold what the rows of the first box hold
    assert uniform.aligned(box, labels)
    assert uniform.aligned(np.array([8, 9, 7, 3, 1, 2, 4, 6, 5], np.uint8), labels)
    for i, j in ((0, 3), (1, 8), (5, 6)):
        other = box.copy()
        other[[i, j]] = other[[j, i]]
        assert not uniform.aligned(other, labels)


# ---------------------------------------------------------------- the kernel as a whole


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


def random_words(seed, k):
    golden = 0x9E3779B97F4A7C15
    starts = [mix((int(key) + golden * k) & WORD) for key in round_keys(seed)[:2]]
    at = 0
    while True:
        at += 1
        first, second = (mix((start + golden * at) & WORD) for start in starts)
        yield first ^ second


def extended(rank, box):
    rank, pattern = divmod(rank, 56)
    second, third = [0] * 9, [0] * 9
    for line in range(3):
        for boxes, flipped in ((second, 0), (third, 511)):
            rank, order = divmod(rank, 6)
            word = WORDS[pattern] ^ flipped
            digits = [box[k] for k in range(9) if (k // 3 + 1 + (word >> k & 1)) % 3 == line]
            for digit, at in zip(digits, list(permutations(range(3)))[order], strict=True):
                boxes[3 * line + at] = digit
    return second, third


def twin(seed, k, first_digit=None):
    """Grid k, drawn as the kernel draws it, in plain Python: completions by search, numbers without a bound."""
    words = random_words(seed, k)

    def draw(n):
        return next(word for word in words if word >= 2**64 % n) % n

    while True:
        rank = draw(11_664)
        pair = draw((40_320 if first_digit else 362_880) * 2_612_736**2)
        pair, band = divmod(pair, 2_612_736)
        pair, stack = divmod(pair, 2_612_736)
        digits = [digit for digit in range(1, 10) if digit != first_digit]
        box = [first_digit] if first_digit else []
        while digits:
            pair, at = divmod(pair, len(digits))
            box.append(digits.pop(at))
        two, three = extended(band, box)
        four, seven = extended(stack, [box[k] for k in (0, 3, 6, 1, 4, 7, 2, 5, 8)])
        square = np.zeros((9, 9), int)
        square[:3] = np.concatenate([np.reshape(b, (3, 3)) for b in (box, two, three)], axis=1)
        square[3:, :3] = np.concatenate([np.reshape(b, (3, 3)).T for b in (four, seven)])
        completions = in_order(square.ravel().tolist())
        if rank < len(completions):
            return completions[rank]


@pytest.mark.parametrize(("seed", "k", "first"), [(0, 1, None), (2**64 - 1, 3, 9), (3, 2**40 + 1, 1)])
def test_grids_are_those_of_the_plain_twin(seed, k, first):
    assert generate_grids(1, seed=seed, start=k, method="uniform", first_digit=first)[0].tolist() == twin(
        seed, k, first
    )


@pytest.mark.parametrize("first", [None, 1, 9])
def test_grids_are_valid_and_do_not_depend_on_threads_or_start(first):
    n = 20_000 if JIT else 20
    options = {"seed": 6, "method": "uniform", "first_digit": first}
    grids = generate_grids(n, **options, threads=1)
    assert is_valid(grids).all()
    assert len({row.tobytes() for row in grids}) == n
    assert (generate_grids(n, **options, threads=3) == grids).all()
    assert (generate_grids(7, **options, start=n - 7) == grids[-7:]).all()
    assert not (generate_grids(n, **options | {"seed": 7}) == grids).all()
    if first:
        assert (grids[:, 0] == first).all()


def test_a_draw_below_n_passes_over_the_words_that_would_favour_some():
    n = np.uint64(3 * 2**62)  # 2**62 words are passed over, one in four
    used = []
    at = 0
    for _ in range(400):
        value, after = uniform.draw(n, at, np.uint64(1), np.uint64(2))
        assert value < n
        used.append(after - at)
        at = after
    assert 400 * 4 / 3 - 60 < at < 400 * 4 / 3 + 60
    assert max(used) > 1


def test_the_sequence_ends_only_where_its_numbers_do():
    assert family_size("uniform") == GRIDS
    assert family_size("uniform", 5) * 9 == GRIDS
    last = 2**63 - 2
    assert is_valid(generate_grids(1, seed=1, start=last, method="uniform")).all()
    with pytest.raises(RequestError, match="2 grids from number 9223372036854775806: a sequence of method uniform has"):
        check_request(2, last, "uniform", None, 1)


# ---------------------------------------------------------------- statistics, against exact arithmetic

NORMAL_LIMIT = 4.5
"""Standard deviations that chance passes once in 150,000 times."""
CHI_SQUARE_LIMIT = 28.47
"""Of 4 degrees of freedom; chance passes it once in 100,000 times: (1 + x / 2) * exp(-x / 2)."""
FEW = 10_000


def rectangles(grids):
    """How many pairs of digits stand crosswise in two rows and two columns of two boxes: unavoidable sets of four."""
    squares, found = grids.reshape(-1, 9, 9), np.zeros(len(grids), np.int64)
    for r, s, c, d in product(range(9), repeat=4):
        if r < s and c < d and (r // 3 == s // 3) != (c // 3 == d // 3):
            found += (squares[:, r, c] == squares[:, s, d]) & (squares[:, r, d] == squares[:, s, c])
    return found


def deviation_of_rectangles(grids):
    """Their mean against the exact one, in standard deviations."""
    law = grid_law.law()
    found = rectangles(grids)
    return float((found.mean() - 18 * law.rectangles / law.grids) / (found.std() / len(found) ** 0.5))


def chi_square_of_kinds(grids, stack):
    """The kinds of the partitions of two boxes of the first band, or stack, against their exact law."""
    squares = grids.reshape(-1, 9, 9).transpose(0, *((1, 2) if stack else (2, 1)))
    groups = np.zeros((2, len(grids), 10), np.int64)
    for k in range(2):
        for line in range(3):
            digits = squares[:, 3 + 3 * k + line, :3]
            np.put_along_axis(groups[k], digits, line, axis=1)
    shared = groups[0, :, 1:] * 3 + groups[1, :, 1:]
    counts = np.stack([(shared == k).sum(axis=1) for k in range(9)], axis=1)
    code = ((counts * counts) // 2).sum(axis=1) * 10 + (counts == 0).sum(axis=1)
    _, firsts = grid_law.kinds()
    law, chi_square = grid_law.law(), 0.0
    for kind, first in enumerate(firsts):
        both = np.bincount(grid_law.LABELS[0] // 3 * 3 + grid_law.LABELS[first] // 3, minlength=9)
        seen = (code == ((both * both) // 2).sum() * 10 + (both == 0).sum()).sum()
        expected = len(grids) * law.kinds[kind] / law.grids
        chi_square += (seen - expected) ** 2 / expected
    return float(chi_square)


def diagonal_first(random):
    """A common way: three boxes that see nothing of each other at random, the rest by a search in random order."""
    grid = [0] * 81
    for corner in (0, 30, 60):
        for k, digit in enumerate(random.sample(range(1, 10), 9)):
            grid[corner + 9 * (k // 3) + k % 3] = digit
    return next(naive.searched(grid, lambda digits: random.sample(digits, len(digits))))


def test_limits_are_those_of_their_chances():
    from math import erfc, exp, sqrt

    assert 0.9e-5 < (1 + CHI_SQUARE_LIMIT / 2) * exp(-CHI_SQUARE_LIMIT / 2) < 1.1e-5
    assert erfc(NORMAL_LIMIT / sqrt(2)) < 1 / 140_000


@pytest.mark.compiled
@pytest.mark.parametrize("first", [None, 3])
def test_grids_have_the_properties_of_all_grids(first):
    grids = generate_grids(50_000, seed=2, method="uniform", first_digit=first)
    assert abs(deviation_of_rectangles(grids)) < NORMAL_LIMIT
    for stack in (False, True):
        assert chi_square_of_kinds(grids, stack) < CHI_SQUARE_LIMIT


@pytest.mark.compiled
def test_pairs_come_in_proportion_to_their_completions():
    """The mean, against the exact one; that of pairs drawn alike, none passed over, would be found out."""
    pairs = grid_law.law().pairs
    number = [(int(c), int(pairs[c])) for c in np.flatnonzero(pairs)]
    sums = [sum(c**power * n for c, n in number) for power in range(4)]
    mean = sums[2] / sums[1]
    error = (sums[3] / sums[1] - mean**2) ** 0.5 / FEW**0.5
    drawn = np.mean([ways(grid) for grid in generate_grids(FEW, seed=2, method="uniform")])
    assert abs(drawn - mean) < NORMAL_LIMIT * error
    assert mean - sums[1] / sums[0] > 2 * NORMAL_LIMIT * error


@pytest.mark.compiled
def test_a_biased_generator_would_have_been_found_out():
    """With a fifth of the grids."""
    random = Random(1)
    grids = np.array([diagonal_first(random) for _ in range(FEW)], np.uint8)
    assert is_valid(grids).all()
    assert abs(deviation_of_rectangles(grids)) > 2 * NORMAL_LIMIT
    assert max(chi_square_of_kinds(grids, stack) for stack in (False, True)) > CHI_SQUARE_LIMIT
