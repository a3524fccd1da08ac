"""A file that grows beside its name, and gets its name when it is complete.

`FILE.part` has the records so far. Beside it, `FILE.part.json` says what they depend on, how many
bytes of them are certain, and the progress of the run at that point, from which another run
continues. The data reaches the disk before this file does, so both agree after any end of the
process.
"""

import json
import os
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from typing import IO, Any

from .files import lock_path, name_file, replace_file
from .parquet import convert_csv, is_parquet
from .text import plural

FORMAT = "dlx_numba part"
VERSION = 1
SECONDS_PER_SAVE = 1.0  # the work that a kill can cost


def is_streamed(path: str) -> bool:
    """Return whether an output is written directly: standard output (`-`), a pipe or a device."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path))


def part_name(path: str) -> str:
    """Return the name of the file that grows: it is beside the file that a link refers to.

    What is written directly keeps its name.
    """
    if is_streamed(path):
        return path
    return f"{os.path.realpath(path) if os.path.islink(path) else path}.part"


class PartialFile:
    """A file that grows as `FILE.part`.

    Parameters
    ----------
    path
        The file. If it is a symbolic link, the file that it refers to is replaced.
    origin
        What the content depends on, as texts by name; None if no other run can continue it.
    resume
        Whether to continue the file of an earlier run, if there is one.
    program
        The program and its version, for messages of later versions.

    Attributes
    ----------
    raw
        The open file, without a buffer; records are appended to it.
    origin
        The parameter.
    shown
        The name of the file that grows, in messages.
    is_parquet
        Whether the name that was given is one of Parquet.
    texts
        The titles of columns of texts, if the file is one of Parquet. It grows in CSV.
    marked
        The number of bytes that are certain.
    progress
        The last progress that was marked, also by the run that is continued; empty at the start.

    Raises
    ------
    ValueError
        If another process writes the file, or an earlier run does not permit this one.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "records")
    >>> origin = {"command": "count"}
    >>> part = PartialFile(path, origin)
    >>> _ = part.raw.write(b"1\\n2\\n")
    >>> part.mark({"records": 2})
    >>> part.close()
    True
    >>> part = PartialFile(path, origin, resume=True)
    >>> part.progress
    {'records': 2}
    >>> _ = part.raw.write(b"3\\n")
    >>> part.complete()
    >>> os.listdir(folder.name), open(path).read()
    (['records'], '1\\n2\\n3\\n')
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str,
        origin: dict[str, str] | None = None,
        resume: bool = False,
        program: str = "dlx_numba",
    ) -> None:
        self.path = os.path.realpath(path)
        self.part = f"{self.path}.part"
        self.sidecar = f"{self.part}.json"
        self.shown = part_name(path)
        self.is_parquet = is_parquet(path)
        self.origin = origin
        self._program = program
        self.texts: Collection[str] = ()
        self.marked = 0
        self.progress: dict[str, Any] = {}
        is_new = not os.path.exists(self.part)
        self._file = self._lock()
        self.raw: Any = self._file.raw  # type: ignore[attr-defined]
        try:
            self._continue(resume, is_new)
        except BaseException:
            self._file.close()
            raise
        self._save_time = 0.0  # the first mark is saved at once

    def _lock(self) -> IO[bytes]:
        """Open the file, unless another process writes it."""
        try:
            return lock_path(self.part)
        except BlockingIOError:
            raise ValueError(f"{self.shown}: another process is writing this file") from None

    def _continue(self, resume: bool, is_new: bool) -> None:
        """Truncate the file to what is certain, or to nothing if no run is continued.

        What a run has left that nobody can continue is removed, unless this run is to continue it.
        Raises ValueError if this run may neither remove nor continue what is there. `is_new` says
        that there was no file before.
        """
        written = self.size
        # The last run may have been killed before it removed the other file.
        saved = {} if is_new else self._load(written)
        # Commands count in "done" what they have read, also if they write nothing for it.
        is_begun = saved and (saved["bytes"] or saved["state"].get("done"))
        can_continue = saved and saved["origin"] is not None
        if is_begun and can_continue:
            records = plural(saved["state"].get("written", 0), "record")
            if not resume:
                raise ValueError(
                    f"{self.shown} has {records} of an unfinished run: continue it with "
                    "--resume, or remove the file"
                )
            self._compare(saved["origin"])
            if written < saved["bytes"]:
                raise ValueError(f"{self.shown} has lost records that it had; remove the file")
            self.marked = saved["bytes"]
            self.progress = saved["state"]
        elif saved and resume and self.origin is not None and not can_continue:
            raise ValueError(f"{self.shown} is of a run that cannot be continued; remove the file")
        os.ftruncate(self.raw.fileno(), self.marked)
        self.save()

    def _load(self, written: int) -> dict[str, Any]:
        """Return what was saved about the file; nothing if it is new.

        `written` is its size. Even of an empty file, it matters what an earlier run left out.
        Raises ValueError if this program has not saved it, or another version has.
        """
        try:
            with open(self.sidecar, "rb") as file:
                saved = json.loads(file.read())
            if saved["format"] != FORMAT:
                raise ValueError
            program = saved["program"]
            if saved["version"] == VERSION:
                kinds = {"bytes": int, "state": dict, "origin": dict | None}
                if not all(isinstance(saved[field], kind) for field, kind in kinds.items()):
                    raise TypeError
                if min(saved["bytes"], saved["state"].get("written", 0)) < 0:  # or TypeError
                    raise ValueError
                is_left_out = not saved["bytes"] and saved["state"].get("done")
                return dict(saved) if written or is_left_out else {}
        except FileNotFoundError:
            if not written:
                return {}
            raise ValueError(
                f"{self.shown} exists, and is not known to be an unfinished output; remove the file"
            ) from None
        except (KeyError, ValueError, TypeError):
            raise ValueError(f"{self.shown}.json is damaged; remove both files") from None
        raise ValueError(
            f"{self.shown} was written by {program}, which this version cannot continue; remove "
            "the file"
        )

    def _compare(self, origin: dict[str, str]) -> None:
        """Raise ValueError unless the file depends on the same as the one of this run."""
        now = self.origin or {}
        for name in origin | now:
            before, after = (each.get(name, "absent") for each in (origin, now))
            if before != after:
                raise ValueError(
                    f"{self.shown} is of another run: {name} was {before}, and is {after}"
                )

    @property
    def size(self) -> int:
        """The number of bytes that are written."""
        return os.fstat(self.raw.fileno()).st_size

    def mark(self, progress: dict[str, Any], is_saved: bool = False) -> None:
        """Note that what is written is complete, and the progress at this point.

        It is saved at once, or from time to time.
        """
        self.marked = self.size
        self.progress = progress
        if is_saved or time.monotonic() >= self._save_time:
            self.save()

    def copy_existing(self) -> None:
        """Begin with the content of the file that has the name, if there is one."""
        with suppress(FileNotFoundError), open(self.path, "rb") as file:
            while block := file.read(1 << 20):
                self._file.write(block)
            self._file.flush()

    def truncate(self, size: int, progress: dict[str, Any]) -> None:
        """Return to an earlier mark."""
        self.marked = size
        self.progress = progress
        self.save()
        os.ftruncate(self.raw.fileno(), size)

    def save(self) -> None:
        """Save the last mark, so that a kill cannot lose what precedes it."""
        os.fsync(self.raw.fileno())
        saved = {
            "format": FORMAT,
            "version": VERSION,
            "program": self._program,
            "bytes": self.marked,
            "origin": self.origin,
            "state": self.progress,
        }
        replace_file(self.sidecar, json.dumps(saved).encode())
        self._save_time = time.monotonic() + SECONDS_PER_SAVE

    def complete(self) -> None:
        """Give the file its name, as Parquet if this says so."""
        if self.is_parquet:
            self._close_if_locked()
            draft = f"{self.part}.draft"
            convert_csv(partial(open, self.part, "rb"), draft, self.texts)
            with open(draft, "r+b") as file:
                name_file(file, self.path)
            os.unlink(self.part)
        else:
            name_file(self._file, self.path)
        os.unlink(self.sidecar)
        self._file.close()

    @property
    def is_begun(self) -> bool:
        """Whether another run can continue the file: records are certain, or were left out."""
        return self.origin is not None and bool(self.marked or self.progress.get("done"))

    def close(self, is_kept: bool = True) -> bool:
        """Leave the file to another run; remove it if there is nothing to keep.

        Return whether it has been saved for another run.
        """
        with suppress(OSError), self._file:  # if the disk is full, the last mark remains
            if is_kept and (self.size or self.is_begun):
                self.save()
                return True
            os.ftruncate(self.raw.fileno(), 0)  # an empty file needs no other one beside it
            os.unlink(self.sidecar)
            self._close_if_locked()
            os.unlink(self.part)
        return False

    def _close_if_locked(self) -> None:
        """Close the file on Windows, where nobody else can read or remove it while it is open."""
        if sys.platform == "win32":
            self._file.close()
