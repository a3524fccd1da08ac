"""Superqueens, which also move like a knight."""

import dlx_numba as dlx

KNIGHT_MOVES = [(1, -2), (1, 2), (2, -1), (2, 1)]  # and the reverse moves


def superqueens(n):
    """Return the problem of n superqueens on a board of n×n squares."""
    items = {}
    for r in range(n):
        for c in range(n):
            items[r, c] = [("row", r), ("column", c), ("up", r + c), ("down", r - c)]
    secondary = {item for square in items.values() for item in square[2:]}
    for r, c in list(items):
        for dr, dc in KNIGHT_MOVES:
            other = (r + dr, c + dc)
            if other in items:
                pair = ("not both", (r, c), other)
                items[r, c].append(pair)
                items[other].append(pair)
                secondary.add(pair)
    return dlx.ExactCover(items.values(), secondary=secondary)


for n in range(4, 12):
    print(n, superqueens(n).count())
