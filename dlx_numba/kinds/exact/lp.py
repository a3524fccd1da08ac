"""Partitioning, covering and packing problems in the LP format of integer programming."""

import re
from collections import deque
from collections.abc import Iterable
from itertools import groupby
from math import isfinite
from operator import attrgetter
from typing import Any, NamedTuple

from ...cover.encode import Statement
from .notation import Lines, add_free_items, first_lines

_SECTIONS = {
    "minimize": "minimi[sz]e|minimum|min",
    "maximize": "maximi[sz]e|maximum|max",
    "rows": r"subject\s+to|such\s+that|s\.?t\.?",
    "bounds": "bounds?",
    "binary": "binary|binaries|bin",
    "integer": r"generals?|gen|integers?|int|semi-continuous|semis?|sos[12]?",
    "end": "end",
}
_HEADER = re.compile(
    rf"\s*(?:{'|'.join(f'(?P<{k}>{words})' for k, words in _SECTIONS.items())})(?![^\s:])\s*:?",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)|(?P<relation>[<>]=?|=[<>]?)"
    r"|(?P<name>[^\W\d][^\s:+<>=*^/\-\\]*)|(?P<sign>[-+:])|(?P<other>\S))"
)
_BOUND = re.compile(r"(?:(?:0 < )?(\S+) < 1|(\S+) > 0)")


class _Token(NamedTuple):
    line: int
    kind: str
    text: str


_Term = tuple[int, float, str]  # its line, the coefficient and the variable


def looks_like_lp(text: str) -> bool:
    r"""Return whether a text starts with an objective, and a line begins its constraints.

    >>> looks_like_lp("minimize x\nst\nx = 1\nbinary x\nend"), looks_like_lp("min st\nmin\n")
    (True, False)
    """
    first = _HEADER.match("".join(first_lines(text, 1, "\\")))
    headers = map(_HEADER.match, first_lines(text, 100_000, "\\") if first else ())
    return bool(first and first.lastgroup in ("minimize", "maximize")) and any(
        header is not None and header.lastgroup == "rows" for header in headers
    )


