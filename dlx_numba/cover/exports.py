"""Problems for other programs, and covers as tables."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..runtime.files import replace_file
from ..runtime.tables import data_frame
from .base import ExactCoverBase
from .io.models import Model, build_cpsat, build_model, format_cnf, format_mps
from .io.numbered import format_orlib
from .names import check_numbers, decode_option, names_of


class Exports(ExactCoverBase):
    """The methods of `ExactCover` that convert problems and covers for other programs."""

    def to_cnf(self, file: str | os.PathLike[str] | None = None) -> str:
        """Return the problem in the DIMACS format of SAT solvers.

        The variables from 1 to `n_options` are the options, and comments have their names. Their
        values determine those of all other variables, so each solution is one model. If options
        have costs, the text is in the WCNF format of MaxSAT solvers: a model of the lowest weight
        is a cheapest solution.

        Parameters
        ----------
        file : str or path-like, optional
            A file that is replaced by the text.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the problem has totals.

        Notes
        -----
        Given options are true, and forbidden ones are false. Items in exactly, at least or at most
        several options are sequential counters (C. Sinz, "Towards an Optimal CNF Encoding of
        Boolean Cardinality Constraints", 2005).

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover({"S1": ["A"], "S2": ["A", "B"], "S3": ["B"]}).to_cnf(), end="")
        c 1 = S1
        c 2 = S2
        c 3 = S3
        p cnf 3 4
        1 2 0
        -2 -1 0
        2 3 0
        -3 -2 0
        """
        return _write(format_cnf(self._model()), file)

    def to_mps(self, file: str | os.PathLike[str] | None = None) -> str:
        """Return the problem in the free MPS format of solvers for integer programs.

        The first columns are the options, in their order, and the rows are the items and totals. A
        color of a secondary item that several options have is a column, too.

        Parameters
        ----------
        file : str or path-like, optional
            A file that is replaced by the text.

        Returns
        -------
        str

        Notes
        -----
        Given options are fixed to 1, and forbidden ones to 0. Spaces in names become underscores.
        Options without names are `x0`, `x1` and so on. `from_file` reads the text again if the
        problem has neither colors nor totals, and no given or forbidden options.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover({"S1": ["A"], "S2": ["A"]}, costs=[3, 2.5]).to_mps(), end="")
        NAME ExactCover
        ROWS
         N cost
         E A
        COLUMNS
         MARKER 'MARKER' 'INTORG'
         S1 cost 3.0
         S1 A 1
         S2 cost 2.5
         S2 A 1
         MARKER 'MARKER' 'INTEND'
        RHS
         RHS A 1
        BOUNDS
         BV BOUND S1
         BV BOUND S2
        ENDATA
        """
        return _write(format_mps(self._model()), file)

    def to_orlib(self, file: str | os.PathLike[str] | None = None) -> str:
        """Return a partitioning or covering problem with costs in a format of the OR-Library.

        If each item is covered exactly once, this is the format of set partitioning problems, and
        if at least once, that of set covering problems. Items and options are numbered in their
        order, from 1. `from_file` reads the text again.

        Parameters
        ----------
        file : str or path-like, optional
            A file that is replaced by the text.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the problem has other multiplicities, secondary items, totals, or given or forbidden
            options, or if the options do not have costs that are nonnegative integers.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> print(ExactCover([["a"], ["a", "b"]], costs=[3, 5]).to_orlib(), end="")
        2 2
        3 1 1
        5 2 1 2
        """
        if self._selected.given or self._forbidden:
            raise ValueError("the format of the OR-Library has no given or forbidden options")
        return _write(format_orlib(self.problem, self._names), file)

    def to_cpsat(self) -> Any:
        """Return the problem as a model of CP-SAT, the constraint solver of OR-Tools.

        Variable `k` is option `k`: `model.get_bool_var_from_proto_index(k)` returns it, so that the
        model can be extended. After a solve, `solver.response_proto.solution[k]` is its value.

        Returns
        -------
        ortools.sat.python.cp_model.CpModel

        Raises
        ------
        ImportError
            If OR-Tools is not installed.

        Notes
        -----
        Given options are 1, and forbidden ones are 0. The objective is the cost, or the value that
        is maximized; a solver minimizes it in integers, so fractions are exact.
        """
        return build_cpsat(self._model())

    def _model(self) -> Model:
        """Return the problem with its given and forbidden options in variables."""
        return build_model(self.problem, self._names, self._selected.given, self._forbidden)

    def frame(self, covers: Iterable[Any]) -> Any:
        """Return covers as a data frame of pandas with a row for each item of each option.

        Parameters
        ----------
        covers : iterable of iterable of int
            The covers, as `solve` returns them, or pairs of a cost and a cover, as of `cheapest`.

        Returns
        -------
        pandas.DataFrame
            The columns are `cover`, the number of the cover from 0; `option`, its number; `name`,
            that of the option; `item`; and `color`, which is missing if the item has none.

        Raises
        ------
        ImportError
            If pandas is not installed.
        TypeError, ValueError
            If the number of an option is not an integer, or there is no such option.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover({"S1": ["A", ("s", "red")], "S2": ["B"]}, secondary=["s"])
        >>> print(cover.frame(cover.solve()).fillna("-").to_string(index=False))
         cover  option name item color
             0       0   S1    A     -
             0       0   S1    s   red
             0       1   S2    B     -
        """
        rows = []
        for number, found in enumerate(covers):
            options = check_numbers(found[1] if isinstance(found, tuple) else found, self._names)
            named = zip(options, names_of(self.problem, self._names, options), strict=True)
            rows += [
                (number, option, name, *entry)
                for option, name in named
                for entry in decode_option(self.problem, self._names, option)
            ]
        keys = ("cover", "option", "name", "item", "color")
        return data_frame({key: [row[k] for row in rows] for k, key in enumerate(keys)})


def _write(text: str, file: str | os.PathLike[str] | None) -> str:
    """Return a text, which also becomes the content of the file, if any."""
    if file is not None:
        replace_file(file, text.encode())
    return text
