import naive
import numpy as np
import pytest
from cases import EASY, EMPTY
from conftest import JIT
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_jit import grid_from_text
from sudoku_jit.kernels import candidates, marks


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_both_forms_of_candidates_agree_with_the_plain_one(data):
    text = data.draw(st.sampled_from([EASY, EMPTY]))
    grid = grid_from_text(text)
    used, cells = np.zeros(27, np.int64), np.zeros(81, np.int64)
    assert candidates.examine(grid, used, cells) == candidates.CONSISTENT
    cell = data.draw(st.sampled_from([c for c in range(81) if grid[c] == 0]))
    plain = set(range(1, 10)) - {int(grid[p]) for p in naive.PEERS[cell]}
    mask = sum(1 << (d - 1) for d in plain)
    assert candidates.scan(cells, cell) == mask
    assert candidates.candidates(used, cell) == mask
    bit = mask & -mask
    candidates.toggle(used, cell, bit)
    assert candidates.candidates(used, cell) == mask ^ bit
    candidates.toggle(used, cell, bit)
    assert candidates.candidates(used, cell) == mask


def test_tables_of_masks():
    for mask in range(512):
        digits = [d for d in range(1, 10) if mask >> (d - 1) & 1]
        assert candidates.DIGITS[mask] == len(digits)
        assert candidates.NAMES[mask] == max(digits, default=0)


@pytest.mark.skipif(not JIT, reason="there are no compiled kernels")
def test_a_kernel_takes_its_signature_and_nothing_else():
    from sudoku_jit.kernels.text import put

    cells, out = np.zeros((1, 81), np.uint8), np.zeros(81, np.uint8)
    offsets = np.arange(81)
    put(cells, out, 81, offsets, 48, 48)
    assert (out == 48).all()
    for wrong in (cells.astype(np.int64), cells[0], np.zeros((1, 162), np.uint8)[:, ::2], None):
        with pytest.raises(TypeError, match="uint8 array of 2 dimensions"):
            put(wrong, out, 81, offsets, 48, 48)
    with pytest.raises(ValueError, match="argument"):
        put(cells, out)


def test_signatures_are_read():
    signature = marks.Signature.parse("u8[:,:] i64 u64[:] -> i64 i64")
    assert [(str(a.dtype), a.ndim) for a in signature.arguments] == [
        ("uint8", 2), ("int64", 0), ("uint64", 1),
    ]  # fmt: skip
    assert signature.results == 2
