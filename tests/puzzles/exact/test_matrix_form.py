"""Matrices with titles, with numbers, and column by column."""

import random
from itertools import pairwise

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.matrix import MatrixForm
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

NOTICE = "the matrix has other numbers than 0 and 1; all but 0 are read as 1"
SEPARATORS = [" ", ",", ";", "\t", ", ", "  "]


def as_rows(statement):
    """Return the items of each option."""
    problem = statement.options
    starts = problem.indptr.tolist()
    return [sorted(problem.items[a:b].tolist()) for a, b in pairwise(starts)]


@pytest.mark.parametrize("seed", [*seeds(200)])
def test_forms_are_those_of_the_matrix(seed):
    rng = random.Random(seed)
    n_columns = rng.randint(2, 6)
    n_rows = rng.randint(2, 6)
    values = np.array([[rng.choice([0, 0, 1]) for _ in range(n_columns)] for _ in range(n_rows)])
    has_numbers = rng.random() < 0.5
    cells = values.astype(object)
    if has_numbers:
        values[0, 0] = 1
        cells = values * np.array(
            [[rng.choice([2, 3, 17, 64]) for _ in range(n_columns)] for _ in range(n_rows)]
        )
    is_transposed = rng.random() < 0.5
    has_titles = rng.random() < 0.5
    written = (cells.T if is_transposed else cells).astype(str).tolist()
    if has_titles:
        written = [[f"r{k}", *row] for k, row in enumerate(written)]
        written = [[str(k) for k in range(len(written[0]))], *written]
    separator = rng.choice(SEPARATORS)
    text = "# a matrix 2\n" + "\n".join(separator.join(row) for row in written) + "\n"
    form = MatrixForm(None, is_transposed, has_titles)
    if has_numbers:
        with pytest.warns(UserWarning, match=NOTICE):
            statement = form.parse(text)
    else:
        statement = form.parse(text)
    assert as_rows(statement) == [np.flatnonzero(row).tolist() for row in values]
    assert statement.options.n_items == n_columns


@pytest.mark.parametrize(
    "text",
    [
        "2 2 2\n2 1 0\n2 0 1\n",  # as an old program writes titles
        "222\n210\n201\n",
        ";A;B\nrow one;1;0\nrow two;0;1\n",
        'x,A,B\n"a, b",1,0\n"c",0,1\n',
        "  A B\nx 1 0\ny 0 1\n",
        "A\tB\tC\n\n# a remark\nx\t1\t0\n\t0\t1\n",
    ],
)
def test_titles_are_skipped(text):
    assert as_rows(MatrixForm(has_titles=True).parse(text)) == [[0], [1]]


def test_a_transposed_matrix_may_have_rows_of_any_length():
    statement = MatrixForm(columns=3, is_transposed=True).parse("10\n1011\n")
    assert as_rows(statement) == [[0], [1], [0, 1]]
    with pytest.warns(UserWarning, match=NOTICE):
        statement = MatrixForm(is_transposed=True).parse("[[0, 7], [2, 0]]")
    assert as_rows(statement) == [[1], [0]]


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        (MatrixForm(is_transposed=True), "1 0\nx 1\n", r":2: expected 0 or 1, not 'x'"),
        (MatrixForm(has_titles=True), "A B\nx 1\ny 1 0\n", r":3: .*row.* has 2 columns, but"),
        (MatrixForm(has_titles=True), "[[1, 0]]", "titles need rows on lines"),
        (MatrixForm(), "1 0\n- 2\n", r":2: expected 0 or 1, not '-'"),
        (MatrixForm(), "1 0\n03 2\n", r":2: expected 0 or 1, not '03'"),
        (MatrixForm(), "['13', '01']", "0 (or|and) 1"),
    ],
)
def test_errors_name_the_line(form, text, reason):
    with pytest.raises(ValueError, match=reason):
        form.parse(text)


def test_a_stated_matrix_may_have_any_numbers(tmp_path):
    """A table may have the values 1 to n in place of ones."""
    path = tmp_path / "values.txt"
    path.write_text(
        "".join(" ".join(str(n * (n == k)) for n in range(1, 65)) + "\n" for k in range(1, 65))
    )
    for command in ("cover", "solve"):
        with pytest.warns(UserWarning, match=NOTICE):
            out, err = invoke(command, "--kind", "matrix", path)
        assert out.split("\n")[0] == " ".join(map(str, range(64)))
        assert "read as a matrix" in err
    for text in ("0 3\n2 0\n", "30\n02\n", "310\n001\n"):
        with pytest.warns(UserWarning, match=NOTICE):
            assert dlx.ExactCover.read(text, kind="matrix").count() == 1


def test_commands_take_the_form_of_a_matrix(tmp_path):
    path = tmp_path / "matrix.txt"
    path.write_text("2 2 2 2\n2 1 0 1\n2 0 1 0\n")
    assert invoke("cover", "--header", path)[0] == "0 1\n"
    assert invoke("cover", "--header", "--one-based", path)[0] == "1 2\n"
    assert invoke("count", "--header", "--transpose", path)[0] == "2\n"
    assert invoke("solve", "--header", "--one-based", path)[0] == "1 2\n# unique\n"
    path.write_text("10\n0101\n10\n")
    out, _ = invoke("solve", "--columns", 4, "--one-based", path)
    assert out == "1 2\n# unique\n"
    _, err = invoke("solve", "--columns", 4, "--kind", "sudoku", path, status=2)
    assert "--columns needs a matrix, not --kind" in err
    _, err = invoke("cover", "--transpose", "--items", "a", path, status=2)
    assert "--transpose cannot be combined with --items" in err
