"""Run campaigns in worker processes until the time is up, and collect their findings."""

import ctypes
import multiprocessing
import os
import random
import resource
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any, NamedTuple

from . import checks

MAX_CASE_SECONDS = 90  # a case that takes longer is a finding
MAX_MEMORY_BYTES = 8 << 30  # of a worker; damaged files must not exhaust the memory
POLL_SECONDS = 0.1
ROOT = str(Path(__file__).parents[2])

_processes = multiprocessing.get_context("spawn")


class Campaign(NamedTuple):
    """A kind of test case, and the share of the time that it gets, relative to the others.

    `run` tests one case, which depends only on the random numbers. It raises an exception if there
    is a finding. Files that it leaves in the given directory, which is empty, are kept then.
    """

    name: str
    run: Callable[[random.Random, Path], None]
    weight: float


class Finding(NamedTuple):
    """A failed case. Findings with the same signature probably have the same cause."""

    campaign: str
    seed: int
    signature: str
    report: str  # ends with the line that states the problem

    @property
    def command(self) -> str:
        """The command that repeats the case."""
        return f"bash scripts/fuzz --only {self.campaign} --seed {self.seed} --cases 1"


class Plan(NamedTuple):
    """The cases of one worker: those of every campaign with the seeds first, first + step, ..."""

    campaigns: tuple[Campaign, ...]
    first_seed: int
    step: int
    n_cases: int | None  # per campaign; None for no limit


class _Record:
    """The progress of a worker in shared memory, which survives the worker."""

    def __init__(self, n_campaigns: int) -> None:
        self.started = _processes.RawArray(ctypes.c_int64, n_campaigns)
        self.seconds = _processes.RawArray(ctypes.c_double, n_campaigns)
        # The index of the running campaign, or -1, and the time at which the case began.
        self.current = _processes.RawArray(ctypes.c_double, [-1, 0])

    def ended(self) -> list[int]:
        """Return the number of cases that have ended, by campaign."""
        current = int(self.current[0])
        return [n - (k == current) for k, n in enumerate(self.started)]


def run_case(campaign: Campaign, seed: int, folder: Path, findings: Path) -> Finding | None:
    """Run one case in a directory, which is emptied at the end.

    If the case fails, its files and a report are kept in a subdirectory of `findings`.
    """
    finding = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "Reading `.npy` or")  # some damaged files
            warnings.filterwarnings("ignore", ".*--columns N makes rows")  # a matrix on one line
            warnings.filterwarnings("ignore", ".* is called .*, as another differs in case")
            campaign.run(random.Random(f"{campaign.name} {seed}"), folder)
    except BaseException as error:  # SystemExit and KeyboardInterrupt are findings, too
        report = "".join(traceback.format_exception(error))
        finding = Finding(campaign.name, seed, _signature(campaign.name, error), report)
        save_finding(finding, findings, folder)
    for path in folder.iterdir():  # creating a new directory takes longer than most cases
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return finding


def save_finding(finding: Finding, findings: Path, files: Path | None = None) -> None:
    """Store a finding in the directory `findings/CAMPAIGN-SEED`, with the files of its case."""
    target = findings / f"{finding.campaign}-{finding.seed}"
    if files is not None:
        with suppress(OSError, shutil.Error):  # files that cannot be copied, such as pipes
            shutil.copytree(files, target, dirs_exist_ok=True)
    target.mkdir(parents=True, exist_ok=True)
    (target / "report.txt").write_text(
        f"{finding.command}\n\n{finding.report}", encoding="utf-8", errors="backslashreplace"
    )


def _signature(name: str, error: BaseException) -> str:
    """Return the campaign, the type of the error, and the line of this project that raised it."""
    frames = [
        f"{Path(frame.filename).name}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(ROOT) and frame.filename != checks.__file__
    ]
    return f"{name} {type(error).__name__} {frames[-1]}"


def _work(plan: Plan, record: _Record, scratch: str, findings: Path, results: Any) -> None:
    """Run cases, the next one always of the campaign that had the least of its share of time."""
    os.setsid()  # so that the worker and its child processes can be ended together
    with suppress(ValueError, OSError):  # macOS does not support this limit
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    parent, folder = os.getppid(), Path(tempfile.mkdtemp(dir=scratch))
    tempfile.tempdir = scratch  # for temporary files of the cases
    started, seconds = record.started, record.seconds
    indices = range(len(plan.campaigns))
    while open_indices := [k for k in indices if plan.n_cases is None or started[k] < plan.n_cases]:
        if os.getppid() != parent:  # it was killed
            break
        index = min(open_indices, key=lambda k: seconds[k] / plan.campaigns[k].weight)
        begin = time.monotonic()
        record.current[:] = [index, begin]
        seed = plan.first_seed + plan.step * started[index]
        started[index] += 1
        finding = run_case(plan.campaigns[index], seed, folder, findings)
        seconds[index] += time.monotonic() - begin
        record.current[0] = -1
        if finding is not None:
            results.send(finding)
    for process in multiprocessing.active_children():  # of executors, which are kept for all cases
        process.kill()


