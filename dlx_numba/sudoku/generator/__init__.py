"""Generate puzzles: random grids, and the removal of redundant clues."""
