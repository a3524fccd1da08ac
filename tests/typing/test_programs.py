"""Programs of users, for type checkers: mypy and Pyright check this file strictly.

The lines with comments for both of them are programs that they must reject: a comment that is not
needed is an error. The programs also run, and those that are rejected raise exceptions.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

import dlx_numba as dlx
from dlx_numba.explain.deduction import Deduction, Step

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
    kind: Literal["only", "conflict", "set", "chain", "cases"] = step.kind
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
