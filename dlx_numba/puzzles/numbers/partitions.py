"""Partitions of a set."""

from itertools import combinations
from math import comb

from ...cover.encode import Formulation
from ...pictures.graph import Graph
from ..parameters import check_range, parse_sizes
from ..puzzle import Puzzle

MAX_BLOCKS = 65_535  # all blocks of 16 numbers; a memo counts the partitions within seconds


def example(n: int = 8, sizes: str = "") -> Puzzle:
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

    >>> example(4).count(), example(4, sizes="1,2").count()
    (15, 10)
    >>> print(example(4).text(example(4).cover().first()))
    1 | 2 | 3 | 4
    """
    check_range("n", n, 1, 30)
    numbers = range(1, n + 1)
    block_sizes = parse_sizes(sizes, n) if sizes else list(numbers)
    n_blocks = sum(comb(n, size) for size in block_sizes)
    if n_blocks > MAX_BLOCKS:
        raise ValueError(
            f"{n} numbers have {n_blocks:,} blocks of these sizes; up to {MAX_BLOCKS:,} "
            "are supported, for example those of up to 16 numbers"
        )
    blocks = sorted(block for size in block_sizes for block in combinations(numbers, size))
    title = f"A partition of {n} numbers"
    groups = [tuple(map(str, block)) for block in blocks]
    picture = Graph(title, groups, [*map(str, numbers)], separators=(" ", " | "))
    options = {f"{{{','.join(group)}}}": block for group, block in zip(groups, blocks, strict=True)}
    return Puzzle(title, Formulation(options, numbers, view=picture), order_seed=393)
