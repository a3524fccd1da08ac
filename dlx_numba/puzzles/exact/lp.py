"""Partitioning, covering and packing problems in the LP format of integer programming."""

import re
from collections import defaultdict, deque
from fractions import Fraction
from itertools import groupby, islice
from math import isfinite
from operator import attrgetter
from typing import NamedTuple

from ...cover.encode import Formulation
from .linear import Program, Variable
from .notation import Limits, TextLines

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
    r"|(?P<name>(?:[^\W\d]|~)[^\s:+<>=*^/\-\\]*)|(?P<sign>[-+:])|(?P<other>\S))"
)
_END = r"(?:[-+] )?(?:[0-9.]\S*|inf|infinity)"  # of the values of a variable
_BOUND = re.compile(
    rf"(?:(?P<left>{_END}) (?P<flipped>[<>=]) )?(?P<name>(?:[^\W\d]|~)\S*)"
    rf"(?: (?P<relation>[<>=]) (?P<right>{_END}))?",
    re.IGNORECASE,
)
_FLIPPED = {"<": ">", ">": "<", "=": "="}


class _Token(NamedTuple):
    line: int
    kind: str
    text: str


class _Term(NamedTuple):
    line: int
    coefficient: float
    name: str  # of the variable; "" for a constant


_Limit = tuple[str, int]  # a relation and a number, to the right of a sum


