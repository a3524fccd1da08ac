"""Small problems for tests of recorded searches."""

import dlx_numba as dlx

KNUTH_MATRIX = ["0010110", "1001001", "0110010", "1001000", "0100001", "0001101"]


def knuth_example():
    """Knuth's example from TAOCP, Section 7.2.2.1, which has one cover."""
    return dlx.ExactCover.from_matrix([[int(c) for c in row] for row in KNUTH_MATRIX])


def multiplicity_example():
    """A problem in which a takes two or three options, b up to two, and s is secondary."""
    options = [["a", "b"], ["a", "c"], ["a", ("s", "x")], ["a", "b", ("s", "y")], ["c", ("s", "x")]]
    multiplicity = {"a": (2, 3), "b": (0, 2)}
    return dlx.ExactCover(options, secondary=["s"], multiplicity=multiplicity)
