"""The benchmark: run times of the Sudoku solvers, and their report."""
