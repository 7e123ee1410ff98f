from collections import namedtuple

import naive
import numpy as np
import pytest
from cases import (
    CAP,
    COUNTS,
    EASY,
    EASY_SOLUTION,
    EMPTY,
    REPORT,
    SIX,
    SOLVED,
    UNSOLVABLE,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from symmetries import apply, symmetries

from sudoku_jit import (
    Status,
    count,
    count_many,
    grid_from_text,
    grid_to_text,
    is_unique,
    search_many,
    solve,
    solve_many,
)
from sudoku_jit.errors import FormatError, PuzzleError, RequestError
from sudoku_jit.kernels import dfs

ORDERS = ("fewest", "reading")


def search(text, limit, order):
    """The depth-first search of one puzzle."""
    return Found(*(column[0] for column in search_many(text, order, limit)))


Found = namedtuple("Found", "grid status solutions nodes")


@pytest.mark.compiled
@pytest.mark.parametrize("text", COUNTS)
@pytest.mark.parametrize("solver", ["lanes", "fewest"])
def test_reported_puzzles_have_the_right_number_of_solutions(text, solver):
    answer = solve(text, CAP) if solver == "lanes" else search(text, CAP, solver)
    assert answer.solutions == COUNTS[text]
    if COUNTS[text] == 0:
        assert answer.status in (Status.NONE, Status.INVALID)
        assert grid_to_text(answer.grid) == text.replace(".", "0")
    else:
        assert answer.status == (Status.UNIQUE if COUNTS[text] == 1 else Status.MULTIPLE)
        assert naive.is_solution(answer.grid.tolist(), naive.parse(text))


@pytest.mark.compiled
@pytest.mark.parametrize(
    "text",
    [t for t in COUNTS if not t.startswith("0010000002")],  # takes the reading order minutes
)
def test_reading_order_agrees(text):
    a, b = search(text, CAP, "reading"), solve(text, CAP)
    assert (a.solutions, a.status) == (b.solutions, b.status)
    assert (a.grid == b.grid).all()


@pytest.mark.parametrize("order", ORDERS)
def test_what_needs_no_search_is_answered_without_a_node(order):
    for text, status in [
        (SOLVED, Status.UNIQUE),
        (SOLVED[:-1] + "1", Status.INVALID),
        ("11" + "0" * 79, Status.INVALID),
        ("1" + "0" * 26 + "1" + "0" * 53, Status.INVALID),
        ("1" + "0" * 9 + "1" + "0" * 70, Status.INVALID),
        ("123456780000000009" + "0" * 63, Status.NONE),  # no candidate in the last cell of row 1
        # 1 has no place in row 1: columns 4 to 9 hold it below, the first box in row 2.
        ("000234567" + "001000000" + "0" * 63, Status.NONE),
        (UNSOLVABLE, Status.NONE),
    ]:
        answer = search(text, 2, order)
        assert (answer.status, answer.nodes) == (status, 0), text
        answer = solve(text)
        assert (answer.status, answer.guesses) == (status, 0), text


@pytest.mark.parametrize("order", ORDERS)
def test_empty_grid_is_answered_with_the_smallest_grid(order):
    answer = search(EMPTY, 1, order)
    assert answer.status == Status.SOLVABLE
    assert (solve(EMPTY).grid == answer.grid).all()
    assert solve(EMPTY, limit=1).status == Status.SOLVABLE
    assert grid_to_text(answer.grid).startswith("123456789456789123789123456214365897")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("limit", [1, 2, 6, 7])
def test_first_solution_is_the_smallest_in_reading_order(order, limit):
    smallest = min(naive.solutions(naive.parse(SIX)))
    for answer in (search(SIX, limit, order), solve(SIX, limit)):
        assert answer.grid.tolist() == smallest
        assert answer.solutions == min(limit, 6)


def test_nodes_of_the_reading_order_are_those_of_plain_recursion():
    for text, limit in [(EASY, 2), (EASY, 1), (SIX, 3)]:
        found, first, nodes = naive.nodes_in_reading_order(text, limit)
        answer = search(text, limit, "reading")
        assert (answer.solutions, answer.nodes) == (found, nodes)
        assert answer.grid.tolist() == first[0]


@pytest.mark.compiled
def test_nodes_are_pinned():
    assert search(REPORT, 2, "reading").nodes == 5_322_889
    assert search(REPORT, 2, "fewest").nodes == 32_034


def test_search_goes_on_where_its_budget_ended():
    grids = np.stack([grid_from_text(t) for t in (EASY, SIX, UNSOLVABLE, EASY, SOLVED)])
    n = len(grids)

    def run(budget, order, limit):
        first, out = np.zeros((n, 81), np.uint8), [np.zeros(n, np.int64) for _ in range(3)]
        work = np.zeros(162, np.uint8), np.zeros(dfs.STACK + 81, np.int64)
        state = np.zeros(dfs.STATE, np.int64)
        calls = 1
        while dfs.search_many(grids, order, limit, budget, first, *out, *work, state) < n:
            calls += 1
        return calls, first.tolist(), [o.tolist() for o in out]

    for order in (dfs.READING, dfs.FEWEST):
        for limit in (1, 3):
            whole, pieces = run(10**9, order, limit), run(7, order, limit)
            assert whole[0] == 1
            assert pieces[0] > 5
            assert whole[1:] == pieces[1:]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_random_puzzles_agree_with_the_plain_solver(data):
    solution = naive.parse(EASY_SOLUTION)
    kept = data.draw(st.sets(st.integers(0, 80), min_size=28, max_size=60))
    grid = [solution[c] if c in kept else 0 for c in range(81)]
    if data.draw(st.booleans()):
        grid[data.draw(st.integers(0, 80))] = data.draw(st.integers(1, 9))
    text = "".join(map(str, grid))
    found = sorted(naive.solutions(list(grid)))[:1] if naive.count(text, 20) < 20 else None
    for answer in (search(text, 20, "fewest"), search(text, 20, "reading"), solve(text, 20)):
        assert answer.solutions == naive.count(text, 20)
        assert (answer.status == Status.INVALID) == naive.clash(grid)
        if found:
            assert answer.grid.tolist() == found[0]


@settings(max_examples=20, deadline=None)
@given(symmetries)
def test_symmetries_keep_the_number_of_solutions_and_move_the_solution(symmetry):
    for text in (EASY, SIX, UNSOLVABLE):
        grid = grid_from_text(text)
        answer, moved = solve(grid, 7), solve(apply(symmetry, grid), 7)
        assert (moved.solutions, moved.status) == (answer.solutions, answer.status)
        if answer.status == Status.UNIQUE:
            assert (moved.grid == apply(symmetry, answer.grid)).all()


def test_all_kinds_of_arrays_are_taken():
    cells = grid_from_text(EASY)
    padded = np.zeros((2, 162), np.int64)
    padded[:, ::2] = cells
    frozen = np.frombuffer(cells.tobytes(), np.uint8)
    for puzzle in (
        cells, frozen, cells.reshape(9, 9), cells.tolist(), cells.astype(np.int64),
        padded[:1, ::2], np.asfortranarray(np.stack([cells, cells]))[:1], EASY, f" {EASY}\n",
    ):  # fmt: skip
        assert grid_to_text(solve(puzzle).grid) == EASY_SOLUTION
    assert solve_many(np.empty((0, 81))).counts.shape == (0,)
    assert solve_many([]).grids.shape == (0, 81)
    assert (cells == grid_from_text(EASY)).all()


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        ("11.......", "9 characters"),
        ("y" + "." * 80, "'y' at position 1"),
        (np.full((1, 81), 10), "10 at row 1 column 1"),
        (np.full((1, 81), -1), "-1 at row 1"),
        (np.zeros(80), "shape"),
        (np.zeros((2, 2, 81), int), "shape"),
        (np.zeros(81), "dtype float64"),
        (np.zeros(81, bool), "dtype bool"),
        (np.ma.zeros(81, int), "masked"),
        (["." * 81, "." * 80], "puzzle 2: 80 characters"),
        (["." * 81, 5], "puzzle 2"),
        ([[1, 2], [3]], "unequal"),
        (None, "shape"),
    ],
)
def test_what_is_no_puzzle_is_refused(puzzle, words):
    with pytest.raises(PuzzleError, match=words):
        solve_many(puzzle)


