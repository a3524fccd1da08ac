"""Problems whose numbers of covers are known from independent sources."""

from itertools import combinations, product

import dlx_numba as dlx
from dlx_numba.kernels.memo.item_order import narrow_order
from dlx_numba.kernels.memo.option_sets import encode_as_bits
from dlx_numba.kernels.memo.search import MemoSearch
from dlx_numba.runtime.interrupts import Stop, complete


def memo_of(problem, order, memory):
    """Return a search with a memo in an order of the items."""
    return MemoSearch(problem, order, complete(encode_as_bits(problem, order), Stop()), memory)


def narrow_order_of(problem, *limit):
    """Return an order with small boundaries."""
    return complete(narrow_order(problem, *limit), Stop())


def tilings(n_rows, n_columns, *sizes):
    """Tilings of a board with all fixed polyominoes of the given sizes, any number of each."""
    return dlx.example(
        "tilings", sizes=",".join(map(str, sizes)), region=f"{n_rows}x{n_columns}"
    ).cover()


def pigeons(n):
    """`n` + 1 pigeons in `n` holes: no cover, but weights prove it, and no coloring."""
    options = [[("pigeon", p), ("hole", h)] for p in range(n + 1) for h in range(n)]
    return dlx.ExactCover(options, secondary=[("hole", h) for h in range(n)])


def affine_plane(q):
    """The lines of a plane over a prime field, without vertical lines, as options."""
    lines = [(m, b) for m in range(q) for b in range(q)]
    return dlx.ExactCover([[(x, (m * x + b) % q) for x in range(q)] for m, b in lines])


def matchings(n):
    """Perfect matchings of the complete graph with `n` vertices."""
    return dlx.ExactCover(list(combinations(range(n), 2)))


def partitions(n):
    """Partitions of a set of `n` elements."""
    return dlx.ExactCover(
        [subset for size in range(1, n + 1) for subset in combinations(range(n), size)]
    )


def latin_squares(n):
    """Latin squares of order `n`: cells, and the symbols of rows and of columns."""
    triples = product(range(n), repeat=3)
    return dlx.ExactCover(
        [[("cell", r, c), ("row", r, v), ("column", c, v)] for r, c, v in triples]
    )


def pairs(n):
    """`n` items with two options each, in `n` components: 2**n covers."""
    return dlx.ExactCover([[item] for item in range(n) for _ in range(2)])
