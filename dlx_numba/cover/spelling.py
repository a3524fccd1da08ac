"""Find items whose names are probably misspelled: they differ in case or separators only."""

import re
from collections.abc import Hashable, Iterable

MIN_WORD = 3  # shorter names are similar by chance


def check_spelling(
    secondary: list[Hashable], primary: list[Hashable], entries: Iterable[Hashable]
) -> None:
    """Raise ValueError if a secondary item in no option is probably a misspelled primary item."""
    used = {entry[0] if isinstance(entry, tuple) and entry else entry for entry in entries}
    unused = [item for item in secondary if item not in used]
    heads = (item[0] if isinstance(item, tuple) and item else item for item in primary)
    simplified = simplify_names(heads if unused else ())
    for item in unused:
        if hint := suggest(item, simplified):
            advice = "If not, list the items to cover in items"
            raise ValueError(f"optional item {item!r} is in no option{hint} {advice}")


def suggest(item: Hashable, simplified: dict[str, str]) -> str:
    """Return the end of a message about an unknown item: the item that is probably meant."""
    meant = simplified.get(_simplify(item)) if isinstance(item, str) else None
    return "" if meant is None or len(meant) < MIN_WORD else f"; did you mean {meant!r}?"


def simplify_names(names: Iterable[Hashable]) -> dict[str, str]:
    """Return the names among which `suggest` finds one, by their simplified forms."""
    return {_simplify(name): name for name in names if isinstance(name, str)}


def _simplify(name: str) -> str:
    """Return a name without its case and separators."""
    return re.sub(r"[\W_]+", " ", name).strip().casefold()
