"""Knuth's Dancing Links at the speed of C: exact cover, and Sudoku by the million.

>>> import dlx_numba as dlx
>>> dlx.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]]).solve()
[[0, 1], [2, 3]]
>>> dlx.solve_sudoku("1..." "..3." ".4.." "...2")
'1324423124133142'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .cover.exact_cover import ExactCover, Statistics
from .cover.prepare import Presolved
from .runtime.errors import FormatError
from .search.checkpoint import CheckpointError
from .search.estimate import Estimate
from .search.progress import Progress
from .search.search import Search
from .sudoku.api import NoSolution, iter_solutions, solve_batch, solve_sudoku
from .sudoku.box import Box
from .sudoku.engines.base import BatchResult

__version__ = "0.1.0"

__all__ = [
    "BatchResult",
    "Box",
    "CheckpointError",
    "Estimate",
    "ExactCover",
    "FormatError",
    "NoSolution",
    "Presolved",
    "Progress",
    "Search",
    "Statistics",
    "__version__",
    "iter_solutions",
    "solve_batch",
    "solve_sudoku",
]

if TYPE_CHECKING:
    from . import gallery as gallery
else:

    def __getattr__(name: str) -> Any:
        """Import the gallery on first access, because only a few programs need it."""
        if name == "gallery":
            return import_module(".gallery", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
