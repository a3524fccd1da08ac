"""Modeling languages, and solvers whose licenses are not free: their files of one problem are read.

It is the maximum of 3 a + 2 b + c - d + 5, where a + b = 1, b + c + d is 1 or 2, a + c <= 1, and
2 a + 3 c + d <= 4, which is 8.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path

import dlx_numba as dlx
from tests.helpers import SAMPLES

from .exchange import ask, check, optimum
from .row import Row, version_of

MODELED = {
    "linopy": "the constant of an objective is not possible",
    "pyomo": "a constant is a variable `ONE_VAR_CONSTANT`, with a bound or a row of its own",
}
# Stored files, with the version that wrote them, and what surprises
STORED = [
    ("COPT", "not recorded", "copt", "bounds of continuous variables are rows of LP files"),
    (
        "DOcplex",
        "not recorded",
        "docplex",
        "rows with two limits are equalities with a variable from -1 to 0",
    ),
    ("Xpress", "9.9.1", "xpress", "`OBJSENSE  MAXIMIZE` on a line, which HiGHS and CPLEX minimize"),
]


def rows(python: str, folder: Path) -> Iterator[Row]:
    for name, surprises in MODELED.items():
        targets = [folder / f"{name}.{suffix}" for suffix in ("lp", "mps")]
        [answer] = ask(python, name, [("", [*map(str, targets)])])
        yield Row(name, version_of(name), "nothing", read(targets, answer["value"]), surprises)
    for program, version, name, surprises in STORED:
        targets = sorted(SAMPLES.glob(f"programs/{name}.*"))
        yield Row(program, version, "nothing", f"stored: {read(targets, 8)}", surprises)
    cpmpy = "an SOS for “at most one”, which HiGHS 1.15.1 and GLPK 5.0 refuse, too"
    for path in sorted(SAMPLES.glob("programs/cpmpy.*")):
        try:
            dlx.ExactCover.read(path)
        except dlx.FormatError:
            continue
        raise SystemExit(f"{path} is read")
    yield Row("CPMpy", "1.1.1", "nothing", "stored: no file with SOS", cpmpy)


def read(paths: list[Path], expected: float) -> str:
    """Read files, and return their formats in words."""
    for path in paths:
        with warnings.catch_warnings():  # of continuous variables that make ranges
            warnings.simplefilter("ignore")
            check(f"we read {path}", optimum(dlx.ExactCover.read(path)), expected)
    return ", ".join(path.suffix[1:].upper() for path in paths)
