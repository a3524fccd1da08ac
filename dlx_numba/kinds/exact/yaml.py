"""Exact cover problems in YAML: items and options with texts."""

import re
from collections import Counter
from typing import Any, NamedTuple

from ...cover.encode import Statement
from .notation import Lines

KEYS = {"constraints": "items", "items": "items", "candidates": "options", "options": "options"}
LARGE = 1 << 20  # characters, which PyYAML takes seconds to parse


class _Entry(NamedTuple):
    """An item or an option: its line, its name or its items, and the text that describes it."""

    line: int
    title: str
    description: str


def parse_yaml(text: str, source: str = "<text>") -> Statement:
    """Parse a problem in YAML.

    The key "constraints" or "items" has the items, and "candidates" or "options" the options: their
    items, in a list or separated by spaces. Both are lists, or mappings to texts that describe
    them; the names of options may also be mapped to lists of items. Options are named by these
    texts or names; different options with the same text, also by their items. Names are read as
    they are written: neither `no` nor `1` nor letters outside of ASCII are converted. The module
    needs the package PyYAML.

    Parameters
    ----------
    text : str
        The problem.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not such a problem; names the source and the line.
    ValueError
        If PyYAML is not installed.
    """
    try:
        import yaml  # the extra `yaml`
    except ImportError:
        reason = "YAML needs the package PyYAML: pip install 'dlx-numba[yaml]'"
        raise ValueError(f"{source}: {reason}") from None
    with Lines(text, source) as lines:
        if len(text) > LARGE and not re.search(r"(?m)^(?:candidates|options)[ \t]*:", text):
            raise ValueError("the key 'candidates' is missing")
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark: Any = getattr(error, "problem_mark", None)
            lines.number = mark.line + 1 if mark else 1
            raise ValueError(f"not valid YAML: {getattr(error, 'problem', error)}") from None
        except RecursionError:
            raise ValueError("the YAML value is nested too deeply") from None
        found: dict[str, list[_Entry]] = {}
        for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
            lines.number = key.start_mark.line + 1
            name = KEYS.get(str(key.value))
            if name is None or name in found:
                reason = "is unknown" if name is None else "appears twice"
                raise ValueError(f"the key {key.value!r} {reason}")
            found[name] = _read_entries(key.value, value, lines)
        if "options" not in found:
            raise ValueError("the key 'candidates' is missing")
        items = [entry.title for entry in found["items"]] if "items" in found else None
        known = {*(items or ())}
        texts = Counter(entry.description for entry in found["options"])
        options: dict[Any, list[str]] = {}
        for number, (lines.number, title, description) in enumerate(found["options"]):
            option = title.split()
            if unknown := [item for item in option if items is not None and item not in known]:
                raise ValueError(f"item {unknown[0]!r} is unknown")
            name = description if texts[description] == 1 else f"{description} ({title})"
            options[number if not description or name in options else name] = option
    return Statement(options, items)


def _read_entries(key: str, value: Any, lines: Lines) -> list[_Entry]:
    """Return the entries of a list or a mapping. Raises ValueError if one is malformed."""
    entries: list[_Entry] = []
    for entry in [value] if value.id == "scalar" else value.value:
        nodes = [*entry] if isinstance(entry, tuple) else [entry]  # a name and its text, or one
        lines.number = nodes[0].start_mark.line + 1
        is_list = KEYS[key] == "options" and nodes[-1].id == "sequence"
        listed = nodes.pop().value if is_list else []
        if any(each.id != "scalar" for each in (*listed, *nodes)):
            raise ValueError(f"expected names and texts under {key!r}")
        texts = [each.value for each in nodes]
        if is_list:
            words = [each.value for each in listed]
            if any(word.split() != [word] for word in words):
                raise ValueError(f"expected names without spaces, not {words}")
            texts.insert(0, " ".join(words))
        entries.append(_Entry(lines.number, texts[0], "".join(texts[1:])))
    return entries
