"""The command line. It contains no algorithms: the commands call the library."""

from .app import main

__all__ = ["main"]
