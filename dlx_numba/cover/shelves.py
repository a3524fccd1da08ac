"""The shelves above the solver, for methods of `ExactCover` that offer them: a registry of names.

All imports that point up are here, and a shelf is loaded when it is used first.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..explain import explain_cover as explain_cover
    from ..explain.deduction import Deduction as Deduction
    from ..explain.deduction import deduce_cover as deduce_cover
    from ..explain.deduction import level_comparison as level_comparison
    from ..explain.diagnose import Diagnosis as Diagnosis
    from ..explain.diagnose import diagnose_cover as diagnose_cover
    from ..explain.page import Page as Page
    from ..puzzles.exact.read import read_content as read_content
    from ..puzzles.exact.write import find_kind as find_kind
    from ..puzzles.exact.write import format_problem as format_problem
    from ..puzzles.exact.write import write_text as write_text

_MODULES = {
    "deduce_cover": "explain.deduction",
    "diagnose_cover": "explain.diagnose",
    "explain_cover": "explain",
    "find_kind": "puzzles.exact.write",
    "format_problem": "puzzles.exact.write",
    "level_comparison": "explain.deduction",
    "read_content": "puzzles.exact.read",
    "write_text": "puzzles.exact.write",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"...{_MODULES[name]}", __name__), name)
