"""Number the entries of options. If they are plain, the numbers are all that a search needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, count, islice
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.narrow import MAX_CODES, NarrowProblem
from ..kernels.problem import Problem
from .names import Names

ENTRIES_AT_A_TIME = 1 << 16
# Their iterators have the same elements each time
_REPEATABLE = {list, tuple, range, dict, set, frozenset}
_ROWS = {list, tuple}
_NOTHING = ()  # there is one such object
_ATOMS = {str, int}


class Numbered(NamedTuple):
    """Options as the numbers of their entries: those listed first, then in order of appearance."""

    code_of: dict[Any, int]
    lengths: NDArray[np.uint32]  # (options,)
    codes: Any  # (entries,) uint16, or int32 if there are many distinct ones


class PlainProblem(NamedTuple):
    """A valid problem without colors, settings and costs: numbers, and the names of these."""

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
    """Number the distinct entries of options in a single pass.

    Raises TypeError if one cannot be hashed.
    """
    code_of: dict[Any, int] = defaultdict(count().__next__)
    for item in listed:
        code_of[item]
    lengths = np.fromiter(map(len, rows), np.uint32, len(rows))
    entries = chain.from_iterable(rows)
    codes = _number_part(entries, code_of)
    if len(codes) == ENTRIES_AT_A_TIME:
        narrow = codes
        codes = np.empty(int(lengths.sum()), np.uint16)
        end = 0
        while len(narrow):
            codes = codes.astype(narrow.dtype, copy=False)
            codes[end : end + len(narrow)] = narrow
            end += len(narrow)
            narrow = _number_part(entries, code_of)
    return Numbered(code_of, lengths, codes)


def _number_part(entries: Iterable[Hashable], code_of: dict[Any, int]) -> Any:
    """Return the numbers of the next entries; other threads run after some 10 ms."""
    part = [*islice(entries, ENTRIES_AT_A_TIME)]
    codes = itemgetter(*part, *part[:1])(code_of) if part else ()
    kind = np.uint16 if len(code_of) <= MAX_CODES else np.int32
    return np.fromiter(codes, kind, len(part))  # without the last, as one entry makes no tuple


def number_plain(
    options: Any, items: Any, secondary: Any, optional: Any
) -> PlainProblem | Numbered | None:
    """Return the arguments of `ExactCover` in few bytes if these are plain.

    Most are: lists, or a mapping of lists, without colors, errors and doubtful names. Of others,
    return the numbers of the entries if these are known. The arguments can still be read.
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
            if len({*listed}) < n_listed:
                return None
        numbered = number_entries(rows, listed)
    except TypeError:  # an error says which entry cannot be hashed
        return None
    code_of, lengths, codes = numbered
    n_items = len(code_of)
    n_primary = n_items - n_listed
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
    if n_used < 0 or (items is None and n_used < n_items):  # an optional item may be misspelled
        return numbered
    return PlainProblem(narrow, names, option_names)


def _narrow_matrix(matrix: Problem) -> PlainProblem | None:
    """Return a valid matrix in few bytes if it is plain; the numbers of columns name its items."""
    indptr, codes, n_items, n_secondary, *others = matrix
    if n_secondary or n_items > MAX_CODES or any(each is not None for each in others):
        return None
    lengths = np.diff(indptr).astype(np.uint32)
    narrow = NarrowProblem(lengths, codes.astype(np.uint16), n_items, n_items)
    return PlainProblem(narrow, range(n_items), range(len(lengths)))


def _rotate(codes: Any, n_listed: int, n_items: int) -> Any:
    """Return the numbers of items, of which those listed come after the others."""
    is_listed = codes < n_listed
    codes = codes - n_listed
    codes[is_listed] += n_items  # modulo 2 ** 16
    return codes


def _are_plain(names: dict[Any, int]) -> bool:
    """Return whether names are texts, integers, or tuples of these that do not look colored."""
    tuples = [name for name in names if type(name) is tuple]
    heads = {name[0] for name in tuples if len(name) == 2}
    return (
        {*map(type, names)} <= {*_ATOMS, tuple}
        and {*map(type, chain.from_iterable(tuples))} <= _ATOMS
        and heads.isdisjoint(names)
    )
