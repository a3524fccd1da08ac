"""Partitions of a set."""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import ClassVar

from ..pictures.groups import circle, groups_picture
from .entry import Entry, Statement
from .parameters import check_range, parse_sizes

MAX_BLOCKS = 65_535  # all blocks of 16 numbers; a memo counts the partitions within seconds


@dataclass(frozen=True)
class Partitions(Entry):
    """Partition the numbers from 1 to n into non-empty blocks.

    Items: each number.
    Options: each non-empty set of numbers, or each set of one of the given sizes.

    Parameters
    ----------
    n
        The largest number, from 1 to 16, or up to 30 with few `sizes`: there are at most 65,535
        blocks.
    sizes
        The sizes of the blocks, with commas between them. If empty, blocks may have any size.

    Notes
    -----
    The Bell numbers count the partitions (OEIS A000110). With blocks of one or two numbers, they
    correspond to the permutations that are their own inverse (A000085).

    >>> Partitions(4).cover().count(), Partitions(4, sizes="1,2").cover().count()
    (15, 10)
    >>> print(Partitions(4).text(Partitions(4).cover().first()))
    1 | 2 | 3 | 4
    """

    order_seed: ClassVar[int | None] = 393

    n: int = 8
    sizes: str = ""

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, 30)
        n_blocks = sum(comb(self.n, size) for size in self._block_sizes())
        if n_blocks > MAX_BLOCKS:
            raise ValueError(
                f"{self.n} numbers have {n_blocks:,} blocks of these sizes; up to {MAX_BLOCKS:,} "
                "are supported, for example those of up to 16 numbers"
            )

    def _block_sizes(self) -> list[int]:
        every = list(range(1, self.n + 1))
        return parse_sizes(self.sizes, self.n) if self.sizes else every

    def statement(self) -> Statement:
        numbers = range(1, self.n + 1)
        blocks = (block for size in self._block_sizes() for block in combinations(numbers, size))
        options = {f"{{{','.join(map(str, block))}}}": block for block in sorted(blocks)}
        return Statement(options, items=numbers)

    def text(self, solution: list[int]) -> str:
        return " | ".join(" ".join(map(str, block)) for block in self._chosen(solution))

    def svg(self, solution: list[int]) -> str:
        points = [(str(k), point) for k, point in enumerate(circle(self.n), 1)]
        blocks = [[k - 1 for k in block] for block in self._chosen(solution)]
        return groups_picture(f"A partition of {self.n} numbers", points, blocks, 0.9)
