"""`show`: matrices and boards in the terminal, and pictures."""

import gzip

import pytest

import dlx_numba as dlx
from tests.helpers import DATA, INSTANCES, ROOT
from tests.helpers.pages import read_record
from tests.helpers.processes import UNIQUE, invoke

pytestmark = pytest.mark.compiled

KNUTH = ROOT / "docs" / "examples" / "knuth.txt"


def test_large_matrix_is_cut_and_not_read_as_a_problem():
    drawing, _ = invoke("show", INSTANCES / "pent3x20.dlx")
    assert drawing.endswith("… 1,196 more options\n")
    assert max(map(len, drawing.splitlines())) <= 100
    invoke("cover", "-", stdin=drawing, status=2)
    whole, _ = invoke("show", "--full", INSTANCES / "pent3x20.dlx")
    assert "…" not in whole
    assert len(whole.splitlines()) > 1236


def test_boards():
    out, _ = invoke("show", DATA / "easy.txt")
    assert out.count("-------|-------|-------") == 8
    assert out.endswith("… 196 more puzzles\n")
    assert invoke("show", "--puzzle", 3, DATA / "easy.txt")[0] in out
    assert "1 board" not in invoke("show", "--puzzle", 200, DATA / "easy.txt")[0]
    _, err = invoke("show", "--puzzle", 201, DATA / "easy.txt", status=2)
    assert "no puzzle 201: the file contains 200 puzzles" in err
    book, err = invoke("show", "-f", "html", "--puzzle", 3, DATA / "easy.txt")
    assert (book.count("<figure>"), "(1 Sudoku puzzle, " in err) == (2, True)


def test_reasons_of_unreadable_records():
    _, err = invoke("show", "-", stdin=f"{UNIQUE}\n" + "bad\n" * 30, status=4)
    reason = "not a board"
    reasons = [f"error: <stdin>:{2 + k}: {reason}" for k in range(20)]
    further = ["... the output of `solve` marks the rest", "(read as sudoku)"]
    assert err.splitlines() == [*reasons, *further]


def test_puzzles_of_other_kinds():
    out, err = invoke("show", "--kind", "hashiwokakero", "-", stdin="1.3\n...\n..2\n\n" * 6)
    assert out.count("1") == 4
    assert out.endswith("… 2 more puzzles\n")
    assert "(read as hashiwokakero)" in err


def test_output_file(tmp_path):
    path = tmp_path / "out"
    for arguments in ([KNUTH], ["--full", DATA / "easy.txt"], ["--puzzle", 3, DATA / "easy.txt"]):
        expected, _ = invoke("show", *arguments)
        assert invoke("show", *arguments, "-o", path)[0] == ""
        assert path.read_text() == expected


def test_pictures(tmp_path):
    path = tmp_path / "picture.svg"
    for file, text in ((KNUTH, "<svg "), (DATA / "expert.txt", "9×9 board")):
        assert invoke("show", "--svg", path, file)[0] == ""
        assert text in path.read_text(encoding="utf-8")


def test_a_picture_of_a_challenge_has_the_pieces_to_place():
    challenge = "BB##\n####\n\nAAA\n\nBB\n\n##\n#\n"
    svg, _ = invoke("show", "--kind", "pieces", "--svg", "-", "-", stdin=challenge)
    assert ">1 piece: B. " in svg
    assert "To be placed: 2 pieces: A, D." in svg
    equal, _ = invoke("show", "--kind", "pieces", "--svg", "-", "-", stdin="2x3\n\n2 x\n##\n#\n")
    assert "To be placed: 2 pieces: A, B." in equal


def test_truncated_file_is_reported(tmp_path):
    packed = gzip.compress((DATA / "expert.txt").read_bytes() * 10, mtime=0)
    path = tmp_path / "boards.gz"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    for arguments in (["show", "--full"], ["explain", "--puzzle", 9999999, "-o", "-"]):
        _, err = invoke(*arguments, path, status=2)
        assert err.splitlines()[-1] == f"error: {path}: the compressed file ends too early"


def test_options_are_counted_from_one():
    problem = "a b\na\na\nb\n"
    for arguments in (["--full"], ["-f", "csv"]):
        shown, _ = invoke("show", "--one-based", *arguments, "-", stdin=problem)
        assert [line[0] for line in shown.splitlines()[-3:]] == ["1", "2", "3"]
    arguments = "--one-based", "--kind", "table", "-"
    assert invoke("cover", *arguments, stdin=shown)[0] == "1 3\n2 3\n"
    out, _ = invoke("explain", "--one-based", "-f", "text", "-", stdin=problem)
    assert "options a and b form a cover" in out
    assert "options a (2) and b form a cover" in out
    assert "Try option a." in out
    page, _ = invoke("explain", "--one-based", "-o", "-", "-", stdin=problem)
    assert read_record(page)["option_numbers"] == [1, 2, 3]
    named = '{"options": {"S1": ["a"], "1": ["a"]}}'
    shown, _ = invoke("show", "--one-based", "-", stdin=named)
    assert [line.split()[0] for line in shown.splitlines()[-2:]] == ["S1", "2"]


def test_totals_are_listed_below_the_matrix():
    out, err = invoke("show", "--kind", "knuth", "-", stdin="a[2:3] b\na=2 b\na b\n")
    assert out.endswith("\ntotal a, 2 to 3: 2 × 0, 1 × 1\n")
    assert "read as Knuth's format" in err


def test_options_that_are_not_shown_are_in_the_summary():
    text = '{"options": {"x": ["a"], "y": ["b"]}, "given": ["x"]}'
    _, err = invoke("show", "-", stdin=text)
    assert "1 given option, x, was applied before the search, read as JSON)" in err


def test_a_matrix_is_written_as_a_workbook(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "matrix.xlsx"
    for source in ("queens:n=4", "tilings:region=2x2"):
        invoke("show", "--matrix", "-o", path, source)
        assert invoke("count", path)[0] == invoke("count", source)[0]
    _, err = invoke("show", "--matrix", "-f", "xlsx", "queens:n=4", status=2)
    assert "--format xlsx needs --output FILE" in err


def test_names_of_digits_are_not_changed_in_a_workbook(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "matrix.xlsx"
    items = ["007", "7", "\u0663", "12345678901234567890"]
    cover = dlx.ExactCover({"01": items, "2": items})
    invoke("show", "--matrix", "-o", path, "-", stdin=cover.write(kind="json"))
    written = dlx.ExactCover.read(path)
    assert (written.items, written.option_names) == (cover.items, cover.option_names)
