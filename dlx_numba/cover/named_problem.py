"""The class `NamedProblem`: a problem with names, and its representations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from ..kernels.problem import Problem
from .io.json import format_json
from .io.knuth import format_knuth
from .io.text import SolutionStyle, format_cover
from .names import Names, decode_option, option_numbers
from .picture import MAX_PICTURE, draw_problem, tabulate


class NamedProblem:
    """A problem with the names of its items, colors and options, and its representations.

    Parameters
    ----------
    problem : Problem
        The problem in numbers.
    names : Names
    """

    def __init__(self, problem: Problem, names: Names) -> None:
        self.problem, self._names = problem, names
        self.items, self.colors, self.option_names = names
        self.n_items, self.n_options = problem.n_items, problem.n_options

    @property
    def options(self) -> list[list[Hashable]]:
        """The items of each option, as `option` returns them.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", ("s", 1)], ["b"]], secondary=["s"]).options
        [['a', ('s', 1)], ['b']]
        """
        return [self.option(number) for number in range(self.n_options)]

    def names(self, solution: Iterable[int]) -> list[Hashable]:
        """Return the names of the options of a solution, and the numbers of those without a name.

        Parameters
        ----------
        solution : iterable of int
            Option numbers.

        Returns
        -------
        list of hashable

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]})
        >>> [cover.names(solution) for solution in cover]
        [['S1', 'S3']]
        """
        return [self.option_names[number] for number in solution]

    def option(self, number: Hashable) -> list[Hashable]:
        """Return the items of an option; an item with a color is a pair (item, color).

        Parameters
        ----------
        number : int or hashable
            The number of the option, from 0, or its name.

        Returns
        -------
        list of hashable

        Raises
        ------
        ValueError
            If there is no option with this name.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", ("s", 1)]], secondary=["s"]).option(0)
        ['a', ('s', 1)]
        """
        [k] = option_numbers([number], self._names, "option")
        entries = decode_option(self.problem, self._names, k)
        return [item if color is None else (item, color) for item, color in entries]

    def cost(self, solution: Iterable[int]) -> int:
        """Return the total cost of the options of a solution; 0 if the problem has no costs.

        Parameters
        ----------
        solution : iterable of int
            Option numbers.

        Returns
        -------
        int

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["b"]], costs=[3, 4]).cost([0, 1])
        7
        """
        costs = self.problem.cost
        return 0 if costs is None else int(costs[list(solution)].sum())

    def format(
        self, solution: Iterable[int], style: SolutionStyle = "numbers", *, start: int = 0
    ) -> str:
        """Return a solution as one line of text, followed by its cost if the problem has costs.

        Parameters
        ----------
        solution : iterable of int
            Option numbers.
        style : {"numbers", "names", "json"}, default: "numbers"
            The option numbers; the names of the options, or their items if no option of the
            problem has a name; or all of these as a JSON object.
        start : int, default: 0
            The number of the first option.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the style is unknown.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a", "b"], ["c"]], costs=[2, 3])
        >>> cover.format([0, 1], "names")
        'a b; c |5'
        """
        return format_cover(self.problem, self._names, solution, style, start)

    def summary(self) -> str:
        """Return the size of the problem in the format of Knuth's programs.

        Returns
        -------
        str

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "s"], ["a", "b"]], secondary=["s"]).summary()
        '2 options, 2+1 items, 4 entries'
        """
        problem = self.problem
        items = f"{problem.n_primary:,}+{problem.n_secondary:,} items"
        return f"{problem.n_options:,} options, {items}, {len(problem.items):,} entries"

    def to_knuth(self) -> str:
        """Return the problem, as stated, in Knuth's text format.

        The format has no names of options, so they are left out.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the format cannot represent the problem, for example spaces in names or an empty
            option.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover([["a", ("s", 1)], ["b"]], secondary=["s"]).to_knuth(), end="")
        a b | s
        a s:1
        b
        """
        return format_knuth(self.problem, self._names)

    def to_json(self) -> str:
        """Return the problem, as stated, as a JSON object; see `from_json`.

        Returns
        -------
        str

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover([["a", "b"], ["a"]]).to_json(), end="")
        {"items": ["a", "b"],
         "options": [
          ["a", "b"],
          ["a"]]}
        """
        return format_json(self.problem, self._names)

    def to_csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64], int, list[int]]:
        """Return arguments of `from_csr` that recreate the problem.

        Items are numbered as in `items`. Multiplicities and costs are not part of the format.

        Returns
        -------
        indptr : ndarray of int64, shape (options + 1,)
            The start of each option in `indices`, and the end of the last one.
        indices : ndarray of int64, shape (indptr[-1],)
            The items of the options.
        n_items : int
            The number of items.
        secondary : list of int
            The secondary items.

        Raises
        ------
        ValueError
            If the problem has colors.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "s"], ["a"]], secondary=["s"]).to_csr()
        (array([0, 2, 3]), array([0, 1, 0]), 2, [1])
        """
        problem = self.problem
        if problem.color is not None:
            raise ValueError("a matrix cannot represent the colors of this problem")
        indptr, items = problem.indptr.astype(np.int64), problem.items.astype(np.int64)
        return indptr, items, problem.n_items, list(range(problem.n_primary, problem.n_items))

    def svg(self, solution: Iterable[int] = ()) -> str:
        """Return a picture of the matrix: a row for each option, a column for each item.

        Parameters
        ----------
        solution : iterable of int, optional
            The numbers of the options to mark.

        Returns
        -------
        str
            An SVG document.

        Raises
        ------
        ValueError
            If the matrix has too many entries for a picture.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a", "b"], ["a"], ["b"]])
        >>> "Marked options: 1, 2." in cover.svg(cover.solve()[1])
        True
        """
        return draw_problem(self.problem, self._names, list(solution))

    def __repr__(self) -> str:
        return f"<ExactCover: {self.n_items:,} items, {self.n_options:,} options>"

    def _repr_svg_(self) -> str | None:
        is_small = max(self.n_items, self.n_options) <= MAX_PICTURE
        return self.svg() if is_small and self.n_options else None

    def _repr_html_(self) -> str:
        return tabulate(self.problem, self._names, self._repr_svg_())
