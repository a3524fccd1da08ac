"""Exact cover problems in YAML: items and options with texts."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...cover.encode import Formulation
from ...runtime.extras import import_extra
from .notation import TextLines, unless_numbered

KEYS = "constraints", "candidates"


class _YamlEntry(NamedTuple):
    """An item or an option: its line, its name or its items, and the text that describes it."""

    line: int
    title: str
    description: str


def parse_yaml(text: str, source: str = "<text>") -> Formulation:
    """Parse a problem in YAML.

    The key "constraints" has the items, and "candidates" the options: their items, separated by
    spaces. Both are mappings to texts that describe them. Options are named by these texts;
    different options with the same text, also by their items. Names are read as they are written:
    neither `no` nor `1` nor letters outside of ASCII are converted. The module needs the package
    PyYAML.

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
        yaml = import_extra("yaml", "YAML needs the package PyYAML", "'dlx-numba[yaml]'")
    except ImportError as error:
        raise ValueError(f"{source}: {error}") from None
    with TextLines(text, source) as lines:
        try:
            # The tree of nodes has names as they are written, and lines.
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            mark: Any = getattr(error, "problem_mark", None)
            lines.number = mark.line + 1 if mark else 1
            raise ValueError(f"not valid YAML: {getattr(error, 'problem', error)}") from None
        except RecursionError:
            raise ValueError("the YAML value is nested too deeply") from None
        found: dict[str, list[_YamlEntry]] = {}
        for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
            lines.number = key.start_mark.line + 1
            if key.value not in KEYS or key.value in found:
                reason = "appears twice" if key.value in found else "is unknown"
                raise ValueError(f"the key {key.value!r} {reason}")
            found[key.value] = [*_read_entries(key.value, value, lines)]
        if "candidates" not in found:
            raise ValueError("the key 'candidates' is missing")
        items = [entry.title for entry in found.get("constraints", ())] or None
        texts = Counter(entry.description for entry in found["candidates"])
        options: dict[Any, list[str]] = {}
        # The loop sets `lines.number`, which is the line that an error names.
        for number, (lines.number, title, description) in enumerate(found["candidates"]):
            option = title.split()
            if unknown := {*option}.difference(items or option):
                raise ValueError(f"item {min(unknown)!r} is unknown")
            name = description if texts[description] == 1 else f"{description} ({title})"
            options[number if not description or name in options else name] = option
    return Formulation(unless_numbered(options), items)


def _read_entries(key: str, value: Any, lines: TextLines) -> Iterator[_YamlEntry]:
    """Yield the entries of a mapping. Raises ValueError if one is malformed."""
    if value.id != "mapping":
        raise ValueError(f"expected names and texts under {key!r}")
    for name, text in value.value:
        lines.number = name.start_mark.line + 1
        if name.id != "scalar" or text.id != "scalar":
            raise ValueError(f"expected names and texts under {key!r}")
        yield _YamlEntry(lines.number, name.value, text.value)
