"""Sudoku: the public functions, the engines that solve boards, and the formats of files."""
