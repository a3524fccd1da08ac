"""The gallery: known counts, counts by brute force, and independent checks of solutions."""

import random
import re
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest

import dlx_numba
from dlx_numba.gallery import (
    Airport,
    Calendar,
    Dominate,
    Flights,
    GeniusStar,
    Hotel,
    Knight,
    Langford,
    Latin,
    MacMahon,
    Mates,
    Queens,
    Sudoku,
    Tilings,
    Words,
)
from dlx_numba.gallery.airport import CLEARANCE_MINUTES
from dlx_numba.gallery.calendar import DAYS, MONTHS
from dlx_numba.gallery.genius_star import DICE
from tests.helpers.oracles import multiple_covers
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python


def cyclic_square(n):
    return "/".join("".join(str((i + j) % n) for j in range(n)) for i in range(n))


def split_cells(text):
    return [line.split() for line in text.splitlines()]


# Published counts

COUNTS = [  # OEIS A000170, A014552, A002860, A002564, A118067 and A107739, by n
    *((Queens(n), count) for n, count in enumerate([1, 0, 0, 2, 10, 4, 40, 92, 352, 724], 1)),
    *((Langford(n, False), count) for n, count in enumerate([0, 0, 1, 1, 0, 0, 26, 150, 0], 1)),
    *((Latin(n), count) for n, count in enumerate([1, 2, 12, 576, 161280], 1)),
    *(
        (Dominate(n, queens), count)
        for n, (queens, count) in enumerate(
            [(1, 1), (1, 4), (1, 1), (2, 12), (3, 186), (3, 4), (4, 86)], 1
        )
    ),
    pytest.param(Dominate(8, 5), 4860, marks=pytest.mark.thorough),
    *((Knight(3, n), count) for n, count in enumerate([0, 0, 0, 16, 0, 0, 104, 792], 1)),
    (Sudoku("2x2"), 288),
    (Calendar(), 25061),
    *((Calendar(*date), n) for date, n in [((1, 1), 64), ((1, 25), 216), ((10, 6), 7)]),
    # Reduced squares, A000315
    (Latin(5, "123452....3....4....5...."), 56),
    (Latin(6, "1234562.....3.....4.....5.....6....."), 9408),
]


@pytest.mark.parametrize(("entry", "count"), COUNTS, ids=lambda value: str(value)[:40])
def test_known_counts(entry, count):
    assert entry.cover().count() == count


def test_each_date_of_the_calendar_has_a_solution():
    cover = Calendar().cover()
    dates = [[month, day] for month in MONTHS for day in DAYS]
    batch = cover.solve_batch(given=dates, limit=None)
    assert (batch.counts.sum(), batch.counts.min()) == (25061, 7)
    cells = [["month", "day", *date] for date in dates]
    assert cover.solve_batch(covered=cells, limit=None).counts.tolist() == batch.counts.tolist()


def test_each_roll_of_the_genius_star_has_a_solution():
    rng = random.Random(1)
    rolls = [[f"B{rng.choice(die)}" for die in DICE] for _ in range(1000)]
    assert GeniusStar(roll="").cover().solve_batch(given=rolls).counts.all()


@pytest.mark.thorough
def test_number_of_rolls_of_the_genius_star_with_the_hexagon():
    rolls = [[f"B{face}" for face in roll] for roll in product(*DICE)]
    batch = GeniusStar(roll="", star=True).cover().solve_batch(given=rolls)
    assert np.count_nonzero(batch.counts) == 97422


@pytest.mark.parametrize("roll", ["1,2,3", "4,10,15,18,28,33,38,38", "1,5,10,18,28,33,37", "x"])
def test_invalid_rolls_are_errors(roll):
    with pytest.raises(ValueError, match="roll must have a number of each of the seven dice"):
        GeniusStar(roll)


def closed_tours(rows, columns):
    """Return the number of closed tours in either direction, by a simple recursion."""
    cells = set(product(range(rows), range(columns)))
    neighbors = {
        (r, c): {(i, j) for i, j in cells if {abs(i - r), abs(j - c)} == {1, 2}} for r, c in cells
    }
    ends = neighbors[0, 0]

    def count(cell, rest):
        if not rest:
            return cell in ends
        if not ends & rest or any(not neighbors[other] & (rest | {cell}) for other in rest):
            return 0
        return sum(count(other, rest - {other}) for other in neighbors[cell] & rest)

    return count((0, 0), cells - {(0, 0)})


@pytest.mark.parametrize("size", [(3, 4), (4, 4), pytest.param((5, 6), marks=pytest.mark.thorough)])
def test_closed_tours_by_brute_force(size):
    """The only closed tours of these are the eight on 5×6, each in two directions."""
    count = Knight(*size, closed=True).cover().count()
    assert count == closed_tours(*size) == (16 if size == (5, 6) else 0)


