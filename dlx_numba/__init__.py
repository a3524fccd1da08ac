"""Knuth's Dancing Links at the speed of C: exact cover, and Sudoku by the million.

>>> import dlx_numba as dlx
>>> dlx.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]]).solve()
[[0, 1], [2, 3]]
>>> dlx.solve_sudoku("1..." "..3." ".4.." "...2")
'1324423124133142'
"""

from importlib import import_module

TYPE_CHECKING = False  # importing `typing` would delay the signal handlers of the command line
if TYPE_CHECKING:
    from typing import Any

    from . import gallery as gallery
    from .cover.batch import CoverBatch
    from .cover.counting import CoverCounter, Statistics
    from .cover.covers import CheapestCovers, Cover, Covers
    from .cover.diagram import CoverDiagram
    from .cover.exact_cover import ExactCover
    from .cover.optimizer import CoverOptimizer
    from .cover.prepare import Presolved
    from .cover.symmetry import SymmetryGroup
    from .diagnose import Diagnosis
    from .diagnose.boards import diagnose_sudoku
    from .runtime.errors import DlxError, FormatError, Stopped, UnreadableError
    from .search.checkpoint import CheckpointError
    from .search.progress import Estimate, Progress
    from .search.search import Search
    from .sudoku.api import NoSolution, iter_solutions, solve_batch, solve_sudoku
    from .sudoku.board import Board
    from .sudoku.box import Box
    from .sudoku.canonical.api import automorphisms, canonical
    from .sudoku.files import read_boards, write_boards
    from .sudoku.generator.api import generate, is_minimal, minimize
    from .sudoku.rating import Ratings, Steps, rate
    from .sudoku.results import BatchResult, GenerateResult
    from .sudoku.transform import transform
    from .variants.rules import SudokuRules

__version__ = "0.1.0"

__all__ = [
    "BatchResult",
    "Board",
    "Box",
    "CheapestCovers",
    "CheckpointError",
    "Cover",
    "CoverBatch",
    "CoverCounter",
    "CoverDiagram",
    "CoverOptimizer",
    "Covers",
    "Diagnosis",
    "DlxError",
    "Estimate",
    "ExactCover",
    "FormatError",
    "GenerateResult",
    "NoSolution",
    "Presolved",
    "Progress",
    "Ratings",
    "Search",
    "Statistics",
    "Steps",
    "Stopped",
    "SudokuRules",
    "SymmetryGroup",
    "UnreadableError",
    "__version__",
    "automorphisms",
    "canonical",
    "diagnose_sudoku",
    "generate",
    "is_minimal",
    "iter_solutions",
    "minimize",
    "rate",
    "read_boards",
    "solve_batch",
    "solve_sudoku",
    "transform",
    "write_boards",
]

# The modules are imported at the first access to one of their names, because importing NumPy
# takes a tenth of a second, during which Ctrl-C would print a traceback.
_MODULES = {
    "BatchResult": ".sudoku.results",
    "Board": ".sudoku.board",
    "Box": ".sudoku.box",
    "CheapestCovers": ".cover.covers",
    "CheckpointError": ".search.checkpoint",
    "Cover": ".cover.covers",
    "CoverBatch": ".cover.batch",
    "CoverCounter": ".cover.counting",
    "CoverDiagram": ".cover.diagram",
    "CoverOptimizer": ".cover.optimizer",
    "Covers": ".cover.covers",
    "Diagnosis": ".diagnose",
    "DlxError": ".runtime.errors",
    "Estimate": ".search.progress",
    "ExactCover": ".cover.exact_cover",
    "FormatError": ".runtime.errors",
    "GenerateResult": ".sudoku.results",
    "NoSolution": ".sudoku.api",
    "Presolved": ".cover.prepare",
    "Progress": ".search.progress",
    "Ratings": ".sudoku.rating",
    "Search": ".search.search",
    "Statistics": ".cover.counting",
    "automorphisms": ".sudoku.canonical.api",
    "canonical": ".sudoku.canonical.api",
    "diagnose_sudoku": ".diagnose.boards",
    "generate": ".sudoku.generator.api",
    "is_minimal": ".sudoku.generator.api",
    "iter_solutions": ".sudoku.api",
    "minimize": ".sudoku.generator.api",
    "Steps": ".sudoku.rating",
    "Stopped": ".runtime.errors",
    "SudokuRules": ".variants.rules",
    "SymmetryGroup": ".cover.symmetry",
    "UnreadableError": ".runtime.errors",
    "rate": ".sudoku.rating",
    "read_boards": ".sudoku.files",
    "solve_batch": ".sudoku.api",
    "solve_sudoku": ".sudoku.api",
    "transform": ".sudoku.transform",
    "write_boards": ".sudoku.files",
}


def __getattr__(name: str) -> "Any":
    """Return a public name, and import its module if necessary."""
    if name == "gallery":
        return import_module(".gallery", __name__)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name], __name__), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, which interpreters complete."""
    return sorted({*__all__, "gallery", *(name for name in globals() if name.startswith("__"))})
