"""Diagnoses are checked without the package: colorings by sums, the others by brute force."""

import itertools
import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.diagnose import conflict, find_diagnosis, find_reason, shortages
from dlx_numba.explain.diagnose.coloring import weigh_items
from dlx_numba.explain.diagnose.shortages import find_shortages
from dlx_numba.kernels import lattice
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.search.exploration import Exploration
from dlx_numba.search.proof import WORK_PER_UPDATE
from scripts.fuzzing.diagnoses import diagnose_problems
from tests.helpers import oracles
from tests.helpers.counting import pigeons
from tests.helpers.diagnoses import check_numbers, random_conditions, tiling
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import without_short_proof
from tests.helpers.seeds import seeds


@pytest.mark.parametrize(
    ("cover", "modulus", "values"),
    [
        (tiling(6, 6, "### .#."), 8, {1, 5}),
        (tiling(6, 6, "### #.."), 8, {1, 5}),
        (tiling(10, 10, "####"), 2, {1}),
    ],
    ids=["T on 6×6", "L on 6×6", "I on 10×10"],
)
def test_impossible_tilings_have_a_coloring(cover, modulus, values):
    diagnosis = cover.diagnose()
    assert (diagnosis.modulus, set(diagnosis.values.values())) == (modulus, values)
    assert diagnosis.items == list(diagnosis.values)
    assert json.dumps([*diagnosis.values.values(), diagnosis.modulus])  # plain integers
    check_numbers(cover, diagnosis.values, diagnosis.modulus)


@pytest.mark.parametrize("seed", [*seeds(300, 20)])
def test_random_problems_are_diagnosed_as_by_brute_force(seed, tmp_path):
    diagnose_problems(random.Random(seed), tmp_path)


def test_exact_numbers_take_more_of_the_work_that_is_allowed(monkeypatch):
    works, insert = [], lattice.plain_python(lattice.insert_row)

    def counted(*arguments):
        works.append(insert(*arguments))
        return works[-1]

    monkeypatch.setattr(lattice, "plain_python", lambda kernel: counted)
    quadruples = [list(items) for items in itertools.combinations(range(18), 4)]
    assert lattice.find_coloring(dlx.ExactCover(quadruples).problem, Stop(), 1 << 14) is None
    assert 0 < sum(works) < 1 << 10


def test_a_coloring_with_large_numbers_is_exact():
    """Sums of products of the numbers do not fit into 64 bits."""
    rng = random.Random(177)
    rows = [[item for item in range(32) if rng.random() < 0.5] for _ in range(32)]
    cover = dlx.ExactCover(rows, range(32))
    coloring = lattice.find_coloring(cover.problem, Stop())
    assert coloring.modulus > 2**30
    check_numbers(cover, dict(enumerate(coloring.values.tolist())), coloring.modulus)


def test_the_search_for_a_coloring_ends_soon(monkeypatch):
    """The vectors of pairs color nothing; those of a triangle come last."""
    pairs = [[f"a{k}", f"b{k}"] for k in range(50)]
    cover = dlx.ExactCover([*pairs, ["x", "y"], ["y", "z"], ["x", "z"]])
    duals, dual, event = [], lattice._dual, threading.Event()

    def set_event(*arguments):
        event.set()
        duals.append(dual(*arguments))
        return duals[-1]

    assert lattice.find_coloring(cover.problem, Stop()).modulus == 2
    monkeypatch.setattr(lattice, "_dual", set_event)
    for stop in (event, SetAfter(1)):
        assert lattice.find_coloring(cover.problem, Stop(event=stop)) is None
        assert len(duals) == 1


