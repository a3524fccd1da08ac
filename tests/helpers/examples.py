"""Small problems for tests of recorded searches."""

import dlx_numba as dlx

KNUTH_MATRIX = ["0010110", "1001001", "0110010", "1001000", "0100001", "0001101"]

# A Sudoku puzzle; all moves of the search are forced.
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def knuth_example():
    """Return Knuth's example from TAOCP, Section 7.2.2.1, which has one cover."""
    return dlx.ExactCover.from_matrix([[int(c) for c in row] for row in KNUTH_MATRIX])


def multiplicity_example():
    """Return a problem in which a is covered two or three times, b up to twice, c once.

    The item s is secondary and has a color.
    """
    options = [["a", "b"], ["a", "c"], ["a", ("s", "x")], ["a", "b", ("s", "y")], ["c", ("s", "x")]]
    return dlx.ExactCover(options, secondary=["s"], multiplicity={"a": (2, 3), "b": (0, 2)})


def color_example():
    """Return a problem with two secondary items, whose colors leave one cover."""
    options = [
        ["p", "q", "x", ("y", "A")],
        ["p", "r", ("x", "A"), "y"],
        ["p", ("x", "B")],
        ["q", ("x", "A")],
        ["r", ("y", "B")],
    ]
    return dlx.ExactCover(options, secondary=["x", "y"])
