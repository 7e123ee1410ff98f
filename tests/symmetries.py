"""The symmetries of sudoku on uint8 (81,) grids, for property tests."""

import numpy as np
from hypothesis import strategies as st

orders = st.permutations(range(3))
lines = st.builds(
    lambda big, small: [3 * big[k] + small[k][j] for k in range(3) for j in range(3)],
    orders,
    st.tuples(orders, orders, orders),
)
symmetries = st.tuples(st.permutations(range(1, 10)), lines, lines, st.booleans())


def apply(symmetry, grid):
    labels, rows, columns, transpose = symmetry
    square = np.array([0, *labels], np.uint8)[grid].reshape(9, 9)[rows][:, columns]
    return np.ascontiguousarray((square.T if transpose else square).reshape(81))
