"""Campaigns for programs that host the package: threads share objects while signals arrive."""

import random
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

import dlx_numba as dlx
from tests.helpers.hosts import HandlerError, SetAfter, alarms, interrupt_after, raise_error

from .checks import check, check_equal
from .covers import thread_pool
from .stoppable import CALLS, is_stopped, puzzles

MAX_THREADS = 8
CALLS_PER_THREAD = 6
MIN_SECONDS, MAX_SECONDS = 5e-4, 0.05  # between two signals
MAX_UPDATES = 2000  # per run of a search that threads share

QUEENS = 8
SEARCHED_QUEENS = 9
COVERS = {8: 92, 9: 352}
ALGORITHMS = ("links", "bitset")

Action = Callable[[], None]  # calls a function and checks its result


def share_boards(rng: random.Random, folder: Path) -> None:
    """Call the functions for Sudoku in several threads; some calls are stopped."""
    run_as_host(rng, folder, board_actions(), n_searches=0)


def share_covers(rng: random.Random, folder: Path) -> None:
    """Use shared exact cover problems and a shared search in several threads."""
    run_as_host(rng, folder, cover_actions(), n_searches=1)


def call_board_function(name: str, named: dict[str, Any]) -> None:
    """Call a function, and check what it returns or what is complete when it is stopped."""
    if is_stopped(name, **named):
        check(named["stop"].n_left < 0, f"{name}: stopped without a request")


def solve_one_by_one() -> None:
    strings, solutions = puzzles().strings()[:40], puzzles().solutions
    for string, solution in zip(strings, solutions, strict=False):
        check_equal("solve_sudoku", dlx.solve_sudoku(string), "".join(map(str, solution)))


def iterate_solutions() -> None:
    solutions = list(islice(dlx.iter_solutions("." * 81), 500))
    check_equal("iter_solutions", len(set(solutions)), 500)


def use_ratings(ratings: dlx.Ratings, expected: dlx.Ratings) -> None:
    check_equal("solutions", ratings.solutions, expected.solutions)
    check_equal("scores", ratings.scores, expected.scores)
    check_equal("strings", ratings.strings(), expected.strings())


def board_actions() -> Callable[[random.Random], tuple[str, Action]]:
    """Return a function that chooses an action; some actions share an object."""
    others = {
        "solve_sudoku": solve_one_by_one,
        "iter_solutions": iterate_solutions,
        "ratings": partial(use_ratings, dlx.rate(puzzles().puzzles), dlx.rate(puzzles().puzzles)),
    }

    def choose(rng: random.Random) -> tuple[str, Action]:
        name = rng.choice([*CALLS, *others])
        if name in others:
            return name, others[name]
        threads, n_questions = rng.randint(1, 3), rng.choice([inf, rng.randint(0, 40)])
        named: dict[str, Any] = {"threads": threads, "stop": SetAfter(n_questions)}
        if name.startswith("solve_batch") and rng.random() < 0.2:
            named["executor"] = thread_pool()
            del named["threads"]
        return f"{name} {threads} {n_questions}", partial(call_board_function, name, named)

    return choose


def cover_actions() -> Callable[[random.Random], tuple[str, Action]]:
    """Return a function that chooses an action on one of the shared problems."""
    queens = dlx.example("queens", n=QUEENS)
    covers = {name: queens.cover(algorithm=name) for name in ("auto", *ALGORITHMS)}
    solutions = sorted(queens.cover().solve())
    check_equal("number of covers", len(solutions), COVERS[QUEENS])

    def use(cover: dlx.ExactCover, kind: str, threads: int) -> None:
        number = COVERS[QUEENS]
        if kind == "count":
            check_equal(kind, cover.replace(threads=threads).count(), number)
        elif kind == "memo":
            check_equal(kind, cover.count(method="memo"), number)
        elif kind == "solve":
            check_equal(kind, sorted(cover.replace(threads=threads).solve()), solutions)
        elif kind == "first":
            check(sorted(cover.first() or []) in map(sorted, solutions), "first: not a cover")
        elif kind == "iterate":
            check_equal(kind, sorted(cover.iterate()), solutions)
        elif kind == "cheapest":
            supports = cover.algorithm in ("auto", "links")
            check_equal(kind, len(cover.cheapest(3)) if supports else 3, 3)
        elif kind == "diagram":
            check_equal(kind, cover.diagram().count(), number)
        else:
            stop_cover(cover, kind == "stopped solve")

    def stop_cover(cover: dlx.ExactCover, is_solve: bool) -> None:
        try:
            if is_solve:
                check_equal("solve", sorted(cover.solve(stop=SetAfter(3))), solutions)
            else:
                check_equal("count", cover.count(stop=SetAfter(3)), COVERS[QUEENS])
        except dlx.Stopped as stopped:
            if is_solve:
                check(all(each in solutions for each in stopped.partial), "not covers")
                check(len(stopped.partial) < len(solutions), "complete, but stopped")

    kinds = ("count", "memo", "solve", "first", "iterate", "cheapest", "diagram")
    kinds += ("stopped count", "stopped solve")

    def choose(rng: random.Random) -> tuple[str, Action]:
        algorithm, kind, threads = rng.choice(list(covers)), rng.choice(kinds), rng.randint(1, 2)
        return f"{kind} {algorithm} {threads}", partial(use, covers[algorithm], kind, threads)

    return choose


