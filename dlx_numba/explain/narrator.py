"""Descriptions of the steps of a search: the parts that all algorithms share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from .problem_view import ProblemView

MAX_LISTED = 8  # options or items in one sentence


class Narrator(ABC):
    """Base class of narrators, which describe steps in sentences with the names of a problem.

    Arguments number options from 0 and items from 1, as the arrays of the links do.
    """

    def __init__(self, view: ProblemView) -> None:
        self.view = view
        self.references = view.option_references()

    def item(self, item: int) -> str:
        name, meaning = self.view.items[item - 1], self.view.item_meanings[item - 1]
        return f"item {name} ({meaning})" if meaning else f"item {name}"

    def items(self, items: Sequence[int]) -> str:
        return self._enumerate("item", [self.view.items[item - 1] for item in items])

    def option(self, number: int) -> str:
        reference = self.references[number]
        is_named = reference != str(number)
        return (
            f"option {reference}" if is_named else f"option {number} ({self.view.options[number]})"
        )

    def options(self, numbers: Sequence[int]) -> str:
        return self._enumerate("option", [self.references[number] for number in numbers])

    def _enumerate(self, noun: str, names: list[str]) -> str:
        if len(names) == 1:
            return f"{noun} {names[0]}"
        if len(names) > MAX_LISTED:
            names = [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED:,} more"]
        comma = "," if len(names) > 2 else ""
        return f"{noun}s {', '.join(names[:-1])}{comma} and {names[-1]}"

    def begin(self) -> str:
        return f"Set up the links: {self.view.summary}. No option has been chosen yet."

    def cover(self, item: int, hidden: list[int]) -> str:
        text = f"Cover {self.item(item)}: remove it from the item list"
        if not hidden:
            return f"{text}. No other item loses an option."
        owner = "its" if len(hidden) == 1 else "their"
        return f"{text}, and hide {self.options(hidden)} from the lists of {owner} other items."

    def leave(self, level: int, option: int) -> str:
        return f"Return to level {level}, where option {self.references[option]} was chosen."

    def _form_cover(self, cover: list[int]) -> str:
        if not cover:
            return "the empty set of options is a cover"
        verb = "forms" if len(cover) == 1 else "form"
        return f"{self.options(cover)} {verb} a cover"

    def _found(self, covers: int) -> str:
        number = {0: "no cover was", 1: "1 cover was"}.get(covers, f"{covers:,} covers were")
        return f"{number} found"

    @abstractmethod
    def visit(self, cover: list[int]) -> str:
        """Describe the step that finds a cover."""

    @abstractmethod
    def end(self, covers: int) -> str:
        """Describe the last step of a search that has found this number of covers."""


def capitalize(text: str) -> str:
    """Return the text with a capital first letter, and the others unchanged."""
    return text[:1].upper() + text[1:]


def count_options(number: int) -> str:
    """Return the number with its noun, such as "1 option" or "no options"."""
    return {0: "no options", 1: "1 option"}.get(number, f"{number:,} options")
