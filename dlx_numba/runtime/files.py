"""Files: atomic replacement, terminals, and the user's cache directory."""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from importlib.abc import Traversable

_locked: WeakSet[IO[bytes]] = WeakSet()  # files, which a forked process must not keep locked
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: [file.close() for file in _locked])

DRAFT_CHARACTERS = 40  # of the name; a name has at most 255 bytes, a character at most 4


class RecordWriter(RawIOBase):
    """Write complete records: if a call of `write` fails, a regular file is as it was before it.

    Parameters
    ----------
    raw
        A file without a buffer, which stays open.
    """

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.name = getattr(raw, "name", None)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.raw.fileno()

    def isatty(self) -> bool:
        return bool(self.raw.isatty())

    def write(self, records: Any) -> int:
        """Write all records or none: after an exception, a file is as long as before."""
        size = regular_file_size(self.raw)
        try:
            remaining = memoryview(records)
            while remaining:
                n_written = self.raw.write(remaining)
                if n_written is None:  # a pipe that does not block is full
                    raise BlockingIOError(errno.EAGAIN, "the output does not accept data now")
                remaining = remaining[n_written:]
        except BaseException:
            if size is not None:
                with suppress(OSError):
                    os.ftruncate(self.raw.fileno(), size)
                    os.lseek(self.raw.fileno(), size, os.SEEK_SET)
            raise
        return len(records)


def regular_file_size(file: Any) -> int | None:
    """Return the size of a regular file; None for pipes and streams without a descriptor."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def replace_file(path: str | os.PathLike[str], *contents: bytes | memoryview) -> None:
    """Write a file atomically, as `stream_file` does.

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
    stream_file(path, contents)


def stream_file(path: str | os.PathLike[str], contents: Iterable[bytes | memoryview]) -> None:
    """Write a file atomically: an existing file is replaced by the complete file, or unchanged.

    The contents are written to a temporary file in the same directory (a draft), which is renamed
    after it has reached the disk. Devices and pipes are written directly.

    Parameters
    ----------
    path : str or path-like
        The file. If it is a symbolic link, the file that it refers to is replaced.
    contents : iterable of bytes-like
        The parts of the content. If it raises an exception, the file is unchanged.

    Raises
    ------
    OSError
        If the file cannot be written completely.
    """
    name = os.path.realpath(os.fsdecode(path))
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            file.writelines(contents)
        return
    directory, base = os.path.split(name)
    # Other threads, and processes of other machines, may write the same file.
    from secrets import token_hex  # loading it takes milliseconds

    draft = os.path.join(directory, f"{base[:DRAFT_CHARACTERS]}.{token_hex(8)}.draft")
    try:
        with open(draft, "xb") as file:
            file.writelines(contents)
            file.flush()
            name_file(file, name)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(draft)
        if isinstance(error, OSError) and error.filename == draft:
            error.filename = os.fsdecode(path)
        raise


def name_file(file: IO[bytes], name: str) -> None:
    """Give a complete file its name, after it has reached the disk."""
    os.fsync(file.fileno())
    with suppress(OSError):  # there is no file yet, or it belongs to another user
        shutil.copymode(name, file.name)
    if sys.platform == "win32":  # which renames no open file
        file.close()
    os.replace(file.name, name)


def lock_file(path: str | os.PathLike[str]) -> IO[bytes]:
    """Return a file that only one caller, in any process, can have open in this way.

    Closing the file, or the end of the process, unlocks it; in forked processes, it is closed. File
    systems without locks lock nothing.

    Raises
    ------
    BlockingIOError
        If another one has locked it.
    OSError
        If the file cannot be written.
    """
    file = open(path, "ab")  # noqa: SIM115  (the caller closes it)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            from fcntl import LOCK_EX, LOCK_NB, flock

            flock(file, LOCK_EX | LOCK_NB)
    except OSError as error:
        # Any other error means that the file system has no locks.
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            file.close()
            raise BlockingIOError(errno.EAGAIN, "it is in use", os.fspath(path)) from None
    _locked.add(file)
    return file


def lock_path(path: str) -> IO[bytes]:
    """Lock the file that has a name, as `lock_file` does.

    Another process may rename or remove the file after it is opened here, and before it is locked.
    Then the next one with this name is locked.
    """
    while True:
        file = lock_file(path)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(path), os.fstat(file.fileno())):
                return file
        file.close()  # meanwhile, another process has completed it


@contextmanager
def locking(path: str) -> Iterator[None]:
    """Lock a file that is replaced in the block: `PATH.lock` is beside it until its end.

    Raises ValueError if another process has locked it. In a folder that cannot be written, nothing
    is locked.
    """
    lock_name = f"{os.path.realpath(path)}.lock"
    try:
        file = lock_path(lock_name)
    except BlockingIOError:
        raise ValueError(f"{path}: another process is writing this file") from None
    except OSError:
        yield
        return
    try:
        yield
    finally:
        if sys.platform == "win32":  # which removes no open file
            file.close()
        with suppress(OSError):
            os.unlink(lock_name)
        file.close()


def is_terminal(stream: Any) -> bool:
    """Return whether a stream is a terminal. A program may have closed or replaced its streams."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def user_directory() -> Path:
    """Return the user's cache directory: `$DLX_NUMBA_CACHE_DIR`, or the platform's."""
    if directory := os.environ.get("DLX_NUMBA_CACHE_DIR"):
        return Path(directory)
    try:
        home = Path.home()
    except RuntimeError:  # an unknown user, as in some containers
        home = Path(os.devnull)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home) / "dlx_numba" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "dlx_numba"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "dlx_numba"


def is_private(path: Path) -> bool:
    """Return whether a file or a directory belongs to the user, and only the user can write it."""
    if not hasattr(os, "getuid"):  # on Windows, the directories of users are private
        return True
    try:
        status = path.stat()
    except OSError:
        return False
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def bundled_directories(installed: str, checkout: str) -> "tuple[Traversable, Traversable]":
    """Return the directories that a file of the package may be in: installed, or in a checkout.

    The package may be in an archive.
    """
    from importlib.resources import files  # slow, and rarely needed

    return files("dlx_numba") / installed, Path(__file__).parents[2] / checkout
