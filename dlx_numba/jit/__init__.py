"""Compilation policy and the vocabulary of jitted code: the only imports of Numba."""
