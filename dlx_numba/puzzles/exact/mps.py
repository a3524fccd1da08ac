"""Partitioning, covering and packing problems in the MPS format of integer programming."""

import json
import re
import warnings
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from ...cover.costs import count_if_unclear, count_options
from ...cover.encode import Formulation
from ...cover.models import Model, linear_rows
from ...cover.penalties import as_cost, exact_costs, option_costs
from .linear import Program, Variable
from .notation import Limits, TextLines, unquote_name

_MARKERS = ("'INTORG'", "'INTEND'")  # of the columns between them
_MARKER = "'MARKER'"  # on the lines with them
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_SENSES = {"MIN": False, "MINIMIZE": False, "MAX": True, "MAXIMIZE": True}
# Comments of `format_mps`: the names in the place of those that other programs can read
_OWN = "* dlx_numba: "
_NEGATED = "the objective is a maximum, so its coefficients are negated"
_NAMED = re.compile(r"(column|row) (\S+) is (\".*\")")
_FOREIGN_SENSE = re.compile(r"\*SENSE:max", re.IGNORECASE)


class _Reader:
    """Reads the lines of the sections of a text.

    Attributes
    ----------
    program : Program
        What they say.
    names : dict of str to dict of str to str
        The names in the places of others, of columns and of rows.
    is_negated : bool
        Whether the program is a maximum with negated costs.
    """

    def __init__(self) -> None:
        self.program = Program("column")
        self.names: dict[str, dict[str, str]] = {"column": {}, "row": {}}
        self.is_negated = False
        self._are_integers = False  # the columns that follow
        self._kinds: dict[str, str] = {}  # by row: N, E, L or G
        self._objective: str | None = None  # its row, the first one of the kind N
        self._numbers: dict[str, dict[str, int]] = {"RHS": {}, "RANGES": {}}  # by section and row
        self._has_constant = False  # whether the objective has a right-hand side
        self._bounded: set[str] = set()  # the columns with a bound

    def read(self, section: str, words: list[str], lines: TextLines) -> None:
        """Read the words on a line of a section, or raise ValueError."""
        if section == "OBJSENSE":
            if words[0].upper() not in _SENSES or len(words) > 1:
                raise ValueError(f"expected MIN or MAX, not {' '.join(words)!r}")
            self.program.is_maximized = _SENSES[words[0].upper()]
        elif section == "ROWS":
            self._read_row(words)
        elif section == "COLUMNS" and _MARKER in words:
            is_first = words[-1] == "'INTORG'"
            if words[-1] not in _MARKERS or len(words) != 3 or is_first == self._are_integers:
                raise ValueError("expected 'INTORG' before integer columns, 'INTEND' after them")
            self._are_integers = is_first
        elif section == "COLUMNS":
            self._read_column(words, lines.number)
        elif section in self._numbers:
            for row, value in self._pairs(words)[1]:
                self._read_number(section, row, value, lines)
        elif section == "BOUNDS":
            self._read_bound(words, lines)
        else:
            raise ValueError(f"a line of data is not possible in {section or 'no section'}")

    def read_comment(self, comment: str, lines: TextLines) -> None:
        """Read what `format_mps` has written as a comment, or raise ValueError."""
        content = comment.removeprefix(_OWN)  # it stays as it is if others have written it
        if _FOREIGN_SENSE.match(comment):
            notice = f"{comment.strip()!r} is a comment, so the objective is minimized"
            lines.warn(notice, lines.number)
        elif content == comment:
            return
        elif (match := _NAMED.fullmatch(content)) is not None:
            self.names[match[1]][match[2]] = unquote_name(match[3])
        elif content == _NEGATED:
            self.is_negated = True

    def _read_row(self, words: list[str]) -> None:
        """Read the kind and the name of a row; the first one of kind N is the objective."""
        kind = words[0].upper()
        name = words[-1]
        if kind not in ("N", "E", "L", "G") or len(words) != 2 or name in self._kinds:
            raise ValueError(f"expected N, E, L or G and a new name, not {' '.join(words)!r}")
        self._kinds[name] = kind
        if kind == "N" and self._objective is None:
            self._objective = name

    def _read_column(self, words: list[str], line: int) -> None:
        """Read the coefficients of a column on a line."""
        name, pairs = self._pairs(words)
        if name not in self.program.variables:
            high = 1 if self._are_integers else inf
            self.program.variables[name] = Variable(line, self._are_integers, 0, high)
        column = self.program.variables[name]
        for row, value in pairs:
            if row == self._objective:
                if column.cost is not None:
                    raise ValueError(f"the cost of column {name!r} is given twice")
                column.cost = as_cost(value)
            elif self._kinds[row] != "N":  # other rows of this kind are free
                what = f"the coefficient of column {name!r} in row {row!r}"
                _store(column.entries, row, value, what)

    def _read_number(self, section: str, row: str, value: Fraction, lines: TextLines) -> None:
        """Read the right-hand side or the range of a row."""
        if self._kinds[row] != "N":
            _store(self._numbers[section], row, value, f"{section} of row {row!r}")
        elif section == "RHS" and row == self._objective:
            if self._has_constant:
                raise ValueError(f"RHS of row {row!r} is given twice")
            self._has_constant = True
            self.program.constant = as_cost(-value)  # on the right-hand side, it is subtracted
        elif value:
            lines.warn(f"{section} of the free row {row!r} is ignored", lines.number)

    def _read_bound(self, words: list[str], lines: TextLines) -> None:
        """Read a bound of a column, or the absence of one."""
        kind = words[0].upper()
        has_value = kind in ("UP", "UI", "LO", "LI", "FX")
        if not has_value and kind not in ("BV", "PL", "MI", "FR"):
            raise ValueError(f"expected BV, UP, LO, UI, LI, FX, PL, MI or FR, not {words[0]!r}")
        columns = self.program.variables
        names = words[1:-1] if has_value else words[1:]
        # Some programs write a number after a column that needs none.
        if len(names) > 1 and names[-1] not in columns and _NUMBER.fullmatch(names[-1]):
            names.pop()
        name = "".join(names[-1:])  # after the name of the bounds, which may be missing
        value = _parse_number(words[-1]) if has_value and name else 0
        if len(names) == 2 and name not in columns and has_value and not value:
            # lp_solve and OR-tools write bounds of columns that are in no row.
            notice = f"column {name!r} has the bound 0, and is nowhere else: it is ignored"
            lines.warn(notice, lines.number)
            return
        if len(names) > 2 or name not in columns:
            raise ValueError(f"no column is known in {' '.join(words)!r}")
        column = columns[name]
        column.line = lines.number
        if name not in self._bounded:  # without bounds, the highest value of an integer is 1
            self._bounded.add(name)
            column.high = inf
        if kind in ("BV", "UI", "LI"):
            column.is_integer = True
        # The new limits, by the kind of the bound; other kinds leave a limit as it is.
        low = {"BV": 0, "MI": -inf, "FR": -inf, **dict.fromkeys(("LO", "LI", "FX"), value)}
        high = {"BV": 1, "PL": inf, "FR": inf, **dict.fromkeys(("UP", "UI", "FX"), value)}
        column.low = low.get(kind, column.low)
        column.high = high.get(kind, column.high)

    def _pairs(self, words: list[str]) -> tuple[str, list[tuple[str, Fraction]]]:
        """Return a name, "" if it is missing, and pairs of a row and a number."""
        name, *rest = words if len(words) % 2 else ["", *words]
        for row in rest[::2]:
            if row not in self._kinds:
                raise ValueError(f"row {row!r} is unknown")
        return name, list(zip(rest[::2], map(_parse_number, rest[1::2]), strict=True))

    def finish(self, lines: TextLines) -> Formulation:
        """Return the problem, or raise ValueError."""
        program = self.program
        program.limits = {
            row: self._limits(row) for row, kind in self._kinds.items() if kind != "N"
        }
        for column in program.variables.values():
            column.entries = {row: value for row, value in column.entries.items() if value}
        if self.is_negated:
            program.negate()
        program.rename(self.names["column"], self.names["row"])
        return program.formulate(lines)

    def _limits(self, row: str) -> Limits:
        """Return the limits of the sum of a row."""
        kind = self._kinds[row]
        rhs = self._numbers["RHS"].get(row, 0)
        size = self._numbers["RANGES"].get(row)
        if kind == "E":
            end = rhs + (size or 0)
            return min(rhs, end), max(rhs, end)
        if kind == "G":
            return rhs, None if size is None else rhs + abs(size)
        return None if size is None else rhs - abs(size), rhs


