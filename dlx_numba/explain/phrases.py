"""Phrases of the sentences that describe steps."""

from collections.abc import Sequence

from ..kernels.dlx.branching import Branching
from ..runtime.text import plural
from .problem_view import ProblemView

MAX_LISTED = 8  # options or items in one sentence

REASONS = {  # why an item is chosen
    Branching.SMALLEST: "no item has fewer",
    Branching.LEFTMOST: "it is the leftmost item",
    Branching.RANDOM: "no item has fewer, and ties are broken at random",
    Branching.SHARP: "items whose names begin with # come first",
    Branching.LITERAL_LEFTMOST: "it is the leftmost item",
    Branching.LITERAL_SMALLEST: "no item has fewer",
}


class Phrases:
    """Phrases with the names of a problem.

    Arguments number options from 0 and items from 1, as the arrays of the links do.
    """

    def __init__(self, view: ProblemView) -> None:
        self.view = view
        self.reason = REASONS[Branching(view.rule.branching)]
        self.names = view.item_names()
        self.references = view.references()

    def item(self, item: int) -> str:
        return f"item {self.names[item - 1]}"

    def items(self, items: Sequence[int]) -> str:
        return _enumerate("item", [self.names[item - 1] for item in items])

    def option(self, number: int) -> str:
        return f"option {self.references[number]}"

    def options(self, numbers: Sequence[int]) -> str:
        return _enumerate("option", [self.references[number] for number in numbers])


def _enumerate(noun: str, names: list[str]) -> str:
    if len(names) == 1:
        return f"{noun} {names[0]}"
    names = [f"({name})" if "," in name else name for name in names]
    if len(names) > MAX_LISTED:
        names = [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED:,} more"]
    comma = "," if len(names) > 2 else ""
    return f"{noun}s {', '.join(names[:-1])}{comma} and {names[-1]}"


def capitalize(text: str) -> str:
    """Return the text with a capital first letter, and the others unchanged."""
    return text[:1].upper() + text[1:]


def count_options(number: int) -> str:
    """Return the number with its noun, such as "1 option" or "no options"."""
    return plural(number, "option") if number else "no options"
