"""Messages on standard error, exit statuses, and signals."""

import logging
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from ..runtime import signals
from ..runtime.display import ProgressDisplay
from ..runtime.errors import Stopped, TooLargeError, UnreadableError
from ..runtime.files import is_terminal
from ..runtime.log import logger
from ..runtime.text import Paint, plural, unpainted

if TYPE_CHECKING:
    from ..runtime.job import Counters


class ExitStatus(IntEnum):
    """The exit statuses of the commands."""

    SUCCESS = 0
    NOT_SOLVED = 1  # a puzzle is not as wanted
    USAGE = 2  # usage error, a file that cannot be read at all, or a question
    STOPPED = 3  # by --seconds, or by a stop
    UNREADABLE = 4  # some lines could not be read
    INTERRUPTED = signals.STATUS


class BadPlace(NamedTuple):
    """The place of a record that could not be read, or the file, and the reason."""

    file: str
    line: int | None
    reason: str

    @classmethod
    def of(cls, place: str, reason: str) -> "BadPlace":
        """Return the place that a text such as `puzzles.txt:7` names."""
        file, _, line = place.rpartition(":")
        return cls(file, int(line), reason) if line.isdecimal() else cls(place, None, reason)


# On terminals: the styles of words, and the colors of pieces if there are 16 colors
STYLES = {"given": "bold cyan", "mark": "bold magenta", "dark": "reverse", "error": "bold red"}
ANSI = ["bright_cyan", "yellow", "bright_blue", "bright_yellow", "cyan", "bright_green"]
ANSI += ["bright_red", "blue", "red", "green", "magenta", "white", "bright_magenta", "bright_white"]

# Statuses that are no words for people
DESCRIBED = {"multiple": "with several solutions", "none": "without a solution"}

DIAGNOSE_ADVICE = "`{}` explains why a puzzle has no solution"

MAX_REPORTED_PROBLEMS = 20  # on standard error; the output marks all of them


def set_quiet(is_quiet: bool) -> bool:
    """Set whether `report` discards its messages; the callback of `--quiet`."""
    print_log().is_quiet = is_quiet
    return is_quiet


def report(text: str, *, brief: str = "") -> None:
    """Log a notice, which is a line of standard error in place of the progress display.

    With `--quiet`, only `brief` is printed, if there is any.
    """
    logger.info(text, extra={"brief": brief})


def report_error(text: str, place: BadPlace | None = None) -> None:
    """Log an error, which is a line of standard error, on a terminal in red.

    The summary of the command has the place, if there is one.
    """
    logger.error(text, extra={"place": place})


def report_stop(stopped: Stopped[Any]) -> None:
    """Report why a command was stopped, in a sentence."""
    text = str(stopped)
    report(f"{text[:1].upper()}{text[1:]}.")


def report_one_of(number: int, text: str, show: Callable[[str], None] = report) -> None:
    """Report the problem with this number, unless there are too many."""
    if number <= MAX_REPORTED_PROBLEMS:
        show(text)
    elif number == MAX_REPORTED_PROBLEMS + 1:
        report("... the output of `solve` marks the rest")


class _Printer(logging.Handler):
    """Prints the log to standard error."""

    is_quiet = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write an error or a notice to standard error; a quiet command writes brief notices."""
        text = record.getMessage()
        if record.levelno >= logging.ERROR:
            text = f"{painter(sys.stderr)('error:', 'error')} {text}"
        elif self.is_quiet:
            text = getattr(record, "brief", "")
        if text:
            _print_message(text)


@cache
def print_log() -> _Printer:
    """Print the log of the package to standard error from now on. Return what prints it."""
    printer = _Printer()
    logger.addHandler(printer)
    logger.setLevel(logging.INFO)
    return printer


def _print_message(text: str) -> None:
    with ProgressDisplay.lock:  # a timer would display progress again, before the message
        ProgressDisplay.clear_for_message()
        typer.echo(text, err=True)


def painter(stream: Any = None) -> Paint:
    """Return what colors texts for a stream, by default standard output, as `Picture.text` asks.

    It returns texts without color unless the stream is a terminal with colors, and the environment
    variable `NO_COLOR` is not set.
    """
    stream = stream or sys.stdout
    if not is_terminal(stream):
        return unpainted
    from rich.console import COLOR_SYSTEMS, Console  # importing Rich is slow
    from rich.style import Style

    from ..pictures.palette import COLORS, INK_ON_COLORS

    console = Console(file=stream)
    if console.no_color or console.color_system is None:
        return unpainted
    system = COLOR_SYSTEMS[console.color_system]
    is_plain = console.color_system == "standard"

    def paint(text: str, color: int | str) -> str:
        if isinstance(color, int):  # of a piece; otherwise, the name of a style
            style = f"black on {ANSI[color]}" if is_plain else f"{INK_ON_COLORS} on {COLORS[color]}"
        else:
            style = STYLES[color]
        return Style.parse(style).render(text, color_system=system)

    return paint


def describe_statuses(counts: Mapping[str, int]) -> str:
    """Return how many records have each status, in words.

    >>> describe_statuses({"unique": 2, "multiple": 1, "none": 0})
    '2 unique, 1 with several solutions'
    """
    return ", ".join(f"{n:,} {DESCRIBED.get(name, name)}" for name, n in counts.items() if n)


def describe_work(counters: "Counters") -> str:
    """Return the work of a search, in the words of Knuth's programs."""
    return f"{plural(counters.updates, 'update')}, {plural(counters.nodes, 'node')}"


