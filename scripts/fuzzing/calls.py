"""Campaigns for single calls: repeated ones, which return the same, and impossible requests."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import dlx_numba as dlx
from dlx_numba import ExactCover, SudokuRules
from dlx_numba.runtime.choices import WrittenKind
from tests.helpers import ROOT, oracles
from tests.helpers.counting import matchings, pigeons
from tests.helpers.diagnoses import tiling

from .checks import check_equal

Calls = dict[str, Callable[[], Any]]

WRITTEN: tuple[WrittenKind, ...] = ("knuth", "json", "mps", "cnf", "orlib")
MAX_SECONDS = 30  # of an impossible request
FRESH = "from scripts.fuzzing.calls import print_results; print_results()"


def repeat_calls(rng: random.Random, folder: Path) -> None:
    """Call every public function twice in this process, and once in a new one."""
    seed = rng.randrange(2**32)
    calls = public_calls(seed, folder)
    first, second = (results(calls, random.Random(rng.random())) for _ in range(2))
    command = [sys.executable, "-c", FRESH, str(seed), str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    check_equal("standard error", done.stderr, "")
    fresh = json.loads(done.stdout)
    for name, result in first.items():
        check_equal(f"second call of {name}", second[name], result)
        check_equal(f"{name} in a new process", fresh[name], result)


def print_results() -> None:
    """Print the results of all calls as JSON; the arguments are a seed and a directory."""
    seed = int(sys.argv[1])
    json.dump(results(public_calls(seed, Path(sys.argv[2])), random.Random(seed)), sys.stdout)


def results(calls: Calls, rng: random.Random) -> dict[str, str]:
    """Call functions in random order, and return their results or errors as text."""
    texts = {}
    for name in rng.sample(list(calls), len(calls)):
        try:
            texts[name] = repr(plain(calls[name]()))
        except (ValueError, ImportError, dlx.DlxError) as error:  # OR-Tools is missing
            texts[name] = f"{type(error).__name__}: {error}"
    return texts


def plain(value: Any) -> Any:
    """Return a result without arrays, iterators and objects that have no text of their own."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, dlx.Ratings):
        return plain([value.codes, value.counts, value.solutions, value.scores])
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return plain({name: getattr(value, name) for name in value.__dataclass_fields__})
    if isinstance(value, (str, bytes, int, float, np.generic, type(None))):
        return value
    return [plain(each) for each in value]


def public_calls(seed: int, folder: Path) -> Calls:
    """Return calls of all public functions and of all methods of `ExactCover`, by their names."""
    return board_calls(seed, folder) | cover_calls(seed, folder) | object_calls(seed, folder)


