"""Generate any number of puzzles: ordered attempts by several threads.

Attempt k of a seed depends on the seed and on k only, and the puzzles are the successful attempts
in order. So they depend neither on the number of threads nor on the number of puzzles.
"""

import math
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, wait
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runtime.batches import POLL_SECONDS, ExecutorTasks
from ...runtime.choices import CLASSES
from ...runtime.interrupts import MAX_THREADS, Stop
from ...runtime.workers import TaskThreads, call_in_thread
from ..box import Box
from ..engines.base import Pool, Rules
from ..levels import has_level
from ..rating import classify_boards
from ..results import GenerateResult
from .reduce import Reducer
from .request import Request

MAX_BLOCK = 1024  # attempts of one task; their arrays fit in the cache of a processor
FIRST_BLOCK = 32  # attempts, up to 9×9 without rules; as fast as a single one
RULES_BLOCK = 32  # with rules: their engine solves many boards at once

# The maximum number of attempts without success, by the side of the board. There are few different
# puzzles on the smallest boards, and attempts with rules take longer.
MAX_FAILURES = {5: 50_000, 9: 500_000, 12: 50_000, 16: 500, 25: 20}
MAX_FAILURES_WITH_RULES = {9: 5_000, 12: 500, 16: 5}
# After this part of them, and whenever their number has doubled, a number of clues that is further
# than this from the mean is given up: it would be found once in a billion attempts.
FIRST_CHECK = 0.02
MAX_DEVIATIONS = 6.0
MIN_SAMPLE = 10  # attempts, from which the deviation is estimated


class _Attempts(NamedTuple):
    """The result of a block of attempts."""

    found: GenerateResult
    n_clues: NDArray[np.int64]  # (size,) the number of clues of each attempt
    indices: NDArray[np.int64]  # the successful attempts


def random_words(seed: int, start: int, size: int) -> NDArray[np.uint64]:
    """Return the two words from which the random numbers of each attempt begin, shape (size, 2)."""
    generator = np.random.Philox(seed)
    generator.advance(start)  # one step yields four numbers
    return generator.random_raw(4 * size).reshape(size, 4)[:, :2].copy()


def block_size(box: Box, rules: Rules | None = None) -> int:
    """Return the maximum number of puzzles of a block."""
    if rules is not None and rules.placed_counts:
        return 1
    if box.n > 9:
        return 4 if box.n <= 12 else 1
    return MAX_BLOCK if rules is None else RULES_BLOCK


def _attempt(
    reducers: Pool[Reducer], request: Request, seed: int, start: int, size: int, stop: Stop
) -> _Attempts | None:
    """Return the result of attempts `start` to `start + size`; None if they are stopped."""
    # Clues that are removed as far as possible need not keep any number.
    min_clues, max_clues = (0, 0) if request.is_reduced else (request.low, request.high)
    random = random_words(seed, start, size)
    rules: list[Rules] = []
    grid = None
    if request.rules is not None and request.rules.placed_counts:
        placed = request.rules.place(request.box, int(random[0, 0]), stop)
        if placed is None:
            return None
        placed_rules, grid = placed
        rules = [placed_rules]  # of the only attempt: see `block_size`
        reducer = Reducer(request.box, 1, rules=placed_rules)
    else:
        reducer = reducers.take()
    generated = reducer.generate(random, request.symmetry, min_clues, max_clues, stop, grid)
    if generated is None:
        return None
    puzzles, solutions = generated
    n_clues = np.count_nonzero(puzzles, axis=1)
    indices = np.flatnonzero((n_clues >= request.low) & (n_clues <= request.high))
    if request.difficulty:
        codes, _ = classify_boards(puzzles[indices])
        indices = indices[codes == request.difficulty]
    if request.level:
        indices = indices[has_level(puzzles[indices], request.level)]
    found = GenerateResult(puzzles[indices], solutions[indices], rules=rules[: len(indices)])
    if not rules:
        reducers.put(reducer)  # whose arrays the next block overwrites
    return _Attempts(found, n_clues, indices)