def _parse_number(text: str) -> Fraction:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    return Fraction(text)


def _store(numbers: dict[str, int], row: str, value: Fraction, name: str) -> None:
    """Store an integer, or raise ValueError if the number is none, or there is one."""
    if row in numbers:
        raise ValueError(f"{name} is given twice")
    if value.denominator != 1:
        raise ValueError(f"{name} must be an integer, not {float(value):g}")
    numbers[row] = int(value)


def parse_mps(text: str, source: str = "<text>") -> Formulation:
    r"""Parse an integer program in the MPS format, whose names have no spaces.

    The columns are binary variables, the options, which bounds may fix. A row whose coefficients
    are 1 is an item, and its right-hand side and range are the multiplicity. A row with other
    integers is a total. A constant in the objective is an option `constant`.

    Parameters
    ----------
    text : str
        The program.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not such a program; names the source and the line.

    Examples
    --------
    >>> rows, columns = "ROWS\n N cost\n G a\n", "COLUMNS\n x cost 2.5 a 1\n"
    >>> problem = parse_mps(f"NAME\n{rows}{columns}RHS\n RHS a 1\nBOUNDS\n BV B x\nENDATA\n")
    >>> problem.options, problem.items, problem.multiplicity, problem.costs
    ({'x': ['a']}, ['a'], {'a': (1, None)}, {'x': 2.5})
    """
    reader = _Reader()
    section = ""
    sections: set[str] = set()
    with TextLines(text, source) as lines:
        for line in lines:
            if line.lstrip().startswith("*"):
                reader.read_comment(line.rstrip("\n"), lines)
            elif section == "ENDATA":
                raise ValueError("the program ends with ENDATA")
            elif line[0].isspace():
                reader.read(section, line.partition(" $ ")[0].split(), lines)  # before a comment
            else:
                section, *words = line.upper().split()
                if section not in _SECTIONS or section in sections:
                    raise ValueError(f"section {section!r} is not possible")
                sections.add(section)
                if section == "OBJSENSE" and words:
                    reader.read(section, words, lines)
        if section != "ENDATA":
            raise ValueError("ENDATA is missing")
        return reader.finish(lines)


