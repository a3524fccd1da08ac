"""Traces as text for a terminal, and as CSV tables."""

import csv
import io
from collections.abc import Iterable

from ..runtime.text import plural
from .page import describe_ending
from .problem_view import ProblemView
from .record import Record
from .trace import TraceStep, trace_search

MAX_LISTED = 12  # items or options in one list of a line of text
MAX_PARTIAL = 24  # characters of the partial solution in a line of text
MAX_INDENT = 32  # characters

CSV_HEADER = (
    "step", "level", "name", "action", "item", "size", "option", "option_description",
    "covered", "uncovered", "purified", "unpurified", "used", "released", "removed", "restored",
    "partial_solution", "outcome", "description",
)  # fmt: skip
_HEADING = "step level      cover items; remove options; {partial solution}"


def format_text(view: ProblemView, record: Record) -> str:
    """Return the trace as lines of text, one for each step, indented by level.

    Parameters
    ----------
    view : ProblemView
        The problem.
    record : Record
        A record of its search.

    Returns
    -------
    str

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_cover
    >>> view = view_cover(ExactCover([["a", "b"], ["a"]]), "example")
    >>> print(format_text(view, record_search(view)), end="")
    example: 2 options, 2 items, 3 entries
    <BLANKLINE>
    step level      cover items; remove options; {partial solution}
       0     0 X1  start with all items and options  {}
       1     0 X3  choose b (1 option)  {}
       2     0 X4  cover b; remove 0  {}
       3     0 X5  try 0 (a b): cover a; remove 1  {0}
       4     1 X2  │ ✓ cover 1: 0
       5     1 X8  │ end: 1 cover found  {0}
    <BLANKLINE>
    The recording contains the complete search.
    """
    lines = [f"{_printable(view.title)}: {view.summary}", "", _HEADING]
    formatter = _LineFormatter(view, record)
    lines += [formatter.format(step) for step in trace_search(view, record)]
    lines += ["", describe_ending(view, record)]
    return "".join(f"{line}\n" for line in lines)


def format_csv(view: ProblemView, record: Record) -> str:
    """Return the trace as a CSV table with the columns `CSV_HEADER`, one row for each step.

    The names in a list are separated by spaces; a name with spaces or quotes is quoted. If the
    record is not complete, the description of the last step states why.

    Parameters
    ----------
    view : ProblemView
        The problem.
    record : Record
        A record of its search.

    Returns
    -------
    str
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    labels = view.option_labels()
    items = ["", *view.items]
    last = len(record.steps) - 1
    for step in trace_search(view, record):
        is_cut_off = step.number == last and step.action != "end"
        ending = f" {describe_ending(view, record)}" if is_cut_off else ""
        writer.writerow(
            [
                step.number,
                step.level,
                step.name,
                step.action,
                items[step.item],
                step.size,
                labels[step.option] if step.option >= 0 else "",
                view.options[step.option] if step.option >= 0 else "",
                *(
                    _join(items[number] for number in numbers)
                    for numbers in (
                        step.covered,
                        step.uncovered,
                        step.purified,
                        step.unpurified,
                        step.used,
                        step.released,
                    )
                ),
                *(
                    _join(labels[number] for number in numbers)
                    for numbers in (step.removed, step.restored, step.partial)
                ),
                step.outcome,
                step.text + ending,
            ]
        )
    return table.getvalue()


def _join(names: Iterable[str]) -> str:
    """Return a list as one line of CSV with spaces as separators."""
    line = io.StringIO()
    end = "\r\n"  # names with these characters are quoted
    csv.writer(line, delimiter=" ", lineterminator=end).writerow(names)
    return line.getvalue().removesuffix(end)


def _printable(name: str) -> str:
    """Return the name with escape sequences in place of characters that are not printable."""
    return name if name.isprintable() else repr(name)[1:-1]


def _quoted(name: str) -> str:
    """Return the name as in a list of the table, without characters that are not printable."""
    return _join([_printable(name)])


class _LineFormatter:
    """A formatter of steps as lines of text."""

    def __init__(self, view: ProblemView, record: Record) -> None:
        self.items = ["", *map(_quoted, view.items)]
        self.labels = [_quoted(label) for label in view.option_labels()]
        self.descriptions = [_printable(text) for text in view.options]
        self.has_multiplicities = view.problem.low is not None
        self.deepest = max(step.level for step in record.steps)
        self.step_width = max(4, len(str(len(record.steps) - 1)))
        self.n_covers = 0

    def format(self, step: TraceStep) -> str:
        self.n_covers += step.action == "visit"
        indent = "│ " * step.level
        if 2 * self.deepest > MAX_INDENT:
            indent = " " * (step.level * MAX_INDENT // self.deepest)
        line = f"{step.number:>{self.step_width}} {step.level:>5} {step.name}  {indent}"
        line += ": ".join(filter(None, [self._action(step), self._effects(step)]))
        if step.outcome == "dead-end":
            few = "too few" if self.has_multiplicities else "no"
            line += f" ✗ {self.items[step.lacking]} has {few} options left"
        return line if step.action == "visit" else f"{line}  {{{self._partial(step)}}}"

    def _partial(self, step: TraceStep) -> str:
        """Return the partial solution, or its end if it is long."""
        text = ""
        for option in reversed(step.partial):
            if len(text) + len(self.labels[option]) > MAX_PARTIAL:
                return f"… {text}"
            text = f"{self.labels[option]} {text}".rstrip()
        return text

    def _action(self, step: TraceStep) -> str:
        """Return the action of a step, without its effects."""
        item = self.items[step.item]
        match step.action:
            case "start":
                return "start with all items and options"
            case "visit":
                cover = " ".join(self.labels[option] for option in sorted(step.partial))
                return f"✓ cover {self.n_covers:,}: {cover or 'no options'}"
            case "choose":
                return f"choose {item} ({self._size(step)})"
            case "cover" | "prepare":  # covering the item is usually one of the effects
                return "" if step.covered else f"keep {item}, which can take several options"
            case "tweak":
                return f"tweak {self._option(step.option)}"
            case "try" if step.option < 0:
                return f"try no further option of {item}"
            case "try" | "undo":
                return f"{step.action} {self._option(step.option)}"
            case "return":
                return f"return to level {step.level}"
            case "end":
                return f"end: {plural(self.n_covers, 'cover')} found"
        return step.action

    def _size(self, step: TraceStep) -> str:
        size = max(0, step.size or 0)
        if self.has_multiplicities:
            return "1 branch" if size == 1 else f"{size:,} branches"
        return plural(size, "option")

    def _option(self, number: int) -> str:
        label = self.labels[number]
        return f"{label} ({self.descriptions[number]})" if label == str(number) else label

    def _effects(self, step: TraceStep) -> str:
        effects = [
            ("cover", self.items, step.covered),
            ("purify", self.items, step.purified),
            ("use", self.items, step.used),
            ("remove", self.labels, step.removed),
            ("uncover", self.items, step.uncovered),
            ("unpurify", self.items, step.unpurified),
            ("release", self.items, step.released),
            ("restore", self.labels, step.restored),
        ]
        return "; ".join(
            f"{verb} {_list([names[number] for number in numbers])}"
            for verb, names, numbers in effects
            if numbers
        )


def _list(names: list[str]) -> str:
    if len(names) > MAX_LISTED:
        names = [*names[: MAX_LISTED - 1], f"… ({len(names) - MAX_LISTED + 1} more)"]
    return " ".join(names)
