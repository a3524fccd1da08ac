"""Matrices after a line that states their width."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.kinds.exact.read import parse_file
from dlx_numba.kinds.exact.width import parse_width
from dlx_numba.kinds.reading import read_unless_boards
from dlx_numba.runtime.errors import FormatError
from tests.helpers.seeds import seeds


def read(text):
    return dlx.ExactCover(**parse_file(text.encode(), "toy").statement._asdict())


def test_dense_and_sparse_matrices_are_equal():
    for seed in seeds(100):
        rng = random.Random(seed)
        width, n_secondary = rng.randint(13, 30), rng.randint(0, 3)
        rows = [sorted(rng.sample(range(width), rng.randint(3, 6))) for _ in range(9)]
        items = range(n_secondary, width)
        expected = dlx.ExactCover(rows, items, range(n_secondary))
        sizes = f"{width} {n_secondary}\n" if n_secondary else f"{width}\n"
        separator = rng.choice(["", " ", ","])
        dense = [separator.join("01"[k in row] for k in range(width)) for row in rows]
        assert read(sizes + "\n".join(dense)) == expected
        assert read(sizes + "\n".join(" ".join(map(str, row)) for row in rows)) == expected
        for dimensions in (f"{len(rows)} {width}\n", f"{width} {len(rows)} 7\n"):
            assert read(dimensions + "\n".join(dense)) == dlx.ExactCover(rows, range(width))


@pytest.mark.parametrize("width", [10, 11, 100])
def test_a_width_of_zeros_and_ones_is_no_row(width):
    file = parse_file(f"{width}\n{'01' * (width // 2)}{'1' * (width % 2)}\n".encode(), "toy")
    assert file.format == "a matrix after its width"
    assert parse_file(f"{width}\n{'1' * len(str(width))}\n".encode(), "toy").format == "a matrix"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("7\n2 4 5\n0 7\n", 3, "expected columns from 0 to 6, not '7'"),
        ("7\n2 4 5\n0 0\n", 3, "column 0 appears twice"),
        ("4\n0011\n01011\n1100\n", 3, "expected 4 digits 0 or 1, not '01011'"),
        ("4\n0 0 1 1\n1 1 0 0\n0 1 0 2\n", 4, "expected 4 digits 0 or 1, not '0 1 0 2'"),
        ("3 2\n1 0 1\n0 1 1\n", 1, "2 could be the number of rows or of optional columns"),
        ("3 2 7\n1 0 1\n", 1, "expected the numbers of columns and of the 1 rows"),
        ("3 3\n1 0 1\n", 1, "3 of 3 columns cannot be optional"),
        ("a\n1 0 1\n", 1, "expected the number of columns"),
    ],
)
def test_errors_name_the_line(text, line, reason):
    with pytest.raises(FormatError, match=f"toy:{line}: {reason}"):
        parse_width(text, "toy")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("7\n0 3 6\n1 2 4 7\n0 3\n", "toy:3: expected columns from 0 to 6, not '7'"),
        ("4\n0011\n1100\n01011\n", "toy:4: expected 4 digits 0 or 1, not '01011'"),
    ],
)
def test_one_bad_row_does_not_hide_the_format(text, reason, tmp_path):
    with pytest.raises(FormatError, match=reason):
        parse_file(text.encode(), "toy")
    path = tmp_path / "toy"
    path.write_text(text)
    with pytest.raises(FormatError, match=reason):
        read_unless_boards(str(path))


def test_most_sparse_rows_of_two_columns_may_look_dense():
    assert parse_width("2\n0 1\n1 0\n0\n").options == [[0, 1], [1, 0], [0]]
