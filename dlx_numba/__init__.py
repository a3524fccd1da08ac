"""Knuth's Dancing Links at the speed of C: exact cover and Sudoku.

>>> import dlx_numba as dlx
>>> dlx.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]]).solve()
[[0, 1], [2, 3]]
>>> dlx.solve_sudoku("1..." "..3." ".4.." "...2")
'1324423124133142'

==============================  ===========================================
task                            functions and classes
==============================  ===========================================
solve an exact cover problem    `ExactCover`: `first`, `solve`, `count`
find the cheapest covers        `ExactCover.cheapest`, `CoverOptimizer`
have all covers in one graph    `CoverDiagram`: `frequencies`, `sample`
follow or save a long search    `Search`, `CoverCounter`
read a puzzle or a problem      `read`, `example`, `Puzzle`
place drawn pieces on a board   `placements`
solve Sudoku puzzles            `solve_sudoku`, `iter_solutions`
solve many Sudoku puzzles       `solve_batch`, `solve_stream`
read and write files of boards  `read_boards`, `write_boards`
make Sudoku puzzles             `generate`, `minimize`, `is_minimal`
make other puzzles              `ExactCover.puzzles`
find the next step, and why     `deduce`, `ExactCover.deduce`
find out why there is none      `diagnose_sudoku`, `ExactCover.diagnose`
rate and compare puzzles        `rate`, `canonical`, `automorphisms`,
                                `transform`
catch errors                    `DlxError`, the base of all own errors
read the algorithm on a page    `dancing_links`
==============================  ===========================================

`help(dlx.solve_sudoku)` describes a function, with examples.
"""

import sys
from importlib import import_module
from types import ModuleType

from .runtime.version import __version__ as __version__

TYPE_CHECKING = False  # importing `typing` would delay the signal handlers of the command line
if TYPE_CHECKING:
    from . import dancing_links as dancing_links
    from .cover.counting import CoverCounter as CoverCounter
    from .cover.covers import Cover as Cover
    from .cover.covers import Covers as Covers
    from .cover.diagram import CoverDiagram as CoverDiagram
    from .cover.exact_cover import ExactCover as ExactCover
    from .cover.optimizer import CoverOptimizer as CoverOptimizer
    from .cover.symmetry import SymmetryGroup as SymmetryGroup
    from .explain.deduction.boards import deduce as deduce
    from .explain.deduction.ratings import rate as rate
    from .explain.diagnose import Diagnosis as Diagnosis
    from .explain.diagnose.boards import diagnose_sudoku as diagnose_sudoku
    from .puzzles.collection import read as read
    from .puzzles.kind import example as example
    from .puzzles.lattice.drawn import placements as placements
    from .puzzles.puzzle import Puzzle as Puzzle
    from .puzzles.question import KindError as KindError
    from .puzzles.variants.rules import SudokuRules as SudokuRules
    from .runtime.choices import Algorithm as Algorithm
    from .runtime.choices import BoardRule as BoardRule
    from .runtime.choices import BranchingName as BranchingName
    from .runtime.choices import Difficulty as Difficulty
    from .runtime.choices import EngineName as EngineName
    from .runtime.choices import Symmetry as Symmetry
    from .runtime.errors import DlxError as DlxError
    from .runtime.errors import FormatError as FormatError
    from .runtime.errors import Stopped as Stopped
    from .runtime.errors import UnreadableError as UnreadableError
    from .search.checkpoint import CheckpointError as CheckpointError
    from .search.search import Search as Search
    from .sudoku.api import NoSolution as NoSolution
    from .sudoku.api import iter_solutions as iter_solutions
    from .sudoku.api import solve_batch as solve_batch
    from .sudoku.api import solve_sudoku as solve_sudoku
    from .sudoku.board import Board as Board
    from .sudoku.box import Box as Box
    from .sudoku.canonical.api import automorphisms as automorphisms
    from .sudoku.canonical.api import canonical as canonical
    from .sudoku.convert import ErrorHandling as ErrorHandling
    from .sudoku.files import read_boards as read_boards
    from .sudoku.files import write_boards as write_boards
    from .sudoku.generator.api import generate as generate
    from .sudoku.generator.api import is_minimal as is_minimal
    from .sudoku.generator.api import minimize as minimize
    from .sudoku.rating import RatedStep as RatedStep
    from .sudoku.rating import Ratings as Ratings
    from .sudoku.results import BatchResult as BatchResult
    from .sudoku.results import GenerateResult as GenerateResult
    from .sudoku.stream import solve_stream as solve_stream
    from .sudoku.transform import transform as transform

