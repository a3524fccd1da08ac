"""The compared packages: how each solves Sudoku puzzles and counts exact covers.

Packages are imported in the functions that use them, because they may be missing, and because each
worker process needs only one of them.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dlx_numba import ExactCover, solve_batch

from ..puzzles import decode_boards
from .problems import MULTIPLICITIES, PLAIN, ExactCoverProblem, Problem, SudokuProblem

Solution = Iterable[Any]  # 81 digits, as text or as numbers
Solver = Callable[[Sequence[str]], "Sequence[Solution] | NDArray[np.uint8]"]
FindFirst = Callable[[Problem], "Sequence[int] | NDArray[Any] | None"]  # the options of a cover
Count = Callable[[], int]


class CoverCounter(NamedTuple):
    """A package that counts covers."""

    prepare: Callable[[Path], Count]  # sets up the problem in a file; the result is timed
    note: str  # what the measured time includes
    kind: int = PLAIN  # the most general kind of problems that it is measured with


def solve_one_by_one(find_first: FindFirst) -> Solver:
    """Return a solver for a package without batch calls, given a function that finds one cover."""

    def solve(puzzle: str) -> Solution:
        problem = SudokuProblem(puzzle)
        return problem.fill(find_first(problem))

    return lambda puzzles: [solve(puzzle) for puzzle in puzzles]


def from_plain_problem(prepare: Callable[[Problem], Count]) -> Callable[[Path], Count]:
    """Return a function that reads a problem without colors and multiplicities, and prepares it."""
    return lambda file: prepare(ExactCoverProblem.from_file(file))


def length(iterable: Iterable[Any]) -> int:
    """Return the number of elements without storing them."""
    return sum(1 for _ in iterable)


def solve_dlx_numba(puzzles: Sequence[str], engine: str) -> NDArray[np.uint8]:
    return solve_batch(decode_boards("".join(puzzles)), engine=engine, threads=1).solutions


def count_dlx_numba(file: Path, algorithm: str) -> Count:
    cover = ExactCover.read(file, algorithm=algorithm, threads=1)
    return partial(cover.count, method="search")


def read_and_count(file: Path) -> Count:
    return lambda: count_dlx_numba(file, "auto")()


def first_by_matrix(problem: Problem, module: str) -> NDArray[Any]:
    cover: NDArray[Any] = import_module(module).get_exact_cover(problem.matrix())
    return cover


def count_by_matrix(problem: Problem, module: str) -> Count:
    matrix = problem.matrix()
    return lambda: int(import_module(module).get_solution_count(matrix))


def prepare_xcover(problem: Problem) -> Callable[[], Iterator[Sequence[int]]]:
    """Set up a search from arrays, which is faster than with xcover.covers()."""
    import xcover

    flat, starts = problem.arrays()
    colors = np.zeros_like(flat)
    n_secondary = problem.n_items - problem.n_primary
    return lambda: xcover.algorithm_c(flat, starts, colors, problem.n_items, n_secondary)


def first_xcover(problem: Problem) -> Sequence[int] | None:
    return next(prepare_xcover(problem)(), None)


def count_xcover(problem: Problem) -> Count:
    covers = prepare_xcover(problem)
    return lambda: length(covers())


def first_exact_cover_py(problem: Problem) -> Sequence[int] | None:
    import exact_cover_py

    return next(exact_cover_py.exact_covers(problem.matrix()), None)


def count_exact_cover_py(problem: Problem) -> Count:
    import exact_cover_py

    matrix = problem.matrix()
    return lambda: length(exact_cover_py.exact_covers(matrix))


FOUND, EXHAUSTED = 10, 20  # the results of miniexact's solve()


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


def count_miniexact(problem: Problem) -> Count:
    solver = prepare_miniexact(problem)
    return lambda: length(iter(solver.solve, EXHAUSTED))


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


def count_dlx(problem: Problem) -> Count:
    solver = prepare_dlx(problem)
    return lambda: length(solver.solve())


def prepare_dxz(problem: Problem) -> tuple[int, int, list[bool]]:
    matrix = problem.matrix()
    return *matrix.shape, matrix.ravel().tolist()


def first_dxz(problem: Problem) -> Sequence[int] | None:
    import dxz

    covers: list[list[int]] = dxz.dxz_solve(*prepare_dxz(problem), 1)
    return covers[0] if covers else None


def count_dxz(problem: Problem) -> Count:
    import dxz

    arguments = prepare_dxz(problem)
    return lambda: int(dxz.dxz_count(*arguments))


def prepare_pyxcc(problem: Problem) -> Any:
    import pyxcc

    names = list(map(str, range(problem.n_items)))
    options = []
    for number, option in enumerate(problem.lists()):
        primary = [names[item] for item in option if item < problem.n_primary]
        secondary = [(names[item], "") for item in option if item >= problem.n_primary]
        options.append(pyxcc.Option(str(number), primary, secondary))
    return pyxcc.Problem(names[: problem.n_primary], names[problem.n_primary :], options)


def first_pyxcc(problem: Problem) -> Sequence[int] | None:
    import pyxcc

    found = pyxcc.solve(prepare_pyxcc(problem), False)
    return list(map(int, found.first())) if found.count() else None


def count_pyxcc(problem: Problem) -> Count:
    import pyxcc

    prepared = prepare_pyxcc(problem)
    return lambda: int(pyxcc.solve(prepared, True).count())


def solve_rustoku(puzzles: Sequence[str]) -> Sequence[Solution]:
    import rustoku

    return [rustoku.solve(puzzle) or "0" * 81 for puzzle in puzzles]


def prepare_ortools(problem: Problem) -> tuple[Any, Any, list[Any]]:
    """Return a CP-SAT solver with one thread, the model, and a Boolean variable per option."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = []
    variables_of_item: list[list[Any]] = [[] for _ in range(problem.n_items)]
    for option in problem.lists():
        variables.append(model.new_bool_var(""))
        for item in option:
            variables_of_item[item].append(variables[-1])
    for item, item_variables in enumerate(variables_of_item):
        add = model.add_exactly_one if item < problem.n_primary else model.add_at_most_one
        add(item_variables)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return solver, model, variables


