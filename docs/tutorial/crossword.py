"""A small crossword."""

import dlx_numba as dlx

words = """
    ABOUT ALONE APPLE ARENA AWARE BREAD CLOUD DANCE DRAMA EARLY ENTER EVENT
    EXTRA FLOOR HOUSE LEMON MUSIC NIGHT OCEAN OPERA ORDER PIANO PLANE QUEEN
    RIVER SMILE STONE TIGER TITLE UNDER VALUE WATER
""".split()
slots = {
    "1 across": [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)],
    "4 across": [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4)],
    "5 across": [(4, 0), (4, 1), (4, 2), (4, 3), (4, 4)],
    "1 down": [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],
    "2 down": [(0, 2), (1, 2), (2, 2), (3, 2), (4, 2)],
    "3 down": [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)],
}

options = {}
for slot, squares in slots.items():
    for word in words:
        options[f"{slot}: {word}"] = [slot, word, *zip(squares, word)]
print(options["1 across: ABOUT"][:4])

squares = {square for slot in slots.values() for square in slot}
crossword = dlx.ExactCover(options, items=slots, secondary=[*squares, *words])
print(crossword.count(), "solutions")


def draw(solution):
    """Print the letters of the squares."""
    letters = {}
    for _slot, _word, *colored in solution.items:
        letters.update(colored)
    for r in range(5):
        print(" ".join(letters.get((r, c), " ") for c in range(5)))


solution = crossword.first()
print(solution)
draw(solution)
