"""Compile all kernels, in parallel processes.

Each process calls kernels on tiny problems. This compiles them for the argument types that the
library and the commands use.
"""

import errno
import gc
import io
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import dancing_links
from .bench.naive import NaiveSolver
from .cover.exact_cover import ExactCover
from .cover.named_problem import named_problem
from .explain import record_search
from .explain.deduction import deduce_steps
from .explain.deduction.ratings import rate
from .explain.deduction.reason import CASES
from .explain.problem_view import view_search
from .jit import compile as jit_compile
from .jit.library import Store
from .kernels.cheapest.construction import construct
from .kernels.cheapest.covering import search_coverings, start_covering
from .kernels.cheapest.subgradients import approach_relaxation, formulate
from .kernels.memo.levels import HashTable
from .kernels.nonogram import narrow_nonogram
from .puzzles.kind import example
from .puzzles.variants.rules import SudokuRules
from .runtime.choices import Algorithm
from .runtime.files import is_private
from .runtime.interrupts import Stop
from .runtime.job import run
from .runtime.resources import default_threads
from .search.portfolio import CoverPortfolio
from .sudoku.api import iter_solutions, solve_batch, solve_sudoku
from .sudoku.box import Box
from .sudoku.canonical.api import canonical
from .sudoku.engines.base import EngineResult
from .sudoku.generator.api import generate, minimize
from .sudoku.io.read import read_records

_SOLVED = b"812753649943682175675491283154237896369845721287169534521974368438526917796318452"
_LINE = b".." + _SOLVED[2:]


def compile_kernels(
    directory: Path,
    *,
    cpu: str | None = None,
    tasks: Sequence[Callable[[], object]] | None = None,
    update: Callable[[int, int], None] = lambda n_done, n_tasks: None,
) -> dict[Path, bool]:
    """Compile all kernels, and store them.

    Parameters
    ----------
    directory : Path
        The directory in which each entry point is stored as soon as it is compiled. Valid entry
        points that it contains already are not compiled again.
    cpu : str, optional
        The processor, as LLVM names it, such as ``"x86-64-v3"``. By default, the code is for
        exactly this processor.
    tasks : sequence of callable, optional
        What compiles kernels, each in some process. By default, kernels are called on tiny
        problems.
    update : callable, optional
        Called as `update(n_done, n_tasks)`.

    Returns
    -------
    dict
        The files of the entry points, and whether each is new.

    Raises
    ------
    BrokenProcessPool
        If a process ends early, such as one that runs out of memory.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_private(directory):
        raise PermissionError(errno.EPERM, "other users can write to this directory", directory)
    stored_before = {*directory.iterdir()}
    tasks = TASKS if tasks is None else tasks
    files: dict[Path, bool] = {}
    n_processes = min(len(tasks), default_threads())
    context = multiprocessing.get_context("spawn")
    other_processes = {*multiprocessing.active_children()}
    with ProcessPoolExecutor(n_processes, context, _start_process, (directory, cpu)) as pool:
        try:
            futures = [pool.submit(_run, task) for task in tasks]
            for n_done, future in enumerate(as_completed(futures)):
                files |= {file: file not in stored_before for file in future.result()}
                update(n_done + 1, len(tasks))
        except BaseException:  # at its end, the pool would wait for all tasks
            for process in {*multiprocessing.active_children()} - other_processes:
                process.terminate()
            raise
    return files


def _start_process(directory: Path, cpu: str | None) -> None:
    """Prepare a process of the pool: kernels are compiled for `cpu` and stored in `directory`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    gc.disable()  # it takes a seventh of the time of compiling
    if cpu is not None:
        os.environ |= {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""}
    jit_compile.store = Store(directory)


def _run(task: Callable[[], object]) -> list[Path]:
    """Run a task, and return the files of all entry points that this process has used."""
    task()
    store = jit_compile.store
    return [store.path(key, stamp) for key, stamp in store.used.items()]


def _records(text: bytes) -> Any:
    [records] = read_records(io.BytesIO(text))
    return records


def _call_engines() -> None:
    boards = _records(_LINE + b"\n" + _SOLVED).boards
    solve_batch(boards, engine="dlx", threads=1)
    solve_batch(boards, engine="textbook", threads=1)
    NaiveSolver(Box(3, 3)).solve(boards, 1, EngineResult.allocate(boards), Stop())
    next(iter_solutions(boards[0]))


def call_lanes() -> None:
    line = _SOLVED.decode()
    for lines in ([line], np.array([line])):
        solve_batch(lines, engine="lanes")


def call_readers() -> None:
    _records(_LINE + b"\n" + _SOLVED)
    _records(b"Puzzle,Solution\n" + b'"' + _SOLVED + b'",\n')


def _call_rules() -> None:
    """Call the kernels of boards with rules, and of puzzles with sums."""
    rules = SudokuRules.parse("diagonals")
    box = Box(2, 2)
    solve_batch(["." * 16], box=box, rules=rules)
    solve_sudoku("." * 16, box=box, rules=rules)
    generate(1, box=box, rules=rules, seed=0)
    SudokuRules(anti_knight=True).exact_cover(box)
    example("kakuro").first()


def call_rating() -> None:
    _ = rate(_records(_LINE).boards).scores


