"""Compiled kernels: the only place with ``@njit``.

A kernel imports numpy, numba and other kernels; it reads and writes arrays that the caller hands
over, never allocates, prints or raises, and answers with codes. The public modules check, allocate,
call and explain.
"""
