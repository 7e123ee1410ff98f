"""Puzzles: against a plain Python digger, and every promise of a request."""

import threading
import time

import naive
import numpy as np
import pytest
from cases import EASY
from conftest import JIT

from sudoku_jit import (
    RequestError,
    ShortfallError,
    Status,
    count_many,
    digging,
    generate_grids,
    generate_puzzles,
    grid_from_text,
    is_valid,
    solve_many,
)
from sudoku_jit.digging import SYMMETRIES, TRIES, find_puzzles, request
from sudoku_jit.kernels import dig

MASK = (1 << 64) - 1
FEW = {"none": (24, 30), "rot90": (28, 34), "full": (32, 40)}


def given(puzzles):
    return (puzzles > 0).reshape(-1, 9, 9)


def some(n, jit_off=2):
    return n if JIT else jit_off


@pytest.fixture(autouse=True)
def _fewer_tries_at_once(monkeypatch):
    if not JIT:
        monkeypatch.setattr(digging, "FIRST_CHUNK", 2)


def promised(n, **asked):
    """Puzzles with what every request promises checked: (puzzles, grids)."""
    puzzles, grids = generate_puzzles(n, seed=4, **asked)
    assert puzzles.dtype == grids.dtype == np.uint8
    assert puzzles.shape == grids.shape == (n, 81)
    assert is_valid(grids).all()
    assert ((puzzles == 0) | (puzzles == grids)).all()
    assert len({puzzle.tobytes() for puzzle in puzzles}) == n
    answers = solve_many(puzzles)
    assert (answers.status == Status.UNIQUE).all()
    assert (answers.grids == grids).all()
    return puzzles, grids


# --- the kernels


