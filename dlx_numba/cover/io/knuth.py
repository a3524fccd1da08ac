"""Exact cover problems in the text format of Knuth's programs DLX1, DLX2, DLX3 and DLX5."""

import re
from collections import Counter
from collections.abc import Hashable
from itertools import islice

from ...runtime.errors import FormatError, located
from .named import NamedProblem, OptionEntry, as_text, split_entry
from .notation import distinct_texts, multiplicity_prefix, parse_bounds


def looks_like_knuth(text: str, n_lines: int | None = 2) -> bool:
    r"""Return whether the first lines, without comments, are valid and contain an option.

    If `n_lines` is None, all lines must be valid.

    Examples
    --------
    >>> looks_like_knuth("| a comment\na b\n\na\nc"), looks_like_knuth("a b\n")
    (True, False)
    """
    lines = (line[0] for line in re.finditer(r"[^\r\n]+", text))
    filled = (line for line in lines if line.strip() and not line.lstrip().startswith("|"))
    try:
        return bool(parse_knuth("\n".join(islice(filled, n_lines))).options)
    except FormatError:
        return False


def parse_knuth(text: str, source: str = "<text>") -> NamedProblem:
    r"""Parse a problem in Knuth's text format.

    The first line lists the items, and each of the following lines an option. Lines that start
    with ``|`` are comments; empty lines are ignored.

    ===================  ============  ===================================================
    Token                Lines         Meaning
    ===================  ============  ===================================================
    ``|``                items         The items after it are secondary.
    ``high|item``        items         The primary item is covered exactly `high` times.
    ``low:high|item``    items         The primary item is covered `low` to `high` times.
    ``item:color``       options       The secondary item has that color.
    ``|cost``            options       The cost is added to that of the option.
    ===================  ============  ===================================================

    Parameters
    ----------
    text : str
        The problem.
    source : str, optional
        Name of the text for error messages.

    Returns
    -------
    NamedProblem
        The problem; `lines` has the line number of each option.

    Raises
    ------
    FormatError
        If the text is not a valid problem; names the source and the line.

    Examples
    --------
    >>> problem = parse_knuth("| a comment\na b | c\na c\nb")
    >>> problem.primary, problem.secondary, problem.options, problem.lines
    (['a', 'b'], ['c'], [['a', 'c'], ['b']], [3, 4])
    >>> problem = parse_knuth("1:2|a | c\na c:x |4\na c:y")
    >>> problem.options, problem.multiplicity, problem.costs
    ([['a', ('c', 'x')], ['a', ('c', 'y')]], {'a': (1, 2)}, [4, 0])
    """
    token_lines = (
        (number, tokens)
        for number, line in enumerate(text.splitlines(), 1)
        if (tokens := line.split()) and not tokens[0].startswith("|")
    )
    number, item_tokens = next(token_lines, (1, None))
    if item_tokens is None:
        raise FormatError(source, number, "the line of items is missing")
    with located(source, number):
        primary, secondary, multiplicity = _parse_items(item_tokens)
    items, secondary_set = {*primary, *secondary}, set(secondary)
    options: list[list[OptionEntry]] = []
    lines: list[int] = []
    costs: list[int | None] = []
    for number, tokens in token_lines:
        # Fast path: an option of plain item names needs no parsing.
        option, cost = list[OptionEntry](tokens), None
        if not items.issuperset(tokens) or len(set(tokens)) < len(tokens):
            with located(source, number):
                option, cost = _parse_option(tokens, items, secondary_set)
        options.append(option)
        lines.append(number)
        costs.append(cost)
    option_costs = None if all(cost is None for cost in costs) else [cost or 0 for cost in costs]
    return NamedProblem(primary, secondary, options, multiplicity, option_costs, lines)


