"""Chunks and blocks of a source: their boundaries do not matter."""

import io
import json
import os
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from tests.helpers import processes
from tests.helpers.boards import read
from tests.helpers.formats import FOUR, FOUR_ROWS, PUZZLE, SOLUTION, TEXTS, THIRD

# Boards of 9×9, solutions, remarks, tables, and all their lines
NINE = [text.text for text in TEXTS.values() if {*map(len, text.boards)} == {81}]
PIECES = st.sampled_from([*NINE, *{line: 0 for text in NINE for line in text.splitlines()}])


@given(
    st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=12),
    st.integers(1, 4),
    st.integers(1, 200),
)
def test_boundaries_and_the_kernel_do_not_change_the_result(
    pieces: list[tuple[str, str]], chunk_boards: int, block_bytes: int
) -> None:
    text = PUZZLE + "\n" + "".join(piece + end for piece, end in pieces)
    read_nine = partial(read, text, box=Box(3, 3))
    expected = read_nine()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dlx_numba.sudoku.io.read.HEAD_BYTES", 0)
        assert read_nine(chunk_boards=chunk_boards, block_bytes=block_bytes) == expected
        patch.setattr("dlx_numba.sudoku.io.lines.LineReader.suits_kernel", False)
        assert read_nine() == expected


def test_comments_and_difficulties_may_be_in_one_chunk() -> None:
    record = json.dumps({"puzzle": THIRD, "difficulty": "easy"})
    assert read(f"{PUZZLE} # Expert\n{record}\n").difficulties == ["Expert", "easy"]


@given(st.binary(max_size=300).map(lambda text: text.replace(b"\0", b"1")))
def test_any_bytes_can_be_read(text: bytes) -> None:
    result = read(PUZZLE.encode() + b"\n" + text + b"\n\n" + THIRD.encode() + b"\n")
    assert result.boards[0] == PUZZLE
    assert result.boards[-1] in (THIRD, SOLUTION)


@given(st.text(alphabet='[]{},;=#"/\n 0129null.-', max_size=80))
def test_any_text_after_a_list_can_be_read(text: str) -> None:
    assert read(f"{FOUR_ROWS}\n{text}").boards[0] == FOUR


class TypedText(io.BytesIO):
    def isatty(self) -> bool:
        return True


def test_lines_that_are_typed_do_not_wait_for_the_next_line() -> None:
    source = TypedText(f"{PUZZLE}\n".encode() * 1000)
    first = next(read_records(source))
    assert len(first) == source.tell() // (len(PUZZLE) + 1)


def test_a_solution_belongs_to_its_puzzle_even_if_it_arrives_later() -> None:
    puzzle, other, solution = processes.UNIQUE, processes.NONE, processes.SOLVED
    end, start = os.pipe()
    with open(end, "rb", buffering=0) as file:
        chunks = read_records(file)
        os.write(start, f"{puzzle}\n".encode())
        assert next(chunks).lines.tolist() == [1]
        os.write(start, f"{solution}\n{other}\n{other}\n".encode())
        assert next(chunks).lines.tolist() == [3, 4]
        os.write(start, f"{solution}\n".encode())
        os.close(start)
        assert [chunk.lines.tolist() for chunk in chunks] == [[5]]  # not that of `other`