def test_thousands_of_items_without_options_are_named_at_once():
    known, missing = ([f"{word} {k:05}" for k in range(5_000)] for word in ("item", "ITEM"))
    cover = dlx.ExactCover([[name] for name in known], items=known + missing)
    diagnosis = cover.diagnose()
    assert find_shortages(named_problem(cover), max_items=1)[0] == missing[:1]
    assert (diagnosis.kind, diagnosis.items) == ("statement", missing)
    assert diagnosis.first_line == "`ITEM 00000` has no option; did you mean 'item 00000'?"
    last_line = "Too few options contain 4,990 more items."
    assert diagnosis.text.split("\n")[shortages.MAX_LISTED :] == [last_line]


def test_a_hint_names_one_of_many_items_without_options(monkeypatch):
    """The labels of all items take a minute if there are millions of them."""
    calls, cover = [], dlx.ExactCover([[]], items=range(1000))
    monkeypatch.setattr(shortages, "label", lambda name: calls.append(name) or str(name))
    assert find_reason(named_problem(cover), Stop(), max_items=1).text == "0 has no option."
    assert set(calls) == {0}


@pytest.mark.parametrize(
    ("cover", "text"),
    [
        (
            dlx.ExactCover([["a"], ["a"], ["a", "b"], ["b"]], exactly={"a": 3}, given=[3]),
            "`a` must be covered 3 times more, but only 2 options are left: the given and "
            "forbidden options exclude the others.",
        ),
        (dlx.ExactCover([[1]], items=[1, "1"]), "`1` has no option; did you mean the int `1`?"),
        (dlx.ExactCover([], items=["a\nb"]), '`"a\\nb"` has no option.'),
        (dlx.ExactCover([[]], secondary=["a"]), "The problem has a cover."),
        (
            dlx.ExactCover(
                [["a", "b"], ["b"], ["a"], ["c", "d"], ["f"]],
                items=["a", "b", "c", "d", "e", "f"],
                multiplicity={"c": 3, "b": 2},
                forbidden=[0, 2, 4],
            ),
            "`a` has no option left: the conditions exclude all 2.\n"
            "`b` must be covered 2 times more, but only 1 option is left: the given and forbidden "
            "options exclude the others.\n"
            "`c` must be covered 3 times, but only 1 option contains it.\n"
            "`e` has no option.\n"
            "`f` has no option left: the conditions exclude the only one.",
        ),
    ],
)
def test_statements(cover, text):
    assert cover.diagnose().text == text


def test_weights_prove_what_no_coloring_does():
    diagnosis = pigeons(12).diagnose()
    assert (diagnosis.kind, diagnosis.modulus) == ("coloring", None)
    check_numbers(pigeons(12), diagnosis.values)
    assert diagnosis.first_line == (
        "There is no cover: 13 items all need one of 12 others, which are enough for only 12."
    )


PLACES = [[p, d] for p in ("Ann", "Bob", "Cy") for d in ("Mon", "Tue")]
TRIANGLE = [["a", "b"], ["b", "c"], ["c", "a"]]


def meetings(n_people, n_meetings):
    """Return the problem of meetings of three, in which each two people meet once."""
    pairs = [("pair", *pair) for pair in itertools.combinations(range(n_people), 2)]
    names = [f"meeting {k}" for k in range(n_meetings)]
    triples = [{*triple} for triple in itertools.combinations(range(n_people), 3)]
    options = [[*(p for p in pairs if {*p[1:]} < t), name] for t in triples for name in names]
    return dlx.ExactCover(options, items=pairs, optional=names)


ALL = [*"abc", "Ann", "Bob", "Cy", "Mon", "Tue", "no", "ok"]


