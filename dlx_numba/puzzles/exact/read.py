"""Read exact cover problems from files, whose format is named, marked or plain."""

import csv
import io
import os
from collections.abc import Callable
from typing import IO, Any, NamedTuple

from ...cover.encode import Formulation
from ...cover.rows import LongForm
from ...runtime.arguments import check_choice
from ...runtime.errors import FormatError, UnreadableError
from ...runtime.json import looks_like_json
from ...runtime.source import Source, check_text, decode_text
from ...runtime.workbook import is_workbook, read_workbook
from ..marks import describe_foreign, find_mark
from . import json, knuth, lp, matrix, mps, numbered, routes, sets, table, yaml
from .long_form import parse_long_form
from .matrix import MatrixForm
from .notation import HEAD_LENGTH, TextLines
from .npz import BINARY_PREFIXES, parse_numpy

Parser = Callable[[str, str], Formulation]  # of a text and of the name of its source


class Format(NamedTuple):
    """A text format: its name for people, and how it is read."""

    title: str
    parse: Parser


# The formats by the names that `kind` and `--kind` accept
FORMATS = {
    "knuth": Format("Knuth's format", knuth.parse_knuth),
    "sets": Format("sets", sets.parse_sets),
    "matrix": Format("a matrix", matrix.parse_matrix),
    "json": Format("JSON", json.parse_json),
    "table": Format("a table", table.parse_table),
    "ec": Format("the format p ec", numbered.parse_ec),
    "orlib": Format("the format of the OR-Library", numbered.parse_orlib),
    "routes": Format("routes with costs", routes.parse_routes),
    "yaml": Format("YAML", yaml.parse_yaml),
    "lp": Format("an integer program in LP format", lp.parse_lp),
    "mps": Format("an integer program in MPS format", mps.parse_mps),
}
LONG_FORM = "a table with one option a row"
# How a text in each format that needs no mark is recognized
_PLAIN = {
    "matrix": matrix.is_rectangle,
    "sets": sets.starts_with_set,
    "knuth": knuth.is_plain,
}


class ProblemFile(NamedTuple):
    """An exact cover problem from a file, and the format of the file."""

    format: str
    formulation: Formulation
    answer: tuple[int, ...] | str = ""  # the options of a cover that the file claims, if any


def plain_format(text: str) -> str | None:
    r"""Return the format of a text that is plainly an exact cover problem, otherwise None.

    A rectangle of 0 and 1 is a matrix. Sets have names and braces. In Knuth's format, options with
    known items follow a line of distinct names; a grid of letters or numbers is none.

    >>> [plain_format(text) for text in ("a b\na\nb\n", "101\n010\n", "S1 = {A}\n", "1 2\n1\n2\n")]
    ['knuth', 'matrix', 'sets', None]
    """
    return next((name for name, is_own in _PLAIN.items() if is_own(text)), None)


def read_content(
    source: str | bytes | os.PathLike[str] | IO[Any],
    kind: str | None = None,
    limits: json.Limits = (None, None),
    form: LongForm | None = None,
) -> tuple[Formulation, str]:
    """Return the problem in a file or text, and the name of the source; see `ExactCover.read`.

    The limits are those of the options and entries of a JSON object. With a `form`, it is a table
    with one option a row.
    """
    if kind is not None:
        check_choice("kind", kind, sorted(FORMATS))
    if isinstance(source, str) and ("\n" in source or looks_like_json(source)):
        source = source.encode("utf-8", "surrogatepass")
    name = "<text>"
    if not isinstance(source, bytes):
        with Source(source) as opened:
            source = opened.read_all()
            name = opened.name
    if limits != (None, None):
        if kind != "json":
            raise ValueError("max_options and max_entries need the kind 'json'")
        return json.parse_json(source, name, limits), name
    return parse_file(source, name, kind=kind, form=form).formulation, name


def parse_file(
    content: bytes,
    name: str,
    columns: MatrixForm | None = None,
    kind: str | None = None,
    form: LongForm | None = None,
    sheet: str = "",
) -> ProblemFile:
    """Return the problem in the content of a file, and the format of the file.

    Parameters
    ----------
    content : bytes
        The content.
    name : str
        The name of the file.
    columns : MatrixForm, optional
        How the file has a matrix, if it is one.
    kind : str, optional
        The name of a format. By default, the text is marked, an object in JSON, or plain.
    form : LongForm, optional
        The meanings of columns. The file is then a table with one option a row.
    sheet : str, optional
        The sheet of a workbook, by default the first one.

    Raises
    ------
    UnreadableError
        If the content is neither text nor an array.
    FormatError
        If a text violates the rules of its format; names the source and the line.
    ValueError
        If the content is not an exact cover problem, or its format is unknown; names the source.
    """
    if is_workbook(content):
        if form is not None:
            return ProblemFile(LONG_FORM, parse_long_form(form, content, name, sheet))
        with TextLines("", name):  # errors name the file
            [rows] = read_workbook(content, sheet).values()
        table = io.StringIO()
        csv.writer(table).writerows(row for _, row in rows)
        content = table.getvalue().encode()
        kind = kind or "table"
    elif sheet:
        raise FormatError(name, None, f"this is no workbook with a sheet {sheet!r}")
    is_array = kind in (None, "matrix") and content.startswith(BINARY_PREFIXES)
    if is_array and columns is None and form is None:
        return ProblemFile("a matrix of NumPy", Formulation(parse_numpy(content, name)))
    try:
        check_text(content, name)
    except UnreadableError:
        if described := describe_foreign(content):
            raise FormatError(name, None, f"this is {described}") from None
        raise
    text = decode_text(content, name)
    if form is not None:
        return ProblemFile(LONG_FORM, parse_long_form(form, text, name))
    if columns is not None:
        return ProblemFile("a matrix", columns.parse(text, name))
    chosen = kind or _find_format(text, name)
    title, parse = FORMATS[chosen]
    formulation = parse(text, name)
    answer = routes.parse_choice(text) if chosen == "routes" else ""
    return ProblemFile(title, formulation, answer)


def _find_format(text: str, name: str) -> str:
    """Return the format of a text that is marked or plain. Raises ValueError for others."""
    marked = find_mark(text[:HEAD_LENGTH], name)
    if marked in FORMATS:
        return marked
    if (plain := plain_format(text)) is not None:
        return plain
    if looks_like_json(text):
        return "json"
    try:
        knuth.parse_knuth(text, name)
        reason = "it could be Knuth's format, or something else"
    except ValueError as error:
        reason = f"in Knuth's format, {str(error).removeprefix(f'{name}:')}"
    raise FormatError(
        name,
        None,
        f"the text does not say what it is ({reason}); name the format "
        f"by --kind or kind=: {', '.join(FORMATS)}",
    )
