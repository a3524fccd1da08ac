"""The input of a command: the puzzles in a file of any kind, and one of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from ..kinds.puzzle import Puzzle
from ..kinds.reading import Reading, open_text, read_any
from ..kinds.sudoku import state_boards
from ..runtime.errors import FormatError
from ..runtime.text import plural
from . import options
from .board_run import BOARD_SOURCE, advise_size, board_from_argument, with_rules
from .output import source_name
from .terminal import ending, fail, failing, report, report_error, report_one_of

if TYPE_CHECKING:
    from ..variants.rules import SudokuRules


@dataclass(kw_only=True)
class InputOptions(options.LongFormOptions):
    """The options of all commands that read one puzzle or problem."""

    file: str = options.argument("Puzzles, a problem or a board; - for standard input.", "FILE")
    kind: options.KindName = None
    puzzle: int | None = options.number("Number of the puzzle in the file.", show_default="1")
    box: options.BoxShape = None
    alphabet: options.AlphabetName = "auto"
    blank: options.Blank = ""
    one_based: options.OneBased = False
    columns: options.Columns = None
    max_input: options.MaxInput = options.DEFAULT_MAX_INPUT
    seconds: options.TimeLimit = None

    read_as = ""  # how the input was read
    n_unreadable = 0  # of puzzles

    @property
    def start(self) -> int:
        """The number of the first option."""
        return 1 if self.one_based else 0

    @property
    def number(self) -> int:
        """The number of the puzzle in the file."""
        return self.puzzle or 1

    @property
    def is_board(self) -> bool:
        """Whether a board is given instead of a file."""
        return board_from_argument(self.file, self.blank) is not None

    @property
    def source(self) -> str:
        """The name of the input in messages."""
        return BOARD_SOURCE if self.is_board else source_name(self.file)

    def title(self, found: Reading) -> str:
        """Return the title of a picture of the input, or of one of its boards."""
        if self.is_board:
            return "board"
        name = "standard input" if self.file == "-" else Path(self.file).name
        return name if found.chunks is None else f"{name}, board {self.number}"

    def report_size(self, size: str = "") -> None:
        """Report how the input was read, and perhaps its size."""
        report(f"({size}{', ' * bool(size)}read as {self.read_as})")

    def take(self, rules: "SudokuRules | None" = None) -> tuple[Puzzle, str]:
        """Return one of the puzzles of the input, with rules if it is a board, and its title."""
        found = self.read()
        if found.chunks is None:
            options.reject(f"a file of the kind {found.kind}", "--rules")
        return self.select(self.puzzles(found, rules)), self.title(found)

    def read(self) -> Reading:
        """Return the content of the input. Fails if it is of no kind."""
        kind = "sudoku" if self.is_board else self.kind
        if self.columns is not None:
            options.reject("--columns", "--kind", "--box", "--alphabet", "--items")
        with failing(suffix=advise_size(self.file)):
            source = board_from_argument(self.file, self.blank) or open_text(self.file)
            symbols = self.box, self.alphabet, self.blank
            limits = self.max_input, self.columns, self.form
            found = read_any(source, kind, *symbols, *limits)
        if found.is_ambiguous:
            advice = "use --kind cover to read an exact cover problem"
            report(f"{self.source}: read as Sudoku; {advice}")
        if found.chunks is None and (self.box is not None or self.alphabet != "auto"):
            raise fail(f"{self.source}: --box and --alphabet need a Sudoku file")
        self.read_as = found.format or found.kind
        return found

    def puzzles(self, found: Reading, rules: "SudokuRules | None" = None) -> Iterator[Puzzle]:
        """Yield the puzzles, boards with rules if there are any, and report what is not read."""
        puzzles = found.puzzles
        if found.chunks is not None:
            puzzles = state_boards(with_rules(records, rules) for records in found.chunks)
        with failing():
            for each in puzzles:
                if isinstance(each, FormatError):
                    self.n_unreadable += 1
                    report_one_of(self.n_unreadable, str(each), report_error)
                else:
                    yield each

    def several(
        self, found: Reading, rules: "SudokuRules | None" = None, *, is_single: bool = False
    ) -> tuple[Iterator[Puzzle], bool]:
        """Return all puzzles of the input, or the selected one, and whether there is only one."""
        puzzles = self.puzzles(found, rules)
        if is_single or options.is_used("--puzzle"):
            return iter([self.select(puzzles)]), True
        first = [*islice(puzzles, 2)] or [self.select(puzzles)]
        return chain(first, puzzles), len(first) == 1

    def select(self, puzzles: Iterable[Puzzle]) -> Puzzle:
        """Return one of the puzzles. Fails if there are fewer."""
        n_puzzles, others = 0, iter(puzzles)
        for n_puzzles, puzzle in enumerate(others, 1):
            if n_puzzles == self.number:
                if self.puzzle is None and next(others, None) is not None:
                    report("(the first puzzle of the file; --puzzle N takes another)")
                return puzzle
        if self.n_unreadable and not n_puzzles:
            raise ending(is_usable=False)
        contained = f"the file contains {plural(n_puzzles, 'puzzle')}"
        raise fail(f"{self.source}: no puzzle {self.number:,}: {contained}")
