"""The puzzles that are measured: 81 digits, 0 for a blank."""

from pathlib import Path

HARD_FILE = Path(__file__).resolve().parent.parent / "data" / "hard.txt"
HARD = "".join(HARD_FILE.read_text(encoding="ascii").split())
"""The report's hard puzzle."""

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
"""One to compile with and to test with."""

GOLDEN_NUGGET = "000000039000001005003050800008090006070002000100400000009080050020000600400700000"
"""One of the hardest for any search."""
