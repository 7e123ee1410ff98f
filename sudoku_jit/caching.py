"""The folder that holds the kernels' machine code."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sudoku_jit.errors import RequestError


class CacheInfo(NamedTuple):
    """``root``: all caches of this package; ``folder``: the one in use, None if none can be."""

    root: Path
    folder: Path | None
    kernels: int
    size: int


def info() -> CacheInfo:
    """Where the cache is, how many kernels this version keeps there, and bytes in all versions."""
    from sudoku_jit.kernels import native

    root, folder = native.cache_root(), native.cache_folder()
    kernels = len(list(folder.glob("*.o"))) if folder else 0
    size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
    return CacheInfo(root, folder, kernels, size)


def before_compiling(tell: Callable[[], None]) -> None:
    """Have ``tell`` called before each kernel that has to be compiled.

    Raises ``RequestError`` if ``SUDOKU_JIT_LANES`` is not a width that kernels can be compiled for.
    """
    try:
        from sudoku_jit.kernels import lanes, policy  # noqa: F401
    except ValueError as error:
        raise RequestError(str(error)) from None
    policy.before_compiling.add(tell)


def clear() -> CacheInfo:
    """Delete the caches of all versions; returns what there was."""
    before = info()
    if before.root.is_dir():
        shutil.rmtree(before.root)
    return before


def warm() -> None:
    """Compile every kernel that the public functions use, or load it from the cache."""
    from sudoku_jit import canonicalising, digging, generating, solving
    from sudoku_jit.kernels import text
    from sudoku_jit.kernels.huffman import blocks
    from sudoku_jit.kernels.policy import Kernel

    for method in generating.METHODS:
        generating.generate_grids(1, seed=0, method=method)
    digging.generate_puzzles(1, seed=0)
    solving.solve_many(["." * 81, "11" + "." * 79])
    solving.search_many("." * 81)
    morphs = canonicalising.morph_many(generating.generate_grids(1, seed=0), 1, seed=0)
    canonicalising.canonical_grids(morphs[0])
    for kernel in (*vars(text).values(), blocks):
        if isinstance(kernel, Kernel):
            kernel.load()
