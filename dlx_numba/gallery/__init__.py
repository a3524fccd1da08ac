"""Problems that people know, as exact cover: each a page, with its items and options in words."""

from .entry import Entry, Statement
from .polyiamonds import Polyiamonds
from .polyominoes import Polyominoes
from .tetrasticks import Tetrasticks

GALLERY: dict[str, type[Entry]] = {
    "polyominoes": Polyominoes,
    "polyiamonds": Polyiamonds,
    "tetrasticks": Tetrasticks,
}

__all__ = ["GALLERY", "Entry", "Polyiamonds", "Polyominoes", "Statement", "Tetrasticks"]
