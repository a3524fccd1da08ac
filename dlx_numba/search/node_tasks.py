"""Nodes of a branch and bound that are examined in threads, or as tasks of an executor."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import Any

from ..runtime.batches import POLL_SECONDS
from ..runtime.interrupts import Stop
from ..runtime.workers import call_in_thread
from .branch_and_bound import ComponentOptimizer
from .node import Node
from .node_search import Examination, Outcome, examine_whole


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
        future = self.future or executor.submit(examine_whole, *self.component.arguments(self.node))
        self.future = future
        return future

    def merge(self) -> None:
        if self.outcome is not None:
            self.component.merge(self.node, self.outcome)


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
