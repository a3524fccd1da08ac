"""The gallery: known counts, solutions checked independently, text and pictures, errors."""

from functools import lru_cache
from itertools import combinations, pairwise, permutations, product
from xml.etree import ElementTree

import pytest

import dlx_numba
from dlx_numba import ExactCover
from dlx_numba.gallery import (
    GALLERY,
    Dominate,
    Flights,
    Hotel,
    Knight,
    Langford,
    Latin,
    MacMahon,
    Mates,
    Queens,
    Sudoku,
    Words,
)
from dlx_numba.gallery.parameters import parameters, with_parameters
from dlx_numba.sudoku.box import Box, units
from tests.helpers.oracles import multiple_covers

SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.compiled  # at sizes that are too much for kernels in plain Python


def cyclic(n):
    return "/".join("".join(str((i + j) % n) for j in range(n)) for i in range(n))


def rows_of(text):
    return [line.split() for line in text.splitlines()]


# Counts that others found

COUNTS = [  # OEIS A000170, A014552, A002860, A002564, A118067 and A107739, by n
    *((Queens(n), count) for n, count in enumerate([1, 0, 0, 2, 10, 4, 40, 92, 352, 724], 1)),
    *((Langford(n, False), count) for n, count in enumerate([0, 0, 1, 1, 0, 0, 26, 150, 0], 1)),
    *((Latin(n), count) for n, count in enumerate([1, 2, 12, 576, 161280], 1)),
    *(
        (Dominate(n, queens), count)
        for n, (queens, count) in enumerate(
            [(1, 1), (1, 4), (1, 1), (2, 12), (3, 186), (3, 4), (4, 86), (5, 4860)], 1
        )
    ),
    *((Knight(3, n), count) for n, count in enumerate([0, 0, 0, 16, 0, 0, 104, 792], 1)),
    (Sudoku("2x2"), 288),
    # Reduced squares, A000315
    (Latin(5, "123452....3....4....5...."), 56),
    (Latin(6, "1234562.....3.....4.....5.....6....."), 9408),
]


@pytest.mark.parametrize(("entry", "count"), COUNTS, ids=lambda value: str(value)[:40])
def test_known_counts(entry, count):
    assert entry.cover().count() == count


def test_langford_pairs_without_symmetry_are_half_of_all():
    for n in (3, 4, 7, 8):
        assert Langford(n).cover().count() == 2 * Langford(n, symmetry=False).cover().count()


def test_knights_that_begin_in_a_corner():
    """304 of the 1728 tours of 5×5, as OEIS A165134 tells."""
    assert Knight(5, 5).cover(given=[0]).count() == 304


@pytest.mark.parametrize(("n", "transversals"), [(3, 3), (4, 0), (5, 15), (6, 0), (7, 133)])
def test_transversals_of_cyclic_squares(n, transversals):
    """OEIS A006717; there are none where n is even."""
    assert len(Mates(cyclic(n)).transversals) == transversals


def test_the_square_of_knuth_has_808_transversals_and_one_mate():
    mates = Mates()
    assert len(mates.transversals) == 808
    assert mates.cover().count() == 1


def test_macmahon_squares():
    """13,328 but for symmetry: the square of one colour is in a quarter of the board, b and c

    may be exchanged. 11,736 have it beside a corner, as tests/instances/macmahon4x6f.dlx.
    """
    tiles = MacMahon()
    options = tiles.statement().options
    place = {option[1]: number for number, option in enumerate(options) if option[0] == "aaaa"}
    counts = {
        (r, c): tiles.cover(given=[place["cell", r, c]]).count() for r in range(2) for c in range(3)
    }
    assert counts[0, 1] == 11736
    assert sum(counts.values()) == 2 * 13328
    assert MacMahon(3, 8).cover().first() is None
    assert MacMahon(2, 12).cover().first() is None


# Counts by brute force


def latin_squares(n):
    """All, row by row, with no thought of exact cover."""
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


@pytest.mark.parametrize(
    ("variant", "extra"),
    [
        ({}, []),
        ({"diagonals": True}, [[0, 5, 10, 15], [3, 6, 9, 12]]),
        ({"windows": True}, [[5, 6, 9, 10]]),
        ({"regions": "AABBACBBACCDCDDD"}, None),
    ],
)
def test_sudoku_variants_by_brute_force(variant, extra):
    if extra is None:
        regions = [[k for k in range(16) if variant["regions"][k] == one] for one in "ABCD"]
    else:
        regions = units(Box(2, 2))[8:] + extra
    boards = [sum(square, ()) for square in latin_squares(4)]
    count = sum(all(len({board[k] for k in cells}) == 4 for cells in regions) for board in boards)
    assert Sudoku("2x2", **variant).cover().count() == count > 0


