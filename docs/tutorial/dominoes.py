"""Tilings of a board with dominoes."""

import dlx_numba as dlx


def placements(rows, columns):
    """Return every way to put a domino on the board: the two squares that it covers."""
    options = []
    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns:
                options.append([(r, c), (r, c + 1)])  # lying
            if r + 1 < rows:
                options.append([(r, c), (r + 1, c)])  # standing
    return options


options = placements(2, 3)
for number, option in enumerate(options):
    print(number, option)

cover = dlx.ExactCover(options)
for solution in cover:
    print(solution)


def draw(solution):
    """Print a board of 2×3 squares with a letter for each domino."""
    letters = {}
    for letter, number in zip("ABC", solution):
        for square in options[number]:
            letters[square] = letter
    for r in range(2):
        print(" ".join(letters[r, c] for c in range(3)))
    print()


for solution in cover:
    draw(solution)

print(dlx.ExactCover(placements(8, 8)).count())
