"""Exact cover problems as JSON objects."""

import json
import re
import reprlib
from collections.abc import Hashable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from ...cover.encode import Statement
from ...cover.models import list_totals
from ...cover.names import Names, as_text, decode_option, json_entry, json_name
from ...cover.penalties import exact_costs, restore_bounds
from ...kernels.problem import Problem
from ...pictures.forms import picture_from_json
from ...pictures.picture import Picture
from ...runtime.arguments import check_integer
from ...runtime.errors import AmbiguousError, FormatError
from ...runtime.json import load_json, unique_keys
from .matrix import parse_matrix
from .notation import check_distinct, distinct_texts, find_universe, is_universe, starts_with_all

Limits = tuple[int | None, int | None]  # of the numbers of options and entries

# The shape of a JSON value: a type, a tuple of alternatives, a list of the shapes of elements or of
# the shape of all elements, or a dict with the shape of all values
_NAME, _NUMBER, _LIMIT = str | int, int | float, int | None
_ENTRIES = [(_NAME, [_NAME, _NAME])]
_NAMES = ([_NAME], type(None)), "a list of strings and integers"
_VALUES = ([_NUMBER], {"": _NUMBER}, type(None)), "a list or an object of numbers"
_COUNTS = {"": int}, "an object of integers"
_TOTAL = ([_LIMIT, _LIMIT], [([int], {"": int}), _LIMIT, _LIMIT])
_OF_ITEMS = "multiplicity", "at_most", "at_least", "exactly", "penalty"  # as in Statement
_BOARD = "puzzle"  # a key of Sudoku boards
_SYNONYMS = {"primary_items": "items", "secondary_items": "secondary", "rows": "options"}
_SETS = "subsets", "sets", "S"  # options beside a universe
_ROW_NAMES = "row_id", "id", "name"  # of an option that is an object with "items"
_ITEM_LISTS = re.compile(r"\s*[\[(]\s*[\[(]\s*(?:[\"'\w-][^\[\](){}:]*)?[\])]\s*[,\])]")
# Of such lists in a program
_OPTIONS_NAME = re.compile(
    r"(?i)\A\s*(?:const\s+|let\s+|var\s+)?(?:options|(?:sub)?_?sets|rows|S)\s*=\s*(?=[\[(])"
)
_HEAD = 1 << 12  # characters of lists that are examined
# Texts, brackets, and a comma before the end of a list
_PYTHON = re.compile(r"'([^'\\\n]*)'|\"(?:[^\"\\]|\\.)*\"?|[][(){}]|,(?=\s*[])}])")
MAX_PYTHON = 1 << 20  # characters of a value in Python, which takes longer to read
_KEYS: dict[str, tuple[Any, str]] = {
    "items": _NAMES,
    "secondary": _NAMES,
    "optional": _NAMES,
    "options": (([object], {"": object}), "a list or an object"),
    "multiplicity": ({"": (int, [int, int])}, "an object of integers and pairs [low, high]"),
    "at_most": _COUNTS,
    "at_least": _COUNTS,
    "exactly": _COUNTS,
    "costs": _VALUES,
    "maximize": _VALUES,
    "penalty": ({"": _NUMBER}, "an object of numbers"),
    "totals": ({"": _TOTAL}, "an object of [weights, low, high] or [low, high] in integers"),
    "given": _NAMES,
    "forbidden": _NAMES,
    "view": ((str, {"": object}), "a string or an object"),
}


