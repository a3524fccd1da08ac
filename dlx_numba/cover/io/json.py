"""Exact cover problems as JSON objects."""

import json
import re
from collections import Counter
from collections.abc import Hashable
from itertools import chain
from typing import Any

from ...kernels.problem import Problem
from ...runtime.arguments import check_integer
from ...runtime.errors import FormatError
from ..costs import list_penalties
from ..encode import Statement, combine_bounds
from ..names import Names, as_text, decode_option
from .notation import distinct_texts, list_bounds, list_totals

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BOUNDS = ("multiplicity", "at_most", "at_least", "exactly")
_VALUES = ("costs", "maximize", "penalty", "totals")
_BOARD = "puzzle"  # the key of a Sudoku board
_KEYS = ("items", "secondary", "optional", "options", *_BOUNDS, *_VALUES)


def looks_like_json(text: str) -> bool:
    """Return whether a text starts like an object or a list."""
    return text.lstrip().startswith(("{", "["))


def parse_json(
    text: str | bytes,
    source: str = "<text>",
    max_options: int | None = None,
    max_entries: int | None = None,
) -> Statement:
    """Parse a problem from a JSON object.

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

    Parameters
    ----------
    text : str or bytes
        The JSON object; bytes are UTF-8.
    source : str, optional
        Name of the text for error messages.
    max_options, max_entries : int, optional
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
        return parse_object(load_json(text), max_options, max_entries)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.msg) from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def load_json(text: str | bytes) -> Any:
    """Return a JSON value, in which no object has a key twice.

    Raises
    ------
    json.JSONDecodeError
        If the text is not valid JSON; the attributes `msg` and `lineno` state the reason.
    ValueError
        If it is not UTF-8, or the value is nested too deeply or cannot be written again.
    """
    try:
        text = text if isinstance(text, str) else text.decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=_unique_keys)
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(f"not valid JSON: {error.msg}", error.doc, error.pos) from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except UnicodeEncodeError:
        raise ValueError("a string contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError("the JSON value is nested too deeply") from None


def format_json(problem: Problem, names: Names) -> str:
    """Return a problem as JSON, as `parse_json` reads it, with one option per line.

    Parameters
    ----------
    problem : Problem
    names : Names
        Names and colors that are neither strings nor integers are converted by `as_text`.

    Raises
    ------
    ValueError
        If two options, items or colors would be written alike, or items with multiplicities or
        penalties are equal as text.
    """
    n_primary, n_stated = problem.n_primary, problem.n_options - names.n_uncovered
    slack = range(n_stated, problem.n_options)
    items = distinct_texts(names.items, "items", json_name)
    distinct_texts(names.colors, "colors", json_name)
    if problem.low is not None or names.n_uncovered:  # their keys are text
        distinct_texts(names.items[:n_primary], "items")
    members: dict[str, Any] = {"items": items[:n_primary]}
    if problem.n_secondary:
        members["secondary"] = items[n_primary:]
    bounds = dict(zip(map(as_text, names.items), list_bounds(problem), strict=False))
    if multiplicity := {name: pair for name, pair in bounds.items() if pair != (1, 1)}:
        members["multiplicity"] = multiplicity
    if problem.cost is not None:
        scale = names.scale
        key = "costs" if scale.factor > 0 else "maximize"
        members[key] = list(map(scale.stated, problem.cost[:n_stated].tolist()))
    if names.n_uncovered:
        uncovered = [as_text(decode_option(problem, names, k)[0][0]) for k in slack]
        penalties = zip(uncovered, list_penalties(problem, names), strict=True)
        members["penalty"] = dict(penalties)
    if names.totals:
        texts = distinct_texts(names.totals, "totals")
        members["totals"] = {}
        for text, (low, high, pairs) in zip(texts, list_totals(problem), strict=True):
            weights = [0] * n_stated
            for k, weight in pairs:
                weights[k] = weight
            members["totals"][text] = weights, low, high
    lines = [f'"{key}": {json.dumps(value)}' for key, value in members.items()]
    options = (decode_option(problem, names, k) for k in range(n_stated))
    rows = [json.dumps([json_entry(*entry) for entry in option]) for option in options]
    brackets = "[]"
    if names.has_options:
        keys = [json.dumps(key) for key in distinct_texts(names.options[:n_stated], "options")]
        rows = [f"{key}: {row}" for key, row in zip(keys, rows, strict=True)]
        brackets = "{}"
    body = "\n  " + ",\n  ".join(rows) if rows else ""
    lines.append(f'"options": {brackets[0]}{body}{brackets[1]}')
    return "{" + ",\n ".join(lines) + "}\n"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict, or raise ValueError if a key appears twice."""
    value = dict(pairs)
    if len(value) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {key!r} appears twice in a JSON object")
    return value


