"""Puzzles of a level: those that need a step, and none harder."""

import numpy as np
from numpy.typing import NDArray

from ...kernels.deduce.rate import GUESS, HARDEST
from ..engines.classify import EXPERT, INTERMEDIATE
from ..levels import CHAIN_NAME, PLAIN_LEVELS, TECHNIQUES, score_boards

LAST_CLASSIFIED = TECHNIQUES.index("hidden pair")  # qqwing guesses where harder steps are needed


def class_of(level: str) -> int:
    """Return the class of the puzzles of a level.

    >>> class_of("naked single"), class_of("pointing"), class_of("X-wing")
    (1, 3, 4)
    """
    position = TECHNIQUES.index(level)
    return EXPERT if position > LAST_CLASSIFIED else min(INTERMEDIATE, 1 + position)


def has_level(boards: NDArray[np.uint8], level: str) -> NDArray[np.bool_]:
    """Return whether each board with one solution needs a step of a level, and none harder."""
    ratings = np.empty((len(boards), 3), np.int64)
    score_boards(boards, ratings, level)
    hardest, names = ratings[:, HARDEST], [each.name for each in PLAIN_LEVELS]
    is_chain = (hardest >= len(names)) & (hardest < GUESS) & (level == CHAIN_NAME)
    return is_chain | np.isin(hardest, [k for k, name in enumerate(names) if name == level])
