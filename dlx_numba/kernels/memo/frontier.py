"""The subproblems of a problem whose options are decided in a fixed order.

The options are decided in *steps*, in the order of their first items. A step chooses one of its
options or none: all options with the same first item form a step if that item is covered at most
once; otherwise, each of them is a step of its own. What the decided options mean for the others is
a *subproblem*: for each item and total that options before and after the step share, the sum of the
weights so far (1 for each cover of an item), or its color. These are the *fields* of its *key*. A
field has the same bits from the first to the last step that changes it, and is 0 elsewhere, so that
other fields can have the same bits before and after.

A sum that cannot reach its bounds ends the subproblem. Sums that remain within the bounds, whatever
is chosen later, become equal. So keys differ only if different choices may complete them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps
from ..csr import positions_in
from ..problem import Problem
from ..reduce import exclude_each_other
from .explore import Words
from .item_order import ItemOrder
from .potentials import sharpen_totals

WORD_BITS = 63  # of a word of a key; the highest bit of the first word is always set
MAX_FIELD_BITS = 62
LIVE = np.uint64(1 << 63)
ENTRIES_PER_SLICE = 1 << 14  # between two pauses
ENTRIES_PER_FIELD = 1 << 8  # that take as long as the calls for a field
MAX_FRONTIER_BYTES = 1 << 28

# Columns of `Frontier.colors` and `Frontier.sums`: where the field of a color or sum is in a key
WORD = 0
SHIFT = 1
MASK = 2
VALUE = 3  # of a color, or of its item
LEAST = 3  # of a sum: the least and the greatest possible value
MOST = 4
FREE_LOW = 5  # the range of values that satisfy the bounds whatever follows
FREE_HIGH = 6


class Frontier(NamedTuple):
    """The steps of a problem, as changes of the words of a key, as a subproblem is written."""

    start: NDArray[np.int64]  # (steps + 1,) the options of each step
    opening: Words  # (steps, words) the initial values of the fields that begin
    required: Words  # (steps, words) the bits that must be set at the end of the step
    kept: Words  # (steps, words) all bits but those of the fields that end
    excluded: Words  # (options, words) the bits that must not be set
    bits: Words  # (options, words) the bits that the option sets
    color_start: NDArray[np.int64]  # (options + 1,) the colors of each option
    colors: NDArray[np.int64]  # (colors, 4) WORD, SHIFT, MASK and VALUE
    sum_start: NDArray[np.int64]  # (steps + 1,) the sums that each step changes
    sums: NDArray[np.int64]  # (sums, 7) WORD, SHIFT, MASK, LEAST, MOST, FREE_LOW and FREE_HIGH
    weight_start: NDArray[np.int64]  # (steps,) where the weights of each step begin in `weights`
    weights: NDArray[np.int64]  # one step after another: for each option, its weight in each sum
    numbers: NDArray[np.int64]  # (options,) their numbers in the problem
    log_sizes: NDArray[np.float64]  # (steps + 1,) log2 of a bound of the number of keys

    @property
    def n_steps(self) -> int:
        """The number of steps."""
        return len(self.start) - 1

    @property
    def n_words(self) -> int:
        """The number of words of a key."""
        return int(self.opening.shape[1])

    @property
    def max_branches(self) -> int:
        """The largest number of choices in a step."""
        return 1 + int(np.diff(self.start).max(initial=0))


def encode_frontier(problem: Problem, order: ItemOrder) -> Steps[Frontier | None]:
    """Return the steps of a problem with its primary items in an order; None if it has no cover.

    Yields after each slice of the work. Raises ValueError if the keys need too much memory.
    """
    n_primary = problem.n_primary
    n_items = problem.n_items
    high = problem.highs
    _, first = problem.rank_nodes(order)
    numbers = np.flatnonzero(first < n_primary)
    numbers = numbers[np.argsort(first[numbers], kind="stable")]
    first_item = order[first[numbers]]
    # An option is a step of its own if its first item may be covered several times.
    begins = (np.diff(first_item, prepend=-1) != 0) | (high[first_item] != 1)
    start = np.append(np.flatnonzero(begins), len(numbers))
    step_of = np.cumsum(begins) - 1  # of each of `numbers`
    n_steps = len(start) - 1
    yield
    if problem.total_low is not None:
        step_of_option = np.full(problem.n_options, -1)
        step_of_option[numbers] = step_of
        problem = yield from sharpen_totals(problem, step_of_option)

    entries = _list_entries(problem, numbers)
    if entries is None:
        return None
    fields, places, weights, colors, lows, highs = entries
    yield

    layout = _FieldLayout(n_steps, len(numbers))
    # Secondary items have the limit 0: only a primary item may make a field superfluous.
    limits = np.append(high, np.zeros(problem.n_secondary, np.int64))
    # The range of the entries of each field, in the order of the first steps
    field_ends = np.flatnonzero(np.diff(fields, prepend=-1, append=-1))
    ranges = np.stack([field_ends[:-1], field_ends[1:]], axis=1)
    ranges = ranges[np.argsort(step_of[places[ranges[:, 0]]], kind="stable")]
    n_left = ENTRIES_PER_SLICE
    for begin, end in ranges.tolist():
        field = fields[begin]
        here = places[begin:end]
        added = weights[begin:end]
        steps = step_of[here]
        bounds_of_sum = (int(lows[field]), int(highs[field]))
        is_secondary = n_primary <= field < n_items
        if is_secondary and exclude_each_other(problem, limits, numbers[here]):
            pass  # the field would exclude nothing
        elif is_secondary and colors[begin:end].any():
            layout.add_colors(here, steps, colors[begin:end])
        elif field < n_items and bounds_of_sum in ((0, 1), (1, 1)):  # a bit says whether it is used
            layout.add_bit(here, steps, is_required=bounds_of_sum == (1, 1))
        elif not layout.add_sum(here, steps, added, *bounds_of_sum):
            return None
        n_left -= end - begin + ENTRIES_PER_FIELD + layout.n_bits
        if n_left <= 0:
            n_left = ENTRIES_PER_SLICE
            yield
    return layout.frontier(start, numbers)


class _FieldEntries(NamedTuple):
    """The entries of all fields, by field: primary items, secondary items, totals."""

    fields: NDArray[np.int64]
    places: NDArray[np.int64]  # of the options in their order
    weights: NDArray[np.int64]
    colors: NDArray[np.int64]
    lows: NDArray[np.int64]  # of each field
    highs: NDArray[np.int64]


def _list_entries(problem: Problem, numbers: NDArray[np.int64]) -> _FieldEntries | None:
    """Return the entries of options in an order; None if a field without entries needs some.

    An entry is an option with a field: an item that it contains, or a total in which it has a
    weight. `numbers` are the options in their order; others have no entries.
    """
    option_of = problem.option_of_node()
    least, most, total, weighted, weight = problem.totals
    position = positions_in(numbers, problem.n_options)
    fields = np.append(problem.items, problem.n_items + total).astype(np.int64)
    places = position[np.append(option_of, weighted)]
    weights = np.append(np.ones(len(option_of), np.int64), weight)
    colors = np.concatenate([problem.node_colors.astype(np.int64), np.zeros_like(total)])
    by_field = np.lexsort((places, fields))
    by_field = by_field[places[by_field] >= 0]  # without those of other options
    lows = np.concatenate([problem.lows, np.zeros(problem.n_secondary, np.int64), least])
    highs = np.concatenate([problem.highs, np.ones(problem.n_secondary, np.int64), most])
    is_used = np.zeros(len(lows), np.bool_)
    is_used[fields[by_field]] = True
    if np.any(~is_used & ((lows > 0) | (highs < 0))):
        return None
    places = places[by_field]
    return _FieldEntries(fields[by_field], places, weights[by_field], colors[by_field], lows, highs)


class _WordMasks(NamedTuple):
    """The masks of a word of the keys; see `Frontier`."""

    opening: NDArray[np.uint64]
    required: NDArray[np.uint64]
    ending: NDArray[np.uint64]  # the complement of `kept`
    excluded: NDArray[np.uint64]
    bits: NDArray[np.uint64]


class _FieldLayout:
    """The fields of the keys, in the order of their first steps, each with its own bits."""

    def __init__(self, n_steps: int, n_options: int) -> None:
        self._sizes = n_steps, n_steps, n_steps, n_options, n_options
        self._busy = np.zeros((0, WORD_BITS), np.int64)  # the step from which each bit is free
        self._masks: list[_WordMasks] = []
        self._colors: list[NDArray[np.int64]] = []  # rows: an option, and a row of `colors`
        self._sums: list[NDArray[np.int64]] = []  # rows: a step, and a row of `sums`
        self._weights: list[tuple[NDArray[np.int64], ...]] = []  # of each sum: options and weights
        self._log_sizes = np.zeros(n_steps + 2)  # how they change at each step; see `_allocate`
        self._add_word()

    @property
    def n_bits(self) -> int:
        """The number of bits, which are searched for those that are free."""
        return self._busy.size

    def _add_word(self) -> None:
        self._busy = np.append(self._busy, np.zeros((1, WORD_BITS), np.int64), axis=0)
        self._masks.append(_WordMasks(*(np.zeros(size, np.uint64) for size in self._sizes)))
        if 8 * sum(self._sizes) * len(self._masks) > MAX_FRONTIER_BYTES:
            raise ValueError(f"states of {len(self._masks):,} words are too large for a memo")

    def _allocate(self, steps: NDArray[np.int64], largest: int) -> tuple[int, int, int]:
        """Return the word, the shift and the mask of a field with values up to the largest."""
        n_bits = largest.bit_length()
        first = int(steps[0])
        last = int(steps[-1])
        if n_bits > MAX_FIELD_BITS:
            raise ValueError("the totals are too large for a memo")
        # Prefix sums of free bits tell where `n_bits` of them follow each other in a word.
        n_free = np.cumsum(np.pad(self._busy <= first, ((0, 0), (1, 0))), axis=1)
        fits: NDArray[np.bool_] = n_free[:, n_bits:] - n_free[:, : WORD_BITS + 1 - n_bits] == n_bits
        if not fits.any():  # in a new word, the field fits
            self._add_word()
            return self._allocate(steps, largest)
        word, shift = divmod(int(np.argmax(fits)), fits.shape[1])
        self._busy[word, shift : shift + n_bits] = last + 1
        mask = (1 << n_bits) - 1
        self._masks[word].ending[last] |= np.uint64(mask << shift)
        # Changes of the logarithm of the number of keys, which the field multiplies by its values
        self._log_sizes[first + 1] += np.log2(largest + 1)
        self._log_sizes[last + 1] -= np.log2(largest + 1)
        return word, shift, mask

    def add_bit(
        self, places: NDArray[np.int64], steps: NDArray[np.int64], is_required: bool
    ) -> None:
        """Add an item that is covered at most once; `is_required`: exactly once."""
        word, shift, _ = self._allocate(steps, 1)
        masks = self._masks[word]
        bit = np.uint64(1 << shift)
        masks.required[steps[-1]] |= bit * np.uint64(is_required)
        masks.excluded[places] |= bit
        masks.bits[places] |= bit

    def add_colors(
        self, places: NDArray[np.int64], steps: NDArray[np.int64], colors: NDArray[np.int64]
    ) -> None:
        """Add a secondary item with colors; 0 stands for a color that no option shares.

        In the field, colors are numbered from 1. An option with the color 0 requires that no bit of
        the field is set, and sets the number after the last one, which no other option has.
        """
        # Positions among the colors in use: the color 0, if there is one, has the position 0.
        values = np.unique(colors, return_inverse=True)[1] + int(colors.all())
        largest = int(values.max()) + (not colors.all())
        word, shift, mask = self._allocate(steps, largest)
        alone = places[colors == 0]
        self._masks[word].excluded[alone] |= np.uint64(mask << shift)
        self._masks[word].bits[alone] |= np.uint64(largest << shift)
        field = (np.full(len(places), each) for each in (word, shift, mask))
        rows = np.column_stack([places, *field, values])
        self._colors.append(rows[colors != 0])

    def add_sum(
        self,
        places: NDArray[np.int64],
        steps: NDArray[np.int64],
        weights: NDArray[np.int64],
        low: int,
        high: int,
    ) -> bool:
        """Add an item or total with bounds. Returns whether the bounds can be satisfied.

        The options in `places`, in ascending `steps`, change its sum by `weights`.
        """
        begins = np.flatnonzero(np.diff(steps, prepend=-1))
        down = np.cumsum(np.minimum(np.minimum.reduceat(weights, begins), 0))
        up = np.cumsum(np.maximum(np.maximum.reduceat(weights, begins), 0))
        # What later steps can still subtract and add; then the sums after each step from which the
        # bounds can be met
        down_left = down[-1] - down
        up_left = up[-1] - up
        least = np.maximum(down, low - up_left)
        most = np.minimum(up, high - down_left)
        if np.any(least > most):
            return False
        # The sums from `begin` to `end` satisfy the bounds whatever follows.
        begin = np.maximum(least, low - down_left)
        end = np.minimum(most, high - up_left)
        # The field has the sum minus `base`, so that it is not negative; the first sum is 0.
        base = min(0, int(least.min()))
        word, shift, mask = self._allocate(steps, max(0, int(most.max())) - base)
        self._masks[word].opening[steps[0]] |= np.uint64(-base << shift)
        field = (np.full(len(begins), each) for each in (word, shift, mask))
        limits = (each - base for each in (least, most, begin, end))
        self._sums.append(np.column_stack([steps[begins], *field, *limits]))
        self._weights.append((places, steps, weights))
        return True

    def frontier(self, start: NDArray[np.int64], numbers: NDArray[np.int64]) -> Frontier:
        """Return the steps with these options.

        `start` has the first option of each step, and `numbers` the numbers of the options.
        """
        # The masks of each kind, with a column for each word
        opening, required, ending, excluded, bits = (
            np.ascontiguousarray(np.stack(each, axis=1)) for each in zip(*self._masks, strict=True)
        )
        n_steps = len(start) - 1
        n_options = len(numbers)
        # The rows begin with an option or a step, by which they are sorted; there may be none.
        colors = np.concatenate([*self._colors, np.zeros((0, 5), np.int64)])
        colors = colors[np.argsort(colors[:, 0], kind="stable")]
        sums = np.concatenate([*self._sums, np.zeros((0, 8), np.int64)])
        # A sum of a step is known by the step and by the number of its field.
        field_of = np.repeat(np.arange(len(self._sums)), [*map(len, self._sums)])
        codes = sums[:, 0] * max(1, len(self._sums)) + field_of
        sums, codes = sums[np.argsort(codes)], np.sort(codes)
        sum_start = np.searchsorted(sums[:, 0], np.arange(n_steps + 1))
        # For each step, the weights of its options (rows) in its sums (columns)
        n_sums = np.diff(sum_start)
        ends = np.cumsum(n_sums * np.diff(start))
        weight_start = np.append(0, ends[:-1]) if n_steps else ends
        weights = np.zeros(int(ends[-1]) if n_steps else 0, np.int64)
        for field, (places, steps, added) in enumerate(self._weights):
            number = np.searchsorted(codes, steps * len(self._sums) + field) - sum_start[steps]
            weights[weight_start[steps] + (places - start[steps]) * n_sums[steps] + number] = added
        return Frontier(
            start,
            opening,
            required,
            ~ending,
            excluded,
            bits,
            np.searchsorted(colors[:, 0], np.arange(n_options + 1)),
            np.ascontiguousarray(colors[:, 1:]),
            sum_start,
            np.ascontiguousarray(sums[:, 1:]),
            weight_start,
            weights,
            numbers,
            np.cumsum(self._log_sizes)[:-1],
        )
