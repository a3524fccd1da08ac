"""Algorithms over flat arrays, without names, files or output."""
