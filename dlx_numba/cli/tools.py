"""The tools of `mcp`: functions of JSON values, whose results say what is known."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice, takewhile
from typing import Any, Literal

import numpy as np

from ..cover.certificate import check_certifiable, prove, translate
from ..cover.covers import Cover
from ..cover.exact_cover import with_named
from ..cover.named_problem import named_problem
from ..cover.names import json_name, names_of
from ..cover.penalties import list_missing
from ..explain.deduction.boards import deduce_puzzle
from ..explain.deduction.ratings import rate
from ..explain.diagnose import Diagnosis
from ..explain.diagnose.boards import diagnose_puzzle
from ..puzzles.answer import check_answer
from ..puzzles.exact.json import parse_object
from ..puzzles.puzzle import EXACT_COVER, Puzzle
from ..puzzles.question import KindError
from ..puzzles.reading import read_any
from ..puzzles.variants.rules import SudokuRules
from ..runtime.errors import FormatError, Stopped
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.json import looks_like_json
from ..runtime.resources import memory_limit
from ..runtime.source import named_stream
from ..runtime.tables import columns_of
from ..runtime.text import all_digits
from ..runtime.workers import call_until
from ..sudoku.api import solve_batch
from ..sudoku.generator.api import generate
from ..sudoku.io.columns import UNREADABLE
from ..sudoku.io.write import STATUSES, UNFINISHED, status_codes
from ..verify_certificate import CertificateError, verify
from .diagnose import record_of
from .hint import record_steps

Result = dict[str, Any]
Options = Sequence[str | int]

MAX_RESULTS = 10_000  # covers or puzzles
MAX_ENTRIES = 1_000_000  # options of several covers
MAX_LINES = 10_000  # of a certificate
MAX_NAMES = 20  # of a list of options or errors
MEMORY_SHARE = 32  # a count may use 1/32 of the default limit, half of the free memory
MAX_BITS = 1 << 30  # of the sets with which a certificate is verified
EXPLANATION_SECONDS = 2  # for a reason that was not requested, and for a certificate

CONDITIONS = "problem", "puzzle", "given", "forbidden"  # which select a puzzle
STATUS = {
    "enum": ["FOUND", "NO_COVER", "UNKNOWN", "VALID", "INVALID", "DONE"],
    "description": "NO_COVER only after a complete search or a proof; UNKNOWN, with what is known, "
    "if a limit has ended the search.",
}
DESCRIPTIONS = {
    "problem": "The name of a problem that the tool read has stored; or a text of any kind that "
    "the package reads, if necessary as an object with its kind, such as "
    '{"kind": "shikaku", "problem": "1 2\\n- 2"}; or an object such as '
    '{"options": {"Ann Mon": ["Ann", "Mon"], "Bob Mon": '
    '["Bob", "Mon"], "Ann Tue": ["Ann", "Tue"]}, "secondary": ["Ann", "Bob"], "costs": {"Ann Mon": '
    "2}}. A cover is a choice of options such that each item is in exactly one of them, and each "
    'secondary item in at most one. The objects "exactly", "at_least" and "at_most" map items to '
    'other numbers. An entry ["item", "color"] is a secondary item in a color that options share.',
    "name": "The name under which the problem is stored.",
    "puzzle": "The number of the puzzle, from 1, if there are several.",
    "given": "Options that a cover must contain, by name or by number, from 0.",
    "forbidden": "Options that a cover must not contain, by name or number.",
    "number": "The largest number of covers, puzzles or steps.",
    "limit": "The count at which to stop; by default, count all.",
    "minimize": "By default, the cost if options have costs; otherwise the fewest options, or the "
    "most in a packing, where no item must be covered.",
    "cover": "The claimed options, by name or number; by default, the answer in the problem.",
    "certificate": "Instead of a cover: the certificate that there is none.",
    "clues": "The options that a puzzle may give; by default, all.",
    "level": "The hardest step of a hint that it needs: only, conflict, set or chain.",
    "boards": "Sudoku boards by rows, with a dot for each empty cell, for all tasks but generate.",
    "rules": 'Rules of a variant, such as "diagonals,anti-knight".',
    "box": 'The rows and columns of a box, such as "2x3"; by default 3x3.',
    "seconds": "A shorter time limit than the server has for all calls.",
}


class Tools:
    """The tools, which are the methods in TOOLS, and the problems that they have stored.

    Parameters
    ----------
    seconds : float
        The time limit of each call.
    n_bytes : int
        The largest size of all stored problems together.
    threads : int or None
        The number of threads of each call.
    """

    def __init__(self, seconds: float, n_bytes: int, threads: int | None) -> None:
        self.seconds = seconds
        self.n_bytes = n_bytes
        self.threads = threads
        self.stored: dict[str, tuple[list[Puzzle | FormatError], int]] = {}  # with their sizes
        self.settings = {"threads": threads, "memory": memory_limit(None) // MEMORY_SHARE}

    def call(self, name: str, arguments: Result, event: StopEvent) -> tuple[str, Result]:
        """Return the result of a tool as text and as an object.

        A tool that takes a puzzle gets the one that `select` returns for the arguments CONDITIONS.
        Most tools are not called for a puzzle whose givens contradict each other: the result is
        that there is no cover.
        """
        seconds = arguments.pop("seconds", None)
        stop = Stop(self.seconds if seconds is None else min(seconds, self.seconds), event)
        result = Result()
        if name not in ("read", "sudoku"):
            selected = {key: arguments.pop(key) for key in CONDITIONS if key in arguments}
            arguments["puzzle"] = puzzle = self.select(**selected)
            if name in ("cheapest", "puzzles") and puzzle.condition is not None:
                raise ValueError("items do not express all conditions of the puzzle; use first")
            if name not in ("count", "diagnose", "verify"):
                # The first access formulates the puzzle, which does not ask whether to stop.
                task = call_until(lambda: puzzle.is_contradictory, stop)
                if task.has_ended and task.result():
                    result = _no_cover(puzzle, stop)
        result = result or TOOLS[name](self, stop, **arguments)
        return json.dumps(result, ensure_ascii=False), result

    def find_stored(self, name: str, arguments: Result) -> Result:
        """Return the arguments of a tool, with a stored problem in place of its name.

        This is done when the call arrives: when it begins, the problem may have been replaced.
        """
        stored = self.stored.get(str(arguments.get("problem"))) if name != "read" else None
        return arguments if stored is None else {**arguments, "problem": stored[0]}  # the puzzles

    def _parse(self, problem: str | Result) -> list[Puzzle | FormatError]:
        """Return the given puzzles. Names of files are not accepted."""
        puzzles: Iterable[Puzzle | FormatError]
        if isinstance(problem, dict) and "options" in problem:
            puzzles = [Puzzle(EXACT_COVER, parse_object(problem), place="problem")]
        else:
            text = problem if isinstance(problem, str) else json.dumps(problem)
            try:
                puzzles = read_any(named_stream(text.encode(), "problem")).puzzles
            except KindError:
                if "\n" not in text and not looks_like_json(text):
                    raise ValueError(f"there is no stored problem {text!r}") from None
                raise
        return [
            each.with_settings(**self.settings) if isinstance(each, Puzzle) else each
            for each in puzzles
        ]

    def select(
        self, problem: str | Result, puzzle: int = 1, given: Options = (), forbidden: Options = ()
    ) -> Puzzle:
        """Return one of the puzzles that are given or stored, with more conditions.

        `find_stored` has replaced the name of a stored problem by a list of puzzles.
        """
        puzzles = problem if isinstance(problem, list) else self._parse(problem)
        if not 1 <= puzzle <= len(puzzles):
            raise ValueError(f"there is no puzzle {puzzle}; the problem has {len(puzzles)}")
        chosen = puzzles[puzzle - 1]
        if isinstance(chosen, FormatError):
            raise chosen
        if given or forbidden:
            exact_cover = chosen.problem
            formulation = chosen.statement._replace(view=chosen.picture)
            chosen = Puzzle(chosen.title, formulation, chosen.condition, answer=chosen.answer)
            # The problem is that with these conditions, instead of one that is formulated again.
            varied = named_problem(exact_cover).vary(given, forbidden)
            vars(chosen)["problem"] = with_named(exact_cover, varied)
        return chosen

    def read(self, stop: Stop, problem: str | Result, name: str = "problem") -> Result:
        """Store a problem or puzzles under a name, for further calls. An empty text removes it."""
        # Other threads may change the original.
        other_sizes = [size for key, (_, size) in self.stored.copy().items() if key != name]
        text = problem if isinstance(problem, str) else json.dumps(problem)
        n_bytes = len(text.encode(errors="surrogatepass"))
        if n_bytes + sum(other_sizes) > self.n_bytes:
            raise ValueError(f"stored problems may take {self.n_bytes:,} bytes; remove one")
        puzzles = self._parse(problem) if problem else []
        errors = [str(each) for each in puzzles if isinstance(each, FormatError)][:MAX_NAMES]
        first = next((each for each in puzzles if isinstance(each, Puzzle)), None)
        if first is None:
            if problem:
                raise ValueError("; ".join(errors) or "the text contains no puzzle")
            self.stored.pop(name, None)
            return {"status": "DONE"}
        exact_cover = first.problem
        self.stored[name] = puzzles, n_bytes
        return {
            "status": "DONE",
            "title": first.title,
            "n_puzzles": len(puzzles),
            "n_options": exact_cover.n_options,
            "n_items": exact_cover.n_items,
            "some_options": [*map(json_name, exact_cover.option_names[:MAX_NAMES])],
            "errors": errors,
        }

    def first(self, stop: Stop, puzzle: Puzzle, number: int = 1) -> Result:
        """Find covers of a problem, or solutions of a puzzle. The same call finds the same ones."""
        covers: list[Cover] = []
        try:
            if number == 1 and puzzle.condition is None:
                cover = puzzle.problem.first(stop=stop)
                if cover is not None:  # it may be empty
                    covers.append(cover)
            else:
                covers += islice(puzzle.solutions(stop=stop), _check_number(number))
        except Stopped as stopped:
            return _unknown(stopped, **_describe(puzzle, covers))
        if not covers:
            return _no_cover(puzzle, stop)
        known = _describe(puzzle, covers)
        # All covers are known if fewer than were asked for exist, and the result has room for them.
        is_complete = len(known["covers"]) == len(covers) < number
        return {"status": "FOUND", **known, "is_complete": is_complete}

    def count(self, stop: Stop, puzzle: Puzzle, limit: int | None = None) -> Result:
        """Count the covers of a problem, or the solutions of a puzzle."""
        if limit is not None and limit < 1:
            raise ValueError("limit must be at least 1")
        try:
            n_covers = puzzle.count(limit, stop=stop)
        except Stopped as stopped:
            return _unknown(stopped, at_least=all_digits(stopped.partial or 0))
        known = {"count": all_digits(n_covers), "is_complete": n_covers != limit}
        return {"status": "FOUND", **known} if n_covers else _no_cover(puzzle, stop)

    def cheapest(
        self,
        stop: Stop,
        puzzle: Puzzle,
        number: int = 1,
        minimize: Literal["cost", "options"] | None = None,
    ) -> Result:
        """Find the covers of lowest cost (or highest value), or with the fewest options.

        No other cover is better than the bound.
        """
        problem = puzzle.problem
        names = named_problem(problem).names
        notice = {}
        if minimize == "options":
            problem = problem.replace(costs=[1] * names.n_listed)
        elif names.lacks_costs:
            notice = {"notice": named_problem(problem).what_counts}
        covers = problem.cheapest(_check_number(number), stop=stop)
        known = {**_describe(puzzle, covers), **notice}
        # Covers that the result has no room for may be better than the bound of the others.
        known["bound"] = covers.bound if len(known["covers"]) == len(covers) else None
        if not covers.done:
            return _unknown("stopped before it was known whether a cover is cheaper", **known)
        return {"status": "FOUND", **known} if covers else _no_cover(puzzle, stop)

    def diagnose(self, stop: Stop, puzzle: Puzzle) -> Result:
        """Find out why a problem has no cover: the items and options to blame, and a proof."""
        diagnosis = diagnose_puzzle(puzzle, stop, lambda step: None)
        if diagnosis.kind == "solvable":
            return self.first(stop, puzzle)
        if diagnosis.kind == "unknown":
            return _unknown(diagnosis.text)
        return _no_cover(puzzle, stop, diagnosis)

    def hint(self, stop: Stop, puzzle: Puzzle, number: int = 1) -> Result:
        """Find the next steps by which people would solve a puzzle, with their reasons."""
        puzzle = puzzle.with_all_options()
        steps = deduce_puzzle(puzzle, puzzle.problem, stop, _check_number(number))
        if not (steps or steps.done):
            return _unknown(steps.end)
        drawn = {"text": puzzle.text(steps.chosen)} if puzzle.picture is not None else {}
        return {"status": "DONE", **record_steps(steps), **drawn}

    def puzzles(
        self,
        stop: Stop,
        puzzle: Puzzle,
        number: int = 1,
        clues: Options | None = None,
        level: str | None = None,
        seed: int = 0,
    ) -> Result:
        """Make puzzles from a problem: options that are given, so that there is one solution."""
        try:
            if puzzle.problem.first(stop=stop) is None:
                return _no_cover(puzzle, stop)
            n = _check_number(number)
            made = puzzle.problem.puzzles(n, clues, level=level, seed=seed, stop=stop)
        except Stopped as stopped:
            return _unknown(stopped, **_describe(puzzle, stopped.partial or []))
        return {"status": "FOUND", **_describe(puzzle, made)}

    def verify(
        self,
        stop: Stop,
        puzzle: Puzzle,
        cover: Options | None = None,
        certificate: str | None = None,
    ) -> Result:
        """Check a claimed cover, or the certificate of a result NO_COVER."""
        if cover is not None and certificate is not None:
            raise ValueError("cover and certificate cannot be combined")
        if certificate is None:
            claims = puzzle.answers if cover is None else [cover]
            if not claims:
                raise ValueError("cover is missing: the problem has no answer")
            for number in range(len(claims)):
                if stop():
                    return _unknown("stopped before all answers were verified")
                record = check_answer(puzzle, claims, number)
                if not record["is_right"]:  # the result is the record of the first wrong answer
                    break
            return {"status": "VALID" if record.pop("is_right") else "INVALID", **record}
        _check_size(puzzle)
        named = named_problem(puzzle.problem)
        check_certifiable(named, False)
        lines = takewhile(lambda _: not stop(), certificate.splitlines(keepends=True))
        try:
            problem = translate(named.problem, False, stop)
            problem.costs = [None] * named.problem.n_options  # which are not translated
            return {"status": "VALID", "text": verify(problem, lines)}
        except (CertificateError, ValueError, StopIteration) as error:
            if stop():
                return _unknown("stopped before the certificate was verified")
            return {"status": "INVALID", "text": str(error) or "the certificate is incomplete"}

    def sudoku(
        self,
        stop: Stop,
        task: Literal["solve", "candidates", "rate", "generate"] = "solve",
        boards: Sequence[str] = (),
        number: int = 1,
        rules: str | None = None,
        box: str | None = None,
        difficulty: Literal["simple", "easy", "intermediate", "expert"] | None = None,
        seed: int = 0,
    ) -> Result:
        """Solve or rate Sudoku puzzles, find the values of each cell, or generate puzzles.

        A puzzle is solved if its status is unique.
        """
        misplaced = boards if task == "generate" else difficulty or seed
        if misplaced:
            raise ValueError("the task generate has a difficulty and a seed, others have boards")
        parsed = None if rules is None else SudokuRules.parse(rules)
        options: Any = {"box": box, "rules": parsed, "threads": self.threads, "stop": stop}
        result = Result(status="DONE")
        columns: dict[str, Any] = {}
        table: Any
        try:
            if task == "generate":
                table = generate(_check_number(number), difficulty=difficulty, seed=seed, **options)
            elif task == "rate":
                table = rate(boards, errors="mark" if parsed is None else "raise", **options)
                columns["techniques"] = table.strings()
            else:
                limit = max(number, 2)  # so that a single solution is known to be unique
                lists = task == "candidates"
                table = solve_batch(boards, limit, errors="mark", candidates=lists, **options)
                codes = status_codes(table.counts, limit)
                codes[list(table.errors)] = STATUSES.index(UNREADABLE)
                columns["status"] = [STATUSES[code] for code in codes]
                if lists:
                    columns["candidates"] = [
                        [(np.flatnonzero(cell) + 1).tolist() for cell in board]
                        for board in table.candidates
                    ]
                if UNFINISHED in columns["status"]:
                    result = _unknown("stopped before all boards were solved")
        except Stopped as stopped:
            table = stopped.partial
            result = _unknown(stopped)
        columns = columns_of(table) | columns
        columns.pop("nodes", None)  # which differ in meaning from engine to engine
        rows = zip(*(np.asarray(each, object).tolist() for each in columns.values()), strict=True)
        return {**result, "boards": [dict(zip(columns, row, strict=True)) for row in rows]}


_NAMES = "read first count cheapest diagnose hint puzzles verify sudoku"
TOOLS: dict[str, Any] = {name: getattr(Tools, name) for name in _NAMES.split()}


def _check_number(number: int) -> int:
    """Return a number of results. Raises ValueError unless a result may have that many."""
    if not 1 <= number <= MAX_RESULTS:
        raise ValueError(f"number must be from 1 to {MAX_RESULTS:,}, not {number:,}")
    return number


def _check_size(puzzle: Puzzle) -> None:
    """Raise ValueError if the sets of options in a certificate would take too much memory."""
    exact_cover = puzzle.problem
    if exact_cover.n_items * exact_cover.n_options > MAX_BITS:
        raise ValueError("the problem is too large for a certificate")


def _unknown(reason: object, **known: Any) -> Result:
    return {"status": "UNKNOWN", "message": str(reason), **known}


def _describe(puzzle: Puzzle, covers: Any) -> Result:
    """Return covers with the names of their options, as many as a result may have."""
    own = named_problem(puzzle.problem)
    name = cache(lambda option: json_name(names_of(own.problem, own.names, [option])[0]))
    records: list[Result] = []
    n_entries = 0
    for cover in covers:
        n_entries += len(cover)
        if records and n_entries > MAX_ENTRIES:
            break
        records.append({"options": [*cover], "names": [*map(name, cover)]})
        if own.problem.cost is not None:
            records[-1]["cost"] = own.cost(cover)
        missing = list_missing(own.problem, own.names, [*cover])
        if missing:
            records[-1]["uncovered"] = [[json_name(each.item), each.number] for each in missing]
    drawn = {"text": puzzle.text(covers[0])} if covers and puzzle.picture is not None else {}
    return {"covers": records, **drawn}


def _no_cover(puzzle: Puzzle, stop: Stop, diagnosis: Diagnosis | None = None) -> Result:
    """Return the result of a search that has found nothing, with a reason and a certificate.

    The diagnosis is that of the puzzle, if it is known. Either takes EXPLANATION_SECONDS at most.
    """
    limit = Stop(EXPLANATION_SECONDS, stop)
    diagnosis = diagnosis or diagnose_puzzle(puzzle, limit, lambda step: None)
    reason = record_of(diagnosis)
    if diagnosis.kind == "unknown":
        noun = "cover" if puzzle.condition is None else "solution"
        reason["text"] = f"A complete search has found no {noun}. No short reason is known."
    result = {"status": "NO_COVER", "reason": reason}
    try:
        _check_size(puzzle)
        proof = prove(named_problem(puzzle.problem), None, Stop(EXPLANATION_SECONDS, stop))
        lines = [*islice(proof, MAX_LINES + 1)]
        # A condition excludes each of the covers, of which there may be any number.
        if len(lines) > MAX_LINES or diagnosis.kind == "condition":
            raise ValueError("a certificate would be too long")
    except (ValueError, Stopped) as error:
        return {**result, "certificate_error": str(error)}
    return {**result, "certificate": "".join(f"{line}\n" for line in lines)}
