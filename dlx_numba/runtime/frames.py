"""Data frames of pandas, Polars and PyArrow, and queries that become data frames."""

from numbers import Real
from typing import Any

import numpy as np

LIBRARIES = "pandas", "polars", "pyarrow"
QUERIES = {"LazyFrame": "collect()", "DuckDBPyRelation": "df()"}


def reject_query(value: object) -> None:
    """Raise TypeError if a value is a query whose rows are not computed yet.

    >>> class LazyFrame: "A query of Polars."
    >>> reject_query(LazyFrame())
    Traceback (most recent call last):
    ...
    TypeError: a LazyFrame is a query without rows yet: pass the result of its method collect()
    """
    name = type(value).__name__
    if name in QUERIES:
        advice = f"pass the result of its method {QUERIES[name]}"
        raise TypeError(f"a {name} is a query without rows yet: {advice}")


def fill_missing(value: object) -> Any:
    """Return a frame or column of whole numbers as an array of them, in which missing cells are 0.

    Anything else is returned as it is.
    """
    if type(value).__module__.partition(".")[0] not in LIBRARIES:
        return value
    array = np.asarray(value)
    if array.dtype.kind == "O":  # as pandas converts its nullable integers
        cells = array.ravel().tolist()
        are_numbers = [isinstance(cell, Real) for cell in cells]
        pairs = [*zip(cells, are_numbers, strict=True)]
        others = {str(cell) for cell, is_number in pairs if not is_number}
        if not others <= {"<NA>", "None"} or not any(are_numbers):  # these are missing cells
            return value
        numbers = [cell if is_number else 0 for cell, is_number in pairs]
        array = np.array(numbers, np.float64).reshape(array.shape)
    if array.dtype.kind != "f":  # only an array of floats can have missing cells, as NaN
        return value
    array = np.where(np.isnan(array), 0, array)
    is_whole = np.isfinite(array).all() and (array == np.floor(array)).all()
    return array.astype(np.int64) if is_whole else value
