"""Find covers with CaDiCaL, a solver of the satisfiability problem.

It runs in a separate process, because a call of CaDiCaL from Python cannot be ended from outside,
and holds the lock of the interpreter, so nothing else could run beside it.
"""

import os
import subprocess
import sys
import threading
from array import array
from functools import cache
from importlib.util import find_spec
from itertools import islice

import numpy as np

from ..kernels.csr import any_in_rows
from ..kernels.problem import Problem
from ..runtime.extras import import_extra, warn_of_failure
from .clauses import find_sums, iterate_clauses

# The program reads the number of wanted covers, that of options, the options that a further cover
# may have in addition to all of another, and clauses. Each of these is followed by 0, and so is
# each cover that it writes, and the end. A budget of conflicts lets it notice that its parent has
# ended.
PROGRAM = """
import sys
sys.path[:] = sys.argv[1:]
import os
from array import array
from pysat.solvers import Cadical195
wanted, n_options, *numbers = array("i", sys.stdin.buffer.read())
solver, extra, clause, answer, parent = Cadical195(), None, [], array("i"), os.getppid()
for literal in numbers:
    if literal:
        clause.append(literal)
        continue
    if extra is None:
        extra = set(clause)
    else:
        solver.add_clause(clause)
    clause = []
while wanted:
    found = None
    while found is None and os.getppid() == parent:
        solver.conf_budget(20000)
        found = solver.solve_limited()
    if not found:
        break
    options = [k for k in solver.get_model() or () if 0 < k <= n_options]
    answer.extend([*options, 0])
    solver.add_clause([-k for k in options] + sorted(extra.difference(options)))
    wanted -= 1
answer.append(0)
sys.stdout.buffer.write(answer.tobytes())
"""
NEED = "the engine 'sat' needs CaDiCaL"
CHUNK_CLAUSES = 1 << 12  # that are sent at once
MAX_WANTED = (1 << 31) - 1  # the program reads signed integers of 32 bits


@cache
def has_sat() -> bool:
    """Return whether CaDiCaL is installed, and can run in a process.

    In a frozen application, or in a server that embeds Python, `sys.executable` is another program.
    """
    program = os.path.basename(sys.executable or "").lower()
    is_python = program.startswith(("python", "pypy")) and not hasattr(sys, "frozen")
    return is_python and find_spec("pysat") is not None


class SatProcess:
    """A process in which CaDiCaL seeks some covers of a problem, which has no totals.

    Parameters
    ----------
    problem : Problem
    wanted : int
        At most MAX_WANTED.

    Attributes
    ----------
    covers : list of list of int, or None
        The covers; fewer than wanted if there are no others. None while they are unknown, and if
        the process fails.
    error : str
        The last line that a process has printed that failed.

    Raises
    ------
    ImportError
        If CaDiCaL is not installed.
    """

    def __init__(self, problem: Problem, wanted: int) -> None:
        if not has_sat():
            import_extra("pysat.solvers", NEED, "'dlx-numba[sat]'")  # raises this error, or else:
            raise ImportError(f"{NEED}, in a process of its own, but this program is not Python")
        self._problem = problem
        self._wanted = wanted
        self.covers: list[list[int]] | None = None
        self.error = ""
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._thread = threading.Thread(target=self._exchange, name="CaDiCaL", daemon=True)
        self._thread.start()

    def __enter__(self) -> "SatProcess":
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self._process.kill()  # the thread notices that

    def wait(self, seconds: float) -> bool:
        """Wait until the process ends, up to a time limit. Returns whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def report_failure(self, is_alone: bool) -> None:
        """Raise the error of a process without an answer, or warn if another search goes on."""
        if is_alone and not self.error:  # killed, as systems do for lack of memory
            raise MemoryError("CaDiCaL has ended without an answer")
        if is_alone:
            raise ImportError(f"{NEED}, which is installed, but fails: {self.error}")
        if self.error:
            warn_of_failure("CaDiCaL", self.error)

    def _exchange(self) -> None:
        """Send the clauses to the program, and store the covers or the error that it returns."""
        process = self._process
        problem = self._problem
        # Options without a primary item are in no cover.
        useless = dict.fromkeys((~problem.has_primary).nonzero()[0].tolist(), 0)
        clauses = iterate_clauses(problem.n_options, *find_sums(problem), useless)
        # A cover can be a part of another one that covers some items more often, and no others. So
        # a cover is excluded from the next answers by a clause that permits such extra options.
        is_exact = np.zeros(problem.n_items, np.bool_)
        is_exact[: problem.n_primary] = problem.lows == problem.highs
        is_extra = problem.has_primary & ~any_in_rows(problem.indptr, is_exact[problem.items])
        extra = 1 + np.flatnonzero(is_extra)  # literals count options from 1
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with process, process.stdout, process.stderr:
            try:
                with process.stdin:
                    process.stdin.write(array("i", [self._wanted, problem.n_options, *extra, 0]))
                    while chunk := [*islice(clauses, CHUNK_CLAUSES)]:
                        flat = array("i", [x for clause in chunk for x in (*clause, 0)])
                        process.stdin.write(flat)
                answer = array("i", process.stdout.read())
                lines = process.stderr.read().decode(errors="replace").split("\n")
            except OSError:  # the process was ended
                return
        if answer[-1:] and not process.returncode:  # the program writes the last 0 at its end
            numbers = np.array(answer[:-1])
            # Each cover ends with 0, and its options are counted from 1.
            covers = np.split(numbers, np.flatnonzero(numbers == 0) + 1)[:-1]
            self.covers = [(cover[:-1] - 1).tolist() for cover in covers]
        else:
            self.error = next(filter(None, reversed(lines)), "")
