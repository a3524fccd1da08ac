"""Count the covers of pairs on a plane: perfect matchings of a planar graph, by determinants."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.planar.elimination import (
    COLUMN,
    LANES,
    N_NUMBERS,
    N_SLOTS,
    N_WORDS,
    NEEDS_SLOTS,
    NEEDS_WORDS,
    PAUSED,
    ROW,
    SINGULAR,
    VANISHED,
    link_entries,
    plan,
    run_program,
)
from ..kernels.planar.matrix import Matrix, matching_matrix
from ..kernels.problem import Problem
from ..runtime.job import Counters, Job, Work

BUDGET = 1 << 20  # changes of entries, or words of the program, in a step
BYTES_PER_SLOT = 24 + 8 + 4 * LANES
_LARGEST_PRIME = 2**31 - 1
_RADIX = 1 << 32  # of Montgomery's form


class PlanarCounter(Job):
    """A count of perfect matchings, in steps.

    First, an elimination is planned. Then each round finds the determinant modulo some primes,
    until their product exceeds twice its bound.

    Parameters
    ----------
    matrix : Matrix
    memory : int
        The number of bytes to use.
    """

    def __init__(self, matrix: Matrix, memory: int) -> None:
        self._matrix = matrix
        self._memory = memory
        self._prime = _LARGEST_PRIME + 2  # the last one that was used
        self._bits = matrix.bits() + 1  # the sign takes one
        self._modulus = 1
        self._residue = 0
        self._plan: _Plan | None = None
        self._round: _Round | None = None
        self._is_singular = False
        self._work = 0

    @property
    def done(self) -> bool:
        """Whether the matchings have been counted."""
        return self._is_singular or self._modulus.bit_length() > self._bits

    @property
    def result(self) -> int:
        """The number of matchings, from the determinant, which may be its square; 0 before the end.

        A determinant modulo m from 0 to m - 1 stands for itself or, if it is negative, for itself
        minus m; m is more than twice its absolute value.
        """
        if not self.done or self._is_singular:
            return 0
        determinant = min(self._residue, self._modulus - self._residue)  # up to its sign
        return math.isqrt(determinant) if self._matrix.is_square else determinant

    @property
    def fraction(self) -> float:
        """The fraction of the bits of the determinant that are known."""
        return 1.0 if self.done else (self._modulus.bit_length() - 1) / self._bits

    @property
    def work(self) -> float:
        """The number of changes of entries, in all lanes."""
        return self._work

    def counters(self) -> Counters:
        """Return the numbers of matchings, pivots and changes of entries."""
        return Counters(self.result, self._matrix.size, self._work)

    def __str__(self) -> str:
        return f"{100 * self.fraction:.2f} % of the bits of a determinant"

    def step(self, work: Work) -> None:
        """Do a part of the work. Raises ValueError if the memory does not suffice.

        Steps plan the elimination, and then begin, continue and end rounds. If the determinant is 0
        modulo the prime of the plan, this is combined, and another prime gets a plan.
        """
        if self._plan is None:
            self._plan = _Plan(self._matrix, self._next_prime())
        elif not self._plan.is_over:
            self._plan.step(self._memory)
            self._is_singular = self._plan.end == SINGULAR
        elif self._plan.end == VANISHED:  # the determinant is 0 modulo this prime
            self._combine(self._plan.prime, 0)
            self._plan = None
        elif self._round is None:
            primes = [self._next_prime() for _ in range(LANES)]
            self._round = _Round(self._matrix, self._plan, primes)
        elif not self._round.is_over:
            self._work += LANES * self._round.step()
        else:
            for prime, residue in self._round.residues():
                self._combine(prime, residue)
            self._round = None

    def _next_prime(self) -> int:
        self._prime = prime_below(self._prime)
        return self._prime

    def _combine(self, prime: int, residue: int) -> None:
        """Combine the determinant modulo another prime with what is known (Chinese remainders)."""
        quotient = (residue - self._residue) * pow(self._modulus, -1, prime) % prime
        self._residue += self._modulus * quotient
        self._modulus *= prime


def start_planar(problem: Problem, memory: int) -> PlanarCounter | None:
    """Return the counter of a component of pairs, or None if they are not on a plane."""
    matrix = matching_matrix(problem)
    return None if matrix is None else PlanarCounter(matrix, memory)


class _Plan:
    """An elimination modulo a prime, and the program for others.

    The matrix is sparse: each entry is a slot, which is linked with others of its row and column.
    """

    def __init__(self, matrix: Matrix, prime: int) -> None:
        n_lines = 2 * matrix.size  # the first slots are the heads of rows and columns
        n_slots = n_lines + len(matrix.rows)
        entries = slice(n_lines, n_slots)
        self.prime = prime
        self.end = PAUSED  # why the last call of `plan` has ended
        self.numbers = np.zeros(N_NUMBERS, np.int64)  # of pivots, slots and words so far
        self.numbers[N_SLOTS] = n_slots
        # Elimination adds entries: the arrays have room for as many again, and grow if need be.
        self._ends = np.zeros((2, 2 * n_slots), np.int32)  # the heads of each slot
        self._ends[ROW, entries] = matrix.rows
        self._ends[COLUMN, entries] = matrix.columns + matrix.size
        self._value = np.zeros(2 * n_slots, np.int64)
        self._value[entries] = matrix.values % prime
        self._links = np.zeros((4, 2 * n_slots), np.int32)  # to the neighbors of each slot
        self._count = np.zeros(n_lines, np.int32)  # of the entries of each row and column
        self._mark = np.zeros(n_lines, np.int32)
        self.program = np.zeros(4 * n_slots, np.int32)
        link_entries(self._links, self._ends, self._count, n_slots)

    @property
    def is_over(self) -> bool:
        """Whether the elimination has reached its end."""
        return self.end not in (PAUSED, NEEDS_SLOTS, NEEDS_WORDS)

    def step(self, memory: int) -> None:
        """Eliminate a part. Raises ValueError if the memory does not suffice."""
        if self.end == NEEDS_SLOTS:
            self._ends = _doubled(self._ends)
            self._links = _doubled(self._links)
            self._value = _doubled(self._value)
        elif self.end == NEEDS_WORDS:
            self.program = _doubled(self.program)
        if BYTES_PER_SLOT * len(self._value) + self.program.nbytes > memory:
            raise ValueError(f"the matrix of the graph needs more than {memory:,} bytes")
        matrix = self._links, self._ends, self._count, self._value
        self.end = plan(
            *matrix, self._mark, self.program, self.numbers, np.int64(self.prime), np.int64(BUDGET)
        )


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array with twice as many columns."""
    return np.concatenate((array, np.zeros_like(array)), axis=-1)


