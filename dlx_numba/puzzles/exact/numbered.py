"""Problems whose items are numbers: formats of the literature on counting and set partitioning."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from ...cover.costs import whole_costs
from ...cover.encode import Formulation
from ...cover.names import Names
from ...kernels.problem import Problem
from ...runtime.text import plural
from .notation import TextLines, check_distinct

MAX_ITEMS = 10_000_000  # given by a file; protects against absurd numbers in damaged files
_MAX_DIGITS = 18
N_EXAMINED = 3  # lines that show whether options have their own lines, and costs
_SIZES = "the number of items", "the number of options"


def parse_ec(text: str, source: str = "<text>") -> Formulation:
    r"""Parse a problem in the format ``p ec``, which resembles the DIMACS formats.

    The line ``p ec N`` gives the number of items, which are numbered from 1. Each option is a line
    ``s i1 i2 ...``. Lines whose first word is ``c`` are comments; empty lines are ignored.

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
    options: list[list[int]] = []
    with TextLines(text, source) as lines:
        rows = (words for words in map(str.split, lines) if words[0] != "c")
        expected = "'p ec' and the number of items"
        words = next(rows, [])
        if words[:2] != ["p", "ec"]:
            raise ValueError(f"expected {expected}")
        [n_items] = _parse_sizes(words[2:], [expected])
        items = range(1, n_items + 1)
        for words in rows:
            if words[0] != "s":
                raise ValueError(f"expected 's' and the items of an option, not {words[0]!r}")
            options.append(_checked(_parse_numbers(words[1:]), items))
    return Formulation(options, items)


def parse_orlib(text: str, source: str = "<text>") -> Formulation:
    r"""Parse a set partitioning or set covering problem of the OR-Library, or one without costs.

    The first line is ``items options``, the numbers of both; items are numbered from 1. In a set
    partitioning problem, each option is a line ``cost k i1 ... ik``: its cost, the number of its
    items, and its items. Without costs, it is a line ``k i1 ... ik``. In a set covering problem,
    the costs of all options follow the first line, and then for each item the number of its options
    and these options, on lines of any length. The first three of these lines decide. If these may
    have costs or not, all lines decide; if all may, they have costs.

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
    >>> problem = parse_orlib("3 2\n2 1 3\n1 2\n")
    >>> list(problem.items), problem.options
    ([1, 2, 3], [[1, 3], [2]])
    >>> problem = parse_orlib("3 2\n50 2 1 3\n40 1 2\n")
    >>> problem.options, problem.costs
    ([[1, 3], [2]], [50, 40])
    >>> problem = parse_orlib("3 2\n50 40\n1\n1\n2\n1 2\n1 1\n")
    >>> problem.options, problem.costs, problem.multiplicity
    ([[1, 2, 3], [2]], [50, 40], (1, None))
    """
    with TextLines(text, source) as lines:
        rows = [(lines.number, line.split()) for line in lines] or [(1, [])]
        (lines.number, first), *numbered = rows  # errors in the sizes name the first line
        n_items, n_options = _parse_sizes(first, _SIZES)
        items = range(1, n_items + 1)
        written = [words for _, words in numbered]
        # The place of the number of items in a line: 1 after a cost, 0 without costs; None for set
        # covering, also if each cost has a line of its own.
        heads = written[:n_options]
        has_cost_lines = len(written) > n_options and {*map(len, heads)} == {1}
        place = None if has_cost_lines else _count_place(written)
        if place == 1 and _fits(written, 0):
            notice = "each line is read as a cost, a number of items, and these"
            lines.warn(f"{notice}; without costs, it would be valid, too")
        if place is None:
            return _parse_covering(numbered, lines, items, n_options)
        options: list[list[int]] = []
        costs: list[int] = []
        for _, words in lines.follow(numbered):
            values = _parse_numbers(words)
            costs += values[:place]
            n_expected, *option = values[place:] or [1]  # a row without a number has no option
            if len(option) != n_expected:
                expected = plural(n_expected, "item")
                raise ValueError(f"the option should have {expected}, but has {len(option):,}")
            options.append(_checked(option, items))
        if len(options) != n_options:
            found = plural(len(options), "option")
            raise ValueError(f"{found} found, but the first line says {n_options:,}")
    return Formulation(options, items, costs=costs or None)


