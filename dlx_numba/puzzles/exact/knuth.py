"""Exact cover problems in the text format of Knuth's programs DLX1 to DLX5, also with weights."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator
from itertools import islice
from typing import Any

from ...cover.costs import count_if_unclear, whole_costs
from ...cover.encode import Formulation
from ...cover.names import Names, as_text, decode_option
from ...cover.spelling import simplify_names, suggest
from ...kernels.problem import Problem
from .notation import (
    HEAD_LENGTH,
    TextLines,
    add_free_items,
    distinct_texts,
    multiplicity_prefixes,
    parse_items,
)

N_EXAMINED = 64  # lines that show whether a text is plainly in the format
_COMMENT_MARK = "|"
_OTHER_MARKS = "#", "%", "//"  # words that start the comments of other programs
_COST = re.compile(r"\|[0-9]+")
_TOTAL = re.compile(r"([^\s:|\[\]=]+)\[([0-9]+):([0-9]+)\]")  # no item: they have no colon
_WEIGHT = re.compile(r"([^\s:|=]+)(?:=([0-9]+))?")


def is_plain(text: str) -> bool:
    r"""Return whether the first lines of a text are plainly items and options.

    The items are distinct, and most of the other lines are options. Bars or colons mark costs,
    colors or multiplicities; or the name of an item has a letter, and the options are not all as
    long as the line of items, as in a grid.

    >>> texts = "a b\na\n", "a b\nb a\n", "1 2\n1\n", "A: 1\nB: 2\n", "1 2 a\n1 c\n1 2\n"
    >>> [is_plain(text) for text in texts]
    [True, False, False, False, True]
    """
    head = text[:HEAD_LENGTH]
    lines = islice(_without_sizes(TextLines(head, "", _COMMENT_MARK), head), N_EXAMINED)
    rows = map(str.split, lines)
    titles = next((row for row in rows if row[0] not in _OTHER_MARKS), [])
    try:
        items = _parse_titles(titles)
    except ValueError:
        return False
    names = [*(items.items or ()), *items.secondary, *(items.totals or ())]
    options = [row for row in rows if row[0] not in _OTHER_MARKS or row[0] in names]
    n_valid = sum(_is_option(row, items) for row in options)
    is_grid = len(names) > 1 and all(len(row) == len(names) for row in options)
    has_marks = any("|" in word or ":" in word for row in (titles, *options) for word in row)
    is_own = has_marks or (any(map(str.isalpha, "".join(names))) and not is_grid)
    return is_own and 2 * n_valid >= max(len(options), 1)


def _is_option(tokens: list[str], formulation: Formulation) -> bool:
    """Return whether the words of a line are an option of the formulation."""
    secondary = {*formulation.secondary}
    try:
        _parse_option(
            tokens, {*(formulation.items or ()), *secondary}, secondary, formulation.totals or ()
        )
    except ValueError:
        return False
    return True


def parse_knuth(text: str, source: str = "<text>") -> Formulation:
    r"""Parse a problem in Knuth's text format.

    The first line lists the items, and each of the following lines an option. Lines that start
    with ``|`` are comments; so are those that start with the word ``#``, ``%`` or ``//``, unless it
    is an item. Empty lines are ignored. The numbers of items and options may precede them.

    ===================  ============  ===================================================
    Token                Lines         Meaning
    ===================  ============  ===================================================
    ``|``                items         The items after it are secondary.
    ``high|item``        items         The primary item is covered exactly `high` times.
    ``low:high|item``    items         The primary item is covered `low` to `high` times.
    ``item:color``       options       The secondary item has that color.
    ``|cost``            options       The cost is added to that of the option.
    ``item[low:high]``   items         The sum of the weights of the item has these limits.
    ``item=weight``      options       The weight of such an item, which is 1 by default.
    ===================  ============  ===================================================

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
    >>> problem = parse_knuth("| a comment\na b | c\na c\nb")
    >>> problem.items, problem.secondary, problem.options
    (['a', 'b'], ['c'], [['a', 'c'], ['b']])
    >>> problem = parse_knuth("1:2|a | c\na c:x |4\na c:y")
    >>> problem.options, problem.multiplicity, problem.costs
    ([['a', ('c', 'x')], ['a', ('c', 'y')]], {'a': (1, 2)}, [4, 0])
    >>> problem = parse_knuth("a[2:3] b\na=2 b\na b\n")
    >>> problem.options, problem.totals
    ([[('a', 2), 'b'], [('a', 1), 'b']], {'a': (2, 3)})
    """
    with TextLines(text, source, _COMMENT_MARK) as lines:
        return _parse_lines(iter(_without_sizes(lines, text)))


def _without_sizes(lines: TextLines, text: str) -> Iterable[str]:
    """Return lines without a first one that has the numbers of items and options.

    It has these if as many items and options follow, and one of the items is neither of the two
    numbers. A word that could be the cost of an option does not count as such an item.
    """
    rows = map(str.split, TextLines(text, "", _COMMENT_MARK))
    sizes, titles = [*islice(rows, 2), [], []][:2]
    items = [word for word in titles if word != "|"]
    names = {word for word in items if not _COST.fullmatch(word)}
    if len(sizes) != 2 or not all(map(str.isdecimal, sizes)) or names <= {*sizes}:
        return lines
    if int(sizes[0]) != len(items) or int(sizes[1]) != sum(1 for _ in rows):
        return lines
    return islice(lines, 1, None)


def _parse_lines(lines: Iterator[str]) -> Formulation:
    """Return the problem that lines without comments contain, or raise ValueError."""
    options: list[list[Any]] = []
    costs: list[int | None] = []
    token_lines = map(str.split, lines)
    titles = next((row for row in token_lines if row[0] not in _OTHER_MARKS), None)
    if titles is None:
        raise ValueError("the line of items is missing")
    formulation = _parse_titles(titles)
    secondary = set(formulation.secondary)
    totals = formulation.totals or {}
    items = {*(formulation.items or ()), *secondary}
    for tokens in token_lines:
        # Fast path: an option of plain item names needs no parsing.
        option = list[Any](tokens)
        cost = None
        if not items.issuperset(tokens) or len(set(tokens)) < len(tokens):
            if tokens[0] in _OTHER_MARKS and tokens[0] not in items and tokens[0] not in totals:
                continue
            option, cost = _parse_option(tokens, items, secondary, totals)
        options.append(option)
        costs.append(cost)
    formulation = formulation._replace(options=options)
    if any(cost is not None for cost in costs):
        formulation = formulation._replace(costs=[cost or 0 for cost in costs])
    return add_free_items(formulation) if totals else formulation


def _parse_titles(tokens: list[str]) -> Formulation:
    """Return the items, their multiplicities and the totals, or raise ValueError."""
    totals: dict[str, tuple[int, int]] = {}
    for match in filter(None, map(_TOTAL.fullmatch, tokens)):
        if match[1] in totals or int(match[2]) > int(match[3]):
            raise ValueError(f"invalid limits {match[0]!r}: expected a new item, and low <= high")
        totals[match[1]] = int(match[2]), int(match[3])
    # A bar, alone or before a word, separates the secondary items.
    names = " ".join(token for token in tokens if _TOTAL.fullmatch(token) is None)
    primary, *others = re.split(r"(?:^| )\|(?: |$)?", names)
    if len(others) > 1:
        raise ValueError("more than one '|' in the line of items")
    titles = [(token, False) for token in primary.split()]
    titles += [(token, True) for token in "".join(others).split()]
    for token, _ in titles:
        name = token.rpartition("|")[2]
        if not name or ":" in name:
            raise ValueError(f"invalid item {token!r}: the name is empty or contains ':'")
    formulation = parse_items(titles, str)
    for name in (*(formulation.items or ()), *formulation.secondary):
        if name in totals:
            raise ValueError(f"item {name!r} is given twice")
    return formulation._replace(totals=totals or None)


def _parse_option(
    tokens: list[str], items: set[Hashable], secondary: set[Hashable], totals: Collection[Hashable]
) -> tuple[list[Any], int | None]:
    """Return the entries of an option, and its cost, which is None if no cost is given.

    An entry is an item, a pair (item, color), or a pair (total, weight). Several costs are added.
    Raises ValueError for an invalid option.
    """
    option: list[Any] = []
    cost = None
    seen: set[str] = set()
    for token in tokens:
        if token.startswith("|"):
            if not _COST.fullmatch(token):
                raise ValueError(f"invalid cost {token!r}: expected '|' and a nonnegative integer")
            cost = (cost or 0) + int(token[1:])
            continue
        item, colon, color = token.partition(":")
        entry: Any = (item, color) if colon else item
        if (weight := _WEIGHT.fullmatch(token)) is not None and weight[1] in totals:
            item = weight[1]
            entry = (weight[1], int(weight[2] or 1))
        elif item not in items:
            reason = f"unknown item {item!r}: the first line lists all items"
            raise ValueError(reason + suggest(item, simplify_names(items)))
        if item in seen:
            raise ValueError(f"item {item!r} appears twice in the option")
        if colon and item not in secondary:
            raise ValueError(f"item {item!r} is primary, so it cannot have a color: {token!r}")
        if colon and not color:
            raise ValueError(f"the color after ':' is missing: {token!r}")
        seen.add(item)
        option.append(entry)
    return option, cost


def format_knuth(problem: Problem, names: Names) -> str:
    """Return a problem in Knuth's text format, as `parse_knuth` reads it.

    Parameters
    ----------
    problem : Problem
    names : Names
        Names and colors that are not strings are converted by `as_text`. The format has no names of
        options, so they are left out.

    Raises
    ------
    ValueError
        If the format cannot represent the problem: it has no primary item, an empty option, an
        invalid name of an item or color, two items or two colors that are equal as text, or other
        costs than nonnegative integers.
    """
    problem.reject_totals("Knuth's format")
    if not problem.n_primary:
        raise ValueError("a problem without primary items cannot be written in Knuth's format")
    if as_text(names.items[0]) in _OTHER_MARKS:
        raise ValueError(f"item {names.items[0]!r} would start a comment in Knuth's format")
    for noun, marks, named in (("item", r"[\s:|]", names.items), ("color", r"\s", names.colors)):
        for name, text in zip(named, distinct_texts(named, f"{noun}s"), strict=True):
            if not text or re.search(marks, text):
                reason = "it is empty or contains whitespace"
                if noun == "item":
                    reason += ", ':' or '|'"
                raise ValueError(f"{noun} {name!r} cannot be written in Knuth's format: {reason}")
    texts = list(map(as_text, names.items))
    titles = list(map(str.__add__, multiplicity_prefixes(problem), texts))
    if problem.n_secondary:
        titles += ["|", *texts[problem.n_primary :]]
    lines = [" ".join(titles)]
    if not names.is_packing:  # values cannot be written
        problem, names = count_if_unclear(problem, names)
    costs = whole_costs(problem, names)
    for number in range(problem.n_options):
        option = decode_option(problem, names, number)
        if not option:
            raise ValueError(f"option {number} is empty and cannot be written in Knuth's format")
        words = ([item] if color is None else [item, color] for item, color in option)
        tokens = [":".join(map(as_text, word)) for word in words]
        # If all costs are 0, the first one is written, which says that there are costs.
        if costs is not None and (costs[number] or not (any(costs) or number)):
            tokens.append(f"|{costs[number]}")
        lines.append(" ".join(tokens))
    return "\n".join(lines) + "\n"