class _Round:
    """The program of a plan, run modulo several primes, each in a lane.

    Numbers are in Montgomery's form: multiplied by _RADIX, modulo the prime.
    """

    def __init__(self, matrix: Matrix, program: _Plan, primes: list[int]) -> None:
        self._plan = program
        self._word = 0  # of the program, which is next
        self._primes = primes
        one = np.array([_RADIX % prime for prime in primes], np.uint32)
        # The inverses of the negated primes modulo _RADIX, for Montgomery's reduction
        inverses = [pow(-prime, -1, _RADIX) for prime in primes]
        self._moduli = np.array(primes, np.uint32), np.array(inverses, np.uint32), one
        self._value = np.zeros((int(program.numbers[N_SLOTS]), LANES), np.uint32)  # as of `_Plan`
        first = 2 * matrix.size
        entries = self._value[first : first + len(matrix.values)]
        for lane, prime in enumerate(primes):
            entries[:, lane] = matrix.values % prime * (_RADIX % prime) % prime
        self._determinant = one.copy()  # the product of the pivots so far
        self._work = np.zeros((2, LANES), np.uint32)

    @property
    def is_over(self) -> bool:
        """Whether the program has reached its end."""
        return self._word == int(self._plan.numbers[N_WORDS])

    def step(self) -> int:
        """Run a part of the program, and return the number of its words."""
        begin = self._word
        words = np.int64(self._word), self._plan.numbers[N_WORDS]
        arrays = self._value, *self._moduli, self._determinant, self._work
        self._word = run_program(self._plan.program, *words, *arrays, np.int64(BUDGET))
        return self._word - begin

    def residues(self) -> Iterator[tuple[int, int]]:
        """Yield primes, and the determinant modulo each, but those for which a pivot is 0.

        The program cannot divide by such a pivot, so that the determinant is unknown.
        """
        for prime, product in zip(self._primes, self._determinant.tolist(), strict=True):
            if product:
                yield prime, product * pow(_RADIX, -1, prime) % prime


def prime_below(number: int) -> int:
    """Return the largest prime less than an odd number, which is at most 2**31 + 1.

    >>> prime_below(2**31 + 1) == 2**31 - 1
    True
    """
    return next(smaller for smaller in range(number - 2, 2, -2) if _is_prime(smaller))


def _is_prime(number: int) -> bool:
    """Return whether an odd number less than 3,215,031,751 is prime, by strong tests of four bases.

    (C. Pomerance, J. L. Selfridge and S. S. Wagstaff, "The pseudoprimes to 25·10⁹", 1980)
    """
    n_twos = ((number - 1) & (1 - number)).bit_length() - 1  # how often 2 divides number - 1
    # Modulo a prime, base**(number - 1) is 1. On the way there by squares, 1 can only follow -1.
    for base in (2, 3, 5, 7):
        power = pow(base, (number - 1) >> n_twos, number)
        if power in (1, number - 1) or base == number:
            continue
        for _ in range(n_twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True
