"""Hooks of PyInstaller, which puts the package into programs."""


def hook_directories() -> list[str]:
    """Return the directory of the hooks, as PyInstaller expects it of an entry point."""
    return [*__path__]
