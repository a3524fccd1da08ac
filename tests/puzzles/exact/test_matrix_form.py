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
    problem = getattr(statement.options, "problem", statement.options)
    starts = problem.indptr.tolist()
    return [sorted(problem.items[a:b].tolist()) for a, b in pairwise(starts)]


@pytest.mark.parametrize("seed", [*seeds(200)])
def test_forms_are_those_of_the_matrix(seed):
    rng = random.Random(seed)
    n_columns = rng.randint(3, 6)  # two numbers may say how many columns follow
    n_rows = rng.randint(3, 6)
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
    separator = rng.choice(SEPARATORS)
    if has_titles:
        written = [[f"r{k}", *row] for k, row in enumerate(written)]
        written = [["", *(str(k) for k in range(len(written[0]) - 1))], *written]
        if separator.isspace() and separator != "\t":
            del written[0][0]
    text = "# a matrix 2\n" + "\n".join(separator.join(row) for row in written) + "\n"
    form = MatrixForm(None, is_transposed, has_titles, has_numbers)
    if has_numbers:
        if cells.max() > 1:
            with pytest.raises(ValueError, match=r"expected 0 or 1, not '.*'; --nonzero reads all"):
                form._replace(is_nonzero=False).parse(text)
        with pytest.warns(UserWarning, match=NOTICE):
            statement = form.parse(text)
    else:
        statement = form.parse(text)
    assert as_rows(statement) == [np.flatnonzero(row).tolist() for row in values]
    if not has_titles:
        assert statement.options.n_items == n_columns
        return
    titles = (
        [f"r{k}" for k in range(len(written) - 1)],
        [str(k) for k in range(len(written[1]) - 1)],
    )
    items, options = titles if is_transposed else titles[::-1]
    assert ([*statement.items], [*statement.options]) == (items, options)


ROWS = "S1 1 0 0\nS2 1 1 0\nS3 0 1 1\n"
PIPES = (
    "| | A | B | C |\n|---|:-:|--:|---|\n| S1 | 1 | 0 | 0 |\n| S2 | x | X | |\n| S3 | . | 1 | 1 |\n"
)
# As printed in the literature
BARS = "   | A | B | C\n---|---|---|---\nS1 | 1 | 0 | 0\nS2 | 1 | 1 | 0\nS3 | 0 | 1 | 1\n"


