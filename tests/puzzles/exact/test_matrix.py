"""0/1 matrices in text form: digits, JSON, and initializers of C, Java and Python."""

import json
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.matrix import MatrixForm, parse_matrix
from dlx_numba.puzzles.exact.read import plain_format
from dlx_numba.runtime.errors import FormatError
from tests.helpers.formats import braces
from tests.helpers.problems import parsed, read_matrix
from tests.helpers.seeds import seeds

DIGITS, MATRIX = "101010111", [[1, 0, 1], [0, 1, 0], [1, 1, 1]]


@pytest.mark.parametrize(
    "text",
    [
        "101\n010\n111\n",
        "# a matrix\n1 0 1\n\n0 1 0\r\n| the last\n 1 1 1",
        "1,0,1\n0, 1, 0\n1;1;1,",
        "1 0 1 # A\n0 1 0  # B\n1 1 1\n",
        "101 #A\n010\n111",
        "M = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]])\n",
        "array([[ True, False,  True],\n [False, True, False],\n [1, 1, 1]],\n  dtype=bool)\n",
        "numpy.asarray([\n    [1, 0, 1],  # A\n    [0, 1, 0],\n    [1, 1, 1],\n])\n",
    ],
)
def test_comments_and_separators_are_ignored(text: str) -> None:
    assert read_matrix(text) == MATRIX


def test_a_single_long_row_is_read_with_a_warning_that_names_the_option():
    with pytest.warns(UserWarning, match="toy: a single row of 18 digits .* --columns N"):
        assert parse_matrix(2 * DIGITS, "toy").options.n_items == 18
    assert parse_matrix(DIGITS).options.n_items == 9


@pytest.mark.parametrize("length", [1, 2, 5, 9])
def test_rows_of_a_given_width_may_be_folded_at_any_length(length: int) -> None:
    text = "\n".join(DIGITS[k : k + length] for k in range(0, 9, length))
    assert read_matrix(text, columns=3) == MATRIX
    with pytest.raises(FormatError, match="9 digits do not make rows of 4 columns"):
        MatrixForm(columns=4).parse(text)


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
        f"const char *c[] = {braces(strings)};",
        f"int[][] c = new int[][] {braces(rows)};\r\n",
    ]


def test_lists_are_read_as_the_same_matrix():
    for seed in seeds(50):
        rng = np.random.default_rng(seed)
        n_rows, n_columns = rng.integers(1, 6), rng.integers(2, 7)
        rows = rng.integers(2, size=(n_rows, n_columns)).tolist()
        for text in forms(rows):
            assert read_matrix(text) == rows, text


def test_only_rectangles_of_0_and_1_are_plain():
    for text in ("101\n010\n", "# rows\n1 0 # A\n0 1\n", "1,0\n0,1", "1001\n0110\n1000\n0001\n"):
        assert plain_format(text) == "matrix"
    for text in (
        "",
        "101\n01\n",
        "10\n.1\n",
        "3\n101\n",
        "1 2\n0 1\n",
        "[1, 0, 1]",
        "[[1, 0], [0]]",
    ):
        assert plain_format(text) is None
    for text in (
        "[[1, 0], [2, 1]]",
        '["a"]',
        "[[1, 0], 1]",
        "[[[1, 0]], [[0, 1]]] x",
        "int a[] = {1, 0};",
    ):
        assert plain_format(text) is None
    for text in forms([[1, 0], [0, 1], [1, 1]]):
        assert plain_format(text) == "matrix", text
        assert dlx.ExactCover.read(text.encode()).solve() == [[0, 1], [2]]


def test_dense_and_sparse_matrices_after_their_width_are_equal():
    for seed in seeds(100):
        rng = random.Random(seed)
        width, n_secondary = rng.randint(12, 30), rng.randint(0, 3)
        rows = [sorted(rng.sample(range(width), rng.randint(3, 6))) for _ in range(9)]
        items = range(n_secondary, width)
        expected = dlx.ExactCover(rows, items, range(n_secondary))
        sizes = f"{width} {n_secondary}\n" if n_secondary else f"{width}\n"
        separator = rng.choice(["", " ", ","])
        dense = [separator.join("01"[k in row] for k in range(width)) for row in rows]
        assert parsed(parse_matrix, sizes + "\n".join(dense)) == expected
        sparse = "\n".join(" ".join(map(str, row)) for row in rows)
        assert parsed(parse_matrix, sizes + sparse) == expected


@pytest.mark.parametrize("width", [10, 11, 100])
def test_a_width_of_zeros_and_ones_is_no_row(width):
    row = "01" * (width // 2) + "1" * (width % 2)
    assert parsed(parse_matrix, f"{width}\n{row}\n").n_options == 1
    assert parsed(parse_matrix, f"{width}\n{'1' * len(str(width))}\n").n_options == 2
    assert parsed(parse_matrix, "1\n1\n").n_options == 2


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("7\n2 4 5\n0 7\n", 3, "expected columns from 0 to 6, not '7'"),
        ("7\n2 4 5\n0 0\n", 3, "column 0 appears twice"),
        ("4\n0011\n01011\n1100\n", 3, "expected 4 digits 0 or 1, not '01011'"),
        ("4\n0 0 1 1\n1 1 0 0\n0 1 0 2\n", 4, "expected 4 digits 0 or 1, not '0 1 0 2'"),
        ("3 3\n1 0 1\n", 1, "the first line says 3 rows of 3 columns, but there are 1"),
        ("3 2\n1 0\n0 1\n", 1, "the first line says 3 rows of 2 columns, but there are 2; --no"),
        ("2 3\n100\n010\n001\n", 1, "the first line says 2 rows of 3 columns, but"),
        ("a\n1 0 1\n", 1, "expected 0 or 1, not 'a'"),
        ("101\n10\n", 2, "row 2 has 2 columns, but the first row has 3"),
        ("2\n0 1\n1 0\n0\n", 4, "expected 2 digits 0 or 1, not '0'"),
        ("99999999\n0 1\n", 1, "99,999,999 columns are more than the maximum"),
    ],
)
def test_errors_after_a_width_name_the_line(text, line, reason):
    with pytest.raises(FormatError, match=f"toy:{line}: {reason}"):
        parse_matrix(text, "toy")


def test_rows_may_follow_their_numbers():
    for seed in seeds(60):
        rng = random.Random(seed)
        n_rows, n_columns = rng.randint(1, 12), rng.randint(2, 12)
        rows = [[rng.randint(0, 1) for _ in range(n_columns)] for _ in range(n_rows)]
        separator = rng.choice(["", " ", ","])
        lines = [separator.join(map(str, row)) for row in rows]
        text = "\n".join([f"{n_rows} {n_columns}", *lines])
        expected = [[k for k, cell in enumerate(row) if cell] for row in rows]
        assert parse_matrix(text).options == expected
    with pytest.raises(FormatError, match=":2: row 2 has 1 columns, but the first row has 2"):
        parse_matrix("1 1\n1\n")
