"""The determinant of a sparse matrix of integers, modulo many primes.

One elimination modulo a prime chooses the pivots, in an order of small fill, and writes down which
entries it changes: a program. `run_program` repeats it modulo several primes at a time. A pivot is
not 0 modulo the first prime, so that it is 0 modulo few others; these are left out.
"""

import numpy as np

from ...jit import njit

LANES = 16  # primes at a time
# The end of `plan`
PLANNED = 0
PAUSED = 1  # after its budget of changes
NEEDS_SLOTS = 2  # there may be too few places for entries
NEEDS_WORDS = 3  # there are too few for the program
SINGULAR = 4  # the determinant is 0
VANISHED = 5  # it is 0 modulo the prime
# Numbers that `plan` keeps
N_PIVOTS = 0
N_SLOTS = 1
N_WORDS = 2
N_NUMBERS = 3
# Rows of `ends`
ROW = 0
COLUMN = 1
# Rows of `links`, after which those of the other direction follow: 2 * axis, and 2 * axis + 1
RIGHT = 2 * ROW
BELOW = 2 * COLUMN


@njit
def invert(value, prime):
    """Return the inverse of an int64 modulo a prime less than 2**31, by Fermat's theorem."""
    result = np.int64(1)
    exponent = prime - 2
    while exponent > 0:
        if exponent & 1:
            result = result * value % prime
        value = value * value % prime
        exponent >>= 1
    return result


@njit
def link_entries(links, ends, count, n_slots):
    """Link the entries of a matrix.

    Parameters: `links` (4, slots) int32, written, the entries to the right and left of each, below
    and above it; `ends` (2, slots) int32, the row and the column of each entry, where columns
    follow rows; `count` (lines,) int32, 0 before, the number of entries of each line; `n_slots`
    int64. The first slots are the heads of the lines, the others up to `n_slots` are entries.
    """
    n_lines = len(count)
    for head in range(n_lines):
        links[:, head] = head
    for slot in range(n_lines, n_slots):
        insert_entry(links, ends, count, slot)


@njit
def insert_entry(links, ends, count, slot):
    """Append an entry to its row and its column; parameters as for `link_entries`."""
    for axis in range(2):  # rows 2 * axis and 2 * axis + 1 of `links` lead forward and back
        head = ends[axis, slot]
        last = links[2 * axis + 1, head]
        links[2 * axis, last] = slot
        links[2 * axis + 1, slot] = last
        links[2 * axis, slot] = head
        links[2 * axis + 1, head] = slot
        count[head] += 1


@njit
def remove_entry(links, ends, count, slot, axis):
    """Remove an entry from its row or column (`axis`); parameters as for `link_entries`."""
    following = links[2 * axis, slot]
    previous = links[2 * axis + 1, slot]
    links[2 * axis, previous] = following
    links[2 * axis + 1, following] = previous
    count[ends[axis, slot]] -= 1


@njit
def choose_pivot(links, ends, count, value):
    """Return an entry in a shortest row, and of these, in a shortest column.

    Parameters as for `plan`. Returns a head if its row is empty, and -1 if its entries are all 0.
    """
    n_rows = len(count) >> 1
    row = -1
    for other in range(n_rows):  # the count of a row that had a pivot is -1
        if count[other] >= 0 and (row < 0 or count[other] < count[row]):
            row = other
    if count[row] == 0:
        return row
    pivot = -1
    slot = links[RIGHT, row]
    while slot != row:
        if value[slot] != 0 and (
            pivot < 0 or count[ends[COLUMN, slot]] < count[ends[COLUMN, pivot]]
        ):
            pivot = slot
        slot = links[RIGHT, slot]
    return pivot


