"""Options as arrays or lists with names, which are listed only when they are needed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property

from ..kernels.problem import Problem
from .names import option_items


class Rows(Mapping[Hashable, list[Hashable]]):
    """Options by name, and the table of which they are the rows."""

    def __init__(
        self, names: Sequence[Hashable], rows: list[list[Hashable]], table: object = None
    ) -> None:
        self.names = names
        self.rows = rows
        self.table = table  # the `LongTable`

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)

    def __getitem__(self, name: Hashable) -> list[Hashable]:
        return self._row_of[name]

    @cached_property
    def _row_of(self) -> dict[Hashable, list[Hashable]]:
        return dict(zip(self.names, self.rows, strict=True))


class OptionTable(Mapping[Hashable, list[Hashable]]):
    """A mapping from the name of each option to its items, kept as arrays.

    Large problems are read and encoded much faster than with a list for each option.

    Parameters
    ----------
    problem : Problem
        The options and items, without colors.
    item_names : list of hashable
        The distinct names of its items.
    names : sequence of hashable
        The distinct names of the options; none of them is an integer.

    Examples
    --------
    >>> import numpy as np
    >>> problem = Problem(np.array([0, 2, 3]), np.array([0, 1, 0]), 2, 0)
    >>> table = OptionTable(problem, ["a", "b"], ["x", "y"])
    >>> table["x"], list(table)
    (['a', 'b'], ['x', 'y'])
    """

    def __init__(
        self, problem: Problem, item_names: list[Hashable], names: Sequence[Hashable]
    ) -> None:
        self.problem = problem
        self.item_names = item_names
        self.names = names

    def __len__(self) -> int:
        return self.problem.n_options

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)

    def __getitem__(self, name: Hashable) -> list[Hashable]:
        return self._rows[name]

    @cached_property
    def _rows(self) -> dict[Hashable, list[Hashable]]:
        """The items of each option, listed when they are first needed."""
        name = self.item_names.__getitem__
        rows = ([*map(name, numbers)] for numbers in option_items(self.problem))
        return dict(zip(self.names, rows, strict=True))
