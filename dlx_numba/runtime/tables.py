"""Results that pandas and the libraries of Arrow read, which need not be installed."""

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import fields, make_dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .extras import import_extra


class Table(ABC):
    """The base class of results that can be converted to data frames."""

    __slots__ = ()

    @abstractmethod
    def _columns(self) -> dict[str, Any]:
        """Return the columns by their names, as arrays or lists of the same length."""

    def to_pandas(self) -> Any:
        """Return the result as a data frame of pandas.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return import_extra("pandas", "a data frame needs pandas", "pandas").DataFrame(
            self._columns()
        )

    def to_arrow(self) -> Any:
        """Return the result as a table of Arrow, which polars, DuckDB and Parquet files accept.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        ImportError
            If pyarrow, the extra `arrow`, is not installed.
        """
        columns = {
            name: column.tolist() if getattr(column, "dtype", None) == np.dtype(object) else column
            for name, column in self._columns().items()
        }
        return import_extra(
            "pyarrow", "a table of Arrow needs pyarrow", "'dlx-numba[arrow]'"
        ).table(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return the columns as a stream, which libraries of Arrow read, with the same needs."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def columns_of(table: Table) -> dict[str, Any]:
    """Return the columns of a table by their names, as arrays or lists of the same length."""
    return table._columns()


class ArrayFields:
    """The base class of dataclasses with arrays: equal if all fields that are compared are."""

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __eq__(self, other: object) -> bool:
        """Return whether all fields that are compared are equal."""
        if not isinstance(other, type(self)):
            return NotImplemented
        names = (each.name for each in fields(cast(Any, self)) if each.compare)
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return all(
            np.array_equal(a, b) if np.ndarray in (type(a), type(b)) else a == b for a, b in pairs
        )


class RowTable(Table):
    """The base class of tables that yield their rows. `pandas.DataFrame` accepts them."""

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows, as named tuples."""
        columns = self._columns()
        row: Any = namedtuple("Row", list(columns))  # type: ignore[misc]  # the names are not constant
        return map(row, *_lists(columns))


class ColumnTable(Table):
    """The base class of tables that yield their columns. `pandas.DataFrame` accepts them."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the rows as dataclasses, from which pandas takes the names of the columns."""
        columns = self._columns()
        rows = map(make_dataclass("Row", list(columns)), *_lists(columns))
        return np.array(list(rows), object).astype(dtype or object)


def _lists(columns: dict[str, Any]) -> list[list[Any]]:
    """Return columns, which are arrays or lists, as lists with Python's numbers."""
    return [getattr(column, "tolist", column.copy)() for column in columns.values()]
