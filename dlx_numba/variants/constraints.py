"""The constraints of a Sudoku variant, checked and stored as tuples."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..runtime.arguments import check_integer

if TYPE_CHECKING:
    from typing_extensions import Self

Cells = Sequence[int]
Sets = Iterable[Cells]
Pairs = Iterable[tuple[int, int]]
Triples = Iterable[tuple[int, int, int]]
Cages = Iterable[tuple[int | None, Cells]]
LittleKillers = Iterable[tuple[int, Cells]]


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
    arrows: Sets = ()
    little_killers: LittleKillers = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _check(field.name, getattr(self, field.name)))

    def __repr__(self) -> str:
        stated = ", ".join(f"{name}={value!r}" for name, value in self.stated().items())
        return f"{type(self).__name__}({stated})"

    def stated(self) -> dict[str, Any]:
        """Return the parameters that differ from their defaults.

        Returns
        -------
        dict
            By their names.
        """
        values = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: value for field, value in values if value != field.default}

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
        singles: list[dict[str, Any]] = [
            {name: single}
            for name, value in self.stated().items()
            if name != "regions"
            for single in ([True] if value is True else [(each,) for each in value])
        ]
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


FLAGS = tuple(field.name for field in fields(Constraints) if field.default is False)
NUMBERED = ("differences", "ratios", "sums")  # lists of two cells and a number
SUMMED = ("cages", "little_killers")  # lists of a sum and cells
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
}


# How many elements each entry of a list has, and what they are
_FORMS = {
    "less_than": (range(2, 3), "two cells"),
    "arrows": (range(2, 257), "a circle and other cells"),
    **dict.fromkeys(NUMBERED, (range(3, 4), "two cells and a number")),
    **dict.fromkeys(SUMMED, (range(2, 3), "a sum and a list of cells")),
}


def _check(name: str, value: Any) -> Any:
    """Return the value of a parameter as a flag or as tuples."""
    if name in FLAGS:
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{name} must be True or False, not {value!r}")
        return bool(value)
    if name == "regions":
        return None if value is None else _check_regions(value)
    checked: list[Any] = []
    for entry in _elements(name, value):
        sizes, form = _FORMS.get(name, (None, ""))
        parts = _elements(name, entry)
        if sizes and len(parts) not in sizes:
            raise ValueError(f"{name} must consist of {form}, not {entry!r}")
        if name in NUMBERED:
            checked.append((*_check_cells(name, parts[:2]), _check_number(name, parts[2])))
        elif name in SUMMED:
            is_stated = name == "little_killers" or parts[0] is not None
            total = _check_number(name, parts[0]) if is_stated else None
            checked.append((total, _check_cells(name, parts[1])))
        else:
            checked.append(_check_cells(name, parts))
    return tuple(checked)


def _elements(name: str, value: Any) -> list[Any]:
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise ValueError(f"{name} must be a list, not {value!r}")
    return list(value)


def _check_cells(name: str, cells: Any) -> tuple[int, ...]:
    """Return different cells as a tuple."""
    checked = tuple(check_integer(cell, f"a cell in {name}") for cell in _elements(name, cells))
    if min(checked, default=0) < 0:
        raise ValueError(f"{name}: cells are numbered from 0, not {min(checked)}")
    if len({*checked}) < len(checked):
        cell = next(cell for cell in checked if checked.count(cell) > 1)
        raise ValueError(f"{name}: cell {cell} appears twice in {list(checked)}")
    return checked


def _check_number(name: str, value: Any) -> int:
    if (number := check_integer(value, f"a number in {name}")) < 1:
        raise ValueError(f"{name}: the numbers must be 1 or more, not {number}")
    return number


def _check_regions(value: Any) -> tuple[int, ...]:
    """Return the number of the region of each cell, numbered in order of appearance."""
    names: list[Hashable]
    names = list("".join(value.split())) if isinstance(value, str) else np.ravel(value).tolist()
    n = math.isqrt(len(names))
    sizes = {names.count(name) for name in names}
    if n * n != len(names) or sizes != {n}:
        raise ValueError("regions must assign the cells of a board to n regions of n cells each")
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers[name] for name in names)
