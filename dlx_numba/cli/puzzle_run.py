"""Solve and count puzzles of any kind but boards, which have engines of their own."""

from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from typing import Any, NoReturn

import numpy as np
import typer

from ..cover.covers import Cover
from ..cover.names import as_text
from ..cover.penalties import exact_cost
from ..cover.rows import LongForm
from ..cover.stated import stated_of
from ..cover.text import format_cover, has_names
from ..kernels.dlx.state import UNLIMITED
from ..pictures.document import Svg
from ..pictures.sheet import html_sheet, svg_sheet
from ..puzzles.exact.matrix import MatrixForm
from ..puzzles.kind import readers
from ..puzzles.pieces.burr import write_solutions
from ..puzzles.puzzle import Puzzle
from ..puzzles.reading import (
    SUDOKU,
    ProblemOptions,
    Reading,
    find_kind,
    is_example,
    open_text,
    read_any,
)
from ..puzzles.sudoku import BoardPuzzle
from ..runtime import signals
from ..runtime.errors import FormatError, UnreadableError
from ..runtime.json import dump_json
from ..runtime.text import plural
from . import options, output
from .board_run import RecordOptions, advise_size
from .endings import PLANS, SOLIDS
from .limit import INPUT_END
from .part import origin_of
from .puzzle_search import (
    CHEAPEST,
    INTERRUPTED,
    MULTIPLE,
    NONE,
    UNDECIDED,
    Answer,
    Search,
    answer_puzzle,
)
from .run import Run
from .terminal import (
    DESCRIBED,
    DIAGNOSE_ADVICE,
    BadPlace,
    describe_statuses,
    ending,
    fail,
    failing,
    painter,
    report,
    report_error,
)

MAX_DRAWN = 1000  # solutions on a sheet


def draw(puzzle: Puzzle, solution: Any, start: int = 0) -> str:
    """Return a solution, options or a board, as lines of text, in color on a terminal.

    The options of a matrix are numbers, counted from `start`.
    """
    if isinstance(puzzle, BoardPuzzle) and isinstance(solution, np.ndarray):
        return puzzle.draw(solution, painter())
    if puzzle.picture is None:
        stated = stated_of(puzzle.problem)
        style = "names" if has_names(stated.names) else "numbers"
        return format_cover(
            stated.problem, stated.names, solution, style, start, is_for_people=True
        )
    return puzzle.picture.text(solution, painter())


