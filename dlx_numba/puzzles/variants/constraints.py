"""The constraints of a Sudoku variant, checked and stored as tuples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ...runtime.arguments import check_integer

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Self

Cells = Sequence[int]
Sets = Iterable[Cells]
Pairs = Iterable[tuple[int, int]]
Triples = Iterable[tuple[int, int, int]]
Cages = Iterable[tuple[int | None, Cells]]
Clues = Iterable[tuple[int, Cells]]


@dataclass(frozen=True, kw_only=True, repr=False)
class Constraints:
    """The constraints of a variant; `SudokuRules` describes the parameters."""

    diagonals: bool = False
    windows: bool = False
    disjoint_groups: bool = False
    regions: ArrayLike | str | None = None
    extra_regions: Sets = ()
    anti_knight: bool = False
    anti_king: bool = False
    non_consecutive: bool = False
    less_than: Pairs = ()
    thermometers: Sets = ()
    differences: Triples = ()
    ratios: Triples = ()
    sums: Triples = ()
    clones: Sets = ()
    cages: Cages = ()
    arrows: Iterable[Sequence[int | Cells]] = ()
    little_killers: Clues = ()
    odd: Cells = ()
    even: Cells = ()
    minimum: Cells = ()
    maximum: Cells = ()
    negative: Sequence[str] = ()
    quadruples: Iterable[tuple[Sequence[int], Cells]] = ()
    between_lines: Sets = ()
    sandwiches: Clues = ()
    renban: Sets = ()
    whispers: Cages = ()
    region_sum_lines: Sets = ()
    indexers: Iterable[tuple[str, Cells]] = ()
    x_sums: Clues = ()
    skyscrapers: Clues = ()
    numbered_rooms: Clues = ()
    entropic_lines: Sets = ()
    zipper_lines: Sets = ()
    slow_thermometers: Sets = ()
    palindromes: Sets = ()
    parity_lines: Sets = ()
    lockouts: Sets = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            if (value := getattr(self, field.name)) is not field.default:
                object.__setattr__(self, field.name, _check(field.name, value))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.stated().items())
        return f"{type(self).__name__}({values})"

    def stated(self) -> dict[str, Any]:
        """Return the parameters that differ from their defaults.

        Returns
        -------
        dict
            By their names.
        """
        values = vars(self)
        return {name: values[name] for name, each in _DEFAULTS.items() if values[name] != each}

    @property
    def placed_counts(self) -> dict[str, int]:
        """The numbers of entries that `generate` places, by rule."""
        return {name: value for name, value in self.stated().items() if type(value) is int}

    @property
    def negated(self) -> frozenset[str]:
        """The kinds of marks, each of which is shown wherever its relation holds.

        `non_consecutive` (a bool) says this of differences.
        """
        return frozenset([*self.negative, *["differences"] * self.non_consecutive])

    def single_rules(self) -> list[Self]:
        """Return each rule by itself: a parameter that is True, or an element of a list.

        Regions are left out, because they replace the boxes.

        Returns
        -------
        list of SudokuRules

        Examples
        --------
        >>> Constraints(diagonals=True, clones=[(0, 5), (1, 6)]).single_rules()[1:]
        [Constraints(clones=((0, 5),)), Constraints(clones=((1, 6),))]
        """
        values = self.stated()
        values.pop("regions", None)
        marks = {mark for name in self.negated for mark in exempting(name)} & values.keys()
        # A negative constraint is about all neighbors without such marks, so it would exclude more
        # if one of them were left out: together, they are a single rule.
        if marks:
            marks |= {"negative", "non_consecutive"} & values.keys()
        together = {name: values.pop(name) for name in marks}
        singles: list[dict[str, Any]] = [
            {name: single}
            for name, value in values.items()
            for single in ([value] if name in WHOLE or value is True else [(e,) for e in value])
        ]
        if together:
            singles.append(together)
        return [type(self)(**single) for single in singles]

    def with_rules(self, rules: Iterable[Constraints]) -> Self:
        """Return the same regions with other rules.

        Parameters
        ----------
        rules : iterable of SudokuRules
            The other rules, such as some of `single_rules`.

        Returns
        -------
        SudokuRules

        Examples
        --------
        >>> rules = Constraints(diagonals=True, clones=[(0, 5), (1, 6)])
        >>> rules.with_rules(rules.single_rules()[1:])
        Constraints(clones=((0, 5), (1, 6)))
        """
        joined: dict[str, Any] = {}
        for rule in rules:
            for name, value in rule.stated().items():
                if value is True:
                    joined[name] = True
                else:
                    joined.setdefault(name, []).extend(value)
        return type(self)(**joined | {"regions": self.regions})

    def sentences(self) -> list[str]:
        """Return the rules in words, for a board that shows them.

        Returns
        -------
        list of str

        Examples
        --------
        >>> Constraints(anti_king=True).sentences()
        ["Cells a king's move apart have different values."]
        """
        return [_SENTENCES[name] for name in self.stated()]


_DEFAULTS = {field.name: field.default for field in fields(Constraints)}
FLAGS = tuple(field.name for field in fields(Constraints) if field.default is False)
NUMBERED = ("differences", "ratios", "sums")  # lists of two cells and a number
DOTS = NUMBERED[:2]  # of which one is enough between 1 and 2
CELLS = ("odd", "even", "minimum", "maximum")  # lists of cells
CLUES = ("sandwiches", "x_sums", "skyscrapers", "numbered_rooms")  # of rows and columns
MAX_NUMBER = 1_000_000  # more than any sum; arrays can multiply it
MAX_DIGITS = 9  # of a sum in a circle, whose weights have 32 bits
WHOLE = ("minimum", "maximum", "negative")  # whose elements are not rules by themselves
KINDS = ("row", "column", "box")  # of indexers
# The number of each entry, if it has one, and whether it may be None
_NUMBERS = {
    **dict.fromkeys(("cages", "whispers"), True),
    **dict.fromkeys(("little_killers", *CLUES), False),
}
_HEADED = (*_NUMBERS, "quadruples", "indexers")  # lists of something and cells
# How many elements each entry of a list has, and what they are
_FORMS = {
    "less_than": (range(2, 3), "two cells"),
    "arrows": (range(2, 257), "a circle and other cells"),
    **dict.fromkeys(("between_lines", "lockouts"), (range(3, 257), "three cells or more")),
    **dict.fromkeys(NUMBERED, (range(3, 4), "two cells and a number")),
    **dict.fromkeys(_NUMBERS, (range(2, 3), "a number and a list of cells")),
    "cages": (range(2, 3), "a sum and a list of cells"),
    "quadruples": (range(2, 3), "a list of values and a list of cells"),
    "indexers": (range(2, 3), "row, column or box, and a list of cells"),
}
# Rules that may be a number of entries, which `generate` places
PLACED = ("cages", "thermometers", "arrows", *NUMBERED)
_SENTENCES = {
    "diagonals": "Each value appears once on each of the two diagonals.",
    "windows": "Each value appears once in each shaded square.",
    "disjoint_groups": "Each value appears once among the cells at the same place in their boxes.",
    "regions": "The regions with thick borders replace the boxes.",
    "extra_regions": "No value appears twice in a shaded region with an outline.",
    "anti_knight": "Cells a knight's move apart have different values.",
    "anti_king": "Cells a king's move apart have different values.",
    "non_consecutive": "Cells that share a side do not have consecutive values.",
    "less_than": "Each sign points to the smaller value.",
    "thermometers": "The values increase along each thermometer, beginning with its bulb.",
    "differences": "A ring has the difference of two values, which is 1 without a number.",
    "ratios": "A filled dot has the ratio of two values, which is 2 without a number.",
    "sums": "A number between two cells is the sum of their values.",
    "clones": "Cells with the same letter in a corner have the same value.",
    "cages": "No value appears twice in a dashed cage; a number is the sum of its values.",
    "arrows": "The value in a circle is the sum of the values along its arrow.",
    "little_killers": "A number with a dotted line is the sum of the values along the line.",
    "odd": "The value in a gray circle is odd.",
    "even": "The value in a gray square is even.",
    "minimum": "A cell with arrowheads that point into it has a smaller value than those beside.",
    "maximum": "A cell with arrowheads that point out of it has a greater value than those beside.",
    "negative": "All dots and sums of the kinds that appear between cells are shown.",
    "quadruples": "The values in a circle on a corner appear in the four cells around it.",
    "between_lines": "The values on a line between two circles are between those in the circles.",
    "sandwiches": "A number outside is the sum of the values between the least and the greatest.",
    "renban": "The values on a purple line are consecutive, in any order.",
    "whispers": "Neighbors on a green line differ by at least its number, which is half of the "
    "greatest value without one.",
    "region_sum_lines": "The values on a blue line have the same sum in each box.",
    "indexers": "A value in a colored column, row or box is the one with the number of its own.",
    "x_sums": "A number outside is the sum of as many values as the first of them.",
    "skyscrapers": "A number outside counts the values that exceed all values before them.",
    "entropic_lines": "Three neighbors on a peach line have a low, a middle and a high value.",
    "zipper_lines": "Cells at the same distance from the middle of a line have the same sum.",
    "slow_thermometers": "The values do not decrease along a thermometer with a hollow bulb.",
    "palindromes": "A gray line has the same values from both of its ends.",
    "parity_lines": "The values on a red line are odd and even by turns.",
    "numbered_rooms": "A number outside is the value in the place that the first value says.",
    "lockouts": "The values on a line between two diamonds are not in the range of these two.",
}


def cells_of(name: str, entry: Any) -> tuple[int, ...]:
    """Return the cells that an element of a list names."""
    if name in CELLS:
        return (entry,)
    if name == "arrows" and isinstance(entry[0], tuple):
        return (*entry[0], *entry[1:])
    if name == "negative":
        return ()
    if name in _HEADED:
        return entry[1]
    return entry[:2] if name in NUMBERED else entry


def exempting(name: str) -> Sequence[str]:
    """Return which marks exempt cells from the negative constraint of a kind.

    >>> exempting("ratios"), exempting("sums")
    (('differences', 'ratios'), ('sums',))
    """
    return DOTS if name in DOTS else (name,)


def numbers_of(name: str, marks: Iterable[tuple[int, ...]]) -> list[int]:
    """Return the numbers of the marks that a negative constraint is about.

    Without marks, these are the difference 1 or the ratio 2. The sums 5 and 10 are always included.
    """
    values = {number for _, _, number in marks}
    return sorted({5, 10} | values if name == "sums" else values or {NUMBERED.index(name) + 1})


def _check(name: str, value: Any) -> Any:
    """Return the value of a parameter as a flag or as tuples."""
    import numpy as np  # slow, and shells complete the names of rules

    if name in FLAGS:
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{name} must be True or False, not {value!r}")
        return bool(value)
    if name == "regions":
        return _check_regions(value)
    if type(value) is int and name in PLACED:
        return check_integer(value, name, minimum=0)
    if name in CELLS:
        return _check_cells(name, value)
    return tuple(_check_entry(name, entry) for entry in _elements(name, value))


def _check_entry(name: str, entry: Any) -> Any:
    """Return an element of a list as a tuple, or the name of a kind of marks.

    Most elements are lists of cells. Those of the rules in `NUMBERED` end with a number, and those
    of the rules in `_HEADED` are a number, values or a kind, the head, and a list of cells.
    """
    if name == "negative":
        if entry not in NUMBERED:
            raise ValueError(f"negative must consist of {', '.join(NUMBERED)}, not {entry!r}")
        return entry
    sizes, form = _FORMS.get(name, (None, ""))
    parts = _elements(name, entry)
    if sizes and len(parts) not in sizes:
        raise ValueError(f"{name} must consist of {form}, not {entry!r}")
    if name in NUMBERED:
        return (*_check_cells(name, parts[:2]), _check_number(name, parts[2]))
    if name == "arrows" and isinstance(parts[0], list | tuple):
        circle = _check_cells(name, parts[0])
        if not 1 <= len(circle) <= MAX_DIGITS:
            raise ValueError(f"{name}: a circle has 1 to {MAX_DIGITS} cells, not {len(circle)}")
        # No cell may be in the circle and on the arrow.
        return (circle, *_check_cells(name, [*circle, *parts[1:]])[len(circle) :])
    if name not in _HEADED:
        return _check_cells(name, parts)
    head, cells = parts
    if name in _NUMBERS:
        head = None if head is None and _NUMBERS[name] else _check_number(name, head)
    elif name == "quadruples":
        head = tuple(sorted(_check_number(name, each) for each in _elements(name, head)))
    elif head not in KINDS:
        raise ValueError(f"{name} must consist of {form}, not {entry!r}")
    checked = _check_cells(name, cells)
    if not checked and name in ("little_killers", "quadruples"):
        raise ValueError(f"{name}: the list of cells is empty")
    return head, checked


def _elements(name: str, value: Any) -> list[Any]:
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise ValueError(f"{name} must be a list, not {value!r}")
    return list(value)


def _check_cells(name: str, cells: Any) -> tuple[int, ...]:
    """Return different cells as a tuple."""
    checked = tuple(_elements(name, cells))
    if {*map(type, checked)} != {int}:
        checked = tuple(check_integer(cell, f"a cell in {name}") for cell in checked)
    if min(checked, default=0) < 0:
        raise ValueError(f"{name}: cells are numbered from 0, not {min(checked)}")
    if len({*checked}) < len(checked):
        cell = next(cell for cell in checked if checked.count(cell) > 1)
        raise ValueError(f"{name}: cell {cell} appears twice in {list(checked)}")
    return checked


def _check_number(name: str, value: Any) -> int:
    """Return a number of a rule, or raise ValueError if it is out of range."""
    least = 0 if name == "sandwiches" else 1
    if (number := check_integer(value, f"a number in {name}")) < least:
        raise ValueError(f"{name}: the numbers must be {least} or more, not {number}")
    if number > MAX_NUMBER:
        raise ValueError(f"{name}: the numbers must be {MAX_NUMBER:,} or less, not {number}")
    return number


def _check_regions(value: Any) -> tuple[int, ...]:
    """Return the number of the region of each cell, numbered in order of appearance."""
    import numpy as np  # see `_check`

    names: list[Hashable]
    try:
        names = list("".join(value.split())) if isinstance(value, str) else np.ravel(value).tolist()
        sizes = {*Counter(names).values()}
    except (TypeError, ValueError):  # lists of other lengths, or of objects
        names = []
        sizes = set()
    n = math.isqrt(len(names))
    if n * n != len(names) or sizes != {n}:
        raise ValueError("regions must assign the cells of a board to n regions of n cells each")
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers[name] for name in names)
