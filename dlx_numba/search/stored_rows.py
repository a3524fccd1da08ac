"""Rows of words in files."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..kernels.memo.explore import Words
from .checkpoint import CheckpointError


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

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Words:
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
