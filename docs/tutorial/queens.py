"""Eight queens that do not attack each other."""

import dlx_numba as dlx

n = 8
options = {}
for r in range(n):
    for c in range(n):
        square = f"{'abcdefgh'[c]}{n - r}"
        options[square] = [("row", r), ("column", c), ("up", r + c), ("down", r - c)]
print(options["a8"])

lines = [option[:2] for option in options.values()]
print(dlx.ExactCover(lines).count())

print(dlx.ExactCover(options).count())

diagonals = set()
for option in options.values():
    diagonals.update(option[2:])
queens = dlx.ExactCover(options, secondary=diagonals)
print(queens.count())

solution = queens.first()
print(solution)
for r in range(n):
    squares = [f"{'abcdefgh'[c]}{n - r}" for c in range(n)]
    print(" ".join("Q" if square in solution.names else "." for square in squares))
