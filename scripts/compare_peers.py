"""Compare dlx_numba with other packages from PyPI: Sudoku, and counting exact covers.

Run it by scripts/compare_peers, which sets up the packages. Each one works in a process of its
own, so that one that crashes or takes too long is cut off alone. Its runs and those of dlx_numba
take turns, so that both see the same noise, and the best run of each counts.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dlx_numba import Box, ExactCover, solve_batch
from dlx_numba.bench.report import machine
from dlx_numba.formats import KnuthProblem, parse_knuth
from dlx_numba.sudoku.check import are_solutions

ROOT = Path(__file__).resolve().parent.parent
OURS = "dlx_numba"
SETS = ("simple", "easy", "intermediate", "expert")
COVERS = {  # the true counts: tests/instances/README.md
    "queens12": 14200,
    "langford11": 35584,
    "pent3x20": 8,
    "pent6x10r": 2339,
    "random40": 635,
    "sudoku17m1": 507806,
}
RUNS = range(3, 16)  # at least and at most so many, as time allows; the best one counts
START_SECONDS = 120.0  # to import a package, and for Numba to compile it
BATCH = 2000  # boards for each call of dlx_numba

Solution = Iterable[Any]  # the 81 digits, as text or as numbers
Solver = Callable[[str], "Solution | None"]
Counter = Callable[[], int]


# Sudoku as an exact cover problem: option 81 r + 9 c + d puts digit d + 1 into row r, column c.

ROW, COLUMN, DIGIT = np.indices((9, 9, 9)).reshape(3, 729)
ITEMS = np.stack(
    [
        9 * ROW + COLUMN,
        81 + 9 * ROW + DIGIT,
        162 + 9 * COLUMN + DIGIT,
        243 + 9 * (ROW // 3 * 3 + COLUMN // 3) + DIGIT,
    ],
    axis=1,
)
MATRIX = np.zeros((729, 324), np.bool_)
np.put_along_axis(MATRIX, ITEMS, True, axis=1)
# What a given takes away: the options that share an item with its own, then its own four items.
TAKEN = np.concatenate([(ITEMS[:, None, :] == ITEMS).any(axis=2), MATRIX], axis=1)


class Rest:
    """What the givens of a puzzle leave: the options, by number, and the items."""

    def __init__(self, puzzle: str) -> None:
        self.board = digits_of(puzzle)
        cells = np.flatnonzero(self.board)
        taken = TAKEN[9 * cells + self.board[cells] - 1].any(axis=0)
        self.options = np.flatnonzero(~taken[:729])
        self.items = np.flatnonzero(~taken[729:])

    def matrix(self) -> NDArray[np.bool_]:
        """Dense; by take, as that is faster than an index and the result is contiguous."""
        return MATRIX.take(self.options, axis=0).take(self.items, axis=1)

    def sparse(self) -> NDArray[np.uint32]:
        """The four items of each option, numbered anew from 0."""
        number = np.empty(324, np.uint32)
        number[self.items] = np.arange(len(self.items))
        return number[ITEMS[self.options]]

    def filled(self, chosen: Sequence[int] | NDArray[Any] | None) -> NDArray[np.uint8] | None:
        """The solution, from the chosen ones of `options`."""
        if chosen is None:
            return None
        options = self.options[chosen]
        self.board[options // 9] = options % 9 + 1
        return self.board


def digits_of(text: str) -> NDArray[np.uint8]:
    """0 where a cell is empty."""
    return np.frombuffer(text.replace(".", "0").encode(), np.uint8) - 48


# Exact cover problems in the forms that the packages take.


def numbered(problem: KnuthProblem) -> list[list[int]]:
    """Each option's items, as numbers from 0: the primary ones first."""
    number = {name: k for k, name in enumerate([*problem.primary, *problem.secondary])}
    return [[number[name] for name in option] for option in problem.options]


def dense(problem: KnuthProblem) -> NDArray[np.bool_]:
    """A matrix without secondary items: each has an option more, that covers it alone."""
    slack = range(len(problem.primary), len(problem.primary) + len(problem.secondary))
    options = numbered(problem) + [[item] for item in slack]
    matrix = np.zeros((len(options), slack.stop), np.bool_)
    for row, option in zip(matrix, options, strict=True):
        row[option] = True
    return matrix


def length(iterable: Iterable[Any]) -> int:
    """The number of elements, none of which is kept."""
    return sum(1 for _ in iterable)


