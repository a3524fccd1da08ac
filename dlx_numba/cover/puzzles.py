"""Puzzles: options of random covers that determine them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from ..kernels.batch.search import BatchSearch
from ..kernels.batch.variations import Variations
from ..runtime.arguments import check_integer
from ..runtime.batches import WorkerThreads, check_threads, split_rows
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..runtime.job import run
from ..runtime.log import logger
from ..runtime.text import plural
from .batch import PARTS_PER_THREAD, no_numbers
from .counting import ThreadStatistics
from .covers import Covers, as_covers
from .diagram import CoverDiagram
from .diagram_builder import start_builder
from .named_problem import NamedProblem
from .prepare import OptionNumbers
from .solutions import find_covers
from .symmetry import find_symmetries

# Covers that are reduced at a time: ever more of them
MIN_DRAWN = 16
MAX_DRAWN = 2048
MAX_MISSES = 2000  # covers one after the other that give no puzzle
# Covers or puzzles one after the other that symmetries map to others: drawn from a diagram, or not
MAX_REPEATS = 2000
MAX_SOUGHT_REPEATS = 64
MAX_SYMMETRY_STEPS = 1000  # of the search for symmetries
MAX_IMAGES = 1 << 20  # of options under all symmetries
MIN_PER_PART = 8  # sets of clues that a thread tests
# Bytes of a diagram, which thus takes little of the time
MIN_MEMORY = 1 << 26
MEMORY_PER_PUZZLE = 1 << 17
NO_COVER = "the problem has no cover"

Options = NDArray[np.int32]  # (puzzles, length) in random order; -1 for none


def make_puzzles(
    named: NamedProblem,
    n: int,
    clues: OptionNumbers | None,
    minimal: bool,
    compare: Callable[[list[int]], int] | None,
    seed: int | None,
    stop: Stop,
) -> Covers:
    """Return puzzles, as `ExactCover.puzzles` does.

    `compare` says of clues whether the puzzle is as wanted (0), or too easy (-1) or too hard (1).
    """
    n_wanted = check_integer(n, "n", minimum=0)
    generator = Random(seed)
    shown = np.zeros(named.problem.n_options, np.bool_)
    all_options = range(named.names.n_listed)
    shown[all_options if clues is None else named.numbers_of(clues, "clues")] = True
    given = named.selected.given
    shown[given] = False  # they are added to each puzzle at the end
    made: list[list[int]] = []  # puzzles: sorted lists of options
    solved: list[list[int]] = []  # for each of these, the cover that contains it, in random order
    n_misses = 0  # covers since the last puzzle
    n_tried = 0
    images = _symmetries(named, stop) if n_wanted > 1 else _identity(named)
    # Of covers and of puzzles, only one of those that symmetries map to each other is taken.
    solutions = _UpToSymmetry(images)
    puzzles = _UpToSymmetry(images)
    n_threads = check_threads(named.settings.threads)

    def describe() -> tuple[float, str]:
        tried = f"{len(made):,} of {plural(n_wanted, 'puzzle')}, {plural(n_tried, 'cover')} tried"
        return len(made) / max(n_wanted, 1), tried

    with (
        named.showing(describe),
        WorkerThreads(n_threads, stop) as workers,
    ):
        draw = None
        n_most = MIN_DRAWN
        search = named.prepare(stop).batch_search(len(shown))
        while len(made) < n_wanted:
            if draw is None:
                draw, max_repeats = _start_drawing(named, n_wanted, generator, workers)
                solutions.max_repeats = max_repeats
                puzzles.max_repeats = max_repeats
            # Draw no more covers than are needed, unless many of them give no puzzle or no new one.
            is_repeating = compare is not None or solutions.n_repeats > 0
            n_drawn = n_most if is_repeating else n_wanted - len(made)
            drawn = draw(min(n_drawn, n_most))
            covers = [cover for cover in drawn if not stop() and solutions.admit(cover)]
            n_most = min(2 * n_most, MAX_DRAWN)
            orders = [generator.sample(cover, len(cover)) for cover in covers]
            reduced = _reduce(orders, shown, minimal, search, workers)
            # No cover is reduced if the call is stopped.
            for order, clues_left in zip(orders, reduced, strict=bool(reduced)):
                if len(made) == n_wanted or stop():
                    break
                if compare is not None and clues_left is not None:
                    clues_left = _ease(clues_left, [k for k in order if shown[k]], compare)
                n_tried += 1
                n_misses += 1
                if clues_left is not None:
                    n_misses = 0
                    clues_left = sorted([*given, *clues_left])
                    if puzzles.admit(clues_left):
                        made.append(clues_left)
                        solved.append(order)
            if stop() and len(made) < n_wanted:
                partial = as_covers(named, made, False)
                raise Stopped(f"stopped after {plural(len(made), 'puzzle')}", partial)
            if n_misses >= MAX_MISSES:
                raise ValueError(
                    f"{MAX_MISSES:,} covers were tried for a puzzle: "
                    "none of them has such clues, or none is of the level"
                )
    if solutions.is_exhausted:
        n_solutions = plural(len({*map(solutions.form, solved)}), "solution")
        n_repeated = len(made) - len({*map(puzzles.form, made)})
        repeated = f"{n_repeated:,} of {plural(len(made), 'puzzle')} repeat others"
        logger.info(
            f"no others were found: up to symmetry, {repeated}, and the different ones have "
            f"{n_solutions}"
        )
    return as_covers(named, made, True)


class _UpToSymmetry:
    """Sets of options that were admitted, up to symmetry.

    Parameters
    ----------
    images : ndarray of int64, shape (symmetries, options)
        The image of each option under each symmetry.
    """

    def __init__(self, images: NDArray[np.int64]) -> None:
        self._images = images
        self._known: set[bytes] = set()
        self.n_repeats = 0  # one after the other, up to now
        self.max_repeats = MAX_REPEATS

    @property
    def is_exhausted(self) -> bool:
        """Whether others are hardly to be found, so that all sets are admitted."""
        return self.n_repeats >= self.max_repeats

    def form(self, options: list[int]) -> bytes:
        """Return what is equal for options that symmetries map to each other."""
        return min(map(bytes, np.sort(self._images[:, options], axis=1)))

    def admit(self, options: list[int]) -> bool:
        """Return whether to admit options: no symmetry maps them to others, or all are admitted."""
        form = self.form(options)
        is_new = form not in self._known
        self._known.add(form)
        if not self.is_exhausted:
            self.n_repeats = 0 if is_new else self.n_repeats + 1
        return is_new or self.is_exhausted


def _identity(named: NamedProblem) -> NDArray[np.int64]:
    return np.arange(named.problem.n_options)[None]


def _symmetries(named: NamedProblem, stop: Stop) -> NDArray[np.int64]:
    """Return the images of the options under all symmetries.

    The identity alone, if these are many, or take too many steps to find.
    """
    limit = MAX_IMAGES // max(1, named.problem.n_options)
    limited = Stop(event=_StepLimit(stop))
    with suppress(ValueError, Stopped):
        group = find_symmetries(named, limit=limit, exchanges_twins=False, stop=limited)
        return np.array(list(group))
    return _identity(named)


class _StepLimit:
    """An event that ends the search for symmetries after some steps, or at a request."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._n_left = MAX_SYMMETRY_STEPS

    def is_set(self) -> bool:
        self._n_left -= 1
        return self._n_left < 0 or self._stop()


