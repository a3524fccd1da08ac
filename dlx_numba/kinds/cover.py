"""Exact cover problems in any of the general formats."""

from collections.abc import Iterator

from .exact.read import parse_file
from .puzzle import EXACT_COVER, Puzzle

formats = "Knuth's format, matrices, tables, sets, JSON, YAML, MPS, LP, and numbered items"


def parse(text: str, source: str) -> Iterator[Puzzle]:
    """Yield the problem in a text."""
    yield Puzzle(EXACT_COVER, parse_file(text.encode(), source).statement, place=source)
