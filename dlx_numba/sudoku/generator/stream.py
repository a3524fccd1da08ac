"""Generate any number of puzzles: ordered attempts by several threads.

Attempt k of a seed depends on the seed and on k only, and the puzzles are the successful attempts
in order. So they depend neither on the number of threads nor on the number of puzzles.
"""

import math
import time
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
from ..engines.base import Rules
from ..engines.classify import CLASSES
from ..engines.registry import Pool
from ..rating import classes
from .reduce import Reducer
from .request import Request

MAX_BLOCK = 1024  # attempts of one task; their arrays fit in the cache of a processor
BLOCK_BYTES = 1 << 23  # approximately
FIRST_BLOCK = 32  # attempts, up to 9×9 without rules; as fast as a single one
SECONDS_PER_BLOCK = 0.2  # if attempts take long

# The maximum number of attempts without success, by the side of the board.
MAX_FAILURES = {9: 500_000, 12: 50_000, 16: 500}
RULES_FACTOR = 0.01  # of these numbers for puzzles with rules, whose attempts take longer
# After this part of them, a number of clues that is further than this from the mean is given up: it
# would be found once in a billion attempts.
FIRST_CHECK = 0.02
MAX_DEVIATIONS = 6.0


class GeneratedBoards(NamedTuple):
    """Puzzles and their solutions, arrays of shape (N, cells); row k belongs to puzzle k."""

    puzzles: NDArray[np.uint8]
    solutions: NDArray[np.uint8]


class _Attempts(NamedTuple):
    """The result of a block of attempts."""

    found: GeneratedBoards
    n_clues: NDArray[np.int64]  # (size,) the number of clues of each attempt
    is_of_class: NDArray[np.bool_]  # (size,) whether the class is right
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
    is_of_class = np.ones(size, np.bool_)
    if request.difficulty:
        rows = np.flatnonzero(is_found)
        is_of_class[rows] = classes(puzzles[rows]) == request.difficulty
    indices = np.flatnonzero(is_found & is_of_class)
    found = GeneratedBoards(puzzles[indices], solutions[indices])
    return _Attempts(found, n_clues, is_of_class, indices, time.perf_counter() - start_time)


class _Failures:
    """The attempts since the last success, which limit a search that might never end."""

    def __init__(self, request: Request, factor: float) -> None:
        self.request = request
        self.max_failures = factor * next(
            number for side, number in MAX_FAILURES.items() if side >= request.box.n
        )
        self.n_clues: list[NDArray[np.int64]] = []
        self.n_failures = self.n_of_class = 0

    def add(self, attempts: _Attempts) -> None:
        """Add a block of attempts. Raises ValueError if the search should be given up."""
        if len(attempts.indices):
            self.n_clues.clear()
            self.n_failures = self.n_of_class = 0
        after = int(attempts.indices[-1]) + 1 if len(attempts.indices) else 0
        self.n_clues.append(attempts.n_clues[after:])
        self.n_of_class += int(np.count_nonzero(attempts.is_of_class[after:]))
        self.n_failures += len(attempts.n_clues) - after
        if self.n_failures >= self.max_failures:
            raise ValueError(self._describe())
        if self.n_failures >= self.max_failures * FIRST_CHECK:
            request, n_clues = self.request, np.concatenate(self.n_clues)
            self.n_clues = [n_clues]
            margin = MAX_DEVIATIONS * float(n_clues.std())
            center = float(n_clues.mean())
            if request.low > center + margin or request.high < center - margin:
                raise ValueError(self._describe())

    def _describe(self) -> str:
        """Return a message that states what was observed, and what is possible."""
        request, n_clues = self.request, np.concatenate(self.n_clues)
        low, high, mean = n_clues.min(), n_clues.max(), n_clues.mean()
        text = (
            f"no {request.describe()} found in {self.n_failures:,} attempts, "
            f"which had {low} to {high} clues, {mean:.1f} on average"
        )
        in_range = np.count_nonzero((n_clues >= request.low) & (n_clues <= request.high))
        if request.difficulty and in_range:
            text += f"; {in_range:,} had such a number, and none of these was "
            text += CLASSES[request.difficulty]
        elif request.is_minimal and mean < request.low:
            text += "; puzzles that need not be minimal (minimal=False) can have more"
        return text


class _BlockSize:
    """The size of the next block of attempts, which has no influence on the puzzles."""

    def __init__(self, box: Box, rules: Rules | None) -> None:
        self.max_size = block_size(box)
        is_fast = box.n <= 9 and rules is None
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
    request: Request, n: int, seed: int, threads: int, stop: Stop, rules: Rules | None = None
) -> Iterator[GeneratedBoards]:
    """Yield `n` puzzles in blocks, as they are found; only the first ones if `stop` returns True.

    Raises ValueError if the request cannot be met.
    """
    failures = _Failures(request, 1 if rules is None else RULES_FACTOR)
    size = _BlockSize(request.box, rules)
    n_missing = n
    if n_missing == 0:
        return
    blocks = _attempts(request, seed, min(threads, MAX_THREADS), stop, size, rules)
    with closing(blocks):  # Python ignores exceptions while it deletes a generator
        for attempts in blocks:
            found = GeneratedBoards(*(array[:n_missing] for array in attempts.found))
            n_missing -= len(found.puzzles)
            if len(found.puzzles):
                yield found
            if n_missing == 0:
                return
            failures.add(attempts)
            size.update(attempts, n_missing)


def _attempts(
    request: Request, seed: int, threads: int, stop: Stop, size: _BlockSize, rules: Rules | None
) -> Generator[_Attempts, None, None]:
    """Yield blocks of attempts in order, until `stop` returns True."""
    start = 0
    reducers = Pool(lambda: Reducer(request.box, size.max_size, request.hardest, rules))

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
