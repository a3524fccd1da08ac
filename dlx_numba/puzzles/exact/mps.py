"""Partitioning, covering and packing problems in the MPS format of integer programming."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ...cover.encode import Statement
from ...cover.models import Model, linear_rows
from ...cover.penalties import as_cost, option_costs
from .notation import Limits, Lines, linear_statement

_MARKERS = ("'INTORG'", "'INTEND'")  # of the columns between them
_MARKER = "'MARKER'"  # on the lines with them
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")


class _Program:
    """The content of the sections of a text."""

    def __init__(self) -> None:
        self.is_maximized = False
        self.is_integer = False  # the columns that follow
        self.kinds: dict[str, str] = {}  # by row: N, E, L or G
        self.objective: str | None = None
        self.numbers: dict[str, dict[str, int]] = {"RHS": {}, "RANGES": {}}  # by section and row
        self.options: dict[str, dict[str, int]] = {}  # by column: the coefficients in rows
        self.costs: dict[str, float] = {}
        # By column: its line, for the error if no bound makes it binary
        self.lines: dict[str, int] = {}
        self.fixed: dict[str, int] = {}  # the values of columns

    def read(self, section: str, words: list[str], number: int) -> None:
        """Read the words on a line of a section, or raise ValueError."""
        if section == "OBJSENSE":
            self.is_maximized = words[0].upper().startswith("MAX")
        elif section == "ROWS":
            self._read_row(words)
        elif section == "COLUMNS" and _MARKER in words:
            is_integer = words[-1] == "'INTORG'"
            if words[-1] not in _MARKERS or len(words) != 3 or is_integer == self.is_integer:
                raise ValueError("expected 'INTORG' before integer columns, 'INTEND' after them")
            self.is_integer = is_integer
        elif section == "COLUMNS":
            self._read_column(words, number)
        elif section in self.numbers:
            for row, value in self._pairs(words)[1]:
                if self.kinds[row] == "N" and value:
                    raise ValueError("a constant in the objective is not possible")
                _store(self.numbers[section], row, value, f"{section} of row {row!r}")
        elif section == "BOUNDS":
            self._read_bound(words)
        else:
            raise ValueError(f"a line of data is not possible in {section or 'no section'}")

    def _read_row(self, words: list[str]) -> None:
        kind = words[0].upper()
        name = words[-1]
        if kind not in ("N", "E", "L", "G") or len(words) != 2 or name in self.kinds:
            raise ValueError(f"expected N, E, L or G and a new name, not {' '.join(words)!r}")
        self.kinds[name] = kind
        if kind == "N" and self.objective is None:
            self.objective = name

    def _read_column(self, words: list[str], number: int) -> None:
        """Read the coefficients of a column on a line."""
        column, pairs = self._pairs(words)
        if column not in self.options:
            self.options[column] = {}
            if not self.is_integer:
                self.lines[column] = number
        for row, value in pairs:
            if row == self.objective:
                if column in self.costs:
                    raise ValueError(f"the cost of column {column!r} is given twice")
                self.costs[column] = as_cost(value)
            elif self.kinds[row] != "N":  # other rows of this kind are free
                name = f"the coefficient of column {column!r} in row {row!r}"
                _store(self.options[column], row, value, name)

    def _read_bound(self, words: list[str]) -> None:
        kind = words[0].upper()
        names = words[1:] if kind == "BV" else words[1:-1]
        column = "".join(names[-1:])  # after the name of the bounds, which may be missing
        if len(names) > 2 or column not in self.options:
            raise ValueError(f"no column is known in {' '.join(words)!r}")
        value = 1 if kind == "BV" else float(words[-1])
        if kind not in ("BV", "UP", "LO", "FX") or value not in (0, 1):
            raise ValueError(f"column {column!r} must be binary")
        if kind == "FX" or (kind in ("UP", "LO") and value != (kind == "UP")):
            self.fixed[column] = int(value)
        if kind in ("BV", "FX"):
            self.lines.pop(column, None)

    def _pairs(self, words: list[str]) -> tuple[str, list[tuple[str, Fraction]]]:
        """Return a name, "" if it is missing, and pairs of a row and a number."""
        name, *rest = words if len(words) % 2 else ["", *words]
        for row, text in zip(rest[::2], rest[1::2], strict=True):
            if row not in self.kinds:
                raise ValueError(f"row {row!r} is unknown")
            if not _NUMBER.fullmatch(text):
                raise ValueError(f"{text!r} is not a number")
        return name, list(zip(rest[::2], map(Fraction, rest[1::2]), strict=True))

    def limits(self, row: str) -> Limits:
        """Return the limits of the sum of a row."""
        kind = self.kinds[row]
        rhs = self.numbers["RHS"].get(row, 0)
        size = self.numbers["RANGES"].get(row)
        if kind == "E":
            end = rhs + (size or 0)
            return min(rhs, end), max(rhs, end)
        if kind == "G":
            return rhs, None if size is None else rhs + abs(size)
        return None if size is None else rhs - abs(size), rhs


def _store(numbers: dict[str, int], row: str, value: Fraction, name: str) -> None:
    """Store an integer, or raise ValueError if the number is none, or there is one."""
    if row in numbers:
        raise ValueError(f"{name} is given twice")
    if value.denominator != 1:
        raise ValueError(f"{name} must be an integer, not {float(value):g}")
    numbers[row] = int(value)


def parse_mps(text: str, source: str = "<text>") -> Statement:
    r"""Parse an integer program in the MPS format, whose names have no spaces.

    The columns are binary variables, the options, which bounds may fix. A row whose coefficients
    are 1 is an item, and its right-hand side and range are the multiplicity. A row with other
    integers is a total.

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
    program = _Program()
    section = ""
    sections: set[str] = set()
    with Lines(text, source, "*") as lines:
        for line in lines:
            if section == "ENDATA":
                raise ValueError("the program ends with ENDATA")
            if line[0].isspace():
                program.read(section, line.split(), lines.number)
            else:
                section, *words = line.upper().split()
                if section not in _SECTIONS or section in sections:
                    raise ValueError(f"section {section!r} is not possible")
                sections.add(section)
                if section == "OBJSENSE" and words:
                    program.read(section, words, lines.number)
        if section != "ENDATA":
            raise ValueError("ENDATA is missing")
        for column, lines.number in program.lines.items():
            raise ValueError(f"column {column!r} is not binary")
    limits = {row: program.limits(row) for row, kind in program.kinds.items() if kind != "N"}
    options = {
        column: sums
        for column, sums in program.options.items()
        if sums or column != "__dummy"  # which PuLP adds to an empty objective
    }
    costs = {name: cost for name, cost in program.costs.items() if name in options and cost}
    return linear_statement(limits, options, costs, program.is_maximized, program.fixed)