def _ease(
    clues: list[int], all_clues: list[int], compare: Callable[[list[int]], int]
) -> list[int] | None:
    """Return clues with as many others as make the puzzle as easy as it is wanted.

    `compare` returns a positive number for clues of a puzzle that is too hard, and a negative one
    if it is too easy. Returns None if no number of others is right.
    """
    # Seek the lowest number of others by bisection, as more clues should make a puzzle easier. At
    # the end, it is tested whether they do.
    others = [option for option in all_clues if option not in clues]
    low = 0
    high = 0 if compare(clues) <= 0 else len(others)
    while low < high:
        middle = (low + high) // 2
        if compare([*clues, *others[:middle]]) > 0:
            low = middle + 1
        else:
            high = middle
    eased = [*clues, *others[:low]]
    return eased if compare(eased) == 0 else None


def _start_drawing(
    named: NamedProblem, n: int, generator: Random, workers: WorkerThreads
) -> tuple[Callable[[int], list[list[int]]], int]:
    """Return a function that draws covers: uniformly, if a diagram of them fits into memory.

    Also return how many repetitions show that there are hardly others. Raises ValueError if there
    is no cover.
    """
    memory = named.settings.memory
    if memory is None:
        memory = MIN_MEMORY + MEMORY_PER_PUZZLE * n
    try:
        builder = start_builder(named.replace(memory=memory, executor=None), "auto", workers.stop)
        run(builder, Stop(event=workers.stop))
    except (MemoryError, ValueError) as error:  # a diagram may not support the problem
        warnings.warn(f"the covers are drawn at random, but not uniformly: {error}", stacklevel=4)
    else:
        if builder.done and not builder.result:
            raise ValueError(NO_COVER)
        if builder.done:
            return partial(_sample, builder.result, generator, workers.stop), MAX_REPEATS
    plain = named.replace(threads=1, executor=None, progress=False)
    return partial(_search_at_random, plain, generator, workers), MAX_SOUGHT_REPEATS


