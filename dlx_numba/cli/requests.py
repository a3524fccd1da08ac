"""Requests of another program, which are JSON objects on lines, and their answers."""

import json
import re
import select
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ..cover.counting import Order
from ..cover.exact_cover import ExactCover
from ..cover.io.json import load_json, parse_object
from ..cover.io.read import parse_problem
from ..cover.io.text import format_cover
from ..runtime.arguments import check_choice, check_integer, check_seconds
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..runtime.resources import default_threads, memory_limit
from ..runtime.tables import Table
from ..runtime.text import all_digits
from ..sudoku.api import solve_batch
from ..sudoku.generator.api import generate
from ..sudoku.io.columns import UNREADABLE
from ..sudoku.io.write import STATUSES, UNFINISHED, status_codes
from ..sudoku.rating import Ratings, rate
from ..variants.rules import SudokuRules

Answer = dict[str, Any]

MAX_RESULTS = 10_000  # covers, or puzzles that are generated, in an answer
MAX_ENTRIES = 1_000_000  # of the covers in an answer, unless it is a single cover
MAX_STORED = 1000
MEMORY_SHARE = 32  # a count may use 1/32 of the default limit, half of the free memory
REQUEST_BYTES = 256  # that a request takes besides its text
POLL_SECONDS = 0.1
REASON_FIELDS = "reason", "status", "difficulty"  # of a board that is unreadable


class Limits(NamedTuple):
    """The limits of a client."""

    n_requests: int
    n_bytes: int
    seconds: float | None


@dataclass(eq=False)
class _Job:
    """A request that is not yet answered."""

    id: Any
    n_bytes: int
    stop: Stop
    future: Future[None] = field(default_factory=Future)


