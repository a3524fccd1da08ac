"""Exact cover problems as 0/1 matrices in text form."""

import numpy as np
import pytest

from dlx_numba.cover.io.matrix import parse_matrix
from dlx_numba.cover.io.read import find_parser
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import read_matrix

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
    assert read_matrix(text) == MATRIX.tolist()
    assert find_parser(text) is parse_matrix


def test_a_single_long_row_is_read_with_a_warning_that_names_the_option():
    digits = "".join(map(str, MATRIX.ravel().tolist()))
    with pytest.warns(UserWarning, match="toy: a single row of 18 digits .* --columns N"):
        assert parse_matrix(2 * digits, "toy").options.n_items == 18
    assert parse_matrix(digits).options.n_items == 9


@pytest.mark.parametrize("length", [1, 2, 5, 9])
def test_rows_of_a_given_width_may_be_folded_at_any_length(length: int) -> None:
    digits = "".join(map(str, MATRIX.ravel().tolist()))
    lines = [digits[k : k + length] for k in range(0, 9, length)]
    assert read_matrix("\n".join(lines), columns=3) == MATRIX.tolist()
    with pytest.raises(FormatError, match="9 digits do not make rows of 4 columns"):
        parse_matrix("\n".join(lines), columns=4)