@pytest.mark.parametrize("n", [3, 4])
def test_mates_by_brute_force(n):
    """Each mate is found once, and there are n! ways to name its symbols."""
    squares = latin_squares(n)
    for square in squares[:: len(squares) // 6]:
        text = "/".join("".join(map(str, row)) for row in square)
        pairs = (
            {(a, b) for pair in zip(square, other, strict=True) for a, b in zip(*pair, strict=True)}
            for other in squares
        )
        count = sum(len(own) == n * n for own in pairs)
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
    """ABA in two places; BA crosses each in two ways, or goes on from one end."""
    words = Words(1, 4, "ABA,BA")
    statement = words.statement()
    bounds = dict.fromkeys(statement.items, (1, 1))
    options = [list(option) for option in statement.options]
    assert words.cover().count() == sum(1 for _ in multiple_covers(options, bounds)) == 2 * 3
    assert Words(2, 2, "NO,ON").cover().count() == 12 * 7


def cheapest_rooms(hotel):
    """The lowest cost, by trying rooms for one booking after the other."""
    rooms, bookings = hotel.house

    def lowest(number, taken):
        if number == len(bookings):
            return 0
        booking = bookings[number]
        costs = [float("inf")]
        for room in rooms:
            nights = {(room.number, n) for n in range(booking.arrival, booking.departure)}
            if room.kind - booking.kind in (0, 1) and not nights & taken:
                cost = 3 * (room.kind - booking.kind) + len(booking.wishes - room.extras)
                costs.append(cost + lowest(number + 1, taken | nights))
        return min(costs)

    return lowest(0, frozenset())


@pytest.mark.parametrize("seed", range(1, 7))
def test_rooms_at_lowest_cost_by_brute_force(seed):
    hotel = Hotel(rooms=6, nights=6, bookings=11, seed=seed)
    assert hotel.cover().cheapest()[0][0] == cheapest_rooms(hotel)


def test_flights_at_lowest_cost_by_dynamic_programming():
    """All sets of flights left over, with no exact cover: the first of them needs a crew."""
    flights = Flights()
    days = [
        (frozenset(flight.name for flight in day), 60 + max(300, day[-1].lands - day[0].leaves))
        for day in flights.days
    ]
    order = [flight.name for flight in flights.flights]

    @lru_cache(None)
    def lowest(left):
        if not left:
            return 0, 1
        first = next(name for name in order if name in left)
        ways = [(cost, lowest(left - day)) for day, cost in days if first in day <= left]
        least = min((cost + rest for cost, (rest, _) in ways), default=float("inf"))
        return least, sum(number for _, (_, number) in ways)

    cost, count = lowest(frozenset(order))
    assert flights.cover().cheapest()[0][0] == cost
    assert flights.cover().count() == count


# Solutions are what they should be


def test_queens_do_not_attack_each_other():
    board = rows_of(Queens(12).text(Queens(12).cover().first()))
    queens = [(r, c) for r in range(12) for c in range(12) if board[r][c] == "Q"]
    assert len(queens) == 12
    for (r, c), (i, j) in combinations(queens, 2):
        assert r != i
        assert c != j
        assert abs(r - i) != abs(c - j)


def test_langford_pairs_are_as_far_apart_as_they_say():
    line = Langford(8).text(Langford(8).cover().first()).split()
    for k in range(1, 9):
        first, second = (i for i, word in enumerate(line) if word == str(k))
        assert second - first == k + 1


def test_windows_make_five_more_groups():
    """A known property of windoku: what lies between the windows has each digit once, too."""
    windoku = Sudoku(windows=True)
    rows = windoku.rows(windoku.cover(choose="random", seed=7).first())
    lines = [(1, 2, 3), (5, 6, 7), (0, 4, 8)]
    for own, other in product(lines, repeat=2):
        assert len({rows[r][c] for r in own for c in other}) == 9


def test_a_sudoku_with_givens_is_that_of_the_solver():
    givens = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    sudoku = Sudoku(givens=givens)
    [solution] = sudoku.cover().solve(limit=2)
    assert "".join(sudoku.text(solution).split()) == dlx_numba.solve_sudoku(givens)


def test_mates_are_orthogonal():
    mates = Mates()
    pairs = rows_of(mates.text(mates.cover().first()))
    assert len({pair for row in pairs for pair in row}) == 100
    for line in [*pairs, *zip(*pairs, strict=True)]:
        assert len({a for a, _ in line}) == len({b for _, b in line}) == 10


def test_macmahon_lays_each_square_once():
    tiles = MacMahon()
    lines = tiles.text(tiles.cover(choose="random", seed=1).first()).splitlines()
    across, down = [line.split() for line in lines[::2]], [line.split() for line in lines[1::2]]
    assert {*across[0], *across[-1], *(row[0] for row in down), *(row[-1] for row in down)} == {"a"}
    found = set()
    for r, c in product(range(4), range(6)):
        sides = across[r][c] + down[r][c + 1] + across[r + 1][c] + down[r][c]
        found.add(min(sides[k:] + sides[:k] for k in range(4)))
    assert len(found) == 24


def test_knights_leap_through_all_cells():
    path = Knight(6, 6).path(Knight(6, 6).cover().first())
    assert len(set(path)) == 36
    for (r, c), (i, j) in pairwise(path):
        assert sorted((abs(r - i), abs(c - j))) == [1, 2]


def test_words_can_be_read():
    words = Words()
    solution = words.cover().first()
    grid = rows_of(words.text(solution))
    for word in words.words.split(","):
        assert any(
            all(
                0 <= r + k * dr < 7 and 0 <= c + k * dc < 9 and grid[r + k * dr][c + k * dc] == one
                for k, one in enumerate(word)
            )
            for r, c, dr, dc in product(range(7), range(9), (-1, 0, 1), (-1, 0, 1))
        ), word


def test_guests_sleep_in_one_room_and_alone():
    hotel = Hotel()
    cost, solution = hotel.cover().cheapest()[0]
    lines = hotel.text(solution).splitlines()
    nights = [line[12:] for line in lines[:12]]
    for b, booking in enumerate(hotel.house[1]):
        stay = f"{b:3}" * (booking.departure - booking.arrival)
        assert sum(row[3 * booking.arrival :].startswith(stay) for row in nights) == 1
    complaints = "".join(lines[12:])
    assert complaints.count("no ") + 3 * complaints.count("booked") == cost


# What people see


@pytest.mark.parametrize("name", GALLERY)
def test_each_entry_tells_of_itself_and_draws(name):
    entry = GALLERY[name]()
    document = GALLERY[name].__doc__
    assert "Items: " in document
    assert "Options: " in document
    assert ">>> " in document
    problem = entry.cover()
    solution = problem.first()
    assert entry.text(solution)
    assert not entry.text(solution).endswith("\n")
    picture = entry.svg(solution)
    if picture is not None:
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        assert all(root.find(f"{SVG}{part}").text for part in ("title", "desc"))
    again = ExactCover.from_knuth(problem.to_knuth())
    assert again.summary() == problem.summary()
    assert entry.statement() == GALLERY[name]().statement()


def test_the_gallery_is_imported_when_it_is_asked_for():
    assert dlx_numba.gallery.GALLERY is GALLERY
    with pytest.raises(AttributeError, match="no attribute 'galery'"):
        _ = dlx_numba.galery


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("queens", ["n=0"], "n must be from 1 to 40, not 0"),
        ("queens", ["n=many"], "n must be a whole number, not 'many'"),
        ("queens", ["m=8"], "no parameter 'm'; there are: n=8"),
        ("queens", ["8"], "'8' is not PARAMETER=VALUE; there are: n=8"),
        ("queens", ["n=8", "n=9"], "n is given twice"),
        ("langford", ["symmetry=maybe"], "symmetry must be yes or no, not 'maybe'"),
        ("latin", ["n=3", "givens=12"], "givens must have 9 symbols, one for each cell, not 2"),
        ("latin", ["n=2", "givens=13.."], "givens may have 12, and . for an open cell, not '3'"),
        ("mates", ["square=012/120/210"], "square must be a Latin one"),
        ("mates", ["square="], "square must be a Latin one"),
        ("sudoku", ["box=3"], "expected ROWSxCOLUMNS"),
        ("sudoku", ["box=2x3", "windows=yes"], "windows need boxes as high as wide"),
        ("sudoku", ["box=2x2", "regions=AAAB"], "regions must have 4 letters, each 4 times"),
        ("macmahon", ["rows=5"], "rows times columns must be 24, as 4 and 6, not 5 and 6"),
        ("words", ["words=A,,B"], "words must be letters, with commas between them, not ''"),
        ("words", ["words=AB,AB"], "the word AB is there twice"),
        ("words", ["words=ABCDEFGHIJ"], "ABCDEFGHIJ is longer than the grid, 7×9"),
        ("dominate", ["n=2", "queens=5"], "queens must be from 1 to 4, not 5"),
        ("knight", ["rows=9"], "rows must be from 1 to 8, not 9"),
        ("hotel", ["bookings=999"], "bookings must be from 1 to 140, not 999"),
        ("flights", ["schedule=MUC-HAM"], "a flight is written as MUC0600-HAM0715, not 'MUC-HAM'"),
        ("flights", ["schedule=A0900-B0800"], "flight A0900-B0800 lands before it leaves"),
        ("flights", ["schedule=A0700-B0800,A0700-B0800"], "a flight is there twice"),
        ("flights", ["base=LHR"], "base must be one of BER, CDG, HAM, MUC, MXP, VIE, ZRH, not"),
    ],
)
def test_silly_parameters_are_told(name, words, reason):
    with pytest.raises(ValueError) as error:  # noqa: PT011  (what it says is compared)
        with_parameters(GALLERY[name], words)
    assert reason in str(error.value)


def test_parameters_are_read_as_they_are_written():
    for kind in GALLERY.values():
        assert with_parameters(kind, parameters(kind)) == kind()
