"""The notation of names and multiplicities that several text formats share."""

import json
import re
from collections.abc import Callable, Hashable, Sequence

from ...runtime.errors import FormatError, located
from .named import NamedProblem, as_text, find_duplicate


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
    names: Sequence[Hashable], noun: str, text_of: Callable[[Hashable], str] = as_text
) -> list[str]:
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
    name_of_text: dict[str, Hashable] = {}
    for name in names:
        text = text_of(name)
        if text in name_of_text:
            other = name_of_text[text]
            raise ValueError(f"{noun} {other!r} and {name!r} are both written {text!r}")
        name_of_text[text] = name
    return list(name_of_text)


def quote_option_names(problem: NamedProblem, start: int = 0) -> list[str]:
    """Return the name or the number of each option as text for drawings and tables.

    Options are counted from `start`. A name that is just the number of its option is quoted.

    Examples
    --------
    >>> quote_option_names(NamedProblem([], [], [[], [], []], {}, None, None, ["S1", "1", 2]))
    ['S1', '"1"', '2']
    """
    labels = []
    for k, name in enumerate(problem.option_names or range(len(problem.options))):
        number = str(start + k)
        label = json.dumps(name) if name == number else quote_name(name)
        labels.append(number if name == k else label)
    return labels


def parse_option_names(
    texts: Sequence[str], lines: Sequence[int], source: str
) -> list[Hashable] | None:
    """Return the names of options, or None if no option has one.

    The number of an option, or an empty text, is not a name.

    Raises FormatError, which names the source and the line, if quotes are invalid or two options
    have the same name.

    Examples
    --------
    >>> parse_option_names(["S1", '"1"', "2", ""], [1, 2, 3, 4], "<text>")
    ['S1', '1', 2, 3]
    """
    names: list[Hashable] = []
    for number, text in enumerate(texts):
        with located(source, lines[number]):
            names.append(number if text in ("", str(number)) else unquote_name(text))
    if (k := find_duplicate(names)) is not None:
        raise FormatError(source, lines[k], f"a second option has the name {names[k]!r}")
    return None if names == list(range(len(names))) else names


def multiplicity_prefix(bounds: tuple[int, int] | None) -> str:
    """Return a multiplicity in Knuth's notation, as it precedes the name of the item.

    Examples
    --------
    >>> multiplicity_prefix((0, 2)), multiplicity_prefix((2, 2)), multiplicity_prefix((1, 1))
    ('0:2|', '2|', '')
    """
    low, high = bounds or (1, 1)
    return "" if low == high == 1 else f"{high}|" if low == high else f"{low}:{high}|"


def parse_bounds(bounds: str, token: str) -> tuple[int, int]:
    """Return the multiplicity (low, high) of an item, or raise ValueError, which shows `token`."""
    match = re.fullmatch(r"(?:([0-9]+):)?([0-9]+)", bounds)
    if match is None:
        raise ValueError(f"invalid multiplicity {token!r}: expected low:high|item or high|item")
    high = int(match[2])
    low = high if match[1] is None else int(match[1])
    if high == 0:
        raise ValueError(f"invalid multiplicity {token!r}: the upper bound is 0")
    if low > high:
        raise ValueError(f"invalid multiplicity {token!r}: the lower bound exceeds the upper bound")
    return low, high


def parse_item(text: str) -> tuple[str, tuple[int, int] | None]:
    """Return an item of a drawing or a table, and its multiplicity if it is stated.

    Raises ValueError if the text is not valid.

    Examples
    --------
    >>> parse_item("a"), parse_item("0:2|two words")
    (('a', None), ('two words', (0, 2)))
    """
    bounds, bar, name = text.rpartition("|")
    if not name:
        raise ValueError("the name of the item is missing")
    return unquote_name(name), parse_bounds(bounds, text) if bar else None
