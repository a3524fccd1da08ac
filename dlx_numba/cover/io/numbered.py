"""Problems whose items are numbers: formats of the literature on counting and set partitioning."""

from collections.abc import Sequence

import numpy as np

from ...kernels.problem import Problem
from ...runtime.errors import FormatError, located
from ...runtime.text import plural
from ..encode import Statement
from ..names import Names, find_duplicate
from .notation import content_lines, whole_costs

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
    lines = [(number, words) for number, words in _split_lines(text) if words[0] != "c"]
    number, words = lines[0] if lines else (1, [])
    with located(source, number):
        if words[:2] != ["p", "ec"] or len(words) != 3:
            raise ValueError("expected 'p ec' and the number of items")
        n_items = _parse_size(words[2])
    options: list[tuple[int, list[int]]] = []
    for number, words in lines[1:]:
        with located(source, number):
            if words[0] != "s":
                raise ValueError(f"expected 's' and the items of an option, not {words[0]!r}")
            options.append((number, _parse_numbers(words[1:])))
    return _state(options, range(1, n_items + 1), source)


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
    number, n_items, n_options, lines = _split_header(text, source)
    options: list[tuple[int, list[int]]] = []
    for number, words in lines:
        with located(source, number):
            n_expected, *option = _parse_numbers(words)
            if len(option) != n_expected:
                expected = plural(n_expected, "item")
                raise ValueError(f"the option states {expected}, but has {len(option):,}")
        options.append((number, option))
    _check_size(options, n_options, number, source)
    first = 0 if any(0 in option for _, option in options) else 1
    return _state(options, range(first, first + n_items), source)


def parse_orlib(text: str, source: str = "<text>") -> Statement:
    r"""Parse a set partitioning or set covering problem in the formats of the OR-Library.

    The first line is ``items options``, the numbers of both. In a partitioning problem, each option
    is a line ``cost k i1 ... ik``. In a covering problem, the costs of all options follow, and then
    for each item the number of its options and these options, on lines of any length.

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
    >>> problem = parse_orlib("3 2\n50 2 1 3\n40 1 2\n")
    >>> problem.options, problem.costs, problem.multiplicity
    ([[1, 3], [2]], [50, 40], None)
    >>> problem = parse_orlib("3 2\n50 40\n1\n1\n2\n1 2\n1 1\n")
    >>> problem.options, problem.costs, problem.multiplicity
    ([[1, 2, 3], [2]], [50, 40], (1, None))
    """
    number, n_items, n_options, lines = _split_header(text, source)
    if all(has_cost(words) for _, words in lines[:2]):
        rows: list[tuple[int, list[int]]] = []
        costs: list[int] = []
        for number, words in lines:
            with located(source, number):
                if not has_cost(words):
                    raise ValueError("expected a cost, the number of items, and these items")
                cost, _, *option = _parse_numbers(words)
            costs.append(cost)
            rows.append((number, option))
        _check_size(rows, n_options, number, source)
        return _state(rows, range(1, n_items + 1), source)._replace(costs=costs)
    values: list[int] = []
    line_of: list[int] = []
    for number, words in lines:
        with located(source, number):
            values += _parse_numbers(words)
        line_of += [number] * len(words)
    costs, begin = values[:n_options], n_options
    options: list[list[int]] = [[] for _ in costs]
    for item in range(1, n_items + 1):
        size = values[begin] if begin < len(values) else 1
        members = values[begin + 1 : begin + 1 + size]
        if len(members) < size:
            raise FormatError(source, number, f"the text ends before the options of item {item}")
        with located(source, line_of[begin]):
            if min(members, default=1) < 1 or max(members, default=1) > n_options:
                raise ValueError(f"item {item} has an option that is not from 1 to {n_options:,}")
            if (k := find_duplicate(members)) is not None:
                raise ValueError(f"option {members[k]} appears twice in item {item}")
        for member in members:
            options[member - 1].append(item)
        begin += 1 + size
    if begin < len(values):
        raise FormatError(source, line_of[begin], "more numbers than the first line states")
    return Statement(options, range(1, n_items + 1), multiplicity=(1, None), costs=costs)


