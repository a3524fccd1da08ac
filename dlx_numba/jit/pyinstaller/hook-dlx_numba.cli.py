"""Modules of commands, which are imported by name."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2]
PATHS = [path.relative_to(PACKAGE.parent) for path in (PACKAGE / "cli").rglob("[!_]*.py")]
hiddenimports = [".".join(path.with_suffix("").parts) for path in PATHS]
