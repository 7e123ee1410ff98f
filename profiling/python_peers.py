"""Solvers that are Python packages, and qqwing, behind one command line; needs nothing but them.

    PYTHON python_peers.py --list            the peers that this interpreter has, and their versions, as JSON
    PYTHON python_peers.py PEER FILE LIMIT   one JSON line {"peer", "puzzles", "rate", "counts"}
    PYTHON python_peers.py --generators      the peers that generate puzzles, likewise
    PYTHON python_peers.py --generate PEER   one JSON line {"seconds", "puzzles"}: a second's work, 81 characters each

The lines are what ``peers.py`` and ``generators.py`` read. It can be run by an interpreter that has not got sudoku_jit.
Seconds are of processor time if PEER_CPU is set. A slow peer is stopped after some seconds: "puzzles" then says how
many of the first ones it did.
"""

import importlib.metadata
import importlib.util
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

SECONDS_A_PASS = 4.0
SECONDS_WARM = 0.3
SECONDS_GENERATING = 1.0
LIMIT = 2

Counting = Callable[[list[str]], Iterator[int]]
"""Puzzles to their numbers of solutions, up to two, one by one."""


def rustoku(puzzles: list[str]) -> Iterator[int]:
    """Rust: ``count_solutions`` proves, and gives no grid."""
    import rustoku

    for puzzle in puzzles:
        yield rustoku.count_solutions(puzzle, LIMIT)


def hodoku(puzzles: list[str]) -> Iterator[int]:
    """C: the backtracker inside its generator gives the grid and proves; its public ``validate`` is slower."""
    from hodoku.generator.generator import SudokuGenerator

    solver = SudokuGenerator()
    for puzzle in puzzles:
        solver.solve_string(puzzle)
        found = solver.get_solution_count()
        if found:
            solver.get_solution_as_string()
        yield found


def py_sudoku(puzzles: list[str]) -> Iterator[int]:
    """Python: solves upwards and downwards; a third search tells none from one."""
    from sudoku import Sudoku

    for puzzle in puzzles:
        board = Sudoku(3, board=[[int(cell) for cell in puzzle[row : row + 9]] for row in range(0, 81, 9)])
        if board.has_multiple_solutions():
            yield 2
        else:
            yield int(board.solve().board[0][0] is not None)


def qqwing(puzzles: list[str]) -> Iterator[int]:
    """C++: a program for a whole file, its start is part of the time; it counts all solutions, there is no limit."""
    lines = "\n".join(puzzle.replace("0", ".") for puzzle in puzzles) + "\n"
    done = subprocess.run(
        ["qqwing", "--solve", "--one-line", "--count-solutions"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    said = {"The solution to the puzzle is unique.": 1, "There are no solutions to the puzzle.": 0}
    for line in done.stdout.splitlines():
        if line in said:
            yield said[line]
        elif line.startswith("There are "):
            yield 2


PEERS: dict[str, tuple[str, Counting]] = {
    "rustoku": ("rustoku", rustoku),
    "hodoku-py": ("hodoku", hodoku),
    "py-sudoku": ("sudoku", py_sudoku),
    "qqwing": ("", qqwing),
}


def installed() -> dict[str, str]:
    """Names of the peers that can be run here, and their versions."""
    found = {}
    for name, (module, _) in PEERS.items():
        if module and importlib.util.find_spec(module):
            found[name] = importlib.metadata.version(name)
    if shutil.which("qqwing"):
        said = subprocess.run(["qqwing", "--version"], capture_output=True, text=True, check=True).stdout
        found["qqwing"] = said.split()[-1]
    return found


def _of_rustoku(level: str | None, symmetry: str = "none") -> Callable[[], list[str]]:
    def generate() -> list[str]:
        import rustoku

        puzzles = []
        while len(puzzles) < 10:
            with suppress(ValueError):  # it gives up now and then; that time counts too
                puzzles.append(rustoku.generate_advanced(symmetry, level))
        return puzzles

    return generate


def _of_qqwing() -> list[str]:
    command = ["qqwing", "--generate", "100", "--one-line"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


GENERATORS: dict[str, tuple[str, Callable[[], list[str]]]] = {
    "qqwing": ("qqwing", _of_qqwing),
    "rustoku, no level": ("rustoku", _of_rustoku(None)),
    "rustoku, no level, rotational180": ("rustoku", _of_rustoku(None, "rotational180")),
    **{f"rustoku, {level}": ("rustoku", _of_rustoku(level)) for level in ("easy", "medium", "hard", "expert")},
}


def generated(name: str) -> dict[str, object]:
    """Some puzzles of a peer, and how long they took, after a few to warm up."""
    generate = GENERATORS[name][1]
    generate()
    puzzles: list[str] = []
    start, begun = clock(), time.perf_counter()
    while not puzzles or time.perf_counter() - begun < SECONDS_GENERATING:
        puzzles += generate()
    return {"seconds": clock() - start, "puzzles": puzzles}


def clock() -> float:
    """Seconds by the clock, or of processor time of this process and of those it has started."""
    if "PEER_CPU" not in os.environ:
        return time.perf_counter()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def one_pass(count: Counting, puzzles: list[str], most: float) -> tuple[float, list[int]]:
    """Seconds a puzzle, and the answers of the first puzzles, as many as ``most`` seconds allow."""
    found = []
    start = clock()
    for answer in count(puzzles):
        found.append(answer)
        if clock() - start > most:
            break
    return (clock() - start) / len(found), found


def main() -> int:
    """Run one peer on one file."""
    if sys.argv[1] == "--list":
        print(json.dumps(installed()))
        return 0
    if sys.argv[1] == "--generators":
        peers = installed()
        print(json.dumps({name: peers[peer] for name, (peer, _) in GENERATORS.items() if peer in peers}))
        return 0
    if sys.argv[1] == "--generate":
        print(json.dumps(generated(sys.argv[2])))
        return 0
    name, file, limit = sys.argv[1:]
    assert int(limit) == LIMIT, "these are counted to two"
    count = PEERS[name][1]
    puzzles = [line.replace(".", "0") for line in Path(file).read_text().split()]
    one_pass(count, puzzles, SECONDS_WARM)
    passes = []
    begun = time.perf_counter()
    while not passes or time.perf_counter() - begun < 1:
        seconds, found = one_pass(count, puzzles, SECONDS_A_PASS)
        passes.append(seconds)
    counts = [sum(min(answer, 2) == k for answer in found) for k in range(3)]
    print(json.dumps({"peer": name, "puzzles": len(found), "rate": 1 / statistics.median(passes), "counts": counts}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
