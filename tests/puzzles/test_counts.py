"""Published counts of examples."""

import shlex
from math import factorial

import pytest

from dlx_numba import example
from dlx_numba.puzzles.kind import examples
from dlx_numba.puzzles.parameters import with_parameters

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python

EXAMPLES = examples()

# From OEIS, TAOCP 7.2.2.1, Knuth's "Dancing Links" and D. Goodger's Polyform Puzzler
SEQUENCES = {  # from n = 1
    "queens n={0}": [1, 0, 0, 2, 10, 4, 40, 92, 352, 724],
    "langford n={0} symmetry=no": [0, 0, 1, 1, 0, 0, 26, 150, 0],
    "latin n={0}": [1, 2, 12, 576, 161280],
    "knight rows=3 columns={0}": [0, 0, 0, 16, 0, 0, 104],
    "matchings graph=K{0},{0}": [*map(factorial, range(1, 8))],
    "matchings graph=K{0}": [0, 1, 0, 3, 0, 15, 0, 105, 0, 945, 0, 10395],
    "tilings sizes=2 region={0}x{0}": [0, 2, 0, 36, 0, 6728],
    "tilings sizes=4 region={0}x{0}": [0, 1, 0, 117, 0, 178939],
    "partitions n={0}": [1, 2, 5, 15, 52, 203, 877, 4140],
}
COUNTS = """
latin n=5 givens=123452....3....4....5.... => 56
dominate n=1 queens=1 => 1
dominate n=7 queens=4 => 86
knight rows=4 columns=4 closed=yes => 0
mates => 1
macmahon rows=3 columns=8 => 0
words rows=1 columns=4 words=ABA,BA => 6
tilings sizes=2 region=3x3-1x1 => 2
matchings graph=K3,4 => 0
partitions n=7 sizes=1,2 => 232
polycubes => 11520
polycubes 'region=#./##|#.' 'pieces=A ##/#. B #' => 2
polycubes region=2x2x2 'pieces=A ##/##|##/##' => 1
polyominoes region=3x20 => 8
polyominoes symmetry=no => 2339
polyominoes region=8x8-2x2 symmetry=no => 65
polyominoes region=4x5 size=4 => 0
polyominoes region=4x7 size=4 sided=yes => 0
polyominoes region=2x1 size=2 symmetry=no => 1
polyominoes region=1x1 size=1 symmetry=no => 1
polyiamonds => 624
polyiamonds region=4x11-4 symmetry=no => 76
polyiamonds region=11x11-11-7 symmetry=no => 76
polyiamonds region=6x6-3-3 pieces=-EHV symmetry=no => 9
tetrasticks => 72
"""
LONG_COUNTS = """
dominate n=8 queens=5 => 4860
knight rows=5 columns=6 closed=yes => 16
polyominoes region=3x30 sided=yes symmetry=no => 46
"""


def rows(table):
    return [line.split(" => ") for line in table.strip().split("\n")]


@pytest.mark.parametrize(
    ("entry", "count"),
    [
        *(
            (text.format(n), k)
            for text, counts in SEQUENCES.items()
            for n, k in enumerate(counts, 1)
        ),
        *rows(COUNTS),
        *(pytest.param(*row, marks=pytest.mark.thorough) for row in rows(LONG_COUNTS)),
    ],
)
def test_known_counts(entry, count):
    name, *parameters = shlex.split(entry)
    assert with_parameters(EXAMPLES[name], parameters).cover().count() == int(count)


@pytest.mark.parametrize(("n", "transversals"), [(3, 3), (4, 0), (5, 15), (6, 0), (7, 133)])
def test_transversals_of_cyclic_squares(n, transversals):
    """OEIS A006717; there are none if n is even."""
    square = "/".join("".join(str((i + j) % n) for j in range(n)) for i in range(n))
    assert example("mates", square=square).cover().n_options == transversals


@pytest.mark.thorough
def test_framed_squares_of_macmahon():
    """The square aaaa is next to a corner in 11,736 solutions, as in macmahon4x6f.dlx."""
    assert example("macmahon").cover(given=["aaaa at 1,2"]).count() == 11736
