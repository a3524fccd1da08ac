"""The rules of two cells in the words of setters."""

import re
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from ...puzzles.variants.constraints import CLUES, Constraints
from ...puzzles.variants.expand import list_relations
from ...puzzles.variants.requirements import Choice, Mask
from ...puzzles.variants.units import unit_words
from ...sudoku.box import Box

MAX_PLACES = 3  # that a sentence about an alternative names
Placed = tuple[int, int]  # a cell and its value, both from 0


class Relation(NamedTuple):
    """The name of a rule, and how the second of two cells is related to the first, `{}`."""

    rule: str
    words: str


# The rule, how the second cell of a pair is related to the first, and the reverse if it differs
_WORDS = {
    "anti_knight": ("knight's move", "is a knight's move from {}"),
    "anti_king": ("king's move", "is a king's move from {}"),
    "non_consecutive": ("non-consecutive", "shares a side with {} and is not consecutive with it"),
    "less_than": ("inequality", "is greater than {}", "is less than {}"),
    "thermometers": (
        "thermometer",
        "is above {} on the thermometer",
        "is below {} on the thermometer",
    ),
    "slow_thermometers": (
        "slow thermometer",
        "is not less than {} on the slow thermometer",
        "is not greater than {} on the slow thermometer",
    ),
    "differences": ("difference", "has a marked difference from {}"),
    "ratios": ("ratio", "has a marked ratio to {}"),
    "sums": ("sum", "has a marked sum with {}"),
    "minimum": ("minimum", "is greater than the minimum {}", "is a minimum beside {}"),
    "maximum": ("maximum", "is a maximum beside {}", "is less than the maximum {}"),
    "negative": ("negative constraint", "shares an unmarked side with {}"),
    "renban": ("renban", "is on a renban line with {}"),
    "whispers": ("whispers", "is next to {} on a line of whispers"),
    "indexers": ("indexer", "is a cell that {} may index", "is an indexer of {}"),
    "entropic_lines": ("entropic line", "is on an entropic line with {}"),
    "parity_lines": ("parity line", "is on a parity line with {}"),
}
# What a rule says about the cells of a choice, and a number
_CLAUSES = {
    "quadruples": "one of {cells} is {number}",
    "between_lines": "on the line, the values between {first} and {last} are between theirs",
    "lockouts": "on the line, the values between {first} and {last} are not between theirs",
    "renban": "the values of {cells} are consecutive",
    "zipper_lines": "{first} and {second} have the sum {last}",
    "sandwiches": "between the least and the greatest value from {first} on, the sum is {number}",
    "x_sums": "from {first} on, as many cells as its value says have the sum {number}",
    "skyscrapers": "from {first} on, {number} values exceed all before them",
    "numbered_rooms": "the value of {first} says where {number} is from there on",
}


def rule_of(name: str) -> str:
    """Return the rule of a unit, a cage or another item with a number; "" for any other item.

    >>> rule_of("zipper line 1.2"), rule_of("5 in box 3"), rule_of("r1c2")
    ('zipper line', '', '')
    """
    rule = name.rstrip(" .0123456789")
    return "" if re.match(r"r?\d", name) or rule in ("row", "column", "box") else rule


class Relations:
    """The relations of pairs of cells by the rules, and the words of choices.

    >>> relations = Relations(Constraints(thermometers=[(0, 1)]), Box(2, 2))
    >>> relations.find((0, 3), (1, 0))
    Relation(rule='thermometer', words='is above {} on the thermometer')
    """

    def __init__(self, rules: Constraints, box: Box) -> None:
        self.n = box.n
        self.words: dict[str, str] = {}  # of choices and of their alternatives
        self.clauses: dict[str, str] = {}  # of choices: what their rules say
        self._found = defaultdict[tuple[int, int], list[tuple[Relation, Mask]]](list)
        for name, related in list_relations(rules, box):
            if isinstance(related, Choice):
                self._describe(name, related, rules)
            elif name in _WORDS:
                rule, forward, *backward = _WORDS[name]
                there = Relation(rule, forward)
                back = Relation(rule, *backward or [forward])
                for first, second in related.pairs.tolist():
                    self._found[first, second].append((there, related.agrees))
                    self._found[second, first].append((back, related.agrees.T))

    def _describe(self, name: str, choice: Choice, rules: Constraints) -> None:
        """Add the words of a choice, and the values that distinguish each alternative."""
        cells = [f"r{cell // self.n + 1}c{cell % self.n + 1}" for cell in choice.cells]
        item = unit_words(choice.name)
        self.words[item] = f"the {rule_of(choice.name)} at {cells[0]}"
        entry, _, number = choice.name.removeprefix(rule_of(choice.name)).partition(".")
        if name in CLUES:
            number = getattr(rules, name)[int(entry) - 1][0]
        if number or name != "quadruples":
            own = {"first": cells[0], "second": cells[1], "last": cells[-1]}
            listed = f"{', '.join(cells[:-1])} and {cells[-1]}"
            self.clauses[item] = _CLAUSES[name].format(cells=listed, number=number, **own)
        for label, allowed in zip(choice.labels, choice.allowed, strict=True):
            fewest = np.argsort(allowed.sum(axis=1), kind="stable")[:MAX_PLACES]
            if "+" in label:
                self.words[f"{choice.name}={label}"] = f"the set {label}"
                continue
            values = ["/".join(map(str, np.flatnonzero(row) + 1)) or "none" for row in allowed]
            places = (f"{cells[k]}={values[k]}" for k in sorted(fewest) if not allowed[k].all())
            self.words[f"{choice.name}={label}"] = f"({', '.join(places)})"

    def find(self, placed: Placed, other: Placed) -> Relation | None:
        """Return the first rule by which a value in a cell excludes one in another cell, if any."""
        for relation, agrees in self._found.get((placed[0], other[0]), ()):
            if not agrees[placed[1], other[1]]:
                return relation
        return None
