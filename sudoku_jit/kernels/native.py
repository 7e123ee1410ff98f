"""Machine code on disk: one object file for each kernel, loaded by LLVM alone.

Numba's own cache is not used. It keys a function by the source of its own file, so a change in a
called helper, a table or a flag is served stale; its index can go wrong when several processes
compile at once; and loading from it takes Numba, 0.3 s of it. Here everything that shapes the code is in
the name of the folder (all kernel sources, versions, CPU, flags), a file appears whole or not at
all, and a file that does not match its checksum counts as absent.
"""

import ctypes
import functools
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm
from platformdirs import user_cache_path

KEPT_FOLDERS = 4


class Code(NamedTuple):
    """An object file and the symbol to call in it."""

    symbol: str
    object: bytes


def cache_root() -> Path:
    """The folder that holds all caches: ``NUMBA_CACHE_DIR`` if set, else the user's cache folder."""
    base = os.environ.get("NUMBA_CACHE_DIR")
    return Path(base, "sudoku-jit") if base else user_cache_path("sudoku-jit", appauthor=False)


@functools.cache
def cache_folder() -> Path | None:
    """The folder of this version, made if need be; None where nothing can be written."""
    folder = cache_root() / _fingerprint()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(folder)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    return folder


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    numba = importlib.util.find_spec("numba")
    assert numba
    assert numba.origin
    digest.update(Path(numba.origin).with_name("_version.py").read_bytes())
    flags = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith(("NUMBA_", "SUDOKU_JIT_")) and name != "NUMBA_CACHE_DIR"
    )
    cpu = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    digest.update(repr((sys.version, llvmlite.__version__, cpu, flags)).encode())
    return digest.hexdigest()[:16]


def _prune(newest: Path) -> None:
    """Keep the folders of the last few versions."""
    others = [path for path in newest.parent.iterdir() if path.is_dir() and path != newest]
    others.sort(key=lambda path: path.stat().st_mtime)
    for path in others[: -(KEPT_FOLDERS - 1)]:
        shutil.rmtree(path, ignore_errors=True)


def fetch(name: str) -> Code | None:
    """The code of a kernel from the disk, or None."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        checksum, symbol, code = (folder / f"{name}.o").read_bytes().split(b"\n", 2)
    except (OSError, ValueError):
        return None
    if hashlib.sha256(symbol + code).hexdigest().encode() != checksum:
        return None
    return Code(symbol.decode(), code)


def store(name: str, code: Code) -> None:
    """Keep the code of a kernel; where that cannot be, the next process compiles again."""
    folder = cache_folder()
    if folder is None:
        return
    symbol = code.symbol.encode()
    checksum = hashlib.sha256(symbol + code.object).hexdigest().encode()
    with suppress(OSError):
        number, path = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(b"\n".join((checksum, symbol, code.object)))
            os.replace(path, folder / f"{name}.o")
        except OSError:
            os.unlink(path)


_WORD, _POINTER = ctypes.c_int64, ctypes.c_void_p


class Call:
    """A loaded kernel: machine words in, (status, results) out; the GIL is let go meanwhile.

    Numba's calling convention: ``int32 f(results *, exception **, words ...)``, where an array is
    the words (memory info, parent, size, item size, data, shape ..., strides ...).
    """

    def __init__(self, code: Code, ndims: Sequence[int], results: int) -> None:
        self._results = results
        self._engine = _engine()  # owns the machine code
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code.object))
        self._engine.finalize_object()
        words: list[Any] = []
        for ndim in ndims:
            array = [_POINTER, _POINTER, _WORD, _WORD, _POINTER] + [_WORD] * (2 * ndim)
            words += array if ndim else [_WORD]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, _POINTER, _POINTER, *words)
        self._function = prototype(self._engine.get_function_address(code.symbol))

    def __call__(self, words: list[Any]) -> tuple[int, tuple[int, ...]]:
        """Call the kernel with the words of all its arguments."""
        results = (_WORD * max(1, self._results))()
        exception = _POINTER()
        status = self._function(ctypes.byref(results), ctypes.byref(exception), *words)
        return status, tuple(results[: self._results])


def _engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
