"""Pictures that a function returns: the cells or the bars of each option."""

from collections.abc import Callable, Sequence
from itertools import chain
from math import ceil, floor
from operator import index
from typing import Any

from .find import grid_of, short_label
from .find_timetable import describe
from .grid import Grid
from .picture import Picture
from .timetable import Bar, Timetable

MIN_MINUTES = 120  # smaller times of bars are not minutes
MAX_SPAN = 60 * 24 * 366  # minutes between the first start and any other time


def draw_by(
    function: Callable[[Any], Any], options: Sequence[Any], names: Sequence[Sequence[str]]
) -> Picture:
    """Return the picture whose cells or bars a function returns for the items of each option.

    Parameters
    ----------
    function
        Returns the cells of an option, such as (2, 3), or ((2, 3), "a") with the text in the cell;
        or its bars, such as ("Ann", "Mon") and ("Ann", "Mon", "late") in the row of Ann, or
        ("Ann", 9, 10.5, "visit") with a start and an end. Bars in the row None have a row of their
        own for each option. A single cell or bar need not be in a list; None stands for none.
    options
        The items of each option.
    names
        The names of its items, and of itself, which say what is in a cell or a bar without a text.

    Raises
    ------
    ValueError
        If the function returns anything else.

    Examples
    --------
    >>> options = [["x", (1, 1)], ["y", (1, 2)]]
    >>> print(draw_by(lambda items: items[1], options, [["x", "1,1"], ["y", "1,2"]]).text([0, 1]))
    x y
    >>> print(draw_by(lambda name: (name, 9, 10, "visit"), ["Ann", "Bob"], [[], []]).text([1]))
    Ann
    Bob
      9 to 10  visit
    """
    returned = [function(option) for option in options]
    try:
        drawn = [_as_list(value) for value in returned]
        first = next(chain.from_iterable(drawn))
        # Bars begin with their row, and cells with a number, or with the numbers before a text.
        is_bar = first[0] is None or isinstance(first[0], str)
        return _draw_bars(drawn, names) if is_bar else _draw_cells(drawn, names)
    except OverflowError as error:  # the times of bars are wrong, which it says
        raise ValueError(f"view: {error}") from None
    except (TypeError, ValueError, IndexError, StopIteration):  # also if there is nothing to draw
        expected = "cells, such as (2, 3), or bars, such as ('Ann', 'Mon') or ('Ann', 9, 10.5)"
        value = next((value for value in returned if value is not None), None)
        raise ValueError(f"view: the function must return {expected}, not {value!r}") from None


def _as_list(value: Any) -> list[Any]:
    """Return what a function returned for an option as a list of cells or bars.

    >>> _as_list((2, 3)), _as_list([(2, 3)]), _as_list(((2, 3), "a")), _as_list(None)
    ([(2, 3)], [(2, 3)], [((2, 3), 'a')], [])
    """
    if value is None:
        return []
    values = [value] if isinstance(value, str) else [*value]
    # A single bar or cell begins with no sequence, unless it is a cell with a text.
    is_single = bool(values) and (not isinstance(values[0], tuple | list) or _has_text(values))
    return [tuple(values)] if is_single else values


def _has_text(values: Sequence[Any]) -> bool:
    return len(values) == 2 and isinstance(values[1], str)


def _draw_cells(drawn: Sequence[Sequence[Any]], names: Sequence[Sequence[str]]) -> Grid:
    """Return the picture of the cells of each option, whose names are `names`.

    Cells without a text have the option's first name that is not the name of a cell.
    """
    marks = []
    for own, words in zip(drawn, names, strict=True):
        pairs = [cell if _has_text(cell) else (cell, None) for cell in own]
        cells = [tuple(map(index, numbers)) for numbers, _ in pairs]
        if not {*map(len, cells)} <= {2, 3}:  # squares or cubes
            raise ValueError
        cell_names = {",".join(map(str, cell)) for cell in cells}
        label = short_label(name for name in words if name not in cell_names)
        texts = (label if text is None else text for _, text in pairs)
        marks.append(tuple(zip(cells, texts, strict=True)))
    return grid_of(marks)


def _draw_bars(drawn: Sequence[Sequence[Any]], names: Sequence[Sequence[str]]) -> Timetable:
    """Return the timetable of the bars of each option, whose names are `names`.

    The times of bars are names, minutes, or other numbers.
    """
    every = [*chain.from_iterable(drawn)]
    rows = [*dict.fromkeys(row for row, *_ in every)]
    ticks: list[Any] = [*dict.fromkeys(time for _, time, *_ in every)]  # the times of starts
    labels = [(k + 0.5, str(time)) for k, time in enumerate(ticks)]  # in the middle of a step
    first = 0
    if not isinstance(ticks[0], str):  # a bar has a row, a start, an end, and perhaps a text
        for parts in every:
            _, start, end, *_ = parts
            if not ticks[0] - MAX_SPAN < start < end < ticks[0] + MAX_SPAN:
                raise OverflowError(f"a bar must end after its start, within a year, not {parts!r}")
        # Large numbers are minutes from 0, which a timetable without labels shows as hours; the
        # axis of small ones begins with the first, and has a label at each integer.
        last = max(end for _, _, end, *_ in every)
        first = 0 if last >= MIN_MINUTES else floor(min(ticks))
        labels = [(k - first, str(k)) for k in range(first, ceil(last) + 1) if last < MIN_MINUTES]
    row_of = {name: k for k, name in enumerate(rows)}
    tick_of = {name: k for k, name in enumerate(ticks)}

    def bar(words: Sequence[str], row: str | None, time: Any, *more: Any) -> Bar:
        """Return the bar of an option, from its row, its time, and perhaps its end and its text."""
        if isinstance(time, str):
            start = tick_of[time]
            end = tick_of[time] + 1
            text = more
        else:
            start = time - first
            end = more[0] - first
            text = more[1:]
        label = "" if row is None else str(row)
        described = str(text[0]) if text else describe(words, (), label, str(time))
        return Bar(row_of[row], start, end, described)

    bars = [
        tuple(bar(words, *parts) for parts in own) for own, words in zip(drawn, names, strict=True)
    ]
    # Without names of rows, each option has a row of its own.
    row_names = [] if None in row_of else [*map(str, rows)]
    return Timetable("A timetable", bars, row_names, labels)
