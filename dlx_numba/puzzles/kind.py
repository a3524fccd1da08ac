"""The protocol of a kind of puzzle, and the modules of all kinds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from ..runtime.arguments import check_integer
from .registry import KINDS

if TYPE_CHECKING:
    from ..runtime.errors import FormatError
    from .puzzle import Puzzle
    from .records import Record


class Kind(Protocol):
    """A module that reads puzzles of one kind.

    A module whose puzzles may contain blank lines has `HAS_BLANK_LINES = True`. One with `LINE`, a
    pattern, has a puzzle on each line of a text whose first line starts with it.

    Attributes
    ----------
    formats : str
        How its files look, in one line for the list of kinds.
    """

    formats: str

    def parse(self, record: Record) -> Puzzle | Iterable[Puzzle | FormatError]:
        """Return the puzzle of a record, or the puzzles of a document.

        Raises FormatError or ValueError if the text is not exactly in a notation of the kind: each
        line and each word has a meaning, and sizes hold.
        """


def load_kind(name: str) -> Any:
    """Return the module of a kind. Raises ValueError if there is no such kind.

    >>> load_kind("quens")
    Traceback (most recent call last):
    ...
    ValueError: there is no kind 'quens'; did you mean 'queens'?
    """
    if name not in KINDS:
        nearest = "".join(f"; did you mean {n!r}?" for n in get_close_matches(str(name), KINDS, 1))
        raise ValueError(f"there is no kind {name!r}{nearest}")
    return import_module(f".{KINDS[name]}", __package__)


def readers() -> dict[str, Kind]:
    """Return the modules of the kinds that are read from files, by their names."""
    return kinds_with("parse")


def examples() -> dict[str, Callable[..., Puzzle]]:
    """Return the function that creates an example of each kind, by its name."""
    return {name: module.example for name, module in kinds_with("example").items()}


def kinds_with(attribute: str) -> dict[str, Any]:
    """Return the modules that have a function, by the names of their kinds."""
    modules = {name: load_kind(name) for name in KINDS}
    return {name: module for name, module in modules.items() if hasattr(module, attribute)}


def example(kind: str, **parameters: Any) -> Puzzle:
    """Return an example of a kind of puzzle.

    Parameters
    ----------
    kind : str
        The name of the kind, such as "queens"; the command `gallery` lists all of them.
    **parameters
        The parameters of the example, such as `n=12`.

    Returns
    -------
    Puzzle

    Raises
    ------
    ValueError
        If there is no such kind or parameter, or a parameter has an invalid value.
    TypeError
        If a parameter has a wrong type.

    Examples
    --------
    >>> queens = example("queens", n=4)
    >>> print(queens.text(queens.first()))
    . Q . .
    . . . Q
    Q . . .
    . . Q .
    """
    create: Callable[..., Puzzle] | None = getattr(load_kind(kind), "example", None)
    if create is None:
        raise ValueError(f"the kind {kind!r} has no example")
    known = inspect.signature(create).parameters
    if unknown := parameters.keys() - known.keys():
        raise ValueError(f"{kind} has no parameter {min(unknown)!r}; it has {', '.join(known)}")
    for name, value in parameters.items():
        default = known[name].default
        if isinstance(default, str | bool) and not isinstance(value, type(default)):
            expected = "a text" if isinstance(default, str) else "True or False"
            raise TypeError(f"{name} must be {expected}, not {value!r}")
        if type(default) is int:
            check_integer(value, name)
    return create(**parameters)
