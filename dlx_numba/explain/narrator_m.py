"""What the steps of Algorithm M say."""

from typing import NamedTuple

from .narrator import Teller


def _counted(number: int) -> str:
    return "1 option" if number == 1 else f"{number:,} options"


class Standing(NamedTuple):
    """What is left of an item."""

    item: int
    need: int  # options that it still needs
    room: int  # options that it may still have
    options: int  # options in its list
    ways: int  # its size

    def is_at_will(self) -> bool:
        """Whether it may have all of its options, or none."""
        return self.need <= 0 < self.options <= self.room


class Attempt(NamedTuple):
    """What an option did to the other items."""

    used: list[int]  # have one option more, and room for another
    filled: list[int]  # have no room for another
    purified: list[int]  # got their colour by it
    hidden: list[int]  # options that left lists
    lacking: int  # the item that is left with too few options, or 0


class TellerM(Teller):
    """An item has bounds: how many options it needs, and how many it may have."""

    def visit(self, cover: list[int]) -> str:
        text = "Each item has what it needs, and no option is left"
        if not cover:
            return f"{text}: to choose nothing is a cover."
        verb = "is" if len(cover) == 1 else "are"
        return f"{text}: {self.options(cover)} {verb} a cover."

    def choose(self, standing: Standing, leftmost: bool, at_will: bool, others: bool) -> str:
        """`at_will`: it may have all its options or none. `others`: other items may."""
        name, (_, need, room, options, its_ways) = self.item(standing.item), standing
        left = {0: "none is left", 1: "1 is left"}.get(options, f"{options:,} are left")
        needs = f"needs {_counted(need)}" if need > 0 else "needs no option"
        if its_ways <= 0:
            return f"{name[0].upper()}{name[1:]} {needs}, but {left}: a dead end."
        if room > len(self.subject.options):
            needs += " and may have any number"
        elif room > need:
            needs += f" and may have {room:,}"
        ways = "1 way" if its_ways == 1 else f"{its_ways:,} ways"
        text = f"Branch on {name}, which {needs}; {left}, which makes {ways} to go on"
        if at_will:
            return f"{text}. All items that are left may take or leave what they like."
        why = "it is the leftmost one" if leftmost else "no item has fewer"
        return f"{text}: {why}" + (", but for some that may do as they like." if others else ".")

    def prepare(self, standing: Standing, hidden: list[int]) -> str:
        if standing.room == 1:
            return self.cover(standing.item, hidden)
        return f"As {self.item(standing.item)} may have more than one option, it stays in the list."

    def tweak(self, option: int, standing: Standing) -> str:
        needs = f"needs {standing.need:,} more" if standing.need > 0 else "needs no more"
        return (
            f"Give {self.item(standing.item)} option {option}; it {needs}. The option leaves the "
            "lists of all its items, and stays out at this level: no set comes up twice."
        )

    def attempt(self, option: int, what: Attempt) -> str:
        deeds = []
        if what.used:
            have = "has" if len(what.used) == 1 else "have"
            deeds.append(f"{self.items(what.used)} {have} one more")
        if what.filled:
            have = "has" if len(what.filled) == 1 else "have"
            deeds.append(f"cover {self.items(what.filled)}, which {have} no room for another")
        if what.purified:
            deeds.append(f"keep {self.items(what.purified)} for options of the same colour")
        text = f"Try {self.option(option)}"
        if deeds:
            text += f": {'; '.join(deeds)}"
        if what.hidden:
            text += f". That hides {self.options(what.hidden)}"
        if what.lacking:
            text += f". Too few options are left for {self.item(what.lacking)}: "
            text += "the attempt ends at once"
        return text + "."

    def take_none(self, item: int) -> str:
        return f"Take none: {self.item(item)} has what it needs, and can do without another option."

    def take_back(self, option: int, standing: Standing, following: int, tweaked: bool) -> str:
        text = f"Take option {option} back: what it used and hid returns, in reverse order"
        text += ", but it stays out of the lists itself." if tweaked else "."
        name = self.item(standing.item)
        if following >= 0 and standing.ways > 0:
            return f"{text} The next one of {name} is option {following}."
        if standing.ways > 0:
            return f"{text} It was the last one of {name}."
        few = "no other is left" if not standing.options else "fewer are left"
        return f"{text} Without it, {name} needs {_counted(standing.need)}, and {few}."

    def restore(self, item: int) -> str:
        return f"Nothing is left to try with {self.item(item)}: restore it and its options."

    def leave_none(self, level: int, item: int) -> str:
        return f"Go back to level {level}, where {self.item(item)} was to do without."

    def end(self, covers: int) -> str:
        return f"There is no level above, so the search ends: {self._found(covers)}."
