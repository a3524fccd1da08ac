"""Readers and writers of Sudoku boards as text."""
