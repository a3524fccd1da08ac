"""The version, where pyproject.toml and the command line find it."""

__version__ = "0.1.0"
