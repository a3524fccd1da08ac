"""Files of variations of a problem: one on each line, as `cover --batch` reads them.

A line has given options, separated by commas; `!` precedes a forbidden option, `~` an item that is
regarded as covered. An empty line is a variation without conditions. A line may also be a JSON
object, whose lists "given", "forbidden" and "covered" have names and numbers.
"""

import csv
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from ...cover.names import Names, as_text, option_numbers
from ...cover.spelling import simplify_names, suggest
from ...kernels.problem import Problem
from ...runtime.arguments import check_choice
from ...runtime.json import load_json
from ...runtime.source import Source

_COST = re.compile(r" \|-?[0-9][0-9.e+-]*$")  # behind a cover; a name with | is in quotes
_MARKS = {"!": "forbidden", "~": "covered"}


class Variation(NamedTuple):
    """The conditions of a variation."""

    given: list[int]
    forbidden: list[int]
    covered: list[Hashable]


class LineBlock(NamedTuple):
    """Consecutive lines of a file."""

    first: int  # the number of the first line, from 1
    variations: list[Variation | str]  # why a line cannot be read, instead of its conditions
    ids: list[dict[str, Any]]  # of each line: its field "id", if it has one
    bytes_read: int  # of the file
    is_cut: bool = False  # whether these are the last ones that were read in time


def split_list(text: str) -> list[str]:
    """Return the elements of a list that are separated by commas; quotes are those of CSV.

    Examples
    --------
    >>> split_list('1, "a, b",, c')
    ['1', 'a, b', 'c']
    """
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    return [word for row in rows for word in map(str.strip, row) if word]


def option_of_word(
    word: str, number_of: Mapping[str, int], start: int, n_options: int
) -> int | None:
    """Return the number, from 0, of an option that is given by its number or its name.

    Returns None for a name without an option. Raises ValueError if the number of an option, counted
    from `start`, is also the name of another one.
    """
    named = number_of.get(word)
    if re.fullmatch(r"-?[0-9]{1,18}", word) is None:
        return named
    number = int(word) - start
    if named is None or named == number:
        return number
    if 0 <= number < n_options:
        raise ValueError(
            f"{word} is the number of an option and the name of another one; rename the options, "
            "or use --one-based if the names count from 1"
        )
    return named