@pytest.mark.parametrize(
    "text",
    [
        *(",A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n", "set,A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n"),
        *("A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n", "A,B,C\n1,0,0\n1,1,0\n0,1,1\n"),
        *("ABC\n100\n110\n011\n", "A B C\n100\n110\n011\n", "A B C\n\n1 0 0\n\n1 1 0\n\n0 1 1\n"),
        *("# names\nABC\r\n1 0 0\r\n1 1 0\r\n0 1 1\r\n", "S1,1,0,0\nS2,1,1,0\nS3,0,1,1\n"),
        '# a comment\n"";"A";B;C\r\n\r\n"S1";x;;\r\nS2;X;x;.\r\nS3;;1;x\r\n',
        "\tA\tB\tC\nS1\t1\t\t0\nS2\t1\t1\t0\nS3\t0\t1\t1\n",
        *(f"set A B C\n{ROWS}", f"  A  B  C\n{ROWS}", f"   A B C\n   -----\n{ROWS}", ROWS),
        *("| a comment\nS1 1 . .\nS2 1 1 .\nS3 . 1 1\n", ROWS.replace("S", "\nS")),
        *("  A B C\n0 1 0 0\n1 1 1 0\n2 0 1 1\n", "    A B C\n1:  1 0 0\n2:  1 1 0\n3:  0 1 1\n"),
        *("1: 100\n2: 110\n3: 011\n", "1. 1 0 0\n2. 1 1 0\n3. 0 1 1\n"),
        *("S1 100\nS2 110\nS3 011\n", "# rows\nS1: 100\nS2: 110\nS3: 011\n"),
        *("S1: 1, 0, 0\nS2: 1, 1, 0\nS3: 0, 1, 1\n", "Row 1: 1 0 0\nRow 2: 1 1 0\nRow 3: 0 1 1\n"),
        ",A,B,C\nS1,True,False,False\nS2,TRUE,true,FALSE\nS3,false,✓,✔\n",
        *(",A,B,C\nS1,1.0,0.0,0.0\nS2,1.0,1.0,0.0\nS3,0.0,1.0,1.0\n", PIPES),
        f"+---+\n{PIPES}+---+---+---+---+\n",
        "\n".join(f"+----+---+---+---+\n{line}" for line in PIPES.splitlines() if "-" not in line),
        "+-+\n| A | B | C |\n+-+\n| 1 | 0 | 0 |\n+-+\n| 1 | 1 | 0 |\n+-+\n| 0 | 1 | 1 |\n+-+\n",
        "A|B|C\n---+---+---\n1|0|0\n1|1|0\n0|1|1\n",
        PIPES.replace(" |\n", "\n").replace("C\n", "C |\n").replace("X |\n", "X | 0\n"),
        *(BARS, BARS.replace("---|---|---|---\n", ""), BARS.partition("---|---|---|---\n")[2]),
        *(BARS.replace("   |", "set|").replace("0", ""), BARS.replace("C\n", "C | |\n")),
        BARS.replace("   | A", "A").replace("C\n", "C | |\n"),
        BARS.replace("   | A", "A").replace("C\n", "C | |\n").replace("0\n", "0 |\n"),
        "A | B | C | |\n---|---|---|---|\nS1 | 1 | 0 | 0 |\nS2 | 1 | 1 | 0 |\nS3 | 0 | 1 | 1 |\n",
        "A | B | C | |\n1 | 0 | 0 |\n1 | 1 | 0\n0 | 1 | 1 | |\n",
        *(",A,B,C,\nS1,1,0,0,\nS2,1,1,0\nS3,0,1,1,,\n", "A|B|C\n1|.|.\n1|1|\n |1|1\n"),
        "   | A B C\n---+------\nS1 | 1 0 0\nS2 | 1 1 0\nS3 | 0 1 1\n",
    ],
)
def test_titles_are_names(text, tmp_path):
    statement = MatrixForm(has_titles=True).parse(text)
    cover = dlx.ExactCover(**statement._asdict())
    items = ["A", "B", "C"] if "A" in text else [0, 1, 2]
    assert [*cover.items] == items
    assert cover.options == [items[:1], items[:2], items[1:]]
    if "S1" in text:
        assert cover.first().names == ["S1", "S3"]
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    out, _ = invoke("cover", "--header", "--format", "names", path)
    assert out == cover_names(cover)
    _, advice = invoke("cover", path, status=2)
    assert f"`dlx-numba cover --header {path}`" in advice


def cover_names(cover):
    names = cover.first().names
    return cover_separator(cover).join(names) + "\n"


def cover_separator(cover):
    if cover.option_names == range(3):
        return "; "
    return ", " if "Row 1" in cover.option_names else " "


def test_rows_of_tabs_may_be_empty():
    statement = MatrixForm(has_titles=True).parse("S1\t\t\nS2\t1\t\nS3\t\t1\n")
    cover = dlx.ExactCover(**statement._asdict())
    assert (cover.option_names, cover.options) == (["S1", "S2", "S3"], [[], [0], [1]])


@pytest.mark.parametrize("text", ["2 2 2\n2 1 0\n2 0 1\n", "222\n210\n201\n"])
def test_titles_that_repeat_are_no_names(text):
    """An old program writes such titles."""
    with pytest.warns(UserWarning, match="titles repeat, so (options|items) have numbers"):
        statement = MatrixForm(has_titles=True).parse(text)
    assert as_rows(statement) == [[0], [1]]
    assert ([*statement.items], statement.options.names) == ([0, 1], range(2))


