"""Options whose items have weights, in an extension of Knuth's text format."""

import re
from typing import Any

from ...cover.encode import Statement
from .knuth import parse_item_line, parse_option
from .notation import Lines, add_free_items, first_lines

_COMMENT_MARK = "|"
_TOTAL = re.compile(r"([^\s:|\[\]=]+)\[([0-9]+):([0-9]+)\]")  # no item: Knuth's have no colon
_WEIGHT = re.compile(r"([^\s:|=]+)(?:=([0-9]+))?")


def looks_like_weighted(text: str) -> bool:
    """Return whether the first line states an item with limits of its weights.

    >>> looks_like_weighted("a[2:2] b\\na=2\\n"), looks_like_weighted("a b\\na\\n")
    (True, False)
    """
    head = " ".join(first_lines(text, 1, _COMMENT_MARK)).split()
    return any(map(_TOTAL.fullmatch, head))


def parse_weighted(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem whose items may have weights.

    The text is in Knuth's format. Moreover, `item[low:high]` in the line of items states limits of
    the sum of the weights of an item, and `item=2` in an option its weight, which is 1 by default.

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
    >>> problem = parse_weighted("a[2:3] b | c\na=2 b c:x\na b\n")
    >>> problem.options, problem.items, problem.secondary, problem.totals
    ([['b', ('c', 'x'), ('a', 2)], ['b', ('a', 1)]], ['b'], ['c'], {'a': (2, 3)})
    """
    options: list[list[Any]] = []
    costs: list[int] = []
    totals: dict[str, tuple[int, int]] = {}
    with Lines(text, source, _COMMENT_MARK) as lines:
        rows = map(str.split, lines)
        titles = list[str]()
        for token in next(rows, []):
            if (match := _TOTAL.fullmatch(token)) is None:
                titles.append(token)
            elif match[1] in totals or int(match[2]) > int(match[3]):
                raise ValueError(f"invalid limits {token!r}: expected a new item, and low <= high")
            else:
                totals[match[1]] = int(match[2]), int(match[3])
        statement = parse_item_line(titles)
        secondary = set(statement.secondary)
        items = {*(statement.items or ()), *secondary}
        for name in (name for name in totals if name in items):
            raise ValueError(f"item {name!r} is stated twice")
        for tokens in rows:
            weights = dict[str, int]()
            for token in tokens.copy():
                if (match := _WEIGHT.fullmatch(token)) and match[1] in totals:
                    if match[1] in weights:
                        raise ValueError(f"item {match[1]!r} appears twice in the option")
                    weights[match[1]] = int(match[2] or 1)
                    tokens.remove(token)
            option, cost = parse_option(tokens, items, secondary)
            options.append([*option, *weights.items()])
            costs.append(cost or 0)
    stated = statement._replace(options=options, costs=costs if any(costs) else None, totals=totals)
    return add_free_items(stated)
