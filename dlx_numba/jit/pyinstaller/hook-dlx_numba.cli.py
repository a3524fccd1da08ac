"""Modules of commands, which are imported by name."""

from pathlib import Path

COMMANDS = Path(__file__).parents[2] / "cli"
hiddenimports = [f"dlx_numba.cli.{path.stem}" for path in COMMANDS.glob("[!_]*.py")]
