"""What the steps of Algorithms X and C say."""

from .narrator import Teller


class TellerX(Teller):
    """Each item is covered once; an option is chosen where its item is covered first."""

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

    def end(self, covers: int) -> str:
        found = self._found(covers)
        return f"No option is left untried at any level, so the search ends: {found}."
