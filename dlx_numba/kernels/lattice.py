"""Prove by a coloring that a problem has no cover.

A coloring gives each item a number, so that the numbers of each option sum to 0 modulo m, but those
of all items that must be covered do not. A coloring exists if and only if the vector of the
required covers is not in the lattice that the options span, that is, if it is not an integer
combination of them.
"""

import math
from collections.abc import Iterator
from itertools import count, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..jit.namespaces import plain_python
from ..runtime.interrupts import Steps, Stop, unless_stopped
from .problem import Problem, select_items

# The moduli of colorings divide one of these numbers, so that products of two residues fit into
# int64. If few items must be covered, moduli of any size are found by exact computation instead,
# whose numbers would have many digits in a large lattice.
MODULI = 2**6 * 3**3 * 5**2 * 7 * 11 * 13 * 17, 19 * 23 * 29 * 31 * 37 * 41
MAX_MODULUS = 2**31
MAX_POWER = 64
MAX_EXACT_ITEMS = 40
EXACT_WORK = 64  # how many times longer an entry takes with Python's integers
MAX_ITEMS = 4000  # the basis of a lattice is a square matrix
MAX_COLORINGS = 64  # that are compared
ROWS_PER_CHECK = 256


class Coloring(NamedTuple):
    """A proof that a problem has no cover.

    Attributes
    ----------
    values : ndarray of int64 or object, shape (items,)
        The number of each item.
    modulus : int
        At least 2. It divides the sum of each option, but not `total`.
    total : int
        The sum of the values of the items that must be covered, each as often as it must be.
    """

    values: NDArray[Any]
    modulus: int
    total: int

    @property
    def n_numbers(self) -> int:
        """The number of different values."""
        return len(set(self.values.tolist()))


@njit
def insert_row(basis, row, modulus):
    """Add a vector to a lattice; return how many entries were computed.

    Parameters: `basis` (n, n) int64, upper triangular, whose rows span the lattice; `row` (n,)
    int64, which is overwritten; `modulus` int64, whose multiples belong to the lattice. With the
    modulus 0, the arrays have Python integers, and the kernel is not compiled.
    """
    n_columns = len(row)
    work = 0
    for column in range(n_columns):
        if row[column] == 0:
            continue
        # Extended Euclid: the first row of the matrix (s, t; u, v) yields the greatest common
        # divisor of the two entries in this column, the second row yields 0.
        a = basis[column, column]
        b = row[column]
        s = 1
        t = 0
        u = 0
        v = 1
        while b != 0:
            q = a // b
            a, b = b, a - q * b
            s, u = u, s - q * u
            t, v = v, t - q * v
        for k in range(column + 1, n_columns):
            x = s * basis[column, k] + t * row[k]
            y = u * basis[column, k] + v * row[k]
            if modulus != 0:
                x, y = x % modulus, y % modulus
            basis[column, k] = x
            row[k] = y
        basis[column, column] = a
        row[column] = 0
        work += n_columns - column
    return work


def find_coloring(problem: Problem, stop: Stop, max_work: float = math.inf) -> Coloring | None:
    """Return a coloring with few different numbers and a small modulus.

    Secondary items, and items with different bounds, have the number 0.

    Parameters
    ----------
    problem : Problem
    stop : Stop
    max_work : float
        The largest number of entries to compute for a lattice.

    Returns
    -------
    Coloring or None
        None if there is none. Also None if many items must be covered and there is none with a
        prime power that divides one of MODULI, or if MAX_ITEMS, `max_work` or `stop` ends the call.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> problem = ExactCover([["a", "b"], ["a", "c"], ["b", "c"]]).problem
    >>> find_coloring(problem, Stop())
    Coloring(values=array([1, 1, 1]), modulus=2, total=3)
    """
    return unless_stopped(seek_coloring(problem, max_work), stop)


def seek_coloring(problem: Problem, max_work: float) -> Steps[Coloring | None]:
    """Return a coloring as `find_coloring` does, in steps.

    There is one if the required covers are no sum of multiples of the options, modulo a number. Its
    modulus is then a power of a prime, of which the smallest are tried. Computing modulo one of
    MODULI, or over the integers (modulus 0), tells which powers may work.
    """
    low = problem.lows
    columns = np.flatnonzero(low == problem.highs)
    if len(columns) > MAX_ITEMS or len(columns) ** 2 > max_work:
        return None
    lattice = _OptionVectors(columns, low[columns], max_work)
    best = None
    yield from lattice.add_options(problem)
    for modulus in (MODULI[0], 0) if len(columns) <= MAX_EXACT_ITEMS else MODULI:
        span = yield from lattice.span(modulus)
        powers = [] if span is None else _prime_powers(modulus, *span)
        # Once there is a coloring, only higher powers of its prime are tried, for fewer numbers.
        for power in powers:
            if best is not None and (power > MAX_POWER or best.n_numbers <= 2):
                break
            if best is not None and power % best.modulus:
                continue
            smaller = yield from lattice.span(power)
            if smaller is not None:
                coloring = yield from lattice.color(smaller.basis, power, problem.n_items)
                if coloring and (best is None or coloring.n_numbers < best.n_numbers):
                    best = coloring
        if best is not None:
            return best
    return None


class _Span(NamedTuple):
    """The sums of multiples of the options, modulo a number."""

    basis: NDArray[Any]  # (items, items) upper triangular
    order: int  # the smallest multiple of the target in the lattice; 0 if there is none


