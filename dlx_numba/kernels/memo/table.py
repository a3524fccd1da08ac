"""A hash table of subproblems: open addressing, with linear probing and full keys.

The table is a flat array of uint64. A slot consists of the words of a key, then the words of its
value, so that a lookup usually touches one cache line. An empty slot has the key 0, which no
subproblem has. Two keys are equal only if all of their words are equal: the hash only selects where
the search for a slot begins.
"""

import numpy as np

from ...jit import njit

HALF = np.uint64(32)
MASK = np.uint64(2**32 - 1)
# Factors below 2**32: the product of one and half a word does not exceed 64 bits, so that the
# kernels compute the same without compilation.
LOW_FACTOR = np.uint64(0x9E3779B1)
HIGH_FACTOR = np.uint64(0x85EBCA77)
ZERO = np.uint64(0)
ONE = np.uint64(1)
UNSTORED = -1  # the slot of a key that is not in the table


@njit
def mix(hash_code, word):
    """Return the hash of a key that is extended by a word: uint64, from uint64."""
    word = word ^ hash_code
    product = ((word & MASK) * LOW_FACTOR) ^ ((word >> HALF) * HIGH_FACTOR)
    return product ^ (product >> HALF)


@njit
def find_slot(entries, mask, stride, n_words, keys, row):
    """Return where the slot of a key begins; if it is not there, ~ of where its slot would begin.

    Parameters: `entries` (slots * stride,) uint64; `mask` uint64, the number of slots (a power of
    2) minus 1; `stride` and `n_words` int64, the words of a slot and of a key; `keys` (rows,
    n_words) uint64 and `row` int64, the row of the key. Reads all arrays.
    """
    code = ZERO
    for k in range(n_words):
        code = mix(code, keys[row, k])
    slot = np.int64(code & mask) * stride
    while True:
        is_equal = True
        used = ZERO
        for k in range(n_words):
            word = entries[slot + k]
            used |= word
            is_equal = is_equal and word == keys[row, k]
        if is_equal:
            return slot
        if used == ZERO:
            return ~slot
        slot += stride
        if slot == len(entries):
            slot = 0


@njit
def move_entries(old, entries, mask, stride, n_words):
    """Insert all entries of one table into another, which is empty and has at least as many slots.

    Parameters: `old` (slots, words of a slot) uint64, whose values may have fewer words; `entries`,
    `mask`, `stride` and `n_words` as for `find_slot`. Modifies `entries`.
    """
    for source in range(len(old)):
        used = ZERO
        for k in range(n_words):
            used |= old[source, k]
        if used != ZERO:
            slot = ~find_slot(entries, mask, stride, n_words, old, source)
            for k in range(old.shape[1]):
                entries[slot + k] = old[source, k]


@njit
def find_rows(entries, mask, stride, n_words, keys, slots, end):
    """Find the slots of the keys `keys[1:end]`, except where `slots` is UNSTORED.

    Parameters: `entries`, `mask`, `stride`, `n_words` and `keys` as for `find_slot`; `slots`
    (rows,) int64, modified; `end` int64. The first row is the problem itself.
    """
    for row in range(1, end):
        if slots[row] != UNSTORED:
            slots[row] = find_slot(entries, mask, stride, n_words, keys, row)
