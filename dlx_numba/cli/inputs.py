"""The input of `show` and `explain`: boards or a problem, with the errors and names of files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..cover.encode import Statement
from ..cover.exact_cover import ExactCover
from ..cover.io.read import read_problem
from ..explain.problem_view import ProblemView, view_board, view_search
from ..runtime.text import plural
from ..sudoku.io.records import Records
from . import options
from .board_run import BOARD_SOURCE, advise_size, board_from_argument, with_rules
from .cover_problem import FileOptions, Selection
from .detect import KINDS, BoardFile, read_any
from .output import source_name
from .terminal import fail, failing, report

if TYPE_CHECKING:
    from ..variants.rules import SudokuRules


@dataclass(kw_only=True)
class InputOptions(FileOptions):
    """The options of commands that read boards or an exact cover problem."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Sudoku boards, a problem, or - for standard input. Or a board: 8....3...",
        ),
    ]
    kind: Annotated[
        str | None, options.choice(KINDS, "Content of the file", "--as", show_default="detected")
    ] = None
    box: options.BoxShape = None
    alphabet: options.AlphabetName = "auto"
    blank: options.Blank = ""

    @property
    def is_board(self) -> bool:
        """Whether a board is given instead of a file."""
        return board_from_argument(self.file, self.blank) is not None

    @property
    def source(self) -> str:
        """The name of the input in messages."""
        return BOARD_SOURCE if self.is_board else source_name(self.file)

    def title(self, board: int | None = None) -> str:
        """Return the title of a picture of the input, or of one of its boards."""
        if self.is_board:
            return "board"
        name = "standard input" if self.file == "-" else Path(self.file).name
        return name if board is None else f"{name}, board {board}"

    def read(self) -> BoardFile | Statement:
        """Return the boards or the statement in the input. Fails if it contains neither."""
        kind = "sudoku" if self.is_board else self.kind
        with failing(suffix=advise_size(self.file)):
            source = board_from_argument(self.file, self.blank) or self.file
            content: BoardFile | Statement
            if self.columns is None:
                content = read_any(
                    source, kind, self.box, self.alphabet, self.blank, self.max_input
                )
            else:
                options.reject("--columns", "--as", "--box", "--alphabet")
                content = read_problem(source, self.max_input, self.columns)
        if isinstance(content, BoardFile):
            if content.is_ambiguous:
                advice = "use --as cover to read an exact cover problem"
                report(f"{self.source}: read as Sudoku; {advice}")
            return content._replace(chunks=_checked_chunks(content.chunks))
        if self.box is not None or self.alphabet != "auto":
            raise fail(f"{self.source}: --box and --alphabet need a Sudoku file")
        return content

    def open(self, selection: Selection | None = None) -> BoardFile | ExactCover:
        """Return the boards or the problem in the input. Fails if it contains neither."""
        content = self.read()
        if isinstance(content, BoardFile):
            return content
        with failing(f"{self.source}: ", start=self.start):
            return (selection or Selection()).state(content, self.start)

    def find_board(self, boards: BoardFile, number: int) -> tuple[Records, int]:
        """Return the chunk that contains a board, counted from 1, and its index in the chunk."""
        n_boards = 0
        for records in boards.chunks:
            for notice in records.notices:
                report(f"{records.source}: {notice}; use --alphabet to select another")
            for bad in records.bad:
                report(f"{bad.at(records.source)} (not counted)")
            if number <= n_boards + len(records):
                return records, number - n_boards - 1
            n_boards += len(records)
        found = f"the file contains {plural(n_boards, 'board')}"
        raise fail(f"{self.source}: no board {number:,}: {found}")

    def view(
        self,
        content: BoardFile | ExactCover,
        board: int,
        *,
        show_givens: bool = False,
        rules: "SudokuRules | None" = None,
    ) -> ProblemView:
        """Return the problem, or that of one of the boards. Fails if its givens contradict."""
        if isinstance(content, ExactCover):
            with failing(f"{self.source}: "):
                view = view_search(content._stated, self.title(), show_givens)
        else:
            records, index = self.find_board(content, board)
            records = with_rules(records, rules)
            values, title = records.boards[index], self.title(board)
            with failing(f"{records.source}:{records.lines[index]}: "):
                stated: Any = records.rules
                if stated is not None:
                    cover = stated.exact_cover(records.box, puzzle=values)
                    view = view_search(cover._stated, title, show_givens)
                else:
                    view = view_board(values, records.box, records.alphabet, title, show_givens)
        return view._replace(start=self.start)


def _checked_chunks(chunks: Iterator[Records]) -> Iterator[Records]:
    """Yield chunks. Fails if the rest of the file cannot be read."""
    with failing():
        yield from chunks
