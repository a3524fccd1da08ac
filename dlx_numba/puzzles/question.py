"""The question that answers a text which does not say what it is."""

import json
import os
import re
import shlex
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any

from ..kernels.problem import Problem
from ..runtime.errors import AmbiguousError, DlxError, FormatError
from ..runtime.json import load_json, looks_like_json
from ..runtime.source import decode_text
from ..runtime.text import plural, shorten
from ..sudoku.io.read import read_records
from .exact.json import describe_value
from .exact.matrix import MatrixForm
from .exact.read import parse_file
from .kind import readers
from .marks import describe_foreign
from .records import COMMENT, blank_comments, decode_records, parse_all
from .registry import COVER_FORMATS

MAX_BYTES = 1 << 16  # of a text that is tried as each kind, or of the beginning of a longer one
MAX_NAMED = 4  # kinds in a message
SUDOKU = "sudoku"
YAML = "yaml"
MATRIX = "matrix"
HEADER = "--header"
ALPHABET = "--alphabet"
# What a text is that an option reads
_READINGS = {HEADER: "a matrix with titles", ALPHABET: "sudoku"}
NAME_IT = "if it is a puzzle, name its kind: `--kind` or `kind=`"


class KindError(DlxError, AmbiguousError):
    """A text does not say of which kind it is.

    Attributes
    ----------
    source : str
        The name of the text.
    reason : str
        What the text looks like, and which kinds it could be.
    kinds : tuple of str
        The kinds whose parsers accept the text, or the beginning of a long one; the most likely one
        first.
    options : tuple of str
        The options of a command that reads the text, if no `--kind` is enough, such as `--header`.
    """

    def __init__(
        self, source: str, reason: str, kinds: tuple[str, ...], options: tuple[str, ...] = ()
    ) -> None:
        advice = f"; name it, such as kind={kinds[0]!r}" if kinds else ""
        super().__init__(f"{source}: {reason}{advice}")
        self.source = source
        self.reason = reason
        self.kinds = kinds
        self.options = options

    def describe_for(self, command: str) -> str:
        """Return the message of a command, with what to type.

        Parameters
        ----------
        command : str
            The name of the command, such as "solve".

        Returns
        -------
        str
        """
        choices: list[tuple[str, ...]] = [("--kind", kind) for kind in self.kinds[:1]]
        if self.options:
            choices.append(self.options)
        if not choices:
            return str(self)
        file = "-" if self.source == "<stdin>" else self.source
        commands = [shlex.join(["dlx-numba", command, *words, file]) for words in choices]
        otherwise = "" if self.kinds else f"; {NAME_IT}"
        listed = " or ".join(map("`{}`".format, commands))
        return f"{self.source}: {self.reason}: {listed}{otherwise}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.source, self.reason, self.kinds, self.options)


def ask(data: bytes, name: str, doubt: str = "", *, is_sudoku: bool = False) -> KindError:
    """Return the question that asks what a text is.

    Parameters
    ----------
    data
        The text.
    name
        The name of its file.
    doubt
        Why it is probably no Sudoku, although it looks like one.
    is_sudoku
        Whether it can be read as Sudoku.
    """
    if described := describe_foreign(data):
        return KindError(name, f"this is {described}", ())
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if not text.strip():
        return KindError(name, "this is empty", ())
    if all(map(_is_comment, filter(str.strip, blank_comments(text).split("\n")))):
        return KindError(name, "this has nothing to read, only comments", ())
    shape = doubt or _describe_json(text) or describe_shape(text)
    beginning = _beginning(data)
    accepting, closest = _try_kinds(beginning, name)
    options = _try_titles(beginning, name)
    if is_sudoku:  # what looks like a plain board is not asked for
        sudoku_options = _try_boards(data)
        if sudoku_options == ():  # it has boards, and no alphabet need be named
            accepting.append(SUDOKU)
        options = sudoku_options or options
    kinds = tuple(sorted(accepting, key=lambda kind: not _is_named(kind, name)))
    if not (kinds or options):
        decode_text(data, name)  # raises UnreadableError if it is no text
        is_whole = beginning is data  # otherwise, the error may be at the end of the beginning
        is_close = is_whole and not looks_like_json(text)  # whose lines mean nothing
        reason = f"{shape}. {closest}".rstrip(". ") if is_close else shape
        return KindError(name, f"{reason}; {NAME_IT}", ())
    readings = [*kinds[:MAX_NAMED], *([_READINGS[options[0]]] if options else [])]
    *others, last = readings
    names = f"{', '.join(others)} or {last}" if others else last
    return KindError(name, f"{shape}. It could be {names}", kinds, options)


def _describe_json(text: str) -> str:
    """Return what a text in JSON is, and which keys a problem needs; "" for other texts."""
    if not looks_like_json(text):
        return ""
    value: Any = None
    for part in (text, text.lstrip().partition("\n")[0]):  # or a value on each line
        with suppress(ValueError):
            value = load_json(part)
            break
    if value is None:
        return ""
    return f'this is {describe_value(value)}; a problem has the key "options", or its items by name'


