"""Dancing Links: Knuth's Algorithms X, C and M on six flat arrays.

The module `dancing_links` of the package is the algorithm on one page, without what makes it fast.
Then read `links` (the arrays `L R U D column size`), `moves` (`cover`, `uncover` and the other
steps), `algorithm_x` (the main loop), `branching` (the choice of an item), and `state` (what a
search needs to stop and resume). `algorithm_m` is the main loop for multiplicities, with the
choices of `branching_m`. The package `search` runs both through `linked_subtree`. What remains is
for searches that do more: `propagation`, `supports` and `totals` hide options that no cover
contains, and `restarts` shuffles options.

Older descriptions of Dancing Links speak of a matrix. In Knuth's later terms, which this package
uses:

====================== ===================================
matrix                 items and options
====================== ===================================
column                 item
row                    option
column header          node of an item
1 in the matrix        node of an option
cover a column         cover an item
choose a column        choose an item (`choose_item`)
optional column        secondary item
solution, set of rows  cover, set of options
====================== ===================================
"""
