from itertools import product

import naive
import numpy as np
import pytest
from conftest import JIT

from sudoku_jit import RequestError, generate_grids, grid_to_text, is_valid
from sudoku_jit.formats.layout import layout
from sudoku_jit.generating import family_size, round_keys, write_grids
from sudoku_jit.kernels import mixing, orbit

MANY = 20_000 if JIT else 200
METHODS = ("search", "orbit", "report")


def automorphisms(base):
    """How many symmetries map a grid to itself.

    For each order of the rows and each column that may come first, the relabelling that puts the
    first column right is the only one that can do; then the columns must be those of ``base``, in an
    order that keeps the stacks.
    """
    found = 0
    for source in (base, base.T):
        for rows in orbit.LINES:
            moved = source[rows]
            for first in range(9):
                label = np.zeros(10, np.int64)
                label[moved[:, first]] = base[:, 0]
                columns = [tuple(column) for column in label[moved].T.tolist()]
                wanted = [tuple(column) for column in base.T.tolist()]
                if set(columns) == set(wanted):
                    found += [columns.index(column) for column in wanted] in orbit.LINES.tolist()
    return found


def test_base_grid_has_no_automorphism():
    base = orbit.BASE.astype(np.int64)
    assert naive.is_solution(base.ravel().tolist(), [0] * 81)
    assert automorphisms(base) == 1


@pytest.mark.compiled
def test_automorphisms_are_found_where_there_are_some():
    shifted = generate_grids(1, seed=0, method="report")[0].reshape(9, 9).astype(np.int64)
    assert automorphisms(shifted) > 1