def test_closed_tour_returns_to_the_corner():
    knight = Knight(6, 6, closed=True)
    path = knight.path(knight.cover().first())
    assert path[0] == (1, 1)
    assert len(set(path)) == 36
    for (r, c), (i, j) in pairwise([*path, path[0]]):
        assert sorted((abs(r - i), abs(c - j))) == [1, 2]


@pytest.mark.parametrize(("n", "transversals"), [(3, 3), (4, 0), (5, 15), (6, 0), (7, 133)])
def test_transversals_of_cyclic_squares(n, transversals):
    """OEIS A006717; there are none if n is even."""
    assert len(Mates(cyclic_square(n)).transversals) == transversals


def test_knuths_square_has_808_transversals_and_one_mate():
    mates = Mates()
    assert len(mates.transversals) == 808
    assert mates.cover().count() == 1


@pytest.mark.thorough
def test_number_of_macmahon_solutions():
    """There are 13,328 solutions up to symmetry.

    Placing the square aaaa in one quarter of the board breaks the symmetry of the board, but not
    the exchange of b and c. 11,736 solutions have it next to a corner, as in
    tests/instances/macmahon4x6f.dlx.
    """
    squares = MacMahon()
    options = squares.statement().options
    option_at = {option[1]: number for number, option in enumerate(options) if option[0] == "aaaa"}
    counts = {
        (r, c): squares.cover(given=[option_at["cell", r, c]]).count()
        for r in (1, 2)
        for c in (1, 2, 3)
    }
    assert counts[1, 2] == 11736
    assert sum(counts.values()) == 2 * 13328
    assert MacMahon(3, 8).cover().first() is None
    assert MacMahon(2, 12).cover().first() is None


# Counts by brute force


def latin_squares(n):
    """Return all Latin squares with symbols 0 to n - 1, built row by row."""
    rows = list(permutations(range(n)))
    squares = [[]]
    for _ in range(n):
        squares = [
            [*square, row]
            for square in squares
            for row in rows
            if all(a != b for above in square for a, b in zip(above, row, strict=True))
        ]
    return squares