class _Worker:
    """A worker process and its successors, if a case ends or stops the process."""

    def __init__(self, plan: Plan, scratch: str, findings: Path) -> None:
        self.plan, self.scratch, self.findings = plan, scratch, findings
        self.record = _Record(len(plan.campaigns))
        self.is_done = False
        self._start()

    def _start(self) -> None:
        self.results, sender = _processes.Pipe(duplex=False)
        arguments = (self.plan, self.record, self.scratch, self.findings, sender)
        self.process = _processes.Process(target=_work, args=arguments)
        self.process.start()
        sender.close()

    def poll(self) -> Iterator[Finding]:
        """Yield new findings. If the worker has crashed or hangs, start it again."""
        is_alive = self.process.is_alive()  # before the last findings are received
        with suppress(EOFError):
            while self.results.poll():
                yield self.results.recv()
        index, begin = self.record.current
        if not is_alive:
            self.process.join()
            if self.process.exitcode == 0:
                self.is_done = True
            else:
                yield self._failure(f"the process has ended with status {self.process.exitcode}")
                self._start()
        elif index >= 0 and time.monotonic() - begin > MAX_CASE_SECONDS:
            self.end()
            yield self._failure(f"the case takes more than {MAX_CASE_SECONDS} seconds")
            self._start()

    def _failure(self, problem: str) -> Finding:
        """Return the finding that the current case has not ended."""
        index = int(self.record.current[0])
        if index < 0:  # between two cases, or while the process was starting
            raise RuntimeError(f"a worker failed outside of a case: {problem}")
        self.record.current[0] = -1
        name = self.plan.campaigns[index].name
        seed = self.plan.first_seed + self.plan.step * (self.record.started[index] - 1)
        finding = Finding(name, seed, f"{name} {problem}", problem + "\n")
        save_finding(finding, self.findings)
        return finding

    def end(self) -> None:
        """Kill the worker and all processes that it has started."""
        if self.process.is_alive():
            with suppress(ProcessLookupError):  # a process that is starting has no group yet
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.join()


class Run:
    """A run of campaigns: iterate over its findings, and look at its progress meanwhile.

    Parameters
    ----------
    campaigns
        The campaigns to run.
    seed
        The first seed of every campaign.
    seconds
        The time limit, None for no limit. Cases that are running then are killed.
    n_cases
        The number of cases of each campaign, None for no limit.
    jobs
        The number of worker processes.
    findings
        The directory for the files of failed cases.
    """

    def __init__(
        self,
        campaigns: Sequence[Campaign],
        *,
        seed: int,
        seconds: float | None,
        n_cases: int | None,
        jobs: int,
        findings: Path,
    ) -> None:
        self.campaigns, self.seed, self.seconds = tuple(campaigns), seed, seconds
        self.n_cases, self.findings = n_cases, findings
        self.jobs = jobs if n_cases is None else min(jobs, n_cases)
        self.elapsed = 0.0  # seconds
        self._workers: list[_Worker] = []

    def __iter__(self) -> Iterator[Finding | None]:
        """Yield the findings, and None about every tenth of a second."""
        with tempfile.TemporaryDirectory(
            prefix="dlx-numba-fuzz-", ignore_cleanup_errors=True
        ) as scratch:
            try:
                self._start(scratch)
                yield from self._findings()
            finally:
                for worker in self._workers:
                    worker.end()

    def _start(self, scratch: str) -> None:
        for number in range(self.jobs):
            n_cases = self.n_cases
            if n_cases is not None:
                n_cases = len(range(number, n_cases, self.jobs))
            plan = Plan(self.campaigns, self.seed + number, self.jobs, n_cases)
            self._workers.append(_Worker(plan, scratch, self.findings))

    def _findings(self) -> Iterator[Finding | None]:
        begin = time.monotonic()
        while not all(worker.is_done for worker in self._workers):
            self.elapsed = time.monotonic() - begin
            if self.seconds is not None and self.elapsed >= self.seconds:
                break
            working = [each.process.sentinel for each in self._workers if not each.is_done]
            connection.wait(working, POLL_SECONDS)
            for worker in self._workers:
                yield from worker.poll()
            yield None

    def n_ended(self) -> list[int]:
        """Return the number of cases that have ended, by campaign."""
        return _column_sums([worker.record.ended() for worker in self._workers])

    def seconds_used(self) -> list[float]:
        """Return the time of the cases that have ended, by campaign."""
        return _column_sums([list(worker.record.seconds) for worker in self._workers])


def _column_sums(rows: list[list[Any]]) -> list[Any]:
    return [sum(column) for column in zip(*rows, strict=True)]
