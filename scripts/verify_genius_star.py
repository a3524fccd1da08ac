"""Solve all 165,888 rolls of the Genius Star, with and without the hexagon.

Run `python -m scripts.verify_genius_star`.
"""

from itertools import product

import numpy as np

from dlx_numba import example
from dlx_numba.puzzles.pieces.genius_star import DICE


def n_solvable(star: bool) -> int:
    """Return the number of rolls that have a solution."""
    cover = example("genius-star", roll="", star=star).cover()
    number_of = {name: number for number, name in enumerate(cover.option_names)}
    rolls = [[number_of[f"B{face}"] for face in roll] for roll in product(*DICE)]
    return int(np.count_nonzero(cover.solve_batch(given=np.array(rolls)).counts))


if __name__ == "__main__":
    for star in (False, True):
        print(f"star={star}: {n_solvable(star):,} rolls have a solution")
