"""The names of the items, colors and options of a problem."""

import json
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain, count, islice, pairwise
from operator import index
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple, TypeAlias

from ..kernels.problem import Problem, find_copies
from ..runtime.arguments import check_integer
from ..runtime.errors import DlxError
from ..runtime.text import shorten
from .lazy_names import LazyNames
from .spelling import simplify_names, suggest

Name = Hashable
Cost: TypeAlias = int | Any  # an integer, or a float if some costs are fractions
MAX_LISTED = 10  # names in a sentence


_NO_INTEGERS = bool, str  # the strings only because that takes a tenth of the time of an exception


class CostScale(NamedTuple):
    """The integers that stand for the user's costs."""

    factor: int = 1  # an integer is a cost times this; negative if the total is maximized
    error: float = 0.0  # what the rounding of all costs adds up to, at most

    def unscale(self, cost: int) -> Cost:
        """Return the user's number for a sum of integers.

        >>> CostScale(10).unscale(3), CostScale(-1).unscale(-7)
        (0.3, 7)
        """
        whole, rest = divmod(cost, self.factor)
        return cost / self.factor if rest else whole


class Numbers(list[int]):
    """Numbers of options, also in a problem whose options are named by integers."""

    __slots__ = ()


class _NameFields(NamedTuple):
    items: Sequence[Hashable]  # primary items first
    colors: Sequence[Hashable]  # color 1 first
    options: Sequence[Hashable]  # the number of an option without a name; a range if none has one
    scale: CostScale = CostScale()
    n_uncovered: int = 0  # the last options, each of which stands for an item left uncovered
    totals: Sequence[Hashable] = ()
    table: Any = None  # the `LongTable` whose rows are the options
    penalties: Any = None  # the `Penalties` of items for which no options stand
    is_packing: bool = False  # whether the bounds of the problem are those of a packing
    lacks_costs: bool = False  # whether no costs of options were given; penalties may be
    # If costs are rounded: integers for the user's costs, then penalties, and the denominator
    exact_costs: tuple[list[int], int] | None = None


class Names(_NameFields):
    """The names of the items, colors and options of a problem, and the unit of its costs.

    Names are in the order of the numbers of what they name.

    A subclass of the tuple has a dictionary, which stores what is computed once.
    """

    _copies: dict[int, int] | None = None
    _numbers: dict[Hashable, int | None] | None = None

    def copies(self, problem: Problem) -> dict[int, int]:
        """Return what `find_copies` finds in the problem. It is computed once."""
        if self._copies is None:
            self._copies = find_copies(problem)
        return self._copies

    def numbers(self, problem: Problem) -> dict[Hashable, int | None]:
        """Return the number of each option by its name, as `names_of` returns it, computed once.

        It is None if several options, with items that look alike, have this name.
        """
        if self._numbers is None:
            numbers: dict[Hashable, int | None] = {}
            for k, name in enumerate(names_of(problem, self, range(len(self.options)))):
                if self.has_integers or as_integer(name) is None:
                    numbers[name] = None if name in numbers else k
            self._numbers = numbers
        return self._numbers

    @cached_property
    def item_numbers(self) -> dict[Hashable, int]:
        """The number of each item."""
        return {name: k for k, name in enumerate(self.items)}

    @property
    def n_listed(self) -> int:
        """The number of options without those that stand for items left uncovered."""
        return len(self.options) - self.n_uncovered

    @cached_property
    def has_integers(self) -> bool:
        """Whether an integer, which is not its number, is the name of an option."""
        if isinstance(self.options, range | LazyNames):
            return False
        numbers = zip(map(as_integer, self.options), count(), strict=False)
        return any(number not in (None, k) for number, k in numbers)

    @property
    def has_options(self) -> bool:
        """Whether an option has a name."""
        return not isinstance(self.options, range)

    def join(self, options: Iterable[Hashable]) -> str:
        """Return the names of options as a list. All lists of a problem have one separator."""
        if not self.has_options:
            return "; ".join(map(str, options))
        return join_names(options, self.separator)

    @cached_property
    def separator(self) -> str:
        return find_separator(map(as_line, self.options))


