import naive
import numpy as np
import pytest
from cases import AL_ESCARGOT, EASY, EASY_SOLUTION, EMPTY, GOLDEN_NUGGET, REPORT, SOLVED, UNSOLVABLE
from conftest import JIT
from hypothesis import given, settings
from hypothesis import strategies as st
from symmetries import apply, symmetries

from sudoku_jit import (
    canonical_grids,
    canonical_puzzles,
    generate_grids,
    generate_puzzles,
    grid_from_text,
    grid_to_text,
    morph_many,
    solve_many,
)
from sudoku_jit.errors import PuzzleError, RequestError
from sudoku_jit.kernels.second_rows import NO_RANK, second_rows

KNOWN = {
    "3.9...4..2..7.9....87......75..6.23.6..9.4..8.28.5..41......59....1.6..7..6...1.4": (
        "123456789457189236698273541261947853745831692839625417384792165512368974976514328"
    ),
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..": (
        "123456789457189236698723415285914367761532948934867152346278591579641823812395674"
    ),
}
"""Puzzles, and the minlex forms of their solutions."""

SMALLEST = "123456789456789123789123456214365897365897214897214365531642978642978531978531642"
LARGEST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543"
AUTOMORPHISMS = {
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645": 648,
    LARGEST: 72,
}
"""Minlex forms with many automorphisms: the most there are, and the largest of all forms (Red Ed, 2007)."""

TWO_FOLD = (
    "................12..3.45.........6.1.....7....85..2.......6..8..7....4..2...1....",
    "..............1..2..3....4.......2....4.5.....2...61.5....4.....1.....6.7..3...8.",
)
"""Puzzles of 17 clues (Gordon Royle's list) whose solutions have two automorphisms."""

few = 5 if JIT else 1


def reproduced(found, grids):
    return np.take_along_axis(found.labels, np.take_along_axis(grids, found.cells, axis=1), axis=1)


def some_puzzles(n):
    return generate_puzzles(n, seed=3, clues=(29, 41))


def shuffled(seed):
    """A solution grid of a class that no generator has: the smallest with some givens of a random morph."""
    givens = morph_many(REPORT, 1, seed=seed)[0]
    givens[0, np.random.default_rng(seed).permutation(np.flatnonzero(givens))[:4]] = 0
    return solve_many(givens, limit=1).grids[0]


def test_forms_that_others_published():
    for text, form in KNOWN.items():
        found = canonical_puzzles(text)
        assert grid_to_text(found.grids[0]) == form
        assert grid_to_text(canonical_grids(solve_many(text.split()).grids).forms[0]) == form


@pytest.mark.parametrize("form", [SMALLEST, LARGEST, *AUTOMORPHISMS, *KNOWN.values()])
def test_a_form_is_its_own_form(form):
    morphs = morph_many(form, 3, seed=2)[0]
    for grids in (form, morphs):
        found = canonical_grids(grids)
        assert {grid_to_text(text) for text in found.forms} == {form}
        if form in AUTOMORPHISMS:
            assert set(found.automorphisms) == {AUTOMORPHISMS[form]}


@settings(max_examples=30, deadline=None)
@given(symmetries, st.sampled_from([SOLVED, SMALLEST, EASY_SOLUTION, *KNOWN.values()]))
def test_images_have_one_form_and_the_symmetry_leads_there(symmetry, text):
    grid = grid_from_text(text)
    pair = np.stack([grid, apply(symmetry, grid)])
    found = canonical_grids(pair)
    assert (found.forms[0] == found.forms[1]).all()
    assert found.automorphisms[0] == found.automorphisms[1] > 0
    assert (reproduced(found, pair) == found.forms).all()
    assert (np.sort(found.cells, axis=1) == np.arange(81)).all()
    assert (np.sort(found.labels, axis=1) == np.arange(10)).all()
    assert (found.labels[:, 0] == 0).all()


