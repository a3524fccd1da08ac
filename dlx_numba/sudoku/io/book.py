"""Books of puzzles: boards on pages to print, with the solutions at the end, as HTML."""

import re
from collections.abc import Iterator, Sequence
from html import escape

from ...pictures.board import sudoku_picture
from ...pictures.palette import STYLE, css_variables
from ...runtime.text import plural
from ..box import Box
from ..engines.base import Rules
from .board import format_cells
from .symbols import Alphabet, Values

PER_PAGE = (4, 6)  # puzzles

# The width in millimeters of the boards on a page: it fits on A4 and on US Letter paper.
_WIDTHS = {4: 88, 6: 72, 12: 52}

# Dark mode is for the screen only: paper is white.
_COLORS = css_variables() + STYLE.replace("@media (", "@media screen and (")

_STYLE = """
@page { margin: 12mm; @bottom-center { content: counter(page); font: 10pt sans-serif; } }
body { margin: 0 auto; padding: 0 1rem; max-width: 186mm; background: var(--paper);
  color: var(--ink); font: 11pt/1.3 system-ui, "Helvetica Neue", Arial, sans-serif; }
h1 { margin: 0 0 3mm; font-size: 14pt; text-align: center; }
p { margin: 0 0 3mm; }
section { padding: 8mm 0; border-bottom: 1px solid var(--line); }
.boards { display: grid; justify-items: center; gap: 3mm 4mm;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--width)), 1fr)); }
figure { margin: 0; text-align: center; }
figure svg { display: block; width: var(--width); max-width: 100%; height: auto; }
@media print {
  body { padding: 0; max-width: none; background: none; }
  section { padding: 0; border: 0; break-after: page; }
  section:last-of-type { break-after: auto; }
  figure .dlx-picture .paper { fill: none; }
}
"""


class Book:
    """A collection of puzzles with their solutions, which is written as one HTML document.

    Parameters
    ----------
    box
        The box of the boards.
    alphabet
        Their symbols.
    per_page
        The number of puzzles on a page, one of `PER_PAGE`.
    caption
        A text that follows the number of each puzzle.
    rules
        The rules of the puzzles, which are drawn and stated in words.

    Examples
    --------
    >>> import numpy as np
    >>> book = Book(Box(2, 2), Alphabet("1-9A-", 4), per_page=4)
    >>> book.add(np.zeros((1, 16), np.uint8), np.ones((1, 16), np.uint8))
    >>> len(book), "<title>1 Sudoku puzzle</title>" in book.document()
    (1, True)
    """

    def __init__(
        self,
        box: Box,
        alphabet: Alphabet,
        per_page: int,
        caption: str = "",
        rules: Rules | None = None,
    ) -> None:
        self.box, self.alphabet, self.per_page = box, alphabet, per_page
        self._rules = {} if rules is None else rules.stated()
        self._sentences = [] if rules is None else rules.sentences()
        self._caption = f" · {caption}" if caption else ""
        self._puzzles: list[str] = []
        self._solutions: list[str] = []

    def __len__(self) -> int:
        return len(self._puzzles)

    def add(self, puzzles: Values, solutions: Values) -> None:
        """Add puzzles and their solutions, arrays of shape (N, cells)."""
        for puzzle, solution in zip(puzzles, solutions, strict=True):
            name = f"{len(self) + 1:,}"
            givens, values = (format_cells(board, self.alphabet) for board in (puzzle, solution))
            rules = self._rules
            board = sudoku_picture(
                f"Puzzle {name}", givens, *self.box, is_shaded=False, rules=rules
            )
            solved = sudoku_picture(
                f"Solution {name}", givens, *self.box, values, is_shaded=not rules, rules=rules
            )
            self._puzzles.append(_figure(board, name + self._caption))
            self._solutions.append(_figure(solved, name))

    def document(self) -> str:
        """Return the document: pages of puzzles, and then pages of solutions."""
        title = plural(len(self), "Sudoku puzzle")
        pages = [
            *_pages(title, self._puzzles, self.per_page, self._sentences),
            *_pages("Solutions", self._solutions, 12 if self.box.n <= 9 else 6),
        ]
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{title}</title>\n<style>\n{_COLORS}{_STYLE}</style>\n</head>\n"
            f"<body>\n{''.join(pages)}</body>\n</html>\n"
        )


def _figure(picture: str, caption: str) -> str:
    """Return a picture with a caption above it, without its size and style: the page has both."""
    picture = re.sub(r"<style>.*?</style>\n", "", picture, flags=re.DOTALL)
    picture = re.sub(r' width="[^"]*" height="[^"]*"', "", picture, count=1)
    return f"<figure><figcaption>{escape(caption)}</figcaption>{picture}</figure>\n"


def _pages(
    title: str, figures: Sequence[str], size: int, sentences: Sequence[str] = ()
) -> Iterator[str]:
    """Yield pages of figures; the first one has a title. Each has the sentences."""
    text = f"<p>{escape(' '.join(sentences))}</p>\n" if sentences else ""
    for start in range(0, len(figures), size):
        heading = text if start else f"<h1>{title}</h1>\n{text}"
        boards = "".join(figures[start : start + size])
        opening = f'<div class="boards" style="--width: {_WIDTHS[size]}mm">'
        yield f"<section>\n{heading}{opening}\n{boards}</div>\n</section>\n"