def number_names(problem: Problem) -> Names:
    """Return names that are the numbers of what they name."""
    colors = range(1, 1 + int(problem.node_colors.max(initial=0)))
    names = Names(range(problem.n_items), colors, range(problem.n_options))
    return names._replace(totals=range(len(problem.totals.low)))


def as_text(name: object) -> str:
    """Return a name as text; the elements of a tuple are joined by commas.

    Examples
    --------
    >>> as_text("a"), as_text(("row", 3))
    ('a', 'row,3')
    """
    return ",".join(map(as_text, name)) if isinstance(name, tuple) else str(name)


def as_line(name: object) -> str:
    """Return a name as text on one line: a JSON string if it has line breaks and the like.

    >>> as_line(("row", 3)), as_line("a" + chr(10))
    ('row,3', '"a\\\\n"')
    """
    text = as_text(name)
    return text if text.isprintable() else json.dumps(text)


def as_integer(value: Any) -> int | None:
    """Return an integer of any type as an int, and None for other values, such as booleans."""
    try:
        return None if isinstance(value, _NO_INTEGERS) else index(value)
    except TypeError:
        return None


def label(name: Name) -> str:
    """Return the name of an item or option in a sentence.

    >>> label("Tue"), label((2, 3))
    ('`Tue`', '`2,3`')
    """
    return f"`{as_line(name)}`"


def listing(names: Iterable[Name], max_listed: int = MAX_LISTED) -> str:
    """Return names as a list, whose end is left out if it is long.

    >>> listing("ab"), listing("abc", 2)
    ('`a`, `b`', '`a`, `b` and 1 more')
    """
    labels = [label(name) for name in names]
    n_more = len(labels) - max_listed
    return ", ".join(labels[:max_listed]) + (f" and {n_more:,} more" if n_more > 0 else "")


def find_duplicate(names: Sequence[Hashable]) -> int | None:
    """Return the index of the first name that appears a second time, or None.

    Examples
    --------
    >>> find_duplicate(["a", "b", "a"]), find_duplicate(["a", "b"])
    (2, None)
    """
    seen: set[Hashable] = set()
    if len(set(names)) < len(names):
        for k, name in enumerate(names):
            if name in seen:
                return k
            seen.add(name)
    return None


def option_label(
    names: Sequence[Hashable], option: int, start: int = 0, items: Iterable[str] = ()
) -> str:
    """Return the name of an option in quotes, or its number, counted from `start`, and its items.

    Examples
    --------
    >>> option_label(["S1", 1], 0), option_label(["S1", 1], 1), option_label((), 7, 1, ["a", "b"])
    ("'S1'", '1', '8 (a b)')
    """
    is_named = 0 <= option < len(names) and names[option] != option
    text = shorten(" ".join(items))
    return repr(names[option]) if is_named else f"{option + start}{text and f' ({text})'}"


def describe_option(problem: Problem, names: Names, option: int) -> str:
    """Return the name of an option in quotes, or its number and its items."""
    return option_label(names.options, option, items=_item_texts(problem, names, option))


class OptionSelectionError(DlxError, ValueError):
    """Options that are selected by their numbers do not exist, or contradict each other.

    Attributes
    ----------
    options : sequence of int
        The numbers of the options.
    """

    def __init__(
        self, template: str, options: Sequence[int], names: Names, problem: Problem | None = None
    ) -> None:
        self._template = template
        self.options = options
        self._names = names
        self._items = [[] if problem is None else _item_texts(problem, names, k) for k in options]
        super().__init__(self.describe())

    def describe(self, start: int = 0) -> str:
        """Return the message, in which the options are counted from `start`."""
        labels = [
            option_label(self._names.options, option, start, items)
            for option, items in zip(self.options, self._items, strict=True)
        ]
        return self._template.replace("{}", " and ".join(labels), 1)