def parse_lp(text: str, source: str = "<text>") -> Formulation:
    r"""Parse an integer program in the LP format of CPLEX.

    The variables are binary; they are the options, which bounds may fix. A constraint whose
    coefficients are 1 is an item: its right-hand side is the multiplicity. One with other integers
    is a total. A constant in the objective is an option of this name. Continuous variables that are
    fixed and only in the objective, as PuLP adds them, are no options, and those that make a range
    of an equality, as Gurobi writes it, are none, either.

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
    program = Program("variable")
    with TextLines(text, source, "\\") as lines:
        sections = _split_sections(lines)
        objective = next(iter(sections), "")
        if objective not in ("minimize", "maximize"):
            raise ValueError("expected 'minimize' or 'maximize'")
        if "end" not in sections:
            raise ValueError("the line 'end' is missing")
        program.is_maximized = objective == "maximize"
        _read_declarations(program, sections, lines)
        _read_objective(program, sections[objective], lines)
        _read_rows(program, sections["rows"], lines)
        _read_bounds(program, sections["bounds"], lines)
        return program.formulate(lines)


def _split_sections(lines: TextLines) -> defaultdict[str, deque[_Token]]:
    """Return the tokens of each section.

    Raises ValueError for a section or an objective that appears twice, and for a token that is in
    no section or not possible in its section.
    """
    sections: defaultdict[str, deque[_Token]] = defaultdict(deque)
    section = ""
    current: deque[_Token] = deque()
    for line in lines:
        content = line.partition("\\")[0]
        if (header := _HEADER.match(content)) is not None:
            section = str(header.lastgroup)
            if section in sections or (section.endswith("imize") and sections):
                raise ValueError(f"a second section begins with {header[0].strip()!r}")
            current = sections[section]
            content = content[header.end() :]
        for match in _TOKEN.finditer(content.rstrip()):
            kind = str(match.lastgroup)
            text = match[kind]
            if kind == "relation":
                text = "<" if "<" in text else ">" if ">" in text else "="
            current.append(_Token(lines.number, kind, text))
            if kind == "other" or (section in ("binary", "integer") and kind != "name"):
                raise ValueError(f"{text!r} is not possible here")
            if section in ("", "end"):
                raise ValueError(f"{text!r} is in no section")
    return sections


def _read_declarations(
    program: Program, sections: defaultdict[str, deque[_Token]], lines: TextLines
) -> None:
    """Add the variables that are declared, in the order of the options."""
    for token in sections["other"]:
        raise lines.error(token.line, "semi-continuous variables and sets (SOS) are not possible")
    variables = program.variables
    for token in sections["binary"]:
        if token.text in variables:
            raise lines.error(token.line, f"variable {token.text!r} is declared twice")
        variables[token.text] = Variable(token.line, True, 0, 1)
    for token in sections["integer"]:
        variables.setdefault(token.text, Variable(token.line, True))


def _read_objective(program: Program, tokens: deque[_Token], lines: TextLines) -> None:
    """Read the costs of variables and a constant from the tokens of the objective."""
    _read_label(tokens)
    for term in _read_sum(tokens, lines):
        if term.name:
            _find_variable(program, term).cost = term.coefficient
        else:
            program.constant += term.coefficient
    if tokens:
        raise lines.error(tokens[0].line, f"{tokens[0].text!r} is not possible in an objective")


def _read_rows(program: Program, tokens: deque[_Token], lines: TextLines) -> None:
    """Read rows, whose constants move to the other side; names that are used twice get a number."""
    limits = program.limits
    while tokens:
        label = _read_label(tokens) or f"row {len(limits) + 1}"
        while label in limits:
            label += f"#{len(limits) + 1}"
        line = tokens[0].line if tokens else lines.number
        left = _read_left(tokens, lines)
        constant = 0
        for term in _read_sum(tokens, lines):
            value = int(term.coefficient)
            if value != term.coefficient:
                what = f"coefficient of {term.name!r}" if term.name else "constant"
                raise lines.error(term.line, f"the {what} is {term.coefficient:g}, not an integer")
            if not term.name:
                constant += value
                continue
            line = term.line
            variable = _find_variable(program, term)
            if value:  # the coefficient 0 only makes the variable known
                variable.entries[label] = value
        low, high = _read_limits(tokens, lines, left, line)
        limits[label] = (
            None if low is None else low - constant,
            None if high is None else high - constant,
        )


def _find_variable(program: Program, term: _Term) -> Variable:
    """Return the variable of a term, which is new if it is not declared."""
    return program.variables.setdefault(term.name, Variable(term.line))


def _read_label(tokens: deque[_Token]) -> str:
    """Remove a label from the start of a queue. Return it, or "" if there is none."""
    if len(tokens) < 2 or tokens[0].kind != "name" or tokens[1].text != ":":
        return ""
    label = tokens.popleft().text
    tokens.popleft()
    return label


def _read_sum(tokens: deque[_Token], lines: TextLines) -> list[_Term]:
    """Remove terms and constants from the start of a queue. Return them."""
    terms: list[_Term] = []
    names: set[str] = set()
    while tokens and tokens[0].kind != "relation":
        line = tokens[0].line
        sign = _read_sign(tokens)
        if terms and not sign:
            raise lines.error(line, f"expected + or - before {tokens[0].text!r}")
        value: float = -1 if sign == "-" else 1
        number = ""
        if tokens and tokens[0].kind == "number":
            number = tokens.popleft().text
            value *= _read_number(number, line, lines)
        if number and (not tokens or tokens[0].kind in ("sign", "relation")):
            if re.search("[eE][0-9]", number):  # programs differ
                reason = f"{number} is a number, or a coefficient with a variable"
                raise lines.error(line, f"{reason}: write {float(number):g}, or a space")
            terms.append(_Term(line, value, ""))
            continue
        if not tokens or tokens[0].kind != "name":
            found = repr(tokens[0].text) if tokens else "the end"
            raise lines.error(line, f"expected a variable, not {found}")
        line, _, name = tokens.popleft()
        if name in names:
            raise lines.error(line, f"variable {name!r} appears twice in a sum")
        names.add(name)
        terms.append(_Term(line, value, name))
    return terms


def _read_sign(tokens: deque[_Token]) -> str:
    """Remove a sign from the start of a queue. Return it, or "" if there is none."""
    return tokens.popleft().text if tokens and tokens[0].text in ("+", "-") else ""


def _read_left(tokens: deque[_Token], lines: TextLines) -> list[_Limit]:
    """Remove a number and a relation before a sum from a queue. Return them as if after it."""
    is_signed = bool(tokens) and tokens[0].text in ("+", "-")
    # The two tokens after the sign, if there is one
    kinds = [token.kind for token in islice(tokens, is_signed, is_signed + 2)]
    if kinds != ["number", "relation"]:
        return []
    line = tokens[0].line
    sign = tokens.popleft().text if is_signed else ""
    limit = _read_integer(sign + tokens.popleft().text, line, lines)
    return [(_FLIPPED[tokens.popleft().text], limit)]


def _read_limits(
    tokens: deque[_Token], lines: TextLines, limits: list[_Limit], line: int
) -> Limits:
    """Remove a relation and a number from the start of a queue, which end a line.

    Return the lowest and the highest value of a sum, also by the `limits` to its left. An error
    names the `line` on which the sum ends.
    """
    relation = tokens.popleft().text if tokens else ""
    sign = _read_sign(tokens)
    if not relation or not tokens or tokens[0].kind != "number":
        raise lines.error(line, "expected <=, >= or =, and a number, after the sum")
    number = tokens.popleft()
    limits.append((relation, _read_integer(sign + number.text, number.line, lines)))
    if tokens and tokens[0].line == number.line:
        reason = f"expected the end of the constraint, not {tokens[0].text!r}"
        raise lines.error(number.line, reason)
    # A relation is a single sign, so "=" limits both sides.
    low = max((limit for relation, limit in limits if relation in ">="), default=None)
    high = min((limit for relation, limit in limits if relation in "<="), default=None)
    return low, high


def _read_integer(text: str, line: int, lines: TextLines) -> int:
    """Return the integer that a right-hand side is."""
    value = _read_number(text, line, lines)
    if value != int(value):
        raise lines.error(line, f"the right-hand side must be an integer, not {text}")
    return int(value)


def _read_number(text: str, line: int, lines: TextLines) -> float:
    if not isfinite(value := float(text)):
        raise lines.error(line, f"the number {text[:20]} is too large")
    return int(text) if text.lstrip("+-").isdecimal() else value


def _read_bounds(program: Program, tokens: deque[_Token], lines: TextLines) -> None:
    """Read the bounds of variables, one or two on a line."""
    for line, found in groupby(tokens, attrgetter("line")):
        bound = " ".join(token.text for token in found)
        match = _BOUND.fullmatch(bound)
        if match is None or bound == match["name"]:
            raise lines.error(line, f"expected the bounds of a variable, not {bound!r}")
        variable = program.variables.setdefault(match["name"], Variable(line))
        variable.line = line
        for relation, text in (
            (_FLIPPED.get(match["flipped"]), match["left"]),
            (match["relation"], match["right"]),
        ):
            if relation is None:
                continue
            value: Fraction | float = float(text.replace(" ", ""))
            if isfinite(value):  # the decimal number, as multiples of a float are rounded
                value = Fraction(repr(value))
            if relation in "<=":  # one of both signs
                variable.high = value
            if relation in ">=":
                variable.low = value
