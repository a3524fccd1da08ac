"""Exact cover problems as they are stated: from options, matrices, texts and files, and to them."""

import os
import secrets
from collections.abc import Hashable, Iterable, Mapping
from operator import index
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.branching import RANDOM
from ..kernels.links import Links, OptionError
from ..kernels.problem import Problem, build_instance
from .encode import (
    Names,
    decode_entries,
    decode_option,
    decode_problem,
    encode_costs,
    encode_csr,
    encode_matrix,
    encode_multiplicity,
    encode_options,
)
from .io.json import format_json, parse_json
from .io.knuth import format_knuth, parse_knuth
from .io.named import NamedProblem
from .io.read import AnyProblem, read_problem
from .io.text import COVER_STYLES, format_cover
from .prepare import Choose, order_items, prepare

Multiplicity = Mapping[Any, int | tuple[int, int]]
Cover = TypeVar("Cover", bound="CoverProblem")


class CoverProblem:
    """A problem, checked and made ready for `ExactCover`, which tells all about it, to search."""

    def __init__(
        self,
        options: Iterable[Iterable[Hashable]],
        items: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] = (),
        *,
        multiplicity: Multiplicity | None = None,
        costs: ArrayLike | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: Iterable[int] = (),
        forbidden: Iterable[int] = (),
    ) -> None:
        problem, names = encode_options(options, items, secondary)
        self._set_up(
            problem,
            names,
            multiplicity=multiplicity,
            costs=costs,
            choose=choose,
            seed=seed,
            presolve=presolve,
            given=given,
            forbidden=forbidden,
        )

    def _set_up(
        self,
        problem: Problem,
        names: Names,
        *,
        multiplicity: Multiplicity | None = None,
        costs: ArrayLike | None = None,
        choose: Choose = "smallest",
        seed: int | None = None,
        presolve: bool = False,
        given: Iterable[int] = (),
        forbidden: Iterable[int] = (),
    ) -> None:
        if multiplicity:
            problem = encode_multiplicity(problem, names, multiplicity)
        if costs is not None:
            problem = encode_costs(problem, costs)
        try:
            self._instance = build_instance(problem)
        except OptionError as bad:
            known = 0 <= bad.item < len(names.items)
            name = names.items[bad.item] if known else bad.item
            raise ValueError(f"option {bad.option}: item {name!r} {bad.reason}") from None
        self.items = names.items
        self.n_options = problem.n_options
        self.choose = choose
        self.seed = secrets.randbits(31) if seed is None else index(seed)
        self._problem, self._names = problem, names
        ordered, names, self._code, self._sharps = order_items(problem, names, choose)
        shuffle = abs(self.seed) if self._code == RANDOM else None
        self._prepared = prepare(ordered, names, given, forbidden, presolve, shuffle)
        if self._prepared.problem is not problem:
            self._instance = build_instance(self._prepared.problem)
        self.presolved = self._prepared.presolved

    @property
    def links(self) -> Links:
        return self._instance.links

    @property
    def numbered(self) -> tuple[Problem, Names]:
        """The problem as it was stated, in numbers, and what they stand for."""
        return self._problem, self._names

    @classmethod
    def from_matrix(
        cls: type[Cover], matrix: ArrayLike, secondary: ArrayLike = (), **how: Any
    ) -> Cover:
        """A problem from a 0/1 array of shape (options, items). Items are named by their number.

        The keyword arguments are those of `from_csr`.

        Raises ValueError where it is no such array.

        >>> from dlx_numba import ExactCover
        >>> ExactCover.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 0]]).solve()
        [[0, 1]]
        """
        cover = cls.__new__(cls)
        cover._set_up(*encode_matrix(matrix, secondary), **how)
        return cover

    @classmethod
    def from_csr(
        cls: type[Cover],
        indptr: ArrayLike,
        indices: ArrayLike,
        n_items: int,
        secondary: ArrayLike = (),
        **how: Any,
    ) -> Cover:
        """A problem from the row pointers and column indices of a sparse matrix (SciPy's CSR).

        `indptr`, of shape (options + 1,), cuts `indices` into options, whose items are numbers
        from 0 to `n_items` - 1. `secondary` lists those that need not be covered. The keyword
        arguments are those of the constructor; items are named by their number.

        Raises ValueError where the arrays are no such layout, and as the constructor does.

        >>> from dlx_numba import ExactCover
        >>> ExactCover.from_csr([0, 2, 3, 5], [0, 2, 1, 0, 1], 3).solve()
        [[0, 1]]
        """
        cover = cls.__new__(cls)
        cover._set_up(*encode_csr(indptr, indices, n_items, secondary), **how)
        return cover

    @classmethod
    def from_knuth(cls: type[Cover], text: str, source: str = "<text>", **how: Any) -> Cover:
        """A problem from Knuth's text form: a line of items, then a line an option.

        `|` stands before the secondary items; a line that starts with `|` is a comment. An item
        `item:colour` has a colour; `low:high|item` among the items tells its multiplicity. The
        keyword arguments are those of the constructor.

        Raises FormatError (a ValueError), which names `source` and the line.

        >>> from dlx_numba import ExactCover
        >>> ExactCover.from_knuth("a b c | d\\na b\\nc d\\nb c d\\na d").solve()
        [[0, 1]]
        """
        return cls.of(parse_knuth(text, source), **how)

    @classmethod
    def from_json(cls: type[Cover], text: str, source: str = "<text>", **how: Any) -> Cover:
        """A problem from a JSON object, with "options" and maybe "items", "secondary",
        "multiplicity" and "costs". A pair in an option is a secondary item and its colour. The
        keyword arguments are those of the constructor.

        Raises FormatError and ValueError, which name `source`.

        >>> from dlx_numba import ExactCover
        >>> text = '{"options": [["a", "b"], ["a"], ["b"]], "costs": [5, 2, 2]}'
        >>> ExactCover.from_json(text).cheapest()
        [(4, [1, 2])]
        """
        return cls.of(parse_json(text, source), **how)

    @classmethod
    def from_file(cls: type[Cover], source: str | os.PathLike[str], **how: Any) -> Cover:
        """A problem from a file, or from standard input (`-`), compressed by gzip or not.

        It is known by its content: Knuth's text, JSON, a 0/1 matrix as text or `.npy`, or the
        `.npz` of SciPy's `save_npz` for CSR. The keyword arguments are those of the constructor.

        Raises UnreadableError (an OSError), FormatError and ValueError, which name the source.
        """
        problem = read_problem(source)
        try:
            return cls.of(problem, **how)
        except ValueError as error:
            raise ValueError(f"{os.fspath(source)}: {error}") from None

    @classmethod
    def of(cls: type[Cover], problem: AnyProblem, **how: Any) -> Cover:
        """A problem from what the readers of `formats` give."""
        if isinstance(problem, Problem):  # of a matrix file: primary items only
            return cls.from_csr(problem.indptr, problem.items, problem.n_primary, **how)
        how = {"multiplicity": problem.multiplicity, "costs": problem.costs, **how}
        return cls(problem.options, problem.primary, problem.secondary, **how)

    def to_knuth(self) -> str:
        """The problem, as it was stated, in Knuth's text form.

        Raises ValueError where the form cannot hold it: blanks in names, an empty option.

        >>> from dlx_numba import ExactCover
        >>> print(ExactCover([["a", ("s", 1)], ["b"]], secondary=["s"]).to_knuth(), end="")
        a b | s
        a s:1
        b
        """
        return format_knuth(self._stated())

    def to_json(self) -> str:
        """The problem, as it was stated, as JSON: see `from_json`."""
        return format_json(self._stated())

    def to_csr(self) -> tuple[NDArray[np.int64], NDArray[np.int64], int, list[int]]:
        """The arguments for `from_csr` to make the problem again, but for what CSR cannot hold.

        Items are numbered as in `items`. Raises ValueError where options have colours.

        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "s"], ["a"]], secondary=["s"]).to_csr()
        (array([0, 2, 3]), array([0, 1, 0]), 2, [1])
        """
        indptr, items, n_primary, n_secondary, color, *_ = self._problem
        if color is not None:
            raise ValueError("a matrix cannot hold the colours of this problem")
        n_items = n_primary + n_secondary
        return (
            indptr.astype(np.int64),
            items.astype(np.int64),
            n_items,
            list(range(n_primary, n_items)),
        )

    def _stated(self) -> NamedProblem:
        return decode_problem(self._problem, self._names)

    def option(self, number: int) -> list[Hashable]:
        """The items of an option; one in a colour is a pair, as in the constructor.

        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", ("s", 1)]], secondary=["s"]).option(0)
        ['a', ('s', 1)]
        """
        return decode_entries(self._problem, self._names, number)

    def __repr__(self) -> str:
        return f"<ExactCover: {len(self.items):,} items, {self.n_options:,} options>"

    def summary(self) -> str:
        """How large the problem is, as Knuth's programs tell it.

        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a", "s"], ["a", "b"]], secondary=["s"]).summary()
        '2 options, 2+1 items, 4 entries'
        """
        problem = self._problem
        items = f"{problem.n_primary:,}+{problem.n_secondary:,} items"
        return f"{problem.n_options:,} options, {items}, {len(problem.items):,} entries"

    def cost(self, solution: Iterable[int]) -> int:
        """What the options of a solution cost together; 0 where the problem has no costs.

        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["b"]], costs=[3, 4]).cost([0, 1])
        7
        """
        if self._problem.cost is None:
            return 0
        return int(self._problem.cost[list(solution)].sum())

    def format(self, solution: Iterable[int], style: str = "numbers") -> str:
        """A solution on a line: "numbers" of options, "names" of their items, or as "json".

        The cost stands behind it where options have costs.

        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a", "b"], ["c"]], costs=[2, 3])
        >>> cover.format([0, 1], "names")
        'a b; c |5'
        """
        if style not in COVER_STYLES:
            raise ValueError(f"style must be one of {', '.join(COVER_STYLES)}, not {style!r}")
        solution = list(solution)
        named = [decode_option(self._problem, self._names, number) for number in solution]
        cost = None if self._problem.cost is None else self.cost(solution)
        return format_cover(style, solution, named, cost)
