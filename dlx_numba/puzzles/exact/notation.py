"""The notation of lines, names and multiplicities that several text formats share."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar
from unicodedata import normalize

from ...cover.encode import Formulation
from ...cover.names import Names, as_text, find_duplicate
from ...kernels.problem import Problem
from ...runtime.errors import FormatError
from ...runtime.interrupts import is_from_handler

COMMENT_MARKS = ("#", "|")  # of most formats
HEAD_LENGTH = 1 << 20  # the characters that are examined to detect a format

NumberedT = TypeVar("NumberedT", bound=tuple[Any, ...])  # a line, and what was read there


Limits = tuple[int | None, int | None]  # the lowest and the highest value of a sum


class TextLines:
    r"""The lines of a text that are neither blank nor comments.

    In its block, a ValueError becomes a FormatError, which names the source and the current line.

    Parameters
    ----------
    text : str
        The text.
    source : str
        Its name for error messages.
    comment_marks : str or tuple of str, optional
        The starts of comments; by default, no line is one.

    Attributes
    ----------
    source, comment_marks
        The parameters.
    number : int
        The number of the current line, from 1. A reader sets it to report another line.

    Examples
    --------
    >>> lines = TextLines("# A\n\na b\n", "<text>", ("#", "|"))
    >>> [(lines.number, line) for line in lines]
    [(3, 'a b\n')]
    """

    def __init__(self, text: str, source: str, comment_marks: str | tuple[str, ...] = ()) -> None:
        self.source = source
        self._text = text
        self.comment_marks = comment_marks
        self.number = 1

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(io.StringIO(self._text, newline=None), 1):
            content = line.strip()
            if content and not content.startswith(self.comment_marks):
                self.number = number
                yield line

    def follow(self, rows: Iterable[NumberedT]) -> Iterator[NumberedT]:
        """Yield rows whose first elements are their lines, which are the current ones meanwhile."""
        for row in rows:
            self.number = row[0]
            yield row

    def __enter__(self) -> TextLines:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, FormatError):
            return
        if isinstance(error, ValueError) and not is_from_handler(error):
            raise self.error(self.number, str(error)) from None

    def error(self, number: int, reason: str) -> FormatError:
        """Return the error of a line to raise."""
        return FormatError(self.source, number, reason)

    def warn(self, notice: str, number: int | None = None) -> None:
        """Warn of how the text, or one of its lines, is read."""
        place = self.source if number is None else f"{self.source}:{number}"
        warnings.warn(f"{place}: {notice}", stacklevel=3)


def quote_name(name: object) -> str:
    r"""Return a name as text for drawings and tables.

    Text that would be confused with their notation becomes a JSON string without bars.

    Examples
    --------
    >>> quote_name(("row", 3)), quote_name("two words"), quote_name("a|b\n")
    ('row,3', 'two words', '"a\\u007cb\\n"')
    """
    text = as_text(name)
    is_plain = text.isprintable() and text == text.strip() != "" and not text.startswith(('"', "#"))
    if is_plain and "|" not in text and "…" not in text:
        return text
    return json.dumps(text).replace("|", "\\u007c")


def unquote_name(text: str) -> str:
    """Return the name that `quote_name` has written, or raise ValueError.

    Examples
    --------
    >>> unquote_name("row,3"), unquote_name('"a|b"')
    ('row,3', 'a|b')
    """
    if not text.startswith('"'):
        return text
    try:
        name = json.loads(text)
    except json.JSONDecodeError:
        name = None
    if not isinstance(name, str):
        raise ValueError(f"invalid quotes in the name {text}")
    return name


def distinct_texts(
    names: Sequence[Hashable], noun: str, text_of: Callable[[Hashable], Any] = as_text
) -> list[Any]:
    """Return the text of each name, or raise ValueError if two names have the same text.

    Parameters
    ----------
    names : sequence of hashable
        The names.
    noun : str
        What they are names of, in the plural, for the message.
    text_of : callable
        The function that converts a name to text.

    Examples
    --------
    >>> distinct_texts(["a", ("row", 3)], "items")
    ['a', 'row,3']
    """
    texts = list(map(text_of, names))
    if (k := find_duplicate(texts)) is not None:
        other = names[texts.index(texts[k])]
        raise ValueError(f"{noun} {other!r} and {names[k]!r} are both written {texts[k]!r}")
    return texts


def quote_option_names(names: Names, start: int = 0) -> list[str]:
    """Return the name or the number of each option as text for drawings and tables.

    Options are counted from `start`. A name that is just the number of its option is quoted.

    Examples
    --------
    >>> quote_option_names(Names([], [], ["S1", "1", 2]))
    ['S1', '"1"', '2']
    """
    labels = []
    for k, name in enumerate(names.options):
        number = str(start + k)
        label = json.dumps(name) if name == number else quote_name(name)
        labels.append(number if name == k else label)
    return labels


def add_option(options: dict[Hashable, Any], text: str, items: list[Any]) -> None:
    """Add an option by the name in a file. Its number, or an empty text, is not a name.

    Raises ValueError if quotes are invalid, or an option has this name.

    Examples
    --------
    >>> options = {}
    >>> for text in "S1", '"1"', "2", "":
    ...     add_option(options, text, [])
    >>> list(options)
    ['S1', '1', 2, 3]
    """
    number = len(options)
    name = number if text in ("", str(number)) else unquote_name(text)
    if name in options:
        raise ValueError(f"a second option has the name {name!r}")
    options[name] = items


def unless_numbered(options: dict[Hashable, Any]) -> Any:
    """Return options by their names, or as a list if none has a name but its number.

    >>> unless_numbered({0: ["a"], 1: ["b"]}), unless_numbered({"S1": ["a"], 1: ["b"]})
    ([['a'], ['b']], {'S1': ['a'], 1: ['b']})
    """
    is_numbered = all(name == k for k, name in enumerate(options))
    return [*options.values()] if is_numbered else options


def check_distinct(items: Sequence[Hashable], noun: str = "item") -> None:
    """Raise ValueError if an item appears twice."""
    if (k := find_duplicate(items)) is not None:
        raise ValueError(f"{noun} {items[k]!r} appears twice")


def find_universe(sets: Sequence[tuple[str, Collection[Hashable]]]) -> int | None:
    """Return the place of a set that contains all others, and has the name of a universe, if any.

    This is "universe", "U", "X" or "S", also as "𝒰".

    Examples
    --------
    >>> find_universe([("A", "a"), ("U", "ab")]), find_universe([("S1", "ab"), ("A", "a")])
    (1, None)
    """
    names = [normalize("NFKC", name).upper() for name, _ in sets]
    named = [k for k, name in enumerate(names) if name in ("U", "X", "S", "UNIVERSE")]
    items = {str(item) for _, elements in sets for item in elements} if named else set()
    return next((k for k in named if items.issubset(map(str, sets[k][1]))), None)


def add_free_items(formulation: Formulation) -> Formulation:
    """Return a formulation in which options without primary items can be chosen.

    Each of them gets an item of its own, which is covered at most once.

    Examples
    --------
    >>> add_free_items(Formulation([["a"], [("total", 2)]], ["a"], totals={"total": (0, 2)}))[:4]
    ([['a'], [('total', 2), 'option 1']], ['a', 'option 1'], (), {'option 1': (0, 1)})
    """
    options: Any = formulation.options
    known = {*(formulation.items or ()), *(formulation.totals or ())}
    free: list[Hashable] = []
    rows = options.items() if isinstance(options, dict) else enumerate(options)
    for name, row in rows:
        if known.isdisjoint(row):
            item = f"option {name}"
            while item in known:
                item += "#2"
            known.add(item)
            free.append(item)
            row.append(item)
    bounds: Any = formulation.multiplicity or {}
    bounds = bounds | dict.fromkeys(free, (0, 1))
    return formulation._replace(
        items=[*(formulation.items or ()), *free], multiplicity=bounds or None
    )


def multiplicity_prefixes(problem: Problem) -> list[str]:
    """Return the multiplicity of each primary item in Knuth's notation, which precedes its name."""
    bounds = problem.item_bounds[: problem.n_primary]
    texts = [f"{high}|" if low == high else f"{low}:{high}|" for low, high in bounds]
    return ["" if text == "1|" else text for text in texts]


