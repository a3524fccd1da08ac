"""Generate any number of puzzles: ordered attempts by several threads.

Attempt k of a seed depends on the seed and on k only, and the puzzles are the successful attempts
in order. So they depend neither on the number of threads nor on the number of puzzles.
"""

import math
import time
import warnings
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import MAX_THREADS, Stop
from ...runtime.workers import Task, TaskThreads
from ..box import Box
from ..engines.classify import CLASSES
from ..engines.registry import Pool
from ..rating import classes
from .reduce import Reducer
from .request import Request

MAX_BLOCK = 1024  # attempts of one task; their arrays fit in the cache of a processor
BLOCK_BYTES = 1 << 23  # approximately
FIRST_BLOCK = 32  # attempts, up to 9×9 without rules; as fast as a single one
SECONDS_PER_BLOCK = 0.2  # if attempts take long

# The maximum number of attempts without success, by the side of the board. There are few different
# puzzles on the smallest boards, and attempts with rules take longer.
MAX_FAILURES = {5: 50_000, 9: 500_000, 12: 50_000, 16: 500}
MAX_FAILURES_WITH_RULES = {9: 5_000, 12: 500, 16: 5}
# After this part of them, and whenever their number has doubled, a number of clues that is further
# than this from the mean is given up: it would be found once in a billion attempts.
FIRST_CHECK = 0.02
MAX_DEVIATIONS = 6.0
MIN_SAMPLE = 10  # attempts, from which the deviation is estimated


class GeneratedBoards(NamedTuple):
    """Puzzles and their solutions, arrays of shape (N, cells); row k belongs to puzzle k."""

    puzzles: NDArray[np.uint8]
    solutions: NDArray[np.uint8]


class _Attempts(NamedTuple):
    """The result of a block of attempts."""

    found: GeneratedBoards
    n_clues: NDArray[np.int64]  # (size,) the number of clues of each attempt
    indices: NDArray[np.int64]  # the successful attempts
    seconds: float


def random_states(seed: int, start: int, size: int) -> NDArray[np.uint64]:
    """Return the states of the random numbers of some attempts, shape (size, 2)."""
    generator = np.random.Philox(seed)
    generator.advance(start)  # one step yields four numbers
    states: NDArray[np.uint64] = generator.random_raw(4 * size).reshape(size, 4)[:, :2].copy()
    return states


