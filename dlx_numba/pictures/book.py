"""Books of puzzles: pictures on pages to print, with the solutions at the end, as HTML."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ..runtime.batched import batched
from ..runtime.text import plural
from .document import Svg
from .html import page

PER_PAGE = (4, 6)  # puzzles

# In millimeters, of a page that fits on A4 and on US Letter paper
_PAGE_WIDTH = 186
_PAGE_HEIGHT = 240
_GAP = 5
_CAPTION_HEIGHT = 8

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
  .boards { grid-auto-rows: var(--height); row-gap: 0; }
  figure .dlx-picture .paper { fill: none; }
}
"""


@dataclass
class Book:
    """A collection of puzzles with their solutions, which is written as one HTML document.

    Parameters
    ----------
    noun
        What the default title calls a puzzle.
    per_page
        The number of puzzles on a page, one of `PER_PAGE`.
    solutions_per_page
        The number of solutions on a page, 6 or 12.
    sentences
        Rules in words, which each page with puzzles has.
    title
        The title; by default, the number of puzzles.

    Examples
    --------
    >>> from dlx_numba.pictures.grid import Grid
    >>> board = Grid("Two cells", (), ((1, 1), (1, 2)), ((((1, 1)), "1"),))
    >>> book = Book("Sudoku puzzle", per_page=4)
    >>> book.add(board.svg([]), board.svg([]))
    >>> len(book), "<title>1 Sudoku puzzle</title>" in book.document()
    (1, True)
    """

    noun: str = "puzzle"
    per_page: int = PER_PAGE[-1]
    solutions_per_page: int = 12
    sentences: Sequence[str] = ()
    title: str | None = None

    def __post_init__(self) -> None:
        self._puzzles: list[tuple[str, Svg]] = []
        self._solutions: list[tuple[str, Svg]] = []

    def __len__(self) -> int:
        return len(self._puzzles)

    def add(self, puzzle: Svg, solution: Svg | None, caption: str = "") -> None:
        """Add pictures of a puzzle and of its solution, if any; the caption follows its number."""
        name = f"{len(self) + 1:,}"
        self._puzzles.append((f"{name} · {caption}" if caption else name, puzzle))
        if solution is not None:
            self._solutions.append((name, solution))

    def document(self) -> str:
        """Return the document: pages of puzzles, and then pages of solutions."""
        title = self.title or plural(len(self), self.noun)
        pages = [
            *_pages(title, self._puzzles, self.per_page, self.sentences),
            *_pages("Solutions", self._solutions, self.solutions_per_page),
        ]
        return page(title, _STYLE, "".join(pages))


def _pages(
    title: str, figures: Sequence[tuple[str, Svg]], size: int, sentences: Sequence[str] = ()
) -> Iterator[str]:
    """Yield pages of up to `size` figures, which are captions and pictures.

    Each page has the sentences above its figures, and the first one also the title. There are no
    pages without figures.
    """
    if not figures:
        return
    width, height = _size([drawn for _, drawn in figures], size)
    rules = f"<p>{escape(' '.join(sentences))}</p>\n" if sentences else ""
    elements = [
        f"<figure><figcaption>{escape(caption)}</figcaption>{drawn.embedded()}</figure>\n"
        for caption, drawn in figures
    ]
    for number, on_page in enumerate(batched(elements, size)):
        heading = rules if number else f"<h1>{escape(title)}</h1>\n{rules}"
        boards = "".join(on_page)
        opening = f'<div class="boards" style="--width: {width}mm; --height: {height}mm">'
        yield f"<section>\n{heading}{opening}\n{boards}</div>\n</section>\n"


def _size(pictures: Sequence[Svg], n: int) -> tuple[int, int]:
    """Return the largest width of pictures, of which n fit on a page, and the height of a row.

    All numbers of columns are tried. Both results are in millimeters; the height has the caption.

    >>> from dlx_numba.pictures.grid import Grid
    >>> square, wide = (Grid("", cells=[(0, 0), (0, k)]).svg([]) for k in (0, 2))
    >>> [_size([square], n) for n in (4, 6, 12)], [_size([wide], n)[0] for n in (4, 6, 12)]
    ([(88, 120), (72, 80), (52, 60)], [121, 88, 74])
    """
    sizes = (drawn.size for drawn in pictures)
    slope = max(height / width for width, height in sizes)  # of the tallest: it must fit, too
    grids = ((n_columns, -(-n // n_columns)) for n_columns in range(1, n + 1))
    return max(
        (
            int(min(_PAGE_WIDTH / columns - _GAP, (_PAGE_HEIGHT / rows - _CAPTION_HEIGHT) / slope)),
            _PAGE_HEIGHT // rows,
        )
        for columns, rows in grids
    )
