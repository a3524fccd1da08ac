"""Routes and what they visit: `cost:item,item` on a line, and perhaps a choice of routes."""

import re

from ...cover.encode import Formulation
from .notation import COMMENT_MARKS, TextLines, check_distinct

_NEXT = r"(?:\s*,\s*|\s+)"  # whose alternatives share no text, so long blanks take linear time
_ROUTE = re.compile(
    r"\s*(-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,2})?)"
    rf"\s*:\s*([0-9]+(?:{_NEXT}[0-9]+)*)\s*"
)
_CHOICE = re.compile(rf"\s*[01](?:{_NEXT}[01])*\s*")


def parse_routes(text: str, source: str = "<text>") -> Formulation:
    r"""Parse routes with costs, as programs for the assignment of aircraft write them.

    Each line is an option: its cost, a colon, and its items, which are numbers. The last line may
    be a choice: a digit 0 or 1 for each route. It is no option; see `parse_choice`.

    Parameters
    ----------
    text : str
        The routes.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text does not consist of routes; names the source and the line.

    Examples
    --------
    >>> problem = parse_routes("0.5:0,1\n0.2:1\n0.1:0\n1,0,0\n")
    >>> problem.options, problem.items, problem.costs
    ([[0, 1], [1], [0]], [0, 1], [0.5, 0.2, 0.1])
    """
    options: list[list[int]] = []
    costs: list[float] = []
    choice: list[int] = []
    with TextLines(text, source, COMMENT_MARKS) as lines:
        for line in lines:
            if choice:
                raise ValueError("a line of 0 and 1 is only possible at the end")
            if (match := _ROUTE.fullmatch(line)) is not None:
                costs.append(float(match[1]) if re.search("[.eE]", match[1]) else int(match[1]))
                options.append([int(word) for word in re.findall("[0-9]+", match[2])])
                check_distinct(options[-1])
            elif _CHOICE.fullmatch(line) is None:
                raise ValueError(f"expected cost:item,item, not {line.strip()[:40]!r}")
            elif len(choice := [*map(int, re.findall("[01]", line))]) != len(options):
                raise ValueError(f"{len(choice)} digits do not choose from {len(options)} routes")
        if not options:
            raise ValueError("expected cost:item,item")
    return Formulation(
        options, sorted({item for option in options for item in option}), costs=costs
    )


def parse_choice(text: str) -> tuple[int, ...] | str:
    """Return the routes that the last line chooses; "" if it is no choice.

    >>> parse_choice("0.5:0,1\\n0.2:1\\n0.1:0\\n1,0,0\\n")
    (0,)
    """
    [*_, line] = TextLines(text, "", COMMENT_MARKS)
    if _CHOICE.fullmatch(line) is None:
        return ""
    return tuple(k for k, digit in enumerate(re.findall("[01]", line)) if digit == "1")
