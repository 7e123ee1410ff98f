"""What ``policy`` makes of a marked function: the signature of a kernel, and a helper of kernels."""

import functools
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

wrapping = np.errstate(over="ignore")
"""Unsigned arithmetic wraps in kernels, which plain Python on NumPy scalars warns of."""


class Argument(NamedTuple):
    """A scalar (``ndim`` 0) or a C-contiguous array."""

    dtype: np.dtype[Any]
    ndim: int

    def passed(self, value: Any) -> tuple[Any, ...]:
        """The machine words of one argument, as Numba lays out a scalar or an array."""
        if self.ndim == 0:
            return (int(value),)
        if (
            not isinstance(value, np.ndarray)
            or value.dtype != self.dtype
            or value.ndim != self.ndim
            or not value.flags.c_contiguous
        ):
            raise TypeError(f"expected a C-contiguous {self.dtype} array of {self.ndim} dimensions")
        address = value.__array_interface__["data"][0]
        return (None, None, value.size, value.itemsize, address, *value.shape, *value.strides)


class Signature(NamedTuple):
    """Arguments, and how many int64 come back."""

    arguments: tuple[Argument, ...]
    results: int

    @classmethod
    def parse(cls, text: str) -> "Signature":
        """From text such as ``u8[:,:] i64 u64[:] -> i64 i64``.

        >>> Signature.parse("u8[:,:] i64 -> i64").results
        1
        """
        taken, _, given = text.partition("->")
        arguments = []
        for word in taken.split():
            match = re.fullmatch(r"([iu])(8|16|32|64)(\[[:,]+\])?", word)
            assert match, word
            kind = np.dtype(f"{match[1]}{int(match[2]) // 8}")
            arguments.append(Argument(kind, (match[3] or "").count(":")))
        return cls(tuple(arguments), len(given.split()))


class Inline:
    """A helper. From Python it runs as plain Python; in a kernel it is compiled into the kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function

    def __call__(self, *values: Any) -> Any:
        """Run it as plain Python."""
        return wrapping(self.py_func)(*values)
