"""Puzzles of a kind that is stated."""

from dlx_numba.puzzles.kind import load_kind
from dlx_numba.puzzles.records import parse_all
from dlx_numba.runtime.errors import FormatError


def parse_text(text, kind, name="<text>"):
    """Return the puzzles in a text, and exceptions in place of those that are malformed."""
    return [*parse_all(load_kind(kind), text, name)]


def parse_one(text, kind):
    """Return the only puzzle in a text. Raises FormatError if it is malformed."""
    [puzzle] = parse_text(text, kind)
    if isinstance(puzzle, FormatError):
        raise puzzle
    return puzzle
