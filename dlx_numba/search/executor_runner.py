"""Searches that run as tasks of an executor, in processes or on a cluster.

A task gets a copy of a subtree, explores it for a limited time, and returns it. If the subtree is
not done, it is split and submitted again, so that no worker is idle for long. The original subtree
is unchanged until its task has returned, so the task of a lost worker can simply be repeated.
"""

from _thread import RLock
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace

from ..kernels.cover_array import Translation
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED
from ..runtime.batches import cancel_task
from ..runtime.interrupts import Stop
from ..runtime.resources import executor_slots
from .splitting import split_subtrees
from .thread_runner import RunLimits, ThreadRunner

LOCAL_SECONDS = 0.002  # a search that ends within this time is not submitted
# The duration of tasks grows between these bounds.
MIN_TASK_SECONDS = 0.2
MAX_TASK_SECONDS = 2.0
# If a request to stop may end the last run at any time, tasks are short enough to be awaited then.
SHORT_TASK_SECONDS = 0.08
GRACE_SECONDS = 0.1
POLL_SECONDS = 0.02  # the time between two checks of the limits of the run
MAX_TASK_COVERS = 1 << 17  # some 10 MB


def explore(
    subtree: Subtree, translate: Translation | None, max_covers: int, seconds: float
) -> Subtree:
    """Explore a subtree for a limited time and return it. This is the task that is submitted."""
    limits = RunLimits(Stop(seconds), translate, max_covers, UNLIMITED)
    ThreadRunner([subtree], limits, RLock()).explore()
    return subtree


class ExecutorRunner:
    """A runner that submits the subtrees of a search to an executor, in one or several runs.

    Parameters
    ----------
    executor : concurrent.futures.Executor
    translate : Translation
        As for `Subtree.explore`.
    """

    def __init__(self, executor: Executor, translate: Translation) -> None:
        self.executor = executor
        self.translate = translate
        self.n_slots = executor_slots(executor)
        self.tasks: dict[Future[Subtree], Subtree] = {}  # with the original of each subtree
        self.collect = False  # whether the submitted tasks collect covers
        self.task_seconds = MIN_TASK_SECONDS  # grows with each task that returns

    def run(self, subtrees: list[Subtree], limits: RunLimits, lock: RLock) -> None:
        """Explore subtrees until a limit is reached or all are done.

        Tasks that have not returned when a limit is reached are awaited by the next run. The last
        run waits for GRACE_SECONDS, so that what its tasks have found is not lost.

        Parameters
        ----------
        subtrees : list of Subtree
            In the order of the search. The list is modified: subtrees are replaced by those that
            tasks return, and split subtrees are inserted in order.
        limits : RunLimits
        lock : RLock
            Held while the list or a subtree is modified.
        """
        collect = limits.translate is not None
        if collect and not self.collect:  # the tasks of an earlier run only count
            self.cancel_tasks()
        self.collect = collect
        if not self.tasks:  # a short search may end here, without tasks
            local = replace(limits, stop=Stop(LOCAL_SECONDS))
            ThreadRunner(subtrees, local, lock).explore()
            limits.n_counted = local.n_counted
            limits.updates = local.updates
        try:
            while not (limits.are_spent() or limits.are_met(subtrees)):
                with lock:
                    self._submit(subtrees, limits)
                if not self.tasks:  # no subtree has work
                    return
                for task in wait(self.tasks, POLL_SECONDS, FIRST_COMPLETED).done:
                    with lock:
                        self._receive(task, subtrees, limits)
            if limits.is_last and limits.stop():
                started = [task for task in self.tasks if not cancel_task(task)]
                for task in wait(started, GRACE_SECONDS).done:
                    with lock:
                        self._receive(task, subtrees, limits)
                self.cancel_tasks()  # a call that collects what is ready must not wait again
        except BaseException:
            self.cancel_tasks()
            raise

    def cancel_tasks(self) -> None:
        """Cancel the tasks and ignore their results; their subtrees are unchanged."""
        for task in self.tasks:
            cancel_task(task)
        self.tasks.clear()

    def _submit(self, subtrees: list[Subtree], limits: RunLimits) -> None:
        """Submit subtrees that have work, and split them if there are too few for all slots."""
        idle = self._idle(subtrees, limits)
        n_free = 2 * self.n_slots - len(self.tasks)  # one task runs in each slot, and one waits
        if idle and len(idle) < n_free:
            split_subtrees(subtrees, idle, n_free, self.translate, limits.are_spent)
            idle = self._idle(subtrees, limits)
        for subtree in idle[: max(n_free, 0)]:
            max_covers = UNLIMITED
            translate = None  # covers are only counted
            if self.collect:
                max_covers = min(limits.max_covers - len(subtree.found), MAX_TASK_COVERS)
                translate = self.translate
            # Some executors share the arguments of a task, others copy them later: send a copy.
            task = self.executor.submit(
                explore, subtree.copy(), translate, max_covers, self._seconds(limits)
            )
            self.tasks[task] = subtree

    def _seconds(self, limits: RunLimits) -> float:
        """Return the duration of the next task, which starts after the one that its slot runs.

        So each of the two gets half of the time that is left.
        """
        if not limits.is_last:
            return self.task_seconds
        longest = self.task_seconds if limits.stop.event is None else SHORT_TASK_SECONDS
        return min(self.task_seconds, longest, limits.stop.seconds_left() / 2)

    def _idle(self, subtrees: list[Subtree], limits: RunLimits) -> list[Subtree]:
        """Return the subtrees that have work and are not submitted."""
        submitted = set(map(id, self.tasks.values()))
        return [each for each in subtrees if id(each) not in submitted and limits.has_work(each)]

    def _receive(self, task: "Future[Subtree]", subtrees: list[Subtree], limits: RunLimits) -> None:
        """Replace a subtree by the one that its task has returned, with the covers of both."""
        subtree = self.tasks[task]
        explored = task.result()
        del self.tasks[task]
        n_covers, _, updates = (explored.counters - subtree.counters).tolist()
        limits.record(n_covers, updates)
        subtree.found.append(explored.found.take(len(explored.found)))
        explored.found = subtree.found
        subtrees[subtrees.index(subtree)] = explored
        self.task_seconds = min(1.5 * self.task_seconds, MAX_TASK_SECONDS)
