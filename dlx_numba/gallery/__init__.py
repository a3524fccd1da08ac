"""Classic puzzles and planning problems, stated as exact cover problems.

Each problem is a class whose fields are its parameters and whose docstring describes its items
and options. `GALLERY` maps the names that the command line uses to the classes.

>>> GALLERY["queens"](6).cover().count()
4
"""

from .airport import Airport
from .calendar import Calendar
from .entry import Entry, Solution, Statement
from .flights import Flights
from .genius_star import GeniusStar
from .hashiwokakero import Hashiwokakero
from .hotel import Hotel
from .knight import Knight
from .langford import Langford
from .latin import Latin
from .macmahon import MacMahon
from .matchings import Matchings
from .mates import Mates
from .partitions import Partitions
from .polycubes import Polycubes
from .polyiamonds import Polyiamonds
from .polyominoes import Polyominoes
from .queens import Dominate, Queens
from .sudoku import Sudoku
from .tetrasticks import Tetrasticks
from .tilings import Tilings
from .words import Words

GALLERY: dict[str, type[Entry]] = {
    "queens": Queens,
    "dominate": Dominate,
    "knight": Knight,
    "polyominoes": Polyominoes,
    "polyiamonds": Polyiamonds,
    "calendar": Calendar,
    "genius-star": GeniusStar,
    "polycubes": Polycubes,
    "tetrasticks": Tetrasticks,
    "tilings": Tilings,
    "langford": Langford,
    "latin": Latin,
    "mates": Mates,
    "matchings": Matchings,
    "partitions": Partitions,
    "sudoku": Sudoku,
    "hashiwokakero": Hashiwokakero,
    "macmahon": MacMahon,
    "words": Words,
    "hotel": Hotel,
    "flights": Flights,
    "airport": Airport,
}

__all__ = [
    "GALLERY",
    "Airport",
    "Calendar",
    "Dominate",
    "Entry",
    "Flights",
    "GeniusStar",
    "Hashiwokakero",
    "Hotel",
    "Knight",
    "Langford",
    "Latin",
    "MacMahon",
    "Matchings",
    "Mates",
    "Partitions",
    "Polycubes",
    "Polyiamonds",
    "Polyominoes",
    "Queens",
    "Solution",
    "Statement",
    "Sudoku",
    "Tetrasticks",
    "Tilings",
    "Words",
]


def __dir__() -> list[str]:
    """Return the public names, which interpreters complete."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
