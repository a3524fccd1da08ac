"""Checkpoints: a search as a file, from which it can resume later.

The file starts with a line that states its kind, its format version and the SHA-256 digest of the
rest, which is NumPy's `.npz` format without pickled objects: loading a checkpoint runs no code.
"""

import glob
import hashlib
import io
import json
import os
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.branching import BranchingRule
from ..kernels.problem import Problem
from .protocol import Counters
from .spec import SearchSpec
from .subtree import Subtree

KIND = b"dlx_numba search"
VERSION = 2
DRAFT_SUFFIX = ".draft"  # of the temporary file, after the process ID


class CheckpointError(ValueError):
    """A file is not a usable checkpoint.

    Attributes
    ----------
    path, reason : str
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class Checkpoint(NamedTuple):
    """The complete state of a `Search`."""

    spec: SearchSpec
    subtrees: list[Subtree]
    ready: list[list[int]]  # solutions to be returned next
    past: Counters  # covers, nodes and updates of subtrees that are done and removed
    explored: float  # the fraction of the tree that was explored in them
    seconds: float


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
    _remove_stale_drafts(name)
    draft = f"{name}.{os.getpid()}{DRAFT_SUFFIX}"
    try:
        with open(draft, "wb") as file:
            file.write(header)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, name)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _remove_stale_drafts(name: str) -> None:
    """Remove the drafts of processes that were killed while they saved."""
    for draft in glob.glob(glob.escape(name) + ".*" + DRAFT_SUFFIX):
        process = draft[len(name) + 1 : -len(DRAFT_SUFFIX)]
        if process.isdecimal() and not _is_alive(int(process)):
            with suppress(OSError):
                os.unlink(draft)


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        return True  # unknown
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a checkpoint that `save_checkpoint` wrote.

    Raises
    ------
    CheckpointError
        If the file is not a checkpoint, is damaged, or has another format version.
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
        return _checkpoint(dict(arrays))


def _arrays(checkpoint: Checkpoint) -> dict[str, NDArray[Any]]:
    """Return a checkpoint as named arrays; "facts" is JSON with everything that is not an array."""
    spec, subtrees, ready, past, explored, seconds = checkpoint
    facts = {
        "given": spec.given,
        "rule": [int(value) for value in spec.rule],
        "algorithm": spec.algorithm,
        "n_primary": spec.problem.n_primary,
        "n_secondary": spec.problem.n_secondary,
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
    arrays: dict[str, Any] = spec.problem._asdict() | {
        "facts": np.frombuffer(json.dumps(facts).encode(), np.uint8),
        "past": past,
        "option_numbers": spec.option_numbers,
    }
    for k, subtree in enumerate(subtrees):
        arrays |= {f"{k}.{name}": array for name, array in subtree.state.arrays().items()}
    return {name: array for name, array in arrays.items() if isinstance(array, np.ndarray)}


def _checkpoint(arrays: Mapping[str, NDArray[Any]]) -> Checkpoint:
    """Restore a checkpoint from its arrays."""
    facts = json.loads(arrays["facts"].tobytes())
    sizes = {name: facts[name] for name in ("n_primary", "n_secondary")}
    problem = Problem(**{name: arrays.get(name) for name in Problem._fields} | sizes)
    spec = SearchSpec(
        problem,
        arrays.get("option_numbers"),
        facts["given"],
        BranchingRule(*facts["rule"]),
        facts["algorithm"],
    )
    subtrees = []
    for k, each in enumerate(facts["subtrees"]):
        prefix = f"{k}."
        own = {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}
        each["found"] = deque(each["found"])
        subtrees.append(Subtree(spec.restore(own), **each))
    past, explored, seconds = arrays["past"], facts["explored"], facts["seconds"]
    return Checkpoint(spec, subtrees, facts["ready"], past, explored, seconds)
