"""Search variations of a problem: on links or bitmaps that are built once.

The kernels share these parameters: `tables`, a `BatchTables`, or some of its fields; `variations`,
of which number `k` (int64) applies; `marks` (options,) uint8, one of OPEN, POSSIBLE and IMPOSSIBLE
for each option of the user. All arrays of the tables but those of the problem are written.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ..bitset.algorithm import search_bitset
from ..bitset.state import NO_OPTION, BitsetState, LaneBounds
from ..csr import group
from ..dlx.algorithm_m import search_multiplicities
from ..dlx.algorithm_x import search
from ..dlx.bounds import Bounds
from ..dlx.linked_subtree import LinkedSubtree
from ..dlx.links import INACTIVE, Colors, Links
from ..dlx.state import EXHAUSTED, OUT_OF_BUDGET, TARGET_REACHED, Register, SearchState
from ..problem import Problem
from ..subtree import Subtree
from .bitmapped import Bitmaps, is_bit_set, start_on_bitmaps
from .linked import end_on_links, is_available, start_on_links
from .variations import CHOSEN, EXCLUDED, OptionNumbering, Variations

MIN_STORED_OPTIONS = 1 << 16  # of the covers that one call of a kernel finds
UPDATES_PER_SLICE = 1 << 18  # at most some 50 ms, even if many items are compared one by one
UPDATES_PER_START = 1 << 9  # the time for the conditions of a variation, at least, in updates

# Fields of `progress`
VARIATION = 0  # the variation that is being searched
IS_STARTED = 1  # whether its conditions are applied
N_STORED = 2  # the number of options that are stored in `found`
QUESTION = 3  # 1 + the option that is given in addition, or 0 without any
COUNT = 4  # the number of covers that its first search found

# Whether an option occurs in a cover
OPEN = 0
POSSIBLE = 1
IMPOSSIBLE = 2


class BatchTables(NamedTuple):
    """A problem as links or as bitmaps (the other is None), and the state of a search."""

    links: Links | None
    colors: Colors | None
    bounds: Bounds | LaneBounds | None
    bitmaps: Bitmaps | None
    state: SearchState | BitsetState
    initial: NDArray[np.int64]  # the registers of a search that has not started
    numbering: OptionNumbering


class VariationResults(NamedTuple):
    """The results of N variations."""

    counts: NDArray[np.int64]  # (N,) covers, up to the limit; -1 if the search is unfinished
    nodes: NDArray[np.int64]  # (N,) nodes of the search tree
    lengths: NDArray[np.int64]  # (N,) the number of options in `found` of each first cover
    found: NDArray[np.int32]  # the options of the first covers, one after the other
    possible: NDArray[np.uint8]  # (N, options) marks of options; without rows unless requested


@njit
def start_search(
    links, colors, bounds, bitmaps, state, initial, numbering, variations, k, question
):
    """Apply the conditions of variation `k` to the state. Return whether a cover may satisfy them.

    Parameters: the fields of `BatchTables`, where `links`, `colors` and `bounds`, or `bitmaps`, may
    be None, `state`, `initial` and `numbering`; `variations`; `k`; and `question` int64, the node
    of an option that is given in addition, or CHOSEN.
    """
    for i in range(len(initial)):
        state.register[i] = initial[i]
    state.register[Register.TARGET] = 1
    if bitmaps is not None:  # Numba removes a branch only if the argument itself is None
        return start_on_bitmaps(bitmaps, bounds, state, numbering, variations, k, question)
    if links is not None:
        return start_on_links(links, colors, bounds, state, numbering, variations, k, question)
    return False


@njit
def explore(links, colors, bounds, bitmaps, state, budget):
    """Search until Register.UPDATES reaches `budget`; return a status as `algorithm_x.search` does.

    So the budget counts from the start of the search, while `search_variations` is given one that
    counts from its call.
    """
    if bitmaps is not None:
        entries, root, smaller, scratch, _, _ = bitmaps
        return search_bitset(entries, root, smaller, scratch, bounds, state, budget)
    if links is not None:
        if bounds is not None:
            return search_multiplicities(links, colors, bounds, None, state, budget)
        return search(links, colors, state, budget)
    return EXHAUSTED


@njit
def n_choices(bitmaps, state):
    """Return how many elements of `state.choice` are the cover at which a search has stopped."""
    level = state.register[Register.LEVEL]
    if bitmaps is not None:
        return state.n_chosen[level]
    return level


@inlined
def chosen_option(numbering, choice):
    """Return the number of a chosen option, or -1 if an item gets no further options."""
    return -1 if choice == NO_OPTION else np.int64(numbering.option[choice])


@njit
def find_impossible(links, colors, bitmaps, state, numbering, marks):
    """Mark the options that are incompatible with the conditions that were just applied.

    `marks` (options,) uint8 is written. Options that the variation gives are marked, too, until
    `mark_cover` finds them in a cover.
    """
    for option in range(len(marks)):
        node = numbering.node[option]
        is_open = node == CHOSEN
        if node != CHOSEN and node != EXCLUDED:
            if bitmaps is not None:
                is_open = is_bit_set(state, node - 1)
            if links is not None:
                is_open = is_available(links, colors, np.uint32(node))
        marks[option] = OPEN if is_open else IMPOSSIBLE


@njit
def mark_cover(tables, question, marks):
    """Mark the options of the cover at which a search has stopped.

    Without a `question`, also mark those in each cover.
    """
    numbering = tables.numbering
    state = tables.state
    for i in range(n_choices(tables.bitmaps, state)):
        option = chosen_option(numbering, state.choice[i])
        if option >= 0:
            marks[option] = POSSIBLE
    if question == 0:
        for option in range(len(marks)):
            if numbering.node[option] == CHOSEN:
                marks[option] = POSSIBLE


@njit
def next_question(question, marks):
    """Return 1 + the first open option after the one of `question`, or 0 if there is none.

    `question` is 1 + the option that was asked for last, or 0 before the first question.
    """
    for option in range(question, len(marks)):
        if marks[option] == OPEN:
            return option + 1
    return 0


@njit
def uncounted_work(links, bounds):
    """Estimate, in updates, the work at a node and at a start that is not counted as updates.

    An update takes as long as following the list of 8 items or options (see `algorithm_x.search`),
    or as reading 4 weights or counters. At a node with links, the search scans the items, the
    totals and the supports. A start follows the lists of a few items. Options without another item
    hide no node there, so they are not counted with the trail; the time of following 8 lists of the
    greatest length, `longest` updates, is added for them.
    """
    per_node = np.int64(0)
    longest = np.int64(0)
    if links is not None:
        per_node += len(links.size) >> 3
        if bounds is not None:
            per_node += (len(bounds.totals.weight) + len(bounds.supports.counter)) >> 2
        for item in range(1, len(links.size)):  # some sizes include INACTIVE
            longest = max(longest, np.int64(links.size[item]) % np.int64(INACTIVE))
    return per_node, UPDATES_PER_START + longest


@njit
def search_variations(tables, variations, limit, budget, progress, result):
    """Search variations, from the position in `progress`, until the budget is spent.

    If requested, further searches of a variation find all options that occur in covers: each asks
    for a cover with an option that no cover so far contains.

    Parameters
    ----------
    tables : BatchTables
        Without moves, or with those of the current variation. Written.
    variations : Variations
        The conditions of N variations.
    limit : int
        The number of covers, at least 1, at which the first search of a variation ends.
    budget : int
        The work after which to return, in updates. It includes the moves of each start and end.
    progress : ndarray of int64, shape (5,)
        VARIATION, IS_STARTED, N_STORED, QUESTION and COUNT; zeros at the start. Written.
    result : VariationResults
        Rows are valid if the count is not negative; all counts are -1 at the start. If a cover
        might not fit into `found`, the kernel returns. Written.

    Returns
    -------
    bool
        Whether all variations are searched.
    """
    links, colors, bounds, bitmaps, state, initial, numbering = tables
    counts, nodes, lengths, found, possible = result
    register = state.register
    per_node, per_start = uncounted_work(links, bounds)
    variation = progress[VARIATION]
    while variation < len(counts) and budget > 0:
        is_possible = True
        question = progress[QUESTION]
        if not progress[IS_STARTED]:
            if question == 0 and progress[N_STORED] + len(state.choice) > len(found):
                break
            node = CHOSEN if question == 0 else numbering.node[question - 1]
            is_possible = start_search(
                links,
                colors,
                bounds,
                bitmaps,
                state,
                initial,
                numbering,
                variations,
                variation,
                node,
            )
            progress[IS_STARTED] = 1
            budget -= per_start
            if question == 0 and len(possible):
                find_impossible(links, colors, bitmaps, state, numbering, possible[variation])
        status = EXHAUSTED  # without a cover, if the conditions exclude each other
        if is_possible:
            updates_before = register[Register.UPDATES]
            nodes_before = register[Register.NODES]
            status = explore(links, colors, bounds, bitmaps, state, updates_before + budget)
            budget -= register[Register.UPDATES] - updates_before
            budget -= (register[Register.NODES] - nodes_before) * per_node
            if status == OUT_OF_BUDGET:
                break
        if status == TARGET_REACHED and len(possible):
            mark_cover(tables, question, possible[variation])
        if question == 0:
            # `start_search` sets the target 1, so that the search pauses at the first cover.
            if status == TARGET_REACHED and register[Register.SOLUTIONS] == 1:
                n_stored = progress[N_STORED]
                for i in range(n_choices(bitmaps, state)):
                    option = chosen_option(numbering, state.choice[i])
                    if option >= 0:
                        found[n_stored] = option
                        n_stored += 1
                lengths[variation] = n_stored - progress[N_STORED]
                progress[N_STORED] = n_stored
                register[Register.TARGET] = limit
                if limit > 1:  # the first cover is stored; now count the others
                    continue
            progress[COUNT] = register[Register.SOLUTIONS]
            nodes[variation] = register[Register.NODES]
        budget -= 2 * register[Register.TRAIL_END]  # the moves of the start, and undoing all
        end_on_links(links, colors, bounds, state, variations, variation)
        progress[IS_STARTED] = progress[QUESTION] = 0
        # No question is left if all covers are known: none, or a single one. If no cover contains
        # the option of a question, it stays OPEN: the next question is about a later one.
        if len(possible) and (status == TARGET_REACHED or question or progress[COUNT] > 1):
            progress[QUESTION] = next_question(question, possible[variation])
        if progress[QUESTION] == 0:
            counts[variation] = progress[COUNT]
            variation += 1
    progress[VARIATION] = variation
    return variation == len(counts)


class BatchSearch:
    """A search of variations of a problem, whose links or bitmaps are built once.

    Parameters
    ----------
    problem : Problem
        The problem that all variations share.
    unstarted : Subtree
        Its search tree, unexplored, of links or bitmaps. It is not modified.
    n_options : int
        The number of options of the user's problem.
    option_numbers : ndarray of int64, shape (problem.n_options,), optional
        The user's number of each option, by default the same.
    given : sequence of int
        The user's options that are in each cover, in addition to those of `problem`.
    """

    def __init__(
        self,
        problem: Problem,
        unstarted: Subtree,
        n_options: int,
        option_numbers: NDArray[np.int64] | None = None,
        given: Sequence[int] = (),
    ) -> None:
        self.unstarted = unstarted
        self.given = [*given]
        numbers = np.arange(problem.n_options) if option_numbers is None else option_numbers
        option_of = problem.option_of_node()
        is_primary = problem.items < problem.n_primary
        # Of each of the user's options: a node or a bit by which it is given, or why there is none
        node = np.full(n_options, EXCLUDED, np.int64)
        self.item_options: tuple[NDArray[np.int64], ...] = ()  # for bitmaps
        if isinstance(unstarted, LinkedSubtree):
            first_node = 1 + problem.n_items
            node[numbers[option_of[is_primary]]] = first_node + np.flatnonzero(is_primary)
            numbers = np.concatenate([np.full(first_node, -1), numbers[option_of]])  # of each node
        else:  # `choice` has the options by their numbers in the problem
            options = unstarted.groups[1].option
            node[numbers[options]] = 1 + np.arange(len(options))
            is_searched = np.isin(option_of, options)
            items = problem.items[is_searched].astype(np.min_scalar_type(problem.n_items))
            order, start = group(items, problem.n_items)
            self.item_options = start, node[numbers[option_of[is_searched][order]]] - 1
        node[self.given] = CHOSEN
        self.numbering = OptionNumbering(node, numbers.astype(np.int32))

    def search(
        self,
        limit: int,
        is_marking: bool,
        variations: Variations,
        stop: Callable[[], bool],
        max_updates: int | None = None,
    ) -> VariationResults:
        """Search variations until `stop` returns True.

        With `is_marking`, `possible` of the result has a row for each variation. If there are
        `max_updates`, a variation remains unfinished after them; callers give them only without
        `is_marking`. The first search of a variation ends at `limit` covers.
        """
        n_variations = variations.n_variations
        counts, nodes, lengths = np.zeros((3, n_variations), np.int64)
        counts[:] = -1
        found = np.empty(MIN_STORED_OPTIONS + self.unstarted.n_levels, np.int32)
        n_rows = n_variations if is_marking else 0
        possible = np.zeros((n_rows, len(self.numbering.node)), np.uint8)
        result = VariationResults(counts, nodes, lengths, found, possible)
        while not stop() and self.unstarted.build():
            pass
        tables = self._tables()
        progress = np.zeros(5, np.int64)
        # The first covers that each call has found, also that of a variation that is not finished
        stored = [found[:0]]
        is_done = False
        budget = per_slice = max_updates or UPDATES_PER_SLICE
        while not (is_done or stop()):
            is_done = search_variations(tables, variations, limit, budget, progress, result)
            stored.append(found[: progress[N_STORED]].copy())
            progress[N_STORED] = 0
            budget = per_slice
            if max_updates is not None and progress[IS_STARTED]:
                # A variation that has begun has what is left of its updates, so that the slices
                # before it do not affect whether it ends in time. Without any, skip it.
                budget -= int(tables.state.register[Register.UPDATES])
                if budget <= 0:
                    tables = self._tables()  # without the moves of the variation
                    budget = per_slice
                    progress[VARIATION] += 1
                    progress[IS_STARTED] = 0
                    is_done = progress[VARIATION] == n_variations
        # The first cover of a variation that is unfinished is left out.
        is_unfinished = counts < 0
        is_kept = np.repeat(~is_unfinished, lengths)
        found = np.concatenate(stored)[: len(is_kept)][is_kept]
        counts[is_unfinished] = -1
        nodes[is_unfinished] = 0
        lengths[is_unfinished] = 0
        possible[is_unfinished[:n_rows]] = OPEN
        return result._replace(found=found)

    def _tables(self) -> BatchTables:
        """Return copies of all arrays that the kernel writes."""
        *groups, state = self.unstarted.copy().groups
        links = colors = bounds = bitmaps = None
        if self.item_options:
            *groups, bounds = groups
            bitmaps = Bitmaps(*groups, *self.item_options)
        else:  # Algorithm X has no bounds
            links, colors, bounds, *_ = *groups, None
        search = state, state.register.copy(), self.numbering
        return BatchTables(links, colors, bounds, bitmaps, *search)
