"""The page in the browser finds steps with the same kernels, and has its own copy of their numbers.

The tests of the page need a browser, so that only a night runs them.
"""

import json
import re
from pathlib import Path

from dlx_numba.explain.deduction.reason import CASES, KINDS
from dlx_numba.kernels.deduce import steps
from dlx_numba.kernels.deduce.remaining import ProblemBitmaps, Remaining
from dlx_numba.kernels.deduce.totals import DigitTotals

SOURCE = (Path(__file__).parents[3] / "docs/try/dlx.js").read_text(encoding="utf-8")


def constant(name):
    [value] = re.findall(rf"\b{name} = ([^,;]+)[,;]", SOURCE)
    return int(value)


def test_numbers_of_rules_are_those_of_the_kernels():
    [kinds] = re.findall(r"const KINDS = (\[.*\]);", SOURCE)
    assert tuple(json.loads(kinds)) == KINDS
    assert constant("CASES") == CASES
    for name in ("ONLY", "CONFLICT", "SET", "CHAIN"):
        assert constant(name) == getattr(steps, name)
    for name in ("LEVEL", "N_REASON", "N_ROUNDS", "LACKING"):
        assert constant(name) == getattr(steps, name)


def test_kernels_take_as_many_arrays_as_the_page_states():
    """If one of these numbers changes, so does the constructor of `Deduction` in dlx.js."""
    n_levels = len(steps.Levels._fields) - 1 + len(steps.Grids._fields)
    n_tables = len(ProblemBitmaps._fields) - 1 + len(DigitTotals._fields)
    assert (n_levels, n_tables, len(Remaining._fields)) == (12, 11, 9)
