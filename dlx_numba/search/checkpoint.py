"""Checkpoints: a search as a file, from which it can resume later.

The file starts with a line that states its kind, its format version and the SHA-256 digest of the
rest, which is NumPy's `.npz` format without pickled objects: loading a checkpoint runs no code.
"""

import hashlib
import io
import json
import os
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.errors import DlxError
from ..runtime.files import replace_file
from .protocol import Counters, SearchSpec
from .subtree import Subtree

KIND = b"dlx_numba search"
VERSION = 2  # increased whenever the content of the file changes


class CheckpointError(DlxError, ValueError):
    """A file is not a usable checkpoint.

    Attributes
    ----------
    path : str
        The path of the file.
    reason : str
        Why the file cannot be used.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class Checkpoint(NamedTuple):
    """The complete state of a `Search`."""

    spec: SearchSpec
    subtrees: list[Subtree]
    ready: list[list[int]]  # solutions that the next run returns first
    past: Counters  # (3,) covers, nodes and updates of subtrees that are done and removed
    explored: float  # the fraction of the tree that was explored in them
    seconds: float  # the time spent in runs


def save_checkpoint(path: str | os.PathLike[str], checkpoint: Checkpoint) -> None:
    """Write a checkpoint, completely or not at all.

    Raises
    ------
    CheckpointError
        If `path` exists and is not a regular file.
    OSError
        If the file cannot be written. An existing file is then unchanged.
    """
    stream = io.BytesIO()
    np.savez(stream, **_arrays(checkpoint))  # type: ignore[arg-type]  # allow_pickle is a keyword
    content = stream.getbuffer()
    header = b"%s %d %s\n" % (KIND, VERSION, hashlib.sha256(content).hexdigest().encode())
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):
        raise CheckpointError(name, "not a regular file")
    replace_file(name, header, content)


def load_checkpoint(path: str | os.PathLike[str], spec_class: type[SearchSpec]) -> Checkpoint:
    """Read a checkpoint that `save_checkpoint` wrote.

    Parameters
    ----------
    path : str or path-like
    spec_class : type
        The class of the specification that is stored in the file.

    Raises
    ------
    CheckpointError
        If the file is not a checkpoint, is damaged, has another format version, or stores a
        specification of another class.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        header, content = file.readline(200), file.read()
    if not header.startswith(KIND + b" "):
        raise CheckpointError(name, "not a saved search")
    version, *digest = header[len(KIND) :].split() or [b""]
    if version != b"%d" % VERSION:
        found = version.decode(errors="replace")
        reason = f"saved by another version: format {found}, but this version reads {VERSION}"
        raise CheckpointError(name, reason)
    if digest != [hashlib.sha256(content).hexdigest().encode()]:
        raise CheckpointError(name, "the file is damaged")
    with np.load(io.BytesIO(content)) as arrays:
        return _checkpoint(name, dict(arrays), spec_class)


def _arrays(checkpoint: Checkpoint) -> dict[str, NDArray[Any]]:
    """Return a checkpoint as named arrays; "facts" is JSON with all that is not an array."""
    spec, subtrees, ready, past, explored, seconds = checkpoint
    facts = {
        "spec": type(spec).__name__,
        "ready": ready,
        "explored": explored,
        "seconds": seconds,
        "subtrees": [
            {
                "weight": subtree.weight,
                "explored_offset": subtree.explored_offset,
                "is_done": subtree.is_done,
                "found": list(subtree.found),
            }
            for subtree in subtrees
        ],
    }
    content = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    arrays: dict[str, NDArray[Any]] = {"facts": content, "past": past}
    arrays |= _with_prefix("spec.", spec.arrays())
    for k, subtree in enumerate(subtrees):
        arrays |= _with_prefix(f"{k}.", subtree.state.arrays())
    return arrays


def _checkpoint(
    name: str, arrays: Mapping[str, NDArray[Any]], spec_class: type[SearchSpec]
) -> Checkpoint:
    """Restore a checkpoint from the arrays of a file. Raises as `load_checkpoint` does."""
    facts = json.loads(arrays["facts"].tobytes())
    if facts["spec"] != spec_class.__name__:
        raise CheckpointError(name, f"a search of another kind ({facts['spec']})")
    spec = spec_class.from_arrays(_without_prefix("spec.", arrays))
    subtrees = []
    for k, fields in enumerate(facts["subtrees"]):
        fields["found"] = deque(fields["found"])
        subtrees.append(Subtree(spec.restore(_without_prefix(f"{k}.", arrays)), **fields))
    past, explored, seconds = arrays["past"], facts["explored"], facts["seconds"]
    return Checkpoint(spec, subtrees, facts["ready"], past, explored, seconds)


def _with_prefix(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {prefix + name: array for name, array in arrays.items()}


def _without_prefix(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names start with a prefix, under the rest of their names."""
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
