"""Grids by search: the triples that are dealt, that each can be completed, and what comes of them."""

from itertools import permutations
from math import factorial

import naive
import numpy as np
import pytest
from conftest import JIT
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_jit import RequestError, canonical_grids, generate_grids, generating, is_valid, searching
from sudoku_jit.generating import family_size, round_keys, searched_grids
from sudoku_jit.kernels import diagonal, search

FIRSTS = [None, *range(1, 10)]
DIAGONAL = np.array(naive.DIAGONAL)

firsts = st.integers(0, 9)
seeds = st.integers(0, 2**64 - 1)
boxes = st.permutations(range(1, 10))


def keys_of(seed):
    return [int(key) for key in round_keys(seed)]


def deal(indices, first_digit, seed):
    puzzles, labels = np.full((len(indices), 81), 99, np.uint8), np.full((len(indices), 10), 99, np.uint8)
    diagonal.deal(np.array(indices, np.uint64), first_digit, round_keys(seed), puzzles, labels, np.zeros(9, np.uint8))
    return puzzles, labels


# ---------------------------------------------------------------- dealing and writing


@settings(deadline=None, max_examples=100 if JIT else 20)
@given(st.data(), firsts, seeds)
def test_dealt_boxes_are_those_of_the_plain_twin(data, first, seed):
    last = diagonal.SIZE // (9 if first else 1) - 1
    indices = [0, last, *data.draw(st.lists(st.integers(0, last), max_size=3))]
    puzzles, labels = deal(indices, first, seed)
    for index, puzzle, label in zip(indices, puzzles.tolist(), labels.tolist(), strict=True):
        boxes, values = naive.diagonal_boxes(index, first, keys_of(seed)), naive.values(index, keys_of(seed))
        expected = [0] * 81
        for cells, box in zip(naive.DIAGONAL, boxes, strict=True):
            for cell, digit in zip(cells, box, strict=True):
                expected[cell] = values[digit - 1]
        assert puzzle == expected
        assert label == [0] + [values.index(value) + 1 for value in range(1, 10)]
        assert not first or boxes[0][0] == first


@settings(deadline=None)
@given(st.data(), firsts, seeds)
def test_a_triple_of_boxes_has_one_index(data, first, seed):
    """An inverse on both sides: index to boxes is a bijection."""
    size = diagonal.SIZE // (9 if first else 1)
    index = data.draw(st.one_of(st.sampled_from([0, size - 1]), st.integers(0, size - 1)))
    assert naive.index_of_boxes(naive.diagonal_boxes(index, first, keys_of(seed)), first, keys_of(seed)) == index
    triple = [data.draw(boxes) for _ in range(3)]
    at = naive.index_of_boxes(triple, triple[0][0] if first else 0, keys_of(seed))
    assert 0 <= at < size
    puzzles, labels = deal([at], triple[0][0] if first else 0, seed)
    assert labels[0][puzzles[0][DIAGONAL]].tolist() == triple


@pytest.mark.parametrize("first", [0, 3])
def test_neighbours_are_dealt_different_boxes(first):
    n = 20_000 if JIT else 200
    last = diagonal.SIZE // (9 if first else 1)
    puzzles, labels = deal([*range(n), *range(last - n, last)], first, 5)
    dealt = np.take_along_axis(labels, puzzles, axis=1)
    assert len(np.unique(dealt, axis=0)) == 2 * n
    for cell in DIAGONAL.ravel()[1:]:  # all digits alike: the boxes are those of random orders
        counts = np.bincount(dealt[:, cell], minlength=10)[1:]
        expected = np.full(9, 2 * n / 9)
        if first and cell in DIAGONAL[0]:
            expected = np.where(np.arange(1, 10) == first, 0, 2 * n / 8)
        assert (abs(counts - expected) <= 6 * expected**0.5).all()


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 4), st.integers(0, 20), st.integers(0, 48), st.randoms(use_true_random=False))
def test_relabelled_grids_are_written_where_the_layout_says(n, gap, zero, random):
    grids = np.array([[random.randrange(10) for _ in range(81)] for _ in range(n)], np.uint8).reshape(n, 81)
    labels = np.array([[random.randrange(10) for _ in range(10)] for _ in range(n)], np.uint8).reshape(n, 10)
    stride, offsets = 81 + gap, random.sample(range(81 + gap), 81)
    out = np.full(n * stride + 3, 200, np.uint8)
    diagonal.write(grids, labels, out, stride, np.array(offsets, np.int64), zero)
    expected = [200] * len(out)
    for k, cell in np.ndindex(n, 81):
        expected[k * stride + offsets[cell]] = labels[k].tolist()[grids[k, cell]] + zero
    assert out.tolist() == expected


