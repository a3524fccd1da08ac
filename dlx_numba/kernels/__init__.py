"""Algorithms on flat arrays, without names or I/O.

`links` builds the six arrays `L R U D column size`; `algorithm_x` has `cover`, `uncover` and
`search`. The other modules extend or use them: `algorithm_m` (multiplicities), `min_cost`,
`presolve`, `reduce`, and `resumable*`, through which the package `search` runs the algorithms.
`dense` is the same algorithm without links, on a Boolean array.
"""