@pytest.mark.parametrize(
    ("cover", "lines"),
    [
        (
            dlx.ExactCover(PLACES),
            ["`Bob` and `Cy` all need `Mon` or `Tue`, which"],
        ),
        (
            dlx.ExactCover(PLACES, at_least={"Ann": 2}),
            ["`Cy` must be covered 4 times, each"],
        ),
        (meetings(7, 6), ["21 items must be covered, but at most 18 of", "3: `meeting 0`"]),
        (dlx.ExactCover(TRIANGLE), ["an even number of 3 items"]),
        (
            dlx.ExactCover([*TRIANGLE, *PLACES, ["ok"]], items=ALL),
            ["`no` has no option", "2 of 3", "an even number of 3", "3 of 3", "enough for only 2"],
        ),
    ],
)
def test_people_count_and_all_reasons_are_stated(cover, lines):
    diagnosis = cover.diagnose()
    places = [diagnosis.text.index(line) for line in lines]
    assert places == sorted(places)
    items = [item for each in (diagnosis, *diagnosis.others) for item in each.items]
    assert len(items) == len({*items})


def test_two_items_whose_only_options_exclude_each_other():
    options = {"left": ["a", "c", ("d", "red")], "right": ["b", ("d", "blue")], "alone": ["c"]}
    diagnosis = dlx.ExactCover(options, optional=["d"]).diagnose()
    only = "They are only in `left` and `right`."
    assert str(diagnosis) == f"There is no cover: `a` and `b` both need `d`.\n{only}"
    assert (diagnosis.kind, diagnosis.items) == ("conflict", ["a", "b", "d"])


def test_reasons_name_items_of_tables_as_people_do():
    lessons = "class,subject,teacher,slot\n6a,Ethics,Lindh,Tue\n6a,Statistics,Lindh,Tue\n"
    columns = [("class", "subject")], [("class", "slot"), ("teacher", "slot")]
    diagnosis = dlx.ExactCover.from_frame(lessons, *columns).diagnose()
    assert diagnosis.text.split("\n") == [
        "There is no cover: 6a Ethics and 6a Statistics both need 6a on Tue and Lindh on Tue.",
        "They are only in `6a, Ethics` and `6a, Statistics`.",
    ]
    rows = [f"{shift},{who},9" for shift in ("early", "late", "night") for who in ("Ann", "Bob")]
    shifts = "\n".join(["shift,person,hour", *rows])
    crew = dlx.ExactCover.from_frame(shifts, ["shift"], [("person", "hour")])
    assert "early, late and night all need Ann hour 9 or Bob hour 9, which" in crew.diagnose().text
    assert "`who,Ann` has no option" not in dlx.ExactCover([], [("who", "Ann")]).diagnose().text


@pytest.mark.slow
def test_a_long_reason_says_how_many_items_it_has():
    cover = dlx.example("polyominoes").cover(given=[1046, 1468, 118])
    diagnosis = cover.diagnose()
    assert diagnosis.first_line == (
        "There is no short reason: 48 items cannot all be covered, although any 47 of them can."
    )
    assert len(diagnosis.items) == 48
    assert "and 38 more." in diagnosis.text
    assert diagnosis.svg().count(">1</text>") > 30


def test_several_totals_exclude_covers_independently():
    totals = {"v": ([2, 2, 0, 0], 0, 1), "w": ([0, 0, 3, 3], 0, 1), "x": ([1, 1, 1, 1], 0, 9)}
    diagnosis = dlx.ExactCover([["a"], ["a"], ["b"], ["b"]], totals=totals).diagnose()
    assert [each.conditions for each in (diagnosis, *diagnosis.others)] == [
        [("total", "v")],
        [("total", "w")],
    ]


@pytest.mark.parametrize("seed", [*seeds(100)])
def test_weights_of_general_problems(seed):
    options, bounds, secondary = oracles.random_general_problem(seed)
    cover = random_conditions(random.Random(seed), options, bounds, secondary)
    found = None if cover is None else weigh_items(named_problem(cover), Stop())
    if found is not None:
        check_numbers(cover, found[0])
        assert cover.count(method="search") == 0


@pytest.fixture
def searches(monkeypatch):
    """Count the searches for conflicts."""
    found, search_cover = [], conflict.search_cover

    def search(*arguments):
        found.append(search_cover(*arguments))
        return found[-1]

    monkeypatch.setattr(conflict, "search_cover", search)
    return found