def test_a_transposed_matrix_may_have_rows_of_any_length():
    statement = MatrixForm(columns=3, is_transposed=True).parse("10\n1011\n")
    assert as_rows(statement) == [[0], [1], [0, 1]]
    with pytest.warns(UserWarning, match=NOTICE):
        statement = MatrixForm(is_transposed=True, is_nonzero=True).parse("[[0, 7], [2, 0]]")
    assert as_rows(statement) == [[1], [0]]


def test_numbers_of_a_square_are_no_sizes():
    for text, rows in ("3 0\n0 1\n", [[0], [1]]), ("2 1\n1 0\n0 1\n", [[0, 1], [0], [1]]):
        with pytest.warns(UserWarning, match="all but 0 are read as 1"):
            assert as_rows(MatrixForm(is_nonzero=True).parse(text)) == rows
    assert MatrixForm(is_nonzero=True).parse("3\n0 1\n2\n").options == [[0, 1], [2]]


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        (MatrixForm(is_transposed=True), "1 0\nx 1\n", r":2: expected 0 or 1, not 'x'"),
        (MatrixForm(has_titles=True), "A B\nx 1\ny 1 0\n", r":3: row 2 has 2 columns, not 1"),
        (MatrixForm(has_titles=True), "1 0\n0 1\n", "neither a row nor a column of titles"),
        (MatrixForm(has_titles=True), "A B\n", "no titles above rows"),
        (MatrixForm(has_titles=True), "a\nb\n", "there are only titles"),
        (MatrixForm(has_titles=True), "A B\nS1 1 0\nS2 1 5\n", ":3: .* not '5'; --nonzero reads"),
        (MatrixForm(None, False, True, True), "a b\n5 0\n0 7\n", "could be titles or numbers"),
        (MatrixForm(None, False, True, True), "A 2 0\nB 0 3\n", "could be titles or numbers"),
        (MatrixForm(has_titles=True), "1 0 | 1\n0 1 | 1\n", "is '1 0' a title"),
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
            out, err = invoke(command, "--nonzero", path)
        assert out.split("\n")[0] == " ".join(map(str, range(64)))
        assert "read as a matrix" in err
    for text in ("0 3\n2 0\n", "30\n02\n", "310\n001\n", "2\n", "[[0, 5], [1, 0]]"):
        with pytest.raises(ValueError, match="--nonzero reads all numbers but 0 as 1"):
            dlx.ExactCover.read(text, kind="matrix")
        path.write_text(text)
        assert "--nonzero" in invoke("cover", "--kind", "matrix", path, status=2)[1]
        with pytest.warns(UserWarning, match=NOTICE):
            assert invoke("count", "--kind", "matrix", "--nonzero", path)[0] == "1\n"


def test_commands_take_the_form_of_a_matrix(tmp_path):
    path = tmp_path / "matrix.txt"
    path.write_text("2 2 2 2\n2 1 0 1\n2 0 1 0\n")
    for words, expected in (
        (["cover", "--header"], "0 1\n"),
        (["cover", "--header", "--one-based"], "1 2\n"),
        (["count", "--header", "--transpose"], "2\n"),
        (["solve", "--header", "--one-based"], "1 2\n# unique\n"),
    ):
        with pytest.warns(UserWarning, match="titles repeat"):
            assert invoke(*words, path)[0] == expected
    path.write_text("10\n0101\n10\n")
    out, _ = invoke("solve", "--columns", 4, "--one-based", path)
    assert out == "1 2\n# unique\n"
    _, err = invoke("solve", "--columns", 4, "--kind", "sudoku", path, status=2)
    assert "--columns needs a matrix, not --kind" in err
    _, err = invoke("cover", "--transpose", "--items", "a", path, status=2)
    assert "--transpose cannot be combined with --items" in err
