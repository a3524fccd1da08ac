"""Exact cover problems whose items are numbers: two text formats of the literature on counting."""

from collections.abc import Iterator, Sequence

from ...runtime.errors import FormatError, located
from ...runtime.text import plural
from ..encode import Statement
from .notation import content_lines

MAX_ITEMS = 10_000_000  # stated by a file; protects against absurd numbers in damaged files
_MAX_DIGITS = 18


def parse_ec(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem in the format ``p ec``, which resembles the DIMACS formats.

    The line ``p ec N`` states the number of items, which are numbered from 1. Each option is a line
    ``s i1 i2 ...``. Lines that begin with ``c`` are comments; empty lines are ignored.

    Parameters
    ----------
    text : str
        The problem.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not a valid problem; names the source and the line.

    Examples
    --------
    >>> problem = parse_ec("c a comment\np ec 3\ns 1 3\ns 2\n")
    >>> list(problem.items), problem.options
    ([1, 2, 3], [[1, 3], [2]])
    """
    lines = ((number, tokens) for number, tokens in _token_lines(text) if tokens[0] != "c")
    number, tokens = next(lines, (1, [""]))
    with located(source, number):
        if tokens[:2] != ["p", "ec"] or len(tokens) != 3:
            raise ValueError("expected 'p ec' and the number of items")
        n_items = _parse_size(tokens[2])
    options: list[list[int]] = []
    for number, tokens in lines:
        with located(source, number):
            if tokens[0] != "s":
                raise ValueError(f"expected 's' and the items of an option, not {tokens[0]!r}")
            options.append(_check_option(_parse_numbers(tokens[1:]), n_items))
    return Statement(options, range(1, n_items + 1))


def parse_counted(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem whose first line is ``items options``, the numbers of both.

    Each option is a line ``k i1 ... ik``: the number of its items, and its items. They are numbered
    from 1, or from 0 if an option has the item 0. Empty lines are ignored.

    Parameters
    ----------
    text : str
        The problem.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not a valid problem; names the source and the line.

    Examples
    --------
    >>> problem = parse_counted("3 2\n2 1 3\n1 2\n")
    >>> list(problem.items), problem.options
    ([1, 2, 3], [[1, 3], [2]])
    >>> parse_counted("2 1\n2 1 0\n").items
    range(0, 2)
    """
    lines = _token_lines(text)
    number, tokens = next(lines, (1, []))
    options: list[list[int]] = []
    extremes = set[int]()
    with located(source, number):
        if len(tokens) != 2:
            raise ValueError("expected the number of items and the number of options")
        n_items, n_options = _parse_size(tokens[0]), _parse_numbers(tokens[1:])[0]
    for number, tokens in lines:
        with located(source, number):
            if len(options) == n_options:
                raise ValueError(f"more options than the {n_options:,} that the first line states")
            n_expected, *option = _parse_numbers(tokens)
            if len(option) != n_expected:
                expected = plural(n_expected, "item")
                raise ValueError(f"the option states {expected}, but has {len(option):,}")
            extremes |= {0, n_items}.intersection(option)
            if len(extremes) == 2:
                reason = f"from 1 to {n_items}, or from 0 to {n_items - 1}"
                raise ValueError(f"items 0 and {n_items} both appear: items are numbered {reason}")
            options.append(_check_option(option, n_items, first=0 if 0 in extremes else 1))
    if len(options) < n_options:
        found = plural(len(options), "option")
        reason = f"{found} found, but the first line states {n_options:,}"
        raise FormatError(source, number, reason)
    first = 0 if 0 in extremes else 1
    return Statement(options, range(first, first + n_items))


def _token_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the tokens of each line that is not empty."""
    return ((number, line.split()) for number, line in content_lines(text))


def _parse_size(token: str) -> int:
    """Return a number of items, or raise ValueError."""
    [size] = _parse_numbers([token])
    if size > MAX_ITEMS:
        raise ValueError(f"{size:,} items are more than the maximum of {MAX_ITEMS:,}")
    return size


def _parse_numbers(tokens: Sequence[str]) -> list[int]:
    """Return the numbers, or raise ValueError if a token is not a nonnegative integer."""
    for token in tokens:
        if not (token.isascii() and token.isdigit()):
            raise ValueError(f"expected a nonnegative integer, not {token[:40]!r}")
        if len(token) > _MAX_DIGITS:
            raise ValueError(f"the number {token[:_MAX_DIGITS]}... is too large")
    return list(map(int, tokens))


def _check_option(option: list[int], n_items: int, first: int = 1) -> list[int]:
    """Return an option. Raises ValueError if an item is out of range or appears twice."""
    valid = range(first, first + n_items)
    if option and not (min(option) in valid and max(option) in valid):
        item = next(item for item in option if item not in valid)
        items = plural(n_items, "item")
        raise ValueError(f"item {item} is out of range: there are {items}, numbered from {first}")
    if len(set(option)) < len(option):
        item = next(item for k, item in enumerate(option) if item in option[:k])
        raise ValueError(f"item {item} appears twice in the option")
    return option