def call_search(algorithm: Algorithm, has_colors: bool, bound: int) -> None:
    """Call the kernels of one algorithm.

    `bound` is how often an item may be covered: once in a problem without multiplicities. These
    need kernels of their own, as colors do.
    """
    entry = ("s", "color") if has_colors else "s"
    # Its linear relaxation is not integral, so that `cheapest` needs more than one step.
    options: list[list[Hashable]] = [["a", "b", entry], ["b", "c"], ["a", "c"], ["a"], ["b"], ["c"]]
    cover = ExactCover(
        options,
        secondary=["s"],
        costs=[1, 1, 1, 2, 2, 2] if algorithm == "links" else None,
        multiplicity={"a": (1, bound)},
        presolve=True,
        algorithm=algorithm,
    )
    cover.count()
    cover.first()
    cover.solve_batch(given=[[0]])
    cover.possible_options()
    search = cover.search()
    search.estimate(1)
    search.count(solutions=1)
    search.split(2)
    if algorithm == "links":
        run(CoverPortfolio(named_problem(cover).prepare().components, ["restarts"]), Stop(), 1)
        cover.cheapest()
        search_coverings(start_covering(ExactCover.covering([["a"]]).problem), 1)
        deque(approach_relaxation(formulate(cover.problem), 1.0, 0.0), maxlen=0)
        construct(ExactCover([["a"]]).problem, np.zeros(1), 1, 0, 0)
        record_search(view_search(named_problem(cover), ""))


def _call_memo(options: list[list[int]]) -> None:
    """Call the kernels of the memo, and of diagrams."""
    cover = ExactCover(options)
    cover.count(method="memo")
    diagram = cover.diagram()
    diagram.frequencies()
    diagram.cheapest()
    diagram.sample()
    diagram.covers(limit=1)
    diagram.condition(forbidden=[0])


def _call_shared_memo() -> None:
    """Call the kernels that tasks of an executor need."""
    rows = np.zeros((1, 2), np.uint64)
    HashTable(1, rows.nbytes, [rows]).insert(rows, 0)
    with ThreadPoolExecutor(1) as executor:
        for secondary in ([], ["s"]):
            cover = ExactCover([["a", "b"], ["a"], ["b", *secondary]], secondary=secondary)
            cover.replace(executor=executor).count(method="memo")


def _call_method(
    name: str, options: Any, problem_arguments: Mapping[str, Any] | None = None, **arguments: Any
) -> None:
    """Make a problem, and call a method of it."""
    getattr(ExactCover(options, **(problem_arguments or {})), name)(**arguments)


def _call_cases() -> None:
    """Call the kernel of hints that are found by cases."""
    named = named_problem(ExactCover([["a"], ["a"]]))
    deduce_steps(named, [(CASES, 0, 0)], Stop())


_PAIRS: list[list[int]] = [[k, j] for k in range(17) for j in range(k)]


def _call_dancing_links() -> None:
    """Call the kernels of literal searches, also on arrays as `link` returns them."""
    options = [[0], [0]]
    links = dancing_links.link(options, 1)
    chosen = np.zeros(1, np.int32)
    nodes = np.zeros(1, np.int64)
    state = np.zeros(4, np.int64)
    dancing_links.search(*links, chosen, nodes, state, 1, 9, False)
    dancing_links.retreat(*links, chosen, state)
    dancing_links.cover(*links, 1)
    dancing_links.uncover(*links, 1)
    search = ExactCover(options, choose="literal-leftmost").search()
    search.run(solutions=1)
    _ = search.progress


# Those that most users need first, and those that take long, come first. A problem is made only
# when its task runs: the kernels that read the arguments would not be stored earlier.
TASKS: list[Callable[[], object]] = [
    partial(_call_method, "first", [["a"]]),
    partial(call_search, "links", False, 1),
    call_lanes,
    partial(call_search, "bitset", False, 1),
    call_readers,
    partial(_call_memo, [*_PAIRS, *([k] for k in range(17))]),  # its table grows
    partial(generate, 1, difficulty="easy", seed=0),
    call_rating,
    partial(canonical, _LINE.decode(), threads=1),
    partial(_call_method, "solve", [[k] for k in range(999)], limit=1),  # items need 16 bits
    partial(_call_memo, [list(range(100))]),  # its memo branches on the smallest item
    _call_shared_memo,
    partial(call_search, "links", True, 1),
    partial(call_search, "links", False, 2),
    partial(call_search, "bitset", False, 2),
    partial(call_search, "links", True, 2),
    _call_dancing_links,
    _call_engines,
    partial(narrow_nonogram, [[1], [1]], [[1], [1]]),
    _call_rules,
    partial(minimize, _LINE.decode(), threads=1),
    partial(_call_method, "solve", [["a"], ["b"]], up_to_symmetry=True),
    partial(_call_method, "diagnose", [["a", "b"], ["b", "c"], ["c", "a"]]),
    partial(_call_method, "diagnose", [["a"], ["a"]], {"totals": {"t": ([1, 2], 3, 3)}}),
    partial(_call_method, "deduce", [[a, b] for a in "abc" for b in "xy"], max_size=1),
    _call_cases,
    partial(_call_method, "count", [[0, 1], [1, 2], [2, 3], [3, 0]], method="planar"),
    partial(_call_method, "count", [["a", "s"], ["b"]], {"secondary": ["s"]}, method="memo"),
    partial(_call_method, "diagram", [["a"], ["a"]], {"at_least": {"a": 1}}, order="smallest"),
]
