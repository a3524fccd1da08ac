"""Traces as JSON, one object for each step, and the same as lines of text for a terminal."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .record import Record
from .trace import EFFECTS, trace_search

MAX_LISTED = 12  # items or options in one list of a line of text
MAX_PARTIAL = 6  # options of the partial solution in a line of text
MAX_INDENT = 16  # levels

_HEADING = "step level      action: effects  {partial solution}"


def format_json(record: Record) -> str:
    """Return the trace as lines with a JSON object for each step.

    If the record is not complete, the description of the last step states why.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
    """
    return "".join(f"{json.dumps(step)}\n" for step in _describe_steps(record))


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
    step level      action: effects  {partial solution}
       0     0 X1  start  {}
       1     0 X3  choose b (1)  {}
       2     0 X4  cover b: covered b; removed 0  {}
       3     0 X5  try 0 (a b): covered a; removed 1  {0}
       4     1 X2  │ ✓ cover  {0}
       5     1 X8  │ end  {0}
    <BLANKLINE>
    The recording contains the complete search.
    """
    title = record.view.title
    title = title if title.isprintable() else json.dumps(title)
    lines = [f"{title}: {record.view.summary}", "", _HEADING]
    lines += [_format_step(step) for step in _describe_steps(record)]
    return "\n".join([*lines, "", record.ending, ""])


def _describe_steps(record: Record) -> Iterator[dict[str, Any]]:
    """Yield each step of a trace as an object of JSON, without what is empty."""
    view, last = record.view, len(record.steps) - 1
    labels, items = view.option_labels(), ["", *view.items]
    for trace in trace_search(record):
        step = trace.step
        described = {
            "step": trace.number,
            "level": step.level,
            "name": step.name,
            "action": step.action,
            "item": items[trace.item],
            "size": None if trace.size is None else max(0, trace.size),
            "option": labels[step.option] if step.option >= 0 else None,
            "option_description": view.options[step.option] if step.option >= 0 else None,
        }
        for name, numbers in trace.effects.items():
            names = labels if name in EFFECTS[-1] else items
            described[name] = [names[number] for number in numbers]
        is_cut_off = trace.number == last and step.action != "end"
        described |= {
            "partial_solution": [labels[number] for number in step.chosen],
            "cost": view.cost(step.chosen) if step.action == "visit" else None,
            "outcome": trace.outcome,
            "lacking": items[step.lacking],
            "description": step.text + f" {record.ending}" * is_cut_off,
        }
        yield {key: value for key, value in described.items() if value not in (None, "", [])}


def _format_step(step: dict[str, Any]) -> str:
    """Return the line of a step."""
    action = {"visit": "✓ cover", "skip": step["description"]}.get(step["action"], step["action"])
    has_subject = step["action"] not in ("visit", "skip")
    subject = _names([step.get("option", step.get("item"))] * has_subject)
    details = step.get("option_description"), step.get("size")
    shown = next((f" ({each})" for each in details if each not in (None, step.get("option"))), "")
    effects = "; ".join(
        f"{name} {_names(step[name])}" for pair in EFFECTS for name in pair if name in step
    )
    line = " ".join(filter(None, [action, subject])) + shown + f": {effects}" * (effects != "")
    line += f" |{step['cost']}" if "cost" in step else ""
    if step.get("outcome") == "dead-end":
        line += f" ✗ {_names([step.get('lacking')])} has too few options left"
    partial = step.get("partial_solution", [])
    dropped = "… " * (len(partial) > MAX_PARTIAL)
    place = f"{step['step']:>4} {step['level']:>5} {step['name']}"
    indent = "│ " * min(step["level"], MAX_INDENT)
    text = f"{place}  {indent}{line}  {{{dropped}{_names(partial[-MAX_PARTIAL:])}}}"
    return text if text.isprintable() else json.dumps(text)[1:-1]


def _names(names: Sequence[str | None]) -> str:
    """Return a list of names; those with blanks or quotes are JSON strings."""
    quoted = [
        json.dumps(name) if set(name) & set(' "') or not name.isprintable() else name
        for name in names
        if name is not None
    ]
    if len(quoted) > MAX_LISTED:
        quoted = [*quoted[: MAX_LISTED - 1], f"… ({len(quoted) - MAX_LISTED + 1} more)"]
    return " ".join(quoted)
