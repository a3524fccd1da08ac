"""Published counts of the problems of the gallery."""

from math import factorial, prod

import pytest

from dlx_numba.gallery import (
    Calendar,
    Dominate,
    Knight,
    Langford,
    Latin,
    MacMahon,
    Matchings,
    Mates,
    Partitions,
    Polycubes,
    Polyiamonds,
    Polyominoes,
    Queens,
    Sudoku,
    Tetrasticks,
    Tilings,
    Words,
)

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python

BELL = [1, 2, 5, 15, 52, 203, 877, 4140]  # from n = 1

# From OEIS, TAOCP 7.2.2.1, Knuth's "Dancing Links" and D. Goodger's Polyform Puzzler
COUNTS = [
    *((Queens(n), count) for n, count in enumerate([1, 0, 0, 2, 10, 4, 40, 92, 352, 724], 1)),
    *((Langford(n, False), count) for n, count in enumerate([0, 0, 1, 1, 0, 0, 26, 150, 0], 1)),
    *((Latin(n), count) for n, count in enumerate([1, 2, 12, 576, 161280], 1)),
    (Latin(5, "123452....3....4....5...."), 56),  # reduced squares
    (Latin(6, "1234562.....3.....4.....5.....6....."), 9408),
    *(
        (Dominate(n, queens), count)
        for n, (queens, count) in enumerate(
            [(1, 1), (1, 4), (1, 1), (2, 12), (3, 186), (3, 4), (4, 86)], 1
        )
    ),
    pytest.param(Dominate(8, 5), 4860, marks=pytest.mark.thorough),
    *((Knight(3, n), count) for n, count in enumerate([0, 0, 0, 16, 0, 0, 104], 1)),
    (Knight(3, 4, closed=True), 0),
    (Knight(4, 4, closed=True), 0),
    pytest.param(Knight(5, 6, closed=True), 16, marks=pytest.mark.thorough),  # in both directions
    (Sudoku("2x2"), 288),
    (Calendar(), 25061),
    *((Calendar(*date), n) for date, n in [((1, 1), 64), ((1, 25), 216), ((10, 6), 7)]),
    (Mates(), 1),
    (MacMahon(3, 8), 0),
    (MacMahon(2, 12), 0),
    (Words(1, 4, "ABA,BA"), 2 * 3),  # with each ABA, two BA cross it, and one extends it
    (Words(2, 2, "NO,ON"), 12 * 7),
    *((Tilings("2", f"{n}x{n}"), count) for n, count in [(2, 2), (4, 36), (6, 6728)]),
    *((Tilings("4", f"{n}x{n}"), count) for n, count in [(2, 1), (4, 117), (6, 178939)]),
    (Tilings("2", "3x3"), 0),
    (Tilings("4", "1x3"), 0),
    (Tilings("1", "3x3"), 1),
    (Tilings("2", "3x3-1x1"), 2),
    *((Matchings(f"K{2 * n}"), prod(range(1, 2 * n, 2))) for n in range(1, 7)),
    *((Matchings(f"K{n},{n}"), factorial(n)) for n in range(1, 8)),
    (Matchings("6x6"), 6728),
    (Matchings("K7"), 0),
    (Matchings("K3,4"), 0),
    (Matchings("a-b,b-c,c-d,d-a"), 2),
    (Matchings("1x1"), 0),
    *((Partitions(n), count) for n, count in enumerate(BELL, 1)),
    (Partitions(1, sizes="1"), 1),
    *((Partitions(n, "1,2"), count) for n, count in enumerate([2, 4, 10, 26, 76, 232], 2)),
    (Partitions(6, sizes="3"), 10),
    (Polycubes(), 11520),
    (Polycubes("1x2x2", "A ##/#. B #"), 4),
    (Polycubes("#./##|#.", "A ##/#. B #"), 2),
    (Polycubes("2x2x2", "A ##/##|##/##"), 1),
]

# Built when they are tested: a constructor places all pieces.
PACKINGS = [
    (Polyominoes, {"region": "3x20"}, 4 * 2),
    (Polyominoes, {"region": "20x3", "symmetry": False}, 2),
    (Polyominoes, {"region": "4x15", "symmetry": False}, 368),
    (Polyominoes, {"symmetry": False}, 2339),
    (Polyominoes, {"region": "8x8-2x2", "symmetry": False}, 65),
    pytest.param(
        Polyominoes,
        {"region": "3x30", "sided": True, "symmetry": False},
        46,
        marks=pytest.mark.thorough,
    ),
    (Polyominoes, {"region": "4x5", "size": 4}, 0),  # ten black cells and ten white ones: T is odd
    (Polyominoes, {"region": "4x7", "size": 4, "sided": True}, 0),
    (Polyominoes, {"region": "2x1", "size": 2, "symmetry": False}, 1),
    (Polyominoes, {"region": "1x1", "size": 1, "symmetry": False}, 1),
    (Polyiamonds, {}, 4 * 156),
    (Polyiamonds, {"symmetry": False}, 156),
    (Polyiamonds, {"region": "4x9", "symmetry": False}, 74),
    (Polyiamonds, {"region": "4x11-4", "symmetry": False}, 76),
    (Polyiamonds, {"region": "11x11-11-7", "symmetry": False}, 76),  # the same, turned
    (Polyiamonds, {"region": "6x6-3-3", "pieces": "-GHJ", "symmetry": False}, 1),  # "Hexicator"
    (Polyiamonds, {"region": "6x6-3-3", "pieces": "-EHV", "symmetry": False}, 9),
    (Tetrasticks, {}, 72),
    (Tetrasticks, {"region": "4x4", "sided": True, "pieces": "FfHhRrTXYy", "symmetry": True}, 16),
]


@pytest.mark.parametrize(("entry", "count"), COUNTS, ids=lambda value: repr(value)[:60])
def test_known_counts(entry, count):
    assert entry.cover().count() == count


@pytest.mark.parametrize(("packing", "keywords", "count"), PACKINGS)
def test_known_counts_of_packings(packing, keywords, count):
    assert packing(**keywords).cover().count() == count


@pytest.mark.parametrize(("n", "transversals"), [(3, 3), (4, 0), (5, 15), (6, 0), (7, 133)])
def test_transversals_of_cyclic_squares(n, transversals):
    """OEIS A006717; there are none if n is even."""
    square = "/".join("".join(str((i + j) % n) for j in range(n)) for i in range(n))
    assert len(Mates(square).transversals) == transversals


@pytest.mark.thorough
def test_framed_squares_of_macmahon():
    """The square aaaa is next to a corner in 11,736 solutions, as in macmahon4x6f.dlx."""
    assert MacMahon().cover(given=["aaaa at 1,2"]).count() == 11736