class Client:
    """The requests of one client, which run in threads.

    Parameters
    ----------
    lines
        Yields the requests.
    write
        Writes an answer.
    descriptor
        The file descriptor to which it writes.
    limits
        The limits of the client.
    """

    def __init__(
        self, lines: BinaryIO, write: Callable[[bytes], None], descriptor: int, limits: Limits
    ) -> None:
        self.lines, self.write, self.descriptor, self.limits = lines, write, descriptor, limits
        self.problems: dict[str, tuple[ExactCover, int]] = {}  # with the sizes of their requests
        self.jobs: dict[Any, _Job] = {}  # by id; those without id by themselves
        self.n_bytes = 0  # of the requests that are not yet answered
        self.error: OSError | None = None  # of `write`; no more answers are possible
        self.ending = threading.Event()  # stops all requests
        self.changed, self.write_lock = threading.Condition(), threading.Lock()
        self.threads = ThreadPoolExecutor(limits.n_requests)

    def run(self) -> None:
        """Answer requests until the input ends, or nobody reads the answers."""
        for number in count(1):
            line = self.lines.readline(self.limits.n_bytes + 1)
            if not line or self.ending.is_set():
                break
            if len(line) > self.limits.n_bytes:
                while line and not line.endswith(b"\n"):
                    line = self.lines.readline(1 << 16)
                size = f"{self.limits.n_bytes:,} bytes"
                self.answer(None, _error(f"line {number}: more than {size}; see --max-input"))
            elif line.strip():
                self._accept(line, number)
            self._wait(self.limits.n_bytes)
        self._wait(0)

    def end(self, seconds: float | None = None) -> None:
        """Stop all requests, and wait until they are answered, up to a time limit."""
        self.ending.set()
        grace = Stop(seconds)
        self._wait(0, grace)
        self.threads.shutdown(wait=not grace.is_canceled)

    def _wait(self, n_bytes: int, stop: Stop | None = None) -> None:
        """Wait until unanswered requests take at most `n_bytes`, or nobody reads the answers."""
        with self.changed:
            while self.n_bytes > n_bytes and self.error is None and not (stop and stop()):
                self.changed.wait(POLL_SECONDS)
                if hasattr(select, "poll"):
                    poll = select.poll()
                    poll.register(self.descriptor, 0)
                    if poll.poll(0):  # an error, or the other end is closed
                        self._abandon(BrokenPipeError())

    def _abandon(self, error: OSError) -> None:
        """Stop all requests, because answers cannot be written."""
        self.error = error
        self.ending.set()

    def answer(self, id: Any, answer: Answer) -> None:
        """Write an answer, unless nobody reads it."""
        text = json.dumps({"id": id, **answer}) + "\n"
        try:
            with self.write_lock:
                if self.error is None:
                    self.write(text.encode())
        except OSError as error:
            self._abandon(error)

    def _accept(self, line: bytes, number: int) -> None:
        """Start a request, or answer why it is invalid."""
        id = None
        try:
            request = load_json(line)
            if not isinstance(request, dict):
                raise ValueError("a request must be a JSON object")
            id = request.pop("id", None)
            if isinstance(id, bool) or not isinstance(id, str | int | None):
                id, reason = None, f"id must be a string or an integer, not {id!r}"
                raise ValueError(reason)
            operation = request.pop("do", None)
            if operation == "cancel":
                self._cancel(id)
            elif operation == "define":
                self.answer(id, self._define(len(line), request))
            elif id in self.jobs:
                raise ValueError(f"the id {id!r} belongs to a request that is not yet answered")
            else:
                check_choice("do", operation, (*OPERATIONS, "define", "cancel"))
                self._start(id, len(line) + REQUEST_BYTES, operation, request)
        except json.JSONDecodeError as error:
            self.answer(id, _error(f"line {number}: {error.msg}"))
        except (ValueError, TypeError, OSError) as error:
            self.answer(id, _error(f"line {number}: {error}"))

    def _define(self, n_bytes: int, arguments: dict[str, Any]) -> Answer:
        """Store a problem under a name, or remove it. The next request can already use it.

        If the request is rejected, the problem that has the name stays.
        """
        _check_fields("define", arguments, ["name", "problem"])
        name, problem = arguments["name"], arguments["problem"]
        if not isinstance(name, str):
            raise ValueError(f"name must be a string, not {name!r}")
        if problem is None:
            self.problems.pop(name, None)
            return {"status": "done"}
        others = [size for key, (_, size) in self.problems.items() if key != name]
        if n_bytes + sum(others) > self.limits.n_bytes or len(others) >= MAX_STORED:
            raise ValueError(
                f"the stored problems may take {self.limits.n_bytes:,} bytes, and be at most "
                f'{MAX_STORED:,}: remove one ("problem": null), or see --max-input'
            )
        cover = self._read_problem(problem)
        self.problems[name] = cover, n_bytes
        return {"status": "done", "options": cover.n_options, "items": cover.n_items}

    def _cancel(self, id: Any) -> None:
        """Stop a request, which gets an answer now if it has not started."""
        job = self.jobs.get(id)
        if job is not None:
            job.stop.cancel()
            if job.future.cancel():
                self._end_job(job, _stopped(Stopped("stopped before the start")))

    def _start(self, id: Any, n_bytes: int, name: str, arguments: dict[str, Any]) -> None:
        """Start a request in a thread. Raises ValueError if it has wrong arguments."""
        operation, fields = OPERATIONS[name]
        _check_fields(name, arguments, [*fields, "threads", "seconds"])
        seconds = check_seconds(arguments.pop("seconds", None))
        limits = [each for each in (seconds, self.limits.seconds) if each is not None]
        threads = min(check_integer(arguments.pop("threads", 1), "threads"), default_threads())
        problem = arguments.get("problem")
        # A stored problem may be replaced before the request has a thread.
        if isinstance(problem, str) and problem in self.problems:
            arguments["problem"] = self.problems[problem][0]
        job = _Job(id, n_bytes, Stop(event=self.ending))
        self.jobs[job if id is None else id] = job
        call = partial(operation, stop=job.stop)
        with self.changed:
            self.n_bytes += n_bytes
        limit = min(limits, default=None)
        job.future = self.threads.submit(self._work, job, call, arguments, threads, limit)

    def _work(
        self,
        job: _Job,
        call: Callable[..., Answer],
        arguments: Answer,
        threads: int,
        seconds: float | None,
    ) -> None:
        """Answer a request, in a thread."""
        try:
            job.stop.set_limit(seconds)
            if job.stop():
                raise Stopped("stopped before the start")
            conditions: Answer = {
                key: arguments.pop(key) for key in ("given", "forbidden") if key in arguments
            }
            if "problem" in arguments:
                conditions |= {"threads": threads, "memory": _memory()}
                cover = self._read_problem(arguments["problem"])
                arguments["problem"] = cover.replace(**conditions)
            else:
                arguments["threads"] = threads
            if isinstance(rules := arguments.get("rules"), str):
                arguments["rules"] = SudokuRules.parse(rules)
            elif rules is not None:
                arguments["rules"] = SudokuRules.from_json(json.dumps(rules))
            answer = {"status": "done", **call(**arguments)}
        except Stopped as stopped:
            answer = _stopped(stopped)
        except (ValueError, TypeError, OSError, MemoryError) as error:
            answer = _error(str(error) or type(error).__name__)
        except Exception as error:  # a defect should end neither the thread nor the program
            answer = _error(f"internal error: {error!r}")
        self._end_job(job, answer)

    def _end_job(self, job: _Job, answer: Answer) -> None:
        """Answer a request, whose id can then be used again."""
        del self.jobs[job if job.id is None else job.id]
        self.answer(job.id, answer)
        with self.changed:
            self.n_bytes -= job.n_bytes
            self.changed.notify_all()

    def _read_problem(self, problem: Any) -> ExactCover:
        """Return the problem in a field of a request."""
        if isinstance(problem, ExactCover):
            return problem
        if isinstance(problem, str):
            if re.search(r"\n|^\s*[\[{]", problem) is None:
                raise ValueError(f"there is no stored problem {problem!r}")
            return ExactCover(**parse_problem(problem.encode(), "problem")._asdict())
        try:
            return ExactCover(**parse_object(problem)._asdict())
        except ValueError as error:
            raise ValueError(f"problem: {error}") from None


