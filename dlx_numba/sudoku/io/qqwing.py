"""The texts that qqwing prints around its boards."""

import re
from typing import NamedTuple

BREAKS_ROW = "No solve instructions - Puzzle is not possible to solve."  # a line end in a CSV row

_TEXTS = re.compile(
    r"""
    (?P<unique> The\ solution\ to\ the\ puzzle\ is\ unique\. )
    | There\ are\ (?P<count> no | \d{1,18} )\ solutions\ to\ the\ puzzle\.
    | There\ are\ \d+\ or\ more\ solutions\ to\ the\ puzzle\.  # not qqwing's, but our own
    | Difficulty:\ (?P<difficulty> \w+ )
    | (?P<failure> Puzzle\ is\ not\ possible\. | Puzzle\ has\ no\ solution\. )
    | (?P<unprinted> Could\ not\ generate\ puzzle\. )
    | (?: \d+\.\ )? Round:\ .*
    | Time:\ [\d.e+-]+\ milliseconds
    | Number\ of\ [\w\ /]+:\ \d+
    | \d+\ puzzles?\ (?: generated | solved )\ in\ [\d.e+-]+\ seconds\.
    | History\ was\ not\ recorded\.
    | No\ solve\ instructions\ -\ Puzzle\ is\ not\ possible\ to\ solve\.
    """,
    re.VERBOSE,
)


class Remark(NamedTuple):
    """What a text of qqwing tells of the puzzle before it; nothing where it is statistics.

    `failure` is the text itself where qqwing prints it instead of a board.
    """

    solutions: int | None = None
    difficulty: str = ""
    failure: str = ""


def read_remark(line: str) -> Remark | None:
    """The remark on this line, or None where qqwing prints no such text.

    >>> read_remark("There are 17 solutions to the puzzle.")
    Remark(solutions=17, difficulty='', failure='')
    """
    match = _TEXTS.fullmatch(line.strip())
    if match is None:
        return None
    if match["unique"]:
        return Remark(solutions=1)
    if match["count"]:
        return Remark(solutions=0 if match["count"] == "no" else int(match["count"]))
    if match["failure"]:
        return Remark(solutions=0, failure=match["failure"])
    if match["unprinted"]:
        return Remark(failure=match["unprinted"])
    return Remark(difficulty=match["difficulty"] or "")
