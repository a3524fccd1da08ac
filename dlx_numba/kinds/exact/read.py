"""Read exact cover problems from files, whose format is detected from the content."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, NamedTuple

import numpy as np

from ...cover.encode import Statement, encode_problem
from ...cover.rows import LongForm
from ...kernels.problem import Problem
from ...runtime.arguments import check_choice
from ...runtime.errors import AmbiguousError
from ...runtime.json import looks_like_json
from ...runtime.source import Source, check_text, decode_text
from . import json, knuth, lp, matrix, mps, numbered, routes, sets, table, width, yaml
from .long_form import parse_long_form
from .matrix_form import MatrixForm
from .notation import COMMENT_MARKS, HEAD_LENGTH, first_lines
from .npz import BINARY_PREFIXES, parse_numpy

Parser = Callable[[str, str], Statement]  # of a text and of the name of its source


class Format(NamedTuple):
    """A text format: how a text is recognized, and how it is read."""

    name: str  # that `kind` and `--kind` accept; formats with one name are variations
    title: str  # for people
    is_own: Callable[[str], bool]  # whether the first lines of a text are in the format
    parse: Parser
    suffix: str = ""  # states the format


class ProblemFile(NamedTuple):
    """An exact cover problem from a file, and the format of the file."""

    format: str
    statement: Statement
    answer: tuple[int, ...] = ()  # the options of a cover that the file claims


# A format that could be mistaken for another comes after it.
FORMATS = (
    Format("mps", "an integer program in MPS format", mps.looks_like_mps, mps.parse_mps, ".mps"),
    Format("lp", "an integer program in LP format", lp.looks_like_lp, lp.parse_lp, ".lp"),
    Format("matrix", "a matrix after its width", width.looks_like_width, width.parse_width),
    Format("matrix", "a matrix", matrix.looks_like_digits, matrix.parse_matrix),
    Format("ec", "the format p ec", numbered.looks_like_ec, numbered.parse_ec, ".ec"),
    Format("ec", "Knuth's format after sizes", knuth.looks_like_sized, knuth.parse_sized, ".ec"),
    Format("routes", "routes with costs", routes.looks_like_routes, routes.parse_routes),
    Format("weighted", "weighted items", knuth.looks_like_weighted, knuth.parse_knuth),
    Format("yaml", "YAML", yaml.looks_like_yaml, yaml.parse_yaml),
    Format("sets", "sets", sets.looks_like_unnamed_sets, sets.parse_unnamed_sets),
    Format("knuth", "Knuth's format", knuth.looks_like_knuth, knuth.parse_knuth, ".dlx"),
    Format("sets", "sets", sets.looks_like_sets, sets.parse_sets),
    Format("json", "lists of items", json.looks_like_item_lists, json.parse_json),
    Format("matrix", "a matrix in lists", matrix.looks_like_lists, matrix.parse_matrix),
    Format("json", "JSON", looks_like_json, json.parse_json),
    Format(
        "orlib",
        "numbered options (OR-Library)",
        numbered.looks_like_counted,
        numbered.parse_counted,
    ),
    Format("table", "a table", table.looks_like_table, table.parse_table, ".csv"),
    Format(
        "orlib", "OR-Library set covering", numbered.looks_like_covering, numbered.parse_covering
    ),
)

# A comment of other programs than Knuth's
_COMMENT = re.compile(r"(?m)^[ \t]*(?:#|//|%)[ \t].*$")
_SIZES = re.compile(r"\s*[0-9]+(?:[\s,]+[0-9]+)?\s*")  # a first line that several formats have


def find_formats(text: str, suffix: str = "", name: str | None = None) -> list[Format]:
    r"""Return the formats that a text could have.

    They are one, unless the first line consists of one or two numbers: those could be the sizes of
    a matrix or the names of items. The list is empty if no format claims the text.

    Parameters
    ----------
    text : str
        The text.
    suffix : str, optional
        The extension of its file.
    name : str, optional
        The name of the format.

    Examples
    --------
    >>> texts = "a b\na\n", "101\n010\n", ",A,B\nS1,1,0\n", "S1 = {A}\n", "3 1\n0 1 1\n"
    >>> [[each.name for each in find_formats(text)] for text in texts]
    [['knuth'], ['matrix'], ['table'], ['sets'], ['matrix', 'orlib', 'table']]
    """
    known = [each for each in FORMATS if name in (None, each.name)]
    text = text[:HEAD_LENGTH].lstrip("\r\n")
    if name is None and (stated := [each for each in known if suffix and suffix == each.suffix]):
        return [each for each in stated if each.is_own(text)][:1] or stated[:1]
    claims = (each for each in known if each.is_own(text))
    if (first := next(claims, known[0] if name else None)) is None:
        return []
    head = "".join(first_lines(text, 1, COMMENT_MARKS))
    if name is not None or not _SIZES.fullmatch(head) or first.parse is matrix.parse_matrix:
        return [first]
    others = {each.name: each for each in [*claims][::-1]}  # the first format of each name
    return [first, *(each for each in [*others.values()][::-1] if each.name != first.name)]


def read_content(
    source: str | bytes | os.PathLike[str] | IO[Any],
    kind: str | None = None,
    limits: json.Limits = (None, None),
    form: LongForm | None = None,
) -> tuple[Statement, str]:
    """Return the problem in a file or text, and the name of the source; see `ExactCover.read`.

    The limits are those of the options and entries of a JSON object. With a `form`, it is a table
    with one option a row.
    """
    if kind is not None:
        check_choice("kind", kind, sorted({each.name for each in FORMATS}))
    if isinstance(source, str) and ("\n" in source or looks_like_json(source)):
        source = source.encode("utf-8", "surrogatepass")
    name = "<text>"
    if not isinstance(source, bytes):
        with Source(source) as opened:
            source, name = opened.read_all(), opened.name
    if limits != (None, None):
        if kind != "json":
            raise ValueError("max_options and max_entries need the kind 'json'")
        return json.parse_json(source, name, limits), name
    return parse_file(source, name, kind=kind, form=form).statement, name


def parse_file(
    content: bytes,
    name: str,
    columns: MatrixForm | None = None,
    kind: str | None = None,
    form: LongForm | None = None,
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
        The name of a format; by default, the format is detected.
    form : LongForm, optional
        The meanings of columns. The file is then a table with one option a row.

    Raises
    ------
    UnreadableError
        If the content is neither text nor an array.
    FormatError
        If a text violates the rules of its format; names the source and the line.
    ValueError
        If the content is not an exact cover problem; names the source.
    AmbiguousError
        If two formats fit and their problems differ; the message names both.
    """
    if content.startswith(BINARY_PREFIXES) and columns is None is form:
        return ProblemFile("a matrix of NumPy", Statement(parse_numpy(content, name)))
    check_text(content, name)
    text = decode_text(content, name)
    if form is not None:
        return ProblemFile("a table with one option a row", parse_long_form(form, text, name))
    if columns is not None:
        return ProblemFile("a matrix", columns.parse(text, name))
    readings = list[tuple[Format, Statement]]()
    errors = list[ValueError]()
    suffix = os.path.splitext(name.lower().removesuffix(".gz"))[1]
    # Without a format that claims the text, an error in Knuth's format is reported.
    for each in find_formats(text, suffix, kind) or find_formats(text, name="knuth"):
        try:
            readings.append((each, each.parse(text, name)))
        except ValueError as error:
            errors.append(error)
    if not readings:
        if kind == "matrix":
            with suppress(ValueError):
                return ProblemFile("a matrix", MatrixForm().parse(text, name))
        plain, comments = _COMMENT.sub("", text), _COMMENT.findall(text)
        words = {*plain.split()}
        # If all words of such a line are in others, its first word could be an item.
        if comments and not any(words.issuperset(line.split()[1:]) for line in comments):
            file = parse_file(plain.encode(), name, kind=kind)
            if file.statement.options:
                return file
        raise errors[0]
    (first, statement), *others = readings
    if different := [each for each, stated in others if not _are_equal(statement, stated)]:
        *titles, last = (each.title for each in (first, *different))
        names = " or ".join(f"--kind {each.name}" for each in (first, *different))
        reason = f"the text could be {', '.join(titles)} or {last}"
        raise AmbiguousError(f"{name}: {reason}; state which with {names}")
    answer = routes.parse_choice(text) if first.name == "routes" else ()
    return ProblemFile(first.title, statement, answer)


def _are_equal(first: Statement, second: Statement) -> bool:
    """Return whether two statements are the same problem, apart from names."""
    arrays = (encode_problem(stated)[0] for stated in (first, second))
    return all(map(np.array_equal, *arrays))


def is_trivial(problem: Statement) -> bool:
    """Return whether a problem has so little structure that its text may have another meaning."""
    options: Any = problem.options
    if isinstance(options, Problem):
        return len(options.items) == 0
    rows = options.values() if isinstance(options, dict) else options
    is_named = isinstance(problem.items, list)
    n_items = len([*(problem.items or ()), *problem.secondary])
    return is_named and (n_items <= 1 or not any(rows))
