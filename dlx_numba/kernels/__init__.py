"""Algorithms on flat arrays, without names or I/O.

`dlx` is Dancing Links; start there. `bitset` has the same algorithms on bitmaps. `memo` enters each
distinct subproblem once, `symmetry` finds automorphisms, `batch` searches variations of a problem,
and `cheapest` covers of low cost. What they share: `problem` (the arrays of a problem), `presolve`,
`reduce`, `components`, `subtree` (a search that stops and resumes), and `algorithms` (the choice
between links and bitmaps).
"""
