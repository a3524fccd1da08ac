"""0/1 matrices in text form: digits, JSON, and initializers of C, Java and Python."""

import json

import numpy as np
import pytest

from dlx_numba.kinds.exact.matrix import parse_matrix
from dlx_numba.runtime.errors import FormatError
from tests.helpers.formats import braces
from tests.helpers.problems import find_parser, parsed, read_matrix
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

DIGITS, MATRIX = "101010111", [[1, 0, 1], [0, 1, 0], [1, 1, 1]]


@pytest.mark.parametrize(
    "text",
    [
        "101\n010\n111\n",
        "# a matrix\n1 0 1\n\n0 1 0\r\n| the last\n 1 1 1",
        "1,0,1\n0, 1, 0\n1;1;1,",
        "1 0 1; 0 1 0;\n1,1,1",
        "1 0 1 # A\n0 1 0  # B\n1 1 1\n",
        "101 #A\n010\n111",
        "M = [\n1 0 1\n0 1 0\n\n1 1 1 ];",
        "M = [1, 0, 1\n 0, 1, 0 \n 1, 1, 1]",
        "M = [\n101\n010\n111\n]\n",
        "int m[3][3] = { 1, 0, 1\n, 0, 1, 0\n, 1, 1, 1};",
        "M = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]])\n",
        "array([[ True, False,  True],\n [False, True, False],\n [1, 1, 1]],\n  dtype=bool)\n",
        "numpy.asarray([\n    [1, 0, 1],  # A\n    [0, 1, 0],\n    [1, 1, 1],\n])\n",
        "M = [1 0 1;\n 0 1 0\n; 1 1 1];",
        "int[][] m = [1, 0, 1; 0, 1, 0; 1, 1, 1]",
        "int m[3][3] = { 1,0,1, 0,1,0,\n 1,1,1 };",
    ],
)
def test_comments_and_separators_are_ignored(text: str) -> None:
    assert read_matrix(text) == MATRIX
    assert find_parser(text) is parse_matrix


def test_a_single_long_row_is_read_with_a_warning_that_names_the_option():
    with pytest.warns(UserWarning, match="toy: a single row of 18 digits .* --columns N"):
        assert parse_matrix(2 * DIGITS, "toy").options.n_items == 18
    assert parse_matrix(DIGITS).options.n_items == 9


@pytest.mark.parametrize("length", [1, 2, 5, 9])
def test_rows_of_a_given_width_may_be_folded_at_any_length(length: int) -> None:
    text = "\n".join(DIGITS[k : k + length] for k in range(0, 9, length))
    assert read_matrix(text, columns=3) == MATRIX
    with pytest.raises(FormatError, match="9 digits do not make rows of 4 columns"):
        parse_matrix(text, columns=4)


def forms(rows):
    """The same matrix in all forms."""
    strings = ["".join(map(str, row)) for row in rows]
    booleans = [[bool(value) for value in row] for row in rows]
    lines = "".join(f"  {braces(row)}, // row {k}\n" for k, row in enumerate(rows))
    return [
        json.dumps(rows),
        json.dumps(rows, indent=1),
        json.dumps(booleans),
        str(booleans),
        json.dumps(strings),
        braces(rows),
        f"int[][] c = {braces(rows)};",
        f"bool c[{len(rows)}][{len(rows[0])}] =\n{{\n{lines}}};\n",
        "# a comment\nc = [  # and another one\n" + "".join(f"    {row},\n" for row in rows) + "]",
        "".join(f"{row}\n" for row in rows),
        f"const char *c[] = {braces(strings)};",
        f"int[][] c = new int[][] {braces(rows)};\r\n",
    ]


def test_lists_are_read_as_the_same_matrix():
    for seed in seeds(50):
        rng = np.random.default_rng(seed)
        n_rows, n_columns = rng.integers(1, 6), rng.integers(2, 7)
        rows = rng.integers(2, size=(n_rows, n_columns)).tolist()
        for text in forms(rows):
            assert find_parser(text) is parse_matrix, text
            assert read_matrix(text) == rows, text


@pytest.mark.parametrize("text", forms([[1, 2, 1], [1, 0, 0], [0, 0, 1]])[6:8])
def test_first_row_marks_primary_and_secondary_items(text):
    cover = parsed(parse_matrix, text)
    assert cover.items == [0, 2, 1]
    assert cover.solve() == [[0, 1]]  # the secondary item is not covered


def test_lists_of_boards_are_read_as_boards():
    rows = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
    strings = ["12..", "..34", "....", "...."]
    named = (json.dumps({"puzzle": value}) for value in (rows, strings))
    for content in (json.dumps(rows), braces(strings), *named):
        assert "read as sudoku" in invoke("cover", "-", stdin=content, status=None)[1]
