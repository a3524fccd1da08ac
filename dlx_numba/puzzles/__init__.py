"""A shelf above the solver: all kinds of puzzles and problems that can be read, solved and drawn.

A kind is one module; `registry.KINDS` lists all of them. `variants` are Sudokus with rules.
"""
