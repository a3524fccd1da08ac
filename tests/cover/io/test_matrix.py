"""Exact cover problems as 0/1 matrices in text form."""

import numpy as np
import pytest

from dlx_numba.cover.io.matrix import looks_like_matrix, parse_matrix
from dlx_numba.runtime.errors import FormatError

MATRIX = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], np.uint8)


@pytest.mark.parametrize(
    "text",
    [
        "101\n010\n111\n",
        "# a matrix\n1 0 1\n\n0 1 0\r\n| the last\n 1 1 1",
        "1,0,1\n0, 1, 0\n1;1;1,",
    ],
)
def test_comments_and_separators_are_ignored(text: str) -> None:
    matrix = parse_matrix(text)
    assert matrix.dtype == np.uint8
    assert (matrix == MATRIX).all()
    assert looks_like_matrix(text)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "the matrix has no rows"),
        ("101\n10\n", 2, "the row has 2 columns, but the first row has 3"),
        ("101\n\n1 0 2\n", 3, "expected 0 or 1 in column 5, not '2'"),
    ],
)
def test_invalid_matrix_is_rejected_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_matrix(text, "toy")
    assert str(caught.value) == f"toy:{line}: {reason}"


KNUTH = "| a toy\n\na b c | d e\n| options\na d\nb c\n\n  c e \na b\n"


@pytest.mark.parametrize("text", ["", "# 1 0\n", "a b\n1 0\n", "1 0 2\n", KNUTH])
def test_other_text_does_not_look_like_a_matrix(text: str) -> None:
    assert not looks_like_matrix(text)


def test_detection_is_fast_on_a_long_line() -> None:
    assert not looks_like_matrix("0 " * 200_000 + "a")
