"""Compilation policy and low-level operations of jitted code; only this package imports Numba."""

from .compile import compiled_by_callers, inlined, njit

__all__ = ["compiled_by_callers", "inlined", "njit"]
