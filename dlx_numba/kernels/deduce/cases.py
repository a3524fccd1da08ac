"""Examine all cases that a choice leaves, until each is a dead end or one is in a cover."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..memo.explore import Words
from .remaining import ONE, follow, lowest_option, undo
from .steps import MAX_ROUNDS

# What `examine` returns: a slice of work is done; all cases are dead ends; there are too many; all
# items are covered. `find_refuted` returns the first two, or that there is none
OPEN, REFUTED, MANY, COVERED = range(4)
NONE = MANY
SLICE = 512  # choices, of some microseconds each
DEPTH, N_ENDS, N_NODES, N_TRAIL, OPTION, N_CHOICES, CANDIDATE, LIMIT = range(8)
CASE_ITEM, BEGIN, END, TRIED = range(4)
CHOSEN, REASON, N_CASES = range(3)


class Cases(NamedTuple):
    """The cases of a choice, as a tree in preorder, and the state of their examination.

    `allocate_cases` makes one for each limit of dead ends.
    """

    # (nodes, 3) CHOSEN, the option; REASON, the item that lacks options or distinguishes the cases;
    # N_CASES
    nodes: NDArray[np.int64]
    # (depth, 4) CASE_ITEM, an item that distinguishes cases; BEGIN and END of the trail of its
    # choice; TRIED, the last option that was tried
    stack: NDArray[np.int64]
    # (8,) DEPTH; N_ENDS, dead ends found and cases to examine; N_NODES; N_TRAIL, the length of the
    # trail; OPTION, the next one; N_CHOICES; CANDIDATE, the first option; LIMIT, the most dead ends
    progress: NDArray[np.int64]
    possible: Words  # (words,) the options in covers that were found


def allocate_cases(limit: int, possible: Words) -> Cases:
    """Return memory for up to `limit` dead ends.

    Each other case of the tree is divided into at least two, so there are fewer of these.
    """
    nodes = np.zeros((2 * limit, 3), np.int64)
    stack = np.zeros((limit + 1, 4), np.int64)
    cases = Cases(nodes, stack, np.zeros(8, np.int64), possible)
    cases.progress[LIMIT] = limit
    return cases


@njit
def find_refuted(candidates, tables, remaining, cases):
    """Find the next option of a bitmap all of whose cases are dead ends.

    Parameters: `candidates` (words,) uint64; the others as for `examine`. Begins with option
    CANDIDATE of `progress`, whose other registers but LIMIT and N_CHOICES are 0. Options of covers
    that were found are passed over. Returns `OPEN` after a slice of work, so that the next call
    continues; `REFUTED`; or `NONE`.
    """
    progress = cases.progress
    end = progress[N_CHOICES] + SLICE
    while progress[CANDIDATE] < 64 * len(candidates):
        option = progress[CANDIDATE]
        word = option >> 6
        if progress[N_ENDS] == 0:  # `examine` has not begun with this option
            left = candidates[word] & remaining.available[word] & ~cases.possible[word]
            if not left >> np.uint64(option & 63) & ONE:
                progress[CANDIDATE] += 1
                continue
            progress[OPTION] = option
        if progress[N_CHOICES] >= end:
            return OPEN
        status = examine(tables, remaining, cases)
        if status <= REFUTED:  # `OPEN` or `REFUTED`
            return status
        progress[DEPTH : N_TRAIL + 1] = 0  # as `examine` expects for a new option
        progress[CANDIDATE] += 1
    return NONE


@njit
def examine(tables, remaining, cases):
    """Choose the option in `progress`, and examine the cases that it leaves, in depth-first order.

    An item with the fewest options distinguishes the cases: each of them chooses one. Parameters:
    `tables` and `remaining`, see `remaining`, which keeps the choices of the stack between slices
    and is restored at the end; `cases`, a `Cases`, whose `progress` has the option and the limit,
    and zeros in the first call.
    Returns `OPEN` after a slice of work, so that the next call continues; `REFUTED`, `MANY` or
    `COVERED`.
    """
    progress = cases.progress
    stack = cases.stack
    if progress[N_ENDS] == 0:  # the first call: the option itself is the only case
        progress[N_ENDS] = 1
    for _ in range(SLICE):
        progress[N_CHOICES] += 1
        begin = progress[N_TRAIL]
        option = np.uint32(progress[OPTION])
        _, lacking, end = follow(option, MAX_ROUNDS, begin, tables, remaining)
        item = lacking
        n_cases = np.int64(0)  # a dead end, unless all items can still be covered
        if lacking < 0:
            item = _fewest(remaining)
            status = MANY  # if there are more dead ends and open cases than allowed
            if item < 0:
                status = COVERED
                _mark_chosen(end, remaining, cases.possible)
            else:
                n_cases = np.int64(remaining.need[item] + remaining.slack[item])  # all its options
                progress[N_ENDS] += n_cases - 1  # they take the place of this case
            if item < 0 or progress[N_ENDS] > progress[LIMIT]:
                undo(np.int64(0), end, tables, remaining)
                return status
        node = progress[N_NODES]
        cases.nodes[node, CHOSEN] = np.int64(option)
        cases.nodes[node, REASON] = item
        cases.nodes[node, N_CASES] = n_cases
        progress[N_NODES] += 1
        depth = progress[DEPTH]
        if n_cases:  # go deeper: each option of the item is a case
            stack[depth, CASE_ITEM] = item
            stack[depth, BEGIN] = begin
            stack[depth, END] = end
            stack[depth, TRIED] = -1
            depth += 1
        else:
            undo(begin, end, tables, remaining)
        # The next case is that of the deepest item with an untried option.
        untried = np.int64(-1)
        while depth and untried < 0:
            frame = stack[depth - 1]
            untried = _next_option(frame[CASE_ITEM], frame[TRIED], tables, remaining)
            if untried < 0:
                depth -= 1
                undo(frame[BEGIN], frame[END], tables, remaining)
            else:
                frame[TRIED] = untried
                progress[N_TRAIL] = frame[END]
        progress[DEPTH] = depth
        progress[OPTION] = untried
        if not depth:
            return REFUTED
    return OPEN


@njit
def _fewest(remaining):
    """Return the item to cover with the fewest available options, or -1 if all are covered."""
    best = np.int64(-1)
    fewest = np.int32(1 << 30)
    for k in range(len(remaining.need)):
        need = remaining.need[k]
        if need > 0 and need + remaining.slack[k] < fewest:
            best = np.int64(k)
            fewest = need + remaining.slack[k]
    return best


@njit
def _next_option(item, tried, tables, remaining):
    """Return the first available option of an item after the last that was tried, or -1."""
    first = tried + 1
    for word in range(first >> 6, len(remaining.available)):
        options = remaining.available[word] & tables.containing[item, word]
        if word == first >> 6:  # without the options before `first`
            options &= ~((ONE << np.uint64(first & 63)) - ONE)
        if options:
            return np.int64(lowest_option(word, options))
    return np.int64(-1)


@njit
def _mark_chosen(n_trail, remaining, possible):
    """Mark the options that a trail of this length has chosen."""
    for k in range(n_trail):
        entry = remaining.trail[k]
        option = entry >> 1
        if entry & 1:
            possible[option >> 6] |= ONE << np.uint64(option & 63)
