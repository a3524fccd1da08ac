"""Phrases of the sentences that describe steps."""

from collections.abc import Iterable

from ..kernels.dlx.branching import Branching
from ..runtime.text import plural

MAX_LISTED = 8  # options or items in one sentence

REASONS = {  # why an item is chosen
    Branching.SMALLEST: "no item has fewer",
    Branching.LEFTMOST: "it is the leftmost item",
    Branching.RANDOM: "no item has fewer, and ties are broken at random",
    Branching.SHARP: "items whose names begin with # come first",
    Branching.LITERAL_LEFTMOST: "it is the leftmost item",
    Branching.LITERAL_SMALLEST: "no item has fewer",
}

# If given options are shown
GIVEN_TRIED = "The given option of {} has been tried: uncover it."
ALL_BUT_GIVEN = "All options have been tried but those that the given ones exclude"


def listing(noun: str, names: Iterable[str]) -> str:
    """Return names in a sentence; those with commas are in parentheses if there are several."""
    listed = [*names]
    if len(listed) == 1:
        return f"{noun} {listed[0]}"
    listed = [f"({name})" if "," in name else name for name in listed]
    if len(listed) > MAX_LISTED:
        listed[MAX_LISTED:] = [f"{len(listed) - MAX_LISTED:,} more"]
    comma = "," if len(listed) > 2 else ""
    return f"{noun}s {', '.join(listed[:-1])}{comma} and {listed[-1]}"


def capitalize(text: str) -> str:
    """Return the text with a capital first letter, and the others unchanged."""
    return text[:1].upper() + text[1:]


def count_options(number: int) -> str:
    """Return the number with its noun, such as "1 option" or "no options"."""
    return plural(number, "option") if number else "no options"
