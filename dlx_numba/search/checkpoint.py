"""A search as a file, from which it goes on later.

The file is a line that names its kind, its version and the SHA-256 of what follows: NumPy's `.npz`
without any pickled object, so that to load one runs no code.
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

from ..kernels.algorithm_m import Bounds
from ..kernels.algorithm_x import Dance
from ..kernels.links import Colors, Links
from ..kernels.problem import Problem
from ..kernels.searching import State
from .spec import Task
from .subtree import Part

KIND = b"dlx_numba search"
VERSION = 1
DRAFT = ".draft"  # what a file is called, behind the number of its process, until it is whole


class CheckpointError(ValueError):
    """A file that holds no search to go on with: `path` and `reason` tell."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class Checkpoint(NamedTuple):
    """All that a `Search` consists of."""

    task: Task
    parts: list[Part]
    ready: list[list[int]]
    past: NDArray[np.int64]
    explored: float
    seconds: float


def save_checkpoint(path: str | os.PathLike[str], checkpoint: Checkpoint) -> None:
    """Write the file, or leave the one that is there as it was.

    Raises CheckpointError where what is there is no file, OSError where it cannot be written.
    """
    text = io.BytesIO()
    np.savez(text, **_arrays(checkpoint))  # type: ignore[arg-type]  # NumPy: allow_pickle is a name
    content = text.getbuffer()
    head = b"%s %d %s\n" % (KIND, VERSION, hashlib.sha256(content).hexdigest().encode())
    name = os.fspath(path)
    if os.path.exists(name) and not os.path.isfile(name):
        raise CheckpointError(name, "no regular file")
    _remove_drafts(name)
    draft = f"{name}.{os.getpid()}{DRAFT}"
    try:
        with open(draft, "wb") as file:
            file.write(head)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, name)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _remove_drafts(name: str) -> None:
    """Remove what processes that were killed while they saved have left."""
    for draft in glob.glob(glob.escape(name) + ".*" + DRAFT):
        process = draft[len(name) + 1 : -len(DRAFT)]
        if process.isdecimal() and not _is_alive(int(process)):
            with suppress(OSError):
                os.unlink(draft)


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        return True  # there is no telling
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def load_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """What `save_checkpoint` wrote. Raises CheckpointError, and OSError."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        head, content = file.readline(200), file.read()
    if not head.startswith(KIND + b" "):
        raise CheckpointError(name, "no search that was saved")
    written, *digest = head[len(KIND) :].split() or [b""]
    if written != b"%d" % VERSION:
        version = written.decode(errors="replace")
        reason = f"saved by another version (its form is {version}, {VERSION} is known here)"
        raise CheckpointError(name, reason)
    if digest != [hashlib.sha256(content).hexdigest().encode()]:
        raise CheckpointError(name, "the file is damaged")
    with np.load(io.BytesIO(content)) as arrays:
        return _checkpoint(dict(arrays))


def _arrays(checkpoint: Checkpoint) -> dict[str, NDArray[Any]]:
    task, parts, ready, past, explored, seconds = checkpoint
    facts = {
        "given": task.given,
        "choose": task.choose,
        "sharps": task.sharps,
        "seed": task.seed,
        "n_primary": task.problem.n_primary,
        "n_secondary": task.problem.n_secondary,
        "ready": ready,
        "explored": explored,
        "seconds": seconds,
        "parts": [
            {"share": part.share, "before": part.before, "done": part.is_done}
            | {"found": list(part.found)}
            for part in parts
        ],
    }
    arrays: dict[str, NDArray[Any]]
    arrays = {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8), "past": past}
    named: dict[str, Any] = task.problem._asdict() | {"numbers": task.numbers}
    for k, part in enumerate(parts):
        for kind, group in zip(State._fields, part.state, strict=True):
            if group is not None:
                named |= {f"{k}.{kind}.{name}": each for name, each in group._asdict().items()}
    return arrays | {name: each for name, each in named.items() if isinstance(each, np.ndarray)}


def _checkpoint(arrays: Mapping[str, NDArray[Any]]) -> Checkpoint:
    facts = json.loads(arrays["facts"].tobytes())
    problem = Problem(
        **{name: arrays.get(name) for name in Problem._fields}
        | {name: facts[name] for name in ("n_primary", "n_secondary")}
    )
    task = Task(
        problem,
        arrays.get("numbers"),
        facts["given"],
        facts["choose"],
        facts["sharps"],
        facts["seed"],
    )
    parts = [
        Part(
            State(*(_group(arrays, f"{k}.{kind}.", make) for kind, make in _GROUPS.items())),
            each["share"],
            each["before"],
            each["done"],
            found=deque(each["found"]),
        )
        for k, each in enumerate(facts["parts"])
    ]
    how_far = (facts["ready"], arrays["past"], facts["explored"], facts["seconds"])
    return Checkpoint(task, parts, *how_far)


_GROUPS: dict[str, Any] = {"links": Links, "colors": Colors, "bounds": Bounds, "dance": Dance}


def _group(arrays: Mapping[str, NDArray[Any]], prefix: str, make: Any) -> Any:
    """The named tuple whose arrays have that prefix, or None."""
    if prefix + make._fields[0] not in arrays:
        return None
    return make(*(np.require(arrays[prefix + name], None, ["C", "W"]) for name in make._fields))
