"""Count level by level: in memory, by tasks of an executor, or with the levels on disk."""

import math
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from copy import copy
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.memo.frontier import Frontier, encode_frontier
from ..kernels.memo.levels import Advance, Part, advance, first_row, total
from ..kernels.memo.search import Observation
from ..kernels.problem import Problem, usable_by_kernels
from ..runtime.batches import WorkerThreads, run_tasks, split_rows
from ..runtime.files import lock_file
from ..runtime.interrupts import Steps, Stop, complete
from ..runtime.job import Work
from ..runtime.resources import default_threads, executor_slots
from ..runtime.text import plural
from .checkpoint import CheckpointError, load_file, save_file
from .levels import CountState, Level, SortedRun, divide_runs, sources_of
from .prepared import PreparedProblem
from .stored_rows import StoredRows, check_rows, checksum_of, rows_to_json, store_rows
from .subproblems import FixedOrder, Memo, first_order
from .thread_runner import ALONE, Workers

# A row and a child take as long as this many updates of a search with bitmaps, at least.
ROW_UPDATES = 64
CHILD_UPDATES = 16
MIN_ROWS = 1 << 12  # fewer rows are not divided among tasks
EXECUTOR_STEPS = 4  # that a task of an executor takes before equal rows of tasks are merged
PARTS_PER_SLOT = 4
# Of the memory, parts of it that the rows of a level, all tables, and all parts that are merged may
# use. While a table grows, or its rows are copied, it uses twice as much.
LEVEL_SHARE = 8
TABLE_SHARE = 8
PART_SHARE = 16
MIN_BYTES = 1 << 20  # with less, most levels would be counted row by row, slower than by a search
MAX_BYTES = 1 << 28  # more memory is only used for levels without a folder: copies take a while
THREAD_BYTES = 1 << 23  # several threads with less than that take longer: equal rows meet late
SAVED_ROWS = 1 << 22  # that are advanced before a level is saved: about a second

# The duration of a task, if a request to stop may end the run or not
SHORT_TASK_SECONDS = 0.3
TASK_SECONDS = 2.0

STATE = "state.npz"
KIND = "dlx_numba levels"
VERSION = 3
LOCK = "lock"  # the file that is locked while a count runs


