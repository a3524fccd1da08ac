"""Exact cover problems in YAML: items and options with texts."""

import re
from collections import Counter
from typing import Any

from ...cover.encode import Statement
from .notation import Lines

ITEMS = ("constraints", "items")
OPTIONS = ("candidates", "options")

LARGE = 1 << 20  # characters, which PyYAML takes seconds to parse


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
        if len(text) > LARGE and not re.search(rf"(?m)^(?:{'|'.join(OPTIONS)})[ \t]*:", text):
            raise ValueError(f"the key {OPTIONS[0]!r} is missing")
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark: Any = getattr(error, "problem_mark", None)
            lines.number = mark.line + 1 if mark else 1
            raise ValueError(f"not valid YAML: {getattr(error, 'problem', error)}") from None
        except RecursionError:
            raise ValueError("the YAML value is nested too deeply") from None
        found: dict[str, list[tuple[int, str, str]]] = {}
        for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
            lines.number = key.start_mark.line + 1
            names = next((names for names in (ITEMS, OPTIONS) if key.value in names), (key.value,))
            if names[0] in found or names == (key.value,):
                reason = "appears twice" if names[0] in found else "is unknown"
                raise ValueError(f"the key {key.value!r} {reason}")
            found[names[0]] = []
            for entry in value.value if not isinstance(value, yaml.ScalarNode) else [value]:
                nodes = [*entry] if isinstance(entry, tuple) else [entry]
                lines.number = nodes[0].start_mark.line + 1
                is_list = names is OPTIONS and isinstance(nodes[-1], yaml.SequenceNode)
                listed = nodes.pop().value if is_list else []
                if not all(isinstance(each, yaml.ScalarNode) for each in (*listed, *nodes)):
                    raise ValueError(f"expected names and texts under {key.value!r}")
                words = [each.value for each in listed]
                if any(word.split() != [word] for word in words):
                    raise ValueError(f"expected names without spaces, not {words}")
                parts = [each.value for each in nodes]
                if is_list:
                    parts.insert(0, " ".join(words))
                found[names[0]].append((lines.number, parts[0], "".join(parts[1:])))
        if OPTIONS[0] not in found:
            raise ValueError(f"the key {OPTIONS[0]!r} is missing")
        items = [name for _, name, _ in found[ITEMS[0]]] if ITEMS[0] in found else None
        known = {*(items or ())}
        texts = Counter(text for _, _, text in found[OPTIONS[0]])
        options: dict[Any, list[str]] = {}
        for number, (lines.number, title, description) in enumerate(found[OPTIONS[0]]):
            option = title.split()
            if unknown := [name for name in option if items is not None and name not in known]:
                raise ValueError(f"item {unknown[0]!r} is unknown")
            name = description if texts[description] == 1 else f"{description} ({title})"
            options[number if not description or name in options else name] = option
    return Statement(options, items)
