"""The types of the names of options, which type checkers infer from what a problem is made of."""

from typing import Generic, TypeVar

NameT = TypeVar("NameT", covariant=True)


class NamedByOptions(Generic[NameT]):
    """The base class of problems, whose constructor's first argument has the names of options.

    Pyright infers their type from `__new__`, and mypy from `__init__`, where Pyright would take a
    mapping whose keys are tuples for an iterable of tuples.
    """
