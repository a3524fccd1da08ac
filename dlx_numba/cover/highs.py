"""Find the cheapest covers with HiGHS, a solver of integer programs, in a separate thread."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import chain
from math import ceil, isclose, isfinite
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.csr import lowest_in_rows
from ..kernels.problem import Problem
from ..runtime.extras import can_import, import_extra
from ..runtime.interrupts import Stop
from ..search.prepared import PreparedProblem
from .models import LinearSum, Model, build_model, linear_rows
from .named_problem import NamedProblem
from .names import number_names
from .penalties import Penalties, choose_units

EXACT_BITS = 50  # of the costs of all options together: larger integers are not exact in HiGHS
TOLERANCE = 1e-6  # of the bounds of HiGHS
POLL_SECONDS = 0.02  # between two questions whether to stop
EXIT_SECONDS = 10.0  # that the end of a process waits for HiGHS
# Presolving compares each column with those of its shortest row, which no interrupt ends: 7 million
# pairs take a second (HiGHS 1.16, random columns of 3 to 6 rows).
MAX_PAIRS = 1 << 23


class HighsResult(NamedTuple):
    """The result of HiGHS, or of another search: covers, cheapest first, and a bound."""

    covers: Sequence[tuple[int, list[int]]] = ()
    n_proven: int = 0  # of the covers, from the first; at most one other follows, not proven yet
    bound: int | None = None  # no other cover costs less, if it is known
    done: bool = False  # whether the result is complete
    error: int = 0  # by how much a cover that is not found may cost less than those that are


class Plans(NamedTuple):
    """A problem before its penalties become options, the last ones."""

    problem: Problem
    penalties: Penalties
    complete: Callable[[Sequence[int]], Sequence[int]]  # adds the options of penalties to a plan


def smaller_form(named: NamedProblem, spec: PreparedProblem, unit: int) -> Plans | None:
    """Return a problem with penalties before these become options, with costs divided by `unit`.

    None if no items with multiplicities have penalties, or if the problem to search lacks options
    of the whole one.
    """
    problem = named.problem
    penalties = named.names.penalties
    if penalties is None or named.fixed is not None or spec.given:
        return None
    if not np.array_equal(spec.numbers, np.arange(named.priced().problem.n_options)):
        return None
    divided = problem._replace(cost=problem.costs // unit)
    prices = penalties._replace(prices=penalties.prices // unit)
    return Plans(divided, prices, partial(choose_units, problem, named.names))


class HighsThread:
    """A thread in which HiGHS seeks the `k` cheapest covers of a problem, with pauses.

    Other threads may read the attributes at any time, and set `offered` and `on_cover`.

    Parameters
    ----------
    problem : Problem
        Its costs have no common divisor.
    k : int
    n_threads : int or None
        The threads of HiGHS itself.
    known : HighsResult, optional
        What has been found before, from which it begins.
    plans : Plans, optional
        A smaller form of the same problem, with one column for what each item lacks.
    deadline : float, optional
        The time, as `time.monotonic` returns it, after which no result is needed.

    Attributes
    ----------
    result : HighsResult
    offered : list of int or None
        A cover that another search has found, until HiGHS knows it.
    on_cover : callable
        Called when HiGHS finds a cover.

    Raises
    ------
    ImportError
        If HiGHS cannot be imported.
    """

    def __init__(
        self,
        problem: Problem,
        k: int,
        n_threads: int | None,
        known: HighsResult | None = None,
        plans: Plans | None = None,
        deadline: float | None = None,
    ) -> None:
        known = known or HighsResult()
        need = "the engine 'highs' needs HiGHS"
        self._highspy = import_extra("highspy", need, "'dlx-numba[highs]'")
        total = int(np.abs(problem.costs).sum())
        # HiGHS gets costs without their last bits if its floating-point numbers lack these. So the
        # cost of a cover may be too low by less than 2 ** `_n_bits` for each option.
        self._n_bits = max(0, total.bit_length() - EXACT_BITS)
        error = problem.n_options * ((1 << self._n_bits) - 1)
        self._problem = problem
        self._plans = plans
        self._k = k
        self._n_threads = n_threads
        self._deadline = deadline
        self.result = known._replace(error=error)
        unproven = known.covers[known.n_proven :]  # one at most, from which HiGHS begins
        self.offered: list[int] | None = unproven[0][1] if unproven else None
        self._may_run = threading.Event()
        self._is_closed = False
        self._takes_offers = True  # False if an offered cover has led HiGHS to a wrong cost
        self._has_begun = False  # whether HiGHS may be running, and must end before the process
        self.on_cover: Callable[[], object] = lambda: None
        self._on_end: Callable[[], object] = lambda: None
        self._thread = threading.Thread(target=self._run, name="HiGHS", daemon=True)
        _running.append(self)  # until the end of `_run`
        self._thread.start()

    @contextmanager
    def running(self, on_end: Callable[[], object]) -> Iterator[None]:
        """Let HiGHS run during a block of code. A function is called when HiGHS ends."""
        self._on_end = on_end
        self._may_run.set()
        try:
            yield
        finally:
            self._may_run.clear()

    def close(self) -> None:
        """End the thread soon."""
        self._is_closed = True
        self._may_run.set()

    @property
    def has_failed(self) -> bool:
        """Whether HiGHS has ended without a result: rounding may make its solution no cover."""
        return not (self._thread.is_alive() or self.result.done)

    def wait(self, stop: Stop) -> None:
        """Wait for the result until `stop` is set."""
        while self._thread.is_alive() and not stop():
            self._thread.join(POLL_SECONDS)

    def _program(self, model: Model) -> Any:
        """Return the program of a model, in the arrays of HiGHS.

        Columns are the options; the colors; what items with penalties lack, if there is a smaller
        form; and one without entries.
        """
        problem = model.problem
        highspy = self._highspy
        n_plain = problem.n_options + len(model.colors)
        texts = [""] * n_plain if model.colors else []
        rows: Iterable[LinearSum] = (row for _, row in linear_rows(model, texts))
        costs = problem.costs
        needed = prices = costs[:0]
        if self._plans is not None:
            # A column for each item with a penalty says how often it is missing: the options of the
            # item and this column sum to what is needed, at least.
            items, needed, prices = self._plans.penalties
            missing: list[LinearSum] = []
            for column, (item, n_uses) in enumerate(zip(items, needed, strict=True), n_plain):
                members = [*problem.options_with(item).tolist(), column]
                missing.append(LinearSum(int(n_uses), None, [(k, 1) for k in members]))
            rows = chain(rows, missing)
        # The last column has no entries: HiGHS takes a program without columns for an empty one.
        n_columns = self._n_columns = n_plain + len(needed) + 1
        program = highspy.HighsLp()
        program.num_col_ = n_columns
        cost = np.zeros(n_columns)
        cost[: problem.n_options] = costs >> self._n_bits
        cost[n_plain:-1] = prices >> self._n_bits
        upper = np.ones(n_columns)
        upper[n_plain:-1] = needed
        upper[[column for column, value in model.fixed.items() if value == 0]] = 0
        program.col_cost_ = cost
        program.col_lower_ = 0 * upper
        program.col_upper_ = upper
        kinds = [highspy.HighsVarType.kInteger] * n_plain
        # At the lowest cost, what an item lacks is an integer, as the options are.
        program.integrality_ = kinds + [highspy.HighsVarType.kContinuous] * (len(needed) + 1)
        self._set_rows(program, rows)
        return program

    def _set_rows(self, program: Any, rows: Iterable[LinearSum]) -> None:
        """Give a program its rows, which are linear constraints, as a sparse matrix."""
        highspy = self._highspy
        infinity = highspy.kHighsInf
        bounds: list[tuple[float, float]] = []
        columns = [np.zeros(0, np.int32)]  # of each row; tuples would take much memory
        values = [np.zeros(0)]
        for least, most, weighted in rows:
            low = -infinity if least is None else least
            bounds.append((low, infinity if most is None else most))
            columns.append(np.array([column for column, _ in weighted], np.int32))
            values.append(np.array([weight for _, weight in weighted], np.float64))
        program.num_row_ = len(bounds)
        program.row_lower_ = [low for low, _ in bounds]
        program.row_upper_ = [high for _, high in bounds]
        matrix = program.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.cumsum(list(map(len, columns)))
        matrix.index_ = np.concatenate(columns)
        matrix.value_ = np.concatenate(values)

    def _pass_model(self, model: Model) -> Any:
        """Return HiGHS with the arrays of the model; None if it rejects them or this is closed."""
        program = self._program(model)
        highs = _quiet_class(self._highspy)()
        # Costs are integers, so that a gap below 1 is none.
        options: dict[str, object] = {
            "mip_rel_gap": 0.0,
            "mip_abs_gap": 0.99,
            "threads": self._n_threads or 0,
        }
        if _count_pairs(model.problem) > MAX_PAIRS:
            options["presolve"] = "off"
            options["mip_heuristic_run_feasibility_jump"] = False  # nor is there an interrupt in it
        for name, value in options.items():
            highs.setOptionValue(name, value)
        self._has_begun = True  # before `_is_closed` is read: the process may exit until then
        if self._is_closed or highs.passModel(program) == self._highspy.HighsStatus.kError:
            return None
        del program
        self._model = model._replace(sums=[])  # HiGHS has them
        highs.cbMipInterrupt.subscribe(self._check)
        highs.cbSimplexInterrupt.subscribe(self._check)
        highs.cbMipImprovingSolution.subscribe(self._improve)
        highs.cbMipUserSolution.subscribe(self._suggest)
        return highs

    def _run(self) -> None:
        """Wait for threads that are ending, and seek the covers."""
        try:
            while not self._is_closed and any(thread._is_ending for thread in [*_running]):
                time.sleep(POLL_SECONDS)
            if not self._is_closed:
                self._seek()
        finally:
            _running.remove(self)

    @property
    def _is_ending(self) -> bool:
        """Whether HiGHS still runs although it is closed; false in a fork, which has no thread."""
        return self._is_closed and self._has_begun and self._thread.is_alive()

    def _seek(self) -> None:
        """Seek the covers one after the other: each is excluded before the next is sought.

        Building a large program takes seconds, so the thread does this, too. A return before the
        end leaves the result unfinished: HiGHS has failed, or is closed.
        """
        status = self._highspy.HighsModelStatus
        problem = self._problem if self._plans is None else self._plans.problem
        highs = self._pass_model(build_model(problem, number_names(problem)))
        if highs is None:
            return
        proven = [*self.result.covers[: self.result.n_proven]]
        for _, options in proven:
            self._exclude(highs, options)
        while len(proven) < self._k:
            self._may_run.wait()
            if (values := self._take_offered()) is not None:
                start = self._highspy.HighsSolution()
                start.col_value = values.tolist()
                highs.setSolution(start)
            if self._deadline is not None:  # ends the first relaxation, which no interrupt does
                left = max(0.0, self._deadline - time.monotonic()) + POLL_SECONDS
                highs.setOptionValue("time_limit", highs.getRunTime() + left)
            highs.run()
            if highs.getModelStatus() == status.kInfeasible:  # there is no further cover
                if highs.getOptionValue("presolve")[1] != "off":
                    # HiGHS 1.16 takes some programs for infeasible only because it presolves them.
                    highs.setOptionValue("presolve", "off")
                    continue
                bound = self._lowest(proven[-1][1]) if proven else None
                self.result = self.result._replace(covers=proven, bound=bound)
                break
            if highs.getModelStatus() != status.kOptimal or self._is_closed:
                return
            cover = self._cover_of(highs.getSolution().col_value)
            if cover is None:
                return
            lowest = self._lowest(cover[1])
            claimed = highs.getInfo().objective_function_value
            if self._takes_offers and not isclose(lowest >> self._n_bits, claimed, abs_tol=0.5):
                # After presolving, HiGHS may take an offered cover for cheaper than it is.
                self._takes_offers = False
                highs.clearSolver()  # forget the offered cover, and solve again
                continue
            proven = [*proven, cover]
            self.result = HighsResult(proven, len(proven), lowest, error=self.result.error)
            self._exclude(highs, cover[1])
        self.result = self.result._replace(done=True)
        self._on_end()

    def _exclude(self, highs: Any, options: list[int]) -> None:
        """Exclude a cover from the program.

        If its n options count -1, and all others 1, its sum is -n, and that of any other cover is
        at least 1 - n.
        """
        values = np.ones(self._model.problem.n_options)
        columns = self._columns_of(options)
        values[columns] = -1
        infinity = self._highspy.kHighsInf
        highs.addRow(1 - len(columns), infinity, len(values), np.arange(len(values)), values)

    def _cover_of(self, values: object) -> tuple[int, list[int]] | None:
        """Return the cost and the options of a solution; None if rounding makes it none."""
        chosen = np.flatnonzero(np.array(values)[: self._model.problem.n_options] > 0.5)
        options: list[int] = chosen.tolist()
        if self._plans is not None:
            options = [*self._plans.complete(options)]
        try:
            self._problem.check_covers([options])
        except ValueError:
            return None
        return int(self._problem.costs[options].sum()), options

    def _columns_of(self, options: Sequence[int]) -> list[int]:
        """Return the columns of the options that are no penalties."""
        return [option for option in options if option < self._model.problem.n_options]

    def _lowest(self, options: list[int]) -> int:
        """Return the cost of a cover without the last bits of the costs, as HiGHS computes it."""
        costs = self._problem.costs[options]
        return int((costs >> self._n_bits).sum()) << self._n_bits

    def _check(self, event: Any) -> None:
        """Note the bound of HiGHS, pause it while it may not run, and end it if it is closed.

        HiGHS calls this often, as a callback.
        """
        if isfinite(bound := event.data_out.mip_dual_bound):
            self.result = self.result._replace(bound=ceil(bound - TOLERANCE) << self._n_bits)
        self._may_run.wait()
        event.data_in.user_interrupt = self._is_closed

    def _improve(self, event: Any) -> None:
        """Store a better solution that HiGHS has found, if it is a cover, after the proven ones.

        It may cost more than the cover that was known before.
        """
        cover = self._cover_of(event.data_out.mip_solution)
        if cover is not None:
            result = self.result
            proven = result.covers[: result.n_proven]
            cheapest = min([cover, *result.covers[result.n_proven :]])
            self.result = result._replace(covers=[*proven, cheapest])
            self.on_cover()

    def _suggest(self, event: Any) -> None:
        """Pass on a cover that was offered."""
        if (values := self._take_offered()) is not None:
            event.data_in.setSolution(values)

    def _take_offered(self) -> NDArray[np.float64] | None:
        """Return the values of all variables in a cover that was offered; None without one."""
        options = self.offered
        if options is None or not self._takes_offers:
            return None
        self.offered = None
        problem = self._model.problem
        values = np.zeros(self._n_columns)
        columns = self._columns_of(options)
        values[columns] = 1
        # A color is used if one of its options is chosen.
        for column, (_, _, members) in enumerate(self._model.colors, problem.n_options):
            values[column] = values[members].max()
        if self._plans is not None:
            penalties = self._plans.penalties
            # Their columns precede the last one, which is empty.
            values[-1 - len(penalties.items) : -1] = penalties.missing(problem, columns)
        return values


@cache
def _quiet_class(highspy: Any) -> Any:
    """Return the class of HiGHS without the line that it prints when callbacks are enabled.

    It is created once: each class is a cycle of references, and pybind11 keeps a record of it.
    """

    class Quiet(highspy.Highs):
        def enableCallbacks(self) -> None:  # noqa: N802  (the name is that of the base)
            self.silent()
            super().enableCallbacks()

    return Quiet


def _count_pairs(problem: Problem) -> int:
    """Return how many pairs of columns presolving compares, about.

    For each column, these are the columns of its shortest row.
    """
    row_sizes = np.bincount(problem.items)
    return int(lowest_in_rows(problem.indptr, row_sizes[problem.items], 0).sum())


# A closed thread goes on where no interrupt ends HiGHS. Others wait for it, so that calls that
# follow each other do not fill the computer with threads.
_running: list[HighsThread] = []


@atexit.register
def _end_threads() -> None:
    """End all threads: HiGHS aborts a process that exits while it is running."""
    threads = [*_running]
    for thread in threads:
        thread.close()
    deadline = time.monotonic() + EXIT_SECONDS
    for thread in threads:
        if thread._has_begun:  # otherwise, the program is still being built, and can be abandoned
            thread._thread.join(max(0.0, deadline - time.monotonic()))


def strongest_engine() -> Literal["own", "both"]:
    """Return the fastest engine, which uses HiGHS if it can be imported."""
    return "both" if can_import("highspy") else "own"
