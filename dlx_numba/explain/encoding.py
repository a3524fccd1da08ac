"""The assignments of a record as compact bytes, which state.js decodes."""

import numpy as np
from numpy.typing import NDArray

from ..kernels.links import COVERED
from .record import Change, Record

RESTORE, ASSIGN, UNLINK = 0, 1, 2


class _Encoder:
    """The arrays of a record during its replay, and the code so far."""

    def __init__(self, record: Record) -> None:
        self.arrays = [list(cells) for cells in record.arrays.values()]
        self.number = {name: k for k, name in enumerate(record.arrays)}
        self.n_items = len(record.arrays["size"]) - 1
        self.unlinked: list[int] = []
        self.code = bytearray()

    def encode(self, change: Change, assignments: NDArray[np.int64]) -> None:
        """Encode the assignments of a change, and perform them."""
        log, k = assignments[change.start : change.end].tolist(), 0
        expected = self._first_hidden(change.item)
        while k < len(log):
            number, index, value = log[k]
            node = self.arrays[number][index]
            group = log[k : k + 3]
            if self.unlinked and group == self._links(self.unlinked[-1], restores=True):
                self.unlinked.pop()
                self._write(RESTORE)
            elif 0 < node < len(self.arrays[0]) and group == self._links(node, restores=False):
                self.unlinked.append(node)
                self._write(UNLINK + _zigzag(node - expected))
                expected = self._next_hidden(node, change.item)
            else:
                group = group[:1]
                for part in (ASSIGN, number, index, _zigzag(value - node)):
                    self._write(part)
            for number, index, value in group:
                self.arrays[number][index] = value
            k += len(group)

    def _links(self, node: int, restores: bool) -> list[list[int]]:
        """Return the assignments that unlink or restore a node or an item."""
        is_item = node <= self.n_items
        names = ("L", "R") if is_item else ("U", "D")
        backward, forward, size = (self.number[name] for name in (*names, "size"))
        before, after = self.arrays[backward][node], self.arrays[forward][node]
        item = node if is_item else self.arrays[self.number["column"]][node]
        change = (int(COVERED) if is_item else -1) * (-1 if restores else 1)
        return [
            [forward, before, node if restores else after],
            [backward, after, node if restores else before],
            [size, item, (self.arrays[size][item] + change) % (1 << 32)],
        ]

    def _first_hidden(self, item: int) -> int:
        """Return the node that covering an item probably hides first."""
        R, D = (self.arrays[self.number[name]] for name in "RD")
        return R[D[item]]

    def _next_hidden(self, node: int, item: int) -> int:
        """Return the node that covering an item probably hides after another one."""
        R, D, column = (self.arrays[self.number[name]] for name in ("R", "D", "column"))
        following = R[node]
        return R[D[following]] if column[following] == item else following

    def _write(self, number: int) -> None:
        """Append a number, in groups of 7 bits, the lowest first; bit 7 is set if more follow."""
        while number > 127:
            self.code.append(number & 127 | 128)
            number >>= 7
        self.code.append(number)


def _zigzag(number: int) -> int:
    """Map 0, -1, 1, -2, 2, ... to 0, 1, 2, 3, 4, ..."""
    return 2 * number if number >= 0 else -2 * number - 1


def encode_assignments(record: Record) -> bytes:
    """Encode the assignments of a record, step by step and change by change.

    Three assignments detach an item or hide a node, and three others undo this, in reverse order.
    So the code consists of numbers of variable length:

    - RESTORE: restore the item or the node that was unlinked last;
    - UNLINK + d: unlink an item or a node, d being the difference from the node that would be next
      if all options of the item of the change were hidden in order, as a zigzag code;
    - ASSIGN, followed by the number of an array, an index, and the difference from the old value.

    Parameters
    ----------
    record : Record

    Returns
    -------
    bytes
    """
    encoder = _Encoder(record)
    for step in record.steps:
        for change in step.changes:
            encoder.encode(change, record.assignments)
    return bytes(encoder.code)