# The packages. Each is imported where it is used: it may not be there, and not every process
# needs it. For Sudoku, each builds what is left of the puzzle in the way that is fastest for it.


def solve_dlx_numba(puzzles: Sequence[str]) -> Iterable[Solution]:
    boards = digits_of("".join(puzzles)).reshape(-1, 81)
    return solve_batch(boards, engine="dlx", threads=1).solutions


def count_dlx_numba(problem: KnuthProblem) -> Counter:
    return ExactCover(problem.options, problem.primary, problem.secondary).count


def solve_exact_cover(puzzle: str) -> Solution | None:
    import exact_cover

    rest = Rest(puzzle)
    return rest.filled(exact_cover.get_exact_cover(rest.matrix()))


def count_exact_cover(problem: KnuthProblem) -> Counter:
    import exact_cover

    matrix = dense(problem)
    return lambda: int(exact_cover.get_solution_count(matrix))


def xcover_solutions(
    flat: NDArray[np.uint32], starts: NDArray[np.uint32], n_items: int, n_secondary: int
) -> Iterable[list[int]]:
    """Straight from arrays, which xcover offers, too; its covers() takes longer to set up."""
    import xcover

    return xcover.algorithm_c(flat, starts, np.zeros_like(flat), n_items, n_secondary)


def solve_xcover(puzzle: str) -> Solution | None:
    rest = Rest(puzzle)
    flat = rest.sparse().ravel()
    starts = np.arange(0, len(flat) + 1, 4, dtype=np.uint32)
    return rest.filled(next(iter(xcover_solutions(flat, starts, len(rest.items), 0)), None))


def count_xcover(problem: KnuthProblem) -> Counter:
    options = numbered(problem)
    flat = np.concatenate(options).astype(np.uint32)
    starts = np.cumsum([0, *map(len, options)]).astype(np.uint32)
    n_secondary = len(problem.secondary)
    n_items = len(problem.primary) + n_secondary
    return lambda: length(xcover_solutions(flat, starts, n_items, n_secondary))


def solve_exact_cover_py(puzzle: str) -> Solution | None:
    import exact_cover_py

    rest = Rest(puzzle)
    return rest.filled(next(exact_cover_py.exact_covers(rest.matrix()), None))


def count_exact_cover_py(problem: KnuthProblem) -> Counter:
    import exact_cover_py

    matrix = dense(problem)
    return lambda: length(exact_cover_py.exact_covers(matrix))


FOUND, NO_MORE = 10, 20  # what miniexact's solve() returns


def solve_miniexact(puzzle: str) -> Solution | None:
    import miniexact

    rest = Rest(puzzle)
    solver = miniexact.miniexacts_x()
    for item in range(len(rest.items)):
        solver.primary(str(item))
    for option in (rest.sparse() + 1).tolist():  # miniexact counts from 1
        solver.add(option)
    if solver.solve() != FOUND:
        return None
    return rest.filled(np.array(solver.selected_options()) - 1)


def count_miniexact(problem: KnuthProblem) -> Counter:
    import miniexact

    solver = miniexact.miniexacts_x()
    number = {name: solver.primary(name) for name in problem.primary}
    number.update((name, solver.secondary(name)) for name in problem.secondary)
    for option in problem.options:
        solver.add([number[name] for name in option])
    return lambda: length(iter(solver.solve, NO_MORE))


def solve_dlx(puzzle: str) -> Solution | None:
    import dlx

    rest = Rest(puzzle)
    options = rest.sparse().tolist()
    columns = [(item, dlx.DLX.PRIMARY) for item in range(len(rest.items))]
    solver = dlx.DLX(columns, options, range(len(options)))
    nodes = next(solver.solve(), None)
    return rest.filled(nodes and [solver.N[node] for node in nodes])


def count_dlx(problem: KnuthProblem) -> Counter:
    import dlx

    columns = [(name, dlx.DLX.PRIMARY) for name in problem.primary]
    columns += [(name, dlx.DLX.SECONDARY) for name in problem.secondary]
    solver = dlx.DLX(columns, numbered(problem))
    return lambda: length(solver.solve())


def solve_rustoku(puzzle: str) -> Solution | None:
    import rustoku

    return rustoku.solve(puzzle) or None