def _parse_covering(
    rows: list[tuple[int, list[str]]], lines: TextLines, items: range, n_options: int
) -> Formulation:
    """Return the set covering problem in numbered lines, or raise ValueError."""
    values = (number for _, words in lines.follow(rows) for number in _parse_numbers(words))
    costs = list(islice(values, n_options))
    options: list[list[int]] = [[] for _ in costs]
    for item in items:
        size = next(values, 1)  # if the text has ended, the next test finds this option missing
        members = list(islice(values, size))
        if len(members) < size:
            raise ValueError(f"the text ends before the options of item {item}")
        if min(members, default=1) < 1 or max(members, default=1) > n_options:
            raise ValueError(f"item {item} has an option that is not from 1 to {n_options:,}")
        check_distinct(members, f"item {item}: option")
        for member in members:
            options[member - 1].append(item)
    if next(values, None) is not None:
        raise ValueError("more numbers than the first line says")
    return Formulation(options, items, multiplicity=(1, None), costs=costs)


def format_orlib(problem: Problem, names: Names) -> str:
    r"""Return a set partitioning or set covering problem in the format of the OR-Library.

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
    >>> problem = ExactCover([["a", "c"], ["b"]], list("abc"), costs=[5, 4])
    >>> print(problem.write(kind="orlib"), end="")
    3 2
    5 2 1 3
    4 1 2
    """
    problem.reject_totals("the format of the OR-Library")
    costs = whole_costs(problem, names)
    low = problem.lows
    high = problem.highs
    is_partitioning = bool(np.all(low == 1) and np.all(high == 1))
    is_covering = bool(np.all(low == 1) and np.all(high >= problem.primary_sizes))
    if problem.n_secondary or not (is_partitioning or is_covering):
        raise ValueError(
            "the problem cannot be written in the format of the OR-Library: each "
            "item must be covered exactly once, or each at least once"
        )
    if not costs:
        raise ValueError("the format of the OR-Library has a cost of each option")
    lines: list[list[int]] = [[problem.n_primary, problem.n_options]]
    # A row has the items of an option, or, of set covering, the options of an item.
    pairs = problem.option_of_node(), problem.items
    rows: list[list[int]] = [[] for _ in (costs if is_partitioning else low)]
    for k, member in zip(*(pairs if is_partitioning else pairs[::-1]), strict=True):
        rows[k].append(int(member) + 1)
    if is_partitioning:
        lines += [[cost, len(row), *sorted(row)] for cost, row in zip(costs, rows, strict=True)]
    else:
        # A line with all costs could look like an option. Then each cost has a line of its own.
        is_ambiguous = _count_place([list(map(str, costs))]) is not None
        lines += [[cost] for cost in costs] if is_ambiguous else [costs]
        lines += [[len(row), *row] for row in rows]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


def _count_place(rows: list[list[str]]) -> int | None:
    """Return the place in each row that says how many items follow it, if any does.

    This is 1 after costs, and 0 without. If both may be, it is 1.

    >>> _count_place([["2", "1", "3"], ["1", "2"]]), _count_place([["50", "2", "1", "3"]])
    (0, 1)
    >>> _count_place([["3", "2", "1", "3"], ["2", "1", "2"]])
    1
    """
    fitting = [place for place in (1, 0) if _fits(rows[:N_EXAMINED], place)]
    if len(fitting) > 1:
        fitting = [place for place in fitting if _fits(rows, place)] or fitting
    return next(iter(fitting), None)


def _fits(rows: list[list[str]], place: int) -> bool:
    """Return whether the word at a place of each row is the number of those after it."""
    return all(row[place : place + 1] == [str(len(row) - place - 1)] for row in rows)


def _parse_sizes(words: list[str], expected: Sequence[str]) -> list[int]:
    """Return the numbers in a first line, of items and others, or raise ValueError."""
    if len(words) != len(expected):
        raise ValueError(f"expected {' and '.join(expected)}")
    sizes = _parse_numbers(words)
    check_count(sizes[0], "items")
    return sizes


def check_count(number: int, noun: str) -> None:
    """Raise ValueError if a file gives an absurd number of items."""
    if number > MAX_ITEMS:
        raise ValueError(f"{number:,} {noun} are more than the maximum of {MAX_ITEMS:,}")


def _checked(option: list[int], items: range) -> list[int]:
    """Return an option, or raise ValueError here, where the line is known."""
    for item in (min(option), max(option)) if option else ():
        if item not in items:
            raise ValueError(
                f"item {item} is unknown: expected {plural(len(items), 'item')}, numbered "
                f"from {items.start}"
            )
    check_distinct(option)
    return option


def _parse_numbers(words: Sequence[str]) -> list[int]:
    """Return the numbers, or raise ValueError if a word is not a nonnegative integer."""
    for word in words:
        if not (word.isascii() and word.isdigit()):
            raise ValueError(f"expected a nonnegative integer, not {word[:40]!r}")
        if len(word) > _MAX_DIGITS:
            raise ValueError(f"the number {word[:_MAX_DIGITS]}... is too large")
    return list(map(int, words))