def mixed(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def plan(random, fewest, most, per_box, orbits):
    """The target of one grid, and the order of its orbits."""
    random = mixed(random)
    target = fewest + ((random >> 32) * (most - fewest + 1) >> 32)
    shuffled = []
    for k, orbit in enumerate(orbits):
        random = mixed((random + 0x9E3779B97F4A7C15) & MASK)
        at = (random >> 32) * (k + 1) >> 32
        shuffled.append(orbit)
        shuffled[at], shuffled[k] = orbit, shuffled[at]
    lacking = dict.fromkeys(range(9), per_box)
    early, late = [], []
    for orbit in shuffled:
        boxes = [cell // 27 * 3 + cell % 9 // 3 for cell in orbit]
        if any(lacking[box] > 0 for box in boxes):
            early.append(orbit)
            for box in boxes:
                lacking[box] -= 1
        else:
            late.append(orbit)
    return target, early + late


def dug(grid, blanks, target, order, unique):
    """Dig one orbit after the other, asking about each."""
    puzzle = list(grid)
    for orbit in order:
        if blanks + len(orbit) <= target:
            held = [puzzle[cell] for cell in orbit]
            for cell in orbit:
                puzzle[cell] = 0
            if not unique or sum(1 for _, _ in zip(range(2), naive.searched(list(puzzle)), strict=False)) == 1:
                blanks += len(orbit)
            else:
                for cell, digit in zip(orbit, held, strict=True):
                    puzzle[cell] = digit
    return puzzle


@pytest.mark.parametrize("unique", [True, False])
@pytest.mark.parametrize("symmetry", ["none", "rot180", "full"])
def test_digging_is_one_orbit_after_the_other(symmetry, unique):
    n = some(12, 3)
    pattern = np.ones(81, np.bool_)
    pattern[40] = False
    wanted = request(clues=(20, 40), symmetry=symmetry, unique=unique, pattern=pattern, min_blanks_per_box=2)
    orbits = [row[1 : 1 + row[0]].tolist() for row in wanted.orbits]
    grids = generate_grids(n, seed=2)
    puzzles = grids * wanted.pattern
    randoms = np.random.default_rng(1).integers(0, 1 << 64, n, np.uint64, endpoint=False)
    digging._dig(puzzles, randoms, wanted)
    for puzzle, grid, random in zip(puzzles, grids * wanted.pattern, randoms.tolist(), strict=True):
        target, order = plan(random, 41, 61, 2, orbits)
        assert puzzle.tolist() == dug(grid.tolist(), 1, target, order, unique)


def test_orders_are_all_orbits_and_targets_are_all_numbers():
    n = some(600, 60)
    orbits = request(symmetry="diagonal").orbits
    order, progress = np.empty((n, len(orbits)), np.uint8), np.empty((n, dig.COLUMNS), np.int64)
    randoms = np.random.default_rng(2).integers(0, 1 << 64, n, np.uint64, endpoint=False)
    dig.begin(randoms, 0, 50, 54, 0, orbits, order, progress, np.empty(9 + len(orbits), np.int64))
    assert (np.sort(order, axis=1) == np.arange(len(orbits))).all()
    assert len({row.tobytes() for row in order}) == n
    targets = np.bincount(progress[:, dig.TARGET])[50:]
    assert len(targets) == 5
    assert abs(targets - n / 5).max() < 5 * (n / 5) ** 0.5
    first = np.bincount(order[:, 0], minlength=len(orbits))
    assert abs(first - n / len(orbits)).max() < 6 * (n / len(orbits)) ** 0.5 + 1


# --- what is promised


@pytest.mark.parametrize("clues", [(24, 24), (26, 31), (17, 40), (60, 81)])
def test_clues(clues):
    puzzles, _ = promised(some(300), clues=clues if JIT else (max(clues[0], 40), 81))
    number = np.count_nonzero(puzzles, axis=1)
    if JIT:
        assert (clues[0] <= number).all()
        assert (number <= clues[1]).all()
        assert len(set(number.tolist())) >= min(5, clues[1] - clues[0] + 1)


def test_usual_clues():
    number = np.count_nonzero(promised(some(300))[0], axis=1)
    assert (number >= 24).all()
    assert (number <= 32).all()


@pytest.mark.parametrize("symmetry", ["none", "rot180"])
def test_minimal_puzzles_need_every_clue(symmetry):
    puzzles, _ = promised(some(60, 1) if symmetry == "none" or JIT else 1, minimal=True)
    for puzzle in puzzles[: some(20, 1)]:
        less = np.repeat(puzzle[None], 81, axis=0)
        less[np.arange(81), np.arange(81)] = 0
        assert (count_many(less[puzzle > 0], 2).counts == 2).all()


@pytest.mark.compiled
def test_minimal_and_symmetric_means_that_no_single_clue_can_go():
    puzzles, _ = promised(20, minimal=True, symmetry="rot180")
    for puzzle in puzzles:
        less = np.repeat(puzzle[None], 81, axis=0)
        less[np.arange(81), np.arange(81)] = 0
        assert (count_many(less[puzzle > 0], 2).counts == 2).all()


IMAGES = {
    "none": [],
    "rot180": [lambda picture: picture[:, ::-1, ::-1]],
    "rot90": [lambda picture: np.rot90(picture, axes=(1, 2))],
    "horizontal": [lambda picture: picture[:, ::-1]],
    "vertical": [lambda picture: picture[:, :, ::-1]],
    "diagonal": [lambda picture: picture.transpose(0, 2, 1)],
    "antidiagonal": [lambda picture: picture[:, ::-1, ::-1].transpose(0, 2, 1)],
}
IMAGES["full"] = IMAGES["rot90"] + IMAGES["diagonal"]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries(symmetry):
    picture = given(promised(some(100), clues=(24, 40), symmetry=symmetry)[0])
    for image in IMAGES[symmetry]:
        assert (image(picture) == picture).all()
    others = [image for name, images in IMAGES.items() if not {name, symmetry} & {"full", "rot90"} for image in images]
    if JIT and symmetry not in ("full", "rot90"):
        broken = [image for image in others if image not in IMAGES[symmetry] and (image(picture) != picture).any()]
        assert len(broken) == len(others) - len(IMAGES[symmetry])


def test_pattern():
    pattern = np.zeros((9, 9), np.bool_)
    pattern[1:8, 1:8] = True
    picture = given(promised(some(50), pattern=pattern, clues=(24, 45))[0])
    assert not picture[:, ~pattern].any()


def test_a_whole_pattern():
    pattern = np.random.default_rng(3).permutation(81) < 40
    picture = given(promised(some(50), pattern=pattern)[0])
    assert (picture == pattern.reshape(9, 9)).all()


def test_part_of_a_pattern_that_is_symmetric():
    pattern = np.ones(81, np.bool_)
    pattern[:3] = False
    picture = given(promised(some(50), pattern=pattern, clues=(30, 40), symmetry="rot180")[0])
    assert not picture[:, 0, :3].any()
    assert not picture[:, 8, 6:].any()
    assert (picture == picture[:, ::-1, ::-1]).all()


def test_blanks_in_each_box():
    puzzles, _ = promised(some(50), min_blanks_per_box=5, clues=(26, 36))
    boxes = (~given(puzzles)).reshape(-1, 3, 3, 3, 3).sum(axis=(2, 4))
    assert (boxes >= 5).all()


@pytest.mark.compiled
@pytest.mark.parametrize("guesses", [(0, 0), (1, 2), (3, None)])
def test_guesses(guesses):
    puzzles, _ = promised(50, guesses=guesses)
    found = solve_many(puzzles).guesses
    assert (found >= guesses[0]).all()
    assert guesses[1] is None or (found <= guesses[1]).all()


def test_without_proof_the_number_of_clues_is_all_that_counts():
    n = some(300, 5)
    puzzles, grids = generate_puzzles(n, seed=4, clues=(26, 61), unique=False, min_blanks_per_box=2)
    number = np.count_nonzero(puzzles, axis=1)
    assert (number >= 26).all()
    assert (number <= 61).all()
    assert ((puzzles == 0) | (puzzles == grids)).all()
    assert ((puzzles == 0).reshape(-1, 3, 3, 3, 3).sum(axis=(2, 4)) >= 2).all()
    if JIT:
        assert (count_many(puzzles, 2).counts > 1).any()


@pytest.mark.parametrize("digit", [1, 9])
def test_first_digit(digit):
    assert (promised(some(20), first_digit=digit, clues=(30, 50))[1][:, 0] == digit).all()


# --- always the same


@pytest.mark.parametrize("asked", [{"clues": (24, 24)}, {"minimal": True}, {"clues": (60, 70)}])
def test_a_seed_is_the_same_by_threads_start_and_chunks(monkeypatch, asked):
    n = some(400, 4)
    asked = asked if JIT else {"clues": (50, 60)}
    puzzles, grids = generate_puzzles(n, seed=7, threads=1, **asked)
    for chunk, wave in ((3, 8), (1000, 50), (1, 4096)):
        monkeypatch.setattr(digging, "FIRST_CHUNK", chunk)
        monkeypatch.setattr(digging, "WAVE", wave)
        again = generate_puzzles(n - 1, seed=7, start=1, threads=3, **asked)
        assert (again[0] == puzzles[1:]).all()
        assert (again[1] == grids[1:]).all()
    other = generate_puzzles(n, seed=8, threads=1, **asked)[0]
    assert (other != puzzles).any(axis=1).all()


def test_jumps_are_a_shortcut_and_nothing_else(monkeypatch):
    asked = {"seed": 3, "clues": (24, 30) if JIT else (40, 50)}
    puzzles = generate_puzzles(some(200), **asked)[0]
    monkeypatch.setattr(digging, "JUMPS", ())
    assert (generate_puzzles(some(200), **asked)[0] == puzzles).all()


def test_no_puzzles_are_an_empty_array():
    assert generate_puzzles(0, seed=1)[0].shape == (0, 81)


# --- what cannot be


NARROW = np.arange(81) < 20


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"clues": (3, 16)}, "3 to 16 clues: no puzzle with one solution has fewer than 17"),
        ({"clues": (30, 24)}, "30 to 24 clues; expected the fewest first"),
        ({"clues": (24, 82)}, "clues 82; expected a whole number from 0 to 81"),
        ({"clues": 24}, "expected a pair"),
        ({"clues": [24, 30]}, "expected a pair"),
        ({"clues": (24.5, 30)}, "clues 24.5"),
        ({"clues": (18, 19), "symmetry": "full"}, "18 to 19 clues: no picture with the symmetry 'full' has so many"),
        ({"symmetry": "spiral"}, "symmetry 'spiral'; expected one of none, rot180"),
        ({"symmetry": ["none"]}, r"symmetry \['none'\]; expected one of none, rot180"),
        ({"pattern": NARROW[:80]}, "expected 81 bools"),
        ({"pattern": NARROW.astype(int)}, "expected 81 bools"),
        ({"pattern": NARROW[::-1] & (np.arange(81) > 70)}, "10 to 10 clues: no puzzle with one solution"),
        ({"pattern": NARROW, "clues": (24, 30)}, "24 to 30 clues: the pattern has 20 cells"),
        ({"pattern": NARROW, "symmetry": "rot180"}, "the pattern has not the symmetry 'rot180'"),
        ({"pattern": ~np.isin(np.arange(81) // 9, [3, 5])}, "without a mark in rows 4 and 6: they could change places"),
        ({"pattern": np.arange(81) % 9 < 7, "clues": (24, 30)}, "without a mark in columns 8 and 9"),
        ({"min_blanks_per_box": 7, "clues": (24, 30)}, "7 blanks in each box leave 18"),
        ({"min_blanks_per_box": 10}, "blanks in each box 10"),
        ({"guesses": (5, 2)}, "5 to 2 guesses"),
        ({"guesses": 5}, "guesses 5; expected a pair"),
        ({"guesses": (1.5, None)}, "guesses 1.5"),
        ({"minimal": True, "unique": False}, "expected unique"),
        ({"guesses": (1, None), "unique": False}, "expected unique"),
        ({"n": -1}, "number of puzzles -1"),
        ({"seed": -1}, "seed -1"),
        ({"first_digit": 0}, "first digit 0"),
        ({"start": digging.family_size("search") // TRIES}, "a seed has"),
        ({"timeout": 0}, "timeout 0; expected seconds above 0"),
        ({"timeout": "1"}, "timeout '1'; expected seconds above 0"),
        ({"timeout": float("nan")}, "timeout nan; expected seconds above 0"),
    ],
)
def test_requests_that_cannot_be_met_are_refused_at_once(asked, words):
    asked = {"n": 1, "seed": 1, **asked}
    with pytest.raises(RequestError, match=words.replace("(", r"\(")) as refused:
        generate_puzzles(**asked)
    assert not isinstance(refused.value, ShortfallError)


def test_the_last_puzzle_of_a_seed():
    last = digging.family_size("search") // TRIES - 1
    assert generate_puzzles(1, seed=1, start=last, clues=(60, 70))[0].shape == (1, 81)


HOPELESS = (np.arange(81) // 9 < 3) | (np.arange(81) % 9 == 0)
"""Rows 4 to 9 are all but empty: any two of them in a band can change places."""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_request_that_is_never_met_ends(monkeypatch, threads):
    monkeypatch.setattr(digging, "TRIES", some(3000, 30))
    monkeypatch.setattr(digging, "FEW", some(100, 10))
    with pytest.raises(ShortfallError, match=rf"0 of 100 puzzles found: none of {digging.TRIES} grids gave number 5"):
        generate_puzzles(100, seed=1, start=5, pattern=HOPELESS, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_timeout(threads):
    before = time.monotonic()
    with pytest.raises(ShortfallError, match=r"0 of 100 puzzles found in 0.2 s; give more time, or widen the request"):
        generate_puzzles(100, seed=1, pattern=HOPELESS, threads=threads, timeout=0.2)
    assert time.monotonic() - before < 60


@pytest.mark.compiled
def test_what_was_found_before_a_shortfall_is_good():
    wanted = request(clues=(22, 22))
    found = []

    def collect():
        for piece in find_puzzles(10**6, wanted, seed=1, threads=2, timeout=1.0):
            found.append(piece)

    with pytest.raises(ShortfallError) as short:
        collect()
    puzzles, grids = (np.concatenate(part) for part in zip(*found, strict=True))
    assert str(short.value).startswith(f"{len(puzzles)} of 1000000 puzzles found in 1 s")
    assert (solve_many(puzzles).grids == grids).all()
    assert (generate_puzzles(len(puzzles), seed=1, clues=(22, 22))[0] == puzzles).all()


def test_who_turns_away_leaves_no_thread_at_work():
    before = threading.active_count()
    wanted = request(clues=(40, 60))
    found = find_puzzles(10**9, wanted, seed=1, threads=2)
    next(found)
    found.close()
    patience = time.monotonic() + 60
    while threading.active_count() > before and time.monotonic() < patience:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_a_puzzle_of_a_file_is_a_pattern():
    pattern = grid_from_text(EASY) > 0
    puzzles, _ = generate_puzzles(some(3, 1), seed=1, pattern=pattern)
    assert ((puzzles > 0) == pattern).all()
