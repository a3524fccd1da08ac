"""Algorithms on flat arrays, without names or I/O.

`links` builds the six arrays `L R U D column size`; `algorithm_x` has `cover`, `uncover` and
`search`. The other modules extend or use them: `algorithm_m` (multiplicities), `min_cost`,
`presolve` and `reduce`. `bitset` is the same algorithm on bitmaps, and `dense` on an array without
links. The module of an algorithm ends with its class of subtrees (`subtree`), through which the
package `search` runs it.
"""
