"""Messages on standard error, exit statuses, and signals."""

import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from functools import cache
from typing import Any

import typer

from ..runtime import signals
from ..runtime.display import ProgressDisplay
from ..runtime.errors import Stopped, TooLargeError, UnreadableError
from ..runtime.text import plural


class ExitStatus(IntEnum):
    """The exit statuses of the commands."""

    SUCCESS = 0
    NOT_SOLVED = 1  # no solution, or not every puzzle is solved
    USAGE = 2  # usage error, or unreadable input
    STOPPED = 3  # a search was stopped before its end
    INTERRUPTED = signals.STATUS


_is_quiet = False


def set_quiet(is_quiet: bool) -> bool:
    """Set whether `report` discards its messages; the callback of `--quiet`."""
    global _is_quiet
    _is_quiet = is_quiet
    return is_quiet


def report(text: str, *, brief: str = "") -> None:
    """Print a line to standard error in place of the progress display.

    With `--quiet`, only `brief` is printed, if there is any.
    """
    if message := brief if _is_quiet else text:
        _print_message(message)


def report_error(text: str) -> None:
    """Print an error to standard error."""
    _print_message(f"error: {text}")


def _print_message(text: str) -> None:
    with ProgressDisplay.lock:  # a timer would display progress again, before the message
        ProgressDisplay.clear_for_message()
        typer.echo(text, err=True)


def describe_work(nodes: int, updates: int) -> str:
    """Return the work of a search, in the words of Knuth's programs."""
    return f"{plural(updates, 'update')}, {plural(nodes, 'node')}"


def ending(
    *,
    is_interrupted: bool = False,
    is_usable: bool = True,
    is_complete: bool = True,
    is_solved: bool = True,
) -> typer.Exit:
    """Return the exception that ends a command, with the status of the first outcome that holds."""
    outcomes = {
        ExitStatus.INTERRUPTED: is_interrupted,
        ExitStatus.USAGE: not is_usable,
        ExitStatus.STOPPED: not is_complete,
        ExitStatus.NOT_SOLVED: not is_solved,
    }
    return typer.Exit(next((status for status, holds in outcomes.items() if holds), 0))


def fail(text: str) -> typer.Exit:
    """Report an error, and return the exception that ends the command with status 2."""
    report_error(text)
    return ending(is_usable=False)


@contextmanager
def failing(prefix: str = "", suffix: str = "", start: int = 0) -> Iterator[None]:
    """Fail if the block raises ValueError or UnreadableError.

    The prefix precedes its message, and the suffix follows it. Options are counted from `start`.
    """
    try:
        yield
    except (ValueError, UnreadableError) as error:
        describe = getattr(error, "describe", None)  # of `OptionSelectionError`
        reason = describe(start) if describe else error
        advice = "; see --max-input" if isinstance(error, TooLargeError) else ""
        raise fail(f"{prefix}{reason}{suffix}{advice}") from None


def report_warnings() -> None:
    """Report all further warnings as messages of one line."""
    warnings.showwarning = lambda message, *details: report(f"warning: {message}")


@contextmanager
def interruptible() -> Iterator[None]:
    """Run a command, which Ctrl-C or SIGTERM ends with status 130."""
    signals.begin()
    try:
        yield
    except typer.Exit:
        raise
    except Stopped as stopped:  # by --seconds
        report(f"{str(stopped).capitalize()}.")
        raise ending(is_complete=False) from None
    except BaseException as error:  # a module or a class that a signal has torn may raise others
        if not (isinstance(error, KeyboardInterrupt) or signals.is_interrupted()):
            raise
        _print_message("interrupted")
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
            handlers[signal.Signals(deferred[0][0])](*deferred[0])


@cache
def report_compilation() -> None:
    """Report, once per process, that kernels are being compiled."""
    report("Compiling the kernels (on first use only; this takes a few seconds) ...")