# ---------------------------------------------------------------- every triple can be completed

BOXES = np.array(list(permutations(range(1, 10))), np.uint8)
"""(9!, 9), in ascending order."""


def codes_of(boxes):
    return boxes @ 10 ** np.arange(8, -1, -1)


def classes_of_box_5():
    """Boxes 5 that stand for all beside a box 1 to 9, and how many each stands for.

    The symmetries that map boxes 1 and 5 to boxes 1 and 5, after which the digits are relabelled so that box 1 is
    1 to 9 again. Box 9 stays where it is.
    """
    cells = np.arange(81).reshape(9, 9)
    lines = naive.ORDERS[(naive.ORDERS[:, 6:] == [6, 7, 8]).all(axis=1)]
    places = np.array(
        [
            square[rows][:, columns].ravel()[DIAGONAL[:2]]
            for square in (cells, cells.T)
            for rows in lines
            for columns in lines
            if rows[0] // 3 == columns[0] // 3
        ]
    )
    codes, seen, classes = codes_of(BOXES), np.zeros(len(BOXES), bool), {}
    while not seen.all():
        box = BOXES[np.argmin(seen)]
        grid = np.zeros(81, np.int64)
        grid[DIAGONAL[0]], grid[DIAGONAL[1]] = range(1, 10), box
        first, second = grid[places[:, 0]], grid[places[:, 1]]
        labels = np.zeros((len(places), 10), np.int64)
        np.put_along_axis(labels, first, np.arange(1, 10)[None], axis=1)
        images = np.searchsorted(codes, np.unique(codes_of(np.take_along_axis(labels, second, axis=1))))
        assert not seen[images].any()
        seen[images] = True
        classes[tuple(box)] = len(images)
    return classes


def classes_of_box_9():
    """The boxes of which each is one of the 36 orders of its rows and columns: 1 at the top left, the others ascend."""
    return BOXES[(BOXES[:, 0] == 1) & (BOXES[:, 1] < BOXES[:, 2]) & (BOXES[:, 3] < BOXES[:, 6])]


@pytest.mark.compiled
def test_classes_of_boxes_are_all_boxes():
    sizes = list(classes_of_box_5().values())
    assert sum(sizes) == factorial(9)
    assert all(2 * 2 * 36 * 36 % size == 0 for size in sizes)
    box = np.arange(9).reshape(3, 3)
    orders = [box[list(r)][:, list(c)].ravel() for r in permutations(range(3)) for c in permutations(range(3))]
    images = codes_of(classes_of_box_9()[:, orders].reshape(-1, 9))
    assert len(np.unique(images)) == len(images) == factorial(9)


@pytest.mark.compiled
def test_every_triple_of_diagonal_boxes_can_be_completed():
    """But for symmetry: relabelling makes box 1 that of 1 to 9, then boxes 5 and 9 are one of each class."""
    third = classes_of_box_9()
    puzzles = np.zeros((len(third), 81), np.uint8)
    puzzles[:, DIAGONAL[0]] = range(1, 10)
    puzzles[:, DIAGONAL[2]] = third
    for second in classes_of_box_5():
        puzzles[:, DIAGONAL[1]] = second
        counts, _, grids = searching.search_all(puzzles, 1, search.READING, None)
        hard = counts == search.GAVE_UP
        counts[hard], _, grids[hard] = searching.search_all(puzzles[hard], 1, search.ALONE, None)
        assert (counts == 1).all()
        assert is_valid(grids).all()
        assert (grids[:, DIAGONAL] == puzzles[:, DIAGONAL]).all()


# ---------------------------------------------------------------- grids


