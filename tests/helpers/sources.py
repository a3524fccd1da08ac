"""Sources of the package, which several tests examine."""

import ast
import functools
from pathlib import Path


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module, which tests do not change."""
    return ast.parse(path.read_text(encoding="utf-8"))
