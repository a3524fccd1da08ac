"""`warmup`: compile all kernels ahead of time."""

import io
import time
from collections.abc import Hashable
from importlib import import_module
from pkgutil import walk_packages

import numpy as np

from ..cover.exact_cover import ExactCover
from ..explain import record_search
from ..explain.problem_view import view_cover
from ..jit.compile import always_compiled, filling_caches, is_loaded, known_kernels
from ..jit.monitoring import watch_compilation
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.api import iter_solutions, solve_batch
from ..sudoku.backends import ThreadBackend
from ..sudoku.canonical.api import canonical
from ..sudoku.engines.registry import ENGINES
from ..sudoku.generator.api import generate, minimize
from ..sudoku.io.read import MIN_PLAIN_BYTES, read_boards
from ..sudoku.io.write import Writer
from ..sudoku.rating import rate
from .options import Quiet
from .terminal import ProgressDisplay, report

KERNEL_PACKAGES = ("kernels", "sudoku")


def warmup(quiet: Quiet = False) -> None:
    """Compile all kernels and cache them on disk.

    Examples:
      dlx-numba warmup

    Later runs then start without compiling. Kernels that are already cached are skipped.
    """
    n_compiled = 0
    _import_kernels()
    kernels = known_kernels()

    def update(name: str) -> None:
        n_done = sum(map(is_loaded, kernels))
        display.update(f"compiling {name}", min(n_done, len(kernels)))

    def count(name: str, seconds: float) -> None:
        nonlocal n_compiled
        n_compiled += 1

    start_time = time.perf_counter()
    display = ProgressDisplay(len(kernels))
    with display, watch_compilation(update, count), filling_caches():
        call_all_kernels()
    if n_compiled:
        outcome = f"{plural(n_compiled, 'kernel')} compiled"
    else:
        outcome = "all kernels are already cached"
    report(f"{outcome} ({time.perf_counter() - start_time:.2f} s)")


def _import_kernels() -> None:
    """Import all modules that may contain kernels, so that their number is known."""
    package = __package__.partition(".")[0]
    for name in KERNEL_PACKAGES:
        parent = import_module(f"{package}.{name}")
        for module in walk_packages(parent.__path__, f"{parent.__name__}."):
            import_module(module.name)


@always_compiled()
def call_all_kernels() -> None:
    """Call every kernel that the library and the commands use, on tiny problems."""
    solved = b"812753649943682175675491283154237896369845721287169534521974368438526917796318452"
    [records] = read_boards(io.BytesIO(b".." + solved[2:] + b"\n" + solved[:-1]))
    [*read_boards(io.BytesIO(b"Puzzle,Solution\n" + b'"' + solved + b'",\n'))]
    _call_in_place_kernels(b".." + solved[2:])
    _ = rate(records.boards).steps
    for engine in ENGINES.values():
        solve_batch(records.boards, engine=engine.name, threads=1)
    canonical(records.boards, threads=1)
    line = solved.decode()
    for lines in ([line], np.array([line])):
        solve_batch(lines)
    next(iter_solutions(records.boards[0]))
    for difficulty in (None, "easy"):
        generate(1, difficulty=difficulty, seed=0)
    generate(1, box=(2, 2), seed=0)
    minimize(records.boards, threads=1)
    [complete] = read_boards(io.BytesIO(b".." + solved[2:]))
    Writer("line", limit=1).format(complete, records.boards, np.ones(1, np.int64))
    for entry in ("s", ("s", "color")):
        for high in (1, 2):
            bounds = {"a": (1, high)}
            options: list[list[Hashable]] = [["a", entry], ["a"], ["a"]]
            cover = ExactCover(options, secondary=["s"], multiplicity=bounds, presolve=True)
            cover.cheapest()
            _call_search_kernels(cover)
            record_search(view_cover(cover, ""))
        for algorithm in ("bitset", "dense"):
            _call_search_kernels(ExactCover(options, secondary=["s"], algorithm=algorithm))
    _call_memo_kernels()


def _call_in_place_kernels(line: bytes) -> None:
    """Call the kernels that solve plain lines in place."""
    text = (line + b"\n") * (MIN_PLAIN_BYTES // len(line) + 1)
    [records] = read_boards(io.BytesIO(text))
    with ThreadBackend("auto", 1, 1, Stop()) as backend:
        wait_for_text = backend.submit_text(records)
        assert wait_for_text is not None
        wait_for_text().decode(records)


def _call_memo_kernels() -> None:
    """Call the kernels of the memo, in all of their versions, and of diagrams."""
    pairs: list[list[Hashable]] = [[k, j] for k in range(17) for j in range(k)]
    short = ExactCover([*pairs, *([k] for k in range(17))])  # has enough subproblems to grow
    long = ExactCover([[k] for k in range(100)])  # does not fit into one word
    wide = ExactCover([list(range(100))])  # is better searched by the smallest item
    for cover in (short, long, wide):
        cover.count(method="memo")
        diagram = cover.diagram()
    diagram.frequencies()
    diagram.cheapest()
    diagram.sample()
    diagram.condition(forbidden=[0])


def _call_search_kernels(cover: ExactCover) -> None:
    """Call the kernels of one algorithm."""
    cover.count()
    cover.first()
    search = cover.search()
    search.estimate(1)
    search.count(solutions=1)
    search.split(2)
