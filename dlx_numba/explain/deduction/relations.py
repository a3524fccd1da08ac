"""The rules of two cells in the words of setters."""

import re
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from ...puzzles.variants.constraints import CLUES, NUMBERED, Constraints
from ...puzzles.variants.expand import list_relations
from ...puzzles.variants.requirements import Choice, Equal, Mask, Related, Total
from ...puzzles.variants.units import check_units, unit_words
from ...sudoku.box import Box

MAX_PLACES = 3  # that a sentence about an alternative names
Placed = tuple[int, int]  # a cell and its value, both from 0


class Relation(NamedTuple):
    """The name of a rule, and how the second of two cells is related to the first, `{}`."""

    rule: str
    words: str


# The rule, how the second cell of a pair is related to the first, and the reverse if it differs
WORDS = {
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
    "differences": ("difference", "has the difference # from {}"),  # the number of the mark
    "ratios": ("ratio", "has the ratio # to {}"),
    "sums": ("sum", "has the sum # with {}"),
    "minimum": ("minimum", "is greater than the minimum {}", "is a minimum beside {}"),
    "maximum": ("maximum", "is a maximum beside {}", "is less than the maximum {}"),
    "negative": ("negative constraint", "shares an unmarked side with {}"),
    "renban": ("renban", "is on a renban line with {}"),
    "whispers": ("whispers", "is next to {} on a line of whispers"),
    "indexers": ("indexer", "is a cell that {} may index", "is an indexer of {}"),
    "entropic_lines": ("entropic line", "is on an entropic line with {}"),
    "parity_lines": ("parity line", "is on a parity line with {}"),
}
# What a rule says about the cells of a choice, of which a clue has an end, and about a number
_CLAUSES = {
    "odd": "{first} is odd",
    "even": "{first} is even",
    "quadruples": "{cells} include {number}",
    "between_lines": "the digits on the line between {first} and {last} are between theirs",
    "lockouts": "{first} and {last} differ by {gap} or more, "
    "and no digit of the line is in their range",
    "renban": "the digits of {cells} are consecutive",
    "zipper_lines": "{first} and {second} sum to {last}",
    "sandwiches": "the digits between 1 and {n} in {unit} sum to {number}",
    "x_sums": "as many digits from {end} as {first} says sum to {number}",
    "skyscrapers": "from {end}, {number} skyscrapers are visible",
    "numbered_rooms": "{first} says in which place from {end} the {number} is",
}
# What is summed
_SUMS = {
    "arrows": "the digits on the arrow {added} sum to the digit in the circle {taken}",
    "pills": "the digits on the arrow {added} sum to the number in the pill {taken}",
    "little_killers": "the digits on the line {added} sum to {number}",
    "region_sum_lines": "the digits of the line in {added} sum to the same as in {taken}",
    "zipper_lines": "the digits of the zipper line in {added} sum to the same as in {taken}",
}


def rule_of(name: str) -> str:
    """Return the rule of a unit, a cage or another item with a number; "" for any other item.

    >>> rule_of("zipper line 1.2"), rule_of("5 in box 3"), rule_of("r1c2")
    ('zipper line', '', '')
    """
    rule = "diagonal" if name.endswith(("diagonal", "up", "down")) else name.rstrip(" .0123456789")
    return "" if re.match(r"r?\d", name) or rule in ("row", "column", "box", "region") else rule


