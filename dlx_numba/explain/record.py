"""The record of a search: a description of each step and the assignments that it made."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.text import plural
from .problem_view import ProblemView


class StopReason(Enum):
    """Why a recording ended, as a sentence for users."""

    COMPLETE = "The recording contains the complete search."
    LIMIT = "The search stopped when it had found the requested number of covers."
    MAX_STEPS = "The recording stopped early, after {steps}."
    MAX_ASSIGNMENTS = "The recording stopped early, after {steps}, because it became too large."


class Change(NamedTuple):
    """A sub-step: the assignments that cover or uncover one item.

    The changes of a step are in the order of the search. Items enter and leave the item list in a
    change with `item` 0; a change with another item hides or restores the options of that item. It
    is recorded even if it assigns nothing.
    """

    item: int  # from 1
    start: int  # the assignments are `Record.assignments[start:end]`
    end: int


class RecordedStep(NamedTuple):
    """One step of the search, and the state of the search after it."""

    name: str  # Knuth's label, such as "X4"
    action: str  # such as "cover"; "skip", or "end" for the last step of a complete search
    level: int  # Knuth's l
    text: str  # a description, one or two sentences
    item: int  # the current item, from 1; 0 if there is none
    option: int  # the option that is tweaked, tried, undone or skipped last; -1 if there is none
    chosen: tuple[int, ...]  # the chosen options, by level
    tree_node: int  # the current node of the search tree
    changes: list[Change]
    lacking: int  # at a dead end, the item with too few options left; otherwise 0


@dataclass
class TreeNode:
    """A node of the search tree: the subproblem that remains when an option is chosen.

    Attributes
    ----------
    parent : int
        The index of the parent node, -1 for the root.
    option : int
        The option that leads to this node. It is -1 for the root, and if the parent's item gets no
        further option.
    created_step : int
        The step that created the node.
    item : int
        The item to branch on, from 1; 0 until one is chosen.
    item_step : int
        The step that chose the item.
    size : int
        The size of the item: its number of options, or of branches, which is negative if several
        options are lacking.
    outcome : str
        "cover", "dead-end", "exhausted" or "skipped"; empty until the node is closed.
    closed_step : int
        The step that closed the node.
    skipped : list of int
        The options that are collapsed to this node, off the path to the first cover.
    """

    parent: int
    option: int
    created_step: int
    item: int = 0
    item_step: int = 0
    size: int = 0
    outcome: str = ""
    closed_step: int = 0
    skipped: list[int] = field(default_factory=list)


class SearchRecord(NamedTuple):
    """A recorded search."""

    view: ProblemView
    arrays: dict[str, list[int]]  # their values before the first step
    assignments: NDArray[np.int64]  # (assignments, 3): the number of the array, index, new value
    steps: list[RecordedStep]  # the first step changes nothing
    tree: list[TreeNode]  # in order of creation, the root first
    covers: list[list[int]]
    nodes: int
    updates: int
    stop_reason: StopReason
    first_steps: int | None = None  # before branches without a cover were skipped, if they were
    advice: str = ""  # how to find a cover, if there is none in the record

    @property
    def ending(self) -> str:
        """Sentences that say why the recording ended, and what it omits."""
        text = self.stop_reason.value.format(steps=plural(len(self.steps), "step"))
        if self.first_steps is not None:
            path = ", and the path to the first cover" if self.covers else ""
            text = f"The recording contains the first {self.first_steps:,} steps{path}. "
            text += "Other branches are collapsed."
        sentences = [text, self.view.note]
        cost = self.view.problem.cost
        visits = [k for k, step in enumerate(self.steps) if step.action == "visit"]
        if cost is not None and visits:
            # The factor is negative if the total is maximized: then the largest cost is the best.
            sign = 1 if self.view.names.scale.factor > 0 else -1
            costs: list[Any] = [self.view.cost(cover) for cover in self.covers]
            ranks = (sign * cost for cost in costs)
            lowest, step = min(zip(ranks, visits, strict=True))
            shown = sign * lowest
            found = "" if self.stop_reason is StopReason.COMPLETE else " found"
            sentences.append(
                f"Costs are ignored; the cheapest cover{found}, in step {step}, costs {shown:,}."
            )
        elif cost is not None:
            sentences.append("Costs are ignored.")
        return " ".join(filter(None, sentences))
