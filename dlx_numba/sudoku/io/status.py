"""What is said of a puzzle, once it has been solved or not."""

import numpy as np
import numpy.typing as npt

SOLVED, UNIQUE, MULTIPLE, NONE, UNFINISHED, UNREADABLE = STATUSES = (
    "solved",  # it has a solution; whether there are others was not asked
    "unique",
    "multiple",
    "none",
    "unfinished",  # the search was stopped before its end
    "unreadable",  # no board could be read
)


def status_codes(
    counts: npt.NDArray[np.int64], limit: int | None, checked: bool = True
) -> npt.NDArray[np.uint8]:
    """(N,) the status of each puzzle, as an index of `STATUSES`.

    `counts` (N,) are solutions found, at most `limit`, and -1 where the search was stopped. Unless
    `checked`, one solution is not told to be the only one.

    >>> [STATUSES[code] for code in status_codes(np.array([1, 2, 0, -1]), limit=2)]
    ['unique', 'multiple', 'none', 'unfinished']
    >>> [STATUSES[code] for code in status_codes(np.array([1]), limit=1)]
    ['solved']
    """
    one = UNIQUE if checked and limit != 1 else SOLVED
    of_count = [STATUSES.index(status) for status in (UNFINISHED, NONE, one, MULTIPLE)]
    return np.take(np.array(of_count, np.uint8), np.minimum(counts, 2) + 1)
