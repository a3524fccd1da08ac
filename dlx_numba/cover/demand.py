"""Demands on a problem beside those that its file states: bounds and penalties of items."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from operator import index
from typing import Any, NamedTuple, cast

from ..runtime.text import plural
from .costs import as_price
from .encode import BOUNDS, Bound, Formulation, encode_options
from .iterables import as_list
from .names import as_text, label
from .penalties import as_cost
from .spelling import simplify_names, suggest

ITEM = "item"  # the title of the column of items, if the problem has no table
SETS: dict[str, Bound] = {"packing": (0, 1), "covering": (1, None)}


class Need(NamedTuple):
    """A demand on some items.

    Attributes
    ----------
    items : str or mapping
        A column of the problem's table, or a pattern such as ``piece*``; or the cells of an item by
        the titles of their columns.
    bounds : tuple of (int, int or None), optional
        How often each of them is covered.
    penalty : number, optional
        The cost of each time that is missing.
    place : str
        Where this is stated, for messages.
    """

    items: str | Mapping[str, Any]
    bounds: Bound | None
    penalty: Any
    place: str


def as_bounds(low: Any, high: Any) -> Bound:
    """Return the bounds of an item, which may be texts; an empty text is 0, or no upper bound.

    >>> as_bounds(2.0, ""), as_bounds("", "3")
    ((2, None), (0, 3))
    """
    try:
        least = _as_whole(low or 0)
        most = None if high == "" else _as_whole(high)
    except (TypeError, ValueError):
        raise ValueError(f"bounds must be whole numbers, not {low!r} and {high!r}") from None
    if least < 0 or (most is not None and most < least):
        raise ValueError(f"bounds must satisfy 0 <= low <= high, not {low} and {high}")
    return least, most


def _as_whole(value: Any) -> int:
    if isinstance(value, str) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return index(value)


def parse_need(kind: str, text: str) -> Need:
    """Return the demand of an option of a command such as ``shift=2:``.

    Parameters
    ----------
    kind
        "multiplicity" or "penalty".
    text
        A column or a pattern of items, and what is demanded of each of them: a number, or bounds
        such as ``2:``, ``:3`` and ``0:3``; or a price.

    >>> parse_need("multiplicity", "shift=2:").bounds, parse_need("penalty", "shift=6.5").penalty
    ((2, None), 6.5)
    """
    items, _, value = text.rpartition("=")
    place = f"--{kind} {text}"
    if items and kind == "penalty":
        with suppress(ValueError):
            price = as_price(int(value) if value.isdecimal() else float(value), kind)
            return Need(items, None, as_cost(price), place)
    elif items and value not in ("", ":"):
        low, colon, high = value.partition(":")
        try:
            return Need(items, as_bounds(low, high if colon else low), None, place)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
    expected = "a cost, as in shift=60" if kind == "penalty" else "bounds, as in shift=2:3"
    raise ValueError(f"--{kind} needs items and {expected}, not {text!r}")


class Demand(NamedTuple):
    """The demands on a problem.

    Attributes
    ----------
    needs : sequence of Need
        Of items; a later one replaces what an earlier one demands of the same item.
    sets : {"packing", "covering", ""}
        What the other items demand. The costs of a packing are weights.
    counted : {"fewest", "most", ""}
        How many options a cover should have, whatever they cost.
    """

    needs: Sequence[Need] = ()
    sets: str = ""
    counted: str = ""

    def apply(self, formulation: Formulation) -> Formulation:
        """Return a formulation with the demand; a packing or covering keeps its multiplicities.

        Raises ValueError if there are no such items, or the problem demands the same of them.

        >>> demand = Demand([Need("a", (2, None), 5, "")], "packing")
        >>> changed = demand.apply(Formulation([["a", "b"], ["a"]]))
        >>> changed.multiplicity, changed.at_least, changed.at_most, changed.penalty
        ((0, 1), {'a': 2}, {'a': None}, {'a': 5})
        """
        # The items that have multiplicities of their own, before the needs add theirs
        kept = {item for kind in BOUNDS for item in getattr(formulation, kind) or ()}
        if self.needs:
            formulation = self._with_needs(formulation)
        if self.sets:
            formulation = self._as_sets(formulation)
            if kept:
                notice = f"the {self.sets} keeps the multiplicities of {plural(len(kept), 'item')}"
                warnings.warn(notice, stacklevel=2)
        if self.counted:  # each option costs 1, or is worth 1
            n_options = getattr(formulation.options, "n_options", None)
            ones = [1] * (len(cast(Any, formulation.options)) if n_options is None else n_options)
            costs, maximize = (None, ones) if self.counted == "most" else (ones, None)
            formulation = formulation._replace(costs=costs, maximize=maximize)
        return formulation

    def _with_needs(self, formulation: Formulation) -> Formulation:
        """Return a formulation with the bounds and the penalties of the items that are needed."""
        finder = _ItemFinder(formulation)
        bounds: dict[Hashable, Any] = {}
        penalty: dict[Hashable, Any] = {}
        # Needs of single items come first, as `find` may add these to the problem, so that what is
        # demanded of their column includes them. They come again, as later needs replace earlier.
        in_table = [need for need in self.needs if not isinstance(need.items, str)]
        for need in [*in_table, *self.needs]:
            try:
                items = finder.find(need)
            except ValueError as error:
                raise ValueError(f"{need.place}: {error}") from None
            if need.bounds is not None:
                bounds |= dict.fromkeys(items, need.bounds)
            if need.penalty is not None:
                penalty |= dict.fromkeys(items, need.penalty)
        if not self.sets:
            finder.warn_of_others([need for need in in_table if need.bounds], {*bounds, *penalty})
        old = formulation.penalty or {}
        _check_new(old, penalty, "a penalty")
        formulation = _with_bounds(formulation, bounds)
        return formulation._replace(items=finder.primary, penalty={**old, **penalty} or None)

    def _as_sets(self, formulation: Formulation) -> Formulation:
        """Return a formulation as a packing or a covering.

        The costs of a packing are weights, which are maximized.
        """
        multiplicity = formulation.multiplicity
        if isinstance(multiplicity, tuple):  # one pair for all items
            raise ValueError(f"the items have multiplicities, so this is no {self.sets}")
        # Those of single items become other arguments, as the pair of the sets replaces them.
        formulation = _with_bounds(formulation._replace(multiplicity=None), multiplicity or {})
        costs = formulation.costs
        if self.sets == "packing" and costs is not None and not self.counted:
            formulation = formulation._replace(costs=None, maximize=costs)
            warnings.warn("the costs are the weights of a packing, and maximized", stacklevel=2)
        return formulation._replace(multiplicity=SETS[self.sets])


NO_DEMAND = Demand()


class _ItemFinder:
    """Finds the items of a problem; a demand may add some.

    Attributes
    ----------
    primary : list of hashable
        The primary items.
    """

    def __init__(self, formulation: Formulation) -> None:
        secondary = as_list(formulation.secondary, "secondary", "items")
        primary: Any = formulation.items
        if primary is None:
            problem, names = encode_options(formulation.options, None, secondary)
            primary = names.items[: problem.n_primary]
        table = getattr(formulation.options, "table", None)
        self.primary: list[Any] = [*primary]
        self._items = [*self.primary, *secondary]
        self._roles: Mapping[str, tuple[Any, ...]] = {} if table is None else table.roles
        self._item_of: dict[str, Any] = {as_text(item): item for item in self._items}

    def find(self, need: Need) -> list[Hashable]:
        """Return the items of a demand. Raises ValueError if there are none."""
        wanted = need.items
        if not isinstance(wanted, str):
            return [self._find_cells(wanted, need.place)]
        if wanted in self._roles:
            return [item for item in self._items if item[0] == wanted]
        items = [item for item in self.primary if fnmatchcase(as_text(item), wanted)]
        if not items:
            known = simplify_names([*self._roles, *self._item_of])
            raise ValueError(f"there are no items {wanted!r}{suggest(wanted, known)}")
        return items

    def warn_of_others(self, needs: Iterable[Need], needed: set[Hashable]) -> None:
        """Warn of items whose columns have demands in a table, which lacks these items."""
        demanded = {frozenset(need.items) for need in needs}
        for role, titles in self._roles.items():
            items = [item for item in self.primary if item[0] == role and item not in needed]
            if items and frozenset(map(as_text, titles)) in demanded:
                noun = f"{role} {_shown(items[0])!r}"
                others = f" and {plural(len(items) - 1, 'other')}" if len(items) > 1 else ""
                verb = "is" if len(items) == 1 else "are"
                warnings.warn(
                    f"{noun}{others} without demand {verb} covered exactly once", stacklevel=5
                )

    def _find_cells(self, cells: Mapping[str, object], place: str) -> Any:
        """Return the item with some cells, by the titles of their columns.

        In a table, an item is a tuple of its role, which stands for some columns, and of the cells
        in these. If no option has the item, it becomes a primary item, with a warning, as nothing
        can cover it. ValueError is raised instead if the items of this role are secondary, or if
        there is one of almost the same text.
        """
        titles_of = {role: [*map(as_text, titles)] for role, titles in self._roles.items()}
        titles_of = titles_of or {ITEM: [ITEM]}
        role = next((role for role, titles in titles_of.items() if {*titles} == {*cells}), None)
        if role is None:
            reason = f"no items have the columns {', '.join(cells)}"
            raise ValueError(f"{reason}; there are {', '.join(titles_of)}")
        item: Any = cells.get(ITEM)
        is_primary = True
        if self._roles:
            item = (role, *(cells[title] for title in titles_of[role]))
            is_primary = any(primary[0] == role for primary in self.primary)
        text = as_text(item)
        if text not in self._item_of:
            shown = _shown(item)
            known = simplify_names(map(_shown, self._items))
            # Items from which only case and separators differ
            same = {key: known[key] for key in simplify_names([shown]) if key in known}
            reason = f"no option has {shown!r}"
            if same or not is_primary:
                raise ValueError(reason + suggest(shown, same))
            warnings.warn(f"{place}: {reason}", stacklevel=5)
            self._item_of[text] = item
            self.primary.append(item)
            self._items.append(item)
        return self._item_of[text]


def _shown(item: object) -> str:
    """Return an item as text, in a table without its role."""
    return " ".join(map(as_text, item[1:])) if isinstance(item, tuple) else as_text(item)


def _with_bounds(formulation: Formulation, bounds: Mapping[Any, object]) -> Formulation:
    """Return a formulation with bounds of further items; a single number is both bounds.

    Raises ValueError if it has bounds of one of them already.
    """
    for kind in BOUNDS:
        old = getattr(formulation, kind)
        _check_new(old if isinstance(old, Mapping) else {}, bounds, kind)
    at_least: dict[Any, Any] = {**(formulation.at_least or {})}
    at_most: dict[Any, Any] = {**(formulation.at_most or {})}
    for item, bound in bounds.items():
        is_pair = isinstance(bound, tuple | list)
        at_least[item], at_most[item] = cast(Any, bound) if is_pair else (bound, bound)
    return formulation._replace(at_least=at_least or None, at_most=at_most or None)


def _check_new(old: Mapping[Any, object], new: Mapping[Any, object], noun: str) -> None:
    """Raise ValueError if the problem demands something of an item already."""
    if twice := [item for item in new if item in old]:
        raise ValueError(f"the problem has {noun} of {label(twice[0])} already")
