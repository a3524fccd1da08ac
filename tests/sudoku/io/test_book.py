"""Books of puzzles as HTML: each board is on its page, with its clues and its solution."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.io.book import PER_PAGE, Book
from dlx_numba.sudoku.io.symbols import Alphabet

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


@pytest.mark.compiled
@pytest.mark.parametrize("per_page", PER_PAGE)
@pytest.mark.parametrize("number", [1, 12, 13])
def test_pages_contain_all_boards(per_page, number):
    result = dlx.generate(number, seed=1)
    puzzles, solutions = result.puzzles, result.solutions
    book = Book(dlx.Box(3, 3), Alphabet.named("1-9A-", 9), per_page, caption="a < b")
    half = number // 2
    book.add(puzzles[:half], solutions[:half])
    book.add(puzzles[half:], solutions[half:])
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
    box = dlx.Box(5, 5)
    boards = np.tile(np.arange(1, 26, dtype=np.uint8), (7, 25))
    book = Book(box, Alphabet("numbers", 25), per_page=4)
    book.add(boards, boards)
    assert [len(page) for page in read_pages(book.document())] == [4, 3, 6, 1]
    assert read_pages(book.document())[0][0][1] == [str(n) for n in boards[0]]


def test_the_document_has_one_style_and_is_light_on_paper():
    book = Book(dlx.Box(2, 2), Alphabet("1-9A-", 4), per_page=4)
    book.add(np.zeros((2, 16), np.uint8), np.ones((2, 16), np.uint8))
    text = book.document()
    assert text.count("<style>") == 1
    queries = re.findall(r"@media[^{]*prefers[^{]*", text)
    assert queries
    assert all("screen and" in query for query in queries)
