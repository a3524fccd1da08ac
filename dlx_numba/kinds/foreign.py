"""Say what a file is that no kind reads."""

import re

# What a text is, and how it begins; the first that matches
_FOREIGN = (
    ("an HTML page", r"\s*<(?:!doctype html|html)\b"),
    ("an XML document", r"\s*<\?xml|\s*<\w+[^<>]*>\s*<"),
    ("an SVG picture", r"\s*<svg\b"),
    ("a problem in DIMACS CNF format", r"(?:c .*\n|\s*\n)*p cnf "),
    ("an integer program in LP format", r"(?s).{0,4000}?^\s*(?:subject to|such that|s\.?t\.?)\b"),
    ("a model in MiniZinc", r"(?s).{0,4000}?^\s*(?:constraint|var) .*;|.{0,4000}?^\s*solve .*;"),
    ("a list of 729 pencil marks", r"\s*[0-9.]{729}\s*$"),
    ("a program in Python", r"(?s).{0,2000}?^(?:import \w+|from \w+ import|def \w+\()"),
    ("a PDF document", r"%PDF-"),
)


def describe_text(data: bytes) -> str:
    """Return what a file looks like, for a message; "" if that is not known.

    >>> describe_text(b"<?xml version='1.0'?><sudoku/>")
    'an XML document'
    """
    head = data[: 1 << 14].decode("utf-8-sig", "ignore")
    for name, pattern in _FOREIGN:
        if re.match(pattern, head, re.IGNORECASE | re.MULTILINE):
            return name
    return ""
