"""Tilings of a board with dominoes."""

import dlx_numba as dlx


def placements(rows, columns):
    """Return every way to put a domino on the board: its name and two squares."""
    options = {}
    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns:
                options[f"lying at {r},{c}"] = [(r, c), (r, c + 1)]
            if r + 1 < rows:
                options[f"standing at {r},{c}"] = [(r, c), (r + 1, c)]
    return options


options = placements(2, 3)
for name, squares in options.items():
    print(name, squares)

cover = dlx.ExactCover(options)
for solution in cover:
    print(solution)


def draw(solution):
    """Print a board of 2×3 squares with a letter for each domino."""
    letters = {}
    for letter, squares in zip("ABC", solution.items):
        for square in squares:
            letters[square] = letter
    for r in range(2):
        print(" ".join(letters[r, c] for c in range(3)))
    print()


for solution in cover:
    draw(solution)

print(dlx.ExactCover(placements(8, 8)).count())
