"""Compilation policy and low-level operations of jitted code; only this package imports Numba."""
