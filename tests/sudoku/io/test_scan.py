"""The kernel `scan`, as machine code and as plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx_numba.sudoku.io import scan
from dlx_numba.sudoku.io.symbols import Alphabet

FOUR = Alphabet("1-9A-", 4)
PUZZLE, SOLUTION = "12..34..2..3..2.", "1234341221434321"
DRAWN = "12|..\n34|..\n--+--\n2.|.3\n..|2.\n"


def run(kernel: Any, text: str, paired: bool = False, capacity: int = 10) -> tuple[Any, ...]:
    data = np.frombuffer(text.encode(), np.uint8)
    state = np.array([0, 1, 0, 0, 0, ord(",") * paired, 0, 1 if paired else -1])
    boards = np.zeros((capacity + 1, 16), np.uint8)
    solutions, lines = np.zeros_like(boards), np.zeros(capacity + 1, np.int64)
    starts = lines.copy()
    status = kernel(data, state, FOUR.decode, 4, boards, solutions, lines, starts)
    count = state[scan.COUNT]
    assert all(text[start] not in "#\r\n" for start in starts[:count])
    assert state[scan.SOLVED] == np.count_nonzero(solutions[:count, 0])
    found = boards[:count].tolist(), solutions[:count].tolist(), lines[:count].tolist()
    return (status, *state.tolist()[:3], *found)


KERNELS = [scan.scan, getattr(scan.scan, "py_func", scan.scan)]


@pytest.fixture(params=KERNELS, ids=["jitted", "python"])
def kernel(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("\r\n# comment\n\n", 0),
        (f"{PUZZLE}\n", 1),
        (f"  {PUZZLE} text\r\n{PUZZLE},text\r{PUZZLE}\r", 3),
        (f"{PUZZLE}\n{SOLUTION}\n", 1),
        (f"{PUZZLE} {SOLUTION}\n{SOLUTION}\n", 2),
        (f"{DRAWN}\n{DRAWN}{PUZZLE}\n", 3),
    ],
)
def test_reads_to_the_end(kernel: Any, text: str, count: int) -> None:
    status, position, line, found, _, _, lines = run(kernel, text)
    assert (status, position, found) == (scan.DONE, len(text), count)
    assert line == 1 + len(text.splitlines())
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    "other",
    [
        "text",
        "12..34..2..4..1",
        "12..34..2..4..1.1",
        "12..34..2..4..1Q",
        "12..\n34..\n2..4\n",
        "12..\n34..\n\n2..4\n..1.\n",
        "12..\n34..\n2..4.\n..1.\n",
        "12..\n34..\n5..4\n..1.\n",
        "--+--\n12..\n34..\n2..4\n..1.\n",
        "12..\n3---\n",
    ],
)
def test_stops_at_other_lines(kernel: Any, other: str) -> None:
    text = f"{PUZZLE}\n# comment\n"
    status, position, line, found, *_ = run(kernel, f"{text}{other}\n{PUZZLE}\n")
    assert (status, position, line, found) == (scan.OTHER, len(text), 3, 1)


def test_stops_when_full(kernel: Any) -> None:
    text = f"{PUZZLE}\n{PUZZLE}\n{SOLUTION}\n# comment\n"
    status, position, line, found, _, solutions, _ = run(kernel, f"{text}{DRAWN}", capacity=2)
    assert (status, position, line, found) == (scan.FULL, len(text), 5, 2)
    assert [any(row) for row in solutions] == [False, True]


def test_stops_at_table_rows_with_other_text_than_a_solution(kernel: Any) -> None:
    text = f"{PUZZLE},{SOLUTION}\n"
    status, position, _, found, *_ = run(kernel, f"{text}{PUZZLE},\n{PUZZLE}\n", paired=True)
    assert (status, found) == (scan.DONE, 3)
    for other in (f"{PUZZLE},{PUZZLE}", f"{PUZZLE},none", f"{SOLUTION},{SOLUTION}"):
        status, position, _, found, *_ = run(kernel, f"{text}{other}\n", paired=True)
        assert (status, position, found) == (scan.OTHER, len(text), 1)


LINES = st.sampled_from(
    [PUZZLE, SOLUTION, f"{PUZZLE},{SOLUTION}", f"{PUZZLE} 1234", DRAWN, "12..", "", "#", "text"]
)


@given(st.lists(LINES), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.integers(1, 5))
def test_both_kernels_agree(lines: list[str], end: str, paired: bool, capacity: int) -> None:
    text = "".join(line.replace("\n", end) + end for line in lines)
    jitted, python = (run(kernel, text, paired, capacity) for kernel in KERNELS)
    assert jitted == python