def _check_fields(name: str, arguments: Answer, known: list[str]) -> None:
    """Raise ValueError if a request has an unknown field, or lacks one that it needs."""
    for argument in arguments:
        check_choice(f"a field of {name}", argument, known)
    for needed in {"name", "problem", "boards"} & {*known} - arguments.keys():
        raise ValueError(f"{name} needs the field {needed}")


def _error(message: str) -> Answer:
    return {"status": "error", "message": message}


def _stopped(stopped: Stopped, **partial: Any) -> Answer:
    return {"status": "stopped", **partial, "message": str(stopped)}


def _check_number(number: Any, name: str) -> int:
    """Return a number of results. Raises an exception unless an answer may have that many."""
    if not 1 <= check_integer(number, name) <= MAX_RESULTS:
        raise ValueError(f"{name} must be from 1 to {MAX_RESULTS:,}, not {number}")
    return int(number)


@cache
def _memory() -> int:
    """Return what each count may use; reading the files of the system takes milliseconds."""
    return memory_limit(None) // MEMORY_SHARE


def _count(problem: ExactCover, limit: Any = None, **run: Any) -> Answer:
    try:
        covers = problem.count(limit, **run)
        return {**_limited(covers == limit), "count": all_digits(covers)}
    except Stopped as stopped:
        return _stopped(stopped, bound=all_digits(stopped.partial or 0))


def _limited(is_limited: bool) -> Answer:
    """Return the status of a search that has found as many covers as were requested."""
    return {"status": "limit"} if is_limited else {}


def _cover(problem: ExactCover, limit: Any = 1, **run: Any) -> Answer:
    order: Order = "any" if limit == 1 else "search"
    most = _largest_number(problem, _check_number(limit, "limit"))
    try:
        found = problem.solve(most, order=order, **run)
        covers = _covers(problem, found)
        return {**_limited(len(found) == most or len(covers) < len(found)), "covers": covers}
    except Stopped as stopped:
        return _stopped(stopped, covers=_covers(problem, stopped.partial or ()))


def _cheapest(problem: ExactCover, number: Any = 1, **run: Any) -> Answer:
    most = _largest_number(problem, _check_number(number, "number"))
    found = problem.cheapest(most, **run)
    covers = _covers(problem, found)
    status = _limited(len(covers) < len(found) or len(found) == most < number)
    status = status if found.done else {"status": "stopped"}
    return {**status, "covers": covers, "bound": found.bound}


