"""The Sudoku engines and their registry."""