@settings(max_examples=20, deadline=None)
@given(symmetries, st.sampled_from([EASY, REPORT, AL_ESCARGOT, GOLDEN_NUGGET, *KNOWN]))
def test_images_of_a_puzzle_have_one_form(symmetry, text):
    puzzle = grid_from_text(text)
    pair = np.stack([puzzle, apply(symmetry, puzzle)])
    found = canonical_puzzles(pair)
    for field in (found.forms, found.grids, found.automorphisms):
        assert (field[0] == field[1]).all()
    assert (reproduced(found, pair) == found.forms).all()
    assert ((found.forms == 0) | (found.forms == found.grids)).all()


def test_a_puzzle_of_a_grid_with_automorphisms_has_one_form():
    grid = grid_from_text(next(iter(AUTOMORPHISMS)))
    rng = np.random.default_rng(4)
    for _ in range(few):
        puzzle = np.where(rng.random(81) < 0.6, grid, 0).astype(np.uint8)
        puzzles, grids = morph_many(puzzle, 20, seed=5)[0], morph_many(grid, 20, seed=5)[0]
        found = canonical_puzzles(puzzles, grids)
        assert len(np.unique(found.forms, axis=0)) == len(np.unique(found.grids, axis=0)) == 1
        assert set(found.automorphisms) == {1}


@pytest.mark.compiled
def test_the_slow_twin_agrees():
    puzzles, solutions = some_puzzles(1)
    cases = [(solutions[0], puzzles[0]), *((shuffled(seed),) * 2 for seed in range(3))]
    for text in (SMALLEST, *AUTOMORPHISMS):
        grid = grid_from_text(text)
        cases.append((grid, np.where(np.arange(81) % 7 < 3, grid, 0)))
    for grid, puzzle in cases:
        form, hint, reached = naive.minlex(grid.tolist(), puzzle.tolist())
        found = canonical_puzzles(puzzle, grid)
        assert found.grids[0].tolist() == form
        assert found.forms[0].tolist() == hint
        assert found.automorphisms.tolist() == [reached]


@pytest.mark.compiled
def test_seventeen_clues_with_an_automorphism():
    """Their solutions go to themselves, the puzzles do not: the smaller image of two is the form."""
    grids = solve_many(list(TWO_FOLD)).grids
    assert canonical_grids(grids).automorphisms.tolist() == [2, 2]
    for text, grid in zip(TWO_FOLD, grids, strict=True):
        found = canonical_puzzles(text)
        form, hint, reached = naive.minlex(grid.tolist(), naive.parse(text))
        assert (found.grids[0].tolist(), found.forms[0].tolist()) == (form, hint)
        assert found.automorphisms.tolist() == [reached]


def test_classes_of_second_rows():
    tables = second_rows()
    assert (tables.rank != NO_RANK).sum() == 56 * 6**3
    assert np.bincount(tables.rank)[: len(tables.begin) - 1].tolist() == [
        1296 // orders for orders in np.diff(tables.begin).tolist()
    ]


