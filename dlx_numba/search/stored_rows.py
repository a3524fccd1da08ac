"""Rows of words in files."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np

from ..kernels.memo.explore import Words
from ..runtime.interrupts import Steps
from .checkpoint import CheckpointError

CHUNK_BYTES = 1 << 22  # of a file, read between two checks of `stop`


@dataclass(frozen=True)
class StoredRows:
    """Rows in a file, which NumPy reads when it converts them to an array."""

    path: str
    width: int  # the number of words of a row
    begin: int  # the first word
    end: int

    def __len__(self) -> int:
        return (self.end - self.begin) // self.width

    def __getitem__(self, rows: slice) -> "StoredRows":
        begin, end = (self.begin + self.width * k for k in rows.indices(len(self))[:2])
        return replace(self, begin=begin, end=end)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of words of a row."""
        return len(self), self.width

    @property
    def nbytes(self) -> int:
        """The size of the rows in the file."""
        return 8 * (self.end - self.begin)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Words:
        rows = np.fromfile(self.path, np.uint64, self.end - self.begin, offset=8 * self.begin)
        if len(rows) < self.end - self.begin:
            raise CheckpointError(self.path, "the file is incomplete")
        return rows.reshape(-1, self.width)


Rows = Any  # an array of words, or `StoredRows`


def store_rows(file: BinaryIO, rows: Rows) -> StoredRows:
    """Append rows to a file, unless they are in one."""
    if isinstance(rows, StoredRows):
        return rows
    begin = file.tell() // 8
    file.write(np.ascontiguousarray(rows).data)
    return StoredRows(file.name, rows.shape[1], begin, begin + rows.size)


def rows_to_json(rows: StoredRows) -> dict[str, Any]:
    """Return the facts from which `StoredRows` can be made again, with the name of the file."""
    return {**asdict(rows), "path": Path(rows.path).name}


def checksum_of(path: str | Path) -> Steps[int]:
    """Return the checksum of a file. Pauses after each chunk."""
    checksum = 0
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            checksum = crc32(chunk, checksum)
            yield
    return checksum


def check_rows(path: Path, checksum: int) -> Steps[None]:
    """Raise CheckpointError if a file is missing, or does not have the checksum. Pauses."""
    if not path.exists():
        raise CheckpointError(str(path), "the file is missing")
    found = yield from checksum_of(path)
    if found != checksum:
        raise CheckpointError(str(path), "the file is damaged: its checksum is wrong")