def parse_lp(text: str, source: str = "<text>") -> Statement:
    r"""Parse an integer program in the LP format of CPLEX.

    The variables are binary; they are the options. A constraint whose coefficients are 1 is an
    item: its right-hand side is the multiplicity. One with larger integers is a total.

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
    options: dict[Any, list[Any]] = {}
    bounds: dict[Any, tuple[int, int | None]] = {}
    totals: dict[Any, tuple[int | None, int | None]] = {}
    with Lines(text, source, "\\") as lines:
        sections = _split_sections(lines)
        objective = next(iter(sections), "")
        if objective not in ("minimize", "maximize"):
            raise ValueError("expected 'minimize' or 'maximize'")
        _, costs = _read_sum(sections[objective], lines)
        lines_of = {name: place for place, _, name in costs}
        for token in sections[objective]:
            raise ValueError(f"{token.text!r} is not possible in an objective")
        rows = sections.get("rows", deque())
        while rows:
            label, terms = _read_sum(rows, lines)
            relation, limit = _read_limit(rows, lines)
            label = label or f"row {len(bounds) + len(totals) + 1}"
            if label in bounds or label in totals:
                raise ValueError(f"a second constraint has the name {label!r}")
            low, high = None if relation == "<" else limit, None if relation == ">" else limit
            is_item = limit > 0 and all(coefficient == 1 for _, coefficient, _ in terms)
            for lines.number, coefficient, name in terms:
                if coefficient < 1 or coefficient != int(coefficient):
                    reason = f"{coefficient:g}, not a positive integer"
                    raise ValueError(f"the coefficient of {name!r} is {reason}")
                lines_of.setdefault(name, lines.number)
                options.setdefault(name, []).append(label if is_item else (label, int(coefficient)))
            if is_item:
                bounds[label] = low or 0, high
            else:
                totals[label] = low, high
        _check_bounds(sections.get("bounds", []), lines)
        for lines.number, _, name in sections.get("integer", []):
            raise ValueError(f"variable {name!r} must be binary")
        binary = dict.fromkeys(token.text for token in sections.get("binary", []))
        for name, lines.number in lines_of.items():
            if name not in binary:
                raise ValueError(f"variable {name!r} is not declared as binary")
    options = {name: options.get(name, []) for name in binary}
    values = {name: cost for _, cost, name in costs} or None
    stated = Statement(options, [*bounds], (), bounds, totals=totals or None)
    if objective == "minimize":
        return add_free_items(stated._replace(costs=values))
    return add_free_items(stated._replace(maximize=values))


def _split_sections(lines: Lines) -> dict[str, deque[_Token]]:
    """Return the tokens of each section, or raise ValueError if one appears twice."""
    sections: dict[str, deque[_Token]] = {}
    current = deque[_Token]()
    for line in lines:
        content = line.partition("\\")[0]
        if (header := _HEADER.match(content)) is not None:
            section = str(header.lastgroup)
            if section in sections:
                raise ValueError(f"a second section begins with {header[0].strip()!r}")
            current = sections[section] = deque()
            content = content[header.end() :]
        for match in _TOKEN.finditer(content.rstrip()):
            kind = str(match.lastgroup)
            text = match[kind]
            if kind == "relation":
                text = "<" if "<" in text else ">" if ">" in text else "="
            current.append(_Token(lines.number, kind, text))
            if kind == "other" or (current is sections.get("binary") and kind != "name"):
                raise ValueError(f"{text!r} is not possible here")
            if current is sections.get("end") or not sections:
                raise ValueError(f"{text!r} is in no section")
    return sections


def _read_sum(tokens: deque[_Token], lines: Lines) -> tuple[str, list[_Term]]:
    """Remove a label and terms from the start of a queue. Return them, or raise ValueError."""
    label, terms, names = "", list[_Term](), set[str]()
    if len(tokens) > 1 and tokens[0].kind == "name" and tokens[1].text == ":":
        label = tokens.popleft().text
        tokens.popleft()
    while tokens and tokens[0].kind != "relation":
        lines.number = tokens[0].line
        sign = tokens.popleft().text if tokens[0].text in ("+", "-") else ""
        if terms and not sign:
            raise ValueError(f"expected + or - before {tokens[0].text!r}")
        value: float = -1 if sign == "-" else 1
        if tokens and tokens[0].kind == "number":
            number = tokens.popleft().text
            value *= _number(number)
        if not tokens or tokens[0].kind != "name":
            found = repr(tokens[0].text) if tokens else "the end"
            raise ValueError(f"expected a variable, not {found}")
        lines.number, _, name = tokens.popleft()
        if name in names:
            raise ValueError(f"variable {name!r} appears twice in a sum")
        names.add(name)
        terms.append((lines.number, value, name))
    return label, terms


def _read_limit(tokens: deque[_Token], lines: Lines) -> tuple[str, int]:
    """Remove a relation and a number from the start of a queue, which end a line."""
    relation = tokens.popleft().text if tokens else ""
    sign = tokens.popleft().text if tokens and tokens[0].text in ("+", "-") else ""
    if not relation or not tokens or tokens[0].kind != "number":
        raise ValueError("expected <=, >= or =, and a number, after the sum")
    lines.number, _, number = tokens.popleft()
    if tokens and tokens[0].line == lines.number:
        raise ValueError(f"expected the end of the constraint, not {tokens[0].text!r}")
    if (value := float(sign + str(_number(number)))) != int(value):
        raise ValueError(f"the right-hand side must be an integer, not {number}")
    return relation, int(value)


def _number(text: str) -> float:
    """Return a number, or raise ValueError if it is too large."""
    if not isfinite(value := float(text)):
        raise ValueError(f"the number {text[:20]} is too large")
    return int(text) if text.isdecimal() else value


def _check_bounds(tokens: Iterable[_Token], lines: Lines) -> None:
    """Raise ValueError unless all bounds are 0 and 1."""
    for number, found in groupby(tokens, attrgetter("line")):
        bound = " ".join(token.text for token in found)
        if _BOUND.fullmatch(bound) is None:
            lines.number = number
            raise ValueError(f"a bound of a binary variable must be 0 or 1, not {bound!r}")
