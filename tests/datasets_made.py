"""Puzzles of many classes, and folders as bytes, for the tests of datasets."""

from pathlib import Path

from sudoku_jit.formats.writing import texts


def write_lines(path, puzzles):
    Path(path).write_text("".join(f"{text}\n" for text in texts(puzzles)))
    return str(path)


def tree(folder):
    """All files under a folder, with their bytes."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found