def _parse_items(
    tokens: list[str],
) -> tuple[list[str], list[str], dict[Hashable, tuple[int, int]]]:
    """Return primary items, secondary items and multiplicities, or raise ValueError."""
    names: list[str] = []
    multiplicity: dict[Hashable, tuple[int, int]] = {}
    n_primary = None
    for token in tokens:
        if token.startswith("|"):
            if n_primary is not None:
                raise ValueError("more than one '|' in the line of items")
            n_primary = len(names)
            token = token[1:]
            if not token:
                continue
        bounds, bar, name = token.rpartition("|")
        if bar:
            if n_primary is not None:
                raise ValueError(f"a secondary item cannot have a multiplicity: {token!r}")
            multiplicity[name] = parse_bounds(bounds, token)
        if not name or ":" in name:
            raise ValueError(f"invalid item {token!r}: the name is empty or contains ':'")
        names.append(name)
    name, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise ValueError(f"item {name!r} appears twice")
    n_primary = len(names) if n_primary is None else n_primary
    return names[:n_primary], names[n_primary:], multiplicity


def _parse_option(
    tokens: list[str], items: set[str], secondary: set[str]
) -> tuple[list[OptionEntry], int | None]:
    """Return the entries of an option and its cost or None, or raise ValueError."""
    option: list[OptionEntry] = []
    cost = None
    seen: set[str] = set()
    for token in tokens:
        if token.startswith("|"):
            if not re.fullmatch(r"\|[0-9]+", token):
                raise ValueError(f"invalid cost {token!r}: expected '|' and a whole number")
            cost = (cost or 0) + int(token[1:])
            continue
        item, colon, color = token.partition(":")
        if item not in items:
            raise ValueError(f"unknown item {item!r}")
        if item in seen:
            raise ValueError(f"item {item!r} appears twice in the option")
        seen.add(item)
        if not colon:
            option.append(item)
            continue
        if item not in secondary:
            raise ValueError(f"item {item!r} is primary, so it cannot have a color: {token!r}")
        if not color:
            raise ValueError(f"the color after ':' is missing: {token!r}")
        option.append((item, color))
    return option, cost


def format_knuth(problem: NamedProblem) -> str:
    """Return a problem in Knuth's text format, as `parse_knuth` reads it.

    Parameters
    ----------
    problem : NamedProblem
        Names and colors that are not strings are converted by `as_text`. The format has no names of
        options, so they are left out.

    Raises
    ------
    ValueError
        If the format cannot represent the problem: it has no primary item, an empty option, an
        invalid name of an item or color, or two names that are equal as text.

    Examples
    --------
    >>> options = [[("row", 1), ("s", "x")], ["b"]]
    >>> problem = NamedProblem([("row", 1), "b"], ["s"], options, {"b": (0, 1)}, [4, 0])
    >>> print(format_knuth(problem), end="")
    row,1 0:1|b | s
    row,1 s:x |4
    b
    """
    primary, secondary = list(problem.primary or ()), list(problem.secondary)
    if not primary:
        raise ValueError("a problem without primary items cannot be written in Knuth's format")
    items = [*primary, *secondary]
    item_texts = dict(zip(items, distinct_texts(items, "items"), strict=True))
    for name, text in item_texts.items():
        if not text or re.search(r"[\s:|]", text):
            reason = "its name is empty or contains whitespace, ':' or '|'"
            raise ValueError(f"item {name!r} cannot be written in Knuth's format: {reason}")
    item_tokens = []
    for name in primary:
        prefix = multiplicity_prefix(problem.multiplicity.get(name))
        item_tokens.append(prefix + item_texts[name])
    if secondary:
        item_tokens += ["|", *(item_texts[name] for name in secondary)]
    lines = [" ".join(item_tokens)]
    for number, option in enumerate(problem.options):
        if not option:
            raise ValueError(f"option {number} is empty and cannot be written in Knuth's format")
        entries = (split_entry(entry, item_texts) for entry in option)
        tokens = [_format_entry(item_texts[item], color) for item, color in entries]
        if problem.costs is not None and problem.costs[number]:
            tokens.append(f"|{problem.costs[number]}")
        lines.append(" ".join(tokens))
    return "\n".join(lines) + "\n"


def _format_entry(item_text: str, color: Hashable | None) -> str:
    """Return an item with its color, or raise ValueError if the color cannot be written."""
    if color is None:
        return item_text
    text = as_text(color)
    if not text or re.search(r"\s", text):
        reason = "it is empty or contains whitespace"
        raise ValueError(f"color {color!r} cannot be written in Knuth's format: {reason}")
    return f"{item_text}:{text}"
