"""Find few requirements that exclude each other, by Junker's QuickXplain."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..runtime.interrupts import Stop

RequirementT = TypeVar("RequirementT")


def find_smallest(
    requirements: Sequence[RequirementT],
    exclude_each_other: Callable[[list[RequirementT]], bool],
    stop: Stop,
) -> list[RequirementT]:
    """Return a few requirements that exclude each other.

    Requirements are removed in halves, so a small conflict takes few tests. The first pass prefers
    requirements at the beginning, the second one those at the end, and the smaller result is
    returned. If the call is stopped, the result may contain requirements that are not needed.

    Parameters
    ----------
    requirements
        All requirements, which exclude each other.
    exclude_each_other
        Returns whether some of them are proven to exclude each other. Without a proof, more of them
        are kept than are needed.
    stop
        Ends the call.
    """

    def explain(
        chosen: list[RequirementT], rest: list[RequirementT], *, is_new: bool
    ) -> list[RequirementT]:
        """Return a few of the rest that conflict with each other and those chosen."""
        if is_new and exclude_each_other(chosen):
            return []
        if len(rest) <= 1 or stop():
            return rest
        first, second = rest[: len(rest) // 2], rest[len(rest) // 2 :]
        needed = explain(chosen + first, second, is_new=True)
        return needed + explain(chosen + needed, first, is_new=bool(needed))

    orders = [*requirements], [*requirements[::-1]]
    return min((explain([], order, is_new=False) for order in orders), key=len)
