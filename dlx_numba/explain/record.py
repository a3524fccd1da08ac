"""The record of a search: what each step says, and which cells of the arrays it changed."""

from typing import NamedTuple

# Why a record ends.
DONE, LIMIT, STEPS, FULL = "done", "limit", "steps", "full"


class Step(NamedTuple):
    """What a step did, and where the search stands after it."""

    name: str  # Knuth's, as "X4"
    text: str  # a sentence or two
    item: int  # the item in hand, from 1; 0 if there is none
    option: int  # the option in hand: to be tried, tried, or just taken back; -1 if there is none
    chosen: tuple[int, ...]  # the options that are chosen, in the order of the levels
    place: int  # in the tree
    changes: dict[str, list[int]]  # by array: an index, its new value, the next index, …


class Place:
    """A node of the search tree: what is left once an option is tried."""

    def __init__(self, parent: int, option: int, born: int) -> None:
        # The root has the parent -1. An option -1 is none: so is that of the root, and that of
        # the choice to take no option of an item any more. `born` is the step.
        self.parent, self.option, self.born = parent, option, born
        self.item, self.asked = 0, 0  # the item that is chosen there, and the step
        self.fate, self.sealed = "", 0  # "cover", "dead" or "through", and the step


class Record(NamedTuple):
    """A recorded search."""

    arrays: dict[str, list[int]]  # as they were before the first step
    steps: list[Step]  # the first of them changes nothing
    tree: list[Place]  # its root is the first
    covers: list[list[int]]
    nodes: int
    updates: int
    ended: str  # DONE, LIMIT, STEPS or FULL


class RecordError(AssertionError):
    """The record is not what the kernel did."""
