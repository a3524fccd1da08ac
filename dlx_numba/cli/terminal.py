"""What a person sees on standard error: notices, and a progress bar where it is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache

import typer

from ..cover.exact_cover import Statistics
from ..jit.compile import watch_compilation

USAGE = 2  # exit status: wrong usage, or input that cannot be read
INTERRUPTED = 130


def say(text: str) -> None:
    typer.echo(text, err=True)


def counted(number: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "cover"), counted(2000, "cover")
    ('1 cover', '2,000 covers')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def say_statistics(did: Statistics, seconds: float) -> None:
    """What a search did, as Knuth's programs tell it."""
    solutions = counted(did.solutions, "solution")
    say(f"Altogether {solutions}, {did.updates:,} updates, {did.nodes:,} nodes ({seconds:.2f} s).")


def fail(text: str) -> typer.Exit:
    """Say what is wrong; to be raised."""
    say(f"error: {text}")
    return typer.Exit(USAGE)


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends the command at once."""
    try:
        yield
    except KeyboardInterrupt:
        say("interrupted")
        raise typer.Exit(INTERRUPTED) from None


def compile_notice() -> AbstractContextManager[None]:
    """Say so, once in a run, when kernels have to be compiled."""
    return watch_compilation(lambda name: _say_that_it_compiles())


@cache
def _say_that_it_compiles() -> None:
    say("Compiling the kernels for this: a few seconds, the first time only ...")


@contextmanager
def progress_bar(total_bytes: int | None) -> Iterator[Callable[[int, str], None]]:
    """Yield a function that shows the bytes read so far and a text: on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda done, text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%" if total_bytes else ""),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total_bytes)
        yield lambda done, text: progress.update(task, completed=done, description=text)
