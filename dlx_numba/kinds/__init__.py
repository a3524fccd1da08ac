"""Kinds of puzzles and problems: everything that can be read, solved and drawn.

A kind is one module; `kind.KINDS` lists all of them.
"""
