"""Exact cover problems as JSON objects."""

import json
import re
from collections import Counter
from collections.abc import Hashable
from typing import Any

from ...runtime.errors import FormatError
from .named import NamedProblem, OptionEntry, as_text, option_label, split_entry
from .notation import distinct_texts

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_KEYS = ("items", "secondary", "options", "multiplicity", "costs")


def looks_like_json(text: str) -> bool:
    """Return whether the text starts like a JSON object with a key, or is another object or a list.

    Examples
    --------
    >>> looks_like_json(' { "options": []}'), looks_like_json("[[1, 0]]"), looks_like_json("{ a b")
    (True, True, False)
    """
    if re.match(r'\s*\{\s*"', text):
        return True
    if not re.match(r"\s*[\[{]", text):
        return False
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def parse_json(text: str, source: str = "<text>") -> NamedProblem:
    """Parse a problem from a JSON object.

    The object has the following keys, or is just the value of "options", an object. Only this key
    is required:

    - "options": a list of options, or an object that maps the names of the options to them. An
      option is a list of items, which are strings or integers; ``["item", "color"]`` is a secondary
      item with a color. An option has no name if its key is its number.
    - "items": a list of the primary items.
    - "secondary": a list of the secondary items.
    - "multiplicity": an object that maps primary items to a number or to ``[low, high]``.
    - "costs": a list of the costs of the options, or an object with the costs of some options. Its
      keys are those of "options"; they are numbers if "options" is a list.

    Parameters
    ----------
    text : str
        The JSON object.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not valid JSON; names the source and the line.
    ValueError
        If the JSON value is not a problem, or a key appears twice; names the source.

    Examples
    --------
    >>> parse_json('{"options": [["a", ["s", "red"]], ["b"]], "secondary": ["s"]}').options
    [['a', ('s', 'red')], ['b']]
    >>> parse_json('{"S1": ["a"], "S2": ["b"]}').option_names
    ['S1', 'S2']
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys)
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return _parse_object(value)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not valid JSON: {error.msg}") from None
    except UnicodeEncodeError:
        raise ValueError(f"{source}: a string contains half of a surrogate pair") from None
    except RecursionError:
        raise ValueError(f"{source}: the JSON value is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def format_json(problem: NamedProblem) -> str:
    """Return a problem as JSON, as `parse_json` reads it, with one option per line.

    Parameters
    ----------
    problem : NamedProblem
        Names and colors that are neither strings nor integers are converted by `as_text`.

    Raises
    ------
    ValueError
        If two options have names that are equal as text.

    Examples
    --------
    >>> options = [["a", ("s", 1)], ["a"]]
    >>> print(format_json(NamedProblem(["a"], ["s"], options, {"a": (1, 2)}, [3, 0])), end="")
    {"items": ["a"],
     "secondary": ["s"],
     "multiplicity": {"a": [1, 2]},
     "costs": [3, 0],
     "options": [
      ["a", ["s", 1]],
      ["a"]]}
    >>> print(format_json(NamedProblem(["a"], [], [["a"]], {}, None, None, ["S1"])), end="")
    {"items": ["a"],
     "options": {
      "S1": ["a"]}}
    """
    members: dict[str, Any] = {}
    if problem.primary is not None:
        members["items"] = [json_name(name) for name in problem.primary]
    if problem.secondary:
        members["secondary"] = [json_name(name) for name in problem.secondary]
    if problem.multiplicity:
        members["multiplicity"] = {
            as_text(name): list(bounds) for name, bounds in problem.multiplicity.items()
        }
    if problem.costs is not None:
        members["costs"] = list(problem.costs)
    items = {*(problem.primary or ()), *problem.secondary}
    lines = [f'"{key}": {json.dumps(value)}' for key, value in members.items()]
    rows = [
        json.dumps([json_entry(*split_entry(entry, items)) for entry in option])
        for option in problem.options
    ]
    brackets = "[]"
    if problem.option_names is not None:
        keys = [json.dumps(key) for key in distinct_texts(problem.option_names, "options")]
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


def _parse_object(value: Any) -> NamedProblem:
    """Return the problem in a JSON value, or raise ValueError."""
    if isinstance(value, dict) and value and value.keys().isdisjoint(_KEYS):
        value = {"options": value}
    if not isinstance(value, dict) or "options" not in value:
        raise ValueError('expected a JSON object with the key "options"')
    unknown = next((key for key in value if key not in _KEYS), None)
    if unknown is not None:
        raise ValueError(f"unknown key {unknown!r}; the known keys are {', '.join(_KEYS)}")
    primary = None if value.get("items") is None else _parse_names(value["items"], "items")
    secondary = _parse_names(value.get("secondary", []), "secondary")
    rows, option_names = value["options"], None
    if isinstance(rows, dict):
        option_names = [k if key == str(k) else key for k, key in enumerate(rows)]
        rows = list(rows.values())
    options = []
    for number, row in enumerate(_check_list(rows, "options", " or an object")):
        option = f"option {option_label(option_names, number)}"
        options.append([_parse_entry(entry, option) for entry in _check_list(row, option)])
    costs = _parse_costs(value.get("costs"), value["options"])
    multiplicity = _parse_multiplicity(value.get("multiplicity", {}), primary, options)
    return NamedProblem(primary, secondary, options, multiplicity, costs, option_names=option_names)


def _parse_costs(value: Any, options: Any) -> list[Any] | None:
    """Return the costs of all options from a list or an object, or raise ValueError."""
    if not isinstance(value, dict):
        return None if value is None else _check_list(value, "costs", " or an object")
    keys = list(options) if isinstance(options, dict) else map(str, range(len(options)))
    costs = dict.fromkeys(keys, 0)
    for key, cost in value.items():
        if key not in costs:
            raise ValueError(f"costs: there is no option {key!r}")
        costs[key] = cost
    return list(costs.values())


def _check_list(value: Any, key: str, alternative: str = "") -> list[Any]:
    """Return the value if it is a list, or raise ValueError."""
    if not isinstance(value, list):
        raise ValueError(f"{key} must be a list{alternative}, not {value!r}")
    return value


def _is_name(value: Any) -> bool:
    """Return whether a JSON value is a string or an integer."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _parse_names(values: Any, key: str) -> list[Hashable]:
    """Return a list of names, or raise ValueError."""
    for value in _check_list(values, key):
        if not _is_name(value):
            raise ValueError(f"{key}: expected a string or an integer, not {value!r}")
    names: list[Hashable] = values
    return names


