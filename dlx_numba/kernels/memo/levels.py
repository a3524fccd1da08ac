"""Breadth-first counting: the subproblems of a level, each with its number of occurrences.

A level has the subproblems between two steps (see `frontier`). A row consists of a key and of a
count: in how many ways the options chosen so far lead to it. Parts of a level can be advanced
separately: the rows that result are divided by hash codes, so that equal keys, whose counts are
added, meet in the same division.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...runtime.arguments import UNLIMITED
from ...runtime.interrupts import Stop
from ..csr import row_range
from .explore import CARRY, HIGHEST, LOW_BITS, Diagram, Words, count_of
from .frontier import (
    FREE_HIGH,
    FREE_LOW,
    LEAST,
    LIVE,
    MASK,
    MOST,
    SHIFT,
    VALUE,
    WORD,
    Frontier,
)
from .table import LOW_FACTOR, ONE, ZERO, find_slot, mix, move_entries

# Between two checks of `stop`
ROWS_PER_SLICE = 1 << 14
CHILDREN_PER_SLICE = 1 << 19
MIN_SLOTS = 1 << 6
SMALL_BYTES = 1 << 20  # a table quadruples its size up to that
LOAD = 0.7  # used slots per slot
N_DIVISIONS = 1 << 12

Part = Sequence[Any]  # sections: rows, or what NumPy converts to them

# Indices into `HashTable.register`: the used slots and their limit, whether a count needs another
# word, and the numbers of rows that were entered, of their children, of rows with edges, and of
# edges
USED, MAX_USED, IS_WIDE, SUBPROBLEMS, CHILDREN, LINKED, EDGES = range(7)


@njit
def write_child(frontier, step, option, rows, row, key):
    """Write the key after a step that chooses an option, or none if it is -1.

    Parameters: `frontier`; `step`, `option` and `row` int64; `rows` (rows, words of a row) uint64;
    `key` (1, words of a key) uint64, modified. Returns whether covers are possible. A sum that
    will be within its bounds, whatever follows, is FREE_LOW, so that fewer keys differ.
    """
    # The bits that must not be set before the option, and those that must be set after the step
    for word_number in range(key.shape[1]):
        word = rows[row, word_number] | frontier.opening[step, word_number]
        if option >= 0:
            if word & frontier.excluded[option, word_number]:
                return False
            word |= frontier.bits[option, word_number]
        if frontier.required[step, word_number] & ~word:
            return False
        key[0, word_number] = word
    # Colors, of which each item can have one; 0 if it has none yet
    if option >= 0:
        for entry in row_range(frontier.color_start, option):
            word_number = frontier.colors[entry, WORD]
            shift = np.uint64(frontier.colors[entry, SHIFT])
            value = np.int64(
                (key[0, word_number] >> shift) & np.uint64(frontier.colors[entry, MASK])
            )
            if value != 0 and value != frontier.colors[entry, VALUE]:
                return False
            key[0, word_number] |= np.uint64(frontier.colors[entry, VALUE]) << shift
    # Sums, to which the option adds its weights, if one is chosen
    first_sum = frontier.sum_start[step]
    end_sum = frontier.sum_start[step + 1]
    # Where the weights of the option begin: one for each sum of the step
    weight = frontier.weight_start[step] + (option - frontier.start[step]) * (end_sum - first_sum)
    for number in range(first_sum, end_sum):
        word_number = frontier.sums[number, WORD]
        shift = np.uint64(frontier.sums[number, SHIFT])
        mask = np.uint64(frontier.sums[number, MASK])
        value = np.int64((key[0, word_number] >> shift) & mask)
        if option >= 0:
            value += frontier.weights[weight + number - first_sum]
        if value < frontier.sums[number, LEAST] or value > frontier.sums[number, MOST]:
            return False
        if frontier.sums[number, FREE_LOW] <= value <= frontier.sums[number, FREE_HIGH]:
            value = frontier.sums[number, FREE_LOW]
        key[0, word_number] = (key[0, word_number] & ~(mask << shift)) | (np.uint64(value) << shift)
    for word_number in range(key.shape[1]):  # without the fields that end
        key[0, word_number] &= frontier.kept[step, word_number]
    return True


@inlined
def find_value(key, entries, stride, register):
    """Return where the value of a key begins, and whether the key is new.

    A new key is inserted with the value 0; the table must have a free slot. The parameters are as
    for `insert_rows`. Writes `entries` and `register`.
    """
    n_key = key.shape[1]
    mask = np.uint64(len(entries) // stride - 1)
    slot = find_slot(entries, mask, stride, n_key, key, 0)
    is_new = slot < 0
    if is_new:
        slot = ~slot
        register[USED] += 1
        for k in range(n_key):
            entries[slot + k] = key[0, k]
    return slot + n_key, is_new


@inlined
def insert_row(key, rows, row, entries, stride, register):
    """Add the count of a row to that of a key; the table must have a free slot.

    `row` is int64; the others are as for `insert_rows`. Writes `entries` and `register`.
    """
    n_key = key.shape[1]
    carry = ZERO
    begin, _ = find_value(key, entries, stride, register)
    for k in range(stride - n_key):
        count = entries[begin + k] + rows[row, n_key + k] + carry
        entries[begin + k] = count & LOW_BITS
        carry = count >> CARRY
    register[IS_WIDE] |= np.int64(entries[begin + stride - n_key - 1] >> HIGHEST)


@inlined
def add_edge(key, option, edges, entries, stride, register):
    """Add an edge to a key, which gets a number if it is new; the table must have a free slot.

    `option` is int64, and `edges` a `Diagram` with enough space, whose nodes are rows; the others
    are as for `insert_rows`. Writes `edges`, `entries` and `register`.
    """
    begin, is_new = find_value(key, entries, stride, register)
    if is_new:
        entries[begin] = register[USED] - 1
    edges.option[register[EDGES]] = option
    edges.child[register[EDGES]] = entries[begin]
    register[EDGES] += 1


@njit
def insert_rows(rows, begin, end, key, entries, stride, register):
    """Insert the rows `begin` to `end` into a table.

    Parameters: `rows` (rows, stride) uint64; `key` (1, words of a key) uint64, modified;
    `entries` (slots * stride,) uint64, modified; `stride` int64; `register` int64, modified.
    Returns the next row, which is less than `end` if the table is full or a count is wide.
    """
    n_key = key.shape[1]
    for row in range(begin, end):
        register[IS_WIDE] |= np.int64(rows[row, stride - 1] >> HIGHEST)  # the last count of a table
        if register[USED] >= register[MAX_USED] or register[IS_WIDE]:
            return row
        for k in range(n_key):
            key[0, k] = rows[row, k]
        insert_row(key, rows, row, entries, stride, register)
    return end


@njit
def insert_children(frontier, step, edges, rows, begin, end, key, entries, stride, register):
    """Insert the children of the rows `begin` to `end` into a table.

    Parameters: `frontier` and `step`; `edges`, `Diagram` or None: instead of counts, the children
    get numbers, and edges lead to them, the last one without an option; `rows`, `begin` and `end`;
    `key`, `entries`, `stride` and `register`, as well as the result, as for `insert_rows`.

    A row whose only child is that without an option is not counted: it is the same subproblem.
    """
    first = frontier.start[step]
    last = frontier.start[step + 1]
    n_branches = last - first + 1  # one for each option, and one for none
    largest = (ONE << HIGHEST) // np.uint64(n_branches)  # a sum of that many fits into 62 bits
    for row in range(begin, end):
        # The children may all have the same key, so that its count grows by as many of this one.
        register[IS_WIDE] |= np.int64(rows[row, stride - 1] >= largest)
        if register[USED] + n_branches > register[MAX_USED] or register[IS_WIDE]:
            return row
        n_children = register[CHILDREN]
        for option in range(first, last):
            if write_child(frontier, step, option, rows, row, key):
                register[CHILDREN] += 1
                if edges is None:
                    insert_row(key, rows, row, entries, stride, register)
                else:
                    add_edge(key, option, edges, entries, stride, register)
        is_counted = register[CHILDREN] > n_children  # an option can be chosen
        if write_child(frontier, step, -1, rows, row, key):
            if edges is None:
                insert_row(key, rows, row, entries, stride, register)
            else:
                add_edge(key, len(frontier.numbers), edges, entries, stride, register)
            register[CHILDREN] += is_counted
        else:  # an option must be chosen, so it differs from that of the next step
            is_counted = True
        register[SUBPROBLEMS] += is_counted
        if edges is not None:
            register[LINKED] += 1
            edges.start[register[LINKED]] = register[EDGES]
    return end


@njit
def divide_entries(entries, stride, n_key, ends, rows):
    """Copy the rows of a table, ordered by divisions, whose number is a power of 2.

    A first pass counts the rows of each division, so that a second one can copy them to their
    places. It is omitted for a single division.

    Parameters: `entries` (slots * stride,) uint64; `stride` and `n_key` int64, the words of a row
    and of a key; `ends` (divisions + 1,) int64, zeros, modified: the end of each division, after
    0; `rows` (rows, stride) uint64, modified.
    """
    mask = np.uint64(len(ends) - 2)
    for is_copy in range(2) if mask else range(1, 2):
        for slot in range(0, len(entries), stride):
            if entries[slot] == ZERO:  # an empty slot: the first word of each key includes LIVE
                continue
            division = 0
            if mask:
                code = ZERO
                for k in range(n_key):
                    code = mix(code, entries[slot + k])
                # Mixed once more: the low bits of `code` select the slot, so keys of a division
                # that shared them would collide in its table.
                division = np.int64(mix(code, LOW_FACTOR) & mask)
            if is_copy:
                for k in range(stride):
                    rows[ends[division], k] = entries[slot + k]
                ends[division] += 1
            else:
                ends[division + 1] += 1
        if not is_copy:
            for division in range(1, len(ends)):
                ends[division] += ends[division - 1]
    # Copying has advanced each element to the end of its division: shift them, after 0.
    for division in range(len(ends) - 1, 0, -1):
        ends[division] = ends[division - 1]
    ends[0] = 0


class HashTable:
    """A hash table of rows.

    Parameters
    ----------
    n_key : int
        The number of words of a key.
    max_bytes : int
        The memory that the table may use, beyond its first size.
    sections : Part
        Arrays of rows: about as many are expected, with as many words.
    max_branches : int
        The number of free slots that a row may need.
    """

    def __init__(self, n_key: int, max_bytes: int, sections: Part, max_branches: int = 1) -> None:
        self._max_bytes = max_bytes
        self._key = np.zeros((1, n_key), np.uint64)  # of the row that is inserted
        self.register = np.zeros(7, np.int64)
        n_rows = sum(map(len, sections))
        stride = max(rows.shape[1] for rows in sections)
        # At least twice the branches, so that LOAD leaves a slot for each
        n_slots = 1 << max(MIN_SLOTS, 2 * max_branches).bit_length()
        # Slots for all rows at once, as far as the memory permits twice as many: 8 bytes a word
        while LOAD * n_slots < n_rows and 16 * n_slots * stride <= max_bytes:
            n_slots *= 2
        self._slots = np.zeros((n_slots, stride), np.uint64)
        self.register[MAX_USED] = int(LOAD * n_slots)

    @property
    def nbytes(self) -> int:
        """The size of the table."""
        return self._slots.nbytes

    def insert(
        self,
        rows: Words,
        begin: int,
        frontier: Frontier | None = None,
        step: int = 0,
        edges: Diagram | None = None,
    ) -> int:
        """Insert some of the rows from `begin`, or their children in a step; return the next row.

        No row is inserted if the table is full. With `edges`, a row has a number, not a count.
        """
        end = begin + min(len(rows) - begin, _rows_per_slice(frontier))
        while begin < end:
            part = self._widened(rows[begin:end])
            stride = self._slots.shape[1]
            table = self._key, self._slots.reshape(-1), stride, self.register
            if frontier is None:
                n_inserted = insert_rows(part, 0, end - begin, *table)
            else:
                n_inserted = insert_children(frontier, step, edges, part, 0, end - begin, *table)
            begin += n_inserted
            if begin < end and not self._grow():
                break
        return begin

    def _widened(self, rows: Words) -> Words:
        """Return rows whose counts have as many words as those of the table, which may grow.

        The words of the count, the lowest first, are the last ones of a row.
        """
        n_more = rows.shape[1] - self._slots.shape[1]
        if n_more > 0:
            self._slots = np.pad(self._slots, ((0, 0), (0, n_more)))
        elif n_more < 0:
            rows = np.pad(rows, ((0, 0), (0, -n_more)))
        return np.ascontiguousarray(rows)

    def _grow(self) -> bool:
        """Give the counts another word if one is wide, or add slots. Returns whether it is done."""
        register = self.register
        n_slots, stride = self._slots.shape
        if register[IS_WIDE]:  # the new last word is the highest one of the counts
            self._slots = np.pad(self._slots, ((0, 0), (0, 1)))
            register[IS_WIDE] = 0
            return True
        n_slots *= 4 if self._slots.nbytes < SMALL_BYTES else 2
        if 8 * n_slots * stride > self._max_bytes:
            return False
        entries = np.zeros(n_slots * stride, np.uint64)
        n_key = self._key.shape[1]
        move_entries(self._slots, entries, np.uint64(n_slots - 1), stride, n_key)
        self._slots = entries.reshape(n_slots, stride)
        register[MAX_USED] = int(LOAD * n_slots)
        return True

    def divided(self, n_divisions: int) -> tuple[Words, NDArray[np.int64]]:
        """Return the rows, ordered by divisions, and the end of each division, after 0."""
        rows = np.empty((int(self.register[USED]), self._slots.shape[1]), np.uint64)
        ends = np.zeros(n_divisions + 1, np.int64)
        entries = self._slots.reshape(-1)
        divide_entries(entries, self._slots.shape[1], self._key.shape[1], ends, rows)
        return rows, ends

    def link(self, rows: Words, begin: int, frontier: Frontier, step: int) -> tuple[int, Diagram]:
        """Insert the children of some rows as `insert` does, with numbers; return the edges, too.

        The table must have no limit of memory.
        """
        n_rows = min(len(rows) - begin, _rows_per_slice(frontier))
        arrays = np.empty((2, n_rows * (frontier.max_branches + 1)), np.uint32)
        edges = Diagram(np.zeros(n_rows + 1, np.int64), *arrays)
        self.register[[LINKED, EDGES]] = 0
        return self.insert(rows, begin, frontier, step, edges), edges.truncated(n_rows)

    def numbered_rows(self) -> Words:
        """Return the rows in the order of their numbers, which are their values."""
        rows, _ = self.divided(1)
        rows[rows[:, -1].astype(np.int64)] = rows.copy()
        return rows


def _rows_per_slice(frontier: Frontier | None) -> int:
    """Return how many rows are inserted between two checks of `stop`, or their children."""
    if frontier is None:
        return ROWS_PER_SLICE
    return min(ROWS_PER_SLICE, 1 + CHILDREN_PER_SLICE // (frontier.max_branches + 1))


class Advance(NamedTuple):
    """The outcome of an attempt to advance some parts of a level."""

    step: int  # the step that is next for `rest`
    rest: list[Part]  # what has not been advanced, because of a limit
    rows: Words  # the rows of the next step
    ends: NDArray[np.int64]  # the end of each of their divisions, after 0
    counters: NDArray[np.int64]  # the numbers of rows, of those with options, and of children


def advance(
    frontier: Frontier,
    step: int,
    last: int,
    parts: Sequence[Part],
    max_bytes: int,
    is_whole: bool,
    stop: Stop,
) -> Advance:
    """Advance parts of a level up to the step `last`, until `stop()` or until a table is full.

    The rows of a section are different; equal rows of several sections of a part are merged. The
    rows that result are divided unless the parts are a whole level, and no rest is left.
    """
    counters = np.zeros(3, np.int64)  # see `Advance`
    while True:
        rest = [*parts]
        sections = [rows for part in parts for rows in part]
        table = HashTable(frontier.n_words, max_bytes, sections, frontier.max_branches)
        while rest:
            sections = rest[0] = merge(frontier.n_words, rest[0], stop)
            begin = 0
            before = -1
            if len(sections) == 1:
                rows = sections[0]
                while before < begin < len(rows) and not stop():  # until none is inserted
                    before, begin = begin, table.insert(rows, begin, frontier, step)
                counters[0] += begin
                rest[0] = [rows[begin:]]
            if len(sections) > 1 or begin < len(rows):  # stopped, or the table is full
                break
            del rest[0]
        counters[1:] += table.register[[SUBPROBLEMS, CHILDREN]]
        if rest or step + 1 == last:
            rows, ends = table.divided(1 if is_whole and not rest else N_DIVISIONS)
            return Advance(step, rest, rows, ends, counters)
        step, parts = step + 1, [[table.divided(1)[0]]]  # one part, of one section


def merge(n_words: int, sections: Part, stop: Stop) -> list[Words]:
    """Return the different rows of all sections, as one section unless `stop()` ends this."""
    if len(sections) == 1:
        return [np.asarray(sections[0])]
    table = HashTable(n_words, UNLIMITED, sections)
    rest = []
    for section in sections:
        rows = np.asarray(section)
        begin = 0
        while begin < len(rows) and not stop():
            begin = table.insert(rows, begin)
        if begin < len(rows):
            rest.append(rows[begin:])
    return [table.divided(1)[0], *rest]


def first_row(frontier: Frontier) -> Words:
    """Return the row before the first step."""
    row = np.zeros((1, frontier.n_words + 1), np.uint64)
    row[0, 0] = LIVE
    row[0, -1] = ONE
    return row


def total(frontier: Frontier, rows: Words) -> int:
    """Return the sum of the counts."""
    return count_of(rows[:, frontier.n_words :])