def first_ortools(problem: Problem) -> Sequence[int] | None:
    solver, model, variables = prepare_ortools(problem)
    # For problems as small as a Sudoku, presolving takes longer than the search.
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    if solver.status_name(solver.solve(model)) not in ("OPTIMAL", "FEASIBLE"):
        return None
    return [k for k, variable in enumerate(variables) if solver.boolean_value(variable)]


def count_ortools(problem: Problem) -> Count:
    from ortools.sat.python import cp_model

    class SolutionCounter(cp_model.CpSolverSolutionCallback):
        n_solutions = 0

        def on_solution_callback(self) -> None:
            self.n_solutions += 1

    solver, model, _ = prepare_ortools(problem)
    solver.parameters.enumerate_all_solutions = True

    def count() -> int:
        counter = SolutionCounter()
        solver.solve(model, counter)
        return counter.n_solutions

    return count


OURS = "dlx_numba"
OURS_DLX, OURS_AUTO = f"{OURS}, dlx", f"{OURS}, auto"  # two of its engines for Sudoku
OURS_LINKS, OURS_BITSET = f"{OURS}, links", f"{OURS}, bitset"  # two of its algorithms
OURS_FILE = f"{OURS}, from file"

SOLVERS: dict[str, Solver] = {
    OURS_DLX: partial(solve_dlx_numba, engine="dlx"),
    OURS_AUTO: partial(solve_dlx_numba, engine="auto"),
    "exact-cover": solve_one_by_one(partial(first_by_matrix, module="exact_cover")),
    "xcover": solve_one_by_one(first_xcover),
    "exact-cover-py": solve_one_by_one(first_exact_cover_py),
    "miniexact": solve_one_by_one(first_miniexact),
    "dlx": solve_one_by_one(first_dlx),
    "dxz": solve_one_by_one(first_dxz),
    "exact-multiset-cover": solve_one_by_one(
        partial(first_by_matrix, module="exact_multiset_cover")
    ),
    "pyxcc": solve_one_by_one(first_pyxcc),
    "rustoku": solve_rustoku,
    "ortools": solve_one_by_one(first_ortools),
}
COUNTERS: dict[str, CoverCounter] = {
    OURS_BITSET: CoverCounter(
        partial(count_dlx_numba, algorithm="bitset"), "reading excluded", MULTIPLICITIES
    ),
    OURS_LINKS: CoverCounter(
        partial(count_dlx_numba, algorithm="links"), "reading excluded", MULTIPLICITIES
    ),
    OURS_FILE: CoverCounter(
        read_and_count,
        "includes reading the file and the choice of the algorithm, but not the start of Python",
        MULTIPLICITIES,
    ),
    "exact-cover": CoverCounter(
        from_plain_problem(partial(count_by_matrix, module="exact_cover")),
        "secondary items as slack options; includes its setup from a dense matrix",
    ),
    "xcover": CoverCounter(
        from_plain_problem(count_xcover),
        "iterates over solutions; includes its setup from arrays",
    ),
    "exact-cover-py": CoverCounter(
        from_plain_problem(count_exact_cover_py),
        "iterates over solutions; secondary items as slack options; includes its setup from a "
        "dense matrix",
    ),
    "miniexact": CoverCounter(
        from_plain_problem(count_miniexact),
        "Algorithm X; iterates over solutions; setup excluded",
    ),
    "dlx": CoverCounter(
        from_plain_problem(count_dlx),
        "pure Python; iterates over solutions; setup excluded",
    ),
    "dxz": CoverCounter(
        from_plain_problem(count_dxz),
        "decision diagrams; secondary items as slack options; includes its setup from a dense "
        "matrix",
    ),
    "exact-multiset-cover": CoverCounter(
        from_plain_problem(partial(count_by_matrix, module="exact_multiset_cover")),
        "secondary items as slack options; includes its setup from a dense matrix",
    ),
    "pyxcc": CoverCounter(
        from_plain_problem(count_pyxcc),
        "dancing cells; lists all solutions; setup excluded",
    ),
    "ortools": CoverCounter(
        from_plain_problem(count_ortools),
        "CP-SAT, one thread, enumerates all solutions; includes presolving, excludes the model",
    ),
}


def package_of(solver: str) -> str:
    """Return the package of a solver, whose name may include an engine.

    >>> package_of("dlx_numba, auto")
    'dlx_numba'
    """
    return solver.partition(",")[0]


PACKAGES = list(dict.fromkeys(map(package_of, SOLVERS)))


def installed_versions() -> dict[str, str]:
    """Return the versions of the installed packages, by name."""
    versions = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


def not_installed() -> dict[str, str]:
    """Return the other packages, with the reasons that scripts/compare_peers recorded."""
    file = Path(sys.prefix) / "not-installed"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    reasons = dict(line.split(": ", 1) for line in lines)
    missing = [package for package in PACKAGES if package not in installed_versions()]
    return {package: reasons.get(package, "run scripts/compare_peers") for package in missing}
