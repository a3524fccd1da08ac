"""Number the entries of options. If they are plain, the numbers are all that a search needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from operator import itemgetter
from typing import Any

import numpy as np

from ..kernels.narrow import (
    MAX_BYTE,
    MAX_BYTES,
    MAX_CODES,
    NarrowProblem,
    as_numbers,
    narrow_problem,
)
from ..kernels.problem import Problem
from .names import Names

ENTRIES_AT_A_TIME = 1 << 16
# Their iterators have the same elements each time
_REPEATABLE = {list, tuple, range, dict, set, frozenset}
_ROWS = {list, tuple}
_NOTHING = ()  # there is one such object
_ATOMS = {str, int}


# Options as numbers: that of each entry, those listed first, then in order of appearance; `lengths`
# and `codes` as in `NarrowProblem`, or int32 codes if there are many
Numbered = tuple[dict[Any, int], Any, Any]


@dataclass(eq=False, repr=False, slots=True)
class PlainProblem:
    """A valid problem without colors, settings and costs: numbers, and the names for them."""

    narrow: NarrowProblem
    items: Sequence[Hashable]
    options: Sequence[Hashable]
    is_counted: bool = False  # whether each option costs 1

    @property
    def names(self) -> Names:
        """The names, as those of a problem without costs."""
        return Names(self.items, [], self.options, lacks_costs=True)

    @property
    def problem(self) -> Problem:
        """The problem in the arrays of all searches."""
        problem = self.narrow.problem
        if self.is_counted:
            return problem._replace(cost=np.ones(problem.n_options, np.int64))
        return problem


def number_entries(rows: Sequence[Sequence[object]], listed: Iterable[Hashable]) -> Numbered:
    """Number the distinct entries of options in a single pass, those `listed` first.

    A small problem gets bytes, and a larger one arrays. Raises TypeError if an entry cannot be
    hashed.
    """
    code_of: dict[Any, int] = defaultdict(count().__next__)
    for item in listed:
        code_of[item]  # gives it the next number
    entries = chain.from_iterable(rows)
    lengths: Any
    try:
        short = bytes(map(len, rows))
    except ValueError:  # an option has more than 255 entries
        lengths = np.fromiter(map(len, rows), np.uint32, len(rows))
    else:
        if len(short) <= MAX_BYTES and sum(short) <= MAX_BYTES:
            numbers = _look_up([*entries], code_of)
            if len(code_of) <= MAX_BYTE:
                return code_of, short, bytes(numbers)
            entries = chain.from_iterable(rows)  # again, for wider codes; the numbers stay the same
        lengths = as_numbers(short).astype(np.uint32)
    codes: Any = np.empty(int(lengths.sum()), np.uint16)
    end = 0
    # Other threads run after some 10 ms
    while part := [*islice(entries, ENTRIES_AT_A_TIME)]:
        numbers = _look_up(part, code_of)
        kind = np.uint16 if len(code_of) <= MAX_CODES else np.int32
        codes = codes.astype(kind, copy=False)
        codes[end : end + len(part)] = np.fromiter(numbers, kind, len(part))
        end += len(part)
    return code_of, lengths, codes


def _look_up(entries: list[Any], code_of: dict[Any, int]) -> Sequence[int]:
    """Return the numbers of entries; `code_of` gives new entries the next numbers."""
    if len(entries) > 1:  # for a single one, `itemgetter` returns no tuple
        numbers: Sequence[int] = itemgetter(*entries)(code_of)
        return numbers
    return [code_of[entry] for entry in entries]


def number_plain(
    options: Any, items: Any, secondary: Any, optional: Any
) -> PlainProblem | Numbered | None:
    """Return the arguments of `ExactCover` in few bytes if these are plain.

    Most are: lists, or a mapping of lists, without colors, errors and doubtful names. For others,
    return the numbers of the entries if the entries have been numbered, or else None, and leave it
    to `encode_problem` to find errors. No iterator is used up, so it can read the arguments.
    """
    rows = options
    if type(options) in _ROWS:
        option_names: Sequence[Hashable] = range(len(options))
    elif type(options) is dict and {*map(type, options)} == {str}:
        option_names = [*options]
        rows = [*options.values()]
    elif type(options) is Problem and items is optional is None and secondary is _NOTHING:
        return _narrow_matrix(options)
    else:
        return None
    if not {*map(type, rows)} <= _ROWS:
        return None
    listed: list[Any] = []
    n_listed = 0
    try:
        if items is not None or optional is not None or secondary is not _NOTHING:
            for argument in (items, secondary, optional):
                if argument is not None:
                    if type(argument) not in _REPEATABLE:
                        return None
                    listed += argument
            n_listed = len(listed)
            if len({*listed}) < n_listed:  # an item is listed twice
                return None
        numbered = number_entries(rows, listed)
    except TypeError:  # an error says which entry cannot be hashed
        return None
    code_of, lengths, codes = numbered
    n_items = len(code_of)
    n_primary = n_items - n_listed  # those listed are secondary if `items` is None
    names = [*code_of]
    if items is not None:
        n_primary = len(items)
        if n_items > n_listed:  # an entry is no item
            return numbered
    elif n_listed:
        names = names[n_listed:] + listed
        codes = _rotate(codes, n_listed, n_items)
    if n_items > MAX_CODES or not ({*map(type, names)} <= _ATOMS or _are_plain(code_of)):
        return numbered
    narrow = NarrowProblem(lengths, codes, n_primary, n_items)
    n_used = narrow.count_used()
    # An option is invalid, or an optional item, which is in no option, may be misspelled.
    if n_used < 0 or (items is None and n_used < n_items):
        return numbered
    return PlainProblem(narrow, names, option_names)


def _narrow_matrix(matrix: Problem) -> PlainProblem | None:
    """Return a valid matrix in few bytes if it is plain; the numbers of columns name its items."""
    has_more = any(field is not None for field in matrix[4:])  # colors, bounds, costs or totals
    if has_more or matrix.n_secondary or matrix.n_items > MAX_CODES:
        return None
    return PlainProblem(narrow_problem(matrix), range(matrix.n_items), range(matrix.n_options))


def _rotate(codes: Any, n_listed: int, n_items: int) -> Any:
    """Return new numbers, by which the items listed come after the others, as secondary ones do.

    The items listed have the numbers from 0 to `n_listed` - 1 before.
    """
    n_others = n_items - n_listed
    if type(codes) is bytes:  # the table has the new number of each old one
        return codes.translate(bytes((*range(n_others, n_items), *range(n_others))).ljust(256))
    is_listed = codes < n_listed
    codes = codes - n_listed
    codes[is_listed] += n_items  # these were negative, modulo 2 ** 16
    return codes


def _are_plain(names: dict[Any, int]) -> bool:
    """Return whether names are texts, integers, or tuples of these that do not look colored.

    A pair looks like an item with a color if its first element is a name, too.
    """
    tuples = [name for name in names if type(name) is tuple]
    heads = {name[0] for name in tuples if len(name) == 2}
    return (
        {*map(type, names)} <= {*_ATOMS, tuple}
        and {*map(type, chain.from_iterable(tuples))} <= _ATOMS
        and heads.isdisjoint(names)
    )
