"""Sudoku boards as text: readers and writers."""
