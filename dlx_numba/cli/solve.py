"""`solve`: solve files of Sudoku puzzles."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import without_compiling
from ..puzzles.registry import KINDS
from ..runtime.arguments import UNLIMITED
from ..runtime.choices import AUTO, BOARD_STYLES, CANDIDATES
from ..sudoku.all_solutions import SolutionBlock, expand_solutions
from ..sudoku.backends import Backend, ExecutorBackend, ThreadBackend
from ..sudoku.box import Box
from ..sudoku.candidates import find_candidates
from ..sudoku.engines.base import EngineResult
from ..sudoku.engines.registry import choose_engine, select_rule
from ..sudoku.io.board import format_cells
from ..sudoku.io.layout import mark_givens
from ..sudoku.io.records import Records
from ..sudoku.io.write import NONE, Writer
from . import options
from .board_argument import board_from_argument
from .board_run import CHUNK_BOARDS, BoardRun, RecordOptions, solving_run
from .cluster import open_cluster
from .output import check_file, write_text
from .terminal import DIAGNOSE_ADVICE, fail, failing

if TYPE_CHECKING:
    from ..puzzles.reading import Reading

_BOARDS_ONLY = "--rules", "--dask", "--engine", "--strict"
_BOARD_STYLES = (*BOARD_STYLES, CANDIDATES)
# The number of boards of a chunk, by the largest side of these; larger boards are 16 in a chunk
BOARDS_BY_SIDE = ((9, CHUNK_BOARDS), (12, 2048), (16, 256))
QUICK_CELLS = 81  # of a board for which plain Python takes a moment
QUICK_LIMIT = 10  # of its solutions
SLOW_BOARDS = 1024  # with rules, or with candidates to find and write


def solve(
    *,
    style: str | None,
    limit: int | None,
    all_solutions: bool,
    check: bool,
    engine: str,
    rules: options.RulesOption,
    svg: str | None,
    sheet: str | None,
    kind: options.KindName,
    puzzle: int | None,
    choose: str | None,
    seed: int | None,
    up_to_symmetry: options.UpToSymmetry,
    fixed_by: options.FixedBy,
    one_based: options.OneBased,
    records: RecordOptions,
    table: options.TableOptions,
) -> None:
    """Solve files of Sudoku puzzles, or of puzzles or problems of any other kind."""
    records.call.reject("--format svg", "--svg", "--sheet")
    records.call.reject("--format html", "--svg", "--sheet")
    if style == "svg":
        svg = records.output
    elif style == "html":
        sheet = records.output
    # The file has the picture or the sheet alone, and no records.
    if style in ("svg", "html") and records.output != "-":
        records.output = os.devnull
    if limit is None and all_solutions:
        limit = UNLIMITED
    others = _read_others(records, table, kind, sheet is not None or puzzle is not None)
    if others is not None:
        from .puzzle_run import Target, solve_puzzles  # most files contain boards
        from .puzzle_search import PuzzleSearch

        _check_others(records, style)
        _check_limit(check, limit)
        start = 1 if one_based else 0
        search = PuzzleSearch(limit, check, seed, choose, up_to_symmetry, fixed_by, start)
        target = Target(records.output, style, svg, sheet)
        solve_puzzles(others, records, search, target, puzzle)  # and exit
    _check_boards(records, style, svg)
    with failing():
        engine = select_rule(engine, choose)
        choose_engine(engine, rules)
    _check_limit(check, limit)
    if limit is None:
        limit = 2 if check else 1
    run = solving_run(records, limit, check, rules)
    writer = Writer(run.select_style(None if style == "svg" else style), limit=limit)
    run.writer = writer
    # Solve with limit 2; enumerate only ambiguous puzzles.
    batch_limit = min(limit, 2) if all_solutions else limit
    is_quick = engine == AUTO and limit <= QUICK_LIMIT
    with _open_backend(run, records, engine, batch_limit, is_quick) as backend:
        run.display.update(run.progress())
        _solve_boards(run, writer, backend, svg, all_solutions)
    command = records.call.diagnose_command(records.files) if run.status_counts[NONE] else ""
    run.exit(DIAGNOSE_ADVICE.format(command) if command else "")


@contextmanager
def _open_backend(
    run: BoardRun, records: RecordOptions, engine: str, limit: int, is_quick: bool
) -> Iterator[Backend]:
    """Open the output, and what solves boards, for a block.

    `is_quick` says that plain Python solves a board of 9x9 in a moment, if it has no rules.
    """
    # For one such board, plain Python takes less time than the compiler; rules need their kernels.
    # A slice of any other search may take minutes.
    [file, *more] = records.files
    is_single = is_quick and not more and len(file) <= QUICK_CELLS and run.rules is None
    is_single = is_single and board_from_argument(file, records.blank) is not None
    backend: Backend
    with (
        without_compiling() if is_single else nullcontext(),
        run.writing(),
        open_cluster(records.dask) as executor,
    ):
        if executor is None:
            backend = ThreadBackend(engine, limit, records.n_threads, run.stop)
        else:
            backend = ExecutorBackend(engine, limit, run.stop, executor)
        with backend:
            yield backend


def _check_others(records: RecordOptions, style: str | None) -> None:
    """Fail if an option is only for boards, or options exclude each other: the files have none."""
    records.call.reject("a puzzle that is no Sudoku board", *_BOARDS_ONLY)
    # --check counts all solutions, and these leave some out.
    records.call.reject("--up-to-symmetry", "--check", "--seed", "--choose", "--fixed-by")
    records.call.reject("--fixed-by", "--check", "--seed", "--choose")
    if style in ("line", CANDIDATES):
        records.call.reject(f"--format {style}", "--sheet", "--puzzle")
        raise fail(f"--format {style} needs Sudoku boards; use json, or no --format")


def _check_boards(records: RecordOptions, style: str | None, svg: str | None) -> None:
    """Fail if an option is not for boards, or options exclude each other: the files have boards."""
    unsupported = "--seed", "--one-based", "--up-to-symmetry", "--fixed-by"
    records.call.reject("a file of boards", *unsupported)
    records.call.reject("--choose", "--all", "--rules")
    if style not in (None, "svg", *_BOARD_STYLES):
        raise fail(f"--format {style} is not for Sudoku boards: use {', '.join(_BOARD_STYLES)}")
    check_file("--svg", svg, [] if style == "svg" else [records.output], *records.files)
    records.call.reject("--dask", "--all")
    records.call.reject(f"--format {CANDIDATES}", "--all")


def _check_limit(check: bool, limit: int | None) -> None:
    """Fail if a second solution, which `--check` seeks, is not searched for."""
    if check and limit == 1:
        raise fail("--check needs a --limit of at least 2")


def _read_others(
    records: RecordOptions, table: options.TableOptions, kind: str | None, wants_puzzles: bool
) -> "list[tuple[str, Reading]] | None":
    """Return the content of files of other kinds than boards; None if all of them have boards.

    With `wants_puzzles`, boards are puzzles like all others. Fails if an option excludes what the
    files have.
    """
    form = table.form
    matrix_form = table.matrix_form(kind)
    is_table = form is not None or matrix_form is not None
    symbols = "--box", "--alphabet", "--blank"  # which only boards have
    # Whether the files are known to have boards, without looking for their kind
    are_boards = kind == "sudoku" or any(map(records.call.is_used, symbols))
    if not are_boards and kind is None:
        are_boards = all(_starts_with_board(records, file) for file in records.files)
    for option in ("--sheet", "--puzzle"):
        records.call.reject(option, *_BOARDS_ONLY, *symbols)
    records.call.reject("--items", *symbols)
    if kind != "sudoku":
        records.call.reject("--kind", *symbols)
    if are_boards and not (is_table or wants_puzzles):
        return None
    from ..puzzles.reading import ReadingOptions  # most files contain boards
    from .puzzle_run import read_other_kinds

    known_kind = "sudoku" if are_boards and not is_table else kind
    problems = ReadingOptions(matrix_form, form, table.excel_sheet)
    return read_other_kinds(records, known_kind, problems, wants_puzzles)


def _solve_boards(
    run: BoardRun, writer: Writer, backend: Backend, svg: str | None, all_solutions: bool
) -> None:
    """Solve the boards of a run, and write their solutions, or the picture of a single one."""

    def start(chunk: Records) -> Callable[[], EngineResult]:
        return backend.submit(chunk.boards, chunk.box, chunk.rules)

    is_slow = run.rules is not None or writer.style == CANDIDATES
    picture = ""
    chunks = run.read(partial(_max_boards, is_slow))
    for whole, full_result in run.map(start, backend.n_workers, chunks):
        candidates = None
        if writer.style == CANDIDATES:
            # A stop leaves boards unknown here, too, so this precedes the cut.
            candidates = _find_candidates(whole, full_result, writer, backend)
        is_known = full_result.counts >= 0
        # Without a file that another run continues, boards without a result are marked.
        chunk = whole if run.part is None else run.cut(whole, is_known)
        result = full_result.rows(slice(len(chunk)))
        if candidates is not None:
            candidates = candidates[: len(chunk)]
        if svg is not None:
            picture = _draw(chunk, result, run.n_puzzles)
        blocks: Iterable[SolutionBlock] = [SolutionBlock(chunk, result, None)]
        if all_solutions:  # it replaces counts of `result`
            blocks = expand_solutions(chunk, result, run.limit, run.stop)
        for block in blocks:
            _write_block(run, writer, block, candidates, svg != "-")
        run.count(chunk, result)
        if all_solutions and (result.counts < 0).any():  # solutions of the chunk are missing
            run.leave(whole)
    if svg is not None and picture:  # there is no other board
        write_text(svg, picture)


def _write_block(
    run: BoardRun,
    writer: Writer,
    block: SolutionBlock,
    candidates: NDArray[np.bool_] | None,
    is_written: bool,
) -> None:
    """Write solutions unless the output is their picture, count them, and show the progress."""
    records = block.records
    text = writer.format(records, *block.result, numbering=block.numbering, candidates=candidates)
    if run.is_drawn:
        text = mark_givens(text.decode(), records.boards).encode()
    if is_written:
        run.write(text, records.n_records)
    if block.n_solutions is not None:
        run.n_solutions = (run.n_solutions or 0) + block.n_solutions
    run.show_progress()


def _max_boards(is_slow: bool, box: Box) -> int:
    """Return the number of boards of a chunk: few if each may take long."""
    largest = SLOW_BOARDS if is_slow else CHUNK_BOARDS
    by_size = next((n_boards for side, n_boards in BOARDS_BY_SIDE if box.n <= side), 16)
    return min(largest, by_size)


def _starts_with_board(records: RecordOptions, file: str) -> bool:
    """Return whether a file, or an argument, so clearly has boards that no kind need be sought.

    False if in doubt: then the file is examined as a whole.
    """
    if file.partition(":")[0] in KINDS:  # an example, such as queens:n=6
        return False
    if file != "-" and not os.path.isfile(file):
        return board_from_argument(file) is not None
    # The first line has 81 symbols, but is no row of a Sukaku, which has nine symbols for a cell:
    # the k-th is k, or else 0 or a dot. Without a digit above 1 or a dot, the line may be a row of
    # a matrix. An empty file is clear, too.
    marks = "".join(f"[0.{digit}]" for digit in range(1, 10))  # of a cell of a Sukaku
    pattern = rf"(?!(?:{marks}){{9}})(?=[01]*[2-9.])[0-9.]{{81}}(?:\s|$)|\s*$"
    return re.match(pattern.encode(), records.head(file)) is not None


def _find_candidates(
    records: Records, result: EngineResult, writer: Writer, backend: Backend
) -> NDArray[np.bool_]:
    """Return which values the cells of boards have in solutions, as `find_candidates` does.

    Boards whose candidates are unknown after a stop are marked in the counts of the result.
    """

    def solve(boards: NDArray[np.uint8], limit: int) -> EngineResult:
        return backend.submit(boards, records.box, records.rules, limit)()

    limit = writer.limit or UNLIMITED
    return find_candidates(records.boards, records.box.n, limit, result, solve, backend.stop)


def _draw(records: Records, result: EngineResult, n_before: int) -> str:
    """Return a picture of a board and its solution. Fails unless it is the only record.

    `n_before` is the number of records in the chunks before.
    """
    from ..pictures.board import sudoku_picture  # most runs draw nothing

    if len(records) != 1 or records.bad or n_before:
        raise fail("--svg needs a single board: see --puzzle")
    givens, solution = (
        format_cells(boards[0], records.alphabet) for boards in (records.boards, result.solutions)
    )
    solved = solution if result.counts[0] > 0 else None
    rules = None if records.rules is None else records.rules.stated()
    # Shades of givens would hide shapes of rules.
    return sudoku_picture(
        "board", givens, *records.box, solved, is_shaded=rules is None, rules=rules
    )
