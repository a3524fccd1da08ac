"""Write ratings as text: one output record per input record, in order."""

import numpy as np

from ...runtime.choices import CLASSES
from ..engines.classify import INVALID
from ..rating import Ratings
from .columns import Columns, insert_bad, join_columns, text_column
from .records import Records
from .write import Writer

_INVALID_REMARKS = {0: "no solution", 2: "several solutions"}  # by the number of solutions


def select(records: Records, ratings: Ratings, difficulty: str | None) -> tuple[Records, Ratings]:
    """Return the puzzles of a class, without bad records; all records if the class is None."""
    if difficulty is None:
        return records, ratings
    rows = np.flatnonzero(ratings.codes == CLASSES.index(difficulty))
    return records.take(rows, ()), ratings.take(rows)


def format_ratings(writer: Writer, records: Records, ratings: Ratings) -> bytes:
    """Return the text of a chunk with the ratings of its boards, in one of `RATING_STYLES`.

    Examples
    --------
    >>> import io
    >>> from .read import read_records
    >>> from ..rating import rate_boards
    >>> [records] = read_records(io.BytesIO(b"." * 81))
    >>> text = format_ratings(Writer("csv"), records, rate_boards(records.boards))
    >>> text.decode().split()[1][80:]
    '.,,invalid,,2,0,,,<stream>,1'
    """
    puzzles = records.alphabet.symbols_of(records.boards)
    if writer.style == "line":
        remarks = text_column(_remarks(ratings))
        return insert_bad(join_columns(puzzles, b" # ", remarks, b"\n"), records)
    solutions = records.alphabet.symbols_of(ratings.solutions)
    solutions[ratings.codes == INVALID] = 0
    columns: Columns = {
        "puzzle": puzzles,
        "solution": solutions,
        "difficulty": text_column(ratings.difficulty),
        "techniques": [tuple(text.split(", ")) if text else () for text in ratings.strings()],
        "count": ratings.counts,
        "givens": ratings.givens,
        "hardest": text_column(ratings.hardest),
        "score": ratings.scores,
    }
    return writer.format_table(records, columns | ratings.step_columns())


def _remarks(ratings: Ratings) -> list[str]:
    """Return the difficulty and the techniques of each puzzle, or why it is invalid."""
    details = ratings.strings()
    for row in np.flatnonzero(ratings.codes == INVALID).tolist():
        details[row] = _INVALID_REMARKS[int(ratings.counts[row])]
    return [
        f"{name}: {detail}" if detail else name
        for name, detail in zip(ratings.difficulty.tolist(), details, strict=True)
    ]
