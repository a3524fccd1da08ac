"""Traces as text for a terminal, and as CSV tables."""

import csv
import io
from collections.abc import Iterable, Sequence

from ..runtime.text import plural
from .record import Record
from .trace import EFFECTS, TraceStep, trace_search

MAX_LISTED = 12  # items or options in one list of a line of text
MAX_PARTIAL = 24  # characters of the partial solution in a line of text
MAX_INDENT = 32  # characters

_LISTS = [name for names in EFFECTS for name in names]
CSV_HEADER = (
    "step", "level", "name", "action", "item", "size", "option", "option_description", *_LISTS,
    "partial_solution", "outcome", "description",
)  # fmt: skip
_VERBS = (
    "cover", "uncover", "purify", "unpurify", "use", "release", "remove", "restore",
)  # fmt: skip
_HEADING = "step level      cover items; remove options; {partial solution}"


def format_text(record: Record) -> str:
    """Return the trace as lines of text, one for each step, indented by level.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> from dlx_numba.explain import record_search
    >>> from dlx_numba.explain.problem_view import view_search
    >>> view = view_search(ExactCover([["a", "b"], ["a"]]), "example")
    >>> print(format_text(record_search(view)), end="")
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
    lines = [f"{_printable(record.view.title)}: {record.view.summary}", "", _HEADING]
    formatter = _LineFormatter(record)
    lines += [formatter.format(step) for step in trace_search(record)]
    lines += ["", record.ending]
    return "".join(f"{line}\n" for line in lines)


def format_csv(record: Record) -> str:
    """Return the trace as a CSV table with the columns `CSV_HEADER`, one row for each step.

    The names in a list are separated by spaces; a name with spaces or quotes is quoted. If the
    record is not complete, the description of the last step states why.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    view, last = record.view, len(record.steps) - 1
    labels, items = view.option_labels(), ["", *view.items]
    for trace in trace_search(record):
        step = trace.step
        is_cut_off = trace.number == last and step.action != "end"
        ending = f" {record.ending}" if is_cut_off else ""
        lists = [
            _join((labels if name in EFFECTS[-1] else items)[number] for number in numbers)
            for name, numbers in trace.effects.items()
        ]
        option = [labels[step.option], view.options[step.option]] if step.option >= 0 else ["", ""]
        partial = _join(labels[number] for number in step.chosen)
        place = trace.number, step.level, step.name, step.action, items[trace.item], trace.size
        writer.writerow([*place, *option, *lists, partial, trace.outcome, step.text + ending])
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

    def __init__(self, record: Record) -> None:
        self.view = view = record.view
        self.items = ["", *map(_quoted, view.items)]
        self.labels = [_quoted(label) for label in view.option_labels()]
        self.descriptions = [_printable(text) for text in view.options]
        self.has_multiplicities = view.problem.low is not None
        self.deepest = max(step.level for step in record.steps)
        self.step_width = max(4, len(str(len(record.steps) - 1)))
        self.n_covers = 0

    def format(self, trace: TraceStep) -> str:
        step = trace.step
        self.n_covers += step.action == "visit"
        indent = "│ " * step.level
        if 2 * self.deepest > MAX_INDENT:
            indent = " " * (step.level * MAX_INDENT // self.deepest)
        line = f"{trace.number:>{self.step_width}} {step.level:>5} {step.name}  {indent}"
        line += ": ".join(filter(None, [self._action(trace), self._effects(trace.effects)]))
        if trace.outcome == "dead-end":
            few = "too few" if self.has_multiplicities else "no"
            line += f" ✗ {self.items[step.lacking]} has {few} options left"
        return line if step.action == "visit" else f"{line}  {{{self._partial(step.chosen)}}}"

    def _partial(self, chosen: Sequence[int]) -> str:
        """Return the partial solution, or its end if it is long."""
        text = ""
        for option in reversed(chosen):
            if len(text) + len(self.labels[option]) > MAX_PARTIAL:
                return f"… {text}"
            text = f"{self.labels[option]} {text}".rstrip()
        return text

    def _action(self, trace: TraceStep) -> str:
        """Return the action of a step, without its effects."""
        step, item = trace.step, self.items[trace.item]
        match step.action:
            case "start":
                return "start with all items and options"
            case "visit":
                cover = " ".join(self.labels[option] for option in sorted(step.chosen))
                cost = self.view.cost(step.chosen)
                suffix = "" if cost is None else f" |{cost}"
                return f"✓ cover {self.n_covers:,}: {cover or 'no options'}{suffix}"
            case "choose":
                return f"choose {item} ({self._size(max(0, trace.size or 0))})"
            case "cover" | "prepare":  # covering the item is usually one of the effects
                keep = f"keep {item}, which can take several options"
                return "" if trace.effects["covered"] else keep
            case "try" if step.option < 0:
                return f"try no further option of {item}"
            case "skip":
                return _printable(step.text[:1].lower() + step.text[1:].rstrip("."))
            case "tweak" | "try" | "undo":
                return f"{step.action} {self._option(step.option)}"
            case "return":
                return f"return to level {step.level}"
            case "end":
                return f"end: {plural(self.n_covers, 'cover')} found"
        return step.action

    def _size(self, size: int) -> str:
        if self.has_multiplicities:
            return "1 branch" if size == 1 else f"{size:,} branches"
        return plural(size, "option")

    def _option(self, number: int) -> str:
        view, label = self.view, self.labels[number]
        is_named = view.names.options[number] != view.numbers[number]
        return label if is_named else f"{label} ({self.descriptions[number]})"

    def _effects(self, effects: dict[str, list[int]]) -> str:
        lists = []
        for (effect, numbers), verb in zip(effects.items(), _VERBS, strict=True):
            names = self.labels if effect in EFFECTS[-1] else self.items
            if numbers:
                lists.append(f"{verb} {_list([names[number] for number in numbers])}")
        return "; ".join(lists)


def _list(names: list[str]) -> str:
    if len(names) > MAX_LISTED:
        names = [*names[: MAX_LISTED - 1], f"… ({len(names) - MAX_LISTED + 1} more)"]
    return " ".join(names)
