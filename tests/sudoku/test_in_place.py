"""Solving in place: the output is that of the general path."""

import io
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku.backends import ExecutorBackend, ThreadBackend
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from tests.helpers import DATA, oracles
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke
from tests.helpers.seeds import seeded, seeds

pytestmark = pytest.mark.compiled

OTHER_LINES = [SOLVED, "", "# comment", "not a board", f"{UNIQUE},{SOLVED}", f"{UNIQUE}\r"]


@pytest.fixture
def plain_records(monkeypatch):
    """Return the only chunk of some lines, which is not decoded."""

    def read(lines):
        monkeypatch.setattr("dlx_numba.sudoku.io.read.MIN_PLAIN_BYTES", 1)
        [records] = read_records(io.BytesIO("".join(f"{line}\n" for line in lines).encode()))
        return records

    return read


def random_line(rng):
    """Return a puzzle: with one solution, several or none, or with contradictory givens."""
    board = oracles.random_board(Box(3, 3), rng, rng.choice([20, 40, 50, 60]))
    if rng.random() < 0.3:
        board[rng.randrange(81)] = rng.randint(1, 9)
    line = "".join(map(str, board.tolist()))
    return line if "0" in line else UNIQUE


def solve_as(path, min_plain_bytes, monkeypatch, *options):
    """Return the output of `solve`, and its messages without times."""
    monkeypatch.setattr("dlx_numba.sudoku.io.read.MIN_PLAIN_BYTES", min_plain_bytes)
    out, err = invoke("solve", path, *options, status=None)
    messages = [line for line in err.splitlines() if not line.startswith("Compiling")]
    return out, [message.partition(" (")[0] for message in messages]


@pytest.mark.parametrize("seed", list(seeds(6)))
@pytest.mark.parametrize("options", [[], ["--check"], ["--limit", "3", "-j", "1"], ["-f", "csv"]])
def test_output_is_that_of_the_general_path(seed, options, tmp_path, monkeypatch):
    rng = random.Random(seed)
    lines = [random_line(rng) for _ in range(60)]
    for _ in range(seed % 3):
        lines.insert(rng.randrange(len(lines)), rng.choice(OTHER_LINES))
    path = tmp_path / "puzzles.txt"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    monkeypatch.setattr("dlx_numba.sudoku.io.read.HEAD_BYTES", rng.choice([0, 3000]))
    monkeypatch.setattr("dlx_numba.cli.board_run.CHUNK_BOARDS", rng.choice([5, 20, 1000]))
    expected = solve_as(path, 1 << 30, monkeypatch, *options)
    assert solve_as(path, 1, monkeypatch, *options) == expected
    assert expected[0].count("\n") >= len(lines) - 2


def test_file_is_solved(tmp_path):
    lines = (DATA / "easy.txt").read_text().splitlines()
    path = tmp_path / "puzzles.txt"
    path.write_text("".join(f"{line}\n" for line in lines * 10))
    expected = invoke("solve", DATA / "easy.txt")[0]
    assert invoke("solve", path)[0] == expected * 10
    assert invoke("solve", path, "--engine", "dlx")[0] == expected * 10


@pytest.mark.parametrize("engine", ["auto", "lanes"])
def test_lines_are_replaced_unless_they_differ(engine, plain_records):
    lines = [UNIQUE, NONE, SEVERAL, UNIQUE] * 20
    records = plain_records(lines)
    with ThreadBackend(engine, 2, 2, Stop()) as backend:
        solved = backend.submit_text(records)()
    text = [SOLVED, NONE, SEVERAL, SOLVED] * 20
    assert bytes(solved.text).decode().split() == text
    assert solved.counts.tolist() == [1, 0, 2, 1] * 20
    records, result = solved.decode(records)
    assert len(records) == 80
    assert records.lines.tolist() == list(range(1, 81))
    assert result.counts.tolist() == [1, 0, 2, 1] * 20
    solutions = ["".join(map(str, row)) for row in result.solutions.tolist()]
    assert solutions[0::4] == solutions[3::4] == [SOLVED] * 20
    assert solutions[1::4] == ["0" * 81] * 20
    board = np.array(list(SEVERAL.replace(".", "0")), np.uint8)
    assert all(oracles.is_solution(row, board, Box(3, 3)) for row in result.solutions[2::4])


def test_complete_text_is_recognized(plain_records):
    with ThreadBackend("auto", 1, 1, Stop()) as backend:
        solved = backend.submit_text(plain_records([UNIQUE] * 5))()
    assert solved.is_complete
    assert solved.counts.tolist() == [1] * 5
    assert bytes(solved.text) == f"{SOLVED}\n".encode() * 5


def test_lines_that_are_not_solved_in_time_are_unfinished(plain_records):
    records = plain_records([UNIQUE] * 50)
    with ThreadBackend("auto", 1, 2, Stop(0)) as backend:
        records, result = backend.submit_text(records)().decode(records)
    assert result.counts.tolist() == [-1] * 50
    assert not result.solutions.any()
    assert (records.boards != 0).sum() == 50 * sum(symbol != "." for symbol in UNIQUE)


def test_only_plain_lines_are_taken_by_engines_that_read_symbols(plain_records):
    records = plain_records([UNIQUE] * 5)
    stop = Stop()
    with ThreadBackend("dlx", 1, 1, stop) as backend:
        assert backend.submit_text(records) is None
    with ThreadPoolExecutor(1) as pool, ExecutorBackend("auto", 1, stop, pool) as backend:
        assert backend.submit_text(records) is None
    with ThreadBackend("auto", 1, 1, stop) as backend:
        assert backend.submit_text(plain_records([UNIQUE, "no board", UNIQUE])) is None
    assert len(records.boards) == 5


def test_resumed_run_solves_in_place(tmp_path, monkeypatch):
    monkeypatch.setattr("dlx_numba.sudoku.io.read.MIN_PLAIN_BYTES", 1)
    monkeypatch.setattr("dlx_numba.cli.board_run.CHUNK_BOARDS", 7)
    rng = random.Random(seeded(5))
    path, output = tmp_path / "puzzles.txt", tmp_path / "solved.txt"
    path.write_text("".join(f"{random_line(rng)}\n" for _ in range(50)))
    expected = invoke("solve", path, status=None)[0].encode()
    for _ in range(10):
        output.write_bytes(expected[: rng.randrange(len(expected))])
        invoke("solve", "--resume", "-o", output, path, status=None)
        assert output.read_bytes() == expected