def _try_titles(data: bytes, name: str) -> tuple[str, ...]:
    """Return the option of a command that reads a matrix with titles, if a text is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of titles that are no names
            formulation: Any = MatrixForm(has_titles=True).parse(decode_text(data, name), name)
    except (ValueError, OSError, UserWarning):
        return ()
    titles = formulation.items, formulation.options.names  # numbers if none are given
    return (HEADER,) if all(map(_are_titles, titles)) else ()


def _are_titles(names: Sequence[Any]) -> bool:
    """Return whether names, if they are given, are no numbers, or number what they name.

    >>> [_are_titles(names) for names in (["A", "2"], ["1", "2"], ["2", "1.0"], range(2))]
    [True, True, False, True]
    """
    texts = [*map(str, names)]
    counted = [[str(k) for k in range(start, start + len(texts))] for start in (0, 1)]
    return texts in counted or not all(re.fullmatch(r"[-+.0-9]+", text) for text in texts)


def _try_boards(data: bytes) -> tuple[str, ...] | None:
    """Return the options of a command that reads a text as boards; None if it contains no boards.

    There are no options, (), unless the alphabet is ambiguous and has to be named.
    """
    choices: list[tuple[str, ...]] = [()]  # the options to try, to which the loop adds alphabets
    for words in choices:
        try:
            chunks = [*read_records(BytesIO(data), alphabet=words[-1] if words else "auto")]
        except AmbiguousError as error:
            choices += [(ALPHABET, name) for name in error.choices]
        except (ValueError, OSError):
            continue
        else:
            if any(map(len, chunks)):
                return words
    return None


def _is_comment(line: str) -> bool:
    """Return whether a line is a comment, perhaps of Knuth's format, and no row of a drawing."""
    is_knuths = line.startswith("| ") and not line.rstrip().endswith("|")
    return is_knuths or re.match(COMMENT, line) is not None


def _beginning(data: bytes) -> bytes:
    """Return a text, or its first puzzles or lines if it is long."""
    if len(data) <= MAX_BYTES:
        return data
    begin = data[:MAX_BYTES].replace(b"\r\n", b"\n")
    end = max(begin.rfind(b"\n\n"), begin.rfind(b"\n---\n"))
    if end <= 0:
        end = begin.rfind(b"\n")
    return begin[:end] if end > 0 else begin


def _is_named(kind: str, name: str) -> bool:
    """Return whether the name of a file, or that of its folder, contains that of a kind."""
    if name.startswith("<"):  # of no file, such as "<stdin>"
        return False
    folder, file = os.path.split(os.path.abspath(name))
    words = re.sub("[^a-z0-9]", "", f"{os.path.basename(folder)}/{file}".lower())
    return kind.replace("-", "") in words


def _try_kinds(data: bytes, name: str) -> tuple[list[str], str]:
    """Return the kinds whose parsers accept a text, and where the closest other one rejects it.

    A kind is close if it alone reads the most lines, and at least half of them.
    """
    attempts: dict[str, Callable[[], object]] = {
        kind: partial(_parse_completely, module, data, name) for kind, module in readers().items()
    }
    is_json = data.lstrip()[:1] in (b"{", b"[")
    for kind in COVER_FORMATS:
        # JSON is YAML, too, which is read slowly. Fractions are no matrix, although 1.0 is 1.
        is_fraction = kind == MATRIX and b"." in data
        if not (is_json and kind == YAML) and not is_fraction:
            attempts[kind] = partial(_parse_problem, kind, data, name)
    accepting: list[str] = []
    rejected: list[tuple[int, str, str]] = []  # the line, the kind, and the reason
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind, attempt in attempts.items():
            try:
                attempt()
            except FormatError as error:
                rejected.append((error.line or 1, kind, error.reason))
            except (ValueError, OSError):
                continue
            else:
                accepting.append(kind)
    # The kind whose error is furthest down has read the most lines.
    line, kind, reason = max(rejected, default=(1, "", ""))
    is_alone = [each[0] for each in rejected].count(line) == 1
    if not is_alone or 2 * (line - 1) < len(data.splitlines()):
        return accepting, ""
    return accepting, f"The closest kind is {kind}, but line {line}: {reason}"


def _parse_completely(module: Any, data: bytes, name: str) -> None:
    """Raise ValueError unless all of a text is read."""
    n_puzzles = 0
    for puzzle in parse_all(module, decode_records(module, data, name), name):
        if isinstance(puzzle, FormatError):
            raise puzzle
        n_puzzles += 1
    if not n_puzzles:
        raise ValueError("no puzzle")


def _parse_problem(kind: str, data: bytes, name: str) -> None:
    """Raise ValueError unless a text is a problem with options in a format."""
    options: Any = parse_file(data, name, kind=kind).formulation.options
    if isinstance(options, Problem):
        options = options.indptr[1:]
    if not len(options):
        raise ValueError("no options")


def describe_shape(text: str) -> str:
    r"""Return what a text looks like, for a message.

    >>> describe_shape("6 6\n1 2 3\n4 5 6\n"), describe_shape("a\n")
    ('this has 3 rows, of which the first is `6 6`', 'this is one line, `a`')
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    first = shorten(" ".join(lines[0].split()), 30)
    if not first.isprintable():
        first = json.dumps(first)[1:-1]
    if len(lines) == 1:
        return f"this is one line, `{first}`"
    return f"this has {plural(len(lines), 'row')}, of which the first is `{first}`"
