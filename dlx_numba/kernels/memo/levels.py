"""Memoized breadth-first counting: subproblems with their numbers of occurrences, item by item.

Items are covered in a fixed order. A row of a table consists of a key, which has the uncovered
items and the available options, and of a count: in how many ways the options chosen so far lead to
the subproblem. Rows can be divided among tasks, whose results are added. A row that has been
replaced by its children stays in the hash table, where probes pass over it, until the table grows.
"""

import math
from collections.abc import Iterator

import numpy as np

from ...jit import njit
from ...runtime.interrupts import Stop
from .explore import Words, add, count_of
from .option_sets import WORD_BITS, EncodedOptions, set_bits
from .table import NEW, ONE, ZERO, find_slot, move_entries

ROWS_PER_SLICE = 1 << 14  # between two checks of `stop`
MIN_SLOTS = 1 << 6
WIDE = np.uint64(1 << 32)  # a count whose last word reaches this number gets another word
LIVE, DEAD = ONE, np.uint64(2)  # the last word of a key

# Indices into `Level.register`: the used slots and their limit, whether a count is wide, and the
# work: the subproblems that were divided, and the lookups
USED, MAX_USED, IS_WIDE, SUBPROBLEMS, LOOKUPS = range(5)


@njit
def insert_row(key, counts, at, entries, stride, register):
    """Add the count at `counts[at:]` to that of a key; the table must have a free slot.

    `counts` is uint64, and `at` int64; the others are as for `insert_rows`. Writes `entries` and
    `register`.
    """
    n_key = key.shape[1]
    n_values = stride - n_key
    mask = np.uint64(len(entries) // stride - 1)
    slot = find_slot(entries, mask, np.uint64(stride), n_key, key, 0)
    register[LOOKUPS] += 1
    begin = (slot & ~NEW) * np.uint64(stride)
    if slot & NEW:
        register[USED] += 1
        for k in range(n_key):
            entries[begin + np.uint64(k)] = key[0, k]
    begin += np.uint64(n_key)
    add(entries, begin, counts, np.uint64(at), n_values)
    register[IS_WIDE] |= np.int64(entries[begin + np.uint64(n_values - 1)] >= WIDE)


@njit
def insert_rows(rows, begin, end, key, entries, stride, register):
    """Insert the rows `begin` to `end` into a table.

    Parameters: `rows` (rows * stride,) uint64; `key` (1, words of a key) uint64, modified;
    `entries` (slots * stride,) uint64, modified; `stride` int64; `register` int64, modified.
    Returns the next row, which is less than `end` if the table is full or a count is wide.
    """
    n_key = key.shape[1]
    for row in range(begin, end):
        if register[USED] >= register[MAX_USED] or register[IS_WIDE]:
            return row
        for k in range(n_key):
            key[0, k] = rows[row * stride + k]
        insert_row(key, rows, row * stride + n_key, entries, stride, register)
    return end


@njit
def divide_rows(branches, bitsets, item, begin, end, key, entries, stride, register):
    """Replace the rows in the slots `begin` to `end` that have an item by their children.

    Parameters: `branches` and `bitsets` as for `explore`; `item`, `begin` and `end` int64; `key`
    (1, words of a key) uint64 and `entries` (slots * stride,) uint64, modified; `stride` int64;
    `register` int64, modified. Returns the next slot, which is less than `end` if the table may
    become full or a count is wide.
    """
    n_key, n_words = key.shape[1], branches.items.shape[1]
    word, bit = item >> 6, np.uint64(item & 63)
    first, last = branches.start[item], branches.start[item + 1]
    for slot in range(begin, end):
        row = slot * stride
        if not (entries[row + word] >> bit) & ONE or entries[row + n_key - 1] != LIVE:
            continue
        if register[USED] + last - first > register[MAX_USED] or register[IS_WIDE]:
            return slot
        register[SUBPROBLEMS] += 1
        for option in range(first, last):
            excess = ZERO
            for k in range(n_words):
                excess |= branches.items[option, k] & ~entries[row + k]
                key[0, k] = entries[row + k] & ~branches.items[option, k]
            if bitsets is not None:
                for k in range(bitsets.compatible.shape[1]):
                    key[0, n_words + k] = entries[row + n_words + k] & bitsets.compatible[option, k]
                available = entries[row + n_words + (option >> 6)]
                excess |= ~(available >> np.uint64(option & 63)) & ONE
            if excess == ZERO:
                key[0, n_key - 1] = LIVE
                insert_row(key, entries, row + n_key, entries, stride, register)
        entries[row + n_key - 1] = DEAD
    return end


class Level:
    """A table of subproblems, which together have all covers.

    Parameters
    ----------
    options : EncodedOptions
    item : int
        The item that is covered next.
    n_values : int
        The number of words of a count, which grows if necessary.
    """

    def __init__(self, options: EncodedOptions, item: int = 0, n_values: int = 1) -> None:
        self._options, self._item, self._n_key = options, item, words_of_key(options)
        self._n_free = int(np.diff(options.branches.start).max(initial=0)) + 1  # for children
        self._key = np.zeros((1, self._n_key), np.uint64)
        self._slots = np.zeros((0, self._n_key + n_values), np.uint64)
        self.register = np.zeros(5, np.int64)
        self._resize()

    @property
    def n_used(self) -> int:
        """The number of slots that are not empty."""
        return int(self.register[USED])

    def rows(self) -> Words:
        """Return the rows."""
        rows: Words = self._slots[self._slots[:, self._n_key - 1] == LIVE]
        return rows

    def _resize(self, n_more: int = 0) -> None:
        """Move the rows to a table for `n_more` rows, and for wider counts if necessary."""
        rows, n_key, n_wider = self.rows(), self._n_key, int(self.register[IS_WIDE])
        (n_rows, old_stride), register = rows.shape, self.register
        needed = max(MIN_SLOTS, 8 * (n_rows + n_more), 2 * (n_rows + self._n_free))
        n_slots = 1 << math.ceil(math.log2(needed))
        entries = np.zeros(n_slots * (old_stride + n_wider), np.uint64)
        stride = np.uint64(old_stride + n_wider)
        move_entries(rows, entries, np.uint64(n_slots - 1), stride, n_key)
        self._slots = entries.reshape(n_slots, -1)
        register[USED], register[MAX_USED], register[IS_WIDE] = n_rows, n_slots // 2, 0

    def insert(self, rows: Words) -> None:
        """Insert rows."""
        begin = 0
        while begin < len(rows):
            n_missing = self._slots.shape[1] - rows.shape[1]
            if n_missing > 0:
                rows = np.pad(rows, ((0, 0), (0, n_missing)))
            if n_missing < 0:
                self._slots = np.pad(self._slots, ((0, 0), (0, -n_missing)))
            arguments = self._key, self._slots.reshape(-1), rows.shape[1], self.register
            begin = insert_rows(rows.reshape(-1), begin, len(rows), *arguments)
            if begin < len(rows):
                self._resize(len(rows) - begin)

    def advance(self, last: int) -> Iterator[None]:
        """Replace the rows that have an item by their children, for each item before the last.

        Yields before each slice of the work.
        """
        branches, bitsets = self._options.branches, self._options.bitsets
        while self._item < last:
            begin = 0
            while begin < len(self._slots):
                yield
                end = min(begin + ROWS_PER_SLICE, len(self._slots))
                table = self._key, self._slots.reshape(-1), self._slots.shape[1], self.register
                begin = divide_rows(branches, bitsets, self._item, begin, end, *table)
                if begin < end:
                    self._resize()
                    begin = 0
            self._item += 1

    def result(self) -> tuple[int, Words, int, int]:
        """Return the item that is next, the rows, and the work: the subproblems and lookups.

        Some rows that contain this item may be divided already.
        """
        _, _, _, n_subproblems, n_lookups = self.register.tolist()
        return self._item, self.rows(), n_subproblems, n_lookups


def words_of_key(options: EncodedOptions) -> int:
    """Return the number of words of a key: the last one distinguishes it from an empty slot."""
    bitsets = options.bitsets
    n_words = 0 if bitsets is None else bitsets.compatible.shape[1]
    return int(options.branches.items.shape[1]) + n_words + 1


def first_row(options: EncodedOptions) -> Words:
    """Return the row of the whole problem."""
    n_items, n_words = len(options.branches.start) - 1, options.branches.items.shape[1]
    row = np.zeros((1, words_of_key(options) + 1), np.uint64)
    set_bits(row, np.zeros(n_items, np.int64), np.arange(n_items))
    if options.bitsets is not None:
        n_options = len(options.branches.items)
        available = np.arange(n_options) + WORD_BITS * n_words
        set_bits(row, np.zeros(n_options, np.int64), available)
    row[0, -2:] = 1
    return row


def first_level(options: EncodedOptions, rows: Words, item: int) -> Level:
    """Return a level of rows, from which an item is covered next."""
    level = Level(options, item, rows.shape[1] - words_of_key(options))
    level.insert(rows)
    level.register[LOOKUPS] = 0  # so that the work is the same with any time limit
    return level


def advance(
    options: EncodedOptions, rows: Words, first: int, last: int, seconds: float | None = None
) -> tuple[int, Words, int, int]:
    """Advance rows from the item `first` to the item `last`, for a limited time.

    Returns what `Level.result` does.
    """
    level, stop = first_level(options, rows, first), Stop(seconds)
    for _ in level.advance(last):
        if stop():
            break
    return level.result()


def total(options: EncodedOptions, rows: Words) -> int:
    """Return the sum of the counts."""
    return count_of(rows[:, words_of_key(options) :])
