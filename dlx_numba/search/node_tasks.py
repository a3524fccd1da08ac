"""Nodes of a branch and bound that are examined in threads, or as tasks of an executor."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

from ..runtime.batches import POLL_SECONDS
from ..runtime.interrupts import Stop
from ..runtime.workers import call_in_thread
from .branch_and_bound import ComponentOptimizer
from .node import Node
from .node_search import Examination, Outcome, examine_whole

# The nodes of a batch are examined without knowing the results of each other, in any number of
# threads. Its size is the number of nodes examined so far, divided by BATCH_DIVISOR, within limits.
MAX_BATCH = 32
BATCH_DIVISOR = 4


@dataclass(slots=True)
class NodeTask:
    """A node to examine, and the outcome."""

    component: ComponentOptimizer
    node: Node
    outcome: Outcome | None = None
    examination: Examination | None = None  # that has paused
    future: Future[Outcome] | None = None  # of an executor

    def __reduce__(self) -> tuple[Any, ...]:
        return NodeTask, (self.component, self.node, self.outcome)

    def run(self, stop: Stop) -> None:
        """Examine the node. Pauses if `stop` is set, and continues at the next call."""
        # It is only stored while it is paused: after an error, the next call begins another one.
        paused, self.examination = self.examination, None
        examination = paused or self.component.examine(self.node)
        while self.outcome is None:
            try:
                next(examination)
            except StopIteration as end:
                self.outcome = end.value
                return
            if stop():
                self.examination = examination
                return

    def submit(self, executor: Executor) -> Future[Outcome]:
        """Send the node to an executor, unless it is there."""
        if self.future is None:
            arguments = self.component.arguments(self.node)
            self.future = executor.submit(examine_whole, *arguments)
        return self.future

    def merge(self) -> None:
        if self.outcome is not None:
            self.component.merge(self.node, self.outcome)


class NodeQueue:
    """The components of a problem, of which each batch of nodes takes some.

    Parameters
    ----------
    components : sequence of ComponentOptimizer

    Attributes
    ----------
    batch : list of NodeTask
        The nodes to examine.
    """

    def __init__(self, components: Sequence[ComponentOptimizer]) -> None:
        self.batch: list[NodeTask] = []
        self._n_wanted = 0  # nodes in the batch
        self._turns: deque[ComponentOptimizer] = deque()  # those that still add nodes to it
        # The components of the last batch, at first all, and a heap of the others that were open,
        # by the number of their examinations: there may be thousands, and each batch takes a few.
        self._taken = [*enumerate(components)]
        self._waiting: list[tuple[int, int, ComponentOptimizer]] = []

    def fill(self, stop: Stop) -> bool:
        """Complete the batch until `stop` is set, and return whether it is complete.

        The components of `_turns` add a node each in turn, until there are enough, or no others.
        """
        batch = self.batch
        turns = self._turns
        if not (batch or turns):
            self._choose()
        while turns and len(batch) < self._n_wanted:
            if stop():  # an attempt to find a cover takes up to 50 ms to prepare
                return False
            component = turns.popleft()
            if component.is_open:  # a cover that another method has found can close it
                batch.append(NodeTask(component, component.pop()))
                turns.append(component)
        turns.clear()
        return True

    def merge(self) -> bool:
        """Merge the outcomes when all nodes are examined, and return whether they are."""
        if not all(task.outcome for task in self.batch):
            return False
        for task in self.batch:
            task.merge()
        self.batch.clear()
        return True

    def _choose(self) -> None:
        """Choose the size of the next batch, and the components that take turns.

        The batch has a node of each open component, if it is not too large for that; of many
        components, those are chosen of which the fewest nodes were examined.
        """
        waiting = self._waiting
        for number, component in self._taken:
            if component.is_open:
                heapq.heappush(waiting, (component.n_examined, number, component))
        # Of all components, unless there are many
        n_examined = sum(count for count, _, _ in waiting[:MAX_BATCH])
        self._n_wanted = min(max(len(waiting), n_examined // BATCH_DIVISOR), MAX_BATCH)
        self._taken = []
        while waiting and len(self._taken) < self._n_wanted:
            _, number, component = heapq.heappop(waiting)
            if component.is_open:  # a cover of another method may have closed it since
                self._taken.append((number, component))
        self._turns.extend(component for _, component in self._taken)


def examine_by_tasks(executor: Executor, tasks: list[NodeTask], stop: Stop) -> None:
    """Examine nodes in tasks of an executor. The next call awaits those that `stop` leaves."""

    def run() -> None:
        waiting = {task.submit(executor): task for task in tasks}
        while waiting and not stop():
            for future in wait(waiting, POLL_SECONDS, FIRST_COMPLETED).done:
                task = waiting.pop(future)
                task.future = None  # if it has failed, the next run sends it again
                task.outcome = future.result()

    call_in_thread(run)  # an exception of a signal handler would leave the locks of executors