class ContradictionError(OptionSelectionError):
    """Given and forbidden options contradict each other, so there is no cover.

    Attributes
    ----------
    options : sequence of int
        The numbers of the options.
    item : hashable
        The item that given options share, or None.
    """

    item: Hashable = None


def option_numbers(
    options: Iterable[Hashable], problem: Problem, names: Names, prefix: str = ""
) -> list[int]:
    """Return the numbers of options that are given by their numbers or names.

    Integers are numbers, anything else is a name, as `names_of` returns it. If options are named by
    integers, these are names, except in `Numbers`. Raises ValueError, whose message begins with
    `prefix`, if there is no such option.

    Examples
    --------
    >>> import numpy as np
    >>> problem = Problem(np.zeros(3, int), np.zeros(0, int), 0, 0)
    >>> option_numbers(["S1", 3], problem, Names([], [], ["S1", 1]), "given: ")
    Traceback (most recent call last):
        ...
    dlx_numba.cover.names.OptionSelectionError: given: option 3 does not exist; there are 2
    """
    if not isinstance(options, Numbers):
        options = [*options]
        n_listed = names.n_listed
        # The costs of all options, in their order, need no dictionary.
        if names.has_options and len(options) == n_listed and options == names.options[:n_listed]:
            return [*range(n_listed)]
    numbers: list[int] = []
    number_of: dict[Hashable, int | None] = {}
    n_options = len(names.options)
    are_names = names.has_integers and not isinstance(options, Numbers)
    for option in options:
        number = None if are_names else as_integer(option)
        if number is None:
            number_of = number_of or names.numbers(problem)
            try:
                number = number_of[option]
            except (KeyError, TypeError):  # TypeError: it cannot be hashed
                reason = f"{prefix}there is no option named {option!r}"
                raise ValueError(reason + suggest(option, simplify_names(number_of))) from None
            if number is None:
                reason = f"{prefix}several options are named {option!r}; use the number of one"
                raise ValueError(reason)
        if not 0 <= number < n_options:
            _check_number(number, names, prefix)
        numbers.append(number)
    return numbers


def _check_number(number: int, names: Names, prefix: str = "") -> int:
    """Return the number of an option, or raise ValueError if there is no such option."""
    if not 0 <= number < len(names.options):
        raise OptionSelectionError(
            f"{prefix}option {{}} does not exist; there are {len(names.options):,}", [number], names
        )
    return number


def check_numbers(numbers: Iterable[object], names: Names) -> list[int]:
    """Return option numbers as a list.

    Raises TypeError if they are not an iterable of integers, and ValueError if there is no such
    option.
    """
    if not isinstance(numbers, Iterable):
        raise TypeError(f"a cover must be a list of option numbers, not {numbers!r}")
    checked = (check_integer(number, "the number of an option") for number in numbers)
    return [_check_number(number, names) for number in checked]


def decode_option(
    problem: Problem, names: Names, option: int
) -> list[tuple[Hashable, Hashable | None]]:
    """Return the items of an option as pairs of a name and a color; None means no color."""
    colors = [None, *names.colors]
    return [(names.items[item], colors[color]) for item, color in problem.entries(option)]


def list_option(problem: Problem, names: Names, option: int) -> list[Hashable]:
    """Return the items of an option; an item with a color is a pair (item, color)."""
    entries = decode_option(problem, names, option)
    return [item if color is None else (item, color) for item, color in entries]


def names_of(problem: Problem, names: Names, options: Iterable[int]) -> list[Hashable]:
    """Return the names of options; if no option of the problem has a name, their items as text.

    The second option with the same items is marked by "(2)", the third one by "(3)", and so on.
    """
    if names.has_options:
        return [names.options[option] for option in options]
    copies = names.copies(problem)
    return [
        " ".join(_item_texts(problem, names, k) + ([f"({copies[k]})"] if k in copies else []))
        for k in options
    ]


