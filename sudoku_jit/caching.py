"""The folder that holds the kernels' machine code."""

import shutil
from pathlib import Path
from typing import NamedTuple


class CacheInfo(NamedTuple):
    """``root``: all caches of this package; ``folder``: the one in use, None if none can be."""

    root: Path
    folder: Path | None
    kernels: int
    size: int


def info() -> CacheInfo:
    """Where the cache is, how many kernels this version keeps there, and bytes in all versions."""
    from sudoku_jit.kernels import policy

    root = policy.cache_root()
    folder = policy.CACHE_FOLDER
    kernels = len(list(folder.rglob("*.nbi"))) if folder else 0
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    return CacheInfo(root, folder, kernels, size)


def clear() -> CacheInfo:
    """Delete the caches of all versions; returns what there was."""
    before = info()
    if before.root.is_dir():
        shutil.rmtree(before.root)
    return before


def warm() -> None:
    """Compile every kernel that the public functions use, or load it from the cache."""
    import io

    from sudoku_jit import formats, generating, solving

    for method in generating.METHODS:
        generating.generate_grids(1, seed=0, method=method)
    generating.generate_puzzles(1, seed=0)
    for method in solving.METHODS:
        solving.solve("." * 81, method=method)
    for style in ("line", "block"):
        layout = formats.layout(style)
        formats.write(solving.solve("." * 81).grid[None], layout)
        list(formats.read(io.BytesIO(layout.blank), style)[1])
