"""The search for the solutions of one puzzle of any kind, and what is known afterward."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from ..cover.covers import Cover
from ..cover.exact_cover import ExactCover
from ..cover.named_problem import named_problem
from ..cover.names import ContradictionError, as_text
from ..cover.penalties import exact_cost
from ..cover.routes import FEW
from ..puzzles.puzzle import Puzzle
from ..runtime.arguments import UNLIMITED
from ..runtime.errors import Stopped
from ..runtime.json import dump_json
from ..runtime.text import plural
from .inputs import find_quick_reason
from .limit import TimeLimit
from .selection import branching_rule, fixed_problem
from .terminal import deferred_signals

UNIQUE = "unique"
MULTIPLE = "multiple"
CHEAPEST = "cheapest"
NONE = "none"
UNDECIDED = "unknown"
SOLVED = "solved"  # whether there are other solutions is unknown
INTERRUPTED = "interrupted"
# Of the search for the cheapest solution
QUICK_SECONDS = 1.0
PROOF_SECONDS = 10.0
VERDICTS = {UNIQUE: "unique", NONE: "no solution"}


class SearchOutcome(NamedTuple):
    """The knowledge about a puzzle after a search."""

    status: str
    verdict: str  # in words
    n_found: int
    reason: str = ""


class PuzzleSearch(NamedTuple):
    """The search for the solutions of a puzzle.

    Attributes
    ----------
    limit
        The largest number of solutions. By default, one is shown, and it is found out whether there
        is another one.
    check
        Whether to find out whether there are two solutions, also if options have costs.
    seed
        The seed of a random order.
    choose
        The branching rule, by its name, or a list of items.
    up_to_symmetry
        Whether to find one of all solutions that are images of each other.
    fixed_by
        The symmetries that leave the solutions as they are.
    start
        The number of the first option.
    """

    limit: int | None = None
    check: bool = False
    seed: int | None = None
    choose: str | None = None
    up_to_symmetry: bool = False
    fixed_by: list[str] | None = None
    start: int = 0

    def prepared(self, puzzle: Puzzle) -> Puzzle:
        """Return a puzzle that is searched in this order. Raises ValueError for a wrong rule."""
        if self.choose is not None:
            puzzle = puzzle.with_settings(choose=branching_rule(puzzle.cover(), self.choose))
        return puzzle if self.seed is None else replace(puzzle, order_seed=self.seed)

    @property
    def remark(self) -> str:
        """The words for the solutions that symmetries leave, after those for all, or ""."""
        if self.up_to_symmetry:
            return " up to symmetry"
        return f" fixed by {' and '.join(self.fixed_by)}" if self.fixed_by else ""

    @property
    def uses_symmetries(self) -> bool:
        """Whether symmetries leave out solutions, which only the search with names knows."""
        return bool(self.remark)

    def has_all(self, answer: SearchOutcome) -> bool:
        """Return whether all solutions were found, also all images of each other."""
        is_finished = answer.status in (UNIQUE, MULTIPLE, NONE)
        # A search that has reached its limit, by default 2, may have missed others.
        return is_finished and not self.uses_symmetries and answer.n_found < (self.limit or 2)


def answer_puzzle(
    puzzle: Puzzle,
    search: PuzzleSearch,
    stop: TimeLimit,
    show: Callable[[Any], None],
    shows_boards: bool = False,
) -> SearchOutcome:
    """Find solutions, which are shown as they are found, and whether there are others.

    With costs, these are the solutions of lowest cost. With `shows_boards`, they may be boards.
    """
    n_found = 0
    n_shown = search.limit or 1
    n_sought = search.limit or 2  # by default, one more than is shown
    try:
        puzzle = stop.call(lambda: search.prepared(puzzle))
        found: Any = puzzle.boards(stop) if shows_boards and not search.uses_symmetries else None
        if found is None:
            cover = fixed_problem(stop.call(lambda: puzzle.problem), search.fixed_by, stop)
            # With a condition, the cheapest cover need not be a solution.
            has_costs = cover.problem.cost is not None and puzzle.condition is None
            # If all solutions are wanted, their costs do not matter.
            is_cheapest = has_costs and n_shown < UNLIMITED and not search.check
            if is_cheapest and not search.up_to_symmetry:
                return _find_cheapest(puzzle, cover, search, stop, show)
            found = _iterate(puzzle, cover, search, n_sought, stop)
        for solution in islice(found, n_sought):
            if n_found and stop():  # many were found at once, and drawing them takes long
                raise Stopped("stopped while solutions are shown")
            with deferred_signals(lambda: None):  # so that what is counted is drawn completely
                if n_found < n_shown:
                    show(solution)
                n_found += 1
        return _complete_outcome(puzzle, search, n_found, n_sought)
    except ContradictionError as error:  # givens that contradict each other
        return SearchOutcome(NONE, VERDICTS[NONE], 0, str(error))
    except Stopped:
        if n_found > 1:
            verdict = f"{n_found:,} or more solutions, stopped after {stop.text}"
            return SearchOutcome(UNDECIDED, verdict, n_found)
        known = "a solution, " if n_found else ""
        return SearchOutcome(UNDECIDED, f"{known}not decided in {stop.text}", n_found)
    except KeyboardInterrupt:
        known = f" after {plural(n_found, 'solution')}" if n_found else ""
        return SearchOutcome(INTERRUPTED, f"interrupted{known}", n_found)


def _complete_outcome(
    puzzle: Puzzle, search: PuzzleSearch, n_found: int, n_sought: int
) -> SearchOutcome:
    """Return what is known after a search that has found all solutions, or as many as it sought."""
    if n_found == n_sought == 1:  # with `--limit 1`, other solutions are not sought
        return SearchOutcome(SOLVED, "a solution", 1)
    status = UNIQUE if n_found else NONE
    if n_found == 1 and search.uses_symmetries:  # it may have images, which are left out
        status = SOLVED
    elif n_found > 1:
        status = MULTIPLE
    or_more = " or more" if n_found >= n_sought else ""
    verdict = f"{n_found:,}{or_more} {'solution' if n_found == 1 else 'solutions'}"
    if status in VERDICTS and not search.up_to_symmetry:
        verdict = VERDICTS[status]
    reason = "" if n_found else find_quick_reason(puzzle.problem)
    return SearchOutcome(status, verdict + search.remark, n_found, reason)


def _iterate(
    puzzle: Puzzle, cover: ExactCover, search: PuzzleSearch, n_sought: int, stop: TimeLimit
) -> Iterator[Any]:
    """Yield solutions, in the order of the search if one is given."""
    if search.uses_symmetries:
        return _symmetric(puzzle, cover, search, n_sought, stop)
    is_ordered = search.choose is not None or search.seed is not None
    # The fastest way to a few solutions has no order, and does not know the puzzle's condition.
    if n_sought <= FEW and not is_ordered and puzzle.condition is None:
        return _find_few(puzzle, n_sought, stop)
    return puzzle.solutions(stop=stop)


def _find_few(puzzle: Puzzle, limit: int, stop: TimeLimit) -> Iterator[Cover]:
    """Yield a solution as soon as it is found, and then others, in any order."""
    first = puzzle.problem.first(stop=stop)
    if first is None:
        return
    yield first
    if limit > 1:
        others = puzzle.problem.solve(limit, order="any", stop=stop)
        yield from (cover for cover in others if cover != first)


def _symmetric(
    puzzle: Puzzle, cover: ExactCover, search: PuzzleSearch, limit: int, stop: TimeLimit
) -> Iterator[Cover]:
    """Yield the solutions that symmetries fix, or one of all that are images of each other."""
    option = "--up-to-symmetry" if search.up_to_symmetry else "--fixed-by"
    if puzzle.condition is not None:
        raise ValueError(f"{option}: items do not express all conditions of the puzzle")
    try:
        yield from cover.solve(limit, stop=stop, up_to_symmetry=search.up_to_symmetry)
    except Stopped as stopped:
        yield from stopped.partial or ()
        raise


def _find_cheapest(
    puzzle: Puzzle,
    cover: ExactCover,
    search: PuzzleSearch,
    stop: TimeLimit,
    show: Callable[[Cover], None],
) -> SearchOutcome:
    """Find the solutions of lowest cost. Without a time limit, the proof may take some seconds.

    If it takes longer than a moment, HiGHS helps, if it is installed and can represent the costs.
    """
    limit = search.limit or 1
    seconds = PROOF_SECONDS if stop.deadline is None else None
    with suppress(KeyboardInterrupt), deferred_signals(stop.cancel):  # what is known is shown
        covers = cover.cheapest(limit, seed=search.seed, seconds=QUICK_SECONDS, stop=stop)
        if not covers.done and not stop():
            from ..cover.highs import strongest_engine  # few problems need it

            engine = strongest_engine()
            # It starts from the best cover so far; an empty one means none.
            optimizer = cover.optimizer(limit, start=next(iter(covers), ()), engine=engine)
            optimizer.run(seconds, stop)
            # Without any solution, it goes on after PROOF_SECONDS.
            while not (optimizer.result or optimizer.done or stop()):
                optimizer.run(QUICK_SECONDS, stop)
            covers = optimizer.result
    for solution in covers:
        show(solution)
    if covers.done and not covers:
        return _complete_outcome(puzzle, search, 0, 1)
    cost = " and ".join(f"{solution.cost:,}" for solution in covers[:2])
    if covers.done:
        return SearchOutcome(CHEAPEST, f"cost {cost}, the cheapest{search.remark}", len(covers))
    bound = "" if covers.bound is None else f"; no other costs less than {covers.bound:,}"
    known = f"cost {cost}, the best known, not proven" if covers else "not decided"
    advice = "" if seconds is None or stop() else "; --seconds N searches for longer"
    return SearchOutcome(UNDECIDED, f"{known}{bound}{advice}", len(covers))


def format_json(
    puzzle: Puzzle, number: int, answer: SearchOutcome, solutions: list[Cover], start: int
) -> str:
    """Return an answer as an object of JSON.

    `number` is that of the puzzle in its file. Options are counted from `start`.
    """
    records: list[dict[str, Any]] = []
    for solution in solutions:
        record: dict[str, Any] = {
            "text": puzzle.text(solution),
            "options": list(map(as_text, solution.names)),
            "numbers": [option + start for option in solution],
        }
        if answer.status == CHEAPEST:
            named = named_problem(solution)
            record["cost"] = exact_cost(named.problem, named.names, solution)
        records.append(record)
    identity = {"puzzle": number, "title": puzzle.title, "place": puzzle.place}
    return dump_json({**identity, **answer._asdict(), "solutions": records}, ensure_ascii=False)
