"""Exact cover problems as JSON objects."""

import json
import re
import reprlib
import warnings
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from itertools import chain, count, starmap
from typing import Any

from ...cover.costs import count_if_unclear
from ...cover.encode import Formulation
from ...cover.models import list_totals
from ...cover.names import Names, as_text, decode_option, find_duplicate, json_entry, json_name
from ...cover.penalties import exact_costs, restore_bounds
from ...kernels.problem import Problem
from ...pictures.forms import picture_from_json
from ...pictures.picture import Picture
from ...runtime.arguments import check_integer
from ...runtime.errors import FormatError
from ...runtime.json import dump_json, exact_number, exact_text, fits, load_json, unique_keys
from ...runtime.text import plural, shorten
from .notation import distinct_texts, find_universe, unless_numbered

MAX_KEYS = 8  # in a message
MAX_KEY = 30  # characters

Limits = tuple[int | None, int | None]  # of the numbers of options and entries

# Shapes of JSON values, as `fits` takes them
_NAME = str | int
_NUMBER = int | float | Decimal | Fraction
_LIMIT = int | None
_ENTRIES = [(_NAME, [_NAME, _NAME])]
_NAMES = ([_NAME], type(None)), "a list of strings and integers"
_VALUES = ([_NUMBER], {"": _NUMBER}, type(None)), "a list or an object of numbers"
_COUNTS = {"": int}, "an object of integers"
_TOTAL = ([_LIMIT, _LIMIT], [([int], {"": int}), _LIMIT, _LIMIT])
_OF_ITEMS = "multiplicity", "at_most", "at_least", "exactly", "penalty"  # as in Formulation
_RATIOS = "costs", "maximize", "penalty"  # whose numbers may be ratios such as "1/3"
_SYNONYMS = {"primary_items": "items", "secondary_items": "secondary", "rows": "options"}
_ROW_NAME = "row_id"  # of an option that is an object with "items"
_KEYS: dict[str, tuple[Any, str]] = {
    "items": _NAMES,
    "secondary": _NAMES,
    "optional": _NAMES,
    "options": (list | dict, "a list or an object"),
    "multiplicity": ({"": (int, [int, _LIMIT])}, "an object of integers and pairs [low, high]"),
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
) -> Formulation:
    """Parse a problem from a JSON object.

    The object has the following keys, or is just the value of "options", an object. Only this key
    is required:

    - "options": a list of options, or an object that maps the names of the options to them. An
      option is a list of items, which are strings or integers; ``["item", "color"]`` is a secondary
      item with a color. A key that is the number of its option is an integer.
    - "items": a list of the primary items.
    - "secondary" or "optional": a list of the secondary items.
    - "multiplicity": an object that maps primary items to a number or to ``[low, high]``, where
      null is no bound.
    - "exactly", "at_most", "at_least": objects that map primary items to a number.
    - "costs": a list of the costs of the options, or an object with the costs of some options. Its
      keys are those of "options", or, if that is a list, numbers or items such as ``"mon ann"``.
      A number may also be a ratio such as ``"1/3"``.
    - "maximize": the same with values to maximize, instead of costs.
    - "penalty": an object with the penalties of primary items that may stay uncovered.
    - "totals": an object that maps names to ``[weights, low, high]``, where the weights are given
      as costs are, or to ``[low, high]`` if options have pairs ``["name", weight]``. Null is no
      limit.
    - "given" and "forbidden": lists of options, by number or by a key of "options".
    - "view": how to draw covers: a word, as for `ExactCover`, or an object that says what each
      option draws, such as ``{"form": "grid", "title": "Two cells", "marks": [[[[1, 1], "a"]],
      [[[1, 2], "b"]]]}``; see `dlx_numba.pictures`.

    The keys may also be "primary_items", "secondary_items" and "rows", where an option is an object
    of "items" and "row_id".

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
        If the text is not valid JSON, which names the line, or its value is not a problem, is too
        large, or has a key twice.

    Examples
    --------
    >>> parse_json('{"options": [["a", ["s", "red"]], ["b"]], "secondary": ["s"]}')[:3]
    ([['a', ('s', 'red')], ['b']], None, ['s'])
    >>> parse_json('{"S1": ["a"], "S2": ["b"]}').options
    {'S1': ['a'], 'S2': ['b']}
    """
    try:
        return parse_object(load_json(text, exact_number), limits)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.msg) from None
    except ValueError as error:
        raise FormatError(source, None, str(error)) from None


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
        If two options, items, colors or totals would be written alike, or an item and a total; or
        if items with multiplicities or penalties are equal as text.
    """
    n_primary = problem.n_primary
    n_listed = names.n_listed
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
    if problem.cost is None:
        problem, names = count_if_unclear(problem, names)
    elif names.lacks_costs:
        problem = problem._replace(cost=None)
    if problem.cost is not None:
        key = "costs" if names.scale.factor > 0 else "maximize"
        members[key] = [*map(exact_text, exact_costs(problem, names)[:n_listed])]
    if penalties:
        members["penalty"] = {as_text(item): exact_text(price) for item, price in penalties.items()}
    keys = distinct_texts(names.options[:n_listed], "options")
    if names.totals:
        texts = distinct_texts(names.totals, "totals")
        if common := {*items}.intersection(texts):
            raise ValueError(f"an item and a total are both written {min(common)!r}")
        totals = zip(texts, list_totals(problem), strict=True)
        members["totals"] = {
            text: ({keys[k]: weight for k, weight in pairs}, low, high)
            for text, (low, high, pairs) in totals
        }
    conditions = {"given": [*given], "forbidden": [*forbidden]}
    members |= {key: numbers for key, numbers in conditions.items() if numbers}
    if view is not None:
        members["view"] = view if isinstance(view, str) else view.to_json()
    lines = [f'"{key}": {dump_json(value)}' for key, value in members.items()]
    options = (decode_option(problem, names, k) for k in range(n_listed))
    rows = [json.dumps(list(starmap(json_entry, option))) for option in options]
    brackets = "[]"  # a list of options, or an object if they have names
    if names.has_options:
        rows = [f"{json.dumps(key)}: {row}" for key, row in zip(keys, rows, strict=True)]
        brackets = "{}"
    body = "\n  " + ",\n  ".join(rows) if rows else ""
    lines.append(f'"options": {brackets[0]}{body}{brackets[1]}')
    return "{" + ",\n ".join(lines) + "}\n"


def parse_object(value: Any, limits: Limits = (None, None)) -> Formulation:
    """Return the problem in a JSON value, or raise ValueError; see `parse_json`."""
    if isinstance(value, dict):
        members = [(_SYNONYMS.get(str(key), str(key)), each) for key, each in value.items()]
        value = unique_keys(members)
        # An object of lists without a known key has only options, by their names.
        if value and value.keys().isdisjoint(_KEYS) and fits(value, {"": list}):
            _reject_universe(value)
            value = {"options": value}
    if not isinstance(value, dict) or "options" not in value:
        found = describe_value(value)
        raise ValueError(f'expected a JSON object with the key "options", not {found}')
    _check_members(value)
    rows = value["options"]
    is_named = isinstance(rows, dict) or any(
        _ROW_NAME in row for row in rows if isinstance(row, dict)
    )
    if isinstance(rows, list):
        rows = _name_rows(rows)
    n_entries = sum(len(row) for row in rows.values() if isinstance(row, list))
    _check_limits(len(rows), n_entries, limits)
    totals = value.get("totals", {})
    secondary = [*(value.get("secondary") or ()), *(value.get("optional") or ())]
    if not _are_plain(rows.values()):
        paired = {*secondary, *totals}  # what may be the first element of a pair
        rows = {key: _parse_option(key, row, totals, paired) for key, row in rows.items()}
    # Keys of JSON are texts: options and items that are numbers get them back as their names.
    names = _name_numbers(rows)
    options = _rename(rows, names)
    items = value.get("items")
    item_names = {}  # by the texts that are keys
    if not value.keys().isdisjoint(_OF_ITEMS):
        entries = dict.fromkeys(items or chain.from_iterable(options.values()))
        item_names = dict(zip(distinct_texts([*entries], "items", str), entries, strict=True))
    renamed = {key: _rename(value.get(key), item_names) for key in _OF_ITEMS}
    renamed |= {key: _rename(value.get(key), names) for key in ("costs", "maximize")}
    for key in ("costs", "maximize"):
        costs = renamed[key]
        if isinstance(costs, dict) and 0 < len(costs) < len(rows):
            n_missing = len(rows) - len(costs)
            verb = "counts" if n_missing == 1 else "count"
            reason = f"{plural(n_missing, 'option')} without a number {verb} as 0"
            warnings.warn(f"{key}: {reason}", stacklevel=2)
    view = value.get("view")
    if isinstance(view, dict):
        view = picture_from_json(json.loads(json.dumps(view, default=float)))
    return Formulation(
        options if is_named else unless_numbered(options),
        items,
        secondary,
        totals={k: tuple(_rename(each, names) for each in total) for k, total in totals.items()},
        given=[names.get(name, name) for name in value.get("given") or ()],
        forbidden=[names.get(name, name) for name in value.get("forbidden") or ()],
        view=view,
        **renamed,
    )


def _check_members(problem: dict[str, Any]) -> None:
    """Replace ratios such as "1/3" by fractions. Raise ValueError for wrong keys or values."""
    for key, member in problem.items():
        if key in _RATIOS:
            problem[key] = member = _read_ratios(member)
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r}; the known keys are {', '.join(_KEYS)}")
        shape, expected = _KEYS[key]
        if not fits(member, shape):  # the message names the option of a cost or value that is null
            entries = _named(member, problem["options"]) if expected == _VALUES[1] else ()
            empty = [name for name, each in entries if each is None]
            which = f": that of option {empty[0]!r} is null" if empty else ""
            raise ValueError(f"{key} must be {expected}, not {reprlib.repr(member)}{which}")


def _name_rows(rows: list[Any]) -> dict[Any, Any]:
    """Return a list of options by their numbers, or by the names that they give."""
    named: list[tuple[Any, Any]] = []
    for k, row in enumerate(rows):
        name = k
        if isinstance(row, dict) and "items" in row:
            name = row.get(_ROW_NAME, k)
            if unknown := row.keys() - {"items", _ROW_NAME}:
                raise ValueError(f"option {name!r} has an unknown key {min(unknown)!r}")
            if not fits(name, _NAME):
                raise ValueError(f"the name of option {k} must be a string or an integer")
            row = row["items"]
        named.append((name, row))
    repeated = find_duplicate([str(name) for name, _ in named])
    if repeated is not None:
        raise ValueError(f"the option name {named[repeated][0]!r} appears twice")
    return dict(named)


def describe_value(value: Any) -> str:
    """Return what a JSON value is, and the keys that it has.

    >>> describe_value({"n": 3, "clues": []}), describe_value([{"n": 3}])
    ('a JSON object with the keys n, clues', 'a JSON list of objects with the key n')
    """
    listed = value[0] if isinstance(value, list) and value else value
    if not isinstance(listed, dict):
        return "a JSON list" if isinstance(value, list) else "a JSON value"
    noun = "a JSON object" if listed is value else "a JSON list of objects"
    keys = [shorten(str(key), MAX_KEY) for key in listed]
    more = f" and {len(keys) - MAX_KEYS} more" if len(keys) > MAX_KEYS else ""
    return f"{noun} with the key{'s' * (len(keys) != 1)} {', '.join(keys[:MAX_KEYS])}{more}"


def _name_numbers(rows: Iterable[Any]) -> dict[str, int]:
    """Return the integers that names of options are, by their texts.

    A name may be an integer, or a text that is just the number of its option.
    """
    numbered = ((k, name) for k, name in enumerate(rows) if isinstance(name, int) or name == str(k))
    return {str(name): int(name) for _, name in numbered}


def _reject_universe(sets: dict[str, Any]) -> None:
    """Raise ValueError if one of several sets may be the universe."""
    place = find_universe([*sets.items()])
    if place is not None:
        advice = 'write {"items": [...], "options": {...}}'
        raise ValueError(f"is {[*sets][place]} the universe or an option? For either, {advice}")


def _read_ratios(values: Any) -> Any:
    """Return a list or an object of numbers with fractions for texts such as "1/3"."""
    if isinstance(values, dict):
        return dict(zip(values, _read_ratios([*values.values()]), strict=True))
    if isinstance(values, list) and str in {*map(type, values)}:
        # Python reads integers of up to 4,300 digits, with zeros before them.
        is_ratio = re.compile(r"-?[0-9]{1,4000}/0{,200}[1-9][0-9]{,4000}").fullmatch
        return [
            Fraction(each) if isinstance(each, str) and is_ratio(each) else each for each in values
        ]
    return values


def _named(values: Any, options: Any) -> Iterable[tuple[Any, Any]]:
    """Return the name of an option, or its number, with each of some values."""
    if isinstance(values, dict):
        return values.items()
    names = options if isinstance(options, dict) else count()
    return zip(names, values, strict=False) if isinstance(values, list) else ()


def _are_plain(rows: Collection[Any]) -> bool:
    """Return whether all options are lists of strings and integers."""
    are_lists = {list}.issuperset(map(type, rows))
    return are_lists and {str, int}.issuperset(map(type, chain.from_iterable(rows)))


def _rename(value: Any, names: Mapping[str, Hashable]) -> Any:
    """Return an object with names for its keys, which are strings even for integers."""
    if not isinstance(value, dict) or not names:
        return value
    return {names.get(name, name): each for name, each in value.items()}


def _parse_option(
    name: str | int, row: Any, totals: dict[str, Any], paired: Set[Hashable]
) -> list[Hashable]:
    """Return the items of an option, and its pairs (item, color), or raise ValueError.

    The first elements of pairs are totals or secondary items, which are `paired`.
    """
    if isinstance(row, dict):
        advice = 'options with names are an object: {"S1": ["A", "B"]}'
        raise ValueError(f"option {name!r} must be a list; {advice}")
    if not fits(row, _ENTRIES):
        expected = "a list of strings, integers and pairs [item, color]"
        raise ValueError(f"option {name!r} must be {expected}, not {reprlib.repr(row)}")
    for entry in row:
        if isinstance(entry, list) and entry[0] not in paired:
            raise ValueError(
                f"option {name!r}: item {entry[0]!r} has a color, so it must be one of "
                'the secondary items: add it to "secondary"'
            )
        if isinstance(entry, list) and entry[0] in totals and not fits(entry[1], int):
            raise ValueError(f"option {name!r}: the weight in total {entry[0]!r} is no integer")
    return [tuple(entry) if isinstance(entry, list) else entry for entry in row]


def _check_limits(n_options: int, n_entries: int, limits: Limits) -> None:
    """Raise ValueError if a number exceeds its limit, or TypeError if the limit is no integer."""
    numbers = {"options": n_options, "entries": n_entries}
    for (noun, number), limit in zip(numbers.items(), limits, strict=True):
        if limit is not None and number > check_integer(limit, f"max_{noun}", "for no limit"):
            raise ValueError(f"the problem has {number:,} {noun}, and max_{noun} is {limit:,}")
