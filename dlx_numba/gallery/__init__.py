"""Classic puzzles and planning problems, stated as exact cover problems.

Each problem is a class whose fields are its parameters and whose docstring describes its items
and options. `GALLERY` maps the names that the command line uses to the classes.

>>> GALLERY["queens"](6).cover().count()
4
"""

from .entry import Entry as Entry
from .entry import Solution as Solution
from .entry import Statement as Statement
from .hashiwokakero import Hashiwokakero as Hashiwokakero
from .knight import Knight as Knight
from .langford import Langford as Langford
from .latin import Latin as Latin
from .matchings import Matchings as Matchings
from .mates import Mates as Mates
from .partitions import Partitions as Partitions
from .queens import Dominate as Dominate
from .queens import Queens as Queens
from .sudoku import Sudoku as Sudoku
from .words import Words as Words

GALLERY: dict[str, type[Entry]] = {
    "queens": Queens,
    "dominate": Dominate,
    "knight": Knight,
    "langford": Langford,
    "latin": Latin,
    "mates": Mates,
    "matchings": Matchings,
    "partitions": Partitions,
    "sudoku": Sudoku,
    "hashiwokakero": Hashiwokakero,
    "words": Words,
}

_CLASSES = (Entry, Solution, Statement, *GALLERY.values())
__all__ = sorted(["GALLERY", *(each.__name__ for each in _CLASSES)])


def __dir__() -> list[str]:
    """Return the public names, which interpreters complete."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
