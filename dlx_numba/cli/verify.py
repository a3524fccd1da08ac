"""`verify`: check claimed answers to puzzles and problems."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from math import isclose
from typing import Any

import typer

from ..puzzles.answer import check_answer
from ..puzzles.claims import divide_answers, read_claims, read_costs
from ..puzzles.puzzle import Puzzle
from ..runtime.interrupts import raise_if_stopped
from ..runtime.text import plural
from . import options
from .answers import Answer, read_answer
from .inputs import InputOptions
from .limit import OUTPUT_END
from .terminal import fail, failing, report


def verify(
    *,
    inputs: InputOptions,
    answer: str | None,
    style: str,
    output: options.OutputFile,
    resume: options.Resume,
    summary: options.SummaryFile,
) -> None:
    """Check a claimed answer: which items are covered twice or not at all, and what it costs."""
    reading = inputs.read()
    parts: list[str] = []  # of the answer, one for each puzzle; none without ANSWER
    claimed = Answer("")
    if answer is not None:
        claimed = read_answer(answer)
        with failing():
            parts = divide_answers(claimed.text, reading.chunks is not None)
    puzzles, is_single = inputs.several(reading, is_single=len(parts) == 1)
    inputs.report_size()
    if is_single and len(parts) > 1:
        if inputs.call.is_used("--puzzle"):  # the parts belong to the puzzles of the file
            parts = parts[inputs.number - 1 : inputs.number]
        parts = ["\n\n".join(parts)]  # all are claims about the puzzle
    run = inputs.run(output, resume, *filter(None, [answer]))
    counts = run.status_counts
    n_puzzles = 0
    with run.writing(), run.printing():
        n_without = run.saved.get("without", 0)
        # Puzzles without a part of the answer have none.
        for puzzle, part in zip(puzzles, chain(parts, repeat("")), strict=False):
            n_puzzles += 1
            if n_puzzles <= run.n_records:  # the run that is continued has checked it
                continue
            claims: Sequence[Any] = puzzle.answers
            costs: list[float] = []
            if answer is not None:
                with failing(f"{inputs.source}: ", start=inputs.start), claimed.locating():
                    claims = inputs.stop.call(partial(read_claims, puzzle, part, inputs.start))
                    costs = read_costs(part)
            if not claims:
                n_without += 1
            for number, record in enumerate(_check_claims(inputs, puzzle, claims, costs), 1):
                counts["right" if record["is_right"] else "wrong"] += 1
                place = puzzle.place + (f", solution {number}" if len(claims) > 1 else "")
                is_alone = is_single and len(claims) == 1
                typer.echo(_format(record, place, style, is_alone))
            run.end_record(without=n_without)
        _report(inputs, counts, n_puzzles + inputs.n_unreadable, len(parts), is_single)
        if n_without:
            _report_without(n_without)
    raise inputs.ending(is_solved=not counts["wrong"])


def _check_claims(
    inputs: InputOptions, puzzle: Puzzle, claims: Sequence[Any], costs: Sequence[float]
) -> Iterator[dict[str, Any]]:
    """Yield what is right or wrong about each claim, as `check_answer` returns it.

    `costs` are those in the answer. If each claim has one, it is checked, too.
    """
    for number in range(len(claims)):
        if number > 0:  # `stop.call` gives each claim some time, also after the limit
            raise_if_stopped(inputs.stop, OUTPUT_END)
        with failing(f"{inputs.source}: ", start=inputs.start):
            check = partial(check_answer, puzzle, claims, number, inputs.start)
            record = inputs.stop.call(check, OUTPUT_END)
        if "cost" in record and len(costs) == len(claims):
            claimed = costs[number]
            if not isclose(claimed, record["cost"], rel_tol=1e-9):
                record |= {"is_right": False, "text": f"the cost is not {claimed:,}"}
        yield record


def _format(record: dict[str, Any], place: str, style: str, is_alone: bool) -> str:
    """Return what is right or wrong about a claim; in text, without its place if it is alone."""
    if style == "json":
        return json.dumps({"place": place, **record}, ensure_ascii=False)
    cost = f" (cost {record['cost']:,})" if "cost" in record else ""
    prefix = "" if is_alone else f"{place}: "
    return f"{prefix}{record['text']}{cost}"


def _report_without(n_puzzles: int) -> None:
    """Report how many puzzles have no answer."""
    report(f"{plural(n_puzzles, 'puzzle')} {'has' if n_puzzles == 1 else 'have'} no answer")


def _report(
    inputs: InputOptions, counts: Counter[str], n_puzzles: int, n_parts: int, is_single: bool
) -> None:
    """Report how many answers are right. Fails if there are none, or more than puzzles."""
    if n_puzzles < n_parts:
        numbers = f"{plural(n_parts, 'part')}, and the file has {plural(n_puzzles, 'puzzle')}"
        raise fail(f"the answer has {numbers}")
    n_checked = counts.total()
    if not n_checked and not inputs.n_unreadable:
        raise fail(f"{inputs.source}: no answer in the file; add ANSWER")
    if n_checked > (1 if is_single else 0):  # for a single claim, the output suffices
        numbers = f"{counts['right']:,} right, {counts['wrong']:,} wrong"
        report(f"{plural(n_checked, 'answer')}: {numbers}")
