"""Books of puzzles as HTML: each board is on its page, with its clues and its solution."""

from xml.etree import ElementTree

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.pictures.board import sudoku_picture
from dlx_numba.pictures.book import PER_PAGE, Book
from tests.helpers.processes import invoke

SVG = "{http://www.w3.org/2000/svg}"


def read_pages(document):
    """Return the boards on each page: the caption, and the number of texts in the picture."""
    body = ElementTree.fromstring(document[document.index("<body>") : document.index("</html>")])
    return [
        [
            (figure.find("figcaption").text, [text.text for text in figure.iter(f"{SVG}text")])
            for figure in section.iter("figure")
        ]
        for section in body.iter("section")
    ]


def add_boards(book, puzzles, solutions, box, caption=""):
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        givens, values = ([str(value or ".") for value in row] for row in (puzzle, solution))
        board = sudoku_picture("Puzzle", givens, *box, is_shaded=False)
        book.add(board, sudoku_picture("Solution", givens, *box, values), caption)


@pytest.mark.compiled
@pytest.mark.parametrize("per_page", PER_PAGE)
@pytest.mark.parametrize("number", [1, 12, 13])
def test_pages_contain_all_boards(per_page, number):
    result = dlx.generate(number, seed=1)
    puzzles, solutions = result.puzzles, result.solutions
    book = Book("Sudoku puzzle", per_page)
    add_boards(book, puzzles, solutions, (3, 3), "a < b")
    pages = read_pages(book.document())
    n_pages = -(-number // per_page)
    first, last = pages[:n_pages], pages[n_pages:]
    assert [len(page) for page in first[:-1]] == [per_page] * (n_pages - 1)
    assert [len(page) for page in last[:-1]] == [12] * (len(last) - 1)
    for boards, values, caption in ((first, puzzles, " · a < b"), (last, solutions, "")):
        drawn = [board for page in boards for board in page]
        assert [name for name, _ in drawn] == [f"{k + 1}{caption}" for k in range(number)]
        for (_, texts), row in zip(drawn, values, strict=True):
            assert texts == [str(value) for value in row if value]


def test_large_boards_have_numbers_and_larger_solutions():
    boards = np.tile(np.arange(1, 26, dtype=np.uint8), (7, 25))
    book = Book("Sudoku puzzle", 4, 6)
    add_boards(book, boards, boards, (5, 5))
    assert [len(page) for page in read_pages(book.document())] == [4, 3, 6, 1]
    assert read_pages(book.document())[0][0][1] == [str(n) for n in boards[0]]


def test_the_document_has_one_style_and_is_light_on_paper():
    book = Book(per_page=4)
    add_boards(book, np.zeros((2, 16), np.uint8), np.ones((2, 16), np.uint8), (2, 2))
    text = book.document()
    assert text.count("<style>") == 1
    assert "@media screen { :root { color-scheme: light dark; } }" in text
    assert "prefers-color-scheme" not in text


@pytest.mark.compiled
def test_books_of_files_of_any_kind(tmp_path):
    """A board whose givens exclude each other has no solution, and is in the book."""
    path = tmp_path / "boards.txt"
    path.write_text("1.....3..4.....2\n11..............\n")
    out, err = invoke("show", "-f", "html", path)
    [puzzles, solutions] = read_pages(out)
    assert [texts for _, texts in puzzles] == [[*"1342"], [*"11"]]
    [(name, texts)] = solutions
    assert (name, "".join(texts)) == ("1", dlx.solve_sudoku("1.....3..4.....2"))
    assert ":2: no solution" in err
    out, err = invoke("show", "-f", "html", "queens:n=6")
    assert [texts.count("♛") for page in read_pages(out) for _, texts in page] == [0, 6]
    assert "<title>1 puzzle</title>" in out
