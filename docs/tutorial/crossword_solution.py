"""A word search: words that are hidden in a square of letters."""

import dlx_numba as dlx

words = ["COLOR", "COVER", "EXACT", "ITEM", "OPTION", "QUEEN"]
n = 6

options = []
for word in words:
    for dr, dc in [(0, 1), (1, 0), (1, 1)]:  # to the right, down, diagonally down
        for r in range(n):
            for c in range(n):
                squares = [(r + k * dr, c + k * dc) for k in range(len(word))]
                if max(squares[-1]) < n:
                    options.append([word, *zip(squares, word)])
squares = [(r, c) for r in range(n) for c in range(n)]
search = dlx.ExactCover(
    options, items=words, secondary=squares, choose="random", seed=2
)
print(search.count())

letters = {}
for _word, *colored in search.first().items:
    letters.update(colored)
for r in range(n):
    print(" ".join(letters.get((r, c), ".") for c in range(n)))