class VariationReader:
    """A reader of variations of one problem.

    Parameters
    ----------
    problem : Problem
    names : Names
    start : int
        The number of the first option in the file.
    """

    def __init__(self, problem: Problem, names: Names, start: int = 0) -> None:
        named = enumerate(names.options)
        # By name, unless this is just the number of the option
        self._number_of = {as_text(name): k for k, name in named if name != k}
        if names.table is not None:  # names such as `5a, Ng` may lack their spaces
            compact = {name.replace(", ", ","): k for name, k in self._number_of.items()}
            self._number_of = compact | self._number_of
        self._item_of = {as_text(item): item for item in names.items}
        self.problem = problem
        self._names = names
        self._start = start

    def options(self, text: str) -> list[int]:
        """Return the options in a list, which is separated by commas, or as commands separate it.

        A cost at its end, as commands print it, is ignored. The list may also be of conditions such
        as ``slot=Mon``, which rows of a table meet. Raises ValueError if there is no such option.
        """
        names = self._names
        if text not in self._number_of:
            text = _COST.sub("", text)
        words = split_list(text)
        numbers = text.split()
        separator = names.separator if names.has_options else ";"
        # The readings as names, in the order in which they are tried: the text is a single name; a
        # list as commands write it; a list with commas.
        lists = [[text], *csv.reader([text], delimiter=separator[0], skipinitialspace=True), words]
        if not names.has_options and "; " in text:  # options as their items, which may be numbers
            return option_numbers(text.split("; "), self.problem, names)
        if all(word.isdigit() for word in numbers):
            words = numbers
        elif not all(word.isdigit() for word in words):
            for reading in lists:
                with suppress(ValueError):
                    return [*map(self.option, reading)]
            if names.table is not None and all("=" in word for word in words):
                return list(names.table.select(words))
            if separator == "; ":
                words = lists[1]  # as commands write it, for the message
        return [*map(self.option, words)]

    def option(self, word: str) -> int:
        """Return the number, from 0, of an option that is given by its number or its name.

        Raises ValueError if there is none, or the number is also the name of another option.
        """
        number = option_of_word(word, self._number_of, self._start, len(self._names.options))
        if number is None:
            # Options without names are called by their items; otherwise, this raises an exception.
            return option_numbers([word], self.problem, self._names)[0]
        if not 0 <= number < len(self._names.options):
            n_options = len(self._names.options)
            raise ValueError(f"option {word} does not exist; there are {n_options:,}")
        return number

    def fields(self, line: str) -> dict[str, Any]:
        """Return the lists in a line by name; a JSON object may also have an id."""
        words = split_list(line)
        if line.lstrip().startswith("{") and words[0] not in self._number_of:
            return dict(load_json(line))
        fields: dict[str, Any] = {name: [] for name in Variation._fields}
        for word in words:
            mark = "" if word in self._number_of or word[0] not in _MARKS else word[0]
            fields[_MARKS.get(mark, "given")].append(word.removeprefix(mark))
        return fields

    def parse(self, fields: dict[str, Any]) -> Variation:
        """Return the conditions in the lists of a line.

        Raises ValueError if one of them does not exist.

        Examples
        --------
        >>> from dlx_numba.cover.encode import encode_options
        >>> options = {"S1": ["a"], 1: ["b"], 2: ["a", "b"]}
        >>> reader = VariationReader(*encode_options(options, None, []))
        >>> reader.parse(reader.fields("S1, !2, ~b"))
        Variation(given=[0], forbidden=[2], covered=['b'])
        """
        for name, words in fields.items():
            check_choice("a field of a variation", name, ("id", *Variation._fields))
            if name != "id" and not isinstance(words, list):
                raise ValueError(f"{name} must be a list, not {words!r}")
        given, forbidden, covered = (map(str, fields.get(name, ())) for name in Variation._fields)
        variation = Variation([*map(self.option, given)], [*map(self.option, forbidden)], [])
        for word in covered:
            if word not in self._item_of:
                hint = suggest(word, simplify_names(self._item_of))
                raise ValueError(f"there is no item named {word!r}{hint}")
            variation.covered.append(self._item_of[word])
        return variation

    def read(
        self, path: str, n_done: int, size: int, stop: Callable[[], bool]
    ) -> Iterator[LineBlock]:
        """Yield the lines of a file, or of standard input ("-"), after the first `n_done`.

        A block has at most `size` lines. When `stop` returns True, it ends early, and is the last
        one, but it has a line, so that each call makes progress. Raises UnreadableError if the file
        cannot be read.
        """
        n_before = 0  # lines that were skipped or yielded
        with Source(path) as source:
            for text in source.whole_lines(0):
                lines = bytes(text).splitlines()
                n_skipped = min(len(lines), max(0, n_done - n_before))
                n_before += n_skipped
                for k in range(n_skipped, len(lines), size):
                    block = LineBlock(n_before + 1, [], [], source.bytes_read)
                    for line in lines[k : k + size]:
                        if block.variations and stop():
                            yield block._replace(is_cut=True)
                            return
                        self._add(block, line)
                    yield block
                    n_before += len(block.variations)

    def _add(self, block: LineBlock, line: bytes) -> None:
        """Add the variation on a line to a block, or why it cannot be read."""
        fields: dict[str, Any] = {}
        try:
            fields = self.fields(line.decode())
            block.variations.append(self.parse(fields))
        except (ValueError, csv.Error) as error:  # also of UTF-8
            block.variations.append(str(error))
        block.ids.append({name: fields[name] for name in ("id",) if name in fields})
