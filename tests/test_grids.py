import naive
import pytest
from cases import EASY, EASY_SOLUTION

from sudoku_jit import PuzzleError, grid_from_text, grid_to_text, is_valid
from sudoku_jit.grids import UNITS


def test_units_are_the_rows_columns_and_boxes():
    assert UNITS.shape == (27, 9)
    for cell in range(81):
        peers = {c for unit in UNITS if cell in unit for c in unit.tolist()} - {cell}
        assert peers == set(naive.PEERS[cell])


def test_text_round_trip():
    assert grid_to_text(grid_from_text(EASY)) == EASY
    for blank in "0.*_-$Xx":
        assert grid_to_text(grid_from_text(EASY.replace("0", blank))) == EASY


def test_one_grid_only():
    with pytest.raises(PuzzleError, match="2 grids"):
        grid_to_text([EASY, EASY])


def test_validity():
    wrong = EASY_SOLUTION[1] + EASY_SOLUTION[0] + EASY_SOLUTION[2:]
    assert is_valid([EASY_SOLUTION, wrong, EASY]).tolist() == [True, False, False]


def test_two_kinds_of_blanks_are_refused():
    with pytest.raises(PuzzleError, match=r"puzzle 2: blanks of two kinds, '\.' and '0'"):
        is_valid([EASY, EASY[:2] + "." + EASY[3:]])
