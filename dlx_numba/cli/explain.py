"""`explain`: record a search as an HTML page, as text, as JSON or as a picture."""

import os
from pathlib import Path
from typing import Any

from ..cover.named_problem import named_problem
from ..explain import record_search
from ..explain.page import MAX_ASSIGNMENTS, PAGE_MARK, Page, check_size
from ..explain.problem_view import view_search
from ..explain.record import SearchRecord
from ..explain.spreadsheet import format_spreadsheet
from ..explain.trace import format_csv, format_json, format_text
from ..explain.worksheet import format_worksheet
from ..runtime.arguments import UNLIMITED
from ..runtime.text import plural
from . import options
from .call import Call
from .endings import SPREADSHEET, TRACES
from .inputs import SelectionOptions
from .limit import TimeLimit
from .output import write_text
from .terminal import fail, failing, report

_FORMATS = dict(zip(TRACES, (format_text, format_json, format_csv), strict=True))


def explain(
    *,
    output: str | None,
    style: str,
    title: str | None,
    steps: int,
    step: Any,
    links: bool,
    condensed: bool,
    steps_per_sheet: int | None,
    animated: bool,
    worksheet: bool,
    limit: int,
    opens: bool,
    show_givens: bool,
    rules: options.RulesOption,
    inputs: SelectionOptions,
) -> None:
    """Show a search step by step, on an HTML page, as a trace or as a picture."""
    _check_options(inputs.call, style)
    number, phase = step or (None, None)  # of the step, and of its sub-step
    if opens and (style != "html" or output == "-"):
        raise fail("--open needs a page in a file")
    if output is None:
        output = _default_page(inputs, worksheet) if style == "html" else "-"
    inputs.check_seed()
    puzzle, shown = inputs.take(rules)
    with failing(f"{puzzle.place or inputs.source}: ", start=inputs.start):
        cover = inputs.formulate(puzzle)
        name = title or shown
        view = inputs.stop.call(
            lambda: view_search(named_problem(cover), name, show_givens, inputs.start)
        )
        if style == "html":
            check_size(view.problem)
    with failing(f"{inputs.source}: ", errors=(ValueError, ImportError)):
        max_assignments = MAX_ASSIGNMENTS if style in ("html", "svg") else UNLIMITED
        record = record_search(
            view, steps=steps, stop=inputs.stop, limit=limit, max_assignments=max_assignments
        )
        if worksheet:
            text: str | bytes = format_worksheet(record, condensed)
        elif style == "svg":
            text = Page(record).svg(
                number,
                phase=phase,
                steps_per_sheet=steps_per_sheet,
                links=links,
                condensed=condensed,
                animated=animated,
            )
        else:
            text = _format(record, style, output, condensed, inputs.stop)
    write_text(output, text, inputs.file)
    inputs.report_size(view.summary, puzzle)
    _report(record, output, style)
    if opens:
        import webbrowser  # most pages are only written

        if not webbrowser.open(Path(output).resolve().as_uri()):
            report(f"No browser was found; open {output} in one.")


def _check_options(call: Call, style: str) -> None:
    """Fail if options do not concern what is written."""
    call.require("--format svg", "--step", "--links", "--steps-per-sheet", "--animated")
    call.require(f"--format svg or --format {SPREADSHEET} or --worksheet", "--condensed")
    call.reject("--links", "--condensed")
    if style != "html":
        call.reject(f"--format {style}", "--worksheet")
    if style in (*TRACES, SPREADSHEET):
        call.reject(f"--format {style}", "--title")


def _format(
    record: SearchRecord, style: str, output: str, is_condensed: bool, stop: TimeLimit
) -> str | bytes:
    """Return a recorded search as a page, as matrices in a spreadsheet, or as a trace.

    A spreadsheet is a workbook if the output file is one. A page is drawn under the time limit.
    """
    if style == "html":
        return stop.call(lambda: Page(record).html, "the page was complete")
    if style == SPREADSHEET:
        return format_spreadsheet(record, output.lower().endswith(".xlsx"), is_condensed, stop)
    return _FORMATS[style](record)


def _report(record: SearchRecord, output: str, style: str) -> None:
    """Report what a record contains, how the search ended, and where the record is."""
    counts = {
        "step": len(record.steps),
        "cover": len(record.covers),
        "node": record.nodes,
        "update": record.updates,
    }
    report(f"{', '.join(plural(n, noun) for noun, n in counts.items())}.")
    if style != "text" or output != "-":  # a trace on the terminal ends with the same sentence
        report(record.ending)
    if record.advice:
        report(record.advice)
    if output != "-":
        report(f"Written to {output}.")


def _default_page(inputs: SelectionOptions, is_worksheet: bool) -> str:
    """Return the name of the page of a file, in the current directory, such as queens-2.html.

    Fails if there is a file with this name that is no page of this program.
    """
    file = "board" if inputs.is_board else inputs.file
    stem = "explain" if file == "-" else Path(file.removesuffix(".gz")).stem
    if is_worksheet:
        stem += "-worksheet"
    number = inputs.number
    page = f"{stem}.html" if number == 1 else f"{stem}-{number}.html"
    if os.path.exists(page) and PAGE_MARK not in Path(page).read_bytes():
        raise fail(f"{page} exists and is not a page of this program; use --output FILE (-o)")
    return page
