"""Steps on Sudoku boards in the words of players: cells, digits, and the units that they share."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from .cases import Case
from .joint import RuleName
from .reason import DeductionSource, FoundStep
from .relations import place_words, rule_of
from .text import MAX_LEFT, Words, describe_case, join

CELL_AND_DIGIT = re.compile(r"(r\d+c\d+)=(\w+)")  # in the name of a placement
CELL = re.compile(r"r\d+c\d+")
DIGIT_IN_UNIT = re.compile(r"(\w+) in (.+)")
Placement = tuple[str, str]  # a cell and its digit


def describe_on_board(source: DeductionSource, step: FoundStep) -> tuple[str, str]:
    """Return the rules by which a step excludes digits, and the step in a sentence or two.

    The rules are "" if they are those of plain Sudoku, or not known.
    """
    items = [str(source.item_name(number)) for number in step.items]
    is_on_board = CELL.fullmatch(items[0]) or DIGIT_IN_UNIT.fullmatch(items[0])
    removed = _placements(source, step.removed)
    if is_on_board and step.chosen is not None:
        return "", _single(source, items[0], step.chosen, step.removed)
    if step.kind == "total":
        clause = source.clause(items[0])
        return rule_of(items[0]), f"{clause}, which excludes {_by_digit(removed)}."
    if step.rules:
        kinds = dict.fromkeys(rule.kind for rule in step.rules)
        return " and ".join(kinds), _joint(source, step.rules, removed)
    if step.case is not None:
        return rule_of(items[-1]), _contradiction(source, step.case, removed[0])
    if not is_on_board:  # an item of a rule, such as a cage
        return rule_of(items[0]), _choice(source, step, removed)
    if step.kind == "set":
        excludes = f" This excludes {_by_digit(removed)}."
        return "", describe_set(items[: step.size], items[step.size :]) + excludes
    return _conflict(source, step, items[0], removed)


def _joint(source: DeductionSource, rules: Sequence[RuleName], removed: list[Placement]) -> str:
    """Return what one rule or two exclude, such as "the cage at r1c1 excludes 5 from r1c2"."""
    names = [rule.words if rule.item < 0 else source.item_words(rule.item) for rule in rules]
    verb = "excludes" if len(names) == 1 else "together exclude"
    return f"{join(names)} {verb} {_by_digit(removed)}."


def _choice(source: DeductionSource, step: FoundStep, removed: list[Placement]) -> str:
    """Return what is left for a cage or another choice of a rule, and what that excludes."""
    choice = step.items[0]
    left = (source.option_words(option) for option in source.options_of(choice, step))
    sets = [words.removeprefix("the set ") for words in left if words.startswith("the set ")]
    text = source.clause(str(source.item_name(choice)))
    if not text:
        text = f"{source.item_words(choice)} can only be the set {join(sets, 'or')}"
    elif 0 < len(sets) <= MAX_LEFT:
        text += f": the set {join(sets, 'or')}"
    return f"{text}, which {_support(source, step)}excludes {_by_digit(removed)}."


def _support(source: DeductionSource, step: FoundStep) -> str:
    """Return on what else it depends which alternatives of a choice are left, before a verb.

    It is "" if these are only the digits that the cells of the choice have left.
    """
    causes: dict[str, None] = {}
    for earlier in step.support:
        place = DIGIT_IN_UNIT.fullmatch(str(source.item_name(earlier.items[0])))
        if earlier.case is not None or place is None:  # too many places to name
            return "together with the rest of the board "
        causes[place[2]] = None
    return f"together with {join(causes)} " if causes else ""


def _conflict(
    source: DeductionSource, step: FoundStep, item: str, removed: list[Placement]
) -> tuple[str, str]:
    """Return the rules of a conflict, and what is left for an item, which excludes placements.

    `item` is the name of the item, a cell or a digit in a unit.
    """
    options = source.options_of(step.items[0], step)
    excludes = _by_digit(removed)
    places = _placements(source, options)
    rules, reasons = _reasons(source, step, item, removed)
    if CELL.fullmatch(item):
        left = f"{item} can only be {_digits(places)}"
        clauses = [f"{cell} {words}, so it is not {digits}" for cell, words, digits in reasons]
        if not clauses:
            return rules, f"{left}, which excludes {excludes}."
        # If the cell has lost digits, the first clause begins with those that are left.
        if len(options) < len(source.original_options(step.items[0])):
            clauses[0] = f"{left}, and {clauses[0]}"
        return rules, f"{'; '.join(clauses)}."
    digit, unit = _digit_in_unit(item)
    # Pointing and claiming: other units that contain all places and what they exclude
    shared = [str(source.item_name(number)) for number in source.shared_items(step)]
    common = [_digit_in_unit(name)[1] for name in shared if name.startswith(f"{digit} in ")]
    text = f"in {unit}, the {digit} can only be in {join((cell for cell, _ in places), 'or')}"
    rules = " and ".join(filter(None, (rule_of(unit), rules)))
    if common:
        return rules, f"{text}, which are in {place_words(common[0])}. This excludes {excludes}."
    if 0 < len(reasons) <= MAX_LEFT:
        for cell, words, digits in reasons:
            text += f"; each of them {words}, so {cell} is not {digits}"
        return rules, f"{text}."
    return rules, f"{text}. This excludes {excludes}."


def _reasons(
    source: DeductionSource, step: FoundStep, item: str, removed: list[Placement]
) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the rules by which what is left for an item excludes placements, and the reasons.

    A reason is a cell of the placements, the words for how it and what is left are related, and the
    digits that this excludes from the cell. Returns "" and no reasons unless the rule of each pair
    of an option that is left and a placement is known.
    """
    is_cell = CELL.fullmatch(item)
    rules: dict[str, None] = {}
    reasons = defaultdict[tuple[str, str], list[str]](list)  # the digits, by the cell and words
    for option, (cell, digit) in zip(step.removed, removed, strict=True):
        words: dict[str, None] = {}
        for left in source.options_of(step.items[0], step):
            # The words are about the second one of a pair: the cell of the placement if the item is
            # a cell, and else the places of the digit.
            pair = (left, option) if is_cell else (option, left)
            relation = source.relation(*pair)
            if relation is None:
                return "", []
            words[relation.words.format(item if is_cell else cell)] = None
            rules[relation.rule] = None
        reasons[cell, join(sorted(words), "or")].append(digit)
    worded = [(cell, words, join(digits, "or")) for (cell, words), digits in reasons.items()]
    return " and ".join(filter(None, rules)), worded