def block_size(box: Box) -> int:
    """Return the maximum number of puzzles of a block."""
    n = box.n
    set_bytes = n**3 // 4 * (box.cells // 64 + 1) * 8
    return max(1, min(MAX_BLOCK, BLOCK_BYTES // set_bytes))


def _attempt(
    reducer: Reducer, request: Request, seed: int, start: int, size: int, stop: Stop
) -> _Attempts | None:
    """Return the result of attempts `start` to `start + size`; None if they are stopped."""
    start_time = time.perf_counter()
    least, most = (0, 0) if request.is_reduced else (request.low, request.high)
    random = random_states(seed, start, size)
    generated = reducer.generate(random, request.symmetry, least, most, stop)
    if generated is None:
        return None
    puzzles, solutions = generated
    n_clues = np.count_nonzero(puzzles, axis=1)
    is_found = (n_clues >= request.low) & (n_clues <= request.high)
    indices = np.flatnonzero(is_found)
    if request.difficulty:
        indices = indices[classes(puzzles[indices]) == request.difficulty]
    found = GeneratedBoards(puzzles[indices], solutions[indices])
    return _Attempts(found, n_clues, indices, time.perf_counter() - start_time)


class _Failures:
    """The attempts since the last success, which limit a search that might never end.

    Whether the search is given up depends on the attempts, not on the blocks in which they come.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        limits = MAX_FAILURES if request.rules is None else MAX_FAILURES_WITH_RULES
        self.max_failures = next(limits[side] for side in limits if side >= request.box.n)
        first_check = max(MIN_SAMPLE, round(self.max_failures * FIRST_CHECK))
        self.first_check = min(first_check, self.max_failures)
        self.is_given_up = False
        self._start()

    def _start(self) -> None:
        self.n_clues = np.zeros(0, np.int64)
        self.next_check = self.first_check

    def add(self, attempts: _Attempts) -> int:
        """Add a block of attempts. Return the number of successes before the search is given up."""
        size, successes = len(attempts.n_clues), attempts.indices
        starts, ends = np.append(0, successes + 1), np.append(successes, size)
        is_first_or_last = np.isin(np.arange(len(ends)), [0, len(successes)])
        for k in np.flatnonzero(is_first_or_last | (ends - starts >= self.first_check)).tolist():
            if k:
                self._start()
            failed = slice(starts[k], ends[k])
            self.n_clues = np.append(self.n_clues, attempts.n_clues[failed])
            while not self.is_given_up and len(self.n_clues) >= self.next_check:
                self._check()
            if self.is_given_up:
                return int(k)
        return len(successes)

    def _check(self) -> None:
        """Give up if the first `next_check` attempts are too many, or leave no hope."""
        request, n_clues = self.request, self.n_clues[: self.next_check]
        center, margin = n_clues.mean(), MAX_DEVIATIONS * n_clues.std()
        is_hopeless = request.low > center + margin or request.high < center - margin
        if is_hopeless or self.next_check == self.max_failures:
            self.is_given_up, self.n_clues = True, n_clues
        self.next_check = min(2 * self.next_check, self.max_failures)

    def describe(self) -> str:
        """Return a message that states what was observed, and what is possible."""
        request, n_clues = self.request, self.n_clues
        low, high, mean = n_clues.min(), n_clues.max(), n_clues.mean()
        text = (
            f"no {request.describe()} found in {len(n_clues):,} attempts, "
            f"which had {low} to {high} clues, {mean:.1f} on average"
        )
        in_range = np.count_nonzero((n_clues >= request.low) & (n_clues <= request.high))
        if request.difficulty and in_range:
            text += f"; {in_range:,} had such a number, and none of these was "
            text += CLASSES[request.difficulty]
        elif request.is_minimal and mean < request.low:
            text += "; puzzles that need not be minimal can have more"
        return text


class _BlockSize:
    """The size of the next block of attempts, which has no influence on the puzzles."""

    def __init__(self, request: Request) -> None:
        self.max_size = block_size(request.box)
        is_fast = request.box.n <= 9 and request.rules is None
        self.size = min(FIRST_BLOCK, self.max_size) if is_fast else 1
        self.n_attempts = self.n_found = 0
        self.seconds = 0.0

    def update(self, attempts: _Attempts, n_missing: int) -> None:
        """Add the result of a block; `n_missing` puzzles remain to be found."""
        self.n_attempts += len(attempts.n_clues)
        self.n_found += len(attempts.indices)
        self.seconds += attempts.seconds
        expected = n_missing * (self.n_attempts + 2) / (self.n_found + 1)
        fitting = SECONDS_PER_BLOCK * self.n_attempts / max(self.seconds, 1e-9)
        self.size = max(1, min(self.max_size, 2 * self.size, math.ceil(expected), int(fitting)))


def generate_blocks(
    request: Request, n: int, seed: int, threads: int, stop: Stop
) -> Iterator[tuple[GeneratedBoards, int]]:
    """Yield `n` puzzles in blocks, as they are found; only the first ones if `stop` returns True.

    Each block, which may be empty, comes with the number of attempts since the last success. Raises
    ValueError if the request cannot be met. There is a warning early if that is likely.
    """
    failures, size = _Failures(request), _BlockSize(request)
    n_missing = n
    if n_missing == 0:
        return
    blocks = _attempts(request, seed, min(threads, MAX_THREADS), stop, size)
    is_unlikely = False
    with closing(blocks):  # Python ignores exceptions while it deletes a generator
        for attempts in blocks:
            n_valid = failures.add(attempts)
            found = GeneratedBoards(*(array[: min(n_missing, n_valid)] for array in attempts.found))
            n_missing -= len(found.puzzles)
            n_failures = len(failures.n_clues)
            yield found, n_failures
            if n_missing == 0:
                return
            if failures.is_given_up:
                raise ValueError(failures.describe())
            if n_missing == n and n_failures >= failures.first_check and not is_unlikely:
                is_unlikely = True
                observed = failures.describe().partition(";")[0]
                warnings.warn(
                    f"{observed}; such puzzles are rare, or there are none. The search ends "
                    f"after {failures.max_failures:,} attempts without success",
                    stacklevel=4,
                )
            size.update(attempts, n_missing)


def _attempts(
    request: Request, seed: int, threads: int, stop: Stop, size: _BlockSize
) -> Generator[_Attempts, None, None]:
    """Yield blocks of attempts in order, until `stop` returns True."""
    start = 0
    reducers = Pool(lambda: Reducer(request.box, size.max_size, request.hardest, request.rules))

    def attempt(start: int, size: int) -> _Attempts | None:
        reducer = reducers.take()
        attempts = _attempt(reducer, request, seed, start, size, stop)
        reducers.put(reducer)
        return attempts

    if threads == 1:
        while (attempts := attempt(start, size.size)) is not None:
            start += size.size
            yield attempts
        return
    waiting: deque[Task[_Attempts | None]] = deque()
    workers = TaskThreads(threads)
    try:
        while True:
            while len(waiting) < 2 * threads:
                waiting.append(workers.submit(partial(attempt, start, size.size)))
                start += size.size
            if (attempts := waiting.popleft().result()) is None:
                return
            yield attempts
    finally:
        stop.is_canceled = True  # another signal could interrupt a call of `cancel`
        workers.close(cancel=True)