def two_in_one_hole(n_others=4):
    """A problem with a conflict of three items."""
    names = [f"other{k}" for k in range(n_others)]
    options = [[name, f"{name}:{k}"] for name in names for k in range(2)]
    options += [["p", "h"], ["q", "h"], ["q", "h"], ["p", "h"]]
    secondary = ["h", *(f"{name}:{k}" for name in names for k in range(2))]
    return dlx.ExactCover(options, secondary=secondary)


@pytest.mark.parametrize("n_early", [0, 4])
def test_a_conflict_is_minimal_even_if_a_search_for_a_smaller_one_ends_early(
    monkeypatch, searches, n_early
):
    counted = conflict.search_cover

    def first_end_early(*arguments):
        found = counted(*arguments)
        return found if len(searches) > n_early else conflict.Existence(None, 0)

    monkeypatch.setattr(conflict, "search_cover", first_end_early)
    diagnosis = two_in_one_hole().diagnose()
    assert (sorted(diagnosis.items), diagnosis.is_minimal) == (["h", "p", "q"], True)


def test_few_searches_find_those_to_blame_of_many_conditions(searches):
    options = [["p", "h"], ["p"], ["q", "h"], ["q"]] + [[k] for k in range(200) for _ in "ab"]
    forbidden = [1, 3, *range(4, len(options), 2)]
    diagnosis = dlx.ExactCover(options, secondary=["h"], forbidden=forbidden).diagnose()
    assert diagnosis.conditions == diagnosis.helpful == [("forbidden", 1), ("forbidden", 3)]
    assert diagnosis.is_minimal
    assert "There is a cover without" in diagnosis.text
    assert len(searches) < 100


def test_a_stopped_call_returns_what_is_known():
    for diagnosis in (
        pigeons(12).diagnose(stop=SetAfter(80)),
        without_short_proof().diagnose(seconds=0.1),
    ):
        assert (diagnosis.kind, diagnosis.items, diagnosis.is_minimal) == ("unknown", [], False)


def test_a_stopped_search_for_a_conflict_returns_a_larger_one():
    stop = threading.Event()

    def report(text):
        if "exclude each other" in text:
            stop.set()

    diagnosis = find_diagnosis(named_problem(two_in_one_hole()), Stop(None, stop), report)
    assert (diagnosis.kind, diagnosis.is_minimal) == ("conflict", False)
    assert {"h", "p", "q"} < set(diagnosis.items)
    assert "was stopped" in diagnosis.text


def run_in_steps(cover):
    search, found = cover.replace(threads=1).search(), []
    while not search.done:
        found += search.run(updates=10**6)
    assert search.progress.fraction == 1
    return found


def run_until_stopped(cover):
    """Continue the search and the proof whenever they are stopped, which is soon."""
    search = Exploration(named_problem(cover).prepare())
    while not search.done:
        found = search.find_covers(Stop(event=SetAfter(9)), 1).covers
    return len(found)


def test_a_stopped_call_proves_no_condition_to_be_needed():
    multiplicity = {"a": (0, 1), "b": 2, "c": 2}
    cover = dlx.ExactCover([["a", "b"], ["a", "b"], ["c"], ["c"]], multiplicity=multiplicity)
    for left in range(100):
        diagnosis = cover.diagnose(stop=SetAfter(left))
        assert diagnosis.conditions in ([], [("multiplicity", "b")]) or not diagnosis.is_minimal


def in_executor(cover, call):
    with ThreadPoolExecutor(2) as executor:
        return call(cover.replace(executor=executor), seconds=60)