def parse_object(
    value: Any, max_options: int | None = None, max_entries: int | None = None
) -> Statement:
    """Return the problem in a JSON value, or raise ValueError; see `parse_json`."""
    if isinstance(value, dict) and value and value.keys().isdisjoint((*_KEYS, _BOARD)):
        value = {"options": value}
    if not isinstance(value, dict) or "options" not in value:
        raise ValueError('expected a JSON object with the key "options"')
    unknown = next((key for key in value if key not in _KEYS), None)
    if unknown is not None:
        raise ValueError(f"unknown key {unknown!r}; the known keys are {', '.join(_KEYS)}")
    rows = value["options"]
    if not isinstance(rows, dict):
        rows = dict(enumerate(_check(rows, list, "options", "a list or an object")))
    n_entries = sum(len(row) for row in rows.values() if isinstance(row, list))
    _check_limit(len(rows), "options", max_options)
    _check_limit(n_entries, "entries", max_entries)
    names = {str(key): k if key == str(k) else key for k, key in enumerate(rows)}
    options = {names[str(key)]: _parse_option(row, names[str(key)]) for key, row in rows.items()}
    items = _parse_names(value["items"], "items") if value.get("items") is not None else None
    known = {str(name): name for name in items or chain.from_iterable(options.values())}
    bounds = [_parse_bounds(value[key], key, known) if key in value else None for key in _BOUNDS]
    keys = ("secondary", "optional")
    secondary = chain.from_iterable(_parse_names(value.get(key, []), key) for key in keys)
    costs, values = (_parse_costs(value.get(key), key, names) for key in ("costs", "maximize"))
    multiplicity = combine_bounds(*bounds) or {}
    penalty = _check(value.get("penalty", {}), dict, "penalty", "an object")
    penalty = {known.get(name, name): _check_number(p, "penalty") for name, p in penalty.items()}
    totals = _check(value.get("totals", {}), dict, "totals", "an object")
    totals = {name: _parse_total(name, total, names, options) for name, total in totals.items()}
    stated = options, items, list(secondary), multiplicity, costs, values
    return Statement(*stated, penalty or None, totals or None)


def _check_limit(number: int, noun: str, limit: int | None) -> None:
    """Raise ValueError if a number exceeds a limit, or TypeError if the limit is no integer."""
    if limit is not None and number > check_integer(limit, f"max_{noun}", "for no limit"):
        raise ValueError(f"the problem has {number:,} {noun}, and max_{noun} is {limit:,}")


def _parse_costs(costs: Any, key: str, names: dict[str, Hashable]) -> Any:
    """Return the costs of the options, or the values of `key`, or raise ValueError."""
    if isinstance(costs, dict):
        costs = {names.get(name, name): cost for name, cost in costs.items()}
    elif costs is not None:
        _check(costs, list, key, "a list or an object")
    for cost in costs.values() if isinstance(costs, dict) else costs or ():
        _check_number(cost, key)
    return costs


def _parse_total(name: str, total: Any, names: dict[str, Hashable], options: Any) -> list[Any]:
    """Return the weights of a total, unless the options state them, and its bounds."""
    if not isinstance(total, list) or len(total) not in (2, 3) or None in total[:-2]:
        raise ValueError(f"total {name!r} must be [weights, low, high] or [low, high]")
    *weights, low, high = total
    numbers = [bound for bound in (low, high) if bound is not None]
    if weights:
        weights = [_parse_costs(weights[0], f"total {name!r}", names)]
        numbers += weights[0].values() if isinstance(weights[0], dict) else weights[0]
    else:
        pairs = (
            entry for entry in chain.from_iterable(options.values()) if isinstance(entry, tuple)
        )
        numbers += [weight for item, weight in pairs if item == name]
    for number in numbers:
        if not _is_integer(number):
            raise ValueError(f"total {name!r}: weights and bounds must be integers, not {number!r}")
    return [*weights, low, high]


def _check_number(value: Any, key: str) -> Any:
    """Return a JSON value that is a number, or raise ValueError."""
    if not (_is_integer(value) or isinstance(value, float)):
        raise ValueError(f"{key} must be numbers, not {value!r}")
    return value


def _check(value: Any, kind: type, key: str, expected: str) -> Any:
    """Return the value if it is of this kind, or raise ValueError."""
    if not isinstance(value, kind):
        raise ValueError(f"{key} must be {expected}, not {value!r}")
    return value


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_name(value: Any) -> bool:
    """Return whether a JSON value is a string or an integer."""
    return isinstance(value, str) or _is_integer(value)


def _parse_names(values: Any, key: str) -> list[Hashable]:
    """Return a list of names, or raise ValueError."""
    names: list[Hashable] = _check(values, list, key, "a list")
    for name in names:
        if not _is_name(name):
            raise ValueError(f"{key}: expected a string or an integer, not {name!r}")
    return names


def _parse_option(row: Any, name: Hashable) -> list[Hashable]:
    """Return the items of an option, and its pairs (item, color), or raise ValueError."""
    entries: list[Hashable] = []
    if isinstance(row, dict):
        advice = 'options with names are an object: {"S1": ["A", "B"]}'
        raise ValueError(f"option {name!r} must be a list; {advice}")
    for entry in _check(row, list, f"option {name!r}", "a list"):
        is_pair = isinstance(entry, list) and len(entry) == 2 and all(map(_is_name, entry))
        if not is_pair and not _is_name(entry):
            reason = f"expected a string, an integer or a pair [item, color], not {entry!r}"
            raise ValueError(f"option {name!r}: {reason}")
        entries.append(tuple(entry) if is_pair else entry)
    return entries


def _parse_bounds(value: Any, key: str, items: dict[str, Hashable]) -> dict[Hashable, Any]:
    """Return numbers or pairs by item; JSON keys are strings, even for integer items."""
    bounds = {items.get(name, name): n for name, n in _check(value, dict, key, "an object").items()}
    for item, number in bounds.items():
        is_pair = key == "multiplicity" and isinstance(number, list)
        if not all(map(_is_integer, number if is_pair else [number])) or (
            is_pair and len(number) != 2
        ):
            alternative = " or a pair [low, high]" * (key == "multiplicity")
            reason = f"must be an integer{alternative}, not {number!r}"
            raise ValueError(f"{key} of item {item!r} {reason}")
    return bounds


def json_name(name: Any) -> str | int:
    """Return a name as a JSON value that `parse_json` accepts."""
    return name if _is_name(name) else as_text(name)


def json_entry(item: Any, color: Any | None) -> Any:
    """Return an entry of an option as a JSON value: an item, or a list of an item and a color."""
    return json_name(item) if color is None else [json_name(item), json_name(color)]