def test_lines_are_all_orders_that_keep_the_bands():
    assert len({tuple(line) for line in orbit.LINES.tolist()}) == 6**4
    for line in orbit.LINES:
        assert sorted(line.tolist()) == list(range(9))
        assert (line.reshape(3, 3) // 3 == line.reshape(3, 3)[:, :1] // 3).all()


@pytest.mark.parametrize(("a", "b"), [(6, 7), (1, 5), (8, 1), (24, 25)])
def test_permute_is_a_bijection(a, b):
    for seed in (0, 1):
        keys = round_keys(seed)
        a64, b64 = np.uint64(a), np.uint64(b)
        images = [mixing.permute(np.uint64(k), a64, b64, keys) for k in range(a * b)]
        assert sorted(int(x) * b + int(y) for x, y in images) == list(range(a * b))


def test_unrank_gives_every_order_once():
    chosen, seen = np.zeros(5, np.uint8), set()
    for rank in range(120):
        mixing.unrank(np.uint64(rank), np.uint64(0x97531), 5, chosen)
        seen.add(tuple(chosen.tolist()))
    assert len(seen) == 120
    assert all(sorted(order) == [1, 3, 5, 7, 9] for order in seen)


def test_round_keys_differ_with_the_seed():
    keys = [tuple(round_keys(seed).tolist()) for seed in (0, 1, 2**64 - 1)]
    assert len({key for row in keys for key in row}) == 3 * mixing.ROUNDS


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("first", [None, 1, 5, 9])
def test_grids_are_valid_and_different(method, first):
    grids = generate_grids(MANY, seed=3, method=method, first_digit=first)
    assert is_valid(grids).all()
    assert len({row.tobytes() for row in grids}) == len(grids)
    if first:
        assert (grids[:, 0] == first).all()
    else:
        counts = np.bincount(grids[:, 0], minlength=10)[1:]
        assert counts.sum() == MANY
        assert (abs(counts - MANY / 9) < 6 * (MANY / 9) ** 0.5).all()


@pytest.mark.compiled
@pytest.mark.parametrize("first", [None, 4])
def test_report_method_gives_every_grid_of_its_family(first):
    size = family_size("report", first)
    assert size == (40_320 if first else 362_880)
    grids = generate_grids(size, seed=8, method="report", first_digit=first)
    assert len({row.tobytes() for row in grids}) == size
    block = grids[0].reshape(9, 9)[:3, :3]
    for a, b in product(range(3), repeat=2):
        shifted = np.roll(np.roll(block, -b, axis=0), -a, axis=1)
        assert (grids[0].reshape(9, 9)[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] == shifted).all()


@pytest.mark.parametrize("first", [None, 7])
def test_orbit_grid_is_the_image_that_its_index_names(first):
    """A slow twin: the index, permuted in plain Python, then the symmetry applied step by step."""
    seed, starts = 77, [0, 1, 12_345, family_size("orbit", first) - 1]
    keys = [int(key) for key in round_keys(seed)]
    relabellings, shapes = (40_320 if first else 362_880), 2 * 6**8
    for start in starts:
        left, right = naive.permuted(start, relabellings, shapes, keys)
        transpose, right = right % 2, right // 2
        square = orbit.BASE.T if transpose else orbit.BASE
        square = square[orbit.LINES[right % 1296]][:, orbit.LINES[right // 1296]]
        order = naive.ordered(left, [d for d in range(1, 10) if d != first])
        symbols = [s for s in range(1, 10) if not (first and s == square[0, 0])]
        label = dict(zip(symbols, order, strict=True)) | ({square[0, 0]: first} if first else {})
        expected = [label[s] for s in square.ravel().tolist()]
        grid = generate_grids(1, seed=seed, method="orbit", start=start, first_digit=first)[0]
        assert grid.tolist() == expected


@pytest.mark.parametrize("method", METHODS)
def test_sequence_does_not_depend_on_threads_or_on_where_it_starts(method):
    n = MANY // 2 if method == "report" else MANY
    grids = generate_grids(n, seed=5, method=method, threads=1)
    assert (generate_grids(n, seed=5, method=method, threads=3) == grids).all()
    assert (generate_grids(7, seed=5, method=method, start=n - 7) == grids[-7:]).all()
    assert not (generate_grids(n, seed=6, method=method) == grids).all()


@pytest.mark.parametrize("style", ["block", "line"])
@pytest.mark.parametrize("newline", ["lf", "crlf"])
def test_written_bytes_are_the_grids(style, newline):
    made = layout(style, newline)
    data = b"".join(bytes(piece) for _, piece in write_grids(made, 3, seed=1))
    end = "\r\n" if newline == "crlf" else "\n"
    texts = [grid_to_text(grid) for grid in generate_grids(3, seed=1)]
    if style == "line":
        expected = "".join(text + end for text in texts)
    else:
        expected = (end).join("".join(" ".join(text[r : r + 9]) + end for r in range(0, 81, 9)) for text in texts)
    assert data.decode() == expected


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"n": 362_881, "method": "report"}, "method report has 362880 grids; method orbit has"),
        ({"n": 40_321, "method": "report", "first_digit": 2}, "40320 grids that begin with 2"),
        ({"n": 2, "method": "orbit", "start": 1_218_998_108_159}, "from number 1218998108159"),
        ({"n": 10**17}, "100000000000000000 grids: method search has 47784725839872000 grids"),
        ({"n": 2, "start": 47_784_725_839_871_999}, "from number 47784725839871999: method search has 477"),
        ({"n": 2, "start": 5_309_413_982_207_999, "first_digit": 9}, "has 5309413982208000 grids that begin with 9"),
        ({"n": -1}, "number of grids -1"),
        ({"n": 1.0}, "number of grids 1.0"),
        ({"n": "1"}, "number of grids"),
        ({"n": 10**13, "method": "orbit"}, "1218998108160"),
        ({"n": 1, "seed": True}, "seed True"),
        ({"n": 1, "start": -1}, "start -1"),
        ({"n": 1, "threads": 0}, "threads 0"),
        ({"n": 1, "first_digit": 0}, "first digit 0"),
        ({"n": 1, "seed": 2**64}, "seed"),
        ({"n": 1, "method": "magic"}, "search, orbit, report, uniform"),
    ],
)
def test_requests_that_cannot_be_met_are_refused(request_, words):
    request_ = {"seed": 1, **request_}
    with pytest.raises(RequestError, match=words):
        list(write_grids(layout("line"), **request_))
    with pytest.raises(RequestError, match=words):
        generate_grids(**request_)


def test_the_default_method_is_search():
    grids = generate_grids(3, seed=1, method="search")
    assert (generate_grids(3, seed=1) == grids).all()
    assert b"".join(bytes(piece) for _, piece in write_grids(layout("line"), 3, seed=1)).decode().split() == [
        grid_to_text(grid) for grid in grids
    ]


def test_no_grids_are_an_empty_array():
    assert generate_grids(0, seed=1).shape == (0, 81)
