"""Descriptions of the steps of Algorithms X and C."""

from .narrator import Narrator, capitalize, count_options


class NarratorX(Narrator):
    """A narrator for searches that cover each item once."""

    def visit(self, cover: list[int]) -> str:
        if not cover:
            return f"There are no items to cover: {self._form_cover(cover)}."
        return f"All items are covered: {self._form_cover(cover)}."

    def choose(self, item: int, size: int, forced: bool, leftmost: bool) -> str:
        name = self.item(item)
        if size == 0:
            return f"{capitalize(name)} has no options left: a dead end."
        text = f"Choose {name}, which has {count_options(size)} left"
        if leftmost:
            return f"{text}: it is the leftmost item."
        return f"{text}: the choice is forced." if forced else f"{text}: no item has fewer."

    def attempt(
        self, option: int, covered: list[int], purified: list[int], hidden: list[int], empty: int
    ) -> str:
        actions = [f"cover {self.items(covered)}"] if covered else []
        if purified:
            actions.append(f"purify {self.items(purified)} (keep only options of the same color)")
        text = f"Try {self.option(option)}"
        if actions:
            text += f": {' and '.join(actions)}"
        if hidden:
            text += f". This hides {self.options(hidden)}"
        if empty:
            text += f". {capitalize(self.item(empty))} has no options left, so the attempt fails"
        return text + "."

    def undo(self, option: int, item: int, following: int) -> str:
        name = self.references[option]
        text = f"Undo option {name}: restore what it covered and hid, in reverse order."
        if following < 0:
            return f"{text} It was the last option of {self.item(item)}."
        name = self.references[following]
        return f"{text} The next option of {self.item(item)} is option {name}."

    def backtrack(self, item: int) -> str:
        return f"All options of {self.item(item)} have been tried: uncover it."

    def end(self, covers: int) -> str:
        return f"No level has an untried option, so the search ends: {self._found(covers)}."