def solve_puzzles(
    files: list[tuple[str, Reading]],
    records: RecordOptions,
    style: str | None,
    search: Search,
    svg: str | None,
    sheet: str | None,
    number: int | None,
) -> NoReturn:
    """Print the solutions of the puzzles in files, and whether there are others.

    With a `number`, only the puzzle of this number in each file is solved.
    """
    names = [file for file, _ in files]
    path = records.output
    texts = [] if style in ("svg", "html") else [path]
    output.check_file("--svg", svg, [] if svg == "-" else texts, *names)
    output.check_file("--sheet", sheet, texts, *names)
    run = Run(records.stop, path, total=1)
    run.noun = "puzzle"
    statuses: list[str] = []
    verdict = ""
    has_advice = False
    is_json = style == "json"
    is_plan = style in (*PLANS, SOLIDS)
    if is_plan:
        output.check_plan(path, str(style))
        run.output = "-"  # a plan is written at once
    options.require("--output", "--resume")
    options.reject(
        "--resume",
        "--svg",
        "--sheet",
        "--format svg",
        "--format html",
        *(f"--format {name}" for name in (*PLANS, SOLIDS)),
    )
    run.files = names
    run.origin = origin_of(*names)
    run.resume = records.resume
    is_picture = "-" in (svg, sheet)
    is_text = not (is_json or is_plan or is_picture)
    n_kept = UNLIMITED if is_json or is_plan else MAX_DRAWN if sheet else 1
    kept: list[tuple[Any, list[Cover]]] = []  # the first solutions of each puzzle
    numbers = count(1)  # of solutions

    def show(solution: Cover) -> None:
        puzzle, solutions = kept[-1]
        space = "\n" if statuses or solutions else ""
        if len(solutions) < n_kept:
            solutions.append(solution)
        if is_text:
            run.display.clear_for_stdout()
            typer.echo(space + draw(puzzle, solution, search.start))
        if is_single:
            run.display.update(plural(next(numbers), "solution"))

    with run.writing(), run.printing():
        with failing():
            puzzles = run.stop.call(lambda: _list_puzzles(files, number), INPUT_END)
        statuses += run.status_counts.elements()
        run.unreadable += (BadPlace(*each) for each in run.saved.get("unreadable", ()))
        n_done = run.saved.get("done", 0)
        is_single = len(puzzles) == 1
        run.display.update("no solution so far")
        if svg is not None and not is_single:
            raise fail("--svg needs a single puzzle: see --puzzle")
        for file, number, puzzle in puzzles[n_done:]:
            n_done += 1
            if isinstance(puzzle, FormatError):
                run.unreadable.append(BadPlace(puzzle.source, puzzle.line, puzzle.reason))
                report_error(str(puzzle))
                continue
            if not is_single:
                progress = f"{len(statuses):,} of {plural(len(puzzles), 'puzzle')}"
                run.display.update(progress, len(statuses) / len(puzzles))
            puzzle = puzzle.with_settings(threads=records.threads)
            solutions: list[Cover] = []
            kept.append((puzzle, solutions))
            shows_boards = is_text and svg is None and sheet is None
            try:
                answer = answer_puzzle(puzzle, search, run.stop, show, shows_boards)
            except ValueError as error:  # the puzzle is no valid problem
                if solutions:  # it is one, and its picture has a defect
                    raise
                run.unreadable.append(BadPlace.of(puzzle.place or file, str(error)))
                report_error(f"{puzzle.place or file}: {error}")
                continue
            statuses.append(answer.status)
            verdict = answer.verdict
            has_advice |= answer.status == NONE and not answer.reason
            if svg is not None and solutions:
                output.write_text(svg, puzzle.svg(solutions[0]), *names)
            run.display.clear_for_stdout()
            if is_json:
                typer.echo(_format_json(puzzle, number, answer, solutions, search.start))
            elif not is_picture:
                place = "" if is_single else f"{puzzle.place or file}: "
                reason = f": {answer.reason}" if answer.reason else ""
                typer.echo(f"# {place}{answer.verdict}{reason}")
            if answer.status == INTERRUPTED or (answer.status == UNDECIDED and run.stop()):
                run.n_records += 1
                run.is_complete = False
                break
            run.status_counts[answer.status] += 1
            run.end_record(done=n_done, unreadable=[*run.unreadable])
        n_readable = len(puzzles) - len(run.unreadable)
        is_usable = not records.n_rejected and (n_readable > 0 or not puzzles)
        run.is_complete &= is_usable
    if style == SOLIDS:
        output.check_output(path, *names)
        with failing(), output.safe_output(path):
            write_solutions(path, kept)
    elif style in PLANS:
        output.write_plans(path, style, [cover for _, covers in kept for cover in covers], *names)
    if sheet is not None:
        is_page = style == "html" or sheet.lower().endswith((".html", ".htm"))
        _write_sheet(sheet, is_page, kept, is_single, names)
    kinds = ", ".join(dict.fromkeys(found.format or found.kind for _, found in files))
    known = statuses + ["not reached"] * (n_readable - len(statuses))
    counts = describe_statuses({each: known.count(each) for each in known})
    summary = f"{plural(len(known), 'puzzle')} read as {kinds}" + (f": {counts}" if counts else "")
    if statuses == known == [MULTIPLE]:
        several = f"with {verdict}" if search.limit else DESCRIBED[MULTIPLE]
        summary = f"1 puzzle {several}, read as {kinds}"
    report(f"{summary} ({run.duration()})")
    if has_advice:
        command = f"`{options.diagnose_command(names[0])}` explains why there is no solution"
        report(command if options.is_used("--items") else DIAGNOSE_ADVICE)
    bad = {NONE, MULTIPLE} if search.check else {NONE}
    raise ending(
        is_interrupted=INTERRUPTED in statuses or signals.is_interrupted(),
        is_usable=is_usable,
        is_readable=not run.unreadable,
        is_complete=UNDECIDED not in statuses,
        is_solved=not bad & set(statuses),
    )


