"""Programs of users, for type checkers: mypy and Pyright check this file strictly.

The lines with comments for both of them are programs that they must reject: a comment that is not
needed is an error. The programs also run, and those that are rejected raise exceptions.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import dlx_numba as dlx
from dlx_numba.explain.deduction import Deduction, Step

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:

    def assert_type(value: Any, _: object) -> Any:
        return value


PUZZLE = "1.....3..4.....2"
OPTIONS = [["a", "b"], ["a"], ["b"]]


def rejects(error: type[Exception], message: str, call: Callable[[], object]) -> None:
    """Check that a call, which type checkers reject, raises an exception."""
    with pytest.raises(error, match=message):
        call()


def test_problems() -> None:
    cover = dlx.ExactCover(OPTIONS, secondary=["s"], choose="leftmost", algorithm="links")
    solutions: Sequence[list[int]] = cover.replace(threads=2).solve(limit=10)
    first: list[int] | None = cover.first()
    assert solutions[0] == first
    names: Sequence[str] = ["b"]
    for choose in (names, ("b", "a"), ["a"]):
        assert dlx.ExactCover(OPTIONS, choose=choose).count(method="search") == 2
    named = dlx.ExactCover({"S1": {"A"}, "S2": ("A", "B")}, items={"A"}, secondary={"B"})
    found: Iterator[list[int]] = iter(named)
    assert list(found) == [[0], [1]]
    covers: dlx.Covers = named.solve()
    assert [each.names for each in covers] == [["S1"], ["S2"]]
    cheapest: Sequence[list[int]] = dlx.ExactCover(OPTIONS, costs=[3, 1, 1]).cheapest()
    assert cheapest == [[1, 2]]
    same: bool = named == cover
    assert not same
    assert len({cover, dlx.ExactCover(OPTIONS, algorithm=cover.algorithm)}) == 2


def test_names_of_options() -> None:
    by_text = dlx.ExactCover({"x": ["a"], "y": ["b"]}, costs={"x": 3})
    by_number = dlx.ExactCover({1: ["a"], 2: ["b"]})
    by_items = dlx.ExactCover(OPTIONS)
    assert_type(by_text, dlx.ExactCover[str])
    assert_type(by_number, dlx.ExactCover[int])
    assert_type(by_items, dlx.ExactCover[str])
    assert_type(by_text.first(), dlx.Cover[str] | None)
    assert_type(by_text.solve(), dlx.Covers[str])
    assert assert_type(by_text.solve()[0].names, list[str]) == ["x", "y"]
    assert [assert_type(cover.names, list[str]) for cover in by_text] == [["x", "y"]]
    assert [assert_type(cover.names, list[str]) for cover in by_text.cheapest(2)] == [["x", "y"]]
    assert [assert_type(cover.names, list[int]) for cover in [*by_number.solve()]] == [[1, 2]]
    assert sorted(by_number.solve(), key=lambda cover: cover.names[0])[0].names == [1, 2]
    assert assert_type(by_items.solve()[:1], dlx.Covers[str])[0].names == ["a b"]
    assert_type(by_number.replace(threads=1).diagram().covers(), dlx.Covers[int])
    assert_type(by_number.optimizer().result, dlx.Covers[int])
    assert_type(by_number.solve_batch(given=[[1]]).covers[0], dlx.Cover[int] | None)


def test_names_that_are_tuples() -> None:
    options: dict[tuple[str, int], list[str]] = {("Ann", 1): ["mon"], ("Bob", 2): ["tue"]}
    # mypy does not distinguish this mapping from an iterable of tuples, and infers Any.
    roster: dlx.ExactCover[tuple[str, int]] = dlx.ExactCover(options)
    for cover in roster:
        names: list[tuple[str, int]] = assert_type(cover.names, list[tuple[str, int]])
        assert names == [("Ann", 1), ("Bob", 2)]


def test_partial_results() -> None:
    cover = dlx.ExactCover({k: [k % 2] for k in range(8)})
    event = threading.Event()
    event.set()
    try:
        count = cover.count(up_to_symmetry=True, stop=event)
    except dlx.Stopped as stopped:
        count = assert_type(stopped.partial_of(cover.count), int | None) or 0
    assert count == 0
    try:
        found = cover.solve(up_to_symmetry=True, stop=event)
    except dlx.Stopped as stopped:
        partial = assert_type(stopped.partial_of(cover.solve), dlx.Covers[int] | None)
        assert partial is not None
        found = partial
    assert [each.names for each in found] == []
    assert assert_type(dlx.Stopped("stopped", 3).partial, int) == 3


def test_problems_that_are_rejected() -> None:
    rejects(ValueError, "choose must be one of", lambda: dlx.ExactCover(OPTIONS, choose="largest"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(ValueError, "algorithm must be", lambda: dlx.ExactCover(OPTIONS, algorithm="fast"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(TypeError, "options must be a list", lambda: dlx.ExactCover(5))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(TypeError, "secondary must be a list", lambda: dlx.ExactCover(OPTIONS, secondary=2))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(TypeError, "multiplicity must be", lambda: dlx.ExactCover(OPTIONS, multiplicity=2))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    cover = dlx.ExactCover(OPTIONS)
    rejects(ValueError, "method must be one of", lambda: cover.count(method="fast"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(AttributeError, "has no attribute", lambda: cover.solutions())  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownLambdaType]


def test_puzzles() -> None:
    text: str = dlx.solve_sudoku(PUZZLE)
    board: dlx.Board = dlx.solve_sudoku(dlx.Board(PUZZLE))
    assert board.string() == text
    result: dlx.BatchResult = dlx.solve_batch([PUZZLE, None, PUZZLE[1:]], errors="mark")
    reasons: dict[int, str] = result.errors
    assert list(reasons) == [1, 2]
    counts: NDArray[np.int64] = result.counts
    solutions, same_counts, _ = result
    assert (len(result), len(solutions), same_counts.tolist()) == (3, 3, counts.tolist())
    changed: dlx.BatchResult = result._replace(counts=counts + 1)
    assert changed != result
    with ThreadPoolExecutor(1) as executor:
        ratings = dlx.rate(["." * 81], executor=executor, errors="raise")
    difficulty: list[Any] = ratings.difficulty.tolist()
    assert difficulty == ["invalid"]
    forms: NDArray[np.uint8] = dlx.canonical([PUZZLE])
    marked, errors = dlx.canonical([PUZZLE, ""], errors="mark")
    assert (marked[0] == forms[0]).all()
    assert list(errors) == [1]
    easy: dlx.Difficulty = "easy"
    symmetry: dlx.Symmetry = "rotate180"
    puzzles, _ = dlx.generate(2, difficulty=easy, symmetry=symmetry, seed=1)
    assert puzzles.shape == (2, 81)
    engine: dlx.EngineName = "dlx"
    found: list[str] = dlx.solve_batch(puzzles, engine=engine, limit=None).strings()
    streamed: Iterator[dlx.BatchResult] = dlx.solve_stream(iter(found), 1, engine=engine)
    assert [part.strings() for part in streamed] == [[text] for text in found]
    assert all(map(str.isdigit, found))


def hint(board: str) -> str:
    """Return what the hint button of an app shows."""
    try:
        steps: Deduction = dlx.deduce(board, limit=1, seconds=5)
    except dlx.NoSolution as error:
        return str(error)
    if not steps:
        return steps.end
    step: Step = steps[0]
    kind: Literal["only", "conflict", "set", "chain", "total", "rules", "cases"] = step.kind
    choice: int | None = step.chosen
    marks: list[tuple[tuple[int, int], int]] = [*zip(step.cells, step.digits, strict=True)]
    picture: str = step.svg()
    assert picture.startswith("<svg")
    return f"{kind} {choice} {step.removed} {marks}"


def test_hints() -> None:
    assert hint(PUZZLE) == "only 15 [11, 31] [((1, 4), 4)]"
    assert hint("11" + 14 * ".") == "two 1s in row 1"
    assert hint("1234341221434321") == "This is the only solution."


def test_puzzles_that_are_rejected() -> None:
    rejects(AttributeError, "no attribute 'solve'", lambda: dlx.solve(PUZZLE))  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownLambdaType]
    rejects(ValueError, "engine must be", lambda: dlx.solve_batch([PUZZLE], engine="fastest"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(ValueError, "errors must be one of", lambda: dlx.solve_batch([PUZZLE], errors="ignore"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(ValueError, "difficulty must be one of", lambda: dlx.generate(1, difficulty="hard"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(ValueError, "symmetry must be one of", lambda: dlx.generate(1, symmetry="full"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(ValueError, "errors must be one of", lambda: dlx.canonical([PUZZLE], errors="skip"))  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownLambdaType]
    rejects(TypeError, "interface of", lambda: dlx.rate(["." * 81], executor=threading.Event()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    rejects(AttributeError, "has no attribute", lambda: dlx.solve_batch([PUZZLE]).solved)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownLambdaType]
