"""The JIT policy: how kernels are compiled, and where the machine code is kept.

``kernel`` for functions that Python calls, ``inline`` for helpers that only kernels call.

Flags of a kernel, each with its reason:

- lazy (no explicit signature): importing the package compiles nothing.
- ``cache=True``: a second process loads machine code in milliseconds.
- ``nogil=True``: chunks run side by side under a plain thread pool; no threading layer is needed.
- ``error_model="numpy"``: no test for division by zero, so no exception path in the kernel.

Numba keys its cache by the source of one function's own file, so a change in a *called* kernel, in a
table or in a flag would be served stale. Here the folder itself is named by a hash of everything that
shapes the code (all kernel sources, versions, flags): another hash, another folder.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config, njit
from platformdirs import user_cache_path

KEPT_FOLDERS = 4

if config.DISABLE_JIT:
    np.seterr(over="ignore")  # unsigned arithmetic wraps in the kernels: that is meant


def cache_root() -> Path:
    """The folder that holds all caches: ``NUMBA_CACHE_DIR`` if set, else the user's cache folder."""
    base = os.environ.get("NUMBA_CACHE_DIR")
    return Path(base, "sudoku-jit") if base else user_cache_path("sudoku-jit", appauthor=False)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    flags = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith(("NUMBA_", "SUDOKU_JIT_")) and name != "NUMBA_CACHE_DIR"
    )
    digest.update(repr((sys.version, numba.__version__, llvmlite.__version__, flags)).encode())
    return digest.hexdigest()[:16]


def _open_cache() -> Path | None:
    """Make this version's folder and drop the oldest others; None where nothing can be written."""
    folder = cache_root() / _fingerprint()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _prune(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    return folder


def _prune(newest: Path) -> None:
    import shutil

    others = [path for path in newest.parent.iterdir() if path.is_dir() and path != newest]
    others.sort(key=lambda path: path.stat().st_mtime)
    for path in others[: -(KEPT_FOLDERS - 1)]:
        shutil.rmtree(path, ignore_errors=True)


CACHE_FOLDER = None if config.DISABLE_JIT else _open_cache()


def kernel(function: Any) -> Any:
    """Compile ``function`` at its first call, and keep the machine code in ``CACHE_FOLDER``."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        return njit(cache=CACHE_FOLDER is not None, nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before


def inline(function: Any) -> Any:
    """Compile ``function`` into each kernel that calls it: no call is left in the machine code."""
    return njit(forceinline=True, error_model="numpy")(function)
