"""The lane solver: against the depth-first search, on every width of vectors, in any company."""

import hashlib
import os
import subprocess
import sys
from itertools import islice

import naive
import numpy as np
import pytest
from cases import AL_ESCARGOT, COUNTS, EASY, EMPTY, GOLDEN_NUGGET, REPORT, SIX, SOLVED, UNSOLVABLE
from conftest import JIT, ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_jit import (
    Status,
    generate_grids,
    generate_puzzles,
    grid_from_text,
    is_valid,
    search_many,
    searching,
    solve_many,
    solving,
)
from sudoku_jit.kernels import lanes, search, sweep


def mixed(n, seed=1):
    """Puzzles of all kinds: unique, and with givens removed, changed and added; uint8 (n, 81)."""
    puzzles = generate_puzzles(n, seed=seed, clues=(25, 31))[0]
    rng = np.random.default_rng(seed)
    for k in range(n):
        given, blank = np.flatnonzero(puzzles[k]), np.flatnonzero(puzzles[k] == 0)
        match k % 5:
            case 1:
                puzzles[k, rng.choice(given, 3, replace=False)] = 0
            case 2:
                puzzles[k, rng.choice(given)] = rng.integers(1, 10)
            case 3:
                puzzles[k, rng.choice(blank)] = rng.integers(1, 10)
            case 4:
                puzzles[k, rng.choice(given, 12, replace=False)] = 0
    return puzzles


NO_BANS = np.empty(0, np.int16)


def run(puzzles, limit=2, mode=search.ALONE, budget=10**9, banned=NO_BANS):
    """The kernel itself: counts, guesses, grids, state."""
    n = len(puzzles)
    out = puzzles.reshape(-1).copy()
    counts, guesses = np.zeros(n, np.int64), np.zeros(n, np.int64)
    scratch = search.scratch(n)
    task = puzzles.reshape(-1), n, 81, 1, banned, out, 81, 1, counts, guesses, limit, mode, budget
    calls = 1
    while not search.solve_lanes(*task, *scratch):
        calls += 1
    return counts, guesses, out.reshape(n, 81), scratch[-1], calls


def same(a, b):
    return all((x == y).all() for x, y in zip(a[:2], b[:2], strict=True))


@pytest.mark.parametrize("limit", [1, 2, 3, 20])
def test_agrees_with_the_depth_first_search(limit):
    puzzles = mixed(2000 if JIT else 10)
    answers, oracle = solve_many(puzzles, limit), search_many(puzzles, limit=limit)
    assert (answers.counts == oracle.counts).all()
    assert (answers.status == oracle.status).all()
    assert (answers.grids == oracle.grids).all()
    assert len(np.unique(answers.status)) >= (3 if JIT else 2)


@pytest.mark.compiled
def test_results_do_not_depend_on_order_chunks_threads_help_or_pauses(monkeypatch):
    puzzles = mixed(3000)
    whole = solve_many(puzzles, threads=1)
    order = np.random.default_rng(2).permutation(len(puzzles))
    for answers in (
        type(whole)(*(column[np.argsort(order)] for column in solve_many(puzzles[order], threads=1))),
        solve_many(puzzles, threads=3),
    ):
        for ours, theirs in zip(answers, whole, strict=True):
            assert (ours == theirs).all()
    monkeypatch.setattr(searching, "PUZZLES_A_CHUNK", 7)
    monkeypatch.delattr(searching._of_thread, "scratch")
    for ours, theirs in zip(solve_many(puzzles, threads=2), whole, strict=True):
        assert (ours == theirs).all()
    monkeypatch.delattr(searching._of_thread, "scratch", raising=False)
    alone, helping = run(puzzles), run(puzzles, mode=search.HELPING)
    assert helping[3][search.HELPED] > 0
    assert same(alone, helping)
    for mode in (search.ALONE, search.HELPING):
        pieces = run(puzzles, mode=mode, budget=10)
        assert pieces[4] > 10
        assert same(alone, pieces)


@pytest.mark.compiled
@pytest.mark.parametrize("text", [GOLDEN_NUGGET, AL_ESCARGOT, REPORT, SIX, UNSOLVABLE, SOLVED, EMPTY])
def test_one_puzzle_in_all_lanes_has_the_same_answer_as_in_one(text):
    puzzle = grid_from_text(text)[None]
    for limit in (1, 2, 5):
        alone, helped = run(puzzle, limit), run(puzzle, limit, search.HELPING)
        assert same(alone, helped)


