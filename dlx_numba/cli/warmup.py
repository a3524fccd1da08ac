"""`warmup`: compile the kernels now, so that no later run has to."""

import io
import time

from ..cover.exact_cover import ExactCover
from ..jit.compile import watch_compilation
from ..sudoku.api import solve_batch
from ..sudoku.engines.registry import ENGINES
from ..sudoku.io.read import read_boards
from ..sudoku.io.write import Writer
from .terminal import say


def warmup() -> None:
    """Compile the kernels now and keep them on disk, so that no later run has to.

    Tells of each kernel that it compiles; those that are on disk already are left as they are.
    """
    compiled = 0

    def ended(name: str, seconds: float) -> None:
        nonlocal compiled
        compiled += 1
        say(f"compiled {name} in {seconds:.2f} s")

    begin = time.perf_counter()
    with watch_compilation(lambda name: None, ended):
        use_all_kernels()
    kept = "all kernels were on disk already" if not compiled else f"{compiled} kernels compiled"
    say(f"{kept} ({time.perf_counter() - begin:.2f} s)")


def use_all_kernels() -> None:
    """Call, with next to no work, all that the library and the commands compile."""
    solved = b"812753649943682175675491283154237896369845721287169534521974368438526917796318452"
    [records] = read_boards(io.BytesIO(b".." + solved[2:] + b"\n" + solved[:-1]))
    [*read_boards(io.BytesIO(b"Puzzle,Solution\n" + b'"' + solved + b'",\n'))]
    for engine in ENGINES:
        result = solve_batch(records.boards, engine=engine, threads=1)
    Writer("line", limit=1).format(records, result.solutions, result.counts)
    for entry in ("s", ("s", "colour")):
        for high in (1, 2):
            bounds = {"a": (1, high)}
            cover = ExactCover([["a", entry]], secondary=["s"], multiplicity=bounds, presolve=True)
            cover.count()
            cover.first()
            cover.cheapest()
            search = cover.search()
            search.estimate(1)
            search.split(2)