class SharedSearch:
    """One search that several threads use; each cover must be found once.

    A thread that uses it at the same time as another one gets a RuntimeError.
    """

    def __init__(self, algorithm: str) -> None:
        self.search = dlx.example("queens", n=SEARCHED_QUEENS).cover(algorithm=algorithm).search()
        self.found: list[list[int]] = []
        self.counts: list[int] = []

    def use(self, kind: str, updates: int) -> None:
        try:
            if kind == "run":
                self.found += self.search.run(updates=updates)
            elif kind == "count":
                self.counts.append(self.search.count(updates=updates))
            elif kind == "stop":
                self.search.request_stop()
            else:
                check(0 <= self.search.progress.fraction <= 1, "progress")
        except RuntimeError as error:
            check("in use by another thread" in str(error), str(error))

    def check_complete(self) -> None:
        while not self.search.done:
            self.found += self.search.run()
        n_covers = len({tuple(each) for each in self.found}) + sum(self.counts)
        check_equal("covers of the shared search", n_covers, COVERS[SEARCHED_QUEENS])


@contextmanager
def signals(rng: random.Random, raises: bool) -> Iterator[list[int]]:
    """Let SIGALRM and SIGUSR1 arrive; yield a list to which the returning handler appends."""
    calls: list[int] = []
    seconds = rng.uniform(MIN_SECONDS, MAX_SECONDS)
    handler: Callable[[], None] = raise_error if raises else partial(calls.append, 1)
    previous = signal.signal(signal.SIGUSR1, lambda number, frame: calls.append(number))
    try:
        with alarms(0 if raises else seconds, handler, 0 if raises else seconds):
            yield calls
    finally:
        signal.signal(signal.SIGUSR1, previous)


def run_as_host(
    rng: random.Random,
    folder: Path,
    choose: Callable[[random.Random], tuple[str, Action]],
    n_searches: int,
) -> None:
    """Run random actions in threads and in the main thread, which receives signals."""
    searches = [SharedSearch(rng.choice(ALGORITHMS)) for _ in range(n_searches)]
    n_threads, raises = rng.randint(1, MAX_THREADS), rng.random() < 0.5
    log = [f"{n_threads} threads, handlers {'raise' if raises else 'return'}"]
    plans = []
    for _ in range(n_threads + 1):
        plan = [choose(rng) for _ in range(CALLS_PER_THREAD)]
        # The main thread would lose what a search returns when a handler raises.
        for search in searches if plans else ():
            kinds = rng.choices(("run", "count", "progress", "stop"), (6, 4, 2, 1), k=4)
            plan.extend(
                (kind, partial(search.use, kind, rng.randint(1, MAX_UPDATES))) for kind in kinds
            )
        rng.shuffle(plan)
        log.append(", ".join(name for name, _ in plan))
        plans.append([action for _, action in plan])
    (folder / "actions.txt").write_text("\n".join(log))  # stays if the process crashes
    errors: list[BaseException] = []
    threads = [
        threading.Thread(target=run_plan, args=(plan, errors), daemon=True) for plan in plans[1:]
    ]
    with signals(rng, raises):
        for thread in threads:
            thread.start()
        for action in plans[0]:
            if raises:
                interrupt_after(rng.uniform(MIN_SECONDS, MAX_SECONDS), action)
            else:
                action()
        for thread in threads:
            while thread.is_alive():
                with suppress(HandlerError):  # another thread may have taken the last alarm
                    thread.join()
    for error in errors:
        raise error
    choose(rng)[1]()
    for search in searches:
        search.check_complete()


def run_plan(plan: Sequence[Action], errors: list[BaseException]) -> None:
    """Run actions in a thread."""
    try:
        for action in plan:
            signal.raise_signal(signal.SIGUSR1)
            action()
    except BaseException as error:
        errors.append(error)
