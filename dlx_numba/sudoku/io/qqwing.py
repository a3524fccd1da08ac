"""The texts that qqwing and Simple Sudoku print around their boards."""

import re
from typing import NamedTuple

# qqwing prints this text and a line end inside a CSV row, which continues on the next line.
ROW_BREAK = "No solve instructions - Puzzle is not possible to solve."

_TEXTS = re.compile(
    r"""
    (?P<unique> The\ solution\ to\ the\ puzzle\ is\ unique\. )
    | There\ are\ (?P<count> no | \d{1,18} )\ solutions\ to\ the\ puzzle\.
    | There\ are\ \d+\ or\ more\ solutions\ to\ the\ puzzle\.  # printed by this package only
    | Difficulty:\ (?P<difficulty> \w+ )
    | (?P<unsolvable> Puzzle\ is\ not\ possible\. | Puzzle\ has\ no\ solution\. )
    | (?P<not_generated> Could\ not\ generate\ puzzle\. )
    | (?: \d+\.\ )? Round:\ .*
    | Time:\ [\d.e+-]+\ milliseconds
    | Number\ of\ [\w\ /]+:\ \d+
    | \d+\ puzzles?\ (?: generated | solved )\ in\ [\d.e+-]+\ seconds\.
    | History\ was\ not\ recorded\.
    | No\ solve\ instructions\ -\ Puzzle\ is\ not\ possible\ to\ solve\.
    | Simple\ Sudoku | Version\ \d+\.\d+\w?  # below a board
    """,
    re.VERBOSE,
)


class Remark(NamedTuple):
    """The information in a text about the preceding puzzle; empty for statistics.

    `failure` is the text itself if qqwing prints it instead of a board.
    """

    solutions: int | None = None
    difficulty: str = ""
    failure: str = ""


def read_remark(line: str) -> Remark | None:
    """Return the remark on a line, or None if the programs print no such text.

    Examples
    --------
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
    if match["unsolvable"]:
        return Remark(solutions=0, failure=match["unsolvable"])
    if match["not_generated"]:
        return Remark(failure=match["not_generated"])
    return Remark(difficulty=match["difficulty"] or "")
