"""How fast files are read: lines, blocks, CSV; the same CSV by pandas and polars where they are installed.

    python profiling/reading.py [--puzzles N]

All readers end with the same thing, uint8 (n, 81), and run in turn; figures are medians of five.
"""

import argparse
import statistics
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import sudoku_jit
from sudoku_jit.formats.reading import open_puzzles
from sudoku_jit.formats.writing import texts, writer

RUNS = 5


def ours(path):
    """Read a file with this package: uint8 (n, 81)."""
    with open_puzzles(str(path)) as puzzles:
        return np.concatenate([chunk.cells for chunk in puzzles.chunks])


def digits(column):
    """The cells of a sequence of texts."""
    text = np.frombuffer("".join(column).encode(), np.uint8).reshape(-1, 81)
    return np.where(text == ord("."), 0, text - ord("0")).astype(np.uint8)


def by_pandas(path):
    """Read the CSV with pandas."""
    import pandas

    return digits(pandas.read_csv(path, dtype=str)["puzzle"])


def by_polars(path):
    """Read the CSV with polars."""
    import polars

    return digits(polars.read_csv(path, infer_schema=False)["puzzle"].to_list())


def write_files(folder, n):
    """Files of n puzzles by format, with what kind each is."""
    puzzles, solutions = sudoku_jit.generate_puzzles(min(n, 10_000), seed=1)
    repeats = -(-n // len(puzzles))
    puzzles, solutions = (np.tile(part, (repeats, 1))[:n] for part in (puzzles, solutions))
    columns = {"solution": texts(solutions), "clues": [str(k) for k in np.count_nonzero(puzzles, axis=1)]}
    paths = {}
    for format in ("line", "block", "csv", "ss", "opensudoku", "jsonl"):
        paths[format] = folder / f"puzzles.{format}"
        with open(paths[format], "wb") as stream:
            made = writer(format, stream, columns=columns)
            made.put(made.encode(puzzles, columns))
            made.finish()
    paths["line, CR LF"] = folder / "crlf"
    paths["line, CR LF"].write_bytes(paths["line"].read_bytes().replace(b"\n", b"\r\n"))
    return puzzles, paths


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=200_000)
    n = parser.parse_args().puzzles
    with tempfile.TemporaryDirectory() as folder:
        puzzles, paths = write_files(Path(folder), n)
        rows = [(name, ours, path) for name, path in paths.items()]
        rows += [
            (f"csv by {name}", read, paths["csv"])
            for name, read in (("pandas", by_pandas), ("polars", by_polars))
            if find_spec(name)
        ]
        times = {name: [] for name, *_ in rows}
        for _ in range(RUNS):
            for name, read, path in rows:
                start = time.perf_counter()
                cells = read(path)
                times[name].append(time.perf_counter() - start)
                assert (cells == puzzles).all(), name
        print(f"| {n:,} puzzles | ns a puzzle | MB/s |\n| --- | ---: | ---: |")
        for name, _, path in rows:
            seconds = statistics.median(times[name])
            print(f"| {name} | {seconds / n * 1e9:,.0f} | {path.stat().st_size / seconds / 1e6:,.0f} |")


if __name__ == "__main__":
    main()