@njit
def plan(links, ends, count, value, mark, program, numbers, prime, budget):
    """Eliminate modulo a prime, and write the program for other primes.

    Parameters: `links`, `ends` and `count` as for `link_entries`, modified; `value` (slots,) int64,
    modified, the entries modulo `prime`; `mark` (lines,) int32, 0; `program` (words,) int32,
    written; `numbers` (3,) int64, modified, see N_PIVOTS; `prime` less than 2**31; `budget`, the
    number of changes after which it pauses. Returns one of the ends above.

    For each pivot, the program has its slot, the numbers of other entries in its column and its
    row, their slots, and for each pair of these the slot of the entry that is changed.
    """
    n_rows = len(count) >> 1
    n_changed = 0
    while numbers[N_PIVOTS] < n_rows:
        if n_changed >= budget:
            return PAUSED
        pivot = choose_pivot(links, ends, count, value)
        if pivot < 0:
            return VANISHED
        if pivot < n_rows:  # the head of an empty row
            return SINGULAR
        row = ends[ROW, pivot]
        column = ends[COLUMN, pivot]
        n_in_column = count[column] - 1
        n_in_row = count[row] - 1
        n_changes = np.int64(n_in_column) * n_in_row
        word = numbers[N_WORDS]
        if numbers[N_SLOTS] + n_changes > len(value):
            return NEEDS_SLOTS
        if word + 3 + n_in_column + n_in_row + n_changes > len(program):
            return NEEDS_WORDS
        n_changed += n_changes + n_rows
        # Write the entries below the pivot, which leave their rows, and those beside it.
        program[word] = pivot
        program[word + 1] = n_in_column
        program[word + 2] = n_in_row
        word += 3
        slot = links[BELOW, column]
        while slot != column:
            if slot != pivot:
                remove_entry(links, ends, count, slot, ROW)
                program[word] = slot
                word += 1
            slot = links[BELOW, slot]
        row_word = word
        slot = links[RIGHT, row]
        while slot != row:
            if slot != pivot:
                remove_entry(links, ends, count, slot, COLUMN)
                program[word] = slot
                word += 1
            slot = links[RIGHT, slot]
        # Subtract a multiple of the row of the pivot from each row below; new entries fill zeros.
        inverse = invert(value[pivot], prime)
        below = links[BELOW, column]
        while below != column:
            if below != pivot:
                other_row = ends[ROW, below]
                slot = links[RIGHT, other_row]
                while slot != other_row:
                    mark[ends[COLUMN, slot]] = slot
                    slot = links[RIGHT, slot]
                factor = value[below] * inverse % prime
                for position in range(row_word, row_word + n_in_row):
                    source = program[position]
                    target = mark[ends[COLUMN, source]]
                    if target == 0:  # no entry there, as slot 0 is a head
                        target = numbers[N_SLOTS]
                        numbers[N_SLOTS] += 1
                        ends[ROW, target] = other_row
                        ends[COLUMN, target] = ends[COLUMN, source]
                        value[target] = 0
                        insert_entry(links, ends, count, target)
                    # Modulo the prime, this subtracts `factor * value[source]`.
                    value[target] = (value[target] + (prime - factor) * value[source]) % prime
                    program[word] = target
                    word += 1
                slot = links[RIGHT, other_row]
                while slot != other_row:
                    mark[ends[COLUMN, slot]] = 0
                    slot = links[RIGHT, slot]
            below = links[BELOW, below]
        count[row] = -1  # the row has had its pivot
        numbers[N_WORDS] = word
        numbers[N_PIVOTS] += 1
    return PLANNED


@njit
def multiply(a, b, prime, negative_inverse):
    """Return Montgomery's product of two uint32 less than `prime`: a b / 2**32 modulo `prime`.

    The prime is less than 2**31.

    `negative_inverse` is the inverse of -`prime` modulo 2**32, uint32.
    """
    product = np.uint64(a) * np.uint64(b)
    quotient = np.uint32(np.uint32(product) * negative_inverse)
    reduced = np.uint32((product + np.uint64(quotient) * np.uint64(prime)) >> 32)
    return min(reduced, np.uint32(reduced - prime))  # a negative difference wraps to a large number


@njit
def run_program(program, begin, end, value, primes, inverses, one, determinant, work, budget):
    """Eliminate modulo several primes, in Montgomery's form: each number times 2**32.

    Parameters: `program` int32, of which the words from `begin` to `end` remain; `value` (slots,
    LANES) uint32, modified; `primes`, `inverses` and `one` (LANES,) uint32, the primes, the
    inverses of their negatives modulo 2**32, and 1 in Montgomery's form; `determinant` (LANES,)
    uint32, modified, which is multiplied by the pivots; `work` (2, LANES) uint32; `budget`, the
    number of words after which it pauses. Returns the first word that remains.
    """
    word = begin
    budget_end = begin + budget
    inverse = work[0]
    factor = work[1]
    while word < end and word < budget_end:
        pivot = program[word]
        n_in_column = program[word + 1]
        n_in_row = program[word + 2]
        column_word = word + 3
        row_word = column_word + n_in_column
        word = row_word + n_in_row
        # The inverse of the pivot is its power with the exponent p - 2.
        for k in range(LANES):
            prime = primes[k]
            determinant[k] = multiply(determinant[k], value[pivot, k], prime, inverses[k])
            base = value[pivot, k]
            result = one[k]
            exponent = prime - np.uint32(2)
            while exponent > 0:
                if exponent & np.uint32(1):
                    result = multiply(result, base, prime, inverses[k])
                base = multiply(base, base, prime, inverses[k])
                exponent >>= np.uint32(1)
            inverse[k] = result
        for below in range(n_in_column):
            slot = program[column_word + below]
            for k in range(LANES):
                factor[k] = multiply(value[slot, k], inverse[k], primes[k], inverses[k])
            for beside in range(n_in_row):
                source = program[row_word + beside]
                target = program[word]
                word += 1
                for k in range(LANES):
                    prime = primes[k]
                    change = multiply(factor[k], value[source, k], prime, inverses[k])
                    # If it is negative, it wraps, and adding the prime makes it smaller again.
                    difference = np.uint32(value[target, k] - change)
                    value[target, k] = min(difference, np.uint32(difference + prime))
    return word
