"""The version of the package, which its files contain."""

__version__ = "0.1.0"
