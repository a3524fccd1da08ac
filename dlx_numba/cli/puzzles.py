"""`puzzles`: make puzzles from a problem, and a book of them."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import Any, NoReturn

from ..cover.covers import Cover, Covers
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..cover.names import as_text, json_name, names_of
from ..pictures.book import Book
from ..pictures.filling import Pieces
from ..pictures.grid import Grid
from ..pictures.picture import Picture
from ..puzzles.fresh import fresh_puzzles
from ..puzzles.puzzle import Puzzle
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..runtime.showing import counting
from ..runtime.text import plural
from . import options
from .call import MATRIX_OPTIONS
from .endings import BOOK
from .inputs import SelectionOptions, find_quick_reason
from .output import write_text
from .run import Run
from .selection import select_matching
from .terminal import deferred_signals, ending, failing, painter, report

# The options of a problem, and of its search, which puzzles of a new size do not have
_NOT_FOR_FRESH = (
    *("--clues", "--no-minimal", "--level", "--given", "--forbidden", "--one-based"),
    *("--kind", "--puzzle", "--items", *MATRIX_OPTIONS, "--box", "--alphabet", "--blank"),
    *("--threads", "--memory"),
)


def puzzles(
    *,
    number: int,
    clues: list[str] | None,
    no_minimal: bool,
    level: str | None,
    size: int | None,
    style: str,
    per_page: options.PerPage,
    title: options.BookTitle,
    output: options.OutputFile,
    threads: options.Threads,
    memory: options.MemoryLimit,
    inputs: SelectionOptions,
) -> None:
    """Make puzzles from a problem: a few options of a cover, which no other cover contains."""
    inputs.call.reject("puzzles", "--choose")
    inputs.call.require(f"--format {BOOK}", "--per-page", "--title")
    run = Run(inputs.call, inputs.stop)
    book = Book("puzzle", int(per_page or 6), title=title)
    if size is not None:
        inputs.call.reject("--size", *_NOT_FOR_FRESH)
        _draw_fresh(inputs, number, size, style, book, output, run)  # and exit
    seed, inputs.seed = inputs.seed, None  # the seed of the puzzles, not of the search
    puzzle, _ = inputs.take()
    with failing(f"{puzzle.place or inputs.source}: ", start=inputs.start):
        if puzzle.condition is not None:
            raise ValueError("items do not express all conditions of the puzzle")
        cover = inputs.formulate(puzzle, threads=threads, memory=memory, progress=True)
        chosen = _matching_options(cover, clues) if clues else None
        how = {"clues": chosen, "minimal": not no_minimal, "level": level, "seed": seed}
        made = _make(inputs, cover, run, n=number, **how)
    with failing(f"{inputs.source}: "):
        texts = _write(puzzle, cover, made, style, book, inputs.start)
    n_written = len(texts) or len(book)
    if n_written:
        separator = "\n" if style == "text" else ""
        text = book.document() if style == BOOK else separator.join(texts)
        write_text(output, text, inputs.file)
    report(f"({plural(n_written, 'puzzle')}, read as {inputs.read_as}, {run.duration()})")
    raise inputs.ending_of_one(is_complete=n_written == number)


def _matching_options(cover: ExactCover, patterns: list[str]) -> list[int]:
    """Return the options that have names as in `--clues`."""
    names = names_of(cover.problem, named_problem(cover).names, range(cover.n_options))
    return select_matching(dict(enumerate(map(as_text, names))), patterns, "--clues: no option")


def _make(inputs: SelectionOptions, cover: ExactCover, run: Run, **how: Any) -> Covers:
    """Return the puzzles that `ExactCover.puzzles` makes with the arguments `how`.

    After the time limit or a signal, these are the puzzles that were made before. Fails if the
    problem has no cover.
    """
    with run.stopping():
        try:
            if cover.first(stop=run.stop) is None:
                report(find_quick_reason(cover) or "There is no cover.")
                raise inputs.ending_of_one(is_solved=False)
            return cover.puzzles(**how, stop=run.stop)
        except Stopped as stopped:
            return stopped.partial or Covers()
    return Covers()  # after an interrupt, which `stopping` suppresses


def _write(
    puzzle: Puzzle, cover: ExactCover, made: Covers, style: str, book: Book, start: int
) -> list[str]:
    """Return puzzles as texts, or add them to a book, from easy to hard.

    An interrupt ends this early. There are no texts if the style is that of a book.
    """
    texts: list[str] = []
    interrupted = Stop()
    with suppress(KeyboardInterrupt), deferred_signals(interrupted.cancel):
        # Each has one solution. A search for 2 is complete, so its nodes measure the difficulty.
        solved = cover.solve_batch(given=made, limit=2)
        solutions: Any = solved.covers
        order = [*range(len(made))]
        if style == BOOK:  # by the number of options that are not given, and by the search
            order.sort(key=lambda k: (len(solutions[k]) - len(made[k]), solved.nodes[k]))
        for k in order:
            if interrupted():
                break
            if style == "text":
                texts.append(f"{_drawn(puzzle, made[k])}\n")
            elif style == "json":
                record = _record(made[k], solutions[k], start)
                texts.append(f"{json.dumps(record, ensure_ascii=False)}\n")
            else:
                add_to_book(book, puzzle, solutions[k], made[k])
    return texts


def _draw_fresh(
    inputs: SelectionOptions, number: int, size: int, style: str, book: Book, output: str, run: Run
) -> NoReturn:
    """Write new puzzles of a kind: texts, a list in JSON that all commands read, or a book.

    `--size` asks for them. The argument FILE, `inputs.file`, is then the name of the kind.
    """
    texts: list[str] = []
    made: list[tuple[int, Puzzle, Any]] = []  # with their difficulties and solutions; not for text
    bar = counting(True, lambda: len(texts), number, "puzzle")
    suppressed = suppress(KeyboardInterrupt, Stopped)
    with failing(), suppressed, deferred_signals(run.stop.cancel), bar:
        for text, puzzle in islice(fresh_puzzles(inputs.file, size, inputs.seed, run.stop), number):
            if style == "text":
                texts.append(text)
                continue
            # The search for all solutions is complete, so its nodes measure the difficulty.
            [solution] = puzzle.solutions(stop=run.stop)
            made.append((puzzle.problem.statistics.nodes, puzzle, solution))
            record = {"kind": inputs.file, "problem": text, "solution": puzzle.text(solution)}
            texts.append(json.dumps(record, ensure_ascii=False))
    if texts:
        written = "\n".join(texts)
        if style == "json":
            written = "[\n" + ",\n".join(texts) + "\n]\n"
        elif style == BOOK:  # from easy to hard
            for _, puzzle, solution in sorted(made, key=itemgetter(0)):
                add_to_book(book, puzzle, solution)
            written = book.document()
        write_text(output, written)
    report(f"({plural(len(texts), 'puzzle')}, {run.duration()})")
    raise ending(is_complete=len(texts) == number)


def add_to_book(
    book: Book,
    puzzle: Puzzle,
    solution: Cover | None,
    clues: Sequence[int] = (),
    caption: str = "",
) -> None:
    """Draw a puzzle, with the pieces that are not yet placed, and its solution, if there is one.

    `clues` are options that the puzzle gives.
    """
    picture = puzzle.picture
    drawable, drawn_clues = _with_givens(puzzle, clues)
    if drawable is puzzle and isinstance(picture, Pieces) and solution is not None:
        challenge = picture.challenge(drawn_clues, solution)
    else:
        challenge = drawable.svg(drawn_clues)
    book.add(challenge, None if solution is None else drawable.svg(solution), caption)


def _record(clues: Cover, solution: Cover, start: int) -> dict[str, Any]:
    """Return a puzzle as a JSON object. Options are counted from `start`."""
    return {
        "clues": [option + start for option in clues],
        "names": [*map(json_name, clues.names)],
        "solution": [option + start for option in solution],
    }


def _with_givens(puzzle: Puzzle, clues: Sequence[int]) -> tuple[Puzzle | Picture, Sequence[int]]:
    """Return what draws a puzzle with its clues, and the clues that it has to be told.

    On a board, clues look like its givens, so the picture has them as such, and none is told.
    """
    picture = puzzle.picture
    if isinstance(picture, Grid) and picture.is_board:
        marks = [mark for option in clues for mark in picture.marks[option]]
        givens = dict.fromkeys([*picture.givens, *marks])  # each of them once
        return replace(picture, givens=(*givens,)), []
    return puzzle, clues


def _drawn(puzzle: Puzzle, clues: Cover) -> str:
    """Return a puzzle as lines of text, in color on a terminal."""
    drawable, drawn_clues = _with_givens(puzzle, clues)
    if isinstance(drawable, Picture):
        return drawable.text(drawn_clues, painter())
    return drawable.text(drawn_clues)