def _sample(diagram: CoverDiagram, generator: Random, stop: Stop, size: int) -> list[list[int]]:
    """Return covers of a diagram at random."""
    return [*diagram.sample(size, generator.getrandbits(32), stop=stop)]


def _search_at_random(
    named: NamedProblem, generator: Random, workers: WorkerThreads, size: int
) -> list[list[int]]:
    """Return the first cover of each of some random searches; none if the call is stopped."""
    seeds = [generator.getrandbits(32) for _ in range(size)]
    covers = list[list[list[int]]]([[]]) * size  # for each search: one cover, or none

    def find(k: int) -> None:
        varied = named.vary(seed=seeds[k])
        covers[k] = [*find_covers(varied, ThreadStatistics(), workers.stop, 1, order="any")]

    try:
        workers.run_parts(find, range(size))
    except Stopped:
        return []
    if workers.stop():
        return []
    if not all(covers):
        raise ValueError(NO_COVER)
    return [cover for [cover] in covers]


def _reduce(
    orders: list[list[int]],
    shown: NDArray[np.bool_],
    minimal: bool,
    search: BatchSearch,
    workers: WorkerThreads,
) -> list[list[int] | None]:
    """Remove clues from covers while there is no other cover that contains them.

    The covers have their options in random `orders`; `shown` is a mask of those that may be clues.

    Return what is left of each cover: None if the clues that may be shown do not suffice. First,
    the shortest beginning of each order that determines the cover is found. If the clues are to be
    minimal, its others are then removed one by one where that is possible. The list is empty if the
    run is stopped.
    """
    allowed = [[option for option in order if shown[option]] for order in orders]
    clues = Covers(allowed).to_numpy()
    sizes = np.array([*map(len, allowed)], np.int64)
    position = np.arange(clues.shape[1])
    is_unique = _are_unique(clues, search, workers)
    low = np.zeros(len(orders), np.int64)
    high = np.where(is_unique, sizes, 0)
    while len(rows := np.flatnonzero(low < high)):  # the shortest one has low to high clues
        middle = (low[rows] + high[rows]) // 2
        trial = np.where(position < middle[:, None], clues[rows], -1)
        suffices = _are_unique(trial, search, workers)
        high[rows[suffices]] = middle[suffices]
        low[rows[~suffices]] = middle[~suffices] + 1
    clues = np.where(position < high[:, None], clues, -1)
    # The last clue of a shortest beginning is needed. One that is needed is so with fewer others.
    n_columns = int(high.max(initial=0)) - 1 if minimal else 0
    for column in reversed(range(n_columns)):
        rows = np.flatnonzero(column < high - 1)
        trial = clues[rows]
        trial[:, column] = -1
        clues[rows[_are_unique(trial, search, workers)], column] = -1
    if workers.stop():
        return []
    left = [[option for option in row if option >= 0] for row in clues.tolist()]
    return [clues if is_one else None for clues, is_one in zip(left, is_unique, strict=True)]


def _are_unique(clues: Options, search: BatchSearch, workers: WorkerThreads) -> NDArray[np.bool_]:
    """Return which of the sets of clues are in one cover only; False once stopped."""
    n_sets, length = clues.shape
    counts = np.zeros(len(clues), np.int64)
    variations = Variations(
        np.arange(n_sets + 1) * length, clues.ravel(), *no_numbers(n_sets), *no_numbers(n_sets)
    )

    def count(rows: slice) -> None:
        """Count the covers of some sets, up to 2. The positional False is `is_marking`."""
        counts[rows] = search.search(2, False, variations.part(rows), workers.stop).counts

    workers.run_parts(count, split_rows(n_sets, PARTS_PER_THREAD * workers.n_workers, MIN_PER_PART))
    return counts == 1
