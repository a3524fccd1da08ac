"""Algorithms on flat arrays, without names or I/O.

`links` builds the six arrays `L R U D column size`; `moves` has `cover`, `uncover` and the other
steps on them, of which `algorithm_x`, `algorithm_m` (multiplicities), `min_cost` and `presolve`
consist. `bitset` is the same algorithms on bitmaps, and `dense` Algorithm X on an array without
links. Each has a class of subtrees (`subtree`, `linked_subtree`), through which the package
`search` runs it.
"""