def test_wrong_requests_are_refused():
    for limit in (0, -1, 2**63, 2**64, 2**64 + 5, 2.9, True, "3", None):
        for ask in (solve, count, solve_many, count_many):
            with pytest.raises(RequestError, match="limit"):
                ask(EASY, limit=limit)
    for threads in (0, -1, 1.5, "2", 2000):
        with pytest.raises(RequestError, match="threads"):
            solve_many(EASY, threads=threads)
    assert count(EASY, limit=2**40) == 1
    with pytest.raises(RequestError, match="guess"):
        search_many(EASY, "guess")
    with pytest.raises(RequestError, match="2 puzzles"):
        solve([EASY, EASY])


def test_count_stops_at_its_limit():
    assert count(EMPTY, limit=10) == 10
    assert count(SIX) == 6
    counts = count_many([EMPTY, SIX, EASY, UNSOLVABLE, "11" + "0" * 79], limit=5)
    assert counts.counts.tolist() == [5, 5, 1, 0, 0]
    assert [Status(s) for s in counts.status] == [
        Status.MULTIPLE,
        Status.MULTIPLE,
        Status.UNIQUE,
        Status.NONE,
        Status.INVALID,
    ]
    assert (is_unique(EASY), is_unique(SIX), is_unique(UNSOLVABLE)) == (True, False, False)


def test_bytes_of_a_file_are_taken():
    answers = solve_many(f"# two\n{EASY}\n{SIX}\n".encode())
    assert answers.status.tolist() == [Status.UNIQUE, Status.MULTIPLE]
    with pytest.raises(FormatError, match="<bytes>:2"):
        solve_many(f"{EASY}\n{SIX[:80]}\n".encode())