class _OptionVectors:
    """The vectors of the options, and `target`, the vector of the required covers.

    Both have an element for each item in `columns`. `options`, which `add_options` sets, has the
    positions of the elements that are 1.
    """

    def __init__(
        self, columns: NDArray[np.int64], target: NDArray[np.int64], max_work: float
    ) -> None:
        self.columns = columns
        self.target = target
        self._max_work = max_work

    def add_options(self, problem: Problem) -> Steps[None]:
        """Add the vectors of the options, each of them once."""
        rows = select_items(problem, self.columns)
        parts = dict[bytes, NDArray[Any]]()
        for start, end in pairwise(rows.indptr.tolist()):
            yield
            entries = np.sort(rows.items[start:end])
            if len(entries):
                parts[entries.tobytes()] = entries
        self.options = list(parts.values())

    def span(self, modulus: int) -> Steps[_Span | None]:
        """Return a basis of the lattice modulo a number, and the order of the target.

        Returns None if the target is in the lattice, or this takes too long.
        """
        n_items = len(self.columns)
        n_options = len(self.options)
        work = 0
        is_exact = not 0 < modulus < MAX_MODULUS
        dtype, insert = (object, plain_python(insert_row)) if is_exact else (np.int64, insert_row)
        max_work = self._max_work / EXACT_WORK if is_exact else self._max_work
        basis = np.zeros((n_items, n_items), dtype)
        basis[range(n_items), range(n_items)] = modulus  # its multiples belong to the lattice
        target = self.target.astype(dtype)
        # Options that are far from each other come first: they span more than neighbors do.
        step = 1 + n_options // max(1, n_items)
        numbers = [k for first in range(step) for k in range(first, n_options, step)]
        for n_done, number in enumerate(numbers, 1):
            row = np.zeros(n_items, dtype)
            row[self.options[number]] = 1
            work += insert(basis, row, modulus)
            yield
            if work > max_work:
                return None
            if n_done % ROWS_PER_CHECK == 0 and _order(basis, target, modulus) == 1:
                return None
        order = _order(basis, target, modulus)
        return None if order == 1 else _Span(basis, order)

    def color(self, basis: NDArray[Any], modulus: int, n_items: int) -> Steps[Coloring | None]:
        """Return the simplest of some colorings of a modulus: the one with the fewest numbers."""
        colorings: list[NDArray[Any]] = []
        # A pivot of 1 would give the vector 0.
        for column in np.flatnonzero(basis.diagonal() != 1).tolist():
            if len(colorings) == MAX_COLORINGS:
                break
            values = _dual(basis, column, modulus)
            yield
            if self.target @ values % modulus:
                colorings.append(values)
        if not colorings:
            return None
        best = min(colorings, key=lambda v: (len(set(v.tolist())), np.count_nonzero(v)))
        # Multiplied by a unit, it is a coloring, too; negative numbers may make all sums 0 exactly.
        units = [k for k in range(1, min(modulus, MAX_POWER)) if math.gcd(k, modulus) == 1]
        best = min((best * unit % modulus for unit in units), key=lambda v: v.sum())
        signed = np.where(2 * best > modulus, best - modulus, best)
        if not np.any(self._sums(signed)):
            best = signed
        total = int(self.target @ best)
        assert total % modulus
        assert not np.any(self._sums(best) % modulus)
        values = np.zeros(n_items, best.dtype)
        values[self.columns] = best
        return Coloring(values, modulus, total)

    def _sums(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of each option."""
        if not self.options:
            return np.zeros(0, np.int64)
        starts = np.cumsum([0, *map(len, self.options[:-1])])
        sums: NDArray[Any] = np.add.reduceat(values[np.concatenate(self.options)], starts)
        return sums


def _order(basis: NDArray[Any], target: NDArray[Any], modulus: int) -> int:
    """Return the smallest positive k for which k times the target is in a lattice; 0 if none is.

    The basis of the lattice is upper triangular.
    """
    remainder = target
    order = 1
    for column in range(len(target)):
        entry = int(remainder[column])
        pivot = int(basis[column, column])
        if entry == 0:
            continue
        if pivot == 0:  # no row of the basis can make the entry 0
            return 0
        # The least multiple of the entry that the pivot divides; then the row is subtracted.
        factor = abs(pivot) // math.gcd(entry, pivot)
        order *= factor
        remainder = remainder * factor - entry * factor // pivot * basis[column]
        if modulus:
            remainder %= modulus
    return order


def _dual(basis: NDArray[Any], column: int, modulus: int) -> NDArray[Any]:
    """Return a vector whose products with the rows of a basis are 0 modulo a number.

    The basis is triangular, and its pivots divide the number, as `span` returns it. The last entry
    of the vector that is not 0 is in the given column; the others are as small as possible.
    """
    values = np.zeros(len(basis), basis.dtype)
    values[column] = modulus // basis[column, column]
    for row in range(column - 1, -1, -1):
        pivot = basis[row, row]
        products = basis[row, row + 1 : column + 1] * values[row + 1 : column + 1]
        rest = (products % modulus).sum() % modulus  # the sum of the products may exceed int64
        values[row] = -(rest // pivot) % (modulus // pivot)
    return values


def _prime_powers(modulus: int, basis: NDArray[Any], order: int) -> Iterator[int]:
    """Yield the moduli that a coloring may have, in ascending order: prime powers up to MAX_POWER.

    `order` is the least multiple of the target that is in the lattice, 0 if there is none: only its
    primes tell the target from the lattice, and only powers that divide the product of the basis
    are orders of colors. Over the integers (modulus 0), one multiple of all candidates follows, or
    all larger numbers if no multiple of the target is in the lattice.
    """
    product = modulus or abs(math.prod(filter(None, basis.diagonal().tolist())))
    for power in range(2, MAX_POWER + 1):
        prime = next(k for k in range(2, power + 1) if power % k == 0)
        is_power = prime ** round(math.log(power, prime)) == power
        if is_power and order % prime == 0 and (order == 0 or product % power == 0):
            yield power
    if not modulus:
        yield from [product] if order else count(MAX_POWER + 1)