def _write_sheet(
    sheet: str,
    is_page: bool,
    solved: list[tuple[Any, list[Cover]]],
    is_single: bool,
    names: list[str],
) -> None:
    """Draw the first solutions of puzzles, if there are any, on a sheet."""
    drawn: list[tuple[str, Svg]] = []
    for puzzle, solutions in solved:
        for solution in solutions[: MAX_DRAWN - len(drawn)]:
            parts = [f"{len(drawn) + 1}"] if is_single else [puzzle.place, f"{len(drawn) + 1}"]
            if solution.cost != 0:
                parts.append(f"cost {solution.cost:,}")
            drawn.append((", ".join(filter(None, parts)), puzzle.svg(solution)))
    if drawn:
        title = solved[0][0].title if is_single else ", ".join(names)
        build = html_sheet if is_page else svg_sheet
        output.write_text(sheet, build(title, drawn), *names)
    if len(drawn) == MAX_DRAWN:
        report(f"(the sheet has the first {MAX_DRAWN:,} solutions)")


def _format_json(
    puzzle: Puzzle, number: int, answer: Answer, solutions: list[Cover], start: int
) -> str:
    """Return an answer as an object of JSON. Options are counted from `start`."""
    found: list[dict[str, Any]] = []
    for each in solutions:
        names = list(map(as_text, each.names))
        numbers = [option + start for option in each]
        found.append({"text": puzzle.text(each), "options": names, "numbers": numbers})
        if answer.status == CHEAPEST:
            stated = stated_of(each)
            found[-1]["cost"] = exact_cost(stated.problem, stated.names, each)
    record = {"puzzle": number, "title": puzzle.title, "place": puzzle.place}
    record |= answer._asdict() | {"solutions": found}
    return dump_json(record, ensure_ascii=False)


def _list_puzzles(
    files: list[tuple[str, Reading]], number: int | None
) -> list[tuple[str, int, Puzzle | FormatError]]:
    """Return the puzzles of each file and their numbers, or the readable one of a number."""
    listed: list[tuple[str, int, Puzzle | FormatError]] = []
    for file, found in files:
        own: Iterator[tuple[int, Puzzle | FormatError]] = enumerate(found.puzzles, 1)
        if number is not None:
            readable = (each for each in own if not isinstance(each[1], FormatError))
            first = [*islice(readable, number)]
            if len(first) < number:
                raise ValueError(
                    f"{output.source_name(file)}: no puzzle {number:,}: the file contains "
                    f"{plural(len(first), 'puzzle')}"
                )
            own = iter(first[-1:])
        listed += [(file, *each) for each in own]
    return listed


def read_other_kinds(
    records: RecordOptions,
    kind: str | None,
    columns: MatrixForm | None,
    form: LongForm | None,
    reads_boards: bool,
) -> list[tuple[str, Reading]] | None:
    """Return the content of files that contain no boards; None if all of them do.

    With `reads_boards`, boards are puzzles like all others. Of several files, those that cannot be
    read are reported and left out.
    """
    readers()  # importing them takes no part of the time
    problems = ProblemOptions(columns, form)
    is_problem = columns is not None or form is not None
    others: list[tuple[str, Reading]] = []
    board_files: list[str] = []
    unreadable: dict[str, UnreadableError] = {}
    has_several_files = len(records.files) > 1
    for file in records.files:
        try:
            with failing(suffix=advise_size(file)):
                source = open_text(file)
                own_kind = kind
                if kind is None and not is_problem and not is_example(source):
                    try:
                        own_kind, source = records.stop.call(partial(find_kind, source), INPUT_END)
                    except UnreadableError as error:  # boards before the damage can be read
                        own_kind = SUDOKU
                        unreadable[file] = error
                if own_kind == SUDOKU and not reads_boards:
                    board_files.append(file)
                    records.sources[file] = source
                    continue
                read = partial(read_any, source, own_kind, problems=problems)
                others.append((file, records.stop.call(read, INPUT_END)))
        except typer.Exit:
            if records.strict:
                report("stopped at the first file that cannot be read")
            if records.strict or not has_several_files:
                raise
            records.n_rejected += 1
    if others:
        for file in filter(unreadable.get, board_files):
            fail(unreadable[file])
            records.n_rejected += 1
        board_files = [file for file in board_files if file not in unreadable]
    if not (others or board_files):
        raise ending(is_usable=False)
    if others and board_files:
        file, found = others[0]
        raise fail(
            UnreadableError(
                file,
                f"this is of the kind {found.kind}, and {board_files[0]} has Sudoku "
                "boards: solve them in separate runs",
            )
        )
    records.files = board_files
    return others or None
