"""The command line: what the library does, for files and for a terminal. It holds no algorithm."""

from .app import main

__all__ = ["main"]
