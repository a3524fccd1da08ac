"""Sudoku variants: rules, their formulation as exact cover problems, and the formats of files."""
