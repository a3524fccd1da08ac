"""Packages that need not be installed."""

from importlib import import_module
from typing import Any


def import_extra(module: str, lack: str, install: str) -> Any:
    """Return a module. Raises ImportError, which says what it lacks and how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f"{lack}: pip install {install}") from None
