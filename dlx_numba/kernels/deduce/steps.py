"""Take steps in the order of levels: the first one of the simplest level that has one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..memo.explore import Words
from .remaining import ONE, choose_option, lowest_option, remove_options
from .rules import N_MASKS, find_chains, find_conflicts, find_grid_sets, find_only
from .sets import find_sets
from .totals import find_bounds

ONLY, CONFLICT, SET, GRID_SET, CHAIN, TOTAL = range(6)  # the rules
# What `find_step` returns: a slice of work is done; a step was found; there is none.
CONTINUES, FOUND, NOTHING = range(3)
MAX_ROUNDS = 1 << 30


class Grids(NamedTuple):
    """Tables of items, which find sets fast: an option at each crossing of a row and a column.

    All options of the items of rows are in their rows. Those of columns are covered at most once.
    """

    kind: NDArray[np.int64]  # (grids,)
    bases: NDArray[np.int64]  # (grids, n) the item of each row; -1 for none
    covers: NDArray[np.int64]  # (grids, n) the item of each column; -1 for none
    option_at: NDArray[np.int64]  # (grids, n, n) -1 for none
    masks: Words  # (N_MASKS, n + 1) working memory of `rules.find_grid_sets`


class Levels(NamedTuple):
    """The rules in the order in which they are tried, and what they need."""

    # (levels, 3) the rule; the size of a set, or the most rounds of a chain; a bit for each class
    # of items, or the kind of tables
    rules: NDArray[np.int64]
    item_class: NDArray[np.uint8]  # (items,)
    grids: Grids
    marked: Words  # (words,) the options to choose or to remove
    reason: NDArray[np.int64]  # (items,)
    stack: NDArray[np.int64]  # (2, 2 * size + 1) for sets of up to `size` items
    unions: Words  # (3, 2 * size + 1, words)
    # (6,) LEVEL; CURSOR; N_FOUND, the number of steps found; N_REASON, of the items of the reason;
    # N_ROUNDS, of the rounds of a chain; LACKING, an item that lacks options, or -1
    progress: NDArray[np.int64]


LEVEL, CURSOR, N_FOUND, N_REASON, N_ROUNDS, LACKING = range(6)


_NO_ITEMS = np.zeros((0, 1), np.int64)
NO_GRIDS = Grids(
    _NO_ITEMS[:, 0],
    _NO_ITEMS,
    _NO_ITEMS,
    _NO_ITEMS[:, np.newaxis],
    np.zeros((N_MASKS, 2), np.uint64),
)


def as_levels(
    rules: list[tuple[int, int, int]],
    tables_shape: tuple[int, int],
    item_class: NDArray[np.uint8] | None = None,
    grids: Grids = NO_GRIDS,
) -> Levels:
    """Return the rules with working memory for a problem of this shape: items and words."""
    n_items, n_words = tables_shape
    # A set has as many items to cover as items that it uses up; the unions of none are kept, too.
    depth = 1 + 2 * max((size for rule, size, _ in rules if rule == SET), default=1)
    return Levels(
        np.array(rules, np.int64).reshape(-1, 3),
        np.zeros(n_items, np.uint8) if item_class is None else item_class,
        grids,
        np.zeros(n_words, np.uint64),  # marked
        np.zeros(max(depth, n_items), np.int64),  # reason
        np.zeros((2, depth), np.int64),  # stack
        np.zeros((3, depth, n_words), np.uint64),  # unions
        np.zeros(6, np.int64),  # progress
    )


@njit
def find_step(first, levels, tables, remaining):
    """Find a step of the simplest level that has one, or all of this level, and take them.

    Parameters: `first`, whether to take one step only; `levels`, a `Levels`, whose `progress` is
    read and written, and tells what was found; `tables` and `remaining`, see `remaining`. Returns
    `CONTINUES` after a slice of work, so that the next call continues; `FOUND` or `NOTHING`.
    """
    progress = levels.progress
    marked = levels.marked
    while progress[LEVEL] < len(levels.rules):
        level = np.uint32(progress[LEVEL])
        rule, size, classes = levels.rules[level]  # of a chain, the size is the most rounds
        cursor = progress[CURSOR]
        n_found = np.int64(0)
        n_reason = np.int64(0)
        end = len(remaining.need)  # the number of candidates, which are items for most rules
        if cursor == 0:  # a level begins; otherwise, an earlier slice has found some steps
            progress[N_FOUND] = 0
            progress[N_ROUNDS] = size
            marked[:] = 0
        given = levels, tables, remaining
        if rule == ONLY:
            cursor, n_found, n_reason = find_only(first, cursor, classes, *given)
        elif rule == CONFLICT:
            cursor, n_found, n_reason = find_conflicts(first, cursor, classes, *given)
        elif rule == SET:
            cursor, n_found, n_reason = find_sets(first, cursor, size, *given)
        elif rule == GRID_SET:
            end = len(levels.grids.kind)  # instead of classes, the level has the kind of tables
            cursor, n_found, n_reason = find_grid_sets(first, cursor, size, classes, *given)
        elif rule == TOTAL:
            end = len(remaining.low)
            cursor, n_found, n_reason = find_bounds(first, cursor, *given)
        else:  # a chain with fewer rounds takes the place of those found before
            end = 64 * len(marked)
            n_before = progress[N_FOUND]
            n_rounds = progress[N_ROUNDS]
            cursor, n_found, n_rounds = find_chains(first, cursor, n_before, n_rounds, *given)
            progress[N_FOUND] = 0
            progress[N_ROUNDS] = n_rounds
        progress[N_FOUND] += n_found
        progress[CURSOR] = cursor
        is_chain = rule == CHAIN  # the first one is not the result: a later one may be shorter
        if n_found:
            progress[N_REASON] = n_reason
        if progress[N_FOUND] and (cursor >= end or (first and not is_chain)):
            progress[CURSOR] = 0
            progress[LACKING] = _apply(rule == ONLY, marked, tables, remaining)
            return FOUND
        if cursor < end:
            return CONTINUES
        progress[LEVEL] += 1
        progress[CURSOR] = 0
    return NOTHING


@njit
def _apply(is_choice, marked, tables, remaining):
    """Choose or remove the options marked; return an item that then lacks options, or -1.

    Nothing is undone later, so the trail and the queue are overwritten in each call.
    """
    lacking = -1
    zero = np.int64(0)
    for word in range(len(marked)):
        options = marked[word] & remaining.available[word]
        item = -1
        if not is_choice:
            _, _, item = remove_options(options, word, tables, remaining, zero, zero)
        while is_choice and options and item < 0:
            _, _, item = choose_option(lowest_option(word, options), tables, remaining, zero, zero)
            options &= (options - ONE) & remaining.available[word]
        lacking = max(lacking, item)
    return lacking