def ending(
    *,
    is_interrupted: bool | None = None,
    is_usable: bool = True,
    is_complete: bool = True,
    is_readable: bool = True,
    is_solved: bool = True,
) -> typer.Exit:
    """Return the exception that ends a command, with the status of the first outcome that holds.

    By default, a command is interrupted if a signal has arrived.
    """
    outcomes = {
        ExitStatus.INTERRUPTED: signals.is_interrupted()
        if is_interrupted is None
        else is_interrupted,
        ExitStatus.USAGE: not is_usable,
        ExitStatus.STOPPED: not is_complete,
        ExitStatus.UNREADABLE: not is_readable,
        ExitStatus.NOT_SOLVED: not is_solved,
    }
    return typer.Exit(next((status for status, holds in outcomes.items() if holds), 0))


def fail(problem: Any, text: str = "") -> typer.Exit:
    """Report an error, and return the exception that ends the command with status 2.

    A file that cannot be read is noted for the summary.
    """
    place = None
    if getattr(problem, "source", ""):
        place = BadPlace(problem.source, getattr(problem, "line", None), problem.reason)
    report_error(text or str(problem), place)
    return typer.Exit(ExitStatus.USAGE)


@contextmanager
def failing(
    prefix: str = "",
    suffix: str = "",
    start: int = 0,
    errors: tuple[type[Exception], ...] = (ValueError, UnreadableError),
    command: str = "solve",
) -> Iterator[None]:
    """Fail if the block raises one of the errors.

    The prefix precedes its message, and the suffix follows it. Options are counted from `start`. A
    question about a kind has the command to type.
    """
    try:
        yield
    except errors as error:
        describe = getattr(error, "describe", None)  # of `OptionSelectionError`
        ask = getattr(error, "describe_for", None)  # of `KindError`
        if ask is not None:
            raise fail(error, ask(command)) from None
        # The message of the system lacks the name of the file, which the prefix may have.
        reason = None if isinstance(error, UnreadableError) else getattr(error, "strerror", None)
        reason = describe(start) if describe else reason or str(error)
        advice = "; see --max-input" if isinstance(error, TooLargeError) else ""
        raise fail(error, f"{prefix}{reason}{suffix}{advice}") from None


def report_warnings() -> None:
    """Report all further warnings as messages of one line."""
    warnings.showwarning = lambda message, *details: logger.warning(f"warning: {message}")


@contextmanager
def interruptible() -> Iterator[None]:
    """Run a command, which Ctrl-C or SIGTERM ends with status 130."""
    signals.begin()
    try:
        yield
    except typer.Exit:
        raise
    except Stopped as stopped:  # by --seconds
        report_stop(stopped)
        raise ending(is_complete=False) from None
    except BaseException as error:  # a module or a class that a signal has torn may raise others
        if not (isinstance(error, KeyboardInterrupt) or signals.is_interrupted()):
            raise
        report("interrupted", brief="interrupted")
        raise ending(is_interrupted=True) from None
    finally:
        signals.finish()


@contextmanager
def deferred_signals(on_signal: Callable[[], None]) -> Iterator[None]:
    """Defer SIGINT, and SIGTERM if Python handles it, until the block ends.

    Otherwise, the exception for a signal that arrives while a kernel runs would be raised before
    the results of the kernel are stored. Commands run in the main thread, which receives all
    signals; in any other thread, this does nothing.

    Parameters
    ----------
    on_signal : callable
        Called immediately when a signal arrives, so that the block can end soon.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {
        number: handler
        for number in signals.NUMBERS
        if callable(handler := signal.getsignal(number))
    }
    deferred: list[tuple[int, Any]] = []

    def defer(number: int, frame: Any) -> None:
        deferred.append((number, frame))
        on_signal()

    try:
        for number in handlers:
            signal.signal(number, defer)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if deferred:
            received, frame = deferred[0]
            handlers[signal.Signals(received)](received, frame)


@cache
def report_compilation() -> None:
    """Report, once per process, that kernels are being compiled."""
    report("Compiling the kernels (on first use only; this takes a few seconds) ...")
