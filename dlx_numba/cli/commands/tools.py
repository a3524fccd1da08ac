"""The options and the help of the other commands.

`app` runs the function of the same name in the module of `cli` that is called like the command.
"""

from ...runtime.choices import COVER_ENGINES, SOLVERS
from .. import options
from ..call import Call

_ENGINES = tuple(dict.fromkeys((*SOLVERS, *COVER_ENGINES)))  # textbook is in both
_FOR_COVERS = ", ".join(COVER_ENGINES)


def mcp(
    *,
    requests: int = options.number("Calls that run at the same time.", default=16),
    max_input: int = options.size(
        "Maximum size of unanswered calls, and of stored problems.", "64M", default=1 << 26
    ),
    seconds: float = options.seconds("Time limit of each call.", default=10.0),
    threads: options.Threads = None,
) -> None:
    """Offer tools to language models and other programs: a server of the protocol MCP.

    Examples:
      dlx-numba mcp
      dlx-numba mcp --seconds 60 --threads 1

    A program starts this command, and exchanges messages with it on its standard input and output.
    It needs the package mcp: pip install 'dlx-numba[mcp]'.

    Exit status: 0 at the end of the input, or after Ctrl-C or SIGTERM, which stop the calls in
    progress; 2 for a usage error.
    """


def demo(
    directory: str = options.argument(
        "Where to write the examples.", "DIRECTORY", default="dlx-numba-demo"
    ),
    *,
    call: Call,
) -> None:
    """Show what the commands do, with examples that are written to a directory.

    Examples:
      dlx-numba demo

    The examples are those of the documentation. Existing files are kept.
    """


def bench(
    files: list[str] | None = options.argument(
        "Files of puzzles; each file of Sudokus is a set.",
        "FILE",
        show_default="the bundled sets",
        default=None,
    ),
    engines: list[str] | None = options.choice(
        _ENGINES,
        f"Measure this engine ({_FOR_COVERS} count covers); can be repeated",
        "--engine",
        show_default="all that solve batches",
    ),
    limit: int = options.limit(show_default=True, default=1),
    repeat: int = options.number("Take the fastest of N runs.", default=3),
    cutoff: float = options.seconds("Time limit of each solver for each set.", 0.01, default=5.0),
    boards: int | None = options.number("Use the first N puzzles of each file."),
    details: bool = options.flag("Print how difficult each set is: classes, steps and scores."),
    style: str = options.style(("text", "markdown", "json"), default="text"),
    kind: options.KindName = None,
    output: options.OutputFile = "-",
    *,
    call: Call,
) -> None:
    """Measure the speed of the Sudoku and exact cover solvers.

    Examples:
      dlx-numba bench
      dlx-numba bench --engine dlx --limit 2 -f markdown small.txt
      dlx-numba bench problem.dlx

    Prints the minimum, maximum, mean and standard deviation of the time for a puzzle of each set,
    how many times as fast as naive search an engine is, the puzzles per second if a set is solved
    at once, and nodes or guesses. For exact cover problems, in files or well known, the table has
    the times to count all covers. naive is measured on the first 20 puzzles of a set, or on all if
    it is named. Engines that solve one board at a time, portfolio and sat, are measured if they
    are named.
    """


def warmup(
    clear: bool = options.flag("Remove the stored kernels of all versions instead.", "--clear"),
) -> None:
    """Compile all kernels for this processor, and store them.

    Examples:
      dlx-numba warmup
      dlx-numba warmup --clear

    Later runs then start without compiling. Kernels that are already stored are skipped. They are
    stored in the directory $DLX_NUMBA_CACHE_DIR, or else in the user's cache directory.
    """