def _parse_entry(entry: Any, option: str) -> OptionEntry:
    """Return an item or a pair (item, color) of an option, or raise ValueError."""
    if isinstance(entry, list) and len(entry) == 2 and all(map(_is_name, entry)):
        return tuple(entry)
    if not _is_name(entry):
        reason = f"expected a string, an integer or a pair [item, color], not {entry!r}"
        raise ValueError(f"{option}: {reason}")
    return entry


def _parse_multiplicity(
    value: Any, primary: list[Hashable] | None, options: list[list[OptionEntry]]
) -> dict[Hashable, tuple[int, int]]:
    """Return multiplicities by item; JSON keys are strings, even for integer items."""
    if not isinstance(value, dict):
        raise ValueError(f"multiplicity must be an object, not {value!r}")
    names = primary if primary is not None else [e for option in options for e in option]
    item_of_key = {str(name): name for name in names if _is_name(name)}
    return {
        item_of_key.get(key, key): tuple(bounds) if isinstance(bounds, list) else bounds
        for key, bounds in value.items()
    }


def json_name(name: Any) -> str | int:
    """Return a name as a JSON value that `parse_json` accepts."""
    return name if _is_name(name) else as_text(name)


def json_entry(item: Any, color: Any | None) -> Any:
    """Return an entry of an option as a JSON value: an item, or a list of an item and a color."""
    return json_name(item) if color is None else [json_name(item), json_name(color)]