def name_missing(options: Iterable[Hashable], problem: Problem, names: Names) -> Iterable[Hashable]:
    """Return options with names for the numbers of those that stand for items left uncovered.

    With other penalties, the options of these names have other numbers; see `Settings.renamed`.
    `Numbers`, such as a cover, are numbers of options in any case. In a list, as users write, an
    integer may be a name instead; so if there are such names, all of `Numbers` get names.
    """
    last = names.n_listed - 1
    if not isinstance(options, Numbers) or max(options, default=0) <= last:
        return options
    pairs = zip(options, names_of(problem, names, options), strict=True)
    return [name if k > last or names.has_integers else k for k, name in pairs]


def _item_texts(problem: Problem, names: Names, option: int) -> list[str]:
    """Return the items of an option, with their colors, as text."""
    mark = ["uncovered"] if option >= names.n_listed else []
    return [*mark, *map(format_entry, decode_option(problem, names, option))]


def find_separator(texts: Iterable[str]) -> str:
    """Return the first of a space, a comma and a semicolon that no text contains.

    >>> find_separator(["S1", "S3"]), find_separator(["room 1"]), find_separator(["X at 2,3"])
    (' ', ', ', '; ')
    """
    used: set[str] = set().union(*texts)
    return " " if " " not in used else ", " if "," not in used else "; "


def join_names(names: Iterable[Hashable], separator: str = "") -> str:
    """Return names as a list, by default with the separator that `find_separator` finds.

    A name that would look like a part of the list is put in quotes, as in CSV files; one with line
    breaks and the like is a JSON string.

    >>> join_names(["room 1", "bath"]), join_names(["a, b", "c; d"])
    ('room 1, bath', 'a, b; "c; d"')
    """
    names = list(names)
    separator = separator or find_separator(map(as_line, names))
    return separator.join(_list_field(as_text(name), separator[0]) for name in names)


def _list_field(text: str, delimiter: str) -> str:
    if not text.isprintable():
        return json.dumps(text)
    if text == text.strip() != "" and not set(text) & {delimiter, '"', "|"}:
        return text
    quoted = text.replace('"', '""')
    return f'"{quoted}"'


def format_entry(entry: tuple[Hashable, Hashable | None]) -> str:
    """Return an item, and its color if it has one, as in Knuth's format.

    A name with line breaks and the like is a JSON string.
    """
    item, color = entry
    return ":".join(map(as_line, [item] if color is None else [item, color]))


def option_items(problem: Problem) -> list[list[int]]:
    """Return the item numbers of each option, from 0."""
    items = problem.items.tolist()
    return [items[i:j] for i, j in pairwise(problem.indptr.tolist())]


def marked_rows(problem: Problem, marks: Sequence[str]) -> list[list[tuple[int, str]]]:
    """Return the item numbers of each option, from 0, with "1" or the mark of the color.

    `marks` has a text for each color.
    """
    texts = ["1", *marks]
    options = range(problem.n_options)
    return [[(item, texts[color]) for item, color in problem.entries(k)] for k in options]


def json_name(name: object) -> str | int:
    """Return a name as a JSON value that problems in JSON have."""
    return name if isinstance(name, str | int) and not isinstance(name, bool) else as_text(name)


def json_entry(item: object, color: object | None) -> Any:
    """Return an entry of an option as a JSON value: an item, or a list of an item and a color."""
    return json_name(item) if color is None else [json_name(item), json_name(color)]


def mark_colors(names: Sequence[str]) -> list[str]:
    """Return a character for each color: its name if possible for all colors, otherwise a letter.

    Examples
    --------
    >>> mark_colors(["x", "y"]), mark_colors(["x", "red"])
    (['x', 'y'], ['A', 'B'])
    """
    if len(set(names)) == len(names) and all(len(n) == 1 and n not in "01." for n in names):
        return list(names)
    letters = filter(
        str.isalpha, chain(ascii_uppercase, ascii_lowercase, map(chr, count(ord("À"))))
    )
    return list(islice(letters, len(names)))