def _attempt_task(
    request: Request, seed: int, start: int, size: int, seconds: float
) -> _Attempts | None:
    """Return the result of attempts as `_attempt` does, in the worker that runs this task."""
    reducers = Pool(lambda: Reducer(request.box, size, request.hardest, request.rules))
    return _attempt(reducers, request, seed, start, size, Stop(seconds))


class _StreamTasks(ExecutorTasks):
    """The tasks of an executor, with the methods of `TaskThreads`."""

    def __init__(self, executor: Executor, stop: Stop) -> None:
        super().__init__(executor)
        self.stop = stop

    def submit(
        self, request: Request, seed: int, start: int, size: int
    ) -> Callable[[], _Attempts | None]:
        """Submit attempts; return a function that waits for them, or returns None if stopped."""
        seconds = self.stop.seconds_left()
        # Executors hold locks that an exception of a signal handler would leave locked.
        future = call_in_thread(
            lambda: self.executor.submit(_attempt_task, request, seed, start, size, seconds)
        )
        self.futures.add(future)
        return partial(call_in_thread, partial(self._wait_for, future))

    def _wait_for(self, future: Future[_Attempts | None]) -> _Attempts | None:
        """Return the result of a task, or None if the call is stopped before."""
        while not wait([future], POLL_SECONDS).done:
            if self.stop():
                return None
        self.futures.discard(future)
        return future.result()


class _Failures:
    """The attempts since the last success, which limit a search that might never end.

    Whether the search is given up depends on the attempts, not on the blocks in which they come.
    """

    def __init__(self, request: Request) -> None:
        self.request = request
        limits = MAX_FAILURES if request.rules is None else MAX_FAILURES_WITH_RULES
        self.max_failures = next(limits[side] for side in limits if side >= request.box.n)
        first_check = max(MIN_SAMPLE, round(self.max_failures * FIRST_CHECK))
        # The numbers of attempts after which `_check` is called
        self.first_check = self.next_check = min(first_check, self.max_failures)
        self.n_clues: list[int] = []  # of each attempt since the last success
        self.is_given_up = False

    def add(self, attempts: _Attempts) -> int:
        """Add a block of attempts. Return the number of successes before the search is given up."""
        successes = set(attempts.indices.tolist())
        n_valid = 0
        for k, n_clues in enumerate(attempts.n_clues.tolist()):
            if k in successes:
                n_valid += 1
                self.n_clues = []
                self.next_check = self.first_check
            else:
                self.n_clues.append(n_clues)
                if len(self.n_clues) == self.next_check:
                    self._check()
            if self.is_given_up:
                break
        return n_valid

    def _check(self) -> None:
        """Give up if there are too many attempts, or if they leave no hope."""
        center = np.mean(self.n_clues)
        margin = MAX_DEVIATIONS * np.std(self.n_clues)
        is_hopeless = self.request.low > center + margin or self.request.high < center - margin
        self.is_given_up = is_hopeless or self.next_check == self.max_failures
        self.next_check = min(2 * self.next_check, self.max_failures)

    def describe(self) -> str:
        """Return a message that says what was observed, and what is possible."""
        request = self.request
        n_clues = np.array(self.n_clues)
        low = n_clues.min()
        high = n_clues.max()
        mean = n_clues.mean()
        text = (
            f"no {request.describe()} found in {len(n_clues):,} attempts, "
            f"which had {low} to {high} clues, {mean:.1f} on average"
        )
        in_range = np.count_nonzero((n_clues >= request.low) & (n_clues <= request.high))
        if request.difficulty and in_range:
            text += f"; {in_range:,} had such a number, and none of these was "
            text += request.level or CLASSES[request.difficulty]
        elif request.is_minimal and mean < request.low:
            text += "; puzzles that need not be minimal can have more"
        return text


