"""Steps on Sudoku boards in the words of players: cells, digits, and the units that they share."""

import re
from collections import defaultdict
from collections.abc import Iterable

from .cases import Case
from .reason import DeductionSource, FoundStep
from .text import Words, describe, describe_case, join

PLACEMENT = re.compile(r"(r\d+c\d+)=(\w+)")
CELL = re.compile(r"r\d+c\d+")
DIGIT_IN_UNIT = re.compile(r"(\w+) in (.+)")
Placement = tuple[str, str]  # a cell and its digit


def describe_on_board(source: DeductionSource, step: FoundStep) -> str:
    """Return a step in a sentence or two; as for any problem if it concerns other options."""
    items = [str(source.item_name(number)) for number in step.items]
    try:
        removed = _placements(source, step.removed)
        if step.chosen is not None and step.n_needed == 1:
            return _single(items[0], _placements(source, [step.chosen])[0], removed)
        excludes = f" This excludes {_by_digit(removed)}."
        if step.case is not None:
            return _contradiction(source, step.case, removed[0])
        if step.kind == "set":
            return describe_set(items[: step.size], items[step.size :]) + excludes
        places = _placements(source, source.options_of(step.items[0], step))
        if CELL.fullmatch(items[0]):
            digits = join((digit for _, digit in places), "or")
            return f"{items[0]} can only be {digits}, which excludes {_by_digit(removed)}."
        digit, unit = _digit_in_unit(items[0])
        shared = [str(source.item_name(number)) for number in source.shared_items(step)]
        common = [_digit_in_unit(name)[1] for name in shared if name.startswith(f"{digit} in ")]
        where = f", which are in {common[0]}" if common else ""
        cells = join((cell for cell, _ in places), "or")
        return f"in {unit}, the {digit} can only be in {cells}{where}.{excludes}"
    except ValueError:  # an option or an item of another kind
        return describe(source, step)


def _placements(source: DeductionSource, options: Iterable[int]) -> list[Placement]:
    """Return the cells and digits of options; ValueError if one is no placement."""
    return [_match(PLACEMENT, str(source.option_name(option))) for option in options]


def _match(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    if match := pattern.fullmatch(text):
        first, second = match.groups()
        return first, second
    raise ValueError(f"another name: {text}")


def _digit_in_unit(item: str) -> tuple[str, str]:
    """Return the digit and the unit that an item consists of; ValueError for other items."""
    return _match(DIGIT_IN_UNIT, item)


def _by_digit(placements: Iterable[Placement]) -> str:
    """Return digits and the cells from which they are excluded, those with equal cells together."""
    cells: defaultdict[str, list[str]] = defaultdict(list)
    digits: defaultdict[str, list[str]] = defaultdict(list)
    for cell, digit in placements:
        cells[digit].append(cell)
    for digit, own in sorted(cells.items()):
        digits[join(own)].append(digit)
    return ", and ".join(f"{join(own)} from {where}" for where, own in digits.items())


def _single(item: str, chosen: Placement, removed: list[Placement]) -> str:
    cell, digit = chosen
    if item == cell:
        text = f"{cell} can only be {digit}."
    else:
        text = f"in {_digit_in_unit(item)[1]}, the {digit} can only be in {cell}."
    elsewhere = [pair for pair in removed if pair[0] != cell]
    return f"{text} This excludes {_by_digit(elsewhere)}." if elsewhere else text


def describe_set(bases: list[str], covers: list[str]) -> str:
    """Return why a set of items uses up the others: a naked or hidden set, or a fish.

    Raises ValueError for a set of another kind.
    """
    if all(map(CELL.fullmatch, bases)):
        digits, units = zip(*map(_digit_in_unit, covers), strict=True)
        taken = f"them in {units[0]}"
        if len({*units}) > 1:  # such as some digits of a row, and others of a box
            taken = ", and ".join(f"{join(own)} in {unit}" for unit, own in _by_unit(covers))
        return f"{join(bases)} can only be {join(digits, 'or')}, so these cells take {taken}."
    digits, units = zip(*map(_digit_in_unit, bases), strict=True)
    if all(map(CELL.fullmatch, covers)):
        sought = ", and ".join(f"in {unit}, {join(sorted(own))}" for unit, own in _by_unit(bases))
        where = f"{join(covers, 'or')}, so these cells are nothing else."
        return f"{sought} can only be in {where}"
    covered, others = zip(*map(_digit_in_unit, covers), strict=True)
    if len({*digits, *covered}) > 1:
        raise ValueError("a set of several digits in several units")
    where = f"{join(others, 'or')}, which therefore have no {digits[0]} elsewhere."
    return f"in {join(units)}, the {digits[0]} can only be in {where}"


def _by_unit(items: Iterable[str]) -> Iterable[tuple[str, list[str]]]:
    """Return units, and the digits of the items in each of them."""
    digits: defaultdict[str, list[str]] = defaultdict(list)
    for digit, unit in map(_digit_in_unit, items):
        digits[unit].append(digit)
    return digits.items()


def _contradiction(source: DeductionSource, case: Case, assumed: Placement) -> str:
    """Return that an assumption leaves no digit for a cell, or no cell for a digit."""
    cell, digit = assumed
    words = Words(
        lambda option: "=".join(_placements(source, [option])[0]),
        lambda link: _link(source, link.item, link.option),
        "then there is",
        lambda item, options: _left(source, item, options),
        lambda item: _lack(str(source.item_name(item))),
    )
    return f"suppose {cell}={digit}: {describe_case(case, words)}. So {cell} is not {digit}."


def _lack(item: str) -> str:
    """Return that nothing is left for an item."""
    if CELL.fullmatch(item):
        return f"{item} has no digit left"
    value, unit = _digit_in_unit(item)
    return f"{unit} has no cell left for {value}"


def _left(source: DeductionSource, item: int, options: list[int]) -> str:
    """Return what is left for an item that distinguishes cases."""
    name = str(source.item_name(item))
    placements = _placements(source, options)
    if CELL.fullmatch(name):
        return f"{name} can only be {join((digit for _, digit in placements), 'or')}"
    digit, unit = _digit_in_unit(name)
    return f"in {unit}, the {digit} can only be in {join((cell for cell, _ in placements), 'or')}"


def _link(source: DeductionSource, item: int, option: int) -> str:
    """Return what is left for an item in a chain."""
    [(cell, digit)] = _placements(source, [option])
    name = str(source.item_name(item))
    if name == cell:
        return f"only {digit} for {cell}"
    return f"only {cell} for the {digit} in {_digit_in_unit(name)[1]}"
