"""The JIT policy: what ``@kernel`` and ``@inline`` mean.

``@kernel(signature)`` marks a function that Python calls, ``@inline`` a helper that is compiled into
each kernel that calls it. A kernel calls helpers, never another kernel. Three ways to run:

- as usual: compiled once for this CPU, kept on disk (``native``), loaded later without Numba, whose
  import and first call would cost a third of a second. ctypes lets go of the GIL in a call, so
  chunks run side by side under a plain thread pool;
- ``NUMBA_DISABLE_JIT=1``: plain Python on NumPy arrays, for coverage and debugging;
- ``NUMBA_BOUNDSCHECK=1``: compiled with checks, kept apart; a fault raises ``IndexError``.

Flags of the compiled code, each with its reason: no reference counting (``nrt``) and no wrappers, so
the object code has no unresolved symbol and can be loaded alone; ``error_model="numpy"``: no test
for division by zero, so no exception path. It follows that a kernel may not allocate, raise or print.
"""

import functools
import os
import threading
from collections.abc import Callable
from typing import Any

from sudoku_jit.kernels import native
from sudoku_jit.kernels.marks import Inline, Signature, wrapping

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

before_compiling: set[Callable[[], None]] = set()
"""Called before each compilation, so that people can be told what they wait for."""

_lock = threading.RLock()


class Kernel:
    """A compiled function: call it with arrays and numbers as its signature has them."""

    def __init__(self, function: Callable[..., Any], signature: str) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.signature = Signature.parse(signature)
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self._call: native.Call | None = None

    def __call__(self, *values: Any) -> Any:
        """Run the kernel; the results as int, or as a tuple of int if there are several."""
        call = self._call or self.load()
        arguments = self.signature.arguments
        words = [word for argument, value in zip(arguments, values, strict=True) for word in argument.passed(value)]
        status, results = call(words)
        if status:
            raise IndexError(f"kernel {self.name}: an index is out of bounds")
        return results if len(results) > 1 else results[0] if results else None

    def load(self) -> native.Call:
        """Load the machine code, or compile and keep it."""
        with _lock:
            if self._call is None:
                code = native.fetch(self.name)
                if code is None:
                    for told in before_compiling:
                        told()
                    code = self._compile()
                    native.store(self.name, code)
                ndims = [argument.ndim for argument in self.signature.arguments]
                self._call = native.Call(code, ndims, self.signature.results)
            return self._call

    def _compile(self) -> native.Code:
        from sudoku_jit.kernels import compiling

        return compiling.compile_kernel(self.py_func, self.signature)


def kernel(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Mark a kernel. ``signature``: its arguments and results, see ``Signature.parse``."""

    def mark(function: Callable[..., Any]) -> Any:
        return Kernel(function, signature) if JIT else wrapping(function)

    return mark


def inline(function: Callable[..., Any]) -> Any:
    """Mark a helper of kernels."""
    return Inline(function) if JIT else wrapping(function)