def board_calls(seed: int, folder: Path) -> Calls:
    """Return calls of all functions for boards."""
    rng = random.Random(seed)
    box = dlx.Box(*rng.choice([(2, 2), (2, 3), (3, 3)]))
    cells = box.cells
    made = dlx.generate(4, box=box, seed=seed)
    boards, complete = made.puzzles, made.solutions
    several = boards[0].copy()
    several[rng.sample(range(cells), cells // 3)] = 0
    pair = rng.sample(range(cells), 2)
    rules = rng.choice([{"diagonals": True}, {"anti_knight": True}, {"less_than": [pair]}])
    small = {"box": (2, 3), "rules": SudokuRules(**rules if max(pair) < 36 else {})}
    path, copy = folder / f"{seed}.txt", folder / f"{seed}-copy.txt"
    dlx.write_boards(path, boards, box=box)

    def write() -> str:
        dlx.write_boards(copy, complete, "csv", box=box)
        return copy.read_text()

    return {
        "automorphisms": lambda: dlx.automorphisms(several, box=box),
        "canonical": lambda: dlx.canonical(boards, box=box),
        "deduce": lambda: str(dlx.deduce(boards[0])),
        "diagnose_sudoku": lambda: dlx.diagnose_sudoku(boards[0], box=box).text,
        "generate": lambda: dlx.generate(3, box=box, seed=seed),
        "generate with symmetry": lambda: dlx.generate(
            2, box=box, seed=seed, symmetry="rotate180", minimal=False
        ),
        "generate with rules": lambda: dlx.generate(2, seed=seed, **small),
        "is_minimal": lambda: dlx.is_minimal(boards, box=box),
        "iter_solutions": lambda: islice(dlx.iter_solutions(several, box=box), 20),
        "minimize": lambda: dlx.minimize(complete, seed=seed, box=box),
        "placements": lambda: dlx.placements("##/#.", f"{box.n}x{box.n}"),
        "rate": lambda: dlx.rate(dlx.generate(5, seed=seed).puzzles),
        "read": lambda: [puzzle.first() for puzzle in dlx.read("1......3..4.....")],
        "read_boards": lambda: [records.boards for records in dlx.read_boards(path, box=box)],
        "solve_batch": lambda: dlx.solve_batch(np.array([*boards, several]), 3, box=box),
        "solve_batch with candidates": lambda: dlx.solve_batch(
            several[None], box=box, candidates=True
        ),
        "solve_batch with rules": lambda: dlx.solve_batch(["." * 36], 5, **small),
        "solve_stream": lambda: [part.counts for part in dlx.solve_stream(boards, 3, box=box)],
        "solve_sudoku": lambda: dlx.solve_sudoku(boards[0], box=box),
        "solve_sudoku, contradictory": lambda: dlx.solve_sudoku([1, 1, *[0] * 14]),
        "transform": lambda: dlx.transform(boards, seed, box=box),
        "write_boards": write,
    }


def count_by_tasks(cover: ExactCover) -> int:
    """Count with a memo in a task; raises ValueError if the problem has multiplicities."""
    with ThreadPoolExecutor(1) as pool:
        return cover.replace(executor=pool).count(method="memo")


def statistics_of_solve(cover: ExactCover) -> tuple[Any, Any]:
    """Return all covers and the statistics, which are those of the last call."""
    return cover.solve(), cover.statistics


def cover_calls(seed: int, folder: Path) -> Calls:
    """Return calls of all methods of `ExactCover` for a random problem."""
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed, seed % 2 == 0)
    multiplicity = None if seed % 2 else bounds
    costs = [rng.randrange(5) for _ in options]
    arguments: dict[str, Any] = {"multiplicity": multiplicity, "costs": costs}
    others: dict[str, Any] = {"secondary": secondary}
    arguments["choose"] = rng.choice(["smallest", "leftmost", "random", "sharp"])
    cover = ExactCover(options, [*bounds], secondary, **arguments, seed=seed)
    plain_cover = ExactCover([[0, 1], [1], [0], [1, 2], [2]])
    path, page = folder / f"{seed}.json", folder / f"{seed}.html"
    path.write_text(cover.write(kind="json"))

    def finished(work: Any) -> Any:
        work.run()
        return work

    return {
        "ExactCover.check": lambda: str(cover.check([0] if options else [])),
        "ExactCover.certify": lambda: plain_cover.certify(folder / f"{seed}.proof"),
        "ExactCover.cheapest": lambda: cover.cheapest(3),
        "ExactCover.cheapest_batch": lambda: cover.cheapest_batch(given=[[], []]),
        "ExactCover.count": cover.count,
        **{
            f"ExactCover.count {each}": lambda each=each: cover.count(**each)
            for each in ({"method": "memo"}, {"method": "search"}, {"up_to_symmetry": True})
        },
        "ExactCover.count executor": lambda: count_by_tasks(cover),
        "ExactCover.counter": lambda: finished(cover.counter("search")).counters(),
        "ExactCover.covering": lambda: ExactCover.covering(
            options, costs=costs, **others
        ).cheapest(),
        "ExactCover.deduce": lambda: str(cover.deduce()),
        "ExactCover.diagnose": lambda: str(cover.diagnose()),
        "ExactCover.diagram": lambda: diagram_results(cover.diagram(), seed),
        "ExactCover.diagram_builder": lambda: finished(cover.diagram_builder()).result.count(),
        "ExactCover.explain": lambda: cover.explain(page, steps=50).html,
        "ExactCover.first": cover.first,
        "ExactCover.from_frame": lambda: ExactCover.from_frame(
            "job,person\na,Ann\nb,Ann\na,Bob\n", items=["job"], optional=["person"]
        ).solve(),
        "ExactCover.from_matrix": lambda: ExactCover.from_matrix([[1, 0], [0, 1]]).solve(),
        "ExactCover.iterate": cover.iterate,
        "ExactCover.optimizer": lambda: finished(cover.optimizer(2)).result,
        "ExactCover.options": lambda: cover.options,
        "ExactCover.packing": lambda: ExactCover.packing(options, costs, **others).cheapest(),
        "ExactCover.possible_options": cover.possible_options,
        "ExactCover.puzzles": lambda: cover.puzzles(2, seed=seed),
        "ExactCover.read": lambda: ExactCover.read(path).solve(),
        "ExactCover.relax": cover.relax,
        "ExactCover.replace": lambda: cover.replace(costs=costs, choose="leftmost").solve(),
        "ExactCover.search": lambda: search_results(cover.search(), seed),
        "ExactCover.solve": cover.solve,
        "ExactCover.solve up to symmetry": lambda: cover.solve(up_to_symmetry=True),
        "ExactCover.solve_batch": lambda: (
            cover.solve_batch(forbidden=[[], [0]] if options else [[]], limit=None).counts
        ),
        "ExactCover.statistics": lambda: statistics_of_solve(cover.replace(threads=1)),
        "ExactCover.svg": plain_cover.svg,
        "ExactCover.fixed_by": lambda: cover.fixed_by(cover.symmetries()).solve(),
        "ExactCover.symmetries": lambda: symmetry_results(cover.symmetries()),
        "ExactCover.to_cpsat": lambda: str(cover.to_cpsat()),
        "ExactCover.write": lambda: [cover.write(kind=kind) for kind in WRITTEN],
    }


def object_calls(seed: int, folder: Path) -> Calls:
    """Return calls of the methods of other classes, and problems of the gallery."""
    rules = SudokuRules(diagonals=True, cages=[(7, [0, 1])])
    board = dlx.Board(dlx.generate(1, box=(2, 2), seed=seed).puzzles[0], box=(2, 2))
    return {
        "Board": lambda: (board.string(), board.svg(), str(board)),
        "Box": lambda: (str(dlx.Box.parse("2x3")), dlx.Box.of_cells(36)),
        "SudokuRules": lambda: (SudokuRules.from_json(rules.to_json()) == rules, repr(rules)),
        "SudokuRules.exact_cover": lambda: rules.exact_cover(box=(2, 2)).count(),
        "example": lambda: dlx.example("queens", n=6).first(),
        "Puzzle": lambda: dlx.example("langford", n=4).count(),
    }


def diagram_results(diagram: dlx.CoverDiagram, seed: int) -> list[Any]:
    """Return what a diagram knows about the covers."""
    samples = diagram.sample(3, seed=seed) if diagram.count() else []
    known = [diagram.count(), diagram.frequencies(), diagram.cheapest(2), samples]
    return [*known, diagram.to_zdd(), diagram.to_dot(), list(diagram)]


def search_results(search: dlx.Search, seed: int) -> list[Any]:
    """Return the results of a search that is split, and of its parts."""
    estimate = search.estimate(10, seed)
    search.run(updates=20)
    return [estimate, search.counters(), [each.run() for each in search.split(3)], search.run()]


def symmetry_results(group: dlx.SymmetryGroup) -> list[Any]:
    return [repr(group), group.generators, group.options, group.cycles()]


class Deadline:
    """A condition to stop that is true after some seconds: then the request is a finding."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def is_set(self) -> bool:
        return time.monotonic() > self.end


def request_the_impossible(rng: random.Random, folder: Path) -> None:
    """Request twice what does not exist: each answer says so, and comes soon."""
    name, request, expected = rng.choice([impossible_board, impossible_cover])(rng)
    (folder / "request.txt").write_text(name)  # stays if the case does not end
    for _ in range(2):
        try:
            answer = plain(request(Deadline(MAX_SECONDS)))
        except (ValueError, dlx.NoSolution) as error:
            answer = type(error)
        check_equal(name, answer, expected)


Request = tuple[str, Callable[[Deadline], Any], Any]  # a description, the call, and its answer


def impossible_rules(rng: random.Random) -> dict[str, Any]:
    """Return rules for 9×9 that no grid satisfies."""
    cells = rng.sample(range(81), rng.randint(2, 4))
    (a, b), row, column = rng.sample(range(81), 2), 9 * rng.randrange(9), rng.randrange(8)
    total = rng.randint(5, 12)
    kinds: Sequence[dict[str, Any]] = [
        {"less_than": list(zip(cells, [*cells[1:], cells[0]], strict=True))},
        {"thermometers": [cells, [cells[-1], cells[0]]]},
        {"thermometers": [range(9), range(9, 72, 9)]},
        {"clones": [[row + column, row + column + 1]]},
        {"sums": [(a, b, total), (a, b, total + 1)]},
        {"sums": [(row + column, row + column + 1, 2)]},
        {"differences": [(row, row + 1, 7), (row + 1, row + 2, 7), (row, row + 2, 7)]},
    ]
    return rng.choice(kinds)


def impossible_board(rng: random.Random) -> Request:
    """Return a request for a board or a solution that does not exist."""
    seed, kind = rng.randrange(1000), rng.randrange(4)
    if kind == 0:
        named = impossible_rules(rng)
        return (
            f"generate with {named}",
            lambda stop: dlx.generate(1, rules=SudokuRules(**named), seed=seed, stop=stop),
            ValueError,
        )
    if kind == 1:
        wishes: dict[str, Any] = rng.choice(
            [
                {"clues": rng.randint(0, 16)},
                {"box": (2, 2), "clues": rng.randint(0, 3)},
                {"box": (2, 2), "clues": 5, "symmetry": "rotate180"},
            ]
        )
        return (
            f"generate {wishes}",
            lambda stop: dlx.generate(1, seed=seed, stop=stop, **wishes),
            ValueError,
        )
    side = rng.choice([2, 3, 4, 5])
    board = np.zeros(side**4, np.uint8)
    value, row = rng.randint(1, side**2), rng.randrange(side**2)
    board[[side**2 * row + k for k in rng.sample(range(side**2), 2)]] = value
    if kind == 2:
        return (
            f"iter_solutions {board.tolist()}",
            lambda stop: dlx.iter_solutions(board, stop=stop),
            [],
        )
    return f"solve_sudoku {board.tolist()}", lambda stop: dlx.solve_sudoku(board), dlx.NoSolution


def impossible_cover(rng: random.Random) -> Request:
    """Return a request for covers of a problem that has none."""
    n, problem = rng.randint(3, 6), rng.randrange(3)
    side = n + n % 2
    corners = {(0, 0), (side - 1, side - 1)}
    cover = (matchings(2 * n + 1), pigeons(n), tiling(side, side, "##", corners))[problem]
    calls: dict[str, tuple[Callable[[Deadline], Any], Any]] = {
        "count": (lambda stop: cover.count(stop=stop), 0),
        "count by a search": (lambda stop: cover.count(method="search", stop=stop), 0),
        "solve": (lambda stop: cover.solve(stop=stop), []),
        "first": (lambda stop: cover.first(stop=stop), None),
        "diagram": (lambda stop: cover.diagram(stop=stop).count(), 0),
        "cheapest": (lambda stop: cover.cheapest(stop=stop), []),
        "possible_options": (lambda stop: int(cover.possible_options(stop=stop).sum()), 0),
        "solve_batch": (lambda stop: cover.solve_batch(given=[[]], stop=stop).counts.tolist(), [0]),
        "diagram sample": (lambda stop: cover.diagram(stop=stop).sample(), ValueError),
    }
    name = rng.choice(list(calls))
    return (f"{name} of problem {problem}, n = {n}", *calls[name])
