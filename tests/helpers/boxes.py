"""The shape of a box, for oracles, which share no code with the package."""

from typing import NamedTuple


class BoxShape(NamedTuple):
    """A box of `rows` × `columns` cells, of a board with as many values."""

    rows: int
    columns: int

    @property
    def n(self) -> int:
        return self.rows * self.columns

    @property
    def cells(self) -> int:
        return self.n**2