def test_search_counters_are_pinned():
    """A change of the code that is meant to change nothing must leave these as they are."""
    puzzles = np.stack([grid_from_text(t) for t in (EASY, AL_ESCARGOT, SIX, UNSOLVABLE, REPORT)])
    counts, guesses, _, state, _ = run(puzzles)
    assert counts.tolist() == [1, 1, 2, 0, 1]
    assert guesses.tolist() == PINNED_GUESSES
    if lanes.LANES == 16:
        assert state[search.SWEEPS] == PINNED_SWEEPS
    if JIT:
        counts, guesses, _, state, _ = run(generate_puzzles(1000, seed=1, clues=(26, 26))[0])
        assert (counts == 1).all()
        assert int(guesses.sum()) == PINNED_MANY


PINNED_GUESSES = [0, 34, 4, 0, 1]
PINNED_SWEEPS = 196
PINNED_MANY = 535


SOME = [EASY, SIX, UNSOLVABLE, EMPTY, SOLVED, "11" + "0" * 79, AL_ESCARGOT]


def digest():
    """Of all answers to sets that every build must agree on: a small one, and with JIT a larger one."""
    sets = [np.stack([grid_from_text(text) for text in SOME])]
    if JIT:
        sets.append(mixed(300))
    return [
        [hashlib.sha256(np.ascontiguousarray(column).tobytes()).hexdigest() for column in solve_many(puzzles)]
        for puzzles in sets
    ]


def digest_of(**env):
    code = "import sys; sys.path.insert(0, 'tests'); import test_lanes; print(test_lanes.digest())"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **env}, text=True, capture_output=True,
        timeout=300, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return eval(result.stdout)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "env",
    [
        {"SUDOKU_JIT_LANES": "8"},
        {"SUDOKU_JIT_LANES": "32"},
        {"NUMBA_CPU_NAME": "generic"},
    ],
    ids=str,
)
def test_every_width_and_cpu_gives_the_same(env):
    assert digest_of(**env) == digest()


@pytest.mark.compiled
@pytest.mark.parametrize("width", ["8", "16", "32"])
def test_without_jit_the_same_source_gives_the_same(width):
    assert digest_of(NUMBA_DISABLE_JIT="1", SUDOKU_JIT_LANES=width)[0] == digest()[0]


def test_other_widths_are_refused():
    code = "import sudoku_jit.kernels.lanes"
    env = {**os.environ, "SUDOKU_JIT_LANES": "12"}
    result = subprocess.run([sys.executable, "-c", code], env=env, text=True, capture_output=True, check=False)
    assert "expected 8, 16 or 32" in result.stderr


@pytest.mark.compiled
def test_reading_mode_gives_the_smallest_or_gives_up():
    puzzles = mixed(1000)[4::5]
    counts, _, grids, _, _ = run(puzzles, 1, search.READING)
    oracle = search_many(puzzles, limit=1)
    done = counts == 1
    assert done.sum() > 150
    assert (grids[done] == oracle.grids[done]).all()
    assert set(counts[~done].tolist()) <= {search.GAVE_UP}


def test_a_puzzle_given_up_in_reading_order_still_gets_its_smallest(monkeypatch):
    puzzles = np.stack([grid_from_text(t) for t in ([SIX, EMPTY] if JIT else [SIX])])
    wanted = search_many(puzzles).grids
    some = run(puzzles)[2]
    assert is_valid(some).all()
    assert (solving._smallest_cell_by_cell(puzzles, some, 1) == wanted).all()


@pytest.mark.compiled
def test_a_puzzle_hopeless_for_reading_order_is_answered():
    text = next(t for t in COUNTS if t.startswith("0010000002"))
    answer = solve_many(text)
    assert answer.status[0] == Status.MULTIPLE
    assert (answer.grids[0] == search_many(text, limit=1).grids[0]).all()


MODES = [search.ALONE, search.HELPING, search.READING]
LIMITS = [1, 2, 10**6]


