"""Eight queens that do not attack each other."""

import dlx_numba as dlx

n = 8
options = []
for r in range(n):
    for c in range(n):
        options.append([("row", r), ("column", c), ("up", r + c), ("down", r - c)])
print(options[0])

lines = [option[:2] for option in options]
print(dlx.ExactCover(lines).count())

print(dlx.ExactCover(options).count())

diagonals = set()
for option in options:
    diagonals.update(option[2:])
queens = dlx.ExactCover(options, secondary=diagonals)
print(queens.count())

solution = queens.first()
for r in range(n):
    print(" ".join("Q" if r * n + c in solution else "." for c in range(n)))
