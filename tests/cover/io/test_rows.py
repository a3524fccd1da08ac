"""0/1 matrices as lists: JSON, and initializers of C, Java and Python."""

import json

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.matrix import parse_matrix
from dlx_numba.cover.io.read import find_parser
from tests.helpers.problems import read_matrix
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds


def braces(value):
    return json.dumps(value).replace("[", "{").replace("]", "}")


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
def test_first_row_marks_primary_and_secondary_items(tmp_path, text):
    path = tmp_path / "matrix"
    path.write_text(text)
    assert dlx.ExactCover.from_file(path).items == [0, 2, 1]
    assert invoke("cover", path)[0] == "0 1\n"  # the secondary item is not covered


def test_lists_of_boards_are_reported_as_boards():
    text = json.dumps([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    for content in (text, braces(["12..", "..34", "....", "...."]), f'{{"puzzle": {text}}}'):
        assert "a Sudoku file" in invoke("cover", "-", stdin=content, status=2)[1]
    named = '{"puzzle": ["12..", "..34", "....", "...."]}'
    assert "a Sudoku file" in invoke("cover", "-", stdin=named, status=2)[1]