def givens_left(n, givens, seed):
    """Grids and puzzles of them, so many givens at random, uint8 (n, 81)."""
    rng = np.random.default_rng(seed)
    grids = generate_grids(n, seed=seed)
    order = np.argsort(rng.random((n, 81)), axis=1)
    return grids, np.where(order < givens, grids, 0).astype(np.uint8)


def candidates_of(cells, digits):
    return (9 * cells + digits - 1).astype(np.int16)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("limit", LIMITS)
def test_a_puzzle_without_the_digit_of_its_solution_has_none(mode, limit):
    grids, puzzles = givens_left(400 if JIT else 6, 45, 1)
    unique = run(puzzles)[0] == 1
    grids, puzzles = grids[unique], puzzles[unique]
    n = len(puzzles)
    assert n >= (100 if JIT else 2)
    rng = np.random.default_rng(2)
    cells = rng.integers(0, 81, n)  # givens too
    solution = grids[np.arange(n), cells]
    without = candidates_of(cells, solution)
    counts, _, untouched, _, _ = run(puzzles, limit, mode, banned=without)
    assert not counts.any()
    assert (untouched == puzzles).all()
    # Another digit may go, and nothing may be banned.
    for banned in (candidates_of(cells, solution % 9 + 1), np.full(n, -1, np.int16)):
        counts, _, found, _, _ = run(puzzles, limit, mode, banned=banned)
        assert (counts == 1).all()
        assert (found == grids).all()
    mixed_rows = np.where(np.arange(n) % 3 == 0, np.int16(-1), without)
    assert (run(puzzles, limit, mode, banned=mixed_rows)[0] == (mixed_rows == -1)).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("limit", LIMITS)
def test_banned_candidates_leave_the_solutions_that_lack_them(mode, limit):
    _, puzzles = givens_left(200 if JIT else 5, 33, 3)
    solutions = [np.array(list(islice(naive.searched(puzzle.tolist()), 101))) for puzzle in puzzles]
    several = [k for k, found in enumerate(solutions) if 1 < len(found) <= 100]
    assert len(several) >= (50 if JIT else 2)
    puzzles, solutions = puzzles[several], [solutions[k] for k in several]
    rng = np.random.default_rng(4)
    cells = np.array([rng.choice(np.flatnonzero((found != found[0]).any(axis=0))) for found in solutions])
    digits = np.array([rng.choice(found[:, cell]) for found, cell in zip(solutions, cells, strict=True)])
    banned = np.where(np.arange(len(cells)) % 4 == 3, np.int16(-1), candidates_of(cells, digits))
    left = [
        found if ban < 0 else found[found[:, cell] != digit]
        for found, cell, digit, ban in zip(solutions, cells, digits, banned, strict=True)
    ]
    counts, _, grids, _, _ = run(puzzles, limit, mode, banned=banned)
    assert counts.tolist() == [min(len(found), limit) for found in left]
    for grid, found in zip(grids.tolist(), left, strict=True):
        assert grid in found.tolist()
        assert mode != search.READING or limit > 1 or grid == min(found.tolist())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=lanes.LANES, max_size=lanes.LANES))
def test_vector_operations_mean_what_they_say(words):
    if JIT:
        return  # the compiled ones are what all other tests run on
    array = np.array(words + words, np.uint32)
    vector = lanes.load(array, 0)
    bits = lanes.nonzero_lanes(vector)
    assert [int(bits) >> k & 1 for k in range(lanes.LANES)] == [int(w != 0) for w in words]
    assert (lanes.lane_mask(bits) == np.where(vector != 0, 0xFFFFFFFF, 0)).all()
    assert lanes.popcount(bits) == sum(w != 0 for w in words)
    if bits:
        assert words[lanes.ctz(bits)] != 0
    lanes.store(array, lanes.LANES, lanes.zeros())
    assert not array[lanes.LANES :].any()


def test_moves_of_boxes_are_cyclic():
    x = np.uint32(0b100_010_001) * np.uint32(1)
    assert int(sweep.stack_1(x)) & 0x1FF == 0b010_001_100
    assert int(sweep.stack_2(x)) & 0x1FF == 0b001_100_010
    assert int(sweep.band_1(np.uint32(0b001_010_100))) & 0x1FF == 0b100_001_010
    assert int(sweep.band_2(np.uint32(0b001_010_100))) & 0x1FF == 0b010_100_001