def parse_json(
    text: str | bytes, source: str = "<text>", limits: Limits = (None, None)
) -> Statement:
    """Parse a problem from a JSON object, or from a dict as Python writes it.

    The object has the following keys, or is just the value of "options", an object. Only this key
    is required:

    - "options": a list of options, or an object that maps the names of the options to them. An
      option is a list of items, which are strings or integers; ``["item", "color"]`` is a secondary
      item with a color. An option has no name if its key is its number.
    - "items": a list of the primary items.
    - "secondary" or "optional": a list of the secondary items.
    - "multiplicity": an object that maps primary items to a number or to ``[low, high]``.
    - "exactly", "at_most", "at_least": objects that map primary items to a number.
    - "costs": a list of the costs of the options, or an object with the costs of some options. Its
      keys are those of "options", or, if that is a list, numbers or items such as ``"mon ann"``.
    - "maximize": the same with values to maximize, instead of costs.
    - "penalty": an object with the penalties of primary items that may stay uncovered.
    - "totals": an object that maps names to ``[weights, low, high]``, where the weights are stated
      as costs are, or to ``[low, high]`` if options have pairs ``["name", weight]``. Null is no
      limit.
    - "given" and "forbidden": lists of options, by number or by a key of "options".
    - "view": how to draw covers: a word, as for `ExactCover`, or an object that states what each
      option draws, such as ``{"form": "grid", "title": "Two cells", "marks": [[[[1, 1], "a"]],
      [[[1, 2], "b"]]]}``; see `dlx_numba.pictures`.

    The keys may also be "primary_items", "secondary_items" and "rows", or "universe" and "subsets",
    and an option an object of "items" and perhaps one of "row_id", "id" and "name". A list
    of such options, or of lists of items, is a problem, too, and an object with one list of rows of
    0 and 1 is a matrix.

    Parameters
    ----------
    text : str or bytes
        The JSON object; bytes are UTF-8.
    source : str, optional
        Name of the text for error messages.
    limits : pair of int or None, optional
        The largest number of options, and of entries in all options together.

    Raises
    ------
    FormatError
        If the text is not valid JSON; names the source and the line.
    ValueError
        If the JSON value is not a problem, is too large, or has a key twice; names the source.

    Examples
    --------
    >>> parse_json('{"options": [["a", ["s", "red"]], ["b"]], "secondary": ["s"]}')[:3]
    ({0: ['a', ('s', 'red')], 1: ['b']}, None, ['s'])
    >>> parse_json('{"S1": ["a"], "S2": ["b"]}').options
    {'S1': ['a'], 'S2': ['b']}
    """
    try:
        return parse_object(_load(text), limits)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.msg) from None
    except AmbiguousError as error:
        raise AmbiguousError(f"{source}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def looks_like_item_lists(text: str) -> bool:
    """Return whether a text starts with lists or tuples of names, not of rows of a matrix.

    >>> texts = '[["a"], [1, 2]]', "[(1, 3), (2,)]", "[[0, 1], [1, 0]]", '["101", "010"]'
    >>> [looks_like_item_lists(text) for text in texts]
    [True, True, False, False]
    """
    if (named := _OPTIONS_NAME.match(text)) is not None:
        text = text[named.end() :]
        lengths = {
            row.count(",") for row in re.findall(r"[^][()]*[^][()\s,][^][()]*", text[:_HEAD])
        }
        if len(lengths) == 1:  # rows of a board
            return False
    if _ITEM_LISTS.match(text) is None:
        return False
    words = {*re.split(r"[\s,()\[\]]+", text[:_HEAD])} - {""}
    return not words <= {*"012", "True", "False", "true", "false"}


def _load(text: str | bytes) -> Any:
    """Return a value in JSON, or in Python with lists for tuples; see `parse_json`."""
    try:
        return load_json(text)
    except json.JSONDecodeError:
        if isinstance(text, str) and len(text) <= MAX_PYTHON:
            with suppress(ValueError):
                return load_json(_as_json(_OPTIONS_NAME.sub("", text, count=1).rstrip("; \t\r\n")))
        raise


def _as_json(text: str) -> str:
    """Return a value that Python has written as JSON. Raises ValueError for tuples in rows.

    `ast.literal_eval` would need no conversion, but hostile texts crash Python 3.10 in it.

    >>> _as_json("[('a', 1), ('b',)]"), _as_json("{'S': ('a', 2), }")
    ('[["a", 1], ["b"]]', '{"S": ["a", 2] }')
    """
    depth = 0

    def convert(found: re.Match[str]) -> str:
        nonlocal depth
        token = found[0]
        if found[1] is not None:
            return json.dumps(found[1])
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if token == "(" and depth > 2:
            raise ValueError("a tuple is no item")
        return {"(": "[", ")": "]", ",": ""}.get(token, token)

    return _PYTHON.sub(convert, text)


def format_json(
    problem: Problem,
    names: Names,
    given: Sequence[int] = (),
    forbidden: Sequence[int] = (),
    view: Picture | str | None = None,
) -> str:
    """Return a problem as JSON, as `parse_json` reads it, with one option per line.

    Parameters
    ----------
    problem : Problem
    names : Names
        Names and colors that are neither strings nor integers are converted by `as_text`.
    given, forbidden : sequence of int
        The numbers of the given and forbidden options.
    view : Picture or str, optional
        How to draw covers.

    Raises
    ------
    ValueError
        If two options, items or colors would be written alike, or items with multiplicities or
        penalties are equal as text.
    """
    n_primary, n_stated = problem.n_primary, names.n_stated
    problem, penalties = restore_bounds(problem, names)
    items = distinct_texts(names.items, "items", json_name)
    distinct_texts(names.colors, "colors", json_name)
    if problem.low is not None or penalties:  # their keys are text
        distinct_texts(names.items[:n_primary], "items")
    members: dict[str, Any] = {"items": items[:n_primary]}
    if problem.n_secondary:
        members["secondary"] = items[n_primary:]
    bounds = zip(map(as_text, names.items[:n_primary]), problem.item_bounds, strict=False)
    if multiplicity := {name: pair for name, pair in bounds if pair != (1, 1)}:
        members["multiplicity"] = multiplicity
    if problem.cost is not None:
        key = "costs" if names.scale.factor > 0 else "maximize"
        members[key] = list(map(names.scale.stated, problem.cost[:n_stated].tolist()))
        if names.exact_costs is not None:
            members[key] = [float(cost) for cost in exact_costs(problem, names)[:n_stated]]
    if penalties:
        members["penalty"] = {
            as_text(item): int(price) if price.denominator == 1 else float(price)
            for item, price in penalties.items()
        }
    keys = distinct_texts(names.options[:n_stated], "options")
    if names.totals:
        texts = distinct_texts(names.totals, "totals")
        totals = zip(texts, list_totals(problem), strict=True)
        members["totals"] = {
            text: ({keys[k]: weight for k, weight in pairs}, low, high)
            for text, (low, high, pairs) in totals
        }
    conditions = {"given": [*given], "forbidden": [*forbidden]}
    members |= {key: numbers for key, numbers in conditions.items() if numbers}
    if view is not None:
        members["view"] = view if isinstance(view, str) else view.to_json()
    lines = [f'"{key}": {json.dumps(value)}' for key, value in members.items()]
    options = (decode_option(problem, names, k) for k in range(n_stated))
    rows = [json.dumps([json_entry(*entry) for entry in option]) for option in options]
    brackets = "[]"
    if names.has_options:
        rows = [f"{json.dumps(key)}: {row}" for key, row in zip(keys, rows, strict=True)]
        brackets = "{}"
    body = "\n  " + ",\n  ".join(rows) if rows else ""
    lines.append(f'"options": {brackets[0]}{body}{brackets[1]}')
    return "{" + ",\n ".join(lines) + "}\n"


def parse_object(value: Any, limits: Limits = (None, None)) -> Statement:
    """Return the problem in a JSON value, or raise ValueError; see `parse_json`."""
    if value and _fits(value, [[_NAME]]):
        _check_limits(len(value), sum(map(len, value)), limits)
        n = len(value)
        if n >= 4 and 2 * sum(len(row) == n and _fits(row, [int]) for row in value) > n:
            raise ValueError('is this a board? If not, write {"options": [...]}')
        if starts_with_all(value):
            advice = 'write {"items": [...], "options": [...]}'
            raise AmbiguousError(
                f"is the first list that of all items, or an option? For either, {advice}"
            )
        return Statement(value, [*dict.fromkeys(chain.from_iterable(value))])
    if value and _fits(value, [dict]) and all("items" in row for row in value):
        value = {"options": value}
    if isinstance(value, dict):
        value = _rename_keys(value)
    if isinstance(value, dict) and value and value.keys().isdisjoint((*_KEYS, _BOARD)):
        [first, *others] = value.values()
        if not others and _fits(first, [[int]]) and {*chain(*first)} == {0, 1}:
            _check_limits(len(first), sum(map(sum, first)), limits)
            return parse_matrix(json.dumps(first))
        value = _split_sets(value)
    if not isinstance(value, dict) or "options" not in value:
        raise ValueError('expected a JSON object with the key "options"')
    for key, member in value.items():
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r}; the known keys are {', '.join(_KEYS)}")
        shape, expected = _KEYS[key]
        if not _fits(member, shape):
            raise ValueError(f"{key} must be {expected}, not {reprlib.repr(member)}")
    rows = value["options"]
    if isinstance(rows, list):
        rows = _name_rows(rows)
    n_entries = sum(len(row) for row in rows.values() if isinstance(row, list))
    _check_limits(len(rows), n_entries, limits)
    names = {str(key): k if key == str(k) else key for k, key in enumerate(rows)}
    totals = value.get("totals", {})
    options = {names[str(key)]: _parse_option(key, row, totals) for key, row in rows.items()}
    items = value.get("items")
    known = {str(name): name for name in items or chain.from_iterable(options.values())}
    renamed = {key: _rename(value.get(key), known) for key in _OF_ITEMS}
    renamed |= {key: _rename(value.get(key), names) for key in ("costs", "maximize")}
    view = value.get("view")
    return Statement(
        options,
        items,
        [*(value.get("secondary") or ()), *(value.get("optional") or ())],
        totals={k: tuple(_rename(each, names) for each in total) for k, total in totals.items()},
        given=value.get("given") or (),
        forbidden=value.get("forbidden") or (),
        view=picture_from_json(view) if isinstance(view, dict) else view,
        **renamed,
    )


