"""Algorithms over flat arrays: no names, no files, no screens."""
