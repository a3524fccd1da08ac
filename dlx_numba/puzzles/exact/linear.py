"""Integer programs whose variables are binary, as exact cover problems."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, inf, isfinite

from ...cover.encode import Formulation
from ...runtime.text import plural
from .notation import Limits, TextLines, add_free_items

_CONSTANT = "constant"  # the option with the constant of the objective


@dataclass
class Variable:
    """A variable of a program.

    Attributes
    ----------
    line : int
        The line that an error about its values names.
    is_integer : bool
    low, high : number
        The bounds of its values.
    entries : dict of str to int
        Its coefficients in rows, none of which is 0.
    cost : number or None
        Its coefficient in the objective, if it has one.
    """

    line: int
    is_integer: bool = False
    low: Fraction | float = 0
    high: Fraction | float = inf
    entries: dict[str, int] = field(default_factory=dict)
    cost: float | None = None


class Program:
    """An integer program as a reader has found it.

    Parameters
    ----------
    noun : str
        What error messages call a variable.

    Attributes
    ----------
    is_maximized : bool
    constant : number
        Of the objective.
    variables : dict of str to Variable
    limits : dict of str to (int or None, int or None)
        The lowest and the highest value of each row.
    """

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self.is_maximized = False
        self.constant: float = 0
        self.variables: dict[str, Variable] = {}
        self.limits: dict[str, Limits] = {}

    def negate(self) -> None:
        """Replace a minimum by the maximum of the negated objective, or the reverse."""
        self.is_maximized = not self.is_maximized
        self.constant = -self.constant
        for variable in self.variables.values():
            if variable.cost is not None:
                variable.cost = -variable.cost

    def rename(self, variables: Mapping[str, str], rows: Mapping[str, str]) -> None:
        """Replace names. Raise ValueError if two become the same."""
        new_variables = {variables.get(name, name): each for name, each in self.variables.items()}
        new_limits = {rows.get(row, row): limits for row, limits in self.limits.items()}
        if len(new_variables) < len(self.variables) or len(new_limits) < len(self.limits):
            raise ValueError("comments give two columns or rows the same name")
        for each in new_variables.values():
            each.entries = {rows.get(row, row): weight for row, weight in each.entries.items()}
        self.variables = new_variables
        self.limits = new_limits

    def formulate(self, lines: TextLines) -> Formulation:
        """Return the problem. Raise FormatError for a variable that is not binary.

        A sum whose coefficients are 1 is an item with a multiplicity, and another one a total. A
        constant in the objective is an option that is given.
        """
        self._drop_continuous(lines)
        for name, variable in self.variables.items():
            reason = ""
            low = variable.low
            high = variable.high
            if not {low, high} <= {0, 1} or low > high:
                reason = f"its values are from {float(low):g} to {float(high):g}"
            elif low < high and not variable.is_integer:
                reason = "it is not declared as an integer"
            if reason:
                raise lines.error(variable.line, f"{self.noun} {name!r} is not binary: {reason}")
        if self.constant:
            name = _CONSTANT
            while name in self.variables:
                name += "#2"
            self.variables[name] = Variable(0, True, 1, 1, {}, self.constant)
        items = self._items()
        options = {
            name: [row if row in items else (row, weight) for row, weight in each.entries.items()]
            for name, each in self.variables.items()
        }
        totals = {row: limits for row, limits in self.limits.items() if row not in items}
        costs = {
            name: cost
            for name, each in self.variables.items()
            # A variable that is in no row has a cost, which may be 0.
            if (cost := each.cost) is not None and (cost or each.entries)
        }
        formulation = Formulation(
            options,
            [*items],
            multiplicity=items,
            totals=totals or None,
            costs=None if self.is_maximized else costs or None,
            maximize=costs or None if self.is_maximized else None,
            given=[name for name, each in self.variables.items() if each.low == 1],
            forbidden=[name for name, each in self.variables.items() if each.high == 0],
        )
        return add_free_items(formulation)

    def _items(self) -> Mapping[str, tuple[int, int | None]]:
        """Return the multiplicities of the rows that are items.

        Rows with other coefficients than 1 are totals, and so are those without a limit above 0,
        which no multiplicity expresses.
        """
        entries = (pair for each in self.variables.values() for pair in each.entries.items())
        weighted = {row for row, weight in entries if weight != 1}
        return {
            row: (max(low or 0, 0), high)
            for row, (low, high) in self.limits.items()
            if row not in weighted and max(low or 0, high or 0) > 0
        }

    def _drop_continuous(self, lines: TextLines) -> None:
        """Drop continuous variables that only say what a row or the objective adds up to.

        Programs write a row with two limits as an equality with such a variable, and a constant as
        a variable that is fixed. A row with nothing else is a bound of the variable.
        """
        sizes = Counter(row for each in self.variables.values() for row in each.entries)
        slacks: dict[str, str] = {}  # by row; a second one would add to the first, also in parts
        for name, variable in [*self.variables.items()]:
            if variable.is_integer:
                continue
            entries = variable.entries
            # Rows with no other variable are bounds. The list is a copy, as rows are deleted.
            for row in [row for row in entries if sizes[row] == 1]:
                low, high = _divide(self.limits[row], entries[row])
                low = max(variable.low, low)
                high = min(variable.high, high)
                if low <= high:  # otherwise, there is no solution
                    variable.low = low
                    variable.high = high
                    del self.limits[row], entries[row]
            # A variable that is not dropped is an error in `formulate`.
            if variable.low > variable.high or not isfinite(variable.high - variable.low):
                continue
            if not entries and variable.low == variable.high:
                self.constant += _number(variable.low * Fraction(variable.cost or 0))
                del self.variables[name]
            elif len(entries) == 1 and not variable.cost and variable.low < variable.high:
                [(row, weight)] = entries.items()
                total, most = self.limits[row]
                # An equality: without the variable, the rest of the row has a range.
                if total is not None and total == most and row not in slacks:
                    ends = sorted(total - weight * end for end in (variable.low, variable.high))
                    self.limits[row] = ceil(ends[0]), floor(ends[1])
                    del self.variables[name]
                    slacks[row] = name
        if slacks:
            count = plural(len(slacks), f"continuous {self.noun}")
            first = next(iter(slacks.values()))
            notice = f"{count} such as {first!r}, each in one equality, make ranges of these"
            lines.warn(notice)


def _divide(limits: Limits, weight: int) -> tuple[Fraction | float, Fraction | float]:
    """Return the lowest and the highest value of a variable whose multiple has limits."""
    low, high = limits
    ends = -inf if low is None else Fraction(low), inf if high is None else Fraction(high)
    first, last = sorted(end / weight for end in ends)
    return first, last


def _number(value: Fraction | float) -> float:
    """Return a number as an integer, if it is one, or a float."""
    return int(value) if value == int(value) else float(value)