def _rename_keys(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object with keys of `_KEYS` for their synonyms; a universe is one beside sets."""
    synonyms = dict(_SYNONYMS)
    universe = [key for key in value if is_universe(str(key))]
    if universe and any(not _fits(value.get(key, []), [_NAME]) for key in _SETS):
        synonyms |= dict.fromkeys(_SETS, "options") | dict.fromkeys(universe, "items")
    return unique_keys([(synonyms.get(str(key), str(key)), each) for key, each in value.items()])


def _name_rows(rows: list[Any]) -> dict[Any, Any]:
    """Return a list of options by their numbers, or by the names that they state."""
    named: list[tuple[Any, Any]] = []
    for k, row in enumerate(rows):
        name = k
        if isinstance(row, dict) and "items" in row:
            name = next((row[key] for key in _ROW_NAMES if key in row), k)
            if unknown := row.keys() - {"items", *_ROW_NAMES}:
                raise ValueError(f"option {name!r} has an unknown key {min(unknown)!r}")
            if not _fits(name, _NAME):
                raise ValueError(f"the name of option {k} must be a string or an integer")
            row = row["items"]
        named.append((name, row))
    check_distinct([name for name, _ in named], "the option name")
    return dict(named)


def _split_sets(sets: dict[str, Any]) -> dict[str, Any]:
    """Return sets as options, and the first one as the items if it is the universe."""
    named = [*sets.items()] if _fits(sets, {"": list}) else []
    if (place := find_universe(named)) is None:
        return {"options": sets}
    name, items = named.pop(place)
    if place > 0 or not named or name == "S":
        advice = 'write {"items": [...], "options": {...}}'
        raise AmbiguousError(f"is {name} the universe or an option? For either, {advice}")
    return {"items": items, "options": dict(named)}


def _fits(value: Any, shape: Any) -> bool:
    """Return whether a JSON value has a shape."""
    if isinstance(shape, tuple):
        return any(_fits(value, each) for each in shape)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_fits(each, shape[""]) for each in value.values())
    if isinstance(shape, list):
        shapes = shape * len(value) if isinstance(value, list) and len(shape) == 1 else shape
        return (
            isinstance(value, list) and len(value) == len(shapes) and all(map(_fits, value, shapes))
        )
    return isinstance(value, shape) and not isinstance(value, bool)


def _rename(value: Any, names: dict[str, Hashable]) -> Any:
    """Return an object with names for its keys, which are strings even for integers."""
    if not isinstance(value, dict):
        return value
    return {names.get(name, name): number for name, number in value.items()}


def _parse_option(name: str | int, row: Any, totals: dict[str, Any]) -> list[Hashable]:
    """Return the items of an option, and its pairs (item, color), or raise ValueError."""
    if isinstance(row, dict):
        advice = 'options with names are an object: {"S1": ["A", "B"]}'
        raise ValueError(f"option {name!r} must be a list; {advice}")
    is_plain = isinstance(row, list) and {str, int}.issuperset(map(type, row))  # a fast path
    if not (is_plain or _fits(row, _ENTRIES)):
        expected = "a list of strings, integers and pairs [item, color]"
        raise ValueError(f"option {name!r} must be {expected}, not {reprlib.repr(row)}")
    for entry in row:
        if isinstance(entry, list) and entry[0] in totals and not _fits(entry[1], int):
            raise ValueError(f"option {name!r}: the weight in total {entry[0]!r} is no integer")
    return [tuple(entry) if isinstance(entry, list) else entry for entry in row]


def _check_limits(n_options: int, n_entries: int, limits: Limits) -> None:
    """Raise ValueError if a number exceeds its limit, or TypeError if the limit is no integer."""
    numbers = {"options": n_options, "entries": n_entries}
    for (noun, number), limit in zip(numbers.items(), limits, strict=True):
        if limit is not None and number > check_integer(limit, f"max_{noun}", "for no limit"):
            raise ValueError(f"the problem has {number:,} {noun}, and max_{noun} is {limit:,}")
