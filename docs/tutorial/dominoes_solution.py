"""Dominoes on a chessboard from which two squares are missing."""

import dlx_numba as dlx


def tilings(missing):
    """Return the number of tilings of the chessboard without the missing squares."""
    squares = [(r, c) for r in range(8) for c in range(8) if (r, c) not in missing]
    options = []
    for r, c in squares:
        for other in [(r, c + 1), (r + 1, c)]:
            if other in squares:
                options.append([(r, c), other])
    return dlx.ExactCover(options, items=squares).count()


print(tilings([(0, 0), (7, 7)]))
print(tilings([(0, 0), (0, 7)]))
