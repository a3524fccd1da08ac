"""The packages: how each solves Sudoku puzzles, and how it counts the solutions of exact covers.

Each is imported where it is used: it may not be there, and not every process needs it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlx_numba import ExactCover, solve_batch

from .problems import Problem, Sudoku, digits

Solution = Iterable[Any]  # the 81 digits, as text or as numbers
Solver = Callable[[Sequence[str]], "Sequence[Solution] | NDArray[np.uint8]"]
First = Callable[[Problem], "Sequence[int] | NDArray[Any] | None"]  # the options of one solution
Counter = Callable[[Problem], Callable[[], int]]  # prepares for a problem; what it returns counts


def one_by_one(first: First) -> Solver:
    """None of the other packages takes many puzzles in one call."""

    def solution(puzzle: str) -> Solution:
        sudoku = Sudoku(puzzle)
        return sudoku.filled(first(sudoku))

    return lambda puzzles: [solution(puzzle) for puzzle in puzzles]


def length(iterable: Iterable[Any]) -> int:
    """The number of elements, none of which is kept."""
    return sum(1 for _ in iterable)


def solve_dlx_numba(puzzles: Sequence[str], engine: str) -> NDArray[np.uint8]:
    boards = digits("".join(puzzles)).reshape(-1, 81)
    return solve_batch(boards, engine=engine, threads=1).solutions


def count_dlx_numba(problem: Problem) -> Callable[[], int]:
    primary = range(problem.n_primary)
    secondary = range(problem.n_primary, problem.n_items)
    return ExactCover(problem.lists(), primary, secondary).count


def first_exact_cover(problem: Problem) -> NDArray[Any]:
    import exact_cover

    chosen: NDArray[Any] = exact_cover.get_exact_cover(problem.matrix())
    return chosen


def count_exact_cover(problem: Problem) -> Callable[[], int]:
    import exact_cover

    matrix = problem.matrix()
    return lambda: int(exact_cover.get_solution_count(matrix))


def prepare_xcover(problem: Problem) -> Callable[[], Iterator[Sequence[int]]]:
    """From arrays, which xcover takes, too; its covers() takes longer to set up."""
    import xcover

    flat, starts = problem.arrays()
    colors = np.zeros_like(flat)
    n_secondary = problem.n_items - problem.n_primary
    return lambda: xcover.algorithm_c(flat, starts, colors, problem.n_items, n_secondary)


def first_xcover(problem: Problem) -> Sequence[int] | None:
    return next(prepare_xcover(problem)(), None)


def count_xcover(problem: Problem) -> Callable[[], int]:
    covers = prepare_xcover(problem)
    return lambda: length(covers())


def first_exact_cover_py(problem: Problem) -> Sequence[int] | None:
    import exact_cover_py

    return next(exact_cover_py.exact_covers(problem.matrix()), None)


def count_exact_cover_py(problem: Problem) -> Callable[[], int]:
    import exact_cover_py

    matrix = problem.matrix()
    return lambda: length(exact_cover_py.exact_covers(matrix))


FOUND, NO_MORE = 10, 20  # what miniexact's solve() returns


def prepare_miniexact(problem: Problem) -> Any:
    import miniexact

    solver = miniexact.miniexacts_x()
    for item in range(problem.n_items):
        add = solver.primary if item < problem.n_primary else solver.secondary
        add(str(item))
    for option in problem.lists(first=1):
        solver.add(option)
    return solver


def first_miniexact(problem: Problem) -> NDArray[Any] | None:
    solver = prepare_miniexact(problem)
    return np.array(solver.selected_options()) - 1 if solver.solve() == FOUND else None


def count_miniexact(problem: Problem) -> Callable[[], int]:
    solver = prepare_miniexact(problem)
    return lambda: length(iter(solver.solve, NO_MORE))


def prepare_dlx(problem: Problem) -> Any:
    from dlx import DLX

    kinds = [DLX.PRIMARY] * problem.n_primary
    kinds += [DLX.SECONDARY] * (problem.n_items - problem.n_primary)
    options = problem.lists()
    return DLX(list(enumerate(kinds)), options, range(len(options)))


def first_dlx(problem: Problem) -> Sequence[int] | None:
    solver = prepare_dlx(problem)
    nodes = next(solver.solve(), None)
    return nodes and [solver.N[node] for node in nodes]


def count_dlx(problem: Problem) -> Callable[[], int]:
    solver = prepare_dlx(problem)
    return lambda: length(solver.solve())


def solve_rustoku(puzzles: Sequence[str]) -> Sequence[Solution]:
    import rustoku

    return [rustoku.solve(puzzle) or "0" * 81 for puzzle in puzzles]


def prepare_ortools(problem: Problem) -> tuple[Any, ...]:
    """CP-SAT with one thread, a model with a Boolean for each option, and the Booleans."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = []
    having: list[list[Any]] = [[] for _ in range(problem.n_items)]
    for option in problem.lists():
        chosen.append(model.new_bool_var(""))
        for item in option:
            having[item].append(chosen[-1])
    for item, variables in enumerate(having):
        add = model.add_exactly_one if item < problem.n_primary else model.add_at_most_one
        add(variables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver, model, chosen


def first_ortools(problem: Problem) -> Sequence[int] | None:
    solver, model, chosen = prepare_ortools(problem)
    # For problems as small as a Sudoku, preparations take longer than the search.
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    if solver.status_name(solver.solve(model)) not in ("OPTIMAL", "FEASIBLE"):
        return None
    return [k for k, variable in enumerate(chosen) if solver.boolean_value(variable)]


def count_ortools(problem: Problem) -> Callable[[], int]:
    from ortools.sat.python import cp_model

    class Count(cp_model.CpSolverSolutionCallback):
        solutions = 0

        def on_solution_callback(self) -> None:
            self.solutions += 1

    solver, model, _ = prepare_ortools(problem)
    solver.parameters.enumerate_all_solutions = True

    def count() -> int:
        callback = Count()
        solver.solve(model, callback)
        return callback.solutions

    return count


OURS = "dlx_numba"  # what the others are compared with; for Sudoku with its engine dlx
OUR_DLX, OUR_AUTO = f"{OURS}, dlx", f"{OURS}, auto"

SOLVERS: dict[str, Solver] = {
    OUR_DLX: partial(solve_dlx_numba, engine="dlx"),
    OUR_AUTO: partial(solve_dlx_numba, engine="auto"),
    "exact-cover": one_by_one(first_exact_cover),
    "xcover": one_by_one(first_xcover),
    "exact-cover-py": one_by_one(first_exact_cover_py),
    "miniexact": one_by_one(first_miniexact),
    "dlx": one_by_one(first_dlx),
    "rustoku": solve_rustoku,
    "ortools": one_by_one(first_ortools),
}
COUNTERS: dict[str, tuple[Counter, str]] = {  # and what is to be known about its times
    OURS: (count_dlx_numba, "set-up not included"),
    "exact-cover": (
        count_exact_cover,
        "secondary items as slack options; includes its set-up from a dense matrix",
    ),
    "xcover": (
        count_xcover,
        "counted by going through its solutions; includes its set-up from arrays",
    ),
    "exact-cover-py": (
        count_exact_cover_py,
        "secondary items as slack options; counted by going through its solutions; includes its "
        "set-up from a dense matrix",
    ),
    "miniexact": (
        count_miniexact,
        "Algorithm X; counted by going through its solutions; set-up not included",
    ),
    "dlx": (
        count_dlx,
        "pure Python; counted by going through its solutions; set-up not included",
    ),
    "ortools": (
        count_ortools,
        "CP-SAT, one thread, enumerates all solutions; includes its presolve, not the model",
    ),
}


def package_of(name: str) -> str:
    """`dlx_numba, auto` names an engine, too."""
    return name.partition(",")[0]
