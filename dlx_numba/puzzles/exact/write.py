"""Write exact cover problems in the formats of files and other programs."""

import io
import os
from typing import IO, Any

from ...cover.models import build_model
from ...cover.named_problem import NamedProblem
from ...runtime.arguments import check_choice
from ...runtime.choices import WRITTEN_KINDS, WrittenKind
from ...runtime.files import replace_file
from .cnf import format_cnf
from .json import format_json
from .knuth import format_knuth
from .mps import format_mps
from .numbered import format_orlib

_KIND_OF_SUFFIX: dict[str, WrittenKind] = {
    ".dlx": "knuth",
    ".json": "json",
    ".mps": "mps",
    ".cnf": "cnf",
    ".wcnf": "cnf",
}


def format_problem(named: NamedProblem, kind: WrittenKind) -> str:
    """Return a problem as text. Raises ValueError if the format cannot express it.

    Only JSON has the picture, which is no part of the problem.
    """
    check_choice("kind", kind, WRITTEN_KINDS)
    conditions = named.selected.given, named.forbidden
    if kind == "json":
        return format_json(named.problem, named.names, *conditions, named.view)
    if kind in ("mps", "cnf"):
        priced = named.priced()
        model = build_model(priced.problem, priced.names, *conditions)
        return format_mps(model) if kind == "mps" else format_cnf(model)
    name = "Knuth's format" if kind == "knuth" else "the format of the OR-Library"
    if any(conditions):
        raise ValueError(f"{name} has no given or forbidden options")
    return (format_knuth if kind == "knuth" else format_orlib)(named.problem, named.names)


def find_kind(target: Any) -> WrittenKind:
    """Return the format that the extension of a file means. Raises ValueError for others."""
    name = os.fspath(getattr(target, "name", "") if hasattr(target, "write") else target or "")
    suffix = os.path.splitext(str(name))[1].lower()
    if suffix not in _KIND_OF_SUFFIX:
        suffixes = ", ".join(_KIND_OF_SUFFIX)
        raise ValueError(
            f"kind must be one of {', '.join(WRITTEN_KINDS)}, unless a file ends in {suffixes}"
        )
    return _KIND_OF_SUFFIX[suffix]


def write_text(target: str | os.PathLike[str] | IO[Any], text: str) -> None:
    """Write a text to a file, which is replaced, or to an open file."""
    if isinstance(target, str | os.PathLike):
        replace_file(target, text.encode())
    else:
        is_text = isinstance(target, io.TextIOBase) or "b" not in getattr(target, "mode", "b")
        target.write(text if is_text else text.encode())
