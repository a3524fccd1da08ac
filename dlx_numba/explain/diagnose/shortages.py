"""Find items that too few options contain, or whose only options exclude each other."""

from itertools import compress

import numpy as np

from ...cover.named_problem import NamedProblem
from ...cover.names import MAX_LISTED, Name, as_line, label, names_of
from ...cover.spelling import simplify_names, suggest
from ...cover.words import item_words
from ...runtime.text import plural
from ..deduction.text import join


def find_shortages(named: NamedProblem, max_items: int | None = None) -> tuple[list[Name], str]:
    """Return the items that cannot be covered often enough, and sentences that say why.

    With `max_items`, only so many are returned.
    """
    problem = named.problem
    left = named.selected.problem
    needed = left.lows
    n_left = left.primary_sizes
    short = np.flatnonzero(n_left < needed)[:max_items].tolist()
    if not short:
        return [], ""
    names = named.names
    n_listed = problem.primary_sizes
    items = [named.items_left[k] for k in short]
    # The names of items in options: an item without options may be a misspelled one of them, or
    # have another type, such as the text "1" in place of the number.
    is_used = np.append(n_listed > 0, np.ones(problem.n_secondary, np.bool_))
    used = [] if isinstance(names.items, range) else list(compress(names.items, is_used.tolist()))
    words = item_words(names) if names.table else {}  # without columns, which items have in common
    spellings = simplify_names(words.get(as_line(name), name) for name in used)
    used_with_label: dict[str, Name] = {}
    if {*map(type, used), *map(type, items)} not in ({int}, {str}):  # whose labels are distinct
        used_with_label = {label(name): name for name in used}
    sentences = []
    for item, k in zip(items[:MAX_LISTED], short, strict=False):
        item_label = label(item)
        if n_before := int(n_listed[names.item_numbers[item]]):
            sentence = _describe_shortage(item_label, int(needed[k]), int(n_left[k]), n_before)
        else:
            question = suggest(words.get(as_line(item), item), spellings) or "."
            if (meant := used_with_label.get(item_label)) is not None:
                question = f"; did you mean the {type(meant).__name__} {item_label}?"
            sentence = f"{item_label} has no option{question}"
        sentences.append(sentence)
    if n_more := len(items) - len(sentences):
        sentences.append(f"Too few options contain {plural(n_more, 'more item')}.")
    return items, "\n".join(sentences)


def _describe_shortage(name: str, n_needed: int, n_left: int, n_before: int) -> str:
    """Return why an item that had `n_before` options has too few left."""
    number = plural(n_left, "option")
    if n_left == n_before:
        verb = "contains" if n_left == 1 else "contain"
        return f"{name} must be covered {n_needed:,} times, but only {number} {verb} it."
    if not n_left:
        cause = "the only one" if n_before == 1 else f"all {n_before:,}"
        return f"{name} has no option left: the conditions exclude {cause}."
    verb = "is" if n_left == 1 else "are"
    return (
        f"{name} must be covered {n_needed:,} times more, but only {number} {verb} left: "
        "the given and forbidden options exclude the others."
    )


def find_clash(named: NamedProblem) -> tuple[list[Name], str]:
    """Return two items whose only options share a third item, the third, and a sentence.

    There are none if options are given or forbidden, which would be a part of the reason.
    """
    problem = named.problem
    if named.settings.given or named.settings.forbidden:
        return [], ""
    none = np.zeros(problem.n_secondary, np.bool_)
    # Items that need the only option they have; items that at most one option may cover
    has_one = np.append((problem.primary_sizes == 1) & (problem.lows == 1), none)
    is_single = np.append(problem.highs == 1, ~none)
    nodes = np.flatnonzero(has_one[problem.items])
    options = problem.option_of_node()[nodes].tolist()
    owner = dict(zip(options, problem.items[nodes].tolist(), strict=True))  # an item of each option
    first: dict[int, tuple[int, int]] = {}  # by item: the first option, and the color in it
    entries = ((option, *entry) for option in owner for entry in problem.entries(option))
    for option, item, color in entries:
        earlier, earlier_color = first.setdefault(item, (option, color))
        # Two options may share an item only if both give it the same color (0 is none).
        if is_single[item] and earlier != option and not 0 < color == earlier_color:
            colors = dict(problem.entries(option))
            earlier_colors = dict(problem.entries(earlier))
            shared = [
                k
                for k in sorted(colors.keys() & earlier_colors.keys())
                if is_single[k] and not 0 < colors[k] == earlier_colors[k]
            ]
            names = [named.names.items[k] for k in (owner[earlier], owner[option], *shared)]
            here, there, *needed = map(label, names)
            only = map(label, names_of(problem, named.names, [earlier, option]))
            # One of the shared items suffices for the conflict, which is minimal.
            return names[:3], (
                f"There is no cover: {here} and {there} both need {join(needed)}.\nThey "
                f"are only in {' and '.join(only)}."
            )
    return [], ""
