"""What a recorded step says, in a sentence or two: names, lists, and what all algorithms say."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from .problem_view import Subject

MOST_NAMED = 8  # options or items in one sentence


class Teller(ABC):
    """Tells of steps by the names of the subject. Options count from 0, items from 1."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def item(self, item: int) -> str:
        name, meaning = self.subject.items[item - 1], self.subject.meanings[item - 1]
        return f"item {name} ({meaning})" if meaning else f"item {name}"

    def items(self, items: Sequence[int]) -> str:
        return self._listed("item", [self.subject.items[item - 1] for item in items])

    def option(self, number: int) -> str:
        return f"option {number} ({self.subject.options[number]})"

    def options(self, numbers: Sequence[int]) -> str:
        return self._listed("option", [str(number) for number in numbers])

    def _listed(self, noun: str, names: list[str]) -> str:
        if len(names) == 1:
            return f"{noun} {names[0]}"
        if len(names) > MOST_NAMED:
            more = len(names) - MOST_NAMED
            return f"{noun}s {', '.join(names[:MOST_NAMED])} and {more:,} more"
        return f"{noun}s {', '.join(names[:-1])} and {names[-1]}"

    def begin(self) -> str:
        return f"The links are set up: {self.subject.summary}. Nothing is chosen yet."

    def cover(self, item: int, hidden: list[int]) -> str:
        text = f"Cover {self.item(item)}: it leaves the list of items"
        if not hidden:
            return f"{text}. No other item loses an option."
        lists = "leaves the lists of its" if len(hidden) == 1 else "leave the lists of their"
        return f"{text}, and {self.options(hidden)} {lists} other items."

    def leave(self, level: int, option: int) -> str:
        return f"Go back to level {level}, where option {option} was chosen."

    @abstractmethod
    def visit(self, cover: list[int]) -> str:
        """A cover is found."""

    @abstractmethod
    def end(self, covers: int) -> str:
        """The search ends, with so many covers."""

    def _found(self, covers: int) -> str:
        found = {0: "there is no cover", 1: "there is 1 cover"}.get(covers)
        return found or f"there are {covers:,} covers"
