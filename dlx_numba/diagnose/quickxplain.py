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

    They are removed in halves, so a small conflict takes few tests. The result of a first pass is
    that which needs the fewest of the requirements from the beginning. A second pass goes from the
    end to the beginning, and the smaller result is returned: the smallest one known if it is
    stopped.

    Parameters
    ----------
    requirements
        All requirements, which exclude each other.
    exclude_each_other
        Tests some of them. A requirement that is not needed is kept if the test does not prove it.
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
