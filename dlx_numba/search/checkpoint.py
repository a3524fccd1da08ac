"""Checkpoints: a search as a file, from which it can resume later.

The file starts with a line that states its kind, its format version and the SHA-256 digest of the
rest, which is an archive (`runtime.archive`): loading a checkpoint runs no code. It contains the
problem and, for each subtree, its counters and the path to its current node. Loading takes the
steps of the path again to rebuild the state of the search, which checks all that the file states.
"""

import hashlib
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from numpy.typing import NDArray

from ..kernels.subtree import Counters, Subtree
from ..runtime.archive import check_integers, pack, unpack, wrong_version
from ..runtime.errors import DlxError
from ..runtime.files import replace_file
from .spec import ExactCoverSpec

KIND = b"dlx_numba search"
VERSION = 5  # increased whenever the content of the file changes
ResultT = TypeVar("ResultT")

MAX_COUNTER = 2**60  # the sum with a limit fits into int64


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

    spec: ExactCoverSpec
    subtrees: list[Subtree]
    ready: list[list[int]]  # solutions that the next run returns first
    past: Counters  # (3,) covers, nodes and updates of subtrees that are done and removed
    explored: float  # the fraction of the tree that was explored in them
    seconds: float  # the time spent in runs
    n_pending: int  # solutions that an interrupted count has counted


def save_file(
    path: str | os.PathLike[str],
    kind: bytes,
    version: int,
    facts: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write a checkpoint of some kind, completely or not at all.

    Raises
    ------
    CheckpointError
        If `path` exists and is not a regular file.
    OSError
        If the file cannot be written. An existing file is then unchanged.
    """
    content = pack(facts, arrays)
    header = b"%s %d %s\n" % (kind, version, hashlib.sha256(content).hexdigest().encode())
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):
        raise CheckpointError(name, "not a regular file")
    replace_file(name, header, content)


def load_file(
    path: str | os.PathLike[str],
    kind: bytes,
    version: int,
    restore: Callable[[dict[str, Any], dict[str, NDArray[Any]]], ResultT],
) -> ResultT:
    """Read a checkpoint that `save_file` wrote.

    Parameters
    ----------
    path : str or path-like
    kind, version
        As for `save_file`.
    restore : callable
        Makes the result from the facts and arrays. It raises ArithmeticError, LookupError,
        TypeError or ValueError if they are inconsistent.

    Raises
    ------
    CheckpointError
        If the file is not a checkpoint, is damaged or inconsistent, or has another format version.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        header, content = file.readline(200), file.read()
    noun = kind.split()[-1].decode()
    if not header.startswith(kind + b" "):
        raise CheckpointError(name, f"not a saved {noun}")
    found, *digest = header[len(kind) :].split() or [b""]
    if found != b"%d" % version:
        raise CheckpointError(name, wrong_version(found.decode(errors="replace"), version))
    if digest != [hashlib.sha256(content).hexdigest().encode()]:
        raise CheckpointError(name, "the file is damaged")
    try:
        facts, arrays = unpack(content)
    except ValueError as error:
        raise CheckpointError(name, str(error)) from None
    try:
        return restore(facts, arrays)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise CheckpointError(name, f"the {noun} in the file is inconsistent") from error


def save_checkpoint(path: str | os.PathLike[str], checkpoint: Checkpoint) -> None:
    """Write a checkpoint of a search, as `save_file` does."""
    save_file(path, KIND, VERSION, *_content(checkpoint))


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """Read a checkpoint that `save_checkpoint` wrote, as `load_file` does."""
    return load_file(path, KIND, VERSION, _checkpoint)


def _content(checkpoint: Checkpoint) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return a checkpoint as JSON values and arrays."""
    spec, subtrees, ready, past, explored, seconds, n_pending = checkpoint
    spec_facts, arrays = spec.content()
    facts = {
        "problem": spec_facts,
        "ready": ready,
        "past": past.tolist(),
        "explored": explored,
        "seconds": seconds,
        "n_pending": n_pending,
        "subtrees": [
            {
                "path": None if subtree.is_done else subtree.path(),
                "counters": subtree.counters.tolist(),
                "weight": subtree.weight,
                "explored_offset": subtree.explored_offset,
                "found": list(subtree.found),
            }
            for subtree in subtrees
        ],
    }
    return facts, arrays


def _checkpoint(facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Checkpoint:
    """Restore a checkpoint from the content of a file.

    Raises ArithmeticError, LookupError, TypeError or ValueError if the content is inconsistent.
    """
    spec = ExactCoverSpec.from_content(facts["problem"], arrays)
    unstarted = spec.start()
    subtrees = []
    for fields in facts["subtrees"]:
        subtree = unstarted.copy()
        subtree.weight = _check_number(fields["weight"])
        subtree.explored_offset = _check_number(fields["explored_offset"])
        subtree.found.extend(fields["found"])
        if fields["path"] is None:
            subtree.finish()
        else:
            subtree.follow(fields["path"])
        subtree.counters = _check_counters(fields["counters"], len(subtree.found))
        subtrees.append(subtree)
    ready, past = facts["ready"], _check_counters(facts["past"])
    if not isinstance(ready, list):
        raise TypeError("expected a list of solutions")
    spec.check([*ready, *(solution for subtree in subtrees for solution in subtree.found)])
    explored, seconds = _check_number(facts["explored"]), _check_number(facts["seconds"])
    n_pending = int(check_integers([facts["n_pending"]], 0, MAX_COUNTER)[0])
    return Checkpoint(spec, subtrees, ready, past, explored, seconds, n_pending)


def _check_counters(values: Any, n_found: int = 0) -> Counters:
    """Return counters from a file. Raises ValueError if they are invalid."""
    counters = check_integers(values, 0, MAX_COUNTER)
    if len(counters) != 3 or counters[0] < n_found:
        raise ValueError("expected three counters")
    return counters


def _check_number(value: Any) -> float:
    """Return a finite number from a file. Raises TypeError or ValueError if it is invalid."""
    if not abs(value) < MAX_COUNTER:
        raise ValueError("expected a number")
    return float(value)