def parse_items(
    titles: Iterable[tuple[str, bool]], read_name: Callable[[str], str] = unquote_name
) -> Formulation:
    """Return the items that a header lists, and their multiplicities, without options.

    Parameters
    ----------
    titles : iterable of (str, bool)
        The text of each item, and whether it is secondary.
    read_name : callable
        Returns the name that a text without a multiplicity represents, or raises ValueError.

    Raises
    ------
    ValueError
        If a title is invalid, or an item appears twice.

    Examples
    --------
    >>> parse_items([("a", False), ("0:2|two words", False), ("s", True)])[1:4]
    (['a', 'two words'], ['s'], {'two words': (0, 2)})
    """
    primary: list[str] = []
    secondary: list[str] = []
    multiplicity: dict[str, tuple[int, int]] = {}
    for title, is_secondary in titles:
        bounds, bar, text = title.removeprefix("|" if is_secondary else "").rpartition("|")
        if bar and is_secondary:
            raise ValueError(f"a secondary item cannot have a multiplicity: {title!r}")
        if not text:
            raise ValueError("the name of the item is missing")
        name = read_name(text)
        if bar:
            match = re.fullmatch(r"(?:([0-9]+):)?([0-9]+)", bounds)
            if match is None:
                expected = "expected low:high|item or high|item"
                raise ValueError(f"invalid multiplicity {title!r}: {expected}")
            low = int(match[1] or match[2])
            high = int(match[2])
            if low > high:
                expected = "must satisfy low <= high"
                raise ValueError(f"invalid multiplicity {title!r}: {expected}")
            multiplicity[name] = low, high
        (secondary if is_secondary else primary).append(name)
    check_distinct([*primary, *secondary])
    return Formulation([], primary, secondary, multiplicity)
