"""Validate and encode named options or matrices as problems in arrays."""

from __future__ import annotations

import reprlib
import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, count
from operator import index
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.dlx.links import option_at
from ..kernels.narrow import as_numbers
from ..kernels.problem import Problem, select_options
from ..runtime.frames import reject_query
from ..runtime.text import readable_signature
from .costs import OptionValues, encode_costs
from .encode_matrix import Items, check_problem, encode_matrix, encode_sparse, name_columns
from .iterables import as_list, as_mapping, as_names, check_hashable, read_rows, reject_nan
from .lazy_names import LazyNames
from .names import CostScale, Names, as_integer, find_duplicate, option_items, option_label
from .numbering import Numbered, number_entries
from .option_table import OptionTable, Rows
from .penalties import exact_costs, restore_bounds
from .spelling import check_spelling, simplify_names, suggest
from .totals import Totals, encode_totals, take_weights


class DataFrame(Protocol):
    """A table with named columns, such as that of pandas."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def to_numpy(self) -> NDArray[Any]:
        """Return the values."""


Options = Mapping[Any, Iterable[Hashable]] | Iterable[Iterable[Hashable]] | DataFrame | Problem
Bound = tuple[int, int | None]
Multiplicity = Mapping[Any, int | Bound] | Bound
Numbers = Mapping[Any, int]  # by item

MAX_MULTIPLICITY = 2**31 - 1

BOUNDS = "multiplicity", "exactly", "at_most", "at_least"  # of a formulation


@readable_signature
class Formulation(NamedTuple):
    """An exact cover problem as arguments of `ExactCover`.

    Attributes
    ----------
    options, items, secondary, multiplicity, costs, maximize, penalty, totals, ...
        The parameters of `ExactCover` with these names.
    """

    options: Options
    items: Items | None = None
    secondary: Items = ()
    multiplicity: Multiplicity | None = None
    costs: OptionValues | None = None
    maximize: OptionValues | None = None
    penalty: Mapping[Any, Any] | None = None
    totals: Totals | None = None
    at_most: Numbers | None = None
    at_least: Numbers | None = None
    exactly: Numbers | None = None
    view: Any = None
    given: Iterable[Hashable] = ()
    forbidden: Iterable[Hashable] = ()

    def __repr__(self) -> str:
        """Return the names of the arguments that are given, without their values."""
        given = [name for name, value in self._asdict().items() if not _is_default(name, value)]
        return f"<Formulation: {', '.join(given)}>"


def _is_default(name: str, value: object) -> bool:
    default = Formulation._field_defaults.get(name, value)
    return value is default and name in Formulation._field_defaults


def encode_problem(
    formulation: Formulation, optional: Items | None = None, numbered: Numbered | None = None
) -> tuple[Problem, Names]:
    """Convert the arguments of `ExactCover` into arrays. Raises exceptions as `ExactCover` does.

    The entries of its options may have been `numbered`.
    """
    secondary = as_list(formulation.secondary, "secondary", "items")
    also = [] if optional is None else as_list(optional, "optional", "items")
    options = formulation.options
    totals = formulation.totals
    if totals:
        options, weights = take_weights(options, totals)
    try:
        problem, names = encode_options(options, formulation.items, secondary + also, numbered)
    except TypeError:  # if an item cannot be hashed, say in which argument
        as_names(secondary, "secondary")
        as_names(also, "optional")
        raise
    problem, names = encode_bounds(problem, names, formulation)
    if totals:
        bounds = (getattr(formulation, kind) for kind in BOUNDS)
        mappings = [kind for kind in bounds if not isinstance(kind, tuple | None)]
        bounded = chain.from_iterable(as_mapping(mapping, "", "") for mapping in mappings)
        problem, names = encode_totals(problem, names, totals, weights, bounded)
    if (table := getattr(formulation.options, "table", None)) is not None:
        names = names._replace(table=table)
    return encode_costs(
        problem, names, formulation.costs, formulation.maximize, formulation.penalty
    )


def encode_options(
    options: Options,
    items: Items | None,
    secondary: list[Hashable],
    numbered: Numbered | None = None,
) -> tuple[Problem, Names]:
    """Convert named options, or a matrix, into arrays.

    Parameters
    ----------
    options : mapping, iterable of iterables of hashable, DataFrame, or Problem
        For each option, its items; a pair (item, color) is a secondary item with a color. The keys
        of a mapping are the names of the options. A DataFrame is a matrix with names. A `Problem`
        is a matrix without names: its items are named by their numbers.
    items : iterable of hashable or None
        The primary items. If None, the items that occur in options and are not secondary, in order
        of appearance.
    secondary : list of hashable
        The secondary items. They may be repeated.
    numbered : Numbered, optional
        The entries of the options, if they have been numbered.

    Returns
    -------
    problem : Problem
    names : Names

    Raises
    ------
    ValueError
        If an item is listed twice or is unknown, or a primary item has a color; if the name of an
        option is the name or the number of another one; or if `options` is a matrix.
    TypeError
        If an argument or an option is a string or not iterable, or an item cannot be hashed.

    Examples
    --------
    >>> problem, names = encode_options([["a", ("s", "red")], ["a", "s"]], None, ["s"])
    >>> names[:3]
    (['a', 's'], ['red'], range(0, 2))
    >>> problem.indptr, problem.items, problem.color
    (array([0, 2, 4]), array([0, 1, 0, 1]), array([0, 1, 0, 0], dtype=int32))
    """
    rows: Sequence[Sequence[Any]]
    option_names: Sequence[Hashable] = ()
    reject_query(options)
    if hasattr(options, "tocsr"):
        options = encode_sparse(options)
    items = None if items is None else as_list(items, "items", "items")
    if type(options) in (list, tuple):
        rows = read_rows(cast(Sequence[Any], options))
    elif isinstance(options, Problem):
        return name_columns(options, items, as_names(secondary, "secondary"))
    elif isinstance(options, OptionTable) and [*(items or ()), *secondary] == options.item_names:
        # The items are listed in the order of the table, so its arrays are those of the problem.
        n_primary = len(items or ())
        n_secondary = len(options.item_names) - n_primary
        problem = options.problem._replace(n_primary=n_primary, n_secondary=n_secondary)
        names = Names(options.item_names, [], options.names)
        check_problem(problem, names)
        return problem, names
    elif isinstance(options, Rows):
        option_names = options.names
        rows = options.rows
    elif isinstance(options, Mapping):
        option_names = list(options)
        rows = read_rows(list(options.values()), option_names)
    elif hasattr(options, "columns"):  # much faster than an instance check of a protocol
        rows, columns, option_names = _read_data_frame(cast(DataFrame, options))
        if items is None:
            others = as_names(secondary, "secondary")
            items = [column for column in columns if column not in others]
    else:
        if hasattr(options, "to_pylist"):  # lists of PyArrow have elements of PyArrow
            options = options.to_pylist()
        _reject_other_objects(options)
        rows = read_rows(as_list(options, "options", "options"))
    if not isinstance(option_names, LazyNames):  # which are distinct
        option_names = _check_option_names(option_names, len(rows))
    try:
        problem, names = _encode_rows(rows, option_names, items, secondary, numbered)
    except TypeError:
        as_names(items or (), "items")
        as_names(secondary, "secondary")
        check_hashable(rows, option_names)
        raise
    for listed in (names.items, names.colors, option_names):
        if not isinstance(listed, LazyNames | range):
            reject_nan(listed)
    check_problem(problem, names)
    return problem, names


def _encode_rows(
    rows: Sequence[Sequence[object]],
    option_names: Sequence[Hashable],
    items: list[Hashable] | None,
    secondary: list[Hashable],
    numbered: Numbered | None = None,
) -> tuple[Problem, Names]:
    """Convert options as lists of entries; the other parameters are those of `encode_options`."""
    listed = [*(items or ()), *secondary]
    is_secondary = dict.fromkeys(secondary)
    for pair in _pairs(secondary):
        if pair[0] in is_secondary:
            raise ValueError(f"secondary: {pair!r} is the item {pair[0]!r} with a color")
    if find_duplicate(listed) is not None:
        # Secondary items may be repeated, but then, the entries must be numbered again.
        secondary = [*is_secondary]
        listed = [*(items or ()), *secondary]
        numbered = None
        if (repeated := find_duplicate(listed)) is not None:
            item = listed[repeated]
            place = "in items and in secondary" if item in is_secondary else "twice"
            raise ValueError(f"item {item!r} is listed {place}")
    code_of, lengths, narrow = numbered or number_entries(rows, listed)
    codes = as_numbers(narrow).astype(np.int64)
    indptr = np.zeros(len(rows) + 1, np.int64)
    np.add.accumulate(as_numbers(lengths), out=indptr[1:], dtype=np.int64)
    distinct = [*code_of]
    if items is None and secondary:
        used = [distinct[code] for code in np.flatnonzero(np.bincount(codes)).tolist()]
        n_secondary = len(secondary)
        others = distinct[n_secondary:]
        # Primary items come first in a problem: ["s", "a", ("s", "red")] with the secondary item
        # "s" becomes ["a", ("s", "red"), "s"], and codes are numbers in this list.
        distinct = others + secondary
        codes = (codes - n_secondary) % len(distinct)
        pairs = {(item, color) for item, color in _pairs(others) if item in is_secondary}
        items = [entry for entry in others if entry not in pairs] if pairs else others
        check_spelling(secondary, items, used)
        _warn_of_color(items)
    elif items is None:
        items = distinct
        _warn_of_color(items)
    problem = Problem(indptr, codes, len(items), len(secondary))
    if len(distinct) == problem.n_items:  # no entry is an item with a color, or unknown
        return problem, Names(distinct, [], option_names)
    names = Names([*items, *secondary], [], option_names)
    return _encode_colors(problem, names, distinct)


def _encode_colors(
    problem: Problem, names: Names, distinct: list[Hashable]
) -> tuple[Problem, Names]:
    """Replace the items of a problem, which are indices into `distinct`, by items and colors.

    Raises ValueError if an entry is neither an item nor a pair of a secondary item and a color.
    """
    number_of = dict(zip(names.items, count(), strict=False))
    pairs: list[tuple[int, int]] = []  # the item and the color of each distinct entry
    color_of: dict[Hashable, int] = {None: 0}
    for code, entry in enumerate(distinct):
        try:
            item, color = (entry, None) if entry in number_of else _split_entry(entry, number_of)
            if color is not None and number_of[item] < problem.n_primary:
                raise ValueError(f"item {item!r} is primary, so it cannot have the color {color!r}")
        except ValueError as error:
            k = option_at(problem.indptr, problem.items.tolist().index(code))
            raise ValueError(f"option {option_label(names.options, k)}: {error}") from None
        pairs.append((number_of[item], color_of.setdefault(color, len(color_of))))
    numbers, colors = np.array(pairs, np.int64).T
    problem = problem._replace(
        items=numbers[problem.items], color=colors[problem.items].astype(np.int32)
    )
    return problem, names._replace(colors=[*color_of][1:])


def _read_data_frame(frame: DataFrame) -> tuple[list[list[Any]], list[Hashable], list[Hashable]]:
    """Return the items of each row, all columns, and the labels of the rows unless integers."""
    columns = list(getattr(frame, "column_names", frame.columns))  # as PyArrow calls them
    problem = encode_matrix(cast(ArrayLike, frame))
    rows = [[columns[number] for number in items] for items in option_items(problem)]
    labels = list(getattr(frame, "index", ()))  # not every kind of table has labels
    is_named = all(as_integer(label) is None for label in labels)
    return rows, columns, labels if is_named else []


def _reject_other_objects(options: Any) -> None:
    """Raise an exception if iterating over an object does not yield options.

    That is a ValueError for a dense matrix, which has another constructor, and a TypeError for an
    object of this package, such as a problem, which yields its solutions.
    """
    package = __name__.partition(".")[0]
    if any(kind.__module__.partition(".")[0] == package for kind in type(options).__mro__):
        hint = "; use its attribute options" if hasattr(options, "options") else ""
        raise TypeError(f"options must be a list of options, not {reprlib.repr(options)}{hint}")
    is_array = isinstance(options, np.ndarray) and options.ndim == 2
    if is_array and options.dtype.kind in "biuf" and np.isin(options, (0, 1)).all():
        raise ValueError("options are a matrix of zeros and ones; use ExactCover.from_matrix")


def _check_option_names(names: Sequence[Hashable], n_options: int) -> Sequence[Hashable]:
    """Return the names of options, a range if there are none, or raise ValueError."""
    if not names:
        return range(n_options)
    if not {*map(type, names)} <= {str, tuple}:  # as most names are
        numbers = list(map(as_integer, names))
        names = [name if k is None else k for name, k in zip(names, numbers, strict=True)]
    if (duplicate := find_duplicate(names)) is not None:
        raise ValueError(f"two options have the name {names[duplicate]!r}")
    return names


def _pairs(entries: Iterable[Hashable]) -> list[tuple[Any, Any]]:
    """Return the pairs among entries, which may be items with colors."""
    return [entry for entry in entries if isinstance(entry, tuple) and len(entry) == 2]


def _warn_of_color(primary: list[Hashable]) -> None:
    """Warn of a primary item that is a pair of another one and probably of a color."""
    pairs = _pairs(primary)
    names = set(primary if pairs else ())
    for pair in pairs:
        item, color = pair
        if item in names:
            warnings.warn(
                f"{pair!r} is an item; if {color!r} is a color, {item!r} must be secondary",
                UserWarning,
                stacklevel=6,
            )
            return


def _split_entry(entry: Hashable, number_of: dict[Hashable, int]) -> tuple[Hashable, Hashable]:
    """Return the item and the color of an entry that is not an item, or raise ValueError."""
    if not (pairs := _pairs([entry])) or pairs[0][0] not in number_of:
        reject_nan([entry])
        raise ValueError(f"item {entry!r} is unknown{suggest(entry, simplify_names(number_of))}")
    if pairs[0][1] is None:
        raise ValueError(f"None is not a valid color in {entry!r}")
    return pairs[0]


def encode_bounds(
    problem: Problem, names: Names, formulation: Formulation
) -> tuple[Problem, Names]:
    """Return the problem with multiplicities, given by the names of primary items.

    It is a packing if the lower bound of a pair for all items is 0, or if there is no such pair and
    no item must be covered.

    Raises
    ------
    ValueError
        If an item is unknown or secondary, or has two multiplicities, or one that is not valid.
    TypeError
        If an argument or a multiplicity has another type.
    """
    if names.is_packing:
        names = names._replace(is_packing=False)
    if (
        formulation.multiplicity
        is formulation.at_most
        is formulation.at_least
        is formulation.exactly
        is None
    ):
        return problem, names
    # Bounds of items by argument; "" is a pair for all items, which other arguments may replace.
    arguments: dict[str, Any] = {"": {}, **{kind: getattr(formulation, kind) for kind in BOUNDS}}
    low = 0  # of an item that has only the other bound
    high = None
    if isinstance(bounds := formulation.multiplicity, tuple) and len(bounds) == 2:
        low, high = bounds
        default = dict.fromkeys(names.items[: problem.n_primary], bounds)
        arguments |= {"": default, "multiplicity": None}
    for kind in BOUNDS:
        if arguments[kind] is not None:
            arguments[kind] = as_mapping(arguments[kind], kind, "integers, or a pair for all items")
    if not any(arguments.values()):
        return problem, names
    number_of = {name: k for k, name in enumerate(names.items)}
    sizes = problem.sizes.tolist()
    sizes.append(0)  # of an unknown item, whose number is -1
    lows, highs = np.ones((2, problem.n_primary), np.int64)
    argument_of: dict[Hashable, str] = {}
    at_least = arguments["at_least"] or {}
    for argument, numbers in arguments.items():
        for item, value in (numbers or {}).items():
            earlier = argument_of.get(item, "")
            argument_of[item] = argument
            # Only these two may be combined. "at_most" is read first: see BOUNDS.
            if earlier and (earlier, argument) != ("at_most", "at_least"):
                raise ValueError(f"item {item!r} is in both {earlier} and {argument}")
            k = number_of.get(item, -1)
            if k >= problem.n_primary:
                reason = f"item {item!r} is optional (secondary), which means at most once"
                raise ValueError(f"{reason}; for other bounds, leave it out of the optional items")
            pair = value if isinstance(value, tuple | list) else (value, value)
            if argument == "at_most":
                # A lower bound in `at_least` is checked with this upper one when it is read. Until
                # then it is 0, unless the upper bound is None, which `_read_bounds` replaces by a
                # number that is not below the lower one.
                is_open = value is None or item not in at_least
                pair = at_least.get(item, low) if is_open else 0, value
            elif argument == "at_least":
                pair = value, highs[k] if earlier and k >= 0 else high
            label = f"{argument or 'multiplicity'} of item {item!r}"
            lower, upper = _read_bounds(pair, sizes[k], value, label)
            if k >= 0:
                lows[k] = lower
                highs[k] = upper
            elif (hint := suggest(item, simplify_names(names.items))) or lower:
                raise ValueError(f"item {item!r} is unknown, so it cannot have bounds{hint}")
    is_pair = arguments["multiplicity"] is None and bool(arguments[""])
    names = names._replace(is_packing=low == 0 and (is_pair or not lows.any()))
    if np.all(lows == 1) and np.all(highs == 1):
        return problem, names
    return problem._replace(low=lows, high=highs), names


def _read_bounds(pair: Any, size: int, value: Any, label: str) -> tuple[int, int]:
    """Return the bounds of an item that is in `size` options. None is no upper bound.

    Raises TypeError or ValueError, which calls the `value` that the user has given by its label.
    """
    try:
        low, high = pair
        low = index(low)
        high = max(low, 1, size) if high is None else index(high)
    except (TypeError, ValueError):
        reason = f"must be an integer or a pair (low, high), not {value!r}"
        raise TypeError(f"{label} {reason}") from None
    if high > MAX_MULTIPLICITY:
        raise ValueError(f"{label} must be less than 2**31, not {high}")
    if not 0 <= low <= high:
        raise ValueError(f"{label} must satisfy 0 <= low <= high, not {value!r}")
    return low, high


def change_formulation(
    problem: Problem, names: Names, changes: Formulation
) -> tuple[Problem, Names]:
    """Return a problem with other multiplicities, penalties or costs; what is None stays.

    Of each of these kinds, new values replace all others: the user's costs and penalties are
    restored from the integers, and encoded again. Raises exceptions as `encode_problem`.
    """
    n_listed = names.n_listed
    is_maximized = names.scale.factor < 0
    costs = changes.costs
    maximize = changes.maximize
    has_costs = problem.cost is not None and not names.lacks_costs
    if costs is None and maximize is None and has_costs:
        exact: Any = exact_costs(problem, names)[:n_listed]
        costs, maximize = (None, exact) if is_maximized else (exact, None)
    problem, prices = restore_bounds(problem, names)
    penalty = prices if changes.penalty is None else changes.penalty
    plain = select_options(problem, np.arange(n_listed))._replace(low=None, high=None, cost=None)
    names = names._replace(
        options=names.options[:n_listed],
        scale=CostScale(),
        n_uncovered=0,
        penalties=None,
        exact_costs=None,
    )
    if all(getattr(changes, kind) is None for kind in BOUNDS):
        problem = plain._replace(low=problem.low, high=problem.high)
    else:
        problem, names = encode_bounds(plain, names, changes)
    return encode_costs(problem, names, costs, maximize, penalty)