def test_any_number_of_threads_gives_the_same():
    n = 9000 if JIT else 3
    grids = np.tile(np.stack([grid_from_text(SOLVED), grid_from_text(EASY_SOLUTION)]), (n // 2, 1))
    grids = np.concatenate([grids, morph_many(EASY_SOLUTION, 1, seed=1)[0]])
    one, two = canonical_grids(grids, threads=1), canonical_grids(grids, threads=2)
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    assert (one.forms[2:-1] == one.forms[:-3]).all()


def test_none_is_none():
    assert canonical_grids(np.empty((0, 81), np.uint8)).forms.shape == (0, 81)
    assert canonical_puzzles(np.empty((0, 81), np.uint8)).grids.shape == (0, 81)
    assert morph_many(np.empty((0, 81), np.uint8), 3, seed=1).shape == (0, 3, 81)


def test_what_has_no_form_is_named():
    for wrong in (EASY, SOLVED[:-1] + "1", SOLVED[9:18] + SOLVED[:9] + SOLVED[18:27] + SOLVED[:27] + SOLVED[54:]):
        with pytest.raises(PuzzleError, match=r"^grid 2: not a solution grid; expected 1 to 9 once"):
            canonical_grids([SOLVED, wrong])
    with pytest.raises(PuzzleError, match=r"^puzzle 2: not a solution grid"):
        canonical_puzzles([SOLVED, SOLVED[:-1] + "1"])
    with pytest.raises(PuzzleError, match=r"^puzzle 3: several solutions; expected exactly one"):
        canonical_puzzles([SOLVED, EASY, EMPTY])
    with pytest.raises(PuzzleError, match=r"^puzzle 1: no solution"):
        canonical_puzzles(UNSOLVABLE)
    with pytest.raises(PuzzleError, match=r"^puzzle 2: a given that its solution does not have"):
        canonical_puzzles([EASY, EASY], [EASY_SOLUTION, SOLVED])
    with pytest.raises(PuzzleError, match=r"^1 grids for 2 puzzles"):
        canonical_puzzles([EASY, EASY], EASY_SOLUTION)
    with pytest.raises(PuzzleError, match=r"shape \(5,\)"):
        canonical_grids(np.zeros(5, np.uint8))
    with pytest.raises(RequestError, match="threads 0"):
        canonical_grids(SOLVED, threads=0)


def test_the_number_of_a_wrong_grid_counts_all_chunks():
    n = 5000 if JIT else 4
    grids = np.tile(grid_from_text(SOLVED), (n, 1))
    grids[n - 2, 0] = 2
    with pytest.raises(PuzzleError, match=f"^grid {n - 1}: "):
        canonical_grids(grids)


def test_morphs_differ_and_are_of_one_class():
    morphs = morph_many([EASY, EASY_SOLUTION], 300 if JIT else 4, seed=9)
    for each in morphs:
        assert len(np.unique(each, axis=0)) == len(each)
        assert len(np.unique(canonical_puzzles(each).forms, axis=0)) == 1
    assert (np.count_nonzero(morphs, axis=2) == [[30], [81]]).all()


def test_a_morph_depends_on_seed_puzzle_number_and_morph_number_alone():
    puzzles = [EASY, REPORT, EASY, REPORT]
    all_of_them = morph_many(puzzles, 7, seed=1)
    assert (morph_many(puzzles, 3, seed=1, threads=2) == all_of_them[:, :3]).all()
    assert (morph_many(puzzles[2:], 7, seed=1, start=2) == all_of_them[2:]).all()
    assert (all_of_them[0] != all_of_them[2]).any(axis=1).all()
    assert (morph_many(puzzles, 7, seed=2) != all_of_them).any(axis=2).all()
    assert (morph_many(EASY, 1, seed=(1 << 64) - 1, start=(1 << 64) - 1)[0] != grid_from_text(EASY)).any()


@pytest.mark.compiled
def test_morphs_cover_all_symmetries_alike():
    """Of grids without a symmetry: where cell 0 comes from, and what digit it shows, are spread evenly."""
    marks = np.zeros((1, 81), np.uint8)
    marks[0, 0] = 1
    morphs = morph_many(marks, 81_000, seed=3)[0]
    counts = np.bincount(morphs.argmax(axis=1) * 9 + morphs.max(axis=1) - 1, minlength=729)
    expected = 81_000 / 729
    assert ((counts - expected) ** 2 / expected).sum() < 729 + 5 * np.sqrt(2 * 729)


def test_solutions_are_morphed_as_their_puzzles():
    puzzles, grids = some_puzzles(2)
    moved, solved = morph_many(puzzles, 3, seed=4), morph_many(grids, 3, seed=4)
    assert ((moved == 0) | (moved == solved)).all()


def test_all_grids_of_the_generators_are_of_one_class():
    for method, automorphisms in (("orbit", 1), ("report", 648)):
        found = canonical_grids(generate_grids(5, seed=1, method=method))
        assert len(np.unique(found.forms, axis=0)) == 1
        assert set(found.automorphisms) == {automorphisms}


def test_wrong_requests():
    for wrong in (0, -1, 1218998108161, 1.5, True):
        with pytest.raises(RequestError, match="times"):
            morph_many(EASY, wrong, seed=1)
    with pytest.raises(RequestError, match="seed"):
        morph_many(EASY, 1, seed=-1)
    with pytest.raises(RequestError, match="start"):
        morph_many(EASY, 1, seed=1, start=1 << 64)
