import numpy as np
import pytest

from sudoku_jit import repeats


@pytest.mark.parametrize(("largest", "hashed"), [(7, True), (1000, True), (1 << 18, True), (1000, False)])
def test_repeats_are_all_but_the_first_of_each(monkeypatch, largest, hashed):
    """With buckets that are parted again and again, and where all grids have one hash."""
    if not hashed:
        monkeypatch.setattr(repeats.Repeats, "_hashes", lambda self, words: np.zeros(len(words), np.uint64))
    monkeypatch.setattr(repeats, "_LARGEST", largest)
    monkeypatch.setattr(repeats, "_IN_MEMORY", 1 << 10)
    random = np.random.default_rng(1)
    few = random.integers(0, 10, (900, 81)).astype(np.uint8)
    few[1] = few[0]
    few[1, 80] ^= 1  # differs in the last cell alone
    drawn = few[random.integers(0, len(few), 5000)]
    numbers = np.cumsum(random.integers(1, 4, len(drawn)))
    first = {}
    for number, cells in zip(numbers.tolist(), drawn, strict=True):
        first.setdefault(cells.tobytes(), number)
    with repeats.Repeats() as found:
        again = [found.add(numbers[at : at + 500], drawn[at : at + 500]) for at in range(0, len(drawn), 500)]
        again.append(found.add(numbers[:0], drawn[:0]))
        again += found.rest()
    assert sorted(np.concatenate(again).tolist()) == sorted(set(numbers.tolist()) - set(first.values()))
