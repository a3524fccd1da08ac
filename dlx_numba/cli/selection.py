"""Items, branching rules and symmetries of a problem that the texts of options select."""

from collections.abc import Hashable, Mapping
from fnmatch import fnmatchcase
from typing import Any, TypeVar

from ..cover.exact_cover import ExactCover
from ..cover.names import ContradictionError, as_text
from ..cover.prepare import CHOICES
from ..runtime.arguments import check_choice
from . import terminal
from .limit import TimeLimit

NameT = TypeVar("NameT", bound=Hashable)


def fixed_problem(cover: ExactCover, symmetries: list[str] | None, stop: TimeLimit) -> ExactCover:
    """Return the problem of the covers that the symmetries of `--fixed-by` leave as they are."""
    if not symmetries:
        return cover
    try:
        return cover.fixed_by(symmetries, stop=stop)
    except ContradictionError:
        raise
    except ValueError as error:
        reason = str(error).removeprefix("symmetries: ")
        advice = "`show --symmetries` prints those of the problem"
        raise terminal.fail(f"--fixed-by: {reason}; {advice}") from None


def branching_rule(cover: ExactCover, choose: str) -> Any:
    """Return the rule of `--choose`: its name, or the items of a list, numbers for a matrix.

    Raises ValueError if it is neither.
    """
    if choose in CHOICES:
        return choose
    if "," not in choose:
        check_choice("--choose", choose, CHOICES, ", or a list A,B,... of items")
    items = {str(item): item for item in cover.items}
    # A name without an item remains, and is reported when the problem is made.
    return [items.get(name, name) for name in choose.split(",") if name]


def matching_items(cover: ExactCover, patterns: list[str] | None) -> list[Hashable] | None:
    """Return the items that patterns of `--distinct` match; None without patterns."""
    if not patterns:
        return None
    texts = {item: as_text(item) for item in cover.items}
    return select_matching(texts, patterns, "--distinct: no item")


def select_matching(texts: Mapping[NameT, str], patterns: list[str], subject: str) -> list[NameT]:
    """Return the names whose texts match one of the patterns, such as `piece*`, each name once.

    Fails if a pattern matches none; the message begins with the subject, such as "no item".
    """
    selected: dict[NameT, None] = {}  # in this order
    for pattern in patterns:
        matched = [name for name, text in texts.items() if fnmatchcase(text, pattern)]
        if not matched:
            raise terminal.fail(f"{subject} is called {pattern}")
        selected |= dict.fromkeys(matched)
    return [*selected]