HOPELESS = {
    "solve": lambda cover: cover.solve(),
    "solve, one thread": lambda cover: cover.replace(threads=1).solve(),
    "solve, executor": lambda cover: in_executor(cover, dlx.ExactCover.solve),
    "iterate, list": list,
    "count, executor": lambda cover: in_executor(cover, dlx.ExactCover.count),
    "count, memo": lambda cover: cover.count(method="memo"),
    "count, search": lambda cover: cover.count(method="search"),
    "count, limit": lambda cover: cover.count(limit=3),
    "counter, run": lambda cover: (counter := cover.counter()).run() and counter.result,
    "Search.count": lambda cover: cover.search().count(),
    "Search.run": run_in_steps,
    "stopped": run_until_stopped,
}


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=[pytest.mark.thorough] * (" " in k)) for k in HOPELESS]
)
def test_a_coloring_ends_a_search_that_would_take_years(name):
    call = HOPELESS[name]
    cover = tiling(12, 12, "##", {(0, 0), (11, 11)})
    assert call(cover) in ([], 0)
    assert call(cover) in ([], 0)  # the proof is kept


def test_a_proof_takes_no_more_work_than_the_search_before_it(monkeypatch):
    asked, problem = list[tuple[int, int]](), named_problem(without_short_proof()).prepare()
    search = Exploration(problem)

    def seek_coloring(_problem, max_work):
        asked.append((max_work, search.counters()[2]))
        yield

    monkeypatch.setattr(lattice, "seek_coloring", seek_coloring)
    monkeypatch.setattr("dlx_numba.search.proof.LAST_PROOF_UPDATES", 5000)
    search.proof.updates = 1000
    for _ in range(8):
        search.find_covers(Stop(), 1, 1500)
    updates = [work / WORK_PER_UPDATE for work, _ in asked]
    assert updates == [1000, 5000]
    assert all(0 <= n - least < 1000 for least, (_, n) in zip(updates, asked, strict=True))


@pytest.mark.compiled
def test_weights_end_a_search_that_would_take_years():
    assert pigeons(20).first() is None
    assert pigeons(20).count(method="search") == 0


@pytest.mark.compiled
def test_a_part_without_covers_ends_the_search_of_all():
    """The coloring of one part of a problem suffices, whatever the others are."""
    board = tiling(18, 18, "### .#.").options
    other = [[("x", *cell) for cell in cells] for cells in tiling(4, 4, "##").options]
    assert dlx.ExactCover([*other, *board]).count() == 0
    assert dlx.ExactCover([*other, *board]).first() is None


def test_pictures_show_colorings():
    diagnosis = tiling(6, 6, "### .#.").diagnose()
    assert diagnosis.svg().count("<text") == 36
    assert diagnosis.svg() in diagnosis._repr_html_()
    assert dlx.ExactCover([["x"]], items=["x", "y"]).diagnose().svg() is None


def test_a_conflict_is_proved_by_a_few_steps():
    options, bounds, secondary = oracles.random_general_problem(225)
    cover = dlx.ExactCover(options, list(bounds), secondary, multiplicity=bounds)
    lines = str(cover.diagnose()).split("\n")
    assert lines[0].endswith("cannot all be covered, even if the others need not be.")
    assert lines[1].startswith("1. With ")
    assert lines[-1] == "4. There is no cover: too little is left for `3`."


def test_a_count_is_found_before_a_conflict_of_multiplicities_is_sought():
    """Eight people for at most 3 of 14 shifts, each of which needs 3: the search took minutes."""
    rng = random.Random(3)
    options = [
        [(day, shift), ("person", person), ("on", person, day)]
        for person in range(8)
        for day in range(7)
        for shift in ("early", "late")
        if rng.random() < 0.8
    ]
    shifts = [(day, shift) for day in range(7) for shift in ("early", "late")]
    people = [("person", person) for person in range(8)]
    bounds = dict.fromkeys(shifts, (3, None)) | dict.fromkeys(people, (0, 3))
    secondary = {option[2]: None for option in options}
    roster = dlx.ExactCover(options, [*shifts, *people], secondary, multiplicity=bounds)
    diagnosis = roster.diagnose(seconds=20)
    assert "14 items must be covered 42 times" in diagnosis.text
    assert "enough for only 24" in diagnosis.text
