"""Partitioning, covering and packing problems in the LP format of integer programming."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable
from itertools import groupby, islice
from math import isfinite
from operator import attrgetter
from typing import NamedTuple

from ...cover.encode import Statement
from .notation import Limits, Lines, linear_statement

_SECTIONS = {
    "minimize": "minimi[sz]e|minimum|min",
    "maximize": "maximi[sz]e|maximum|max",
    "rows": r"subject\s+to|such\s+that|s\.?t\.?",
    "bounds": "bounds?",
    "binary": "binary|binaries|bin",
    "integer": "generals?|gen|integers?|int",
    "other": "semi-continuous|semis?|sos[12]?",
    "end": "end",
}
_HEADER = re.compile(
    rf"\s*(?:{'|'.join(f'(?P<{k}>{words})' for k, words in _SECTIONS.items())})(?![^\s:])\s*:?",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<relation>[<>]=?|=[<>]?)"
    r"|(?P<name>[^\W\d][^\s:+<>=*^/\-\\]*)|(?P<sign>[-+:])|(?P<other>\S))"
)
_BOUND = re.compile(r"(?:([01]) ([<>=]) )?(\S+)(?: ([<>=]) ([01]))?")
_FLIPPED = {"<": ">", ">": "<", "=": "="}
_CONSTANT = "constant"  # the option with the constant of the objective


class _Token(NamedTuple):
    line: int
    kind: str
    text: str


_Term = tuple[int, float, str]  # its line, the coefficient and the variable
_Limit = tuple[str, int]  # a relation and a number, to the right of a sum


def parse_lp(text: str, source: str = "<text>") -> Statement:
    r"""Parse an integer program in the LP format of CPLEX.

    The variables are binary; they are the options, which bounds may fix. A constraint whose
    coefficients are 1 is an item: its right-hand side is the multiplicity. One with larger integers
    is a total. A constant in the objective is an option of this name. Fixed variables that are only
    in the objective, as PuLP adds them, are no options.

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
    >>> problem = parse_lp("min 3 x + y\nst\na: x + y = 1\n2 x + y <= 2\nbinary\nx y\nend\n")
    >>> problem.options, problem.multiplicity
    ({'x': ['a', ('row 2', 2)], 'y': ['a', ('row 2', 1)]}, {'a': (1, 1)})
    >>> problem.costs, problem.totals
    ({'x': 3, 'y': 1}, {'row 2': (None, 2)})
    """
    with Lines(text, source, "\\") as lines:
        sections = _split_sections(lines)
        objective = next(iter(sections), "")
        if objective not in ("minimize", "maximize"):
            raise ValueError("expected 'minimize' or 'maximize'")
        _read_label(sections[objective])
        costs = _read_sum(sections[objective], lines, has_constant=True)
        lines_of = {name: place for place, _, name in costs if name}
        for token in sections[objective]:
            raise ValueError(f"{token.text!r} is not possible in an objective")
        if "end" not in sections:
            raise ValueError("the line 'end' is missing")
        sums, limits = _read_rows(sections["rows"], lines, lines_of)
        binary: dict[str, None] = {}
        for lines.number, _, name in sections["binary"]:
            if name in binary:
                raise ValueError(f"variable {name!r} is declared twice")
            binary[name] = None
        values_of = _read_bounds(sections["bounds"], lines, {*binary})
        unbounded = (token for token in sections["integer"] if token.text not in values_of)
        for lines.number, _, name in (*sections["other"], *unbounded):
            raise ValueError(f"variable {name!r} must be binary")
        fixed = {name: min(values) for name, values in values_of.items() if len(values) == 1}
        binary |= dict.fromkeys(token.text for token in sections["integer"])
        binary |= {name: None for name in fixed if name in sums}
        for name, lines.number in lines_of.items():
            if name not in binary and name not in fixed:
                raise ValueError(f"variable {name!r} is not declared as binary")
    options = {name: sums.get(name, {}) for name in binary}
    values = {name: cost for _, cost, name in costs if name in options}
    if constant := sum(cost * fixed.get(name, 1) for _, cost, name in costs if name not in options):
        name = _CONSTANT
        while name in options:
            name += "#2"
        fixed[name] = 1
        options[name] = {}
        values[name] = constant
    return linear_statement(limits, options, values, objective == "maximize", fixed)


def _read_rows(
    rows: deque[_Token], lines: Lines, lines_of: dict[str, int]
) -> tuple[dict[str, dict[str, int]], dict[str, Limits]]:
    """Return the coefficients of each variable in constraints, and the limits of these.

    The line on which a variable appears first is added to `lines_of`.
    """
    sums: dict[str, dict[str, int]] = {}
    limits: dict[str, Limits] = {}
    while rows:
        label = _read_label(rows) or f"row {len(limits) + 1}"
        while label in limits:
            label += f"#{len(limits) + 1}"
        left = _read_left(rows, lines)
        terms = _read_sum(rows, lines)
        limits[label] = _read_limits(rows, lines, left)
        for lines.number, coefficient, name in terms:
            if coefficient < 1 or coefficient != int(coefficient):
                raise ValueError(
                    f"the coefficient of {name!r} is {coefficient:g}, not a positive integer"
                )
            lines_of.setdefault(name, lines.number)
            sums.setdefault(name, {})[label] = int(coefficient)
    return sums, limits


def _split_sections(lines: Lines) -> defaultdict[str, deque[_Token]]:
    """Return the tokens of each section, or raise ValueError if one appears twice."""
    sections: defaultdict[str, deque[_Token]] = defaultdict(deque)
    section = ""
    current: deque[_Token] = deque()
    for line in lines:
        content = line.partition("\\")[0]
        if (header := _HEADER.match(content)) is not None:
            section = str(header.lastgroup)
            if section in sections:
                raise ValueError(f"a second section begins with {header[0].strip()!r}")
            current = sections[section]
            content = content[header.end() :]
        for match in _TOKEN.finditer(content.rstrip()):
            kind = str(match.lastgroup)
            text = match[kind]
            if kind == "relation":
                text = "<" if "<" in text else ">" if ">" in text else "="
            current.append(_Token(lines.number, kind, text))
            if kind == "other" or (section == "binary" and kind != "name"):
                raise ValueError(f"{text!r} is not possible here")
            if section in ("", "end"):
                raise ValueError(f"{text!r} is in no section")
    return sections


def _read_label(tokens: deque[_Token]) -> str:
    """Remove a label from the start of a queue. Return it, or "" if there is none."""
    if len(tokens) < 2 or tokens[0].kind != "name" or tokens[1].text != ":":
        return ""
    label = tokens.popleft().text
    tokens.popleft()
    return label


def _read_sum(tokens: deque[_Token], lines: Lines, has_constant: bool = False) -> list[_Term]:
    """Remove terms from the start of a queue. Return them, or raise ValueError.

    If it may have a constant, this is a term without a variable.
    """
    terms: list[_Term] = []
    names: set[str] = set()
    while tokens and tokens[0].kind != "relation":
        lines.number = tokens[0].line
        sign = tokens.popleft().text if tokens[0].text in ("+", "-") else ""
        if terms and not sign:
            raise ValueError(f"expected + or - before {tokens[0].text!r}")
        value: float = -1 if sign == "-" else 1
        if tokens and tokens[0].kind == "number":
            number = tokens.popleft().text
            value *= _number(number)
            if has_constant and (not tokens or tokens[0].kind == "sign"):
                terms.append((lines.number, value, ""))
                continue
        if not tokens or tokens[0].kind != "name":
            found = repr(tokens[0].text) if tokens else "the end"
            raise ValueError(f"expected a variable, not {found}")
        lines.number, _, name = tokens.popleft()
        if name in names:
            raise ValueError(f"variable {name!r} appears twice in a sum")
        names.add(name)
        terms.append((lines.number, value, name))
    return terms


def _read_left(tokens: deque[_Token], lines: Lines) -> list[_Limit]:
    """Remove a number and a relation before a sum from a queue. Return them as if after it."""
    is_signed = bool(tokens) and tokens[0].text in ("+", "-")
    kinds = [token.kind for token in islice(tokens, is_signed, is_signed + 2)]
    if kinds != ["number", "relation"]:
        return []
    sign = tokens.popleft().text if is_signed else ""
    lines.number, _, number = tokens.popleft()
    return [(_FLIPPED[tokens.popleft().text], _integer(sign + number))]


def _read_limits(tokens: deque[_Token], lines: Lines, limits: list[_Limit]) -> Limits:
    """Remove a relation and a number from the start of a queue, which end a line.

    Return the lowest and the highest value of a sum, also by the `limits` to its left.
    """
    relation = tokens.popleft().text if tokens else ""
    sign = tokens.popleft().text if tokens and tokens[0].text in ("+", "-") else ""
    if not relation or not tokens or tokens[0].kind != "number":
        raise ValueError("expected <=, >= or =, and a number, after the sum")
    lines.number, _, number = tokens.popleft()
    limits.append((relation, _integer(sign + number)))
    if tokens and tokens[0].line == lines.number:
        raise ValueError(f"expected the end of the constraint, not {tokens[0].text!r}")
    low = max((limit for relation, limit in limits if relation in ">="), default=None)
    high = min((limit for relation, limit in limits if relation in "<="), default=None)
    return low, high


def _integer(text: str) -> int:
    """Return the integer that a right-hand side is, or raise ValueError."""
    if (value := _number(text)) != int(value):
        raise ValueError(f"the right-hand side must be an integer, not {text}")
    return int(value)


def _number(text: str) -> float:
    """Return a number, or raise ValueError if it is too large."""
    if not isfinite(value := float(text)):
        raise ValueError(f"the number {text[:20]} is too large")
    return int(text) if text.lstrip("+-").isdecimal() else value


def _read_bounds(tokens: Iterable[_Token], lines: Lines, binary: set[str]) -> dict[str, set[int]]:
    """Return the values from 0 to 1 of the variables that are binary, or have an upper bound.

    Raise ValueError if a bound is not 0 or 1, or no value is left.
    """
    values_of: dict[str, set[int]] = {}
    bounded = set(binary)
    for number, found in groupby(tokens, attrgetter("line")):
        bound = " ".join(token.text for token in found)
        match = _BOUND.fullmatch(bound)
        limits = {0, 1}
        if match is not None:
            left, left_relation, name, right_relation, right = match.groups()
            for relation, limit in (_FLIPPED.get(left_relation), left), (right_relation, right):
                if relation is not None:
                    allowed = {int(limit)}
                    if relation == "<":
                        allowed.add(0)
                    elif relation == ">":
                        allowed.add(1)
                    limits &= allowed
                    if relation in "<=":
                        bounded.add(name)
            limits &= values_of.get(name, limits)
        if match is None or bound == match[3] or not limits:
            lines.number = number
            raise ValueError(f"the bounds of a variable must be 0 or 1, not {bound!r}")
        values_of[name] = limits
    return {name: values for name, values in values_of.items() if name in bounded}