@pytest.mark.parametrize("first", FIRSTS)
def test_grids_are_valid_different_and_have_the_boxes_dealt(first):
    n, start, seed = (5000, 10**9, 3) if JIT else (20, 10**9, 3)
    grids = generate_grids(n, seed=seed, method="search", start=start, first_digit=first)
    assert is_valid(grids).all()
    assert len(np.unique(grids, axis=0)) == n
    assert first is None or (grids[:, 0] == first).all()
    for k in range(0, n, max(1, n // 20)):
        assert grids[k][DIAGONAL].tolist() == naive.diagonal_boxes(start + k, first or 0, keys_of(seed))


def test_the_first_and_the_last_grid_of_the_family():
    for first in FIRSTS:
        size = family_size("search", first)
        ends = [generate_grids(1, seed=1, start=start, first_digit=first)[0] for start in (0, size - 1)]
        assert is_valid(np.array(ends)).all()
        for grid, index in zip(ends, (0, size - 1), strict=True):
            assert grid[DIAGONAL].tolist() == naive.diagonal_boxes(index, first or 0, keys_of(1))
        with pytest.raises(RequestError, match=f"method search has {size} grids"):
            generate_grids(1, seed=1, start=size, first_digit=first)


@pytest.mark.parametrize("first", [None, 6])
def test_grids_do_not_depend_on_threads_start_or_chunks(monkeypatch, first):
    n = 10_000 if JIT else 20
    grids = generate_grids(n, seed=8, first_digit=first, threads=1)
    assert (generate_grids(n, seed=8, first_digit=first, threads=3) == grids).all()
    for start in (1, n // 3, n - 1):
        assert (generate_grids(n - start, seed=8, first_digit=first, start=start) == grids[start:]).all()
    monkeypatch.setattr(generating, "GRIDS_A_CHUNK", n // 20)
    assert (generate_grids(n, seed=8, first_digit=first, threads=2) == grids).all()
    assert not (generate_grids(n, seed=9, first_digit=first) == grids).all(axis=1).any()


def test_triples_that_reading_order_gives_up_are_completed_too(monkeypatch):
    n = 50 if JIT else 6

    def gives_up_every_other(cells, grids, counts, guesses, limit, mode):
        searching.search_chunk(cells, grids, counts, guesses, limit, mode)
        if mode == search.READING:
            counts[::2], grids[::2] = search.GAVE_UP, 0

    indices = np.arange(n, dtype=np.uint64)
    plain, labels = searched_grids(indices, round_keys(1))
    monkeypatch.setattr(generating, "search_chunk", gives_up_every_other)
    grids, again = searched_grids(indices, round_keys(1))
    assert (again == labels).all()
    assert (grids[1::2] == plain[1::2]).all()
    assert is_valid(grids).all()
    assert (grids[:, DIAGONAL] == plain[:, DIAGONAL]).all()
    assert (grids[::2] != plain[::2]).any()


def test_nearly_all_grids_are_of_different_classes():
    n = 1000 if JIT else 20
    forms = canonical_grids(generate_grids(n, seed=1, method="search")).forms
    assert len(np.unique(forms, axis=0)) >= n * 0.999


@settings(deadline=None, max_examples=10 if JIT else 2)
@given(boxes, boxes, boxes, st.booleans())
def test_one_triple_is_completed_in_many_ways(one, five, nine, begun):
    """In a random order of values: without it, all seeds would complete a triple alike."""
    n, first, found = 20 if JIT else 4, one[0] if begun else None, set()
    for seed in range(n):
        start = naive.index_of_boxes([one, five, nine], first or 0, keys_of(seed))
        grid = generate_grids(1, seed=seed, start=start, first_digit=first)[0]
        assert grid[DIAGONAL].tolist() == [one, five, nine]
        assert is_valid(grid[None]).all()
        found.add(grid.tobytes())
    assert len(found) > n // 2


def test_a_grid_is_the_smallest_completion_in_its_order_of_values():
    for index in (0, 1, diagonal.SIZE - 1):
        grids, labels = searched_grids(np.array([index], np.uint64), round_keys(4))
        assert labels[0].tolist()[1:] == [naive.values(index, keys_of(4)).index(value) + 1 for value in range(1, 10)]
        puzzle = [0] * 81
        for cell in DIAGONAL.ravel():
            puzzle[cell] = int(grids[0, cell])
        assert grids[0].tolist() == naive.smallest(puzzle)
        assert (labels[0][grids[0]] == generate_grids(1, seed=4, start=index)[0]).all()


def test_the_family_has_all_triples():
    assert family_size("search") == factorial(9) ** 3 == diagonal.SIZE
    assert {family_size("search", first) for first in range(1, 10)} == {factorial(9) ** 3 // 9}