MAX_NAME = 200  # some readers of MPS limit names to 255 bytes
_SECTIONS = ["NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA"]
_RESERVED = [*_SECTIONS, _MARKER]  # words that cannot be names


def format_mps(model: Model) -> str:
    """Return a model in the free MPS format."""
    problem = model.problem
    names = model.names
    scale = model.names.scale
    texts = model.texts()
    if not names.has_options:
        texts[: problem.n_options] = [f"x{k}" for k in range(problem.n_options)]
    columns = _labels(texts, _RESERVED)
    rows = list(linear_rows(model, texts))
    labels = _labels([text for text, *_ in rows], ["cost", *_RESERVED])
    costs = option_costs(problem, names)
    entries: list[list[tuple[str, Any]]] = [[("cost", cost)] if cost else [] for cost in costs]
    entries += [[] for _ in columns[len(entries) :]]
    head = [" N cost"]
    rhs: list[str] = []
    ranges: list[str] = []
    for label, (_, low, high, pairs) in zip(labels, rows, strict=True):
        head.append(f" {'L' if low is None else 'E' if low == high else 'G'} {label}")
        rhs.append(f" RHS {label} {high if low is None else low}")
        if low is not None and high is not None and low < high:
            ranges.append(f" RANGE {label} {high - low}")
        for k, coefficient in pairs:
            entries[k].append((label, coefficient))
    body = [
        f" {column} {row} {number}"
        for column, pairs in zip(columns, entries, strict=True)
        for row, number in pairs or [("cost", 0)]
    ]
    bounds = [
        f" FX BOUND {column} {model.fixed[k]}" if k in model.fixed else f" BV BOUND {column}"
        for k, column in enumerate(columns)
    ]
    sections = {
        "OBJSENSE": [" MAX"] if scale.factor < 0 else [],
        "ROWS": head,
        "COLUMNS": [" MARKER 'MARKER' 'INTORG'", *body, " MARKER 'MARKER' 'INTEND'"],
        "RHS": rhs,
        "RANGES": ranges,
        "BOUNDS": bounds,
    }
    lines = ["NAME ExactCover"]
    for section, content in sections.items():
        if content:
            lines += [section, *content]
    return "\n".join([*lines, "ENDATA", ""])


def _labels(texts: Sequence[str], reserved: Iterable[str]) -> list[str]:
    """Return texts as distinct words, none of which is reserved or too long."""
    labels = dict.fromkeys(reserved)
    n_reserved = len(labels)
    for text in texts:
        # At the beginning, $ and * mark comments.
        label = re.sub(r"^[$*]|\s|[^ -~]", "_", text[:MAX_NAME]) or "_"
        while label in labels:
            label += f"_{len(labels) - n_reserved}"
        labels[label] = None
    return list(labels)[n_reserved:]
