"""Chunks with all solutions: blocks, limits, unreadable records, and stopped searches."""

import io
from itertools import count

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku import all_solutions
from dlx_numba.sudoku.all_solutions import expand_solutions
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.results import format_boards

EMPTY, UNIQUE, NONE = "." * 16, "1.....3..4.....2", "11.............."
THREE = "1.....3..4......"
TEXT = f"bad\n{UNIQUE}\n{THREE}\nbad\nbad\n{NONE}\n{EMPTY}\n{UNIQUE}\n{THREE}\nbad\n"


def expand(text, limit=2**60, stop=None, chunk_boards=8192):
    """Return the rows and bad lines of all blocks in order, the final counts, and the sizes."""
    rows, counts, sizes = [], [], []
    for chunk in read_records(io.BytesIO(text.encode()), chunk_boards=chunk_boards):
        result = dlx.solve_batch(chunk.boards, limit=min(limit, 2))
        for records, found, numbering in expand_solutions(chunk, result, limit, stop or Stop()):
            sizes.append(len(records))
            puzzles, solutions = (
                format_boards(each, Box(2, 2)) for each in (records.boards, found.solutions)
            )
            block = [*zip(*numbering, puzzles, solutions, found.counts, strict=True)]
            for bad in reversed(records.bad):
                assert bad.index <= len(records)
                block.insert(bad.index, bad.line)
            rows += block
        counts += result.counts.tolist()
    return rows, counts, sizes


def expected_rows(limit):
    rows = []
    numbers = count(1)
    for line, puzzle in enumerate(TEXT.split(), 1):
        if puzzle == "bad":
            rows.append(line)
            continue
        solutions = [*enumerate(dlx.iter_solutions(puzzle), 1)][:limit]
        number, known = next(numbers), min(len(solutions), 2)
        rows += [(number, k, puzzle, each, known) for k, each in solutions or [(0, EMPTY)]]
    return rows


@pytest.mark.parametrize("block", [1, 5, 4096])
@pytest.mark.parametrize("chunk_boards", [1, 3, 8192])
@pytest.mark.parametrize("limit", [1, 2, 3, 288, 289])
def test_rows_are_complete_and_in_order(block, chunk_boards, limit, monkeypatch):
    monkeypatch.setattr(all_solutions, "BLOCK_SOLUTIONS", block)
    rows, counts, sizes = expand(TEXT, limit, chunk_boards=chunk_boards)
    assert rows == expected_rows(limit)
    assert counts == [min(number, limit) for number in (1, 3, 0, 288, 1, 3)]
    assert max(sizes) < 2 * block + chunk_boards


def test_stopped_search_ends_with_a_record(monkeypatch):
    monkeypatch.setattr(all_solutions, "BLOCK_SOLUTIONS", 100)
    checks = iter([False] * 10)  # blocks of 1, 2 and 0 solutions; then of 1, 2, 4 and so on
    rows, counts, _ = expand(TEXT, stop=lambda: next(checks, True))
    rows = [row for row in rows if isinstance(row, tuple)]
    assert counts == [1, 3, 0, -1, 1, -1]
    assert [row[:2] for row in rows if row[-1] == -1] == [(4, 0), (6, 0)]
    assert [row[1] for row in rows if row[0] == 4] == [*range(1, 128), 0]
    assert [row[1] for row in rows if row[0] == 5] == [1]


def test_solutions_are_passed_on_after_each_slice(monkeypatch):
    from dlx_numba.sudoku.engines import dlx as engine

    monkeypatch.setattr(engine, "UPDATES_PER_SLICE", 200)
    monkeypatch.setattr(all_solutions, "SECONDS_PER_BLOCK", 0)
    rows, _, sizes = expand(EMPTY)
    assert len(rows) == 288
    assert len(sizes) > 10


def test_batch_that_was_not_finished():
    [records] = read_records(io.BytesIO(f"{EMPTY}\n{EMPTY}\n".encode()))
    result = dlx.solve_batch(records.boards, limit=2, seconds=0)
    [block] = expand_solutions(records, result, 5, Stop(0))
    assert block.result.counts.tolist() == [-1, -1]
    assert np.array_equal(block.numbering.solutions, [0, 0])