MAX_NAME = 140  # CBC misreads names of 160 bytes; there may be a mark and a number, too
_SECTIONS = ["NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"]
# Names that some programs misread, in any case: they are other sections of HiGHS, too
_RESERVED = {*_SECTIONS, "COST", "BOUND", "RANGE", "CSECTION", "QCMATRIX", "QSECTION"}


def format_mps(model: Model) -> str:
    """Return a model in the free MPS format, with names that all programs read.

    A maximum is written with negated costs, because some programs ignore or refuse OBJSENSE.
    Comments have the names and the sense for `parse_mps`.
    """
    problem = model.problem
    if problem.cost is None and model.colors:
        problem, names = count_options(problem, model.names)  # the columns do not say so
    else:
        problem, names = count_if_unclear(problem, model.names)
    is_maximized = names.scale.factor < 0
    texts = model.texts()
    if not names.has_options:
        texts[: problem.n_options] = [f"x{k}" for k in range(problem.n_options)]
    texts = _distinct(texts)
    column_labels = _labels(texts)
    rows = list(linear_rows(model, texts))
    row_names = _distinct(text for text, _ in rows)
    row_labels = _labels(row_names)
    # The names that had to be changed are in comments.
    comments = [_NEGATED] if is_maximized else []
    for noun, written, original in (
        ("column", column_labels, texts),
        ("row", row_labels, row_names),
    ):
        comments += [
            f"{noun} {label} is {json.dumps(text)}"
            for label, text in zip(written, original, strict=True)
            if label != text
        ]
    # The rows and coefficients of each column
    entries: list[list[tuple[str, Any]]] = [[] for _ in column_labels]
    costs = option_costs(problem, names)
    if names.exact_costs is not None or abs(names.scale.factor) > 1:
        exact = exact_costs(problem, names)
        if any(Fraction(repr(cost)) != value for cost, value in zip(costs, exact, strict=False)):
            warnings.warn("costs are rounded to 17 digits; JSON has all of them", stacklevel=2)
    # If all costs are 0, they are written, to say that there are costs; others need no zeros.
    has_zeros = not any(costs)
    for column, cost in zip(entries, costs, strict=False):
        if cost or has_zeros:
            column.append(("cost", -cost if is_maximized else cost))
    head = [" N cost"]
    rhs: list[str] = []
    ranges: list[str] = []
    for label, (_, (low, high, pairs)) in zip(row_labels, rows, strict=True):
        # L: at most, E: equal, G: at least; the range of a row with two limits is their difference
        head.append(f" {'L' if low is None else 'E' if low == high else 'G'} {label}")
        rhs.append(f" RHS {label} {high if low is None else low}")
        if low is not None and high is not None and low < high:
            ranges.append(f" RANGE {label} {high - low}")
        for k, coefficient in pairs:
            entries[k].append((label, coefficient))
    body = [
        f" {column} {row} {number}"
        for column, pairs in zip(column_labels, entries, strict=True)
        for row, number in pairs or [("cost", 0)]
    ]
    bounds = [
        f" FX BOUND {column} {model.fixed[k]}" if k in model.fixed else f" BV BOUND {column}"
        for k, column in enumerate(column_labels)
    ]
    sections = {
        "ROWS": head,
        "COLUMNS": [" MARKER 'MARKER' 'INTORG'", *body, " MARKER 'MARKER' 'INTEND'"],
        "RHS": rhs,
        "RANGES": ranges,
        "BOUNDS": bounds,
    }
    # CBC and SYMPHONY take short names for those of the fixed format without the word FREE.
    lines = [*(_OWN + comment for comment in comments), "NAME ExactCover FREE"]
    for section, content in sections.items():
        if content:
            lines += [section, *content]
    return "\n".join([*lines, "ENDATA", ""])


def _distinct(texts: Iterable[str]) -> list[str]:
    """Return texts, with a mark where two are equal: names that are not, such as 1 and "1"."""
    known: dict[str, None] = {}
    for text in texts:
        name = text
        while name in known:
            name += "#2"
        known[name] = None
    return list(known)


def _labels(texts: Sequence[str]) -> list[str]:
    """Return texts as distinct words, none of which is reserved or too long.

    They have letters, digits, `_` and `.`, and begin as names do in all programs' LP files, too.
    """
    labels: dict[str, None] = {}
    for text in texts:
        label = re.sub("[^A-Za-z0-9_.]", "_", text[:MAX_NAME])
        if not re.match("[A-Za-z_]", label):
            label = f"_{label}"
        while label in labels or label.upper() in _RESERVED:
            label += f"_{len(labels)}"
        labels[label] = None
    return list(labels)
