"""Results that are tables, as data frames of pandas, which need not be installed."""

from importlib import import_module
from typing import Any


class Table:
    """The base class of results that are tables."""

    __slots__ = ()

    def _columns(self) -> dict[str, Any]:
        """Return the columns by their names, as arrays or lists of the same length."""
        raise NotImplementedError

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
        return import_module("pandas").DataFrame(self._columns())
