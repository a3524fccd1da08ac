"""Nonograms that are narrowed, against brute force."""

import random
from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from dlx_numba.kernels import nonogram
from dlx_numba.kernels.nonogram import BLACK, WHITE, narrow_nonogram
from tests.helpers.problems import runs_of
from tests.helpers.seeds import seeds


def random_lines(rng, height, width):
    """Return the runs of the rows and of the columns of two pictures with the same rows, sorted."""
    density = rng.choice([0.2, 0.4, 0.5, 0.6, 0.8])
    rows = ["".join(" x"[rng.random() < density] for _ in range(width)) for _ in range(height)]
    others = rows if rng.random() < 0.7 else ["".join(rng.sample(row, width)) for row in rows]
    return [*map(runs_of, rows)], [runs_of("".join(line)) for line in zip(*others, strict=True)]


def solve(rows, columns):
    """Return all pictures, row by row."""
    lines_of = [defaultdict(list), defaultdict(list)]  # by their runs
    for lines, size in zip(lines_of, (len(columns), len(rows)), strict=True):
        for text in map("".join, product(" x", repeat=size)):
            lines[runs_of(text)].append(text)
    begun = [{text[:k] for text in lines_of[1][c] for k in range(len(rows) + 1)} for c in columns]
    pictures = [()]
    for runs in rows:
        longer = [(*picture, text) for picture in pictures for text in lines_of[0][runs]]
        pictures = [
            each for each in longer
            if all("".join(c) in b for c, b in zip(zip(*each, strict=True), begun, strict=True))
        ]  # fmt: skip
    return pictures


@pytest.mark.parametrize("max_work", [nonogram.MAX_WORK, 200, 0])
def test_what_remains_possible_is_what_solutions_have(max_work, monkeypatch):
    monkeypatch.setattr(nonogram, "MAX_WORK", max_work)
    n_narrowed = 0
    for seed in seeds(1000, 20):
        rng = random.Random(seed)
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        rows, columns = random_lines(rng, height, width)
        pictures = solve(rows, columns)
        found = narrow_nonogram([*map(list, rows)], [*map(list, columns)])
        if not pictures:
            assert found is None or max_work <= 200, seed
            continue
        assert found is not None, seed
        cells, starts = found
        is_black = np.array([[[c == "x" for c in row] for row in each] for each in pictures])
        values = BLACK * is_black.any(0) + WHITE * (~is_black).any(0)
        assert np.array_equal(cells & values, values), seed
        assert max_work <= 200 or np.array_equal(cells, values), seed
        n_narrowed += int((cells < 3).sum())
        for picture in pictures:
            lines = [*picture, *map("".join, zip(*picture, strict=True))]
            for line, each in zip(lines, starts, strict=True):
                padded = f" {line}"
                begins = [k for k in range(len(line)) if padded[k : k + 2] == " x"]
                assert all(a in b for a, b in zip(begins, each, strict=True)), seed
    assert n_narrowed


def test_starts_of_runs_are_those_that_their_line_allows():
    cells, starts = narrow_nonogram([[2, 1], [], []], [[1], [1], [], [1], []])
    assert cells.tolist() == [[1, 1, 2, 1, 2], [2] * 5, [2] * 5]
    assert starts[0] == [[0], [3]]
    _, starts = narrow_nonogram([[1], [1], [1]], [[1], [1], [1]])
    assert starts == [[[0, 1, 2]]] * 6
