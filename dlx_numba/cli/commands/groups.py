"""Options that several commands have."""

from dataclasses import dataclass
from typing import get_args

from ...runtime.choices import ALGORITHMS, AUTO, BranchingName, Consistency
from ...runtime.source import MAX_CONTENT_BYTES
from .. import options

DEFAULT_EVERY = 30.0  # seconds

CHOICES: tuple[BranchingName, ...] = get_args(BranchingName)
_RULES = ", ".join(CHOICES).replace("smallest", "smallest (default)", 1)


@dataclass(kw_only=True)
class RecordFields(options.OptionGroup):
    """The options of all commands that read boards and write records."""

    files: list[str] = options.argument(
        "Files of puzzles, - for standard input, or a board.", "FILE"
    )
    output: options.OutputFile = "-"
    threads: options.Threads = None
    box: options.BoxShape = None
    alphabet: options.AlphabetName = "auto"
    blank: options.Blank = ""
    strict: bool = options.flag("Stop at the first record that cannot be read.")
    seconds: options.TimeLimit = None
    dask: options.DaskAddress = None
    resume: options.Resume = False
    summary: options.SummaryFile = None


@dataclass(kw_only=True)
class InputFields(options.TableOptions):
    """The options of all commands that read one puzzle or problem."""

    file: str = options.argument("Puzzles, a problem or a board; - for standard input.", "FILE")
    kind: options.KindName = None
    puzzle: int | None = options.puzzle_number()
    box: options.BoxShape = None
    alphabet: options.AlphabetName = "auto"
    blank: options.Blank = ""
    one_based: options.OneBased = False
    max_input: int = options.size(
        "Maximum size of a problem file.", "256M", default=MAX_CONTENT_BYTES
    )
    seconds: options.TimeLimit = None
    packing: bool = options.flag("Each item at most once; costs are weights to maximize.")
    covering: bool = options.flag("Each item at least once.")
    multiplicity: list[str] | None = options.text(
        "How often items are covered: column=2:3, or name=2.", "ITEMS=LOW:HIGH"
    )
    penalty: list[str] | None = options.text(
        "Cost of each time that an item lacks: column=60.", "ITEMS=COST"
    )
    demand: str | None = options.text(
        "Table of items with low, high and penalty, or its sheet.", "FILE|SHEET"
    )


@dataclass(kw_only=True)
class SelectionFields(InputFields):
    """The options of commands that read a puzzle as a problem, and select parts of it."""

    given: list[str] | None = options.text("Options in every cover, by number or name.", "N,N,...")
    forbidden: list[str] | None = options.text("Options in no cover, by number or name.", "N,N,...")
    choose: str = options.text(
        f"Next item: {_RULES}, or a list A,B,...",
        "RULE",
        show_default=False,
        parser=options.choice_of(CHOICES, ", or a list A,B,... of items"),
        default="smallest",
    )
    seed: int | None = options.number("Seed for random choices.", minimum=None)


@dataclass(kw_only=True)
class ProblemFields(SelectionFields):
    """The options of all commands that read a problem and search it."""

    algorithm: str = options.choice((AUTO, *ALGORITHMS), "How to search", default=AUTO)
    presolve: bool = options.flag("First remove options that are in no cover.")
    consistency: str | None = options.choice(
        get_args(Consistency), "Keep this consistent at each node"
    )
    output: options.OutputFile = "-"


@dataclass(kw_only=True)
class CountedFields(ProblemFields):
    """The options of a problem, and those that count options instead of their costs."""

    fewest: bool = options.flag("The fewest options, whatever they cost.")
    most: bool = options.flag("The most options, whatever they cost.")


@dataclass(kw_only=True)
class RunFields(options.OptionGroup):
    """The options of commands whose work can be divided among threads, saved and resumed."""

    threads: options.Threads = None
    checkpoint: str | None = options.text("Save the search at intervals and at its end.", "FILE")
    every: float = options.seconds("Time between checkpoints.", default=DEFAULT_EVERY)
    resume: bool = options.flag("Continue the checkpoint, or FILE.part of a batch.")
    dask: options.DaskAddress = None


@dataclass(kw_only=True)
class SearchFields(RunFields):
    """The options of commands that search for all covers."""

    requested_limit: int | None = options.limit("Find at most N covers.")
    summary: options.SummaryFile = None
