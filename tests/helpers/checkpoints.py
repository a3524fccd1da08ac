"""Saved searches with another content, and the checksum that belongs to it."""

import hashlib
from pathlib import Path

from dlx_numba.runtime.archive import pack, unpack


def rewrite_content(path: Path, content: bytes) -> None:
    """Replace the content of a saved search, and its checksum."""
    kind = path.read_bytes().split(b"\n", 1)[0].rsplit(b" ", 1)[0]
    digest = hashlib.sha256(content).hexdigest().encode()
    path.write_bytes(b"%s %s\n" % (kind, digest) + content)


def rewrite(path: Path, change) -> None:
    """Let `change(header, arrays)` modify the content of a saved search."""
    header, arrays = unpack(path.read_bytes().split(b"\n", 1)[1])
    change(header, arrays)
    rewrite_content(path, bytes(pack(header, arrays)))
