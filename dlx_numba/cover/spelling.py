"""Find the names that are probably meant by an unknown one."""

import re
from collections.abc import Hashable, Iterable

MIN_WORD = 3  # shorter names are similar by chance
MAX_COMPARED = 10_000  # with more names, only case and separators may differ
# Of `get_close_matches`
MAX_SUGGESTED = 3
MIN_RATIO = 0.75


def check_spelling(
    secondary: list[Hashable], primary: list[Hashable], entries: Iterable[Hashable]
) -> None:
    """Raise ValueError if a secondary item in no option is probably a misspelled primary item.

    It is if only case and separators differ: other similar names may well be those of different
    items.
    """
    if not (strings := [item for item in secondary if isinstance(item, str)]):
        return
    used = {entry[0] if isinstance(entry, tuple) and entry else entry for entry in entries}
    unused = [item for item in strings if item not in used]
    heads = (item[0] if isinstance(item, tuple) and item else item for item in primary)
    known = simplify_names(heads if unused else ())
    for item in unused:
        if (text := _simplify(item)) in known:
            advice = "If not, list the items to cover in items"
            hint = suggest(item, {text: known[text]})
            raise ValueError(f"optional item {item!r} is in no option{hint} {advice}")


def suggest(name: object, known: dict[str, Hashable]) -> str:
    """Return the end of a message about an unknown name: the names that are probably meant.

    `simplify_names` returns those that are known.

    >>> suggest("5a Maths", simplify_names(["5a Math", "5b Art", "6a Maths"]))
    "; did you mean '5a Math'?"
    """
    wanted = _simplify(name) if isinstance(name, str | tuple) else ""
    near = [wanted] if wanted in known else []
    if wanted and not near and len(known) <= MAX_COMPARED:
        # Numbers are no typos: `room 7` does not mean `room 6`.
        same = [text for text in known if _numbers(text) == _numbers(wanted)]
        from difflib import get_close_matches  # slow to import

        near = get_close_matches(wanted, same, MAX_SUGGESTED, MIN_RATIO)
    return f"; did you mean {' or '.join(repr(known[text]) for text in near)}?" if near else ""


def simplify_names(names: Iterable[Hashable]) -> dict[str, Hashable]:
    """Return the names among which `suggest` finds some, by their simplified forms."""
    known = {_simplify(name): name for name in names if isinstance(name, str | tuple)}
    return {text: name for text, name in known.items() if len(text) >= MIN_WORD}


def _numbers(text: str) -> list[str]:
    return re.findall("[0-9]+", text)


def _simplify(name: object) -> str:
    """Return a name as text without its case and separators."""
    return re.sub(r"[\W_]+", " ", str(name)).strip().casefold()
