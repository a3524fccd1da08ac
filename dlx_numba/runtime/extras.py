"""Packages that need not be installed."""

import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def import_extra(module: str, need: str, install: str) -> Any:
    """Return a module of a package that need not be installed.

    Parameters
    ----------
    module : str
    need : str
        What needs which package, for the message.
    install : str
        What `pip install` gets to install it.

    Raises
    ------
    ImportError
        If the package is not installed, or cannot be imported, for whatever reason.
    """
    try:
        return import_module(module)
    except Exception as error:
        # The package itself is missing, or a part of it, and not one of the packages that it needs.
        name = getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None
        if name and f"{module}.".startswith(f"{name}."):
            raise ImportError(f"{need}: pip install {install}") from None
        reason = f"{need}, which is installed, but cannot be imported"
        raise ImportError(f"{reason}: {type(error).__name__}: {error}") from error


@cache
def can_import(module: str) -> bool:
    """Return whether a module can be imported. Warn if it is installed, but cannot be."""
    if find_spec(module) is None:
        return False
    try:
        import_module(module)
    except Exception as error:
        warn_of_failure(module, f"{type(error).__name__}: {error}")
        return False
    return True


def warn_of_failure(package: str, error: str) -> None:
    """Warn that a package cannot help, and why."""
    reason = f"{package} is installed, but fails, so the search does without it"
    warnings.warn(f"{reason}: {error}", stacklevel=3)