def cp_sat(options: Sequence[Sequence[int]], n_items: int, n_primary: int) -> tuple[Any, ...]:
    """A solver with one thread, a model with a Boolean for each option, and the Booleans."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in options]
    having: list[list[Any]] = [[] for _ in range(n_items)]
    for variable, option in zip(chosen, options, strict=True):
        for item in option:
            having[item].append(variable)
    for item, variables in enumerate(having):
        if item < n_primary:
            model.add_exactly_one(variables)
        else:
            model.add_at_most_one(variables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver, model, chosen


def solve_ortools(puzzle: str) -> Solution | None:
    rest = Rest(puzzle)
    solver, model, chosen = cp_sat(rest.sparse().tolist(), len(rest.items), len(rest.items))
    # For problems as small as this, preparations take longer than the search.
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    if solver.status_name(solver.solve(model)) not in ("OPTIMAL", "FEASIBLE"):
        return None
    return rest.filled([k for k, variable in enumerate(chosen) if solver.boolean_value(variable)])


def count_ortools(problem: KnuthProblem) -> Counter:
    from ortools.sat.python import cp_model

    class Count(cp_model.CpSolverSolutionCallback):
        solutions = 0

        def on_solution_callback(self) -> None:
            self.solutions += 1

    n_primary = len(problem.primary)
    n_items = n_primary + len(problem.secondary)
    solver, model, _ = cp_sat(numbered(problem), n_items, n_primary)
    solver.parameters.enumerate_all_solutions = True

    def count() -> int:
        callback = Count()
        solver.solve(model, callback)
        return callback.solutions

    return count


class Peer(NamedTuple):
    solve: Callable[[Sequence[str]], Iterable[Solution | None]]
    counter: Callable[[KnuthProblem], Counter] | None
    note: str  # how it counts covers


def each(solve: Solver) -> Callable[[Sequence[str]], list[Solution | None]]:
    """None of the packages takes many puzzles in one call."""
    return lambda puzzles: [solve(puzzle) for puzzle in puzzles]


PEERS = {
    OURS: Peer(solve_dlx_numba, count_dlx_numba, "set-up not included"),
    "exact-cover": Peer(
        each(solve_exact_cover),
        count_exact_cover,
        "secondary items as slack options; includes its set-up from a dense matrix",
    ),
    "xcover": Peer(
        each(solve_xcover),
        count_xcover,
        "counted by going through its solutions; includes its set-up from arrays",
    ),
    "exact-cover-py": Peer(
        each(solve_exact_cover_py),
        count_exact_cover_py,
        "secondary items as slack options; counted by going through its solutions; includes its "
        "set-up from a dense matrix",
    ),
    "miniexact": Peer(
        each(solve_miniexact),
        count_miniexact,
        "Algorithm X; counted by going through its solutions; set-up not included",
    ),
    "dlx": Peer(
        each(solve_dlx),
        count_dlx,
        "pure Python; counted by going through its solutions; set-up not included",
    ),
    "rustoku": Peer(each(solve_rustoku), None, "Sudoku only"),
    "ortools": Peer(
        each(solve_ortools),
        count_ortools,
        "CP-SAT, one thread, enumerates all solutions; includes its presolve, not the model",
    ),
}


# Processes, each with one package.


class Failed(Exception):
    """A package gave no answer, or a wrong one; the reason goes into the table."""


def timed_boards(peer: Peer, puzzles: Sequence[str]) -> float:
    """The seconds for all of them."""
    start = time.perf_counter()
    solutions = list(peer.solve(puzzles))
    seconds = time.perf_counter() - start
    boards = [[0] * 81 if found is None else list(map(int, found)) for found in solutions]
    givens = np.array([digits_of(puzzle) for puzzle in puzzles])
    right = are_solutions(np.array(boards, np.uint8), givens, Box(3, 3))
    if not right.all():
        raise Failed(f"{np.sum(~right)} of {len(right)} wrong")
    return seconds


def timed_count(peer: Peer, problem: KnuthProblem, expected: int) -> float:
    """The seconds for counting all covers."""
    if peer.counter is None:
        raise Failed("–")
    count = peer.counter(problem)
    start = time.perf_counter()
    covers = count()
    seconds = time.perf_counter() - start
    if covers != expected:
        raise Failed(f"wrong: {covers:,}")
    return seconds


TINY = parse_knuth("a b | c\na c\nb\na b\nb c")


def warm_up(peer: Peer) -> float:
    """What Numba compiles, and tables that are made once, belong to no measurement."""
    if peer.counter:
        timed_count(peer, TINY, 2)
    return timed_boards(peer, ["." * 81])


def serve(name: str, pipe: Connection) -> None:
    """Run what comes through the pipe, until it is closed, and send back the results."""
    try:
        while True:
            function, arguments = pipe.recv()
            try:
                pipe.send(function(PEERS[name], *arguments))
            except Failed as failed:
                pipe.send(failed)
            except Exception as error:
                pipe.send(Failed(f"{type(error).__name__}"))
    except (EOFError, KeyboardInterrupt):
        pass


class Worker:
    """A process that runs one package; it starts when it is first asked, or anew after a stop."""

    def __init__(self, name: str, limit: float) -> None:
        self.name, self.limit = name, limit
        self.pipe: Connection | None = None

    def ask(self, function: Callable[..., float], *arguments: Any) -> float:
        """The result of function(peer, *arguments) there. Raises Failed."""
        try:
            if self.pipe is None:
                self._start()
            return self._ask(self.limit, function, *arguments)
        except Failed as reason:
            if self.name == OURS:  # there is nothing to compare the others with
                raise SystemExit(f"{OURS}: {reason}") from None
            raise

    def _start(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(self.name, theirs), daemon=True)
        self.process.start()
        theirs.close()  # else the end of the process would not be seen
        try:
            self._ask(START_SECONDS, warm_up)
        except Failed:
            self.stop()
            raise

    def _ask(self, limit: float, function: Callable[..., float], *arguments: Any) -> float:
        assert self.pipe
        try:
            self.pipe.send((function, arguments))
            if not self.pipe.poll(limit):
                self.stop()
                raise Failed(f">{limit:g} s")
            answer: float | Failed = self.pipe.recv()
        except (EOFError, OSError):
            self.stop()
            raise Failed("crashed") from None
        if isinstance(answer, Failed):
            raise answer
        return answer

    def stop(self) -> None:
        if self.pipe:
            self.pipe.close()
            self.process.kill()
            self.process.join()
            self.pipe = None


# Measurements.


class Rates(NamedTuple):
    """Boards per second, of a package and of dlx_numba on the same boards."""

    theirs: float
    ours: float


def compare_boards(peer: Worker, ours: Worker, puzzles: list[str], seconds: float) -> Rates:
    """On so many boards, and so often, that the package takes about `seconds` in all."""
    trial = puzzles[:5]
    rate = len(trial) / peer.ask(timed_boards, trial)
    boards = puzzles[: max(len(trial), int(rate * seconds / RUNS.start))]
    batch = boards * -(-BATCH // len(boards))
    times: list[float] = []
    our_times: list[float] = []
    while len(times) < RUNS.start or (sum(times) < seconds and len(times) < RUNS[-1]):
        times.append(peer.ask(timed_boards, boards))
        our_times.append(ours.ask(timed_boards, batch))
    return Rates(len(boards) / min(times), len(batch) / min(our_times))


def compare_counts(
    workers: Mapping[str, Worker], problem: KnuthProblem, expected: int, seconds: float
) -> dict[str, float | str]:
    """The best time of each package, or why there is none; a slow one gets fewer runs."""
    times: dict[str, list[float]] = {name: [] for name in workers}
    failed: dict[str, str] = {}
    for _ in range(RUNS[-1]):
        for name, worker in workers.items():
            if name in failed or sum(times[name]) >= seconds:
                continue
            try:
                times[name].append(worker.ask(timed_count, problem, expected))
            except Failed as reason:
                failed[name] = str(reason)
    return {name: failed.get(name) or min(times[name]) for name in workers}


# Tables.

Row = list[str]


def times_as_fast(ratio: float) -> str:
    return f"{ratio:,.0f}×" if ratio >= 9.95 else f"{ratio:.1f}×"


def is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def not_installed() -> dict[str, str]:
    """The packages that are not there, and why, as far as scripts/compare_peers wrote it down."""
    notes = Path(sys.prefix) / "not-installed"
    lines = notes.read_text().splitlines() if notes.exists() else []
    reasons = {name: reason for name, _, reason in (line.partition(": ") for line in lines)}
    return {
        name: f"not installed: {reasons.get(name, 'run scripts/compare_peers')}"
        for name in PEERS
        if not is_installed(name)
    }


def sudoku_table(
    workers: Mapping[str, Worker], missing: Mapping[str, str], data: Path, seconds: float
) -> list[Row]:
    """Boards per second; in brackets, how many times as fast dlx_numba is on the same boards."""
    cells: dict[str, Row] = {name: [] for name in workers}
    heads = []
    for set_name in SETS:
        puzzles = (data / f"{set_name}.txt").read_text().split()
        heads.append(f"{set_name} ({len(puzzles)})")
        our_best = 0.0
        for name, worker in workers.items():
            if name == OURS:
                continue
            try:
                rates = compare_boards(worker, workers[OURS], puzzles, seconds)
            except Failed as reason:
                cells[name].append(str(reason))
                continue
            our_best = max(our_best, rates.ours)
            ratio = times_as_fast(rates.ours / rates.theirs)
            cells[name].append(f"{rates.theirs:,.0f} ({ratio})")
        cells[OURS].append(f"{our_best:,.0f}")
    return [["boards/s", *heads], *rows_of(cells, missing)]


def cover_table(
    workers: Mapping[str, Worker], missing: Mapping[str, str], seconds: float
) -> list[Row]:
    """Milliseconds; below, how many times as fast dlx_numba is."""
    cells: dict[str, Row] = {name: [] for name in workers}
    to_miniexact, to_best = [], []
    for instance, expected in COVERS.items():
        file = ROOT / "tests" / "instances" / f"{instance}.dlx"
        problem = parse_knuth(file.read_text(), str(file))
        best = compare_counts(workers, problem, expected, seconds)
        for name, result in best.items():
            cells[name].append(f"{1000 * result:,.1f}" if isinstance(result, float) else result)
        times = {name: result for name, result in best.items() if isinstance(result, float)}
        ours = times.pop(OURS)
        miniexact = times.get("miniexact")
        to_miniexact.append(times_as_fast(miniexact / ours) if miniexact else "–")
        to_best.append(times_as_fast(min(times.values()) / ours) if times else "–")
    return [
        ["ms", *(f"{instance} ({expected:,})" for instance, expected in COVERS.items())],
        *rows_of(cells, missing),
        ["miniexact / dlx_numba", *to_miniexact],
        ["best other / dlx_numba", *to_best],
    ]


def rows_of(cells: Mapping[str, Row], missing: Mapping[str, str]) -> list[Row]:
    return [[name, missing[name]] if name in missing else [name, *cells[name]] for name in PEERS]


def text_table(rows: Sequence[Row]) -> str:
    """Aligned; a row that is too short, because it only says why, does not widen the columns."""
    full = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k == 0 or len(row) < len(rows[0]) else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    )


def markdown_table(rows: Sequence[Row]) -> str:
    n_columns = len(rows[0])
    ruler = ["---", *["---:"] * (n_columns - 1)]
    padded = [row + [""] * (n_columns - len(row)) for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [padded[0], ruler, *padded[1:]])


def versions(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {version(name)}" for name in names)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="compare_peers", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder of the boards")
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="for a package's runs on a set (default: 3)"
    )
    parser.add_argument(
        "--limit", type=float, default=20.0, help="seconds for one run, then it stops (default: 20)"
    )
    parser.add_argument("--markdown", action="store_true", help="print tables in Markdown")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    table = markdown_table if chosen.markdown else text_table
    missing = not_installed()
    workers = {name: Worker(name, chosen.limit) for name in PEERS if name not in missing}
    print("; ".join(f"{key}: {value}" for key, value in machine().items()))
    print(f"Packages: {versions(workers)}\n")
    print(
        "Sudoku: boards per second, first solution, one thread, set-up of each puzzle included,\n"
        "each solution checked. In brackets: dlx_numba is so many times as fast on the same\n"
        f"boards. It takes {BATCH:,} in a call (the set, again and again), the others one.\n"
    )
    print(table(sudoku_table(workers, missing, chosen.data, chosen.seconds)), flush=True)
    print(
        "\nExact cover: milliseconds for counting all covers (so many as the brackets say), one\n"
        "thread, each count checked. Below, how many times as fast dlx_numba is.\n"
    )
    print(table(cover_table(workers, missing, chosen.seconds)) + "\n")
    for name in workers:
        print(f"- {name}: {PEERS[name].note}")
    for worker in workers.values():
        worker.stop()


if __name__ == "__main__":
    main()
