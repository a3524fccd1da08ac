"""Problems with many solutions: tilings, perfect matchings and set partitions."""

from functools import lru_cache
from itertools import chain
from math import factorial, prod

import pytest

from dlx_numba.gallery import Matchings, Partitions, Tilings
from dlx_numba.gallery.lattice.regions import format_outlines, parse_squares

BELL = [1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975, 678570, 4213597]  # from n = 1

SEARCHED = [
    *((Tilings("2", f"{n}x{n}"), count) for n, count in [(2, 2), (4, 36), (6, 6728)]),  # A004003
    *((Tilings("4", f"{n}x{n}"), count) for n, count in [(2, 1), (4, 117), (6, 178939)]),  # A263425
    (Tilings("2", "3x3"), 0),
    (Tilings("4", "1x3"), 0),
    (Tilings("1", "3x3"), 1),
    (Tilings("2", "3x3-1x1"), 2),
    *((Matchings(f"K{2 * n}"), prod(range(1, 2 * n, 2))) for n in range(1, 7)),  # A001147
    *((Matchings(f"K{n},{n}"), factorial(n)) for n in range(1, 8)),  # A000142
    (Matchings("6x6"), 6728),
    (Matchings("K7"), 0),
    (Matchings("K3,4"), 0),
    (Matchings("a-b,b-c,c-d,d-a"), 2),
    (Matchings("1x1"), 0),
    *((Partitions(n), count) for n, count in enumerate(BELL[:8], 1)),  # A000110
    *(  # A000085
        (Partitions(n, sizes="1,2" if n > 1 else "1"), count)
        for n, count in enumerate([1, 2, 4, 10, 26, 76, 232, 764], 1)
    ),
    (Partitions(6, sizes="3"), 10),
]


def name(value):
    return repr(value)[:60]


@pytest.mark.compiled
@pytest.mark.parametrize(("entry", "count"), SEARCHED, ids=name)
def test_known_counts_by_search(entry, count):
    assert entry.cover().count() == count


def fixed_polyominoes(size):
    """Return the polyominoes that differ by more than a translation, grown cell by cell."""
    shapes = {frozenset([(0, 0)])}
    for _ in range(size - 1):
        grown = set()
        for shape in shapes:
            for r, c in shape:
                for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                    if cell not in shape:
                        top = min(row for row, _ in shape | {cell})
                        left = min(column for _, column in shape | {cell})
                        grown.add(frozenset((i - top, j - left) for i, j in shape | {cell}))
        shapes = grown
    return shapes


@pytest.mark.parametrize(("size", "number"), [(1, 1), (2, 2), (3, 6), (4, 19), (5, 63), (6, 216)])
def test_options_are_all_placements_of_fixed_polyominoes(size, number):
    """OEIS A001168 counts the fixed polyominoes."""
    shapes = fixed_polyominoes(size)
    assert len(shapes) == number
    region = parse_squares("7x8-1x2")
    placed = {
        frozenset((r + down, c + right) for r, c in shape)
        for shape in shapes
        for down in range(1, 8)
        for right in range(1, 9)
    }
    options = Tilings(str(size), "7x8-1x2").statement().options
    found = {frozenset(option) for option in options}
    assert found == {cells for cells in placed if cells <= region}
    assert len(found) == len(options)


def test_partitions_by_recurrence():
    """The block of the largest number contains k of the others."""

    @lru_cache(None)
    def binomial(n, k):
        return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)

    bell = [1]
    for n in range(12):
        bell.append(sum(binomial(n, k) * bell[n - k] for k in range(n + 1)))
    assert bell[1:] == BELL


@pytest.mark.compiled
def test_pieces_of_a_tiling_are_outlined():
    tilings = Tilings("1,2,3", "4x5")
    solution = tilings.cover(choose="random", seed=5).first()
    pieces = [tilings.statement().options[option] for option in solution]
    lines = tilings.text(solution).splitlines()
    owner = {(r - 1, c - 1): k for k, piece in enumerate(pieces) for r, c in piece}
    assert (len(lines), {len(line) for line in lines}) == (9, {21})
    for r in range(4):
        for c in range(1, 5):
            is_divided = owner[r, c] != owner[r, c - 1]
            assert lines[2 * r + 1][4 * c] == (" │"[is_divided])
    for r in range(1, 4):
        for c in range(5):
            is_divided = owner[r, c] != owner[r - 1, c]
            assert lines[2 * r][4 * c + 2] == (" ─"[is_divided])


def test_outlines_of_separate_pieces():
    square, corner = frozenset([(0, 0)]), frozenset([(1, 1), (1, 2), (2, 1)])
    assert format_outlines([square, corner]).splitlines() == [
        "┌───┐",
        "│   │",
        "└───┼───────┐",
        "    │       │",
        "    │   ┌───┘",
        "    │   │",
        "    └───┘",
    ]


@pytest.mark.compiled
@pytest.mark.parametrize("graph", ["K8", "K3,3", "3x4", "up-down,down-left,left-right"])
def test_matching_has_each_vertex_once(graph):
    matchings = Matchings(graph)
    solution = matchings.cover(choose="random", seed=2).first()
    pairs = [pair.split("-") for pair in matchings.text(solution).split()]
    assert sorted(chain.from_iterable(pairs)) == sorted(matchings.statement().items)
    assert matchings.svg(solution).count("<circle") == 2 * len(pairs)


@pytest.mark.compiled
def test_partition_has_each_number_once():
    partitions = Partitions(9, sizes="2,3")
    solution = partitions.cover(choose="random", seed=2).first()
    blocks = [block.split() for block in partitions.text(solution).split(" | ")]
    assert sorted(chain.from_iterable(blocks)) == list("123456789")
    assert {len(block) for block in blocks} <= {2, 3}
    assert partitions.svg(solution).count("<circle") == 9


@pytest.mark.compiled
@pytest.mark.parametrize("entry", [Partitions(1), Matchings("K2"), Tilings("1", "1x1")], ids=name)
def test_smallest_problems_are_drawn(entry):
    assert "nan" not in entry.svg([0])
    assert entry.text([0])