def place_words(unit: str) -> str:
    """Return what a sentence calls the place of cells; boards do not number cages.

    >>> place_words("cage 2"), place_words("row 3")
    ('one cage', 'row 3')
    """
    rule = rule_of(unit)
    return f"one {rule}" if rule in ("cage", "quadruple", "renban") else unit


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
        # By two cells: how the second one is related to the first, and which values agree
        self._by_pair = defaultdict[tuple[int, int], list[tuple[Relation, Mask]]](list)
        self._units = check_units(rules, box)
        # The cells that must be equal to a cell, and by which rule
        self._twins: dict[int, tuple[str, list[int]]] = {}
        self._regions = rules.regions
        marks = {name: iter(getattr(rules, name)) for name in NUMBERED}
        for name, related in list_relations(rules, box):
            if isinstance(related, Choice):
                self._describe(name, related, rules)
            elif isinstance(related, Total):
                if not related.is_implied:
                    self._describe_total(name, related)
            elif isinstance(related, Equal):
                for cell in related.cells:
                    _, twins = self._twins.get(cell, ("", []))
                    self._twins[cell] = name.rstrip("s"), [*twins, *related.cells]
            elif isinstance(related, Related) and name in WORDS:
                *_, number = next(marks[name]) if name in NUMBERED else [""]
                rule, forward, *backward = (each.replace("#", str(number)) for each in WORDS[name])
                there = Relation(rule, forward)
                back = Relation(rule, *backward or [forward])
                for first, second in related.pairs.tolist():
                    self._by_pair[first, second].append((there, related.agrees))
                    self._by_pair[second, first].append((back, related.agrees.T))

    def _name(self, cell: int) -> str:
        return f"r{cell // self.n + 1}c{cell % self.n + 1}"

    def _describe_total(self, name: str, total: Total) -> None:
        """Add what a rule says about a sum."""
        added = [self._name(cell) for cell, weight in total.weights.items() if weight > 0]
        taken = [self._name(cell) for cell, weight in total.weights.items() if weight < 0]
        template = _SUMS["pills" if name == "arrows" and len(taken) > 1 else name]
        self.clauses[unit_words(total.name)] = template.format(
            added=" + ".join(added), taken=" + ".join(taken[::-1]), number=total.low
        )

    def _describe(self, name: str, choice: Choice, rules: Constraints) -> None:
        """Add the words of a choice, and the values that distinguish each alternative.

        `name` is the parameter of the rules. The choice is named like "zipper line1.2": by its
        entry, counted from 1, and perhaps by a number that distinguishes the choices of this entry.
        """
        cells = [*map(self._name, choice.cells)]
        item = unit_words(choice.name)
        rule = rule_of(choice.name)
        entry, _, number = choice.name.removeprefix(rule).partition(".")
        end = unit = ""
        if name in CLUES:  # whose entries are a number and cells
            number = str(getattr(rules, name)[int(entry) - 1][0])
            rule += f" clue {number}"
            end, unit = self._end(*choice.cells[:2])
        elif name == "quadruples" and number:
            values = getattr(rules, name)[int(entry) - 1][0]
            number = " and ".join([number] * values.count(int(number)))
            rule = f"{number} in the {rule}"
        self.words[item] = f"the {rule} at {cells[0]}"
        if number or name != "quadruples":
            self.clauses[item] = _CLAUSES[name].format(
                cells=f"{', '.join(cells[:-1])} and {cells[-1]}",
                first=cells[0],
                second=cells[min(1, len(cells) - 1)],
                last=cells[-1],
                end=end,
                unit=unit,
                number=number,
                n=self.n,
                gap=self.n // 2,
            )
            if number == "1":
                self.clauses[item] = self.clauses[item].replace("skyscrapers are", "skyscraper is")
        for label, allowed in zip(choice.labels, choice.allowed, strict=True):
            if "+" in label:
                words = f"the set {label}"
            else:
                # The cells with the fewest values distinguish an alternative best.
                fewest = np.argsort(allowed.sum(axis=1), kind="stable")[:MAX_PLACES]
                values = [" or ".join(map(str, np.flatnonzero(row) + 1)) for row in allowed]
                places = (f"{cells[k]}={values[k]}" for k in sorted(fewest) if not allowed[k].all())
                words = ", ".join(places)
            self.words[f"{choice.name}={label}"] = words  # by the name of the option

    def _end(self, cell: int, next_cell: int) -> tuple[str, str]:
        """Return from where a clue sees its cells, by the first two, and their row or column."""
        row, column = divmod(cell, self.n)
        is_row = next_cell // self.n == row
        unit = f"row {row + 1}" if is_row else f"column {column + 1}"
        sides = ("right", "left") if is_row else ("bottom", "top")
        return f"the {sides[cell < next_cell]} of {unit}", unit

    def share(self, cell: int, other: int, unit: str) -> Relation:
        """Return how `other` is related to a cell, `{}`, by a unit that they or equal cells share.

        >>> relations = Relations(Constraints(clones=[(0, 9)]), Box(2, 2))
        >>> relations.share(0, 10, "row3")
        Relation(rule='clone', words='is in row 3 with r3c2, which is equal to {}')
        """
        unit_name = unit_words(unit, self._regions)
        words = f"is in {place_words(unit_name)} with {{}}"
        rule = rule_of(unit_name)
        if (twin := self._twin(cell, unit)) is not None:
            rule, name = twin
            words = words.format(f"{name}, which is equal to {{}}")
        if (twin := self._twin(other, unit)) is not None:
            rule, name = twin
            words = f"is equal to {name}, which {words}"
        return Relation(rule, words)

    def _twin(self, cell: int, unit: str) -> tuple[str, str] | None:
        """Return a cell of a unit that is equal to `cell`: the rule of both, and its name.

        Returns None if there is none, or `cell` is in the unit itself.
        """
        cells = self._units.get(unit, [cell])
        if cell in cells:
            return None
        rule, equal = self._twins.get(cell, ("", []))
        return next(((rule, self._name(twin)) for twin in equal if twin in cells), None)

    def find(self, placed: Placed, other: Placed) -> Relation | None:
        """Return the first rule by which a value in a cell excludes one in another cell, if any."""
        cell, value = placed
        other_cell, other_value = other
        for relation, agrees in self._by_pair.get((cell, other_cell), ()):
            if not agrees[value, other_value]:
                return relation
        return None
