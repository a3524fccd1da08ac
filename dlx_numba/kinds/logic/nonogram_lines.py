"""Narrow the places of runs in the lines of a nonogram.

A set of cells or positions of a line is an integer, whose bit k stands for cell k, so that a run is
placed in all positions at once.
"""

from typing import NamedTuple


class Line(NamedTuple):
    """Possible starts of each run of a line, and the cells that may be black or white."""

    starts: list[int]
    may_be_black: int
    may_be_white: int


def narrow_lines(
    rows: list[list[int]], columns: list[list[int]]
) -> tuple[list[Line], list[Line]] | None:
    """Return what remains possible in each row and column if no single line excludes more.

    The result is None if lines contradict each other.
    """
    runs, sizes = (rows, columns), (len(columns), len(rows))
    black, white = ([[0] * len(lines) for lines in runs] for _ in range(2))
    found: tuple[dict[int, Line], dict[int, Line]] = ({}, {})
    waiting = dict.fromkeys((axis, k) for axis in (0, 1) for k in range(len(runs[axis])))
    while waiting:
        axis, k = next(iter(waiting))
        del waiting[axis, k]
        size = sizes[axis]
        line = narrow_line(runs[axis][k], size, black[axis][k], white[axis][k])
        found[axis][k] = line
        full = (1 << size) - 1
        for possible, known in ((line.may_be_white, black), (line.may_be_black, white)):
            new = full & ~possible & ~known[axis][k]
            known[axis][k] |= new
            while new:
                crossing = new.bit_length() - 1
                new ^= 1 << crossing
                known[1 - axis][crossing] |= 1 << k
                waiting[1 - axis, crossing] = None
        if not all(line.starts) or black[axis][k] & white[axis][k]:
            return None
    return [found[0][k] for k in range(len(rows))], [found[1][k] for k in range(len(columns))]


def narrow_line(runs: list[int], size: int, black: int, white: int) -> Line:
    """Return what is possible in a line, given cells that are known.

    >>> line = narrow_line([2], 4, 0b0010, 0)
    >>> [bin(starts) for starts in line.starts], bin(line.may_be_black), bin(line.may_be_white)
    (['0b11'], '0b111', '0b1101')
    """
    full = (1 << size) - 1
    forward, ends = _place(runs, size, black, white)
    mirrored = _mirror(black, size), _mirror(white, size)
    backward, begins = _place(runs[::-1], size, *mirrored)
    starts, may_be_black, may_be_white = [], 0, 0
    for run, first, last in zip(runs, forward, backward[::-1], strict=True):
        each = first & _mirror(last, size) >> (run - 1)
        starts.append(each)
        may_be_black |= _smear(each, run)
        may_be_white |= each << run
    for end, begin in zip(ends, begins[::-1], strict=True):
        may_be_white |= end & _mirror(begin >> 1 & full, size)
    return Line(starts, may_be_black & full & ~white, may_be_white & full & ~black)


def _place(runs: list[int], size: int, black: int, white: int) -> tuple[list[int], list[int]]:
    """Return the starts of each run that runs before it allow, and the cells behind these runs.

    A cell is behind k runs if the first k runs, and a white cell after each of them, fit before it.
    """
    free, not_black = ~white & (1 << size) - 1, ~black & (2 << size) - 1
    behind = _reach(1, not_black)
    starts, ends = [], [behind]
    for run in runs:
        fits, length = free, 1
        while length < run:
            step = min(length, run - length)
            fits &= fits >> step
            length += step
        starts.append(each := behind & fits & not_black >> run)
        ends.append(behind := _reach(each << run + 1, not_black))
    return starts, ends


def _reach(seeds: int, free: int) -> int:
    """Return the positions that are reached from some of the seeds across free cells."""
    return (((seeds & free) + free) ^ free) | seeds


def _smear(starts: int, run: int) -> int:
    """Return the cells of runs with these starts."""
    length = 1
    while length < run:
        step = min(length, run - length)
        starts |= starts << step
        length += step
    return starts


def _mirror(cells: int, size: int) -> int:
    return int(f"{cells:0{size}b}"[::-1], 2)


def cells_in(cells: int) -> list[int]:
    """Return the numbers of the cells in a set.

    >>> cells_in(0b1001)
    [0, 3]
    """
    return [k for k, bit in enumerate(bin(cells)[:1:-1]) if bit == "1"]
