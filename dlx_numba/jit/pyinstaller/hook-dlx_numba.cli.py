"""Modules of commands, which are imported by name."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("dlx_numba.cli")