def format_orlib(problem: Problem, names: Names) -> str:
    r"""Return a set partitioning or set covering problem, as `parse_orlib` reads it.

    Parameters
    ----------
    problem : Problem
    names : Names
        They are left out: the formats have numbers, in the same order.

    Raises
    ------
    ValueError
        If the items are not all to be covered exactly once, or all at least once, or if the options
        do not have costs that are nonnegative integers.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> print(ExactCover([["a", "c"], ["b"]], list("abc"), costs=[5, 4]).to_orlib(), end="")
    3 2
    5 2 1 3
    4 1 2
    """
    problem.reject_totals("the format of the OR-Library")
    costs, (_, low, high) = whole_costs(problem, names), problem.costs_and_bounds
    is_partitioning = bool(np.all(low == 1) and np.all(high == 1))
    sizes = np.bincount(problem.items, minlength=problem.n_items)[: problem.n_primary]
    is_covering = bool(np.all(low == 1) and np.all(high >= sizes))
    if problem.n_secondary or not (is_partitioning or is_covering):
        reason = "each item must be covered exactly once, or each at least once"
        raise ValueError(f"the problem cannot be written in the format of the OR-Library: {reason}")
    if not costs:
        raise ValueError("the format of the OR-Library states a cost of each option")
    lines: list[list[int]] = [[problem.n_primary, problem.n_options]]
    pairs = problem.option_of_node(), problem.items
    rows: list[list[int]] = [[] for _ in (costs if is_partitioning else sizes)]
    for k, member in zip(*(pairs if is_partitioning else pairs[::-1]), strict=True):
        rows[k].append(int(member) + 1)
    if is_partitioning:
        lines += [[cost, len(row), *sorted(row)] for cost, row in zip(costs, rows, strict=True)]
    else:
        is_ambiguous = has_cost(list(map(str, costs)))
        lines += [[cost] for cost in costs] if is_ambiguous else [costs]
        lines += [[len(row), *row] for row in rows]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def has_cost(words: Sequence[str]) -> bool:
    """Return whether words are a cost, the number of items, and as many items.

    >>> has_cost(["50", "2", "1", "3"]), has_cost(["2", "3", "1"])
    (True, False)
    """
    return len(words) > 1 and words[1] == str(len(words) - 2)


def _split_header(text: str, source: str) -> tuple[int, int, int, list[tuple[int, list[str]]]]:
    """Return the number of the first line, the two numbers on it, and the other lines."""
    (number, words), *lines = _split_lines(text) or [(1, [])]
    with located(source, number):
        if len(words) != 2:
            raise ValueError("expected the number of items and the number of options")
        return number, _parse_size(words[0]), _parse_numbers(words[1:])[0], lines


def _check_size(options: Sequence[object], n_options: int, number: int, source: str) -> None:
    """Raise FormatError for the last line unless there are as many options as stated."""
    if len(options) != n_options:
        found = plural(len(options), "option")
        raise FormatError(source, number, f"{found} found, but the first line states {n_options:,}")


def _split_lines(text: str) -> list[tuple[int, list[str]]]:
    """Return the number and the words of each line that is not empty."""
    return [(number, line.split()) for number, line in content_lines(text)]


def _parse_size(word: str) -> int:
    """Return a number of items, or raise ValueError."""
    [size] = _parse_numbers([word])
    if size > MAX_ITEMS:
        raise ValueError(f"{size:,} items are more than the maximum of {MAX_ITEMS:,}")
    return size


def _parse_numbers(words: Sequence[str]) -> list[int]:
    """Return the numbers, or raise ValueError if a word is not a nonnegative integer."""
    for word in words:
        if not (word.isascii() and word.isdigit()):
            raise ValueError(f"expected a nonnegative integer, not {word[:40]!r}")
        if len(word) > _MAX_DIGITS:
            raise ValueError(f"the number {word[:_MAX_DIGITS]}... is too large")
    return list(map(int, words))


def _state(options: list[tuple[int, list[int]]], items: range, source: str) -> Statement:
    """Return the problem of options, which follow the numbers of their lines."""
    for number, option in options:
        invalid = next((item for item in option if item not in items), None)
        if invalid is not None:
            known = f"there are {plural(len(items), 'item')}, numbered from {items.start}"
            raise FormatError(source, number, f"item {invalid} is out of range: {known}")
        if (k := find_duplicate(option)) is not None:
            raise FormatError(source, number, f"item {option[k]} appears twice in the option")
    return Statement([option for _, option in options], items)
