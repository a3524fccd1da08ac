"""Read and write exact cover problems: constructors, conversions, names and pictures."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.problem import Problem
from .encode import Options, Statement, encode_csr, encode_matrix
from .io.json import format_json, parse_json
from .io.knuth import format_knuth, parse_knuth
from .io.read import read_problem
from .io.text import SolutionStyle, format_cover
from .names import Names, decode_option, option_numbers
from .picture import MAX_PICTURE, draw_problem, tabulate
from .prepare import Keywords

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class ProblemFormats:
    """The base class of `ExactCover`: what needs no search.

    Attributes
    ----------
    problem : Problem
        The problem in numbers.
    items, colors, option_names : sequence of hashable
        The names.
    n_items, n_options : int
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            options: Options,
            items: Iterable[Hashable] | None = None,
            secondary: Iterable[Hashable] = (),
            **keywords: Unpack[Keywords],
        ) -> None: ...

    def _store(self, problem: Problem, names: Names) -> None:
        """Store a problem and the names of its items, colors and options."""
        self.problem, self._names = problem, names
        self.items, self.colors, self.option_names = names
        self.n_items, self.n_options = problem.n_items, problem.n_options

    @classmethod
    def from_matrix(
        cls, matrix: ArrayLike, secondary: Iterable[int] = (), **keywords: Unpack[Keywords]
    ) -> Self:
        """Create a problem from a matrix of zeros and ones. The items are the column numbers.

        Parameters
        ----------
        matrix : array_like, shape (options, items)
            The options as rows; 1 if the option contains the item.
        secondary : iterable of int, optional
            The columns of secondary items.
        **keywords
            The keywords of `ExactCover`.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If `matrix` does not consist of zeros and ones or does not have two dimensions, and as
            `ExactCover` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 0]]).solve()
        [[0, 1]]
        """
        return cls(encode_matrix(matrix), secondary=secondary, **keywords)

    @classmethod
    def from_csr(
        cls,
        indptr: ArrayLike,
        indices: ArrayLike,
        n_items: int,
        secondary: Iterable[int] = (),
        **keywords: Unpack[Keywords],
    ) -> Self:
        """Create a problem from a sparse matrix in CSR format, as SciPy stores it.

        The items are the column numbers.

        Parameters
        ----------
        indptr : array_like of int, shape (options + 1,)
            Option `k` consists of the items `indices[indptr[k] : indptr[k + 1]]`.
        indices : array_like of int, shape (indptr[-1],)
            Column numbers from 0 to `n_items` - 1.
        n_items : int
            The number of columns.
        secondary : iterable of int, optional
            The columns of secondary items.
        **keywords
            The keywords of `ExactCover`.

        Returns
        -------
        ExactCover

        Raises
        ------
        ValueError
            If the arrays are not a CSR matrix, and as `ExactCover` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover.from_csr([0, 2, 3, 5], [0, 2, 1, 0, 1], 3).solve()
        [[0, 1]]
        """
        return cls(encode_csr(indptr, indices, n_items), secondary=secondary, **keywords)

    @classmethod
    def from_knuth(cls, text: str, source: str = "<text>", **keywords: Unpack[Keywords]) -> Self:
        """Create a problem from Knuth's text format.

        The first line lists the items, and each further line is an option. `|` precedes the
        secondary items. A line that starts with `|` is a comment. In an option, `item:color` gives
        a secondary item a color and `|n` adds n to the cost; in the first line, `low:high|item`
        gives a primary item a multiplicity.

        Parameters
        ----------
        text : str
            The content of a file.
        source : str, default: "<text>"
            The name of the source in error messages.
        **keywords
            The keywords of `ExactCover`. Multiplicities and costs replace those of the text.

        Returns
        -------
        ExactCover

        Raises
        ------
        FormatError
            If the text violates the format. This ValueError names the source and the line.
        ValueError
            As `ExactCover` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover.from_knuth("a b c | d\\na b\\nc d\\nb c d\\na d").solve()
        [[0, 1]]
        """
        return cls._state(parse_knuth(text, source), keywords)

    @classmethod
    def from_json(cls, text: str, source: str = "<text>", **keywords: Unpack[Keywords]) -> Self:
        """Create a problem from a JSON object.

        The object has the key "options", a list or an object with the names of the options as its
        keys. It may have "items", "secondary", "multiplicity" and "costs". A pair in an option is a
        secondary item with a color.

        Parameters
        ----------
        text : str
            The content of a file.
        source : str, default: "<text>"
            The name of the source in error messages.
        **keywords
            The keywords of `ExactCover`. Multiplicities and costs replace those of the text.

        Returns
        -------
        ExactCover

        Raises
        ------
        FormatError
            If the text is not JSON. This ValueError names the source and the line.
        ValueError
            If the object does not describe a problem, and as `ExactCover` does.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> text = '{"options": [["a", "b"], ["a"], ["b"]], "costs": [5, 2, 2]}'
        >>> ExactCover.from_json(text).cheapest()
        [(4, [1, 2])]
        """
        return cls._state(parse_json(text, source), keywords)

    @classmethod
    def from_file(
        cls,
        source: str | os.PathLike[str],
        secondary: Iterable[int] = (),
        **keywords: Unpack[Keywords],
    ) -> Self:
        """Create a problem from a file, which may be compressed by gzip.

        The format is detected: Knuth's text format, JSON, a matrix of zeros and ones as text or in
        `.npy` format, a matrix with names as CSV, as a pipe table or as the command `show` draws
        it, a CSR matrix in the `.npz` format of SciPy's `save_npz`, or numbered items: ``p ec``
        with lines ``s i1 i2 ...``, or ``items options`` with lines ``k i1 ... ik``.

        Parameters
        ----------
        source : str or path-like
            The path, or "-" for standard input.
        secondary : iterable of int, optional
            The columns of secondary items, if the file contains a matrix.
        **keywords
            The keywords of `ExactCover`. Multiplicities and costs replace those of the file.

        Returns
        -------
        ExactCover

        Raises
        ------
        UnreadableError
            If the file cannot be read. This OSError names the source.
        FormatError, ValueError
            If the content is not a valid problem. The message names the source.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "problem.dlx")
        ...     with open(path, "w") as file:
        ...         _ = file.write("a b\\na b\\na\\nb\\n")
        ...     ExactCover.from_file(path).count()
        2
        """
        statement = read_problem(source)
        try:
            if isinstance(statement["options"], Problem):
                statement["secondary"] = secondary
            elif list(secondary):
                raise ValueError("this format states the secondary items itself")
            return cls._state(statement, keywords)
        except ValueError as error:
            raise ValueError(f"{os.fspath(source)}: {error}") from None

    @classmethod
    def _state(cls, statement: Statement, keywords: Keywords) -> Self:
        """Create a problem from the arguments in a file, which keywords replace."""
        arguments: dict[str, Any] = {**statement, **keywords}
        return cls(**arguments)

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
