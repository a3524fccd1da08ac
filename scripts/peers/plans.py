"""Planning problems with generated data: the same seed gives the same problem.

Each function returns a problem as a planner states it. `scripts/peers/planning.py` measures them.
"""

import random
from collections import defaultdict
from itertools import combinations, product
from typing import Any, NamedTuple

from dlx_numba import ExactCover

Item = tuple[Any, ...]


def problem(options: list[list[Item]], primary: list[Item], costs: list[int]) -> ExactCover:
    """Return a problem all of whose other items are secondary."""
    secondary = {item for option in options for item in option} - set(primary)
    return ExactCover(options, primary, sorted(secondary), costs=costs)


def timetable(n_lectures: int, n_slots: int, n_rooms: int, seed: int = 1) -> ExactCover:
    """Return a timetable: rooms, groups and teachers are used at most once in a slot."""
    rng = random.Random(seed)
    n_groups, n_teachers = max(3, n_lectures // 8), n_lectures // 4
    options, costs = [], []
    for lecture in range(n_lectures):
        group, teacher = lecture % n_groups, rng.randrange(n_teachers)
        slot_cost = [rng.randrange(10) for _ in range(n_slots)]
        room_cost = [rng.randrange(4) for _ in range(n_rooms)]
        for slot, room in product(range(n_slots), range(n_rooms)):
            uses = [("room", room, slot), ("group", group, slot), ("teacher", teacher, slot)]
            options.append([("lecture", lecture), *uses])
            costs.append(slot_cost[slot] + room_cost[room])
    return problem(options, [("lecture", k) for k in range(n_lectures)], costs)


class Flight(NamedTuple):
    """A flight between airports, of which 0 is the base; times in minutes."""

    origin: int
    destination: int
    departure: int
    arrival: int


def crew_pairings(n_days: int, n_aircraft: int, n_pairings: int, seed: int = 1) -> ExactCover:
    """Return pairings of flights: paths from a base to it, of at most six flights in two days."""
    rng = random.Random(seed)
    rotations = list[list[Flight]]()  # the flights of an aircraft on a day
    for day, _ in product(range(n_days), range(n_aircraft)):
        airport, minute, rotation = 0, 24 * 60 * day + rng.randrange(360, 600), list[Flight]()
        n_flights = rng.randint(2, 5)
        for k in range(n_flights):
            others = [each for each in range(1, 6) if each != airport]
            destination = rng.choice(others) if k < n_flights - 1 else 0
            arrival = minute + rng.randrange(50, 150)
            rotation.append(Flight(airport, destination, minute, arrival))
            airport, minute = destination, arrival + rng.randrange(35, 120)
        rotations.append(rotation)
    flights = [flight for rotation in rotations for flight in rotation]
    following = {
        flight: [
            later
            for later in flights
            if flight.destination == later.origin and 30 <= later.departure - flight.arrival <= 900
        ]
        for flight in flights
    }
    pairings = set(map(tuple, rotations))  # a cover exists
    starts = [flight for flight in flights if flight.origin == 0]
    for _ in range(50 * n_pairings):
        path = [rng.choice(starts)]
        while len(path) < 6 and path[-1].destination and following[path[-1]]:
            path.append(rng.choice(following[path[-1]]))
        if path[-1].destination == 0 and path[-1].arrival - path[0].departure <= 2880:
            pairings.add(tuple(path))
        if len(pairings) >= n_pairings:
            break
    number = {flight: k for k, flight in enumerate(flights)}
    options, costs = list[list[Item]](), list[int]()
    for pairing in sorted(pairings, key=lambda pairing: [number[flight] for flight in pairing]):
        options.append([("flight", number[flight]) for flight in pairing])
        flying = sum(flight.arrival - flight.departure for flight in pairing)
        away = pairing[-1].arrival - pairing[0].departure
        costs.append(200 + max(flying, away // 3) + 150 * (away > 900))
    return problem(options, [("flight", k) for k in range(len(flights))], costs)


def roster(n_people: int, n_days: int, seed: int = 1) -> ExactCover:
    """Return a roster of three shifts a day, with demands, rest after nights, and wishes."""
    rng = random.Random(seed)
    options, costs = list[list[Any]](), list[int]()
    for person in range(n_people):
        for day in range(n_days):
            wish = rng.choice([0, 0, 1, 2, 10])
            for shift in range(3):
                rest = [("rest", person, day - 1)] if shift == 0 else []
                rest += [("rest", person, day)] if shift == 2 else []
                options.append([(day, shift), ("person", person), ("day", person, day), *rest])
                costs.append(wish + rng.choice([0, 1, 3]))
    demand = max(1, n_people // 6)
    shifts = {(day, shift): demand for day in range(n_days) for shift in range(3)}
    n_each = 3 * demand * n_days // n_people
    people = {("person", person): (n_each - 1, n_each + 1) for person in range(n_people)}
    optional = {item: None for option in options for item in option[2:]}
    return ExactCover(
        options, [*shifts, *people], optional, costs=costs, multiplicity=shifts | people
    )


def exchange(n_pairs: int, probability: float, seed: int = 1) -> ExactCover:
    """Return cycles of two or three pairs whose donors match, with transplants as values."""
    rng = random.Random(seed)
    pairs = range(n_pairs)
    matches = {a: [b for b in pairs if a != b and rng.random() < probability] for a in pairs}
    cycles = [[a, b] for a in pairs for b in matches[a] if a < b and a in matches[b]]
    cycles += [
        [a, b, c] for a in pairs for b in matches[a] if a < b
        for c in matches[b] if a < c and a in matches[c]
    ]  # fmt: skip
    return ExactCover.packing(cycles, [len(cycle) for cycle in cycles])


def projects(n_students: int, n_supervisors: int, n_choices: int, seed: int = 1) -> ExactCover:
    """Return students who rank projects; projects and supervisors have capacities."""
    rng = random.Random(seed)
    n_projects = 3 * n_supervisors
    popularity = [rng.random() / 2 for _ in range(n_projects)]
    options, costs = list[list[Any]](), list[int]()
    for student in range(n_students):
        ranks = sorted(range(n_projects), key=lambda p: rng.random() - popularity[p])
        for rank, project in enumerate(ranks[:n_choices], 1):
            supervisor = project % n_supervisors
            options.append([("student", student), ("project", project), ("supervisor", supervisor)])
            costs.append(rank)
    mean = -(-n_students // n_supervisors)
    at_most = {("project", project): 2 for project in range(n_projects)}
    at_most |= {("supervisor", k): mean + rng.randint(0, 2) for k in range(n_supervisors)}
    used = {item for option in options for item in option}
    at_most = {item: number for item, number in at_most.items() if item in used}
    return ExactCover(options, at_most=at_most, costs=costs)


def nurses(n_nurses: int, n_days: int, seed: int = 1) -> ExactCover:
    """Return a roster with hours for each nurse, and trained nurses for each shift."""
    rng = random.Random(seed)
    hours = {"early": 8, "late": 8, "night": 10}
    options, costs = list[list[Any]](), list[int]()
    for nurse in range(n_nurses):
        for day in range(n_days):
            for shift, length in hours.items():
                trained = [("trained", day, shift)] if nurse % 3 == 0 else []
                rest = {"early": [("rest", nurse, day - 1)], "night": [("rest", nurse, day)]}
                options.append(
                    [(day, shift), *trained, ("day", nurse, day), *rest.get(shift, []),
                     (("hours", nurse), length)]
                )  # fmt: skip
                costs.append(rng.choice([0, 0, 1, 2, 5]) + 3 * (shift == "night"))
    demand = n_nurses // 6
    shifts = {(day, shift): demand for day in range(n_days) for shift in hours}
    trained = {("trained", *shift): (demand // 3, None) for shift in shifts}
    mean = demand * n_days * sum(hours.values()) // n_nurses
    totals = {("hours", nurse): (mean - 10, mean + 10) for nurse in range(n_nurses)}
    units = {item: None for option in options for item in option if item[0] in ("day", "rest")}
    items = [*shifts, *trained]
    return ExactCover(
        options, items, units, multiplicity=shifts | trained, totals=totals, costs=costs
    )


def swiss(n_players: int, n_rounds: int, seed: int = 1) -> ExactCover:
    """Return the pairs of the next round: players of similar scores who have not met."""
    rng = random.Random(seed)
    scores, met = [0] * n_players, set[tuple[int, int]]()
    for _ in range(n_rounds):
        order = sorted(range(n_players), key=lambda player: (-scores[player], rng.random()))
        for a, b in zip(order[::2], order[1::2], strict=True):
            met.add((min(a, b), max(a, b)))
            points = rng.choice([0, 1, 1, 2])
            scores[a] += points
            scores[b] += 2 - points
    pairs = [pair for pair in combinations(range(n_players), 2) if pair not in met]
    return ExactCover(pairs, costs=[(scores[a] - scores[b]) ** 2 for a, b in pairs])


def league(n_teams: int, seed: int = 1) -> ExactCover:
    """Return the rounds of a league, with costs of dates, and as many home as away matches."""
    rng = random.Random(seed)
    options, costs = list[list[Any]](), list[int]()
    for a, b in combinations(range(n_teams), 2):
        for day in range(n_teams - 1):
            for host in (a, b):
                options.append([("match", a, b), (a, day), (b, day), ("home", host)])
                costs.append(rng.randint(0, 9))
    low = n_teams // 2 - 1
    home = {("home", team): (low, low + 1) for team in range(n_teams)}
    return ExactCover(options, multiplicity=home, costs=costs)


def set_covering(n_rows: int, n_columns: int, density: float, seed: int = 1) -> ExactCover:
    """Return random columns with costs from 1 to 100, as in the OR-Library's scp4 to scp6."""
    rng = random.Random(seed)
    columns = [rng.sample(range(n_rows), round(density * n_rows)) for _ in range(n_columns)]
    costs = [rng.randint(1, 100) for _ in columns]
    return ExactCover.covering(columns, costs=costs)


def exams(n_exams: int, n_slots: int, n_students: int, seed: int = 1) -> ExactCover:
    """Return exams in slots with a number of seats; a student has one exam at a time."""
    rng = random.Random(seed)
    students = defaultdict[int, list[int]](list)
    for student in range(n_students):
        # Students choose among neighbors, so that many pairs of exams exclude each other.
        first = rng.randrange(n_exams)
        for k in rng.sample(range(min(8, n_exams)), 3):
            students[(first + k) % n_exams].append(student)
    seats = 3 * n_students * 5 // (4 * n_slots)
    options, costs = list[list[Any]](), list[int]()
    for exam in range(n_exams):
        for slot in range(n_slots):
            busy = [("student", student, slot) for student in students[exam]]
            options.append([("exam", exam), *busy, (("seats", slot), len(students[exam]))])
            costs.append(slot + rng.randint(0, 9))
    items = [("exam", exam) for exam in range(n_exams)]
    units = {item: None for option in options for item in option if item[0] == "student"}
    totals = {("seats", slot): (0, seats) for slot in range(n_slots)}
    return ExactCover(options, items, units, totals=totals, costs=costs)


def facilities(n_sites: int, n_customers: int, seed: int = 1) -> ExactCover:
    """Return customers and sites in the plane; the color of a site says whether it is open."""
    rng = random.Random(seed)
    sites, customers = (
        [(rng.randrange(100), rng.randrange(100)) for _ in range(n)] for n in (n_sites, n_customers)
    )
    options, costs = list[list[Any]](), list[int]()
    for customer, (x, y) in enumerate(customers):
        for site, (u, v) in enumerate(sites):
            options.append([("customer", customer), (("site", site), "open")])
            costs.append(abs(x - u) + abs(y - v))
    for site in range(n_sites):
        options += [[("state", site), (("site", site), state)] for state in ("open", "closed")]
        costs += [rng.randint(80, 160), 0]
    items = [("customer", customer) for customer in range(n_customers)]
    items += [("state", site) for site in range(n_sites)]
    return ExactCover(options, items, [("site", site) for site in range(n_sites)], costs=costs)


def auction(n_goods: int, n_bids: int, seed: int = 1) -> ExactCover:
    """Return bids for sets of goods, of which each is sold once; prices favor large sets."""
    rng = random.Random(seed)
    bids, prices = list[list[int]](), list[int]()
    for _ in range(n_bids):
        goods = rng.sample(range(n_goods), rng.randint(1, 6))
        bids.append(goods)
        prices.append(sum(rng.randint(50, 100) for _ in goods) + 10 * len(goods))
    return ExactCover.packing(bids, weights=prices)


def bin_packing(n_things: int, capacity: int, seed: int = 1) -> ExactCover:
    """Return patterns, sets of things that fill a bin, of which as few as possible are used."""
    rng = random.Random(seed)
    sizes = sorted(rng.randint(capacity // 5, capacity // 2) for _ in range(n_things))
    options = patterns(sizes, capacity)
    return ExactCover.covering(options, costs=[1] * len(options))


def patterns(sizes: list[int], capacity: int, most: int = 500_000) -> list[list[int]]:
    """Return the sets of things to which no other thing can be added.

    Raises ValueError if there are more than `most`.
    """
    found, pending = list[list[int]](), [([], 0, 0)]
    smallest = min(sizes)
    while pending:
        chosen, begin, total = pending.pop()
        if total + smallest > capacity or begin == len(sizes):
            left = capacity - total
            if not any(size <= left for k, size in enumerate(sizes) if k not in chosen):
                found.append(chosen)
                if len(found) > most:
                    raise ValueError(f"there are more than {most:,} patterns")
            continue
        if total + sizes[begin] <= capacity:
            pending.append(([*chosen, begin], begin + 1, total + sizes[begin]))
        pending.append((chosen, begin + 1, total))
    return found
