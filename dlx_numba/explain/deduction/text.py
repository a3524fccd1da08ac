"""Steps in sentences."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from ...cover.names import MAX_LISTED
from .cases import Case, Link
from .reason import DeductionSource, FoundStep

MAX_LEFT = 4  # options of an item that a sentence lists


def join(labels: Iterable[str], last_word: str = "and") -> str:
    """Return a list in a sentence, whose end is left out if it is long.

    >>> join(["`a`", "`b`", "`c`"]), join("ab", "or")
    ('`a`, `b` and `c`', 'a or b')
    """
    words = list(labels)
    if len(words) > MAX_LISTED:
        words[MAX_LISTED:] = [f"{len(words) - MAX_LISTED:,} more"]
    *most, last = words
    return f"{', '.join(most)} {last_word} {last}" if most else last


class Words(NamedTuple):
    """The words for the choices of a dead end, and for the item that lacks options."""

    choice: Callable[[int], str]
    link: Callable[[Link], str]
    then: str
    left: Callable[[int, list[int]], str]  # of an item: options
    lack: Callable[[int], str]


def describe_case(case: Case, words: Words, number: str = "") -> str:
    """Return what follows from a choice, in clauses that lead to a dead end.

    `number` precedes those of its cases, such as "2." in "2.1"; it is "" for a whole step.
    """
    text = ""
    verb = "that leaves"
    for _, links in groupby(case.links, lambda link: link.round):
        text += f"{verb} {join(map(words.link, links))}; "
        verb = words.then
    if not case.cases:
        lack = words.lack(case.item)
        return f"{text}but then {lack}" if text else lack
    text += f"then {words.left(case.item, [inner.option for inner in case.cases])}"
    for k, inner in enumerate(case.cases, 1):
        text += f". Case {number}{k}, {words.choice(inner.option)}: "
        text += describe_case(inner, words, f"{number}{k}.")
    return text


def describe(source: DeductionSource, step: FoundStep) -> str:
    """Return a step in a sentence or two."""
    item = source.item_words
    option = source.option_words
    if step.chosen is not None:
        excludes = _excludes(source, [step.chosen], step)
        choice = _choice(source, step, step.chosen)
        return f"For {item(step.items[0])}, {choice}.{excludes}"
    removed = join(map(option, step.removed), "or")
    if step.kind == "conflict":
        return _conflict(source, step, removed)
    if step.kind == "set":
        bases = step.items[: step.size]
        covers = step.items[step.size :]
        used = join(filter(None, map(source.last_of, covers)), "or")
        takes = f"The options left for {join(map(item, bases))} take {used}, one each"
        return f"{takes}, so no other option does.{_excludes(source, [], step)}"
    assert step.case is not None  # a chain
    words = Words(
        option,
        lambda link: f"{option(link.option)} for {item(link.item)}",
        "then",
        lambda base, left: f"{item(base)} has only {join(map(option, left), 'or')} left",
        source.lack,
    )
    return f"Suppose {removed}: {describe_case(step.case, words)}. So {removed} is excluded."


def _conflict(source: DeductionSource, step: FoundStep, removed: str) -> str:
    """Return that all options left for an item exclude others, or else, that none would be left."""
    lacking = step.items[-1]  # which would have no options after the removed one
    if step.case is None:  # no chain: whatever is left for one item excludes the options
        lacking = step.items[0]
        name = source.item_words(lacking)
        left = source.options_of(lacking, step)
        if shared := [*filter(None, map(source.item_words, source.shared_items(step)))]:
            excludes = _excludes(source, left, step)
            return f"Each option left for {name} also takes {shared[0]}.{excludes}"
        if len(left) <= MAX_LEFT:
            choices = join(map(source.option_words, left), "or")
            excludes = _excludes(source, left, step, "Each")
            return f"For {name}, only {choices} are left.{excludes}"
    before = source.chosen_before(step)
    left = source.options_of(lacking, step)
    because = _bracketed(source.broken_rules(before, left, step.removed))
    end = "this is" if len(step.removed) == 1 else "these are"
    return f"With {removed}, {source.lack(lacking, 'would be')}{because}. So {end} excluded."


def _bracketed(rules: str) -> str:
    return f" ({rules})" if rules else ""


def _choice(source: DeductionSource, step: FoundStep, choice: int) -> str:
    """Return that nothing but a choice is left for its item, and by which rules of the puzzle."""
    chosen = source.option_words(choice)
    if step.n_needed > 1:
        left = join(map(source.option_words, source.options_of(step.items[0], step)))
        return f"only {left} are left, as many as needed. So {chosen} is chosen"
    others = [k for k in source.original_options(step.items[0]) if k != choice]
    given = source.named.selected.given
    rules = _bracketed(source.broken_rules(given, given, others))
    if chosen.startswith("no "):  # tent, star or bridge
        return f"there can be {chosen}{rules}"
    return f"only {chosen} is left{rules}" if others else f"there is only {chosen}"


def _excludes(
    source: DeductionSource, options: list[int], step: FoundStep, subject: str = "This"
) -> str:
    """Return a sentence with what options exclude, and by which rules of the puzzle.

    It begins with a space and `subject`, or is "" if they exclude nothing.
    """
    groups = defaultdict[str, list[str]](list, {"": []})  # those without known rules come first
    before = source.chosen_before(step)
    for removed in step.removed:
        rules = source.broken_rules(before, options, [removed])
        name = source.option_words(removed)
        groups[rules].append(f'"{name}"' if name.startswith("no ") else name)
    named = ((join(dict.fromkeys(own)), rules) for rules, own in groups.items() if own)
    text = "; ".join(names + _bracketed(rules) for names, rules in named)
    return f" {subject} excludes {text}." if text else ""