@pytest.mark.parametrize("n", [3, 4])
def test_mates_by_brute_force(n):
    """Each mate is found once, although its symbols have n! permutations."""
    squares = latin_squares(n)
    for square in squares[:: len(squares) // 6]:
        text = "/".join("".join(map(str, row)) for row in square)
        pair_sets = (
            {(a, b) for pair in zip(square, other, strict=True) for a, b in zip(*pair, strict=True)}
            for other in squares
        )
        count = sum(len(pairs) == n * n for pairs in pair_sets)
        assert Mates(text).cover().count() * (6 if n == 3 else 24) == count


@pytest.mark.parametrize(("n", "queens"), [(3, 2), (4, 2), (4, 3), (5, 3)])
def test_dominating_queens_by_brute_force(n, queens):
    cells = list(product(range(n), repeat=2))

    def attacks(a, b):
        (r, c), (i, j) = a, b
        return r == i or c == j or abs(r - i) == abs(c - j)

    count = sum(
        all(any(attacks(queen, cell) for queen in placed) for cell in cells)
        for placed in combinations(cells, queens)
    )
    assert Dominate(n, queens).cover().count() == count


def test_words_by_brute_force():
    """ABA has two placements; with each, BA has two that cross it and one that extends it."""
    words = Words(1, 4, "ABA,BA")
    statement = words.statement()
    bounds = dict.fromkeys(statement.items, (1, 1))
    options = [list(option) for option in statement.options]
    assert words.cover().count() == sum(1 for _ in multiple_covers(options, bounds)) == 2 * 3
    assert Words(2, 2, "NO,ON").cover().count() == 12 * 7


def lowest_hotel_cost(hotel):
    """Return the lowest cost, by trying all rooms for one booking after the other."""
    rooms, bookings = hotel.data[:2]

    def lowest(number, taken):
        if number == len(bookings):
            return 0
        booking = bookings[number]
        costs = [float("inf")]
        for room in rooms:
            nights = {(room.number, n) for n in range(booking.arrival, booking.departure)}
            upgrade = room.category - booking.category
            if upgrade in (0, 1) and not nights & taken:
                cost = 3 * upgrade + len(booking.requests - room.features)
                costs.append(cost + lowest(number + 1, taken | nights))
        return min(costs)

    return lowest(0, frozenset())


@pytest.mark.parametrize("seed", range(1, 7))
def test_lowest_hotel_cost_by_brute_force(seed):
    hotel = Hotel(rooms=6, nights=6, bookings=11, seed=seed)
    assert hotel.cover().cheapest()[0][0] == lowest_hotel_cost(hotel)


def lowest_airport_cost(airport):
    """Return the lowest cost, by trying all gates for one flight after the other."""
    gates, turns = airport.data

    def lowest(number, free_from):
        if number == len(turns):
            return 0
        arrival, departure, size, _ = turns[number]
        costs = [float("inf")]
        for gate in gates:
            if size <= gate.size and free_from.get(gate, 0) <= arrival:
                later = free_from | {gate: departure + CLEARANCE_MINUTES}
                costs.append(gate.walk + lowest(number + 1, later))
        return min(costs)

    return lowest(0, {})


def test_lowest_cost_of_gates_by_brute_force():
    for seed in seeds(30):
        airport = Airport(gates=3, flights=11, seed=seed)
        cost, solution = airport.cover().cheapest()[0]
        assert cost == lowest_airport_cost(airport)
        assert len(solution) == 11


def test_lowest_flight_cost_by_dynamic_programming():
    """The dynamic program is over sets of remaining flights; the first of them needs a duty."""
    flights = Flights()
    duties = [
        (
            frozenset(flight.name for flight in duty),
            60 + max(300, duty[-1].arrival - duty[0].departure),
        )
        for duty in flights.duties
    ]
    order = [flight.name for flight in flights.flights]

    @lru_cache(None)
    def cost_and_count(remaining):
        if not remaining:
            return 0, 1
        first = next(name for name in order if name in remaining)
        branches = [
            (cost, cost_and_count(remaining - duty))
            for duty, cost in duties
            if first in duty <= remaining
        ]
        lowest = min((cost + rest for cost, (rest, _) in branches), default=float("inf"))
        return lowest, sum(count for _, (_, count) in branches)

    cost, count = cost_and_count(frozenset(order))
    assert flights.cover().cheapest()[0][0] == cost
    assert flights.cover().count() == count


# Independent checks of solutions


def test_sudoku_with_givens_agrees_with_the_solver():
    givens = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    sudoku = Sudoku(givens=givens)
    [solution] = sudoku.cover().solve(limit=2)
    assert "".join(sudoku.text(solution).split()) == dlx_numba.solve_sudoku(givens)


def test_mates_are_orthogonal():
    mates = Mates()
    pairs = split_cells(mates.text(mates.cover().first()))
    assert len({pair for row in pairs for pair in row}) == 100
    for line in [*pairs, *zip(*pairs, strict=True)]:
        assert len({a for a, _ in line}) == len({b for _, b in line}) == 10


def test_keywords_of_cover_replace_the_costs_of_the_entry():
    problem = Tilings(region="2x2").cover(costs=[1, 2, 2, 1])
    assert [cost for cost, _ in problem.cheapest(2)] == [2, 4]


def test_macmahon_uses_each_square_once():
    squares = MacMahon()
    lines = squares.text(squares.cover(choose="random", seed=1).first()).splitlines()
    across, down = [line.split() for line in lines[::2]], [line.split() for line in lines[1::2]]
    assert {*across[0], *across[-1], *(row[0] for row in down), *(row[-1] for row in down)} == {"a"}
    found = set()
    for r, c in product(range(4), range(6)):
        sides = across[r][c] + down[r][c + 1] + across[r + 1][c] + down[r][c]
        found.add(min(sides[k:] + sides[:k] for k in range(4)))
    assert len(found) == 24


def test_all_words_are_in_the_grid():
    words = Words()
    solution = words.cover().first()
    grid = split_cells(words.text(solution))
    for word in words.words.split(","):
        assert any(
            all(
                0 <= r + k * dr < 7
                and 0 <= c + k * dc < 9
                and grid[r + k * dr][c + k * dc] == letter
                for k, letter in enumerate(word)
            )
            for r, c, dr, dc in product(range(7), range(9), (-1, 0, 1), (-1, 0, 1))
        ), word


def test_bookings_of_a_room_do_not_overlap():
    hotel = Hotel()
    cost, solution = hotel.cover().cheapest()[0]
    text = hotel.text(solution).replace("no bookings", "")
    last_departure = 0
    stays = {booking.name: booking[:2] for booking in hotel.data.bookings}
    for line in text.splitlines():
        if match := re.match(r"  (\d+) to (\d+)  (\w+)", line):
            arrival, departure = map(int, match.groups()[:2])
            assert stays[match[3]] == (arrival, departure)
            assert arrival >= last_departure
            last_departure = departure
        else:
            last_departure = 0
    assert len(re.findall(" to ", text)) == len(hotel.data.bookings)
    assert text.count("no ") + 3 * text.count("booked") == cost
