"""The assignments of a record in a compact form, which state.js decodes."""

from collections.abc import Iterator

from ..kernels.dlx.links import INACTIVE
from .record import Change, SearchRecord

Token = int | list[int] | None  # see `encode_changes`


class _Encoder:
    """The arrays of a record during its replay, which change with each assignment encoded."""

    def __init__(self, record: SearchRecord) -> None:
        self.arrays = {name: list(cells) for name, cells in record.arrays.items()}
        self.names = list(self.arrays)  # of the arrays, by their numbers in assignments
        self.cells = list(self.arrays.values())
        self.assignments = record.assignments
        self.n_items = len(record.arrays["size"]) - 1
        self.unlinked: list[int] = []  # the nodes and items that are unlinked, the last at the end

    def encode(self, change: Change) -> list[Token]:
        """Return the assignments of a change as tokens (see `encode_changes`), and perform them."""
        log = self.assignments[change.start : change.end].tolist()
        position = 0
        tokens: list[Token] = []
        last = change.item  # a token has the difference of a node from this one
        while position < len(log):
            group = sorted(log[position : position + 3])  # by the number of the array
            number, index, _ = group[0]
            # If these three unlink a node, the first one overwrites it, the `L` or `U` of the next.
            node = self.cells[number][index]
            if self.unlinked and group == self._assignments(self.unlinked[-1], restores=True):
                self.unlinked.pop()
                tokens.append(None)
            elif 0 < node < len(self.arrays["L"]) and group == self._assignments(
                node, restores=False
            ):
                self.unlinked.append(node)
                tokens.append(node - last)
                last = node
            else:
                group = log[position : position + 1]
                number, index, value = group[0]
                tokens.append([number, index, value - self.cells[number][index]])
            for number, index, value in group:
                self.cells[number][index] = value
            position += len(group)
        return tokens

    def _assignments(self, node: int, restores: bool) -> list[list[int]]:
        """Return the assignments that unlink or restore a node or an item.

        They are in the order of the arrays, as those of the log with which they are compared.
        """
        is_item = node <= self.n_items
        backward, forward = ("L", "R") if is_item else ("U", "D")
        before = self.arrays[backward][node]
        after = self.arrays[forward][node]
        item = self.arrays["column"][node]
        # Covering an item adds INACTIVE to its size; hiding a node takes 1 from that of its item.
        change = (int(INACTIVE) if is_item else -1) * (-1 if restores else 1)
        return [
            [self.names.index(backward), after, node if restores else before],
            [self.names.index(forward), before, node if restores else after],
            [self.names.index("size"), item, (self.arrays["size"][item] + change) % (1 << 32)],
        ]


def encode_changes(record: SearchRecord) -> Iterator[list[tuple[int, list[Token]]]]:
    """Yield the changes of each step as items and tokens.

    Three assignments unlink an item or a node, and three others restore it, in reverse order of
    unlinking. So a token is one of these:

    - None: restore the item or the node that was unlinked last;
    - a number: unlink an item or a node; the number is its difference from the one that the change
      unlinked before, or from its item;
    - a list: another assignment, as the number of an array, an index, and the difference from the
      old value.

    Parameters
    ----------
    record : Record

    Yields
    ------
    list of tuple
    """
    encoder = _Encoder(record)
    for step in record.steps:
        yield [(change.item, encoder.encode(change)) for change in step.changes]
