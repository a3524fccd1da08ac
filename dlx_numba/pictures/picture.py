"""Pictures as data: what each option of a problem writes, and where."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from ..runtime.lazy import LazySequence
from ..runtime.text import Paint, unpainted
from .document import Svg
from .plane import Polygon

MAX_LENGTH = 100  # of a name that patterns match
PLAIN_WORDS = (  # of names that a picture has no words for
    (r"cell,(\d+),(\d+)", r"r\1c\2"),
    (r"([a-z]{3,}),(\w+)", r"\1 \2"),
    (r"(row|column|box),?(\w+),(\w+)", r"the \3 of \1 \2"),
)
VIEWS = "grid", "timetable", "graph", "table", "matrix"  # what a picture is found or drawn as


@dataclass(frozen=True)
class Picture(ABC):
    """A picture as data: what each option of a problem writes, and where.

    A picture is plain data: numbers, texts, and tuples of them, for which lists may be given.
    Subclasses are frozen dataclasses, one for each form of picture. The first field with marks has
    an entry for each option, in the order of the options.

    Parameters
    ----------
    title : str
        Plain text for screen readers.
    words : tuple of (pattern, text) or (pattern, text, rule), optional
        What sentences call the items and options whose whole name matches a regular expression, and
        why two options exclude each other that contain such an item. Texts may have the groups of
        the pattern: ``("row,([0-9]+)", r"row \\1", "a row has one star")``. Sentences do not
        mention what is called "". Names of more than 100 characters match no pattern.
    marked : tuple of int, optional
        Options that boards and timetables outline in red.
    """

    title: str
    words: Sequence[tuple[str, ...]] = field(default=(), kw_only=True)
    marked: tuple[int, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Replace lists, which may be given, by tuples."""
        for name, value in vars(self).copy().items():
            if isinstance(value, list):
                object.__setattr__(self, name, tuple(value))

    @abstractmethod
    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        """Return a cover, given by the numbers of its options, as lines of text.

        `paint` returns a text in a color of the palette, by its index, or as "given", "mark" or
        "dark".
        """

    @abstractmethod
    def svg(self, chosen: Iterable[int]) -> Svg:
        """Return a cover, given by the numbers of its options, as an SVG document."""

    def places(self, option: int) -> list[tuple[str, Polygon]]:
        """Return the labels and the outlines of the cells that an option marks, if any."""
        return []

    def words_for(self, name: str) -> tuple[str, ...]:
        """Return what sentences call an item or option, and its rule, as far as they are known.

        >>> from .grid import Grid
        >>> Grid("Stars", words=(("row,(.)", r"row \\1", "a row has one star"),)).words_for("row,2")
        ('row 2', 'a row has one star')
        """
        if len(name) > MAX_LENGTH:
            return ()
        # The first words that match: patterns are tried in order, literal names are looked up.
        literal, patterns = self._patterns
        matching = (number for number, pattern in patterns if pattern.fullmatch(name))
        words = (*self.words, *PLAIN_WORDS)
        first = min(next(matching, len(words)), literal.get(name, len(words)))
        for pattern, *texts in words[first : first + 1]:  # none if nothing matches
            if match := re.fullmatch(pattern, name):
                return tuple(map(match.expand, texts))
        return ()

    def in_words(self, text: str) -> str:
        """Return a text with words for the quoted names that are known.

        >>> from .grid import Grid
        >>> Grid("Sudoku").in_words("`cell,1,2` has no option\\n`a` and `row,1,9` have 3 options")
        'r1c2 has no option\\n`a` and the 9 of row 1 have 3 options'
        """

        def name(match: re.Match[str]) -> str:
            words = self.words_for(match[1])
            return words[0] if words and words[0] else match[0]

        return re.sub("`([^`]*)`", name, text)

    @cached_property
    def _patterns(self) -> tuple[dict[str, int], list[tuple[int, re.Pattern[str]]]]:
        """The first position of each literal name among the words, and that of each pattern."""
        words = enumerate((*self.words, *PLAIN_WORDS))
        numbered = [(number, pattern) for number, (pattern, *_) in words]
        # Reversed, so that the first of several equal names remains
        literal = {p: number for number, p in reversed(numbered) if p == re.escape(p)}
        return literal, [(number, re.compile(p)) for number, p in numbered if p not in literal]

    def to_json(self) -> dict[str, Any]:
        """Return the picture as an object of JSON, from which `picture_from_json` restores it."""
        content: dict[str, Any] = {"form": type(self).__name__.lower()}
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if value != parameter.default:
                content[parameter.name] = [*value] if isinstance(value, LazySequence) else value
        return content
