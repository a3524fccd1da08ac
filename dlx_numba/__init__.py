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
