"""``python -m sudoku_jit``."""

from sudoku_jit.cli import main

if __name__ == "__main__":
    main()
