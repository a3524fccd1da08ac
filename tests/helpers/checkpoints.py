"""Saved searches with another content."""

from pathlib import Path

from dlx_numba.runtime.archive import pack, unpack


def rewrite(path: Path, change) -> None:
    """Let `change(header, arrays)` modify the content of a saved search."""
    header, arrays = unpack(path.read_bytes())
    change(header, arrays)
    path.write_bytes(bytes(pack(header, arrays)))
