"""Canonical forms of boards under the symmetries of Sudoku."""
