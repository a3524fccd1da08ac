"""The public functions for files of boards: `read_boards` and `write_boards`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import IO, Any

from ..runtime.arguments import check_choice, check_integer
from ..runtime.choices import BOARD_STYLES
from ..runtime.files import replace_file
from .box import BoxLike, as_box
from .convert import Puzzles, check_alphabet, convert_entries
from .io.board import draw_grids
from .io.columns import join_columns
from .io.read import read_records
from .io.records import Records, noted
from .io.symbols import Alphabet


def read_boards(
    path: str | os.PathLike[str] | IO[Any],
    chunk: int = 8192,
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
    blank: str = "",
) -> Iterator[Records]:
    r"""Read the boards of a file in chunks, in any format that the command `solve` reads.

    The memory in use does not depend on the size of the file, unless it consists of lists or of
    JSON objects on several lines.

    Parameters
    ----------
    path : str, path-like or file
        A path, "-" for standard input, or an open file, binary or text. It may be compressed with
        gzip. A path is opened when the first chunk is requested.
    chunk : int, default: 8192
        The maximum number of boards in a chunk. Chunks of very large boards are smaller.
    box : (int, int), str or Box, optional
        The rows and columns of a box, such as (2, 3) or "2x3"; None for the one that the bars of
        the first drawings show, or else the standard box of the size that most of the first boards
        have. Boards of another size are unreadable.
    alphabet : str, default: "auto"
        The symbols, as for `solve_batch`; "auto" determines them from the first boards.
    blank : str, optional
        Further symbols of empty cells, such as "#o".

    Returns
    -------
    iterator of Records
        The chunks, in order. The length of a chunk is the number N of its boards. Its attributes
        `boards` (N, cells) uint8, 0 for an empty cell, and `lines` (N,) int64, counted from 1, are
        arrays. `errors` is a dict from the line of text that could not be read as a board to the
        reason. `box` is the box of the boards. `solutions` (N, cells) has the solutions that the
        file has, zeros for a board without one, or is None if there are none in the chunk. The
        functions for boards accept a chunk in place of its boards.

    Raises
    ------
    UnreadableError
        By the iterator, if the file cannot be read or is not text. The boards before the damage are
        yielded first.
    TypeError, ValueError
        If `chunk` is not a positive integer, or there is no such box; by the iterator, if there is
        no such alphabet for boards of this size, or a symbol in `blank` is a value.

    Examples
    --------
    >>> import io
    >>> [chunk] = read_boards(io.StringIO("12...34..2..4..1\n12..\n"))
    >>> len(chunk), chunk.boards.shape, chunk.lines, str(chunk.box)
    (1, (1, 16), array([1]), '2x2')
    >>> chunk.errors
    {2: 'expected 4 rows, found 1'}
    """
    chunk_boards = check_integer(chunk, "chunk", minimum=1)
    chunks = read_records(
        path, box=as_box(box), alphabet=alphabet, blank=blank, chunk_boards=chunk_boards
    )
    return map(noted, chunks)


def write_boards(
    path: str | os.PathLike[str] | IO[Any],
    boards: Puzzles,
    format: str = "line",  # the name that the command line has, too
    *,
    box: BoxLike = None,
    alphabet: str = "auto",
) -> None:
    r"""Write boards to a file, in a format that `read_boards` reads.

    Parameters
    ----------
    path : str, path-like or file
        A path, or "-" for standard output: an existing file is replaced when the new one is
        complete. Or an open file, binary or text, to which the boards are appended.
    boards : array_like, str, bytes, path-like or file
        The boards, in one of the forms that `solve_batch` accepts. Solutions and other attributes
        of objects are not written.
    format : {"line", "csv", "grid", "json"}, default: "line"
        "line" (a board on each line), "csv" (a table with the column `board`), "grid" (drawn
        boards) or "json" (an object on each line, with the key `board`, and `box` if it is not the
        standard box). The header of a table is written unless the position in an open file shows
        that the file is not empty.
    box
        As for `solve_batch`.
    alphabet : str, default: "auto"
        The symbols to write, such as "0-9A-" or "numbers"; "auto" is 1-9 and then letters, or
        numbers for boards larger than 25×25. A chunk of `read_boards` keeps its symbols.

    Raises
    ------
    ValueError
        If `boards` are invalid, or there is no such format or alphabet.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import io
    >>> file = io.StringIO()
    >>> for board in ("1.....3..4.....2", "." * 16):
    ...     write_boards(file, board, format="csv")
    >>> file.getvalue()
    'board\n1.....3..4.....2\n................\n'
    """
    check_choice("format", format, BOARD_STYLES)
    check_alphabet(alphabet)
    entries = convert_entries(boards, box, "auto")
    if isinstance(boards, Records) and alphabet == "auto":
        symbols = boards.alphabet
    else:
        symbols = Alphabet.named(alphabet, entries.box.n)
    rows = symbols.symbols_of(entries.boards)
    if format == "grid":
        rows = draw_grids(rows, entries.box)
    elif format == "json":
        member = b"" if entries.box.is_standard else f', "box": "{entries.box}"'.encode()
        rows = join_columns(b'{"board": "', rows, b'"', member, b"}")
    text = join_columns(rows, b"\n").tobytes().replace(b"\0", b"")
    header = b"board\n" if format == "csv" else b""
    if path == "-":
        path = sys.stdout
    if isinstance(path, str | os.PathLike):
        replace_file(path, header, text)
        return
    if not hasattr(path, "write"):
        raise TypeError(f"expected a path or an open file, not {path!r}")
    if not _has_content(path):  # a file that is continued has its header
        text = header + text
    path.write(text.decode() if hasattr(path, "encoding") else text)


def _has_content(file: IO[Any]) -> bool:
    """Return whether the position in a file is known and is not its beginning."""
    try:
        return file.tell() > 0
    except (OSError, AttributeError):
        return False