def _largest_number(problem: ExactCover, number: int) -> int:
    """Return how many covers to search for, each of which has an entry for each item at least."""
    stated = problem.problem
    n_entries = stated.n_primary if stated.low is None else int(stated.low.sum())
    return min(number, max(1, MAX_ENTRIES // max(1, n_entries)))


def _covers(problem: ExactCover, covers: Iterable[list[int]]) -> list[Any]:
    """Return covers as the format "json" writes them, as many as an answer may have.

    Each option is described once, so this takes little time even after the end of a time limit.
    """
    records = list[Any]()
    described: dict[str, dict[int, Any]] = {"names": {}, "items": {}}
    n_entries = 0
    for cover in covers:
        new = [option for option in cover if option not in described["items"]]
        record = json.loads(format_cover(problem.problem, problem._stated.names, new, "json"))
        for key, values in described.items():
            values.update(zip(new, record.get(key, ()), strict=False))
            if key in record:
                record[key] = [values[option] for option in cover]
        n_entries += sum(map(len, record["items"]))
        if records and n_entries > MAX_ENTRIES:
            break
        costs = {"cost": problem._stated.cost(cover)} if "cost" in record else {}
        records.append(record | {"options": cover} | costs)
    return records


def _solve(boards: Any, limit: Any = 1, **options: Any) -> Answer:
    solved = solve_batch(boards, limit, errors="mark", **options)
    codes = status_codes(solved.counts, limit)
    codes[list(solved.errors)] = STATUSES.index(UNREADABLE)
    more: dict[str, list[Any]] = {"status": [STATUSES[code] for code in codes]}
    if solved.candidates is not None:
        values = np.arange(1, 1 + solved.candidates.shape[2])
        more["candidates"] = [[values[cell].tolist() for cell in row] for row in solved.candidates]
    status = "stopped" if UNFINISHED in more["status"] else "done"
    return {"status": status, "boards": _rows(solved, **more)}


def _rate(boards: Any, **run: Any) -> Answer:
    def describe(ratings: Ratings) -> list[Any]:
        techniques = [text.split(", ") if text else [] for text in ratings.strings()]
        return _rows(ratings, techniques=techniques)

    try:
        return {"boards": describe(rate(boards, errors="mark", **run))}
    except Stopped as stopped:
        return _stopped(stopped, boards=describe(stopped.partial))


def _generate(number: Any = 1, clues: Any = None, **options: Any) -> Answer:
    clues = tuple(clues) if isinstance(clues, list) else clues
    try:
        return {"boards": _rows(generate(_check_number(number, "number"), clues=clues, **options))}
    except Stopped as stopped:
        return _stopped(stopped, boards=_rows(stopped.partial))


def _rows(table: Table, **more: list[Any]) -> list[Answer]:
    """Return a table with more columns as objects, without fields that state nothing."""
    columns = table._columns() | more
    columns.pop("nodes", None)  # which differ in meaning from engine to engine
    if "error" in columns:
        columns["reason"] = columns.pop("error")
    lists = [each if isinstance(each, list) else each.tolist() for each in columns.values()]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
    return [
        {
            name: value
            for name, value in row.items()
            if value not in ("", -1) and (name in REASON_FIELDS or not row.get("reason"))
        }
        for row in rows
    ]


_PROBLEM = "problem", "given", "forbidden"
_BOARDS = "boards", "limit", "box", "alphabet", "rules"
_PUZZLES = "number", "difficulty", "symmetry", "clues", "minimal", "box", "rules", "seed"
OPERATIONS: dict[str, tuple[Callable[..., Answer], tuple[str, ...]]] = {  # with their fields
    "count": (_count, (*_PROBLEM, "limit")),
    "cover": (_cover, (*_PROBLEM, "limit")),
    "cheapest": (_cheapest, (*_PROBLEM, "number")),
    "solve": (_solve, _BOARDS),
    "candidates": (partial(_solve, candidates=True), _BOARDS),
    "rate": (_rate, ("boards",)),
    "generate": (_generate, _PUZZLES),
}
