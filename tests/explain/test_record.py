"""The record of a search: it is that of the kernel, step by step, and can be replayed."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import recorder
from dlx_numba.explain import recorder_m as algorithm_m
from dlx_numba.explain import recorder_x as algorithm_x
from dlx_numba.explain.follow import record_search
from dlx_numba.explain.problem_view import board_subject, cover_subject
from dlx_numba.explain.record import DONE, FULL, LIMIT, STEPS, RecordError
from dlx_numba.kernels.algorithm_x import start
from dlx_numba.kernels.branching import Branching
from dlx_numba.kernels.searching import advance, start_search
from dlx_numba.kernels.state import UNLIMITED
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers.examples import knuth, several
from tests.helpers.oracles import (
    multiple_covers,
    random_board,
    random_cover_problem,
    random_general_problem,
)
from tests.helpers.seeds import seeded, seeds

ALL = 10**6


def replay(record):
    """The arrays after each step."""
    arrays = {name: np.array(values) for name, values in record.arrays.items()}
    for step in record.steps:
        for name, cells in step.changes.items():
            arrays[name][cells[::2]] = cells[1::2]
        yield {name: array.copy() for name, array in arrays.items()}


def check(options, primary, secondary, choose=Branching.SMALLEST, **more):
    """The record of a problem, held against the solver and the arrays that it leaves."""
    subject = cover_subject(dlx.ExactCover(options, primary, secondary, **more), "random")
    record = record_search(subject, steps=ALL, choose=choose)
    assert record.ended == DONE
    how = "leftmost" if choose == Branching.LEFTMOST else "smallest"
    cover = dlx.ExactCover(options, primary, secondary, choose=how, **more)
    assert record.covers == cover.solve()
    assert (record.nodes, record.updates) == cover.statistics[1:]
    links, colors, bounds, dance = start_search(
        subject.instance, lambda links: start(links, choose)
    )
    advance(links, colors, bounds, dance, UNLIMITED)
    *_, last = replay(record)
    assert list(last)[:6] == list(links._fields)
    ends = links._asdict() | (bounds._asdict() if bounds else {})
    ends |= {"purifier": colors.purifier} if colors else {}
    assert {name: values.tolist() for name, values in last.items()} == (
        {name: values.tolist() for name, values in ends.items()}
    )
    return record


def test_knuths_example():
    record = record_search(cover_subject(knuth(), "Knuth"))
    assert record.covers == [[0, 3, 4]]
    assert (record.nodes, record.updates, record.ended) == (4, 28, DONE)
    names = " ".join(step.name for step in record.steps)
    assert names == ("X1 X3 X4 X5 X3 X4 X5 X6 X7 X8 X6 X5 X3 X4 X5 X3 X4 X5 X2 X8")
    texts = [step.text for step in record.steps]
    assert texts[1] == "Choose item 0, which has 2 options left: no item has fewer."
    assert texts[-2] == "No item is left: options 0, 3 and 4 are a cover."
    assert record.steps[-2].chosen == (3, 0, 4)
    fates = [(place.option, place.fate) for place in record.tree[1:]]
    assert fates == [(1, "through"), (0, "dead"), (3, ""), (0, ""), (4, "cover")]


def test_random_problems():
    for seed in seeds(150):
        stated = random_cover_problem(seed)
        check(*stated)
        check(*stated, choose=Branching.LEFTMOST)


def test_random_problems_with_colours():
    colored = 0
    for seed in seeds(400):
        options, bounds, secondary = random_general_problem(seed)
        record = check(options, list(bounds), secondary)
        colored += record.steps[0].name == "C1"
    assert colored > 50


def test_random_problems_with_multiplicities():
    said = {"multiplicities": 0, "colours": 0, "none": 0, "tweak": 0}
    for seed in seeds(500):
        options, bounds, secondary = random_general_problem(seed)
        for choose in (Branching.SMALLEST, Branching.LEFTMOST):
            record = check(options, list(bounds), secondary, choose, multiplicity=bounds)
            if record.steps[0].name != "M1":
                continue
            assert sorted(record.covers) == sorted(multiple_covers(options, bounds))
            said["multiplicities"] += 1
            said["colours"] += "purifier" in record.arrays
            said["none"] += any(place.parent >= 0 > place.option for place in record.tree)
            said["tweak"] += any(step.name == "M5" for step in record.steps)
    assert said["multiplicities"] > 300
    assert min(said.values()) > 100


def test_boards_are_searched_as_the_engine_does():
    rng = random.Random(seeded(5))
    for rows, columns, blanks in [(2, 2, 10), (2, 3, 20), (3, 3, 45)] * 8:
        box = Box(rows, columns)
        board = random_board(box, rng, blanks)
        result = dlx.solve_batch(board[None], box=box, engine="dlx", limit=None)
        if result.nodes[0] == 0:
            with pytest.raises(ValueError, match="at odds"):
                board_subject(board, box, Alphabet("1-9A-", box.n), "random")
            continue
        subject = board_subject(board, box, Alphabet("1-9A-", box.n), "random")
        record = record_search(subject, steps=5000)
        if record.ended != DONE:
            continue
        assert len(record.covers) == result.counts[0]
        assert record.nodes == result.nodes[0]
        for cover in record.covers[:1]:
            solution = board.copy()
            for option in cover:
                cell, value = subject.board.placement[option]
                solution[cell] = value
            assert np.array_equal(solution, result.solutions[0])


def test_a_record_that_stops_early_is_the_beginning_of_the_whole():
    subject = cover_subject(knuth(), "Knuth")
    whole = record_search(subject)
    for steps in range(1, len(whole.steps)):
        record = record_search(subject, steps=steps)
        assert record.steps == whole.steps[:steps]
        assert record.ended == STEPS
    assert record_search(subject, steps=len(whole.steps)).ended == DONE


def test_colours_are_told_of():
    options = [["p", ("x", "A")], ["q", "r", ("x", "A")], ["q", ("x", "B")], ["r"]]
    cover = dlx.ExactCover(options, secondary=["x"])
    record = record_search(cover_subject(cover, "coloured"))
    texts = [step.text for step in record.steps if step.name == "C5"]
    assert texts[:2] == [
        "Try option 0 (p x:A): keep item x for options of the same colour, which hides option 2.",
        "Try option 1 (q r x:A): cover its other item r and keep item x for options of the same "
        "colour.",
    ]


def test_multiplicities_are_told_of():
    record = record_search(cover_subject(several(), "several"))
    assert record.covers == [[0, 1, 2], [0, 1, 3], [0, 1], [1, 2], [1, 3], [0, 2, 4]]
    names = " ".join(step.name for step in record.steps[:24])
    assert names == ("M1 M3 M4 M6 M3 M4 M5 M6 M3 M4 M6 M2 M9 M7 M6 M2 M9 M7 M6 M2 M9 M8 M9 M7")
    texts = [step.text for step in record.steps]
    assert texts[4:8] == [
        "Branch on item a, which needs 1 option and may have 2; 3 are left, which makes 3 ways to "
        "go on: no item has fewer, but for some that may do as they like.",
        "As item a may have more than one option, it stays in the list.",
        "Give item a option 0; it needs no more. The option leaves the lists of all its items, and "
        "stays out at this level: no set comes up twice.",
        "Try option 0 (a b): item b has one more.",
    ]
    assert texts[14] == (
        "Try option 3 (a b s:y): cover item b, which has no room for another; keep item s for "
        "options of the same colour."
    )
    assert texts[18] == ("Take none: item a has what it needs, and can do without another option.")
    assert texts[20:22] == [
        "Go back to level 2, where item a was to do without.",
        "Nothing is left to try with item a: restore it and its options.",
    ]
    assert texts[-1] == "There is no level above, so the search ends: there are 6 covers."
    assert [step.chosen for step in record.steps[18:22]] == [(1, 0)] * 4
    places = [(place.option, place.fate) for place in record.tree[3:6]]
    assert places == [(2, "cover"), (3, "cover"), (-1, "cover")]


def test_limit():
    cover = dlx.ExactCover([["a"], ["a"], ["a"]])
    record = record_search(cover_subject(cover, "three"), limit=2)
    assert record.covers == [[0], [1]]
    assert record.ended == LIMIT


def test_a_record_does_not_grow_without_bound(monkeypatch):
    monkeypatch.setattr(recorder, "MOST_CHANGES", 20)
    record = record_search(cover_subject(knuth(), "Knuth"))
    assert record.ended == FULL
    assert len(record.steps) < 10


def test_what_is_not_the_kernels_search_is_noticed(monkeypatch):
    monkeypatch.setattr(algorithm_x, "smallest_item", lambda links: links.L[0])
    with pytest.raises(RecordError, match="kernel stands elsewhere"):
        record_search(cover_subject(knuth(), "Knuth"))
    monkeypatch.setattr(algorithm_m, "choose_item", lambda links, *_: links.L[0])
    with pytest.raises(RecordError, match="kernel stands elsewhere"):
        record_search(cover_subject(several(), "several"))


def test_what_cannot_be_followed():
    with pytest.raises(ValueError, match="smallest and leftmost"):
        record_search(cover_subject(knuth(), "Knuth"), choose=Branching.RANDOM)


def test_problems_at_the_edge():
    nothing = record_search(cover_subject(dlx.ExactCover([]), "nothing"))
    assert nothing.covers == [[]]
    assert nothing.steps[1].text == "There is no item to cover: to choose nothing is a cover."
    hopeless = record_search(cover_subject(dlx.ExactCover([], ["a"]), "hopeless"))
    assert hopeless.covers == []
    assert hopeless.steps[1].text == "No option is left for item a: a dead end."
    empty = record_search(cover_subject(dlx.ExactCover([[], ["a"], []]), "empty options"))
    assert empty.covers == [[1]]
    idle = dlx.ExactCover([], ["a"], multiplicity={"a": (0, 5)})
    nothing = record_search(cover_subject(idle, "idle"))
    assert nothing.covers == [[]]
    assert nothing.steps[1].text.endswith("no option is left: to choose nothing is a cover.")
    short = dlx.ExactCover([["a"], ["b"]], multiplicity={"a": 4})
    hopeless = record_search(cover_subject(short, "hopeless"))
    assert hopeless.covers == []
    assert hopeless.steps[1].text == "Item a needs 4 options, but 1 is left: a dead end."
    at_will = dlx.ExactCover([["a"], ["a"]], multiplicity={"a": (0, 10**9)})
    record = record_search(cover_subject(at_will, "at will"))
    assert record.covers == [[0, 1], [0], [1], []]
    assert record.steps[1].text == (
        "Branch on item a, which needs no option and may have any number; 2 are left, which makes "
        "3 ways to go on. All items that are left may take or leave what they like."
    )


def test_givens_at_odds_are_named():
    board = np.zeros(16, np.uint8)
    board[[0, 3]] = 2
    with pytest.raises(ValueError, match="row 1, column 1 and in row 1, column 4 are at odds"):
        board_subject(board, Box(2, 2), Alphabet("1-9A-", 4), "odd")
