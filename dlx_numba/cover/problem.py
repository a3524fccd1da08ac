"""An exact cover problem as arrays and names, and its conversion to text and matrices."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.links import OptionError, check_options
from ..kernels.problem import Problem
from ..runtime.arguments import check_choice
from .encode import (
    Costs,
    Names,
    decode_entries,
    decode_option,
    decode_problem,
    encode_costs,
    encode_csr,
    encode_multiplicity,
    encode_options,
    option_numbers,
)
from .io.json import format_json
from .io.knuth import format_knuth
from .io.named import NamedProblem, option_label
from .io.read import AnyProblem
from .io.text import COVER_STYLES, format_cover

Multiplicity = Mapping[Any, int | tuple[int, int]]


@dataclass(frozen=True, eq=False)
class CoverProblem:
    """An exact cover problem as the user stated it. Instances are immutable.

    Attributes
    ----------
    arrays : Problem
        The problem with numbered options, items and colors.
    names : Names
        The names of its items and colors, by number.
    """

    arrays: Problem
    names: Names

    @classmethod
    def of(cls, problem: AnyProblem, secondary: ArrayLike = ()) -> "CoverProblem":
        """Convert the result of a reader.

        `secondary` lists the columns of secondary items if the problem is a matrix. Raises
        ValueError if the problem is inconsistent, or the file has values of wrong types.
        """
        if isinstance(problem, Problem):
            return cls(*encode_csr(problem.indptr, problem.items, problem.n_items, secondary))
        if np.size(secondary):
            raise ValueError("this format states the secondary items itself")
        options, option_names = problem.options, problem.option_names
        plain = cls(*encode_options(options, problem.primary, problem.secondary, option_names))
        try:
            return plain.extended(problem.multiplicity, problem.costs)
        except TypeError as error:
            raise ValueError(str(error)) from None

    def extended(
        self, multiplicity: Multiplicity | None = None, costs: Costs | None = None
    ) -> "CoverProblem":
        """Return the problem with other multiplicities and costs.

        None leaves those of the problem unchanged, and so do empty multiplicities. Raises
        ValueError or TypeError if they are invalid.
        """
        arrays = self.arrays
        if multiplicity is not None:
            arrays = encode_multiplicity(arrays, self.names, multiplicity)
        if costs is not None:
            arrays = encode_costs(arrays, self.names, costs)
        return replace(self, arrays=arrays)

    def check(self) -> None:
        """Raise ValueError if an option is invalid or the problem is too large."""
        try:
            check_options(self.arrays.indptr, self.arrays.items, self.arrays.n_items)
        except OptionError as error:
            raise self._named_error(error) from None

    def _named_error(self, error: OptionError) -> ValueError:
        """Return an error that states the name of the item instead of its number."""
        items = self.names.items
        name = items[error.item] if 0 <= error.item < len(items) else error.item
        option = option_label(self.names.option_names, error.option)
        hint = "; for a matrix of zeros and ones, use ExactCover.from_matrix"
        is_matrix = set(items) <= {0, 1}
        return ValueError(f"option {option}: item {name!r} {error.reason}{hint * is_matrix}")

    def to_named(self) -> NamedProblem:
        """Return the problem with options by name."""
        return decode_problem(self.arrays, self.names)

    def to_knuth(self) -> str:
        """Return the problem in Knuth's text format. Raises ValueError if that is impossible."""
        return format_knuth(self.to_named())

    def to_json(self) -> str:
        """Return the problem as JSON."""
        return format_json(self.to_named())

    def to_csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64], int, list[int]]:
        """Return `indptr`, `indices`, `n_items` and the secondary items of the CSR format.

        Raises ValueError if the problem has colors.
        """
        arrays = self.arrays
        if arrays.color is not None:
            raise ValueError("a matrix cannot represent the colors of this problem")
        secondary = list(range(arrays.n_primary, arrays.n_items))
        indptr, items = arrays.indptr.astype(np.int64), arrays.items.astype(np.int64)
        return indptr, items, arrays.n_items, secondary

    def option(self, number: Hashable) -> list[Hashable]:
        """Return the items of an option, by number or name; an item with a color is a pair.

        Raises ValueError if there is no option with such a name.
        """
        [k] = option_numbers([number], self.names, "option")
        return decode_entries(self.arrays, self.names, k)

    def cost(self, solution: Iterable[int]) -> int:
        """Return the total cost of the options of a solution; 0 if the problem has no costs."""
        if self.arrays.cost is None:
            return 0
        return int(self.arrays.cost[list(solution)].sum())

    def format(self, solution: Iterable[int], style: str = "numbers", start: int = 0) -> str:
        """Return a solution as one line of text, in which the options are counted from `start`.

        Raises ValueError if the style is unknown.
        """
        check_choice("style", style, COVER_STYLES)
        solution = list(solution)
        named_options = [decode_option(self.arrays, self.names, number) for number in solution]
        cost = None if self.arrays.cost is None else self.cost(solution)
        numbers = [number + start for number in solution]
        option_names = None
        if (all_names := self.names.option_names) is not None:
            option_names = [
                number if all_names[k] == k else all_names[k]
                for k, number in zip(solution, numbers, strict=True)
            ]
        return format_cover(style, numbers, named_options, cost, option_names)

    def summary(self) -> str:
        """Return the size of the problem in the format of Knuth's programs."""
        arrays = self.arrays
        items = f"{arrays.n_primary:,}+{arrays.n_secondary:,} items"
        entries = f"{len(arrays.items):,} entries"
        return f"{arrays.n_options:,} options, {items}, {entries}"