# The modules are imported at the first access to one of their names, because importing NumPy
# takes a tenth of a second, during which Ctrl-C would print a traceback.
_NAMES = {
    ".cover.counting": "CoverCounter",
    ".cover.covers": "Cover Covers",
    ".cover.diagram": "CoverDiagram",
    ".cover.exact_cover": "ExactCover",
    ".cover.optimizer": "CoverOptimizer",
    ".cover.symmetry": "SymmetryGroup",
    ".explain.deduction.boards": "deduce",
    ".explain.deduction.ratings": "rate",
    ".explain.diagnose": "Diagnosis",
    ".explain.diagnose.boards": "diagnose_sudoku",
    ".puzzles.collection": "read",
    ".puzzles.kind": "example",
    ".puzzles.lattice.drawn": "placements",
    ".puzzles.puzzle": "Puzzle",
    ".puzzles.question": "KindError",
    ".runtime.choices": "Algorithm BoardRule BranchingName Difficulty EngineName Symmetry",
    ".runtime.errors": "DlxError FormatError Stopped UnreadableError",
    ".search.checkpoint": "CheckpointError",
    ".search.search": "Search",
    ".sudoku.api": "NoSolution iter_solutions solve_batch solve_sudoku",
    ".sudoku.board": "Board",
    ".sudoku.box": "Box",
    ".sudoku.canonical.api": "automorphisms canonical",
    ".sudoku.convert": "ErrorHandling",
    ".sudoku.files": "read_boards write_boards",
    ".sudoku.generator.api": "generate is_minimal minimize",
    ".sudoku.rating": "RatedStep Ratings",
    ".sudoku.results": "BatchResult GenerateResult",
    ".sudoku.stream": "solve_stream",
    ".sudoku.transform": "transform",
    ".puzzles.variants.rules": "SudokuRules",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}

# What to use instead of the names of commands
_ADVICE = {
    "bench": "the command `dlx-numba bench`",
    "cheapest": "ExactCover.cheapest",
    "count": "ExactCover.count",
    "cover": "ExactCover.first and ExactCover.solve",
    "demo": "example",
    "diagnose": "ExactCover.diagnose and diagnose_sudoku",
    "estimate": "Search.estimate",
    "explain": "ExactCover.explain",
    "gallery": "example",
    "hint": "deduce",
    "mcp": "the command `dlx-numba mcp`",
    "puzzles": "ExactCover.puzzles",
    "sample": "CoverDiagram.sample",
    "show": "Puzzle.text and Puzzle.svg",
    "solve": "solve_sudoku, solve_batch and ExactCover.solve",
    "verify": "ExactCover.check",
    "warmup": "the command `dlx-numba warmup`",
}

__all__ = sorted(["__version__", *_MODULE_OF])


class _Package(ModuleType):
    """The type of this module, in which folders do not hide the advice on names of commands."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _ADVICE:  # Python finds imported modules without the attribute, too
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

if not TYPE_CHECKING:  # to type checkers, other names are errors

    def __getattr__(name: str) -> object:
        """Return a public name, and import its module if necessary."""
        if name == "dancing_links":  # a module for readers, which is imported as a name, too
            return import_module(".dancing_links", __name__)
        if name not in _MODULE_OF:
            advice = f"; use {_ADVICE[name]}" if name in _ADVICE else ""
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{advice}")
        value = globals()[name] = getattr(import_module(_MODULE_OF[name], __name__), name)
        return value


def __dir__() -> list[str]:
    """Return the public names, which interpreters complete."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
