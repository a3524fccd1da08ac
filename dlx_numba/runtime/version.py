"""The version of the package, which its files state."""

__version__ = "0.1.0"
