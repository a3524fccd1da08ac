"""Atomic replacement of files."""

import glob
import os
import shutil
from contextlib import suppress

DRAFT_SUFFIX = ".draft"  # a temporary file is named "<path>.<process ID>.draft"


def replace_file(path: str | os.PathLike[str], *contents: bytes | memoryview) -> None:
    """Write a file atomically: an existing file is replaced by the complete file, or unchanged.

    The contents are written to a temporary file in the same directory (a draft), which is renamed
    after it has reached the disk. Devices and pipes are written directly. Drafts of processes that
    were killed are removed.

    Parameters
    ----------
    path : str or path-like
        The file. If it is a symbolic link, the file that it refers to is replaced.
    contents : bytes-like
        The parts of the content.

    Raises
    ------
    OSError
        If the file cannot be written completely.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     path = Path(directory, "file")
    ...     replace_file(path, b"some ", b"bytes")
    ...     path.read_bytes()
    b'some bytes'
    """
    name = os.path.realpath(path)
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            file.writelines(contents)
        return
    _remove_stale_drafts(name)
    draft = f"{name}.{os.getpid()}{DRAFT_SUFFIX}"
    try:
        with open(draft, "wb") as file:
            file.writelines(contents)
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):  # there is no file yet, or it belongs to another user
            shutil.copymode(name, draft)
        os.replace(draft, name)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _remove_stale_drafts(name: str) -> None:
    """Remove the drafts of processes that were killed while they wrote."""
    for draft in glob.glob(glob.escape(name) + ".*" + DRAFT_SUFFIX):
        process = draft[len(name) + 1 : -len(DRAFT_SUFFIX)]
        if process.isdecimal() and not _is_alive(int(process)):
            with suppress(OSError):
                os.unlink(draft)


def _is_alive(process: int) -> bool:
    """Return whether a process exists, or True if that is unknown."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
