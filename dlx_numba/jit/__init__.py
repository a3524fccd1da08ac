"""Compilation policy and low-level operations of jitted code; only this package imports Numba."""

from .compile import inlined, njit

__all__ = ["inlined", "njit"]