class Block(NamedTuple):
    """Puzzles that follow one another.

    Attributes
    ----------
    found
        The puzzles, perhaps none.
    n_failures
        The number of attempts since the last success.
    n_attempts
        The number of attempts up to the last success, from which another call can continue.
    """

    found: GenerateResult
    n_failures: int
    n_attempts: int


def generate_blocks(
    request: Request,
    n: int,
    seed: int,
    threads: int,
    stop: Stop,
    executor: Executor | None = None,
    first_attempt: int = 0,
) -> Iterator[Block]:
    """Yield `n` puzzles in blocks, as they are found; only the first ones if `stop` returns True.

    They are the successes from `first_attempt` on. Raises ValueError if the request cannot be met.
    There is a warning early if that is likely.
    """
    rules = request.rules
    # The engine that all puzzles share is prepared here, as otherwise each thread would do it.
    shared = None if rules is None or rules.placed_counts else rules.engine(request.box)
    if shared is not None and not shared.prepare(stop):  # it was stopped
        return
    max_size = block_size(request.box, rules)
    reducers = Pool(lambda: Reducer(request.box, max_size, request.hardest, rules))
    failures = _Failures(request)
    threads = min(threads, MAX_THREADS)
    tasks = None
    if executor is not None:
        tasks = _StreamTasks(executor, stop)
        threads = tasks.n_workers
    workers = TaskThreads(threads)
    waiting: deque[Callable[[], _Attempts | None]] = deque()
    n_missing = n
    start = first_attempt  # of the next block to submit
    n_tried = first_attempt  # with those of earlier calls, as in `last_success`
    last_success = first_attempt
    n_found = 0
    is_unlikely = False
    # The first block is small if attempts take long: on large boards and with rules.
    size = min(FIRST_BLOCK, max_size) if max_size == MAX_BLOCK else 1

    def submit() -> Callable[[], _Attempts | None]:
        """Start the next block, of `size` attempts from `start`; return a function that waits."""
        arguments = request, seed, start, size
        if tasks is not None:
            return tasks.submit(*arguments)
        attempt = partial(_attempt, reducers, *arguments, stop)
        # With one thread, the attempts are made when they are waited for.
        return attempt if threads == 1 else workers.submit(attempt).result

    try:
        while n_missing:
            while len(waiting) < (1 if threads == 1 else 2 * threads):
                waiting.append(submit())
                start += size
            if (attempts := waiting.popleft()()) is None:  # they were stopped
                return
            n_valid = failures.add(attempts)
            n_new = min(n_missing, n_valid)
            found = GenerateResult(
                *(array[:n_new] for array in attempts.found), rules=attempts.found.rules[:n_new]
            )
            n_missing -= len(found.puzzles)
            n_failures = len(failures.n_clues)
            if n_new:
                last_success = n_tried + int(attempts.indices[n_new - 1]) + 1
            n_tried += len(attempts.n_clues)
            yield Block(found, n_failures, last_success)
            if failures.is_given_up and n_missing:
                raise ValueError(failures.describe())
            if n_missing == n and n_failures >= failures.first_check and not is_unlikely:
                is_unlikely = True
                observed = failures.describe().partition(";")[0]
                warnings.warn(
                    f"{observed}; such puzzles are rare, or there are none. The search ends "
                    f"after {failures.max_failures:,} attempts without success",
                    stacklevel=4,
                )
            n_found += len(attempts.indices)
            # The attempts for the missing puzzles at the rate so far, to which one success in two
            # attempts is added, so that it is not 0. The size does not change the puzzles.
            expected = math.ceil(n_missing * (n_tried - first_attempt + 2) / (n_found + 1))
            size = max(1, min(max_size, 2 * size, expected))
    finally:
        stop.is_canceled = True  # another signal could interrupt a call of `cancel`
        workers.close(cancel=True)
        if tasks is not None:
            tasks.cancel()
