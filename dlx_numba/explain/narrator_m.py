"""Descriptions of the steps of Algorithm M."""

from typing import NamedTuple

from .narrator import Narrator, capitalize, count_options


def _count_left(number: int) -> str:
    return {0: "none are left", 1: "1 is left"}.get(number, f"{number:,} are left")


class ItemStatus(NamedTuple):
    """The bounds of an item and its remaining options."""

    item: int
    need: int  # options that the item still needs
    capacity: int  # options that the item can still take
    options: int  # options in its list
    branches: int  # its size

    def is_unconstrained(self) -> bool:
        """Whether the item can take any subset of its options."""
        return self.need <= 0 < self.options <= self.capacity


class Attempt(NamedTuple):
    """The effects of an option on its other items."""

    used: list[int]  # items that took the option and can take more
    filled: list[int]  # items that took the option and can take no more
    purified: list[int]  # secondary items that got their color
    hidden: list[int]  # options that were hidden
    lacking: int  # the first item with too few options left, or 0


class NarratorM(Narrator):
    """A narrator for searches in which items have multiplicities."""

    def visit(self, cover: list[int]) -> str:
        text = "All items have the options that they need, and no options are left"
        return f"{text}: {self._form_cover(cover)}."

    def choose(
        self, status: ItemStatus, leftmost: bool, only_unconstrained: bool, some_unconstrained: bool
    ) -> str:
        """Describe the choice of an item.

        `only_unconstrained` states that no remaining item is constrained, `some_unconstrained`
        that unconstrained items were passed over.
        """
        name, left = self.item(status.item), _count_left(status.options)
        needs = f"needs {count_options(max(0, status.need))}"
        if status.branches <= 0:
            only = "only " if status.options else ""
            return f"{capitalize(name)} {needs}, but {only}{left}: a dead end."
        if status.capacity > len(self.view.options):
            needs += " and can take any number"
        elif status.capacity > status.need:
            needs += f" and can take up to {status.capacity:,}"
        branches = "1 branch" if status.branches == 1 else f"{status.branches:,} branches"
        text = f"Branch on {name}, which {needs}; {left}, which gives {branches}"
        if only_unconstrained:
            return f"{text}. All remaining items can take any subset of their options."
        reason = "it is the leftmost item" if leftmost else "no item has fewer"
        if some_unconstrained:
            reason += ", except items that can take any subset of their options"
        return f"{text}: {reason}."

    def prepare(self, status: ItemStatus, hidden: list[int]) -> str:
        if status.capacity == 1:
            return self.cover(status.item, hidden)
        name = capitalize(self.item(status.item))
        return f"{name} can take more than one option, so it stays in the item list."

    def tweak(self, option: int, status: ItemStatus) -> str:
        needs = f"{status.need:,} more" if status.need > 0 else "no more"
        return (
            f"Tweak option {self.references[option]}: {self.item(status.item)} takes it and needs "
            f"{needs}. The option is removed from all its lists until this level is left, so that "
            "no set of options is generated twice."
        )

    def attempt(self, option: int, effects: Attempt) -> str:
        actions = []
        if effects.used:
            verb = "takes" if len(effects.used) == 1 else "take"
            actions.append(f"{self.items(effects.used)} {verb} it")
        if effects.filled:
            can = "which can take no more options"
            actions.append(f"cover {self.items(effects.filled)}, {can}")
        if effects.purified:
            items = self.items(effects.purified)
            actions.append(f"purify {items} (keep only options of the same color)")
        text = f"Try {self.option(option)}"
        if actions:
            text += f": {'; '.join(actions)}"
        if effects.hidden:
            text += f". This hides {self.options(effects.hidden)}"
        if effects.lacking:
            name = capitalize(self.item(effects.lacking))
            text += f". {name} has too few options left, so the attempt fails"
        return text + "."

    def try_none(self, item: int) -> str:
        return f"Try none: {self.item(item)} needs no more options, and takes no further one."

    def undo(self, option: int, status: ItemStatus, following: int, tweaked: bool) -> str:
        text = (
            f"Undo option {self.references[option]}: restore what it used and hid, in reverse order"
        )
        text += ", except the option itself, which stays removed." if tweaked else "."
        name = self.item(status.item)
        if status.branches <= 0:
            only = "only " if status.options else ""
            needs = f"{name} needs {count_options(status.need)}"
            return f"{text} Without it, {needs}, but {only}{_count_left(status.options)}."
        if following < 0:
            return f"{text} It was the last option of {name}."
        return f"{text} The next option of {name} is option {self.references[following]}."

    def restore(self, item: int) -> str:
        return f"No branches of {self.item(item)} are left: restore it and its options."

    def leave_none(self, level: int, item: int) -> str:
        return f"Return to level {level}, where {self.item(item)} took no further option."

    def end(self, covers: int) -> str:
        return f"There is no level to return to, so the search ends: {self._found(covers)}."
