"""Covers as text: by the numbers of their options, by the names of their items, or as JSON."""

from collections.abc import Iterable

from ..kernels.problem import Problem
from ..runtime.arguments import check_choice
from ..runtime.choices import COVER_STYLES
from ..runtime.json import dump_json
from ..runtime.text import plural
from .names import (
    Names,
    as_integer,
    decode_option,
    json_entry,
    json_name,
    names_of,
)
from .penalties import exact_cost, list_missing, user_cost
from .words import call_items


def summarize(problem: Problem) -> str:
    """Return the size of a problem."""
    items = plural(problem.n_primary, "item")
    if problem.n_secondary:
        items += f" to cover, {problem.n_secondary:,} optional"
    entries = plural(len(problem.items), "entry", "entries")
    return f"{plural(problem.n_options, 'option')}, {items}, {entries}"


def has_names(names: Names) -> bool:
    """Return whether options or items have names, unlike those of a matrix."""
    return names.has_options or any(as_integer(item) is None for item in names.items)


def format_cover(
    problem: Problem,
    names: Names,
    solution: Iterable[int],
    style: str = "numbers",
    start: int = 0,
    *,
    is_for_people: bool = False,
) -> str:
    """Return a cover, and its cost if options have costs, as one line of text without a line end.

    Parameters
    ----------
    problem, names
        The problem.
    solution : iterable of int
        The numbers of its options.
    style : {"numbers", "names", "json"}
        Whether to write the numbers of the options; their names, or the names of their items if no
        option of the problem has a name; or all of these as JSON.
    start : int
        The number of the first option.
    is_for_people : bool
        Whether to write the cost in parentheses.

    Raises
    ------
    ValueError
        If the style is unknown.

    Examples
    --------
    >>> from dlx_numba.cover.encode import encode_options
    >>> problem, names = encode_options([["a", ("s", "red")], ["b"]], None, ["s"])
    >>> for style in COVER_STYLES:
    ...     print(format_cover(problem, names, [0, 1], style))
    0 1
    a s:red; b
    {"options": [0, 1], "items": [["a", ["s", "red"]], ["b"]]}
    >>> named = names._replace(options=["Reykjavík, 64° N", 1])
    >>> format_cover(problem, named, [0, 1], "names")
    'Reykjavík, 64° N; 1'
    """
    check_choice("style", style, COVER_STYLES)
    options = list(solution)
    cost = None if problem.cost is None else user_cost(problem, names, options)
    # Items whose absence is an option of its own are not repeated: their options are in the text.
    missing = list_missing(problem, names._replace(n_uncovered=0), options)
    numbers = [number + start for number in options]
    # An option without a name is called by its number, which counts from `start`, too.
    labels = [k + start if names.options[k] == k else names.options[k] for k in options]
    if style == "json":
        record: dict[str, object] = {"options": numbers}
        if names.has_options:
            record["names"] = [json_name(label) for label in labels]
        entries = (decode_option(problem, names, k) for k in options)
        record["items"] = [[json_entry(*entry) for entry in option] for option in entries]
        if missing:
            record["uncovered"] = [[json_name(each.item), each.number] for each in missing]
        if cost is not None:
            record["cost"] = exact_cost(problem, names, options)
        return dump_json(record)
    if style == "names":
        text = names.join(labels if names.has_options else names_of(problem, names, options))
    else:
        text = " ".join(map(str, numbers))
    if cost is None:
        return text
    if not is_for_people:
        return f"{text} |{cost}"
    notes = [f"cost {cost:,}"]
    called = call_items(names, [item for item, _, _ in missing]) if missing else ()
    times = (plural(n, "time") for _, n, _ in missing)
    notes += map("{} missing {}".format, called, times)
    return f"{text} ({', '.join(notes)})"
