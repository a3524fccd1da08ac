"""Exact cover problems as JSON: an object of items, options by name, and what else there is."""

import json
import re
from collections.abc import Hashable
from typing import Any

from ...runtime.errors import FormatError
from .named import Entry, NamedProblem, as_text

_KEYS = ("items", "secondary", "options", "multiplicity", "costs")


def looks_like_json(text: str) -> bool:
    """Whether the text begins as a JSON object with some key does.

    >>> looks_like_json(' { "options": []}'), looks_like_json("{ a b")
    (True, False)
    """
    return re.match(r'\s*\{\s*"', text) is not None


def parse_json(text: str, source: str = "<text>") -> NamedProblem:
    """The problem in `text`, a JSON object with these keys; only "options" has to be there.

    "options": lists of items, which are strings or numbers; `["item", "colour"]` is a secondary
    item in a colour. "items": the primary items. "secondary": the secondary ones. "multiplicity":
    an object with a number or `[low, high]` for some primary items. "costs": a list of numbers.

    Raises FormatError, with a line, where it is no JSON; ValueError where it is another object.

    >>> parse_json('{"options": [["a", ["s", "red"]], ["b"]], "secondary": ["s"]}').options
    [['a', ('s', 'red')], ['b']]
    """
    try:
        stated = json.loads(text)
    except json.JSONDecodeError as fault:
        raise FormatError(source, fault.lineno, f"no JSON: {fault.msg}") from None
    if not isinstance(stated, dict) or "options" not in stated:
        raise ValueError(f'{source}: no object with "options"')
    unknown = next((key for key in stated if key not in _KEYS), None)
    if unknown is not None:
        known = ", ".join(_KEYS)
        raise ValueError(f"{source}: unknown key {unknown!r}; there are {known}")
    try:
        primary = None if stated.get("items") is None else _names(stated["items"], "items")
        secondary = _names(stated.get("secondary", []), "secondary")
        options = [
            [_entry(entry, number) for entry in _list(option, f"option {number}")]
            for number, option in enumerate(_list(stated["options"], "options"))
        ]
        costs = None if stated.get("costs") is None else _list(stated["costs"], "costs")
        multiplicity = _multiplicity(stated.get("multiplicity", {}), primary, options)
    except ValueError as fault:
        raise ValueError(f"{source}: {fault}") from None
    return NamedProblem(primary, secondary, options, multiplicity, costs)


def format_json(problem: NamedProblem) -> str:
    """The problem as `parse_json` reads it, an option a line. Other names become strings.

    >>> options = [["a", ("s", 1)], ["a"]]
    >>> print(format_json(NamedProblem(["a"], ["s"], options, {"a": (1, 2)}, [3, 0])), end="")
    {"items": ["a"],
     "secondary": ["s"],
     "multiplicity": {"a": [1, 2]},
     "costs": [3, 0],
     "options": [
      ["a", ["s", 1]],
      ["a"]]}
    """
    parts: dict[str, Any] = {}
    if problem.primary is not None:
        parts["items"] = [_plain(name) for name in problem.primary]
    if problem.secondary:
        parts["secondary"] = [_plain(name) for name in problem.secondary]
    if problem.multiplicity:
        bounds = problem.multiplicity.items()
        parts["multiplicity"] = {as_text(name): list(pair) for name, pair in bounds}
    if problem.costs is not None:
        parts["costs"] = list(problem.costs)
    known = {*(problem.primary or ()), *problem.secondary}
    lines = [f'"{key}": {json.dumps(value)}' for key, value in parts.items()]
    rows = [json.dumps([_stated(entry, known) for entry in option]) for option in problem.options]
    lines.append('"options": [\n  ' + ",\n  ".join(rows) + "]" if rows else '"options": []')
    return "{" + ",\n ".join(lines) + "}\n"


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{what} must be a list, not {value!r}")
    return value


def _is_name(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _names(values: Any, what: str) -> list[Hashable]:
    for value in _list(values, what):
        if not _is_name(value):
            raise ValueError(f"{what}: an item is a string or a number, not {value!r}")
    names: list[Hashable] = values
    return names


def _entry(entry: Any, option: int) -> Entry:
    if isinstance(entry, list) and len(entry) == 2 and all(map(_is_name, entry)):
        return tuple(entry)
    if not _is_name(entry):
        reason = f"an item is a string, a number or a pair [item, colour], not {entry!r}"
        raise ValueError(f"option {option}: {reason}")
    return entry


def _multiplicity(
    stated: Any, primary: list[Hashable] | None, options: list[list[Entry]]
) -> dict[Hashable, tuple[int, int]]:
    """The multiplicities by item; in JSON, the key of an item that is a number is a string."""
    if not isinstance(stated, dict):
        raise ValueError(f"multiplicity must be an object, not {stated!r}")
    entries = primary if primary is not None else [e for option in options for e in option]
    item = {str(name): name for name in entries if _is_name(name)}
    return {
        item.get(key, key): tuple(value) if isinstance(value, list) else value
        for key, value in stated.items()
    }


def _plain(name: Any) -> str | int:
    return name if _is_name(name) else as_text(name)


def _stated(entry: Entry, items: set[Hashable]) -> Any:
    return _plain(entry) if entry in items else [_plain(part) for part in entry]
