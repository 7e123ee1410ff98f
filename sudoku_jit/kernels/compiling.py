"""Compile a kernel with Numba to object code that can be loaded without Numba."""

import functools
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import config
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.typing.typeof import typeof_impl
from numba.np.numpy_support import from_dtype

from sudoku_jit.kernels import lanes_llvm, native
from sudoku_jit.kernels.marks import Inline, Signature

RESOLVED = {"memcpy", "memmove", "memset", "printf", "puts"}
"""C functions that every process has."""


@typeof_impl.register(Inline)
def _(helper: Inline, context: Any) -> types.Type:
    """A helper that a kernel names is to Numba the njit function made of it."""
    return types.Dispatcher(_for_numba(helper))


@functools.cache
def _for_numba(helper: Inline) -> Any:
    """An njit function that only other compiled code can call.

    Numba would make wrappers and machine code for each, which takes a third of the whole time of compiling.
    """
    made = njit(forceinline=True, error_model="numpy", _nrt=False)(helper.py_func)

    def code_for_linking_only(flags: Flags) -> Flags:
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        return flags

    def add_overload(compiled: Any) -> None:
        compiled = compiled._replace(entry_point=object())  # by which Numba finds it again
        cpu_target.target_context.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
        compiled.library._optimize_final_module = lambda: None  # once, in the kernel that it ends up in
        made.overloads[tuple(compiled.signature.args)] = compiled

    made._compiler._customize_flags = code_for_linking_only
    made.add_overload = add_overload
    return made


def compile_kernel(function: Callable[..., Any], signature: Signature) -> native.Code:
    """The object code of ``function``; its symbol takes Numba's own calling convention.

    Asserts that nothing in it has to be resolved: no allocation, no call of Python.
    """
    lanes_llvm.make_byte_vectors()
    arguments = tuple(
        types.Array(from_dtype(a.dtype), a.ndim, "C") if a.ndim else from_dtype(a.dtype) for a in signature.arguments
    )
    result = [types.none, types.int64][signature.results > 0]
    if signature.results > 1:
        result = types.UniTuple(types.int64, signature.results)
    flags = Flags()
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    flags.nrt = flags.enable_pyobject = False
    flags.error_model = "numpy"
    flags.boundscheck = bool(config.BOUNDSCHECK)
    with global_compiler_lock:
        typing, target = cpu_target.typing_context, cpu_target.target_context
        typing.refresh()
        target.refresh()
        made = compile_extra(typing, target, function, arguments, result, flags, {})
        made.library.finalize()
        module = llvm.parse_assembly(made.library.get_llvm_str())
        code = target.codegen()._tm.emit_object(module)
    loose = [
        f.name
        for f in module.functions
        if f.is_declaration and not f.name.startswith("llvm.") and f.name not in RESOLVED
    ]
    assert not loose, f"{function.__name__}: unresolved {loose}"
    return native.Code(made.fndesc.llvm_func_name, code)
