"""What a recorded step says, in a sentence or two."""

from collections.abc import Sequence

from .subject import Subject

MOST_NAMED = 8  # options or items in one sentence


class Teller:
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

    def visit(self, cover: list[int]) -> str:
        if not cover:
            return "There is no item to cover: to choose nothing is a cover."
        verb = "is" if len(cover) == 1 else "are"
        return f"No item is left: {self.options(cover)} {verb} a cover."

    def choose(self, item: int, size: int, forced: bool, leftmost: bool) -> str:
        left = "1 option" if size == 1 else f"{size:,} options"
        if size == 0:
            return f"No option is left for {self.item(item)}: a dead end."
        chosen = f"Choose {self.item(item)}, which has {left} left"
        if leftmost:
            return f"{chosen}: it is the leftmost one."
        return f"{chosen}: it is forced." if forced else f"{chosen}: no item has fewer."

    def cover(self, item: int, hidden: list[int]) -> str:
        text = f"Cover {self.item(item)}: it leaves the list of items"
        if not hidden:
            return f"{text}. No other item loses an option."
        lists = "leaves the lists of its" if len(hidden) == 1 else "leave the lists of their"
        return f"{text}, and {self.options(hidden)} {lists} other items."

    def attempt(
        self, option: int, covered: list[int], purified: list[int], hidden: list[int], empty: int
    ) -> str:
        text = f"Try {self.option(option)}"
        deeds = [f"cover its other {self.items(covered)}"] if covered else []
        if purified:
            deeds.append(f"keep {self.items(purified)} for options of the same colour")
        if deeds:
            text += f": {' and '.join(deeds)}"
        if hidden:
            text += f", which hides {self.options(hidden)}"
        if empty:
            text += f". No option is left for {self.item(empty)}: the attempt ends at once"
        return text + "."

    def take_back(self, option: int, item: int, following: int) -> str:
        text = f"Take option {option} back: what it covered and hid returns, in reverse order."
        if following < 0:
            return f"{text} It was the last one of {self.item(item)}."
        return f"{text} The next one of {self.item(item)} is option {following}."

    def backtrack(self, item: int) -> str:
        return f"All options of {self.item(item)} are tried: uncover it."

    def leave(self, level: int, option: int) -> str:
        return f"Go back to level {level}, where option {option} was chosen."

    def end(self, covers: int) -> str:
        found = {0: "there is no cover", 1: "there is 1 cover"}.get(covers)
        found = found or f"there are {covers:,} covers"
        return f"No option is left untried at any level, so the search ends: {found}."