class LevelCounter(Memo):
    """A resumable count that advances all rows of a level before those of the next one.

    Parameters
    ----------
    problem : Problem
    memory : int
        The number of bytes for levels and tables, of which MIN_BYTES are always used. A level that
        needs more is written to the folder; without a folder, its parts are counted one after the
        other, so that some rows are counted several times.
    workers : Workers
        The threads of a count with a folder, or an executor for its tasks.
    folder : path-like, optional
        Where large levels are kept, and the progress of the count, about once a second and at the
        end of a run. A counter of the same problem continues there. Only one counter can use the
        folder, until the count is done or the counter is closed.
    order : FixedOrder, optional
        The order of the items; by default, the most promising one.
    """

    def __init__(
        self,
        problem: Problem,
        memory: int,
        workers: Workers = ALONE,
        folder: str | os.PathLike[str] | None = None,
        order: FixedOrder | None = None,
    ) -> None:
        self._problem = problem
        self._order = order
        self._executor = workers.executor
        self._memory = max(memory, MIN_BYTES)
        self._folder = None if folder is None else Path(folder)
        self._n_slots = 1
        if self._executor is not None:
            self._n_slots = executor_slots(self._executor)
        elif folder is not None:
            n_threads = workers.n_threads or default_threads()
            self._n_slots = min(n_threads, max(1, memory // THREAD_BYTES))
        self._frontier: Frontier | None = None
        self._is_prepared = False
        self._state = CountState([])
        self._n_saved = 0  # rows that were advanced when the state was last saved
        self._n_files = 0  # written so far, which numbers them
        self._unsaved = set[str]()  # the files that may not have reached the disk
        self._checksums = dict[str, int]()  # of the others, by their names
        self._lock: IO[bytes] | None = None

    @property
    def done(self) -> bool:
        """Whether the covers have been counted."""
        return self._is_prepared and not self._state.levels

    @property
    def order(self) -> str:
        """The name of the order of the items; "" before the first steps."""
        return "" if self._order is None else self._order.name

    @property
    def work(self) -> int:
        """The work so far, in updates of a search with bitmaps."""
        state = self._state
        return CHILD_UPDATES * state.n_children + ROW_UPDATES * state.n_rows

    def _rows_left(self) -> float:
        """Return the number of rows that are expected in all steps until the end.

        If a level has n rows, and m are possible there (`Frontier.log_sizes` has log2(m)), a later
        level is assumed to have the same power log(n) / log(m) of those that are possible there,
        but at most as many as all branches of the steps up to it lead to.
        """
        frontier = self._frontier
        levels = self._state.levels
        if frontier is None or not levels:
            return 0.0 if self._is_prepared else math.inf
        level = levels[-1]
        step = level.parts[0][0] if level.parts else level.last  # the first that is left
        # Below, all numbers but `power` are binary logarithms, and arrays have one for each step.
        n_now = math.log2(1 + sum(map(len, sources_of(level))))
        possible = frontier.log_sizes[step:-1]
        if not len(possible):
            return 0.0
        power = min(1.0, n_now / possible[0]) if possible[0] > 1 else 1.0
        n_branches = np.log2(1 + np.diff(frontier.start[step:]))
        most = n_now + np.append(0.0, np.cumsum(n_branches)[:-1])
        expected = np.minimum(possible * power, most)
        return float(np.exp2(np.minimum(expected, 1000.0)).sum())  # a float has 1,023 bits

    @property
    def expected_work(self) -> float:
        """The work that is expected until the end."""
        n_rows = self._state.n_rows
        return self._rows_left() * self.work / n_rows if n_rows else math.inf

    @property
    def observation(self) -> Observation:
        """The progress, whose explored part is that of the rows expected."""
        state = self._state
        explored = 1.0 if self.done else state.n_rows / (1 + state.n_rows + self._rows_left())
        nbytes = sum(level.nbytes for level in state.levels)
        return Observation(
            explored,
            covers=state.value,
            subproblems=state.n_subproblems,
            lookups=state.n_children,
            nbytes=nbytes,
            is_frozen=False,
        )

    def __str__(self) -> str:
        """Return the number of rows, the size of the level, and the speed, as a line of text."""
        state = self._state
        n_steps = 0 if self._frontier is None else self._frontier.n_steps
        step = state.levels[-1].last if state.levels else n_steps
        speed = state.n_rows / state.seconds if state.seconds else 0.0
        n_bytes = sum(level.nbytes for level in state.levels)
        return (
            f"step {step:,} of {n_steps:,}, {plural(state.n_rows, 'state')}, "
            f"{n_bytes:,} bytes on this level, {speed:,.0f} states a second"
        )

    def advance(self, work: Work, max_steps: int | None = None) -> None:
        """Count until the end, or as long as `work` permits, and save the state in the folder."""
        if self._lock is not None and self._lock.closed:  # forking has closed it in this process
            self.close()
        super().advance(work, max_steps)
        if self._folder is not None and self._state.n_rows > self._n_saved:
            self._save()
        if self.done:
            self.close()

    def step(self, work: Work) -> None:
        """Advance parts of the last level, or begin the next one."""
        if not self._is_prepared:
            self._is_prepared = self._take_step()
            return
        begin = time.perf_counter()
        if self._state.levels[-1].parts:
            state = self._advance(self._state.levels[-1], work.stop)
            state = self._store(state, min(self._memory, MAX_BYTES) // LEVEL_SHARE)
        else:
            state = self._next_level(self._state)
        seconds = self._state.seconds + time.perf_counter() - begin
        self._state = state._replace(seconds=seconds)
        is_due = state.n_rows >= self._n_saved + SAVED_ROWS or not state.levels
        if self._folder is not None and is_due:
            self._save()

    def close(self) -> None:
        """Let other counters use the folder. A later run continues with what they have saved."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()
            # As a copy does, a later run locks the folder again, and loads what is there then.
            kept = {"_executor": self._executor, "_n_slots": self._n_slots}
            self.__dict__.update({**self.__getstate__(), **kept})

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes of a copy, which has neither the executor nor the folder's lock.

        With a folder, its next run prepares an unfinished count again, from what is there then.
        """
        state = {**super().__getstate__(), "_lock": None, "_executor": None}
        if self._executor is not None:
            state["_n_slots"] = 1  # a copy has no executor: the calling thread counts
        if self._folder is not None and not self.done:
            # A copy must lock the folder, and continue with what is there then.
            state["_is_prepared"] = False
            state["_frontier"] = None
            state["_state"] = self._state._replace(levels=[])
            state["_n_saved"] = self._state.n_rows
        return state

    def _prepare(self) -> Iterator[None]:
        """Choose an order of the items if there is none, encode the problem, and begin the count.

        What the folder has saved of the count is continued. Raises CheckpointError as `_saved`.
        """
        if self._order is None:
            self._order = yield from first_order(self._problem)
        frontier = yield from encode_frontier(self._problem, self._order.items)
        state = CountState([])
        if frontier is not None:
            run = SortedRun(first_row(frontier), np.array([0, 1]))
            state = CountState([Level(0, [], [run])])
        if self._folder is not None:
            state = (yield from self._saved(self._folder)) or state
        self._n_saved = state.n_rows
        self._frontier = frontier
        self._state = state

    def _saved(self, folder: Path) -> Steps[CountState | None]:
        """Lock the folder, and return what it has saved of the count, if anything.

        Raises CheckpointError, and leaves the folder, if another count is running there, or if it
        has a count of another problem or damaged files.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.close()
        try:
            self._lock = lock_file(folder / LOCK)
        except BlockingIOError:
            raise CheckpointError(str(folder), "another count is running in this folder") from None
        self._n_files = 0
        self._checksums = {}
        try:
            if not (folder / STATE).exists():
                return None
            state, code = load_file(folder / STATE, KIND, VERSION, self._restore)
            if code != self._code:
                raise CheckpointError(str(folder), "the folder has a count of another problem")
            for name, checksum in self._checksums.items():
                yield from check_rows(folder / name, checksum)
        except BaseException:
            self.close()
            raise
        return state

    @property
    def _code(self) -> str:
        """The digest of the problem."""
        return PreparedProblem(self._problem).fingerprint()

    def _advance(self, level: Level, stop: Stop) -> CountState:
        """Return the state after some parts of the last level have been advanced.

        These are the parts whose next step is the first one; the others stay as they are.
        """
        step, _ = level.parts[0]
        stop = copy(stop)  # which `run_tasks` cancels at its end
        parts = [part for part_step, part in level.parts if part_step == step]
        remaining = [(part_step, part) for part_step, part in level.parts if part_step != step]
        # Of the rows that a single part results in, none have to meet equal ones of other parts.
        is_whole = len(level.parts) == 1 and not level.runs
        table_bytes = min(self._memory, MAX_BYTES) // (TABLE_SHARE * self._n_slots)
        assert self._frontier is not None
        arguments = self._frontier, step, level.last
        results: list[tuple[slice, Advance]] = []
        if (executor := self._executor) is not None and len(parts) > 1:
            longest = TASK_SECONDS if stop.event is None else SHORT_TASK_SECONDS

            def send(chunk: slice) -> "Future[Advance]":
                limits = table_bytes, is_whole, min(stop.seconds_left(), longest)
                return executor.submit(advance_task, *arguments, parts[chunk], *limits)

            results = run_tasks(executor, send, len(parts), stop)
        else:

            def work(chunk: slice) -> None:
                result = advance(*arguments, parts[chunk], table_bytes, is_whole, stop)
                results.append((chunk, result))

            with WorkerThreads(self._n_slots, stop) as threads:
                threads.run_parts(work, split_rows(len(parts), self._n_slots))
        is_left = np.ones(len(parts), np.bool_)  # whether a part has no result
        runs = level.runs.copy()
        counters = np.zeros(3, np.int64)  # n_rows, n_subproblems and n_children of the state
        for chunk, result in results:
            is_left[chunk] = False
            remaining += [(result.step, part) for part in result.rest]
            if result.step + 1 < level.last:  # a limit ended the task before the last step
                remaining.append((result.step + 1, [result.rows]))
            elif len(result.rows):
                runs.append(SortedRun(result.rows, result.ends))
            counters += result.counters
        remaining += [(step, part) for part, left in zip(parts, is_left, strict=True) if left]
        remaining = [(part_step, part) for part_step, part in remaining if any(map(len, part))]
        level = level._replace(parts=sorted(remaining, key=itemgetter(0)), runs=runs)
        state = self._state
        sums: list[int] = (counters + state[2:5]).tolist()  # of the three fields in `counters`
        return CountState([*state.levels[:-1], level], state.value, *sums)  # `step` adds seconds

    def _next_level(self, state: CountState) -> CountState:
        """Return the state after its last level is complete: all of its rows are in runs.

        At the end, their counts are added. Otherwise, another level of the same rows, on their way
        to a later step, replaces it; without a folder, two halves do if memory is short.
        """
        frontier = self._frontier
        levels = state.levels[:-1]
        step, _, runs, _ = state.levels[-1]
        assert frontier is not None
        if step == frontier.n_steps or not runs:
            counts = [total(frontier, np.asarray(run.rows)) for run in runs]
            return state._replace(levels=levels, value=state.value + sum(counts))
        # Divide the level into parts for the slots, and as many as fit into the memory.
        n_rows = sum(len(run.rows) for run in runs)
        nbytes = sum(run.rows.nbytes for run in runs)
        n_slots = self._n_slots if n_rows >= MIN_ROWS else 1
        n_parts = PARTS_PER_SLOT * n_slots if n_slots > 1 else 1
        if len(runs) > 1 or isinstance(runs[0].rows, StoredRows):  # merged or read: in memory
            memory = min(self._memory, MAX_BYTES)
            n_parts = max(n_parts, PART_SHARE * n_slots * nbytes // (memory + 1))
        n_steps = EXECUTOR_STEPS if self._executor is not None and n_slots > 1 else 1
        last = min(frontier.n_steps, step + n_steps)
        memory_left = self._memory - sum(level.nbytes for level in levels)
        is_too_large = self._folder is None and nbytes * LEVEL_SHARE > memory_left
        parts = divide_runs(runs, max(n_parts, 1 + is_too_large))  # two halves at least
        if not is_too_large or len(parts) == 1:
            level = Level(last, [(step, part) for part in parts], [], nbytes)
            return state._replace(levels=[*levels, level])
        # In memory, the two halves of a level that is too large are counted one after the other.
        for half in (parts[::2], parts[1::2]):
            copies = [(step, [rows.copy() for rows in part]) for part in half]
            levels.append(Level(last, copies, [], nbytes // 2))
        return state._replace(levels=levels)

    def _store(self, state: CountState, min_bytes: int = 0) -> CountState:
        """Return a state whose rows are in files: those that were in memory, in a new one.

        With less than `min_bytes` in memory, or without a folder, the state stays as it is. A later
        process uses the new file only if `_save` has written a state that names it.
        """
        sources = [rows for level in state.levels for rows in sources_of(level)]
        sizes = [rows.nbytes for rows in sources if isinstance(rows, np.ndarray)]
        if self._folder is None or not sizes or sum(sizes) < min_bytes:
            return state
        self._n_files += 1
        path = self._folder / f"{self._n_files}.rows"
        levels = list[Level]()
        try:
            with open(str(path), "wb") as file:
                store = partial(store_rows, file)
                for level in state.levels:
                    parts = [(step, [*map(store, part)]) for step, part in level.parts]
                    runs = [SortedRun(store(run.rows), run.ends) for run in level.runs]
                    levels.append(level._replace(parts=parts, runs=runs))
        except OSError as error:  # for example, a full disk
            path.unlink(missing_ok=True)
            raise CheckpointError(str(self._folder), error.strerror or str(error)) from None
        self._unsaved.add(str(path))
        return state._replace(levels=levels)

    def _save(self) -> None:
        """Write the state to the folder, and remove files that are not needed any more."""
        assert self._folder is not None
        state = self._store(self._state)
        levels = [
            {
                "last": level.last,
                "parts": [(step, [*map(rows_to_json, part)]) for step, part in level.parts],
                "runs": [rows_to_json(run.rows) for run in level.runs],
                "nbytes": level.nbytes,
            }
            for level in state.levels
        ]
        runs = [run for level in state.levels for run in level.runs]
        ends = np.stack([run.ends for run in runs]) if runs else np.zeros((0, 0), np.int64)
        content = {**state._asdict(), "value": str(state.value), "levels": levels, "ends": ends}
        content |= {"problem": self._code, "n_files": self._n_files}
        kept = {rows.path for level in state.levels for rows in sources_of(level)}
        checksums = dict[str, int]()
        for path in kept:
            name = Path(path).name
            # A file must be on the disk before the state that needs it.
            if path in self._unsaved:
                with open(path, "rb") as file:
                    os.fsync(file.fileno())
                checksums[name] = complete(checksum_of(path), Stop())
            else:
                checksums[name] = self._checksums[name]
        content["checksums"] = checksums
        try:
            save_file(self._folder / STATE, KIND, VERSION, content)
        except OSError as error:
            raise CheckpointError(str(self._folder), error.strerror or str(error)) from None
        self._checksums = checksums
        self._state = state
        self._n_saved = state.n_rows
        self._unsaved = set()
        for file_path in self._folder.glob("*.rows"):
            if str(file_path) not in kept:
                file_path.unlink(missing_ok=True)

    def _restore(
        self, facts: dict[str, Any], arrays: dict[str, NDArray[Any]]
    ) -> tuple[CountState, str]:
        """Return the state in the folder, and the code of its problem."""
        code = facts.pop("problem")
        self._n_files = facts.pop("n_files")
        self._checksums = facts.pop("checksums")
        ends = iter(arrays["ends"])
        levels = []
        for level in facts.pop("levels"):
            parts = [(step, [*map(self._from_json, part)]) for step, part in level["parts"]]
            runs = [SortedRun(self._from_json(rows), next(ends)) for rows in level["runs"]]
            levels.append(Level(level["last"], parts, runs, level["nbytes"]))
        return CountState(levels, int(facts.pop("value")), **facts), code

    def _from_json(self, facts: dict[str, Any]) -> StoredRows:
        assert self._folder is not None
        return StoredRows(**{**facts, "path": str(self._folder / facts["path"])})


def advance_task(
    frontier: Frontier,
    step: int,
    last: int,
    parts: Sequence[Part],
    table_bytes: int,
    is_whole: bool,
    seconds: float,
) -> Advance:
    """Advance parts of a level for a limited time. This is the task that is submitted."""
    frontier, usable = usable_by_kernels((frontier, tuple(map(tuple, parts))))
    return advance(frontier, step, last, usable, table_bytes, is_whole, Stop(seconds))
