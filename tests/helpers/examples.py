"""Small problems whose searches are recorded."""

import dlx_numba as dlx

KNUTH = ["0010110", "1001001", "0110010", "1001000", "0100001", "0001101"]


def knuth():
    return dlx.ExactCover.from_matrix([[int(c) for c in row] for row in KNUTH])


def several():
    """Item a is in two options or three, b may be left out, s is secondary."""
    options = [["a", "b"], ["a", "c"], ["a", ("s", "x")], ["a", "b", ("s", "y")], ["c", ("s", "x")]]
    multiplicity = {"a": (2, 3), "b": (0, 2)}
    return dlx.ExactCover(options, secondary=["s"], multiplicity=multiplicity)
