"""What a file of an exact cover problem holds: options by name, or a sparse matrix."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Entry = Any  # an item's name; or, of a secondary item, the pair of its name and its colour


class NamedProblem(NamedTuple):
    """Options by name. `primary` may be None, for all items that the options name."""

    primary: Sequence[Hashable] | None
    secondary: Sequence[Hashable]
    options: Sequence[Sequence[Entry]]
    multiplicity: Mapping[Hashable, tuple[int, int]]  # of the items that have another than 1
    costs: Sequence[int] | None  # of each option; None where no option has any


class SparseProblem(NamedTuple):
    """A matrix in SciPy's CSR layout: a row an option, a column an item."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int64]
    n_items: int


def as_text(name: object) -> str:
    """A name as text: that of a tuple has its elements with commas between them.

    >>> as_text("a"), as_text(("row", 3))
    ('a', 'row,3')
    """
    return ",".join(map(as_text, name)) if isinstance(name, tuple) else str(name)


def as_texts(names: Sequence[object]) -> list[str]:
    """The names as text. Raises ValueError where two become the same."""
    texts = [as_text(name) for name in names]
    seen: dict[str, object] = {}
    for text, name in zip(texts, names, strict=True):
        if text in seen:
            raise ValueError(f"items {seen[text]!r} and {name!r} are both written {text!r}")
        seen[text] = name
    return texts
