"""A packing puzzle with six pieces, two of which are equal."""

import dlx_numba as dlx

drawings = {
    "L": ["####",
          "#..."],
    "P": ["##",
          "##",
          "#."],
    "U": ["#.#",
          "###"],
    "V": ["#..",
          "#..",
          "###"],
    "W": ["#..",
          "##.",
          ".##"],
}
board = ["######"] * 5


def squares_of(drawing):
    """Return the squares of a drawing that are marked with #."""
    return [
        (r, c)
        for r, line in enumerate(drawing)
        for c, character in enumerate(line)
        if character == "#"
    ]


def orientations(squares):
    """Return the piece in all of its orientations, each in the upper left corner."""
    found = set()
    for _ in range(2):
        for _ in range(4):
            squares = [(c, -r) for r, c in squares]  # turn
            top = min(r for r, c in squares)
            left = min(c for r, c in squares)
            found.add(tuple(sorted((r - top, c - left) for r, c in squares)))
        squares = [(r, -c) for r, c in squares]  # turn over
    return sorted(found)


free = squares_of(board)
options = []
for piece, drawing in drawings.items():
    for shape in orientations(squares_of(drawing)):
        for r, c in free:
            covered = [(r + dr, c + dc) for dr, dc in shape]
            if all(square in free for square in covered):
                options.append([piece, *covered])

puzzle = dlx.ExactCover(options, items=[*drawings, *free], multiplicity={"P": 2})
print(puzzle.count(), "solutions")


def draw(solution):
    """Print the board with the letter of a piece on each square."""
    letters = {}
    for piece, *covered in solution.items:
        for square in covered:
            letters[square] = piece
    for r, line in enumerate(board):
        print(" ".join(letters.get((r, c), " ") for c in range(len(line))))


draw(puzzle.first())