def _placements(source: DeductionSource, options: Iterable[int]) -> list[Placement]:
    """Return the cells and digits of options; ValueError if one is no placement."""
    return [_match(CELL_AND_DIGIT, str(source.option_name(option))) for option in options]


def _match(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return the two groups of a pattern; ValueError if the text does not match it."""
    if match := pattern.fullmatch(text):
        first, second = match.groups()
        return first, second
    raise ValueError(f"another name: {text}")


def _digit_in_unit(item: str) -> tuple[str, str]:
    """Return the digit and the unit that an item consists of; ValueError for other items."""
    return _match(DIGIT_IN_UNIT, item)


def _by_digit(placements: Iterable[Placement]) -> str:
    """Return digits and the cells from which they are excluded, those with equal cells together.

    >>> _by_digit([("r1c1", "2"), ("r1c1", "3"), ("r1c2", "2"), ("r1c2", "3")])
    '2 and 3 from r1c1 and r1c2'
    """
    cells: defaultdict[str, list[str]] = defaultdict(list)  # of each digit
    digits: defaultdict[str, list[str]] = defaultdict(list)  # of each list of cells
    for cell, digit in placements:
        cells[digit].append(cell)
    for digit, own in sorted(cells.items(), key=lambda pair: int(pair[0])):
        digits[join(own)].append(digit)
    return ", and ".join(f"{join(own)} from {where}" for where, own in digits.items())


def _single(source: DeductionSource, item: str, chosen: int, removed: list[int]) -> str:
    """Return what is left for a cell or a digit, and what this excludes, by which rules."""
    [(cell, digit)] = _placements(source, [chosen])
    if item == cell:
        text = f"{cell} can only be {digit}."
    else:
        text = f"in {_digit_in_unit(item)[1]}, the {digit} can only be in {cell}."
    by_rule: defaultdict[str, list[Placement]] = defaultdict(list)
    for option, place in zip(removed, _placements(source, removed), strict=True):
        if place[0] != cell:
            relation = source.relation(chosen, option) if source.relations else None
            by_rule[relation.rule if relation else ""].append(place)
    for rule, pairs in sorted(by_rule.items()):
        subject = f"By the {rule} rule, this" if rule else "This"
        text += f" {subject} excludes {_by_digit(pairs)}."
    return text


def describe_set(bases: list[str], covers: list[str]) -> str:
    """Return why a set of items uses up the others: a naked or hidden set, or a fish.

    `bases` are the names of the items of the set, and `covers` of those that it uses up. Raises
    ValueError for a set of another kind.
    """
    bases = sorted(bases, key=_numbers)
    covers = sorted(covers, key=_numbers)
    if all(map(CELL.fullmatch, bases)):  # a naked set
        digits, units = zip(*map(_digit_in_unit, covers), strict=True)
        taken = f"them in {units[0]}"
        if len({*units}) > 1:  # such as some digits of a row, and others of a box
            taken = ", and ".join(f"{join(own)} in {unit}" for unit, own in _by_unit(covers))
        return f"{join(bases)} can only be {join(digits, 'or')}, so these cells take {taken}."
    digits, units = zip(*map(_digit_in_unit, bases), strict=True)
    if all(map(CELL.fullmatch, covers)):  # a hidden set
        sought = ", and ".join(f"in {unit}, {join(own)}" for unit, own in _by_unit(bases))
        where = f"{join(covers, 'or')}, so these cells are nothing else."
        return f"{sought} can only be in {where}"
    cover_digits, cover_units = zip(*map(_digit_in_unit, covers), strict=True)
    if len({*digits, *cover_digits}) > 1:  # no fish
        raise ValueError("a set of several digits in several units")
    where = f"{join(cover_units, 'or')}, which therefore have no {digits[0]} elsewhere."
    return f"in {join(units)}, the {digits[0]} can only be in {where}"


def _numbers(name: str) -> list[int]:
    """Return the numbers in the name of an item, by which items are sorted."""
    return [*map(int, re.findall(r"\d+", name))]


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
        lambda option: _named(source, option),
        lambda link: _link(source, link.item, link.option),
        "then there is",
        lambda item, options: _left(source, item, options),
        lambda item: _lack(source, item),
    )
    if not (case.links or case.cases):
        return f"with {cell}={digit}, {words.lack(case.item)}. So {cell} is not {digit}."
    return f"suppose {cell}={digit}: {describe_case(case, words)}. So {cell} is not {digit}."


def _named(source: DeductionSource, option: int) -> str:
    """Return a placement, or the words of another option."""
    name = str(source.option_name(option))
    return name if CELL_AND_DIGIT.fullmatch(name) else source.option_words(option)


def _lack(source: DeductionSource, item: int) -> str:
    """Return that nothing is left for an item."""
    name = str(source.item_name(item))
    if CELL.fullmatch(name):
        return f"{name} has no digit left"
    if DIGIT_IN_UNIT.fullmatch(name):
        value, unit = _digit_in_unit(name)
        return f"{unit} has no cell left for {value}"
    return source.lack(item)


def _digits(placements: Iterable[Placement]) -> str:
    """Return the digits of placements, as alternatives."""
    return join(sorted((digit for _, digit in placements), key=int), "or")


def _left(source: DeductionSource, item: int, options: list[int]) -> str:
    """Return what is left for an item that distinguishes cases."""
    name = str(source.item_name(item))
    if not all(map(source.is_placement, options)):
        return f"there are {len(options)} ways for {source.item_words(item)}"
    placements = _placements(source, options)
    if CELL.fullmatch(name):
        return f"{name} can only be {_digits(placements)}"
    digit, unit = _digit_in_unit(name)
    return f"in {unit}, the {digit} can only be in {join((cell for cell, _ in placements), 'or')}"


def _link(source: DeductionSource, item: int, option: int) -> str:
    """Return what is left for an item in a chain."""
    name = str(source.item_name(item))
    if not source.is_placement(option):
        return f"only one way for {source.item_words(item)}"
    [(cell, digit)] = _placements(source, [option])
    if name == cell:
        return f"only {digit} for {cell}"
    return f"only {cell} for the {digit} in {_digit_in_unit(name)[1]}"
