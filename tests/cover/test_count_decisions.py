"""Known steps of counts: what a count decides depends on its work alone.

The decisions are made early here, so that small problems need all of them.
"""

import itertools
import math
import operator
import re
from unittest import mock

import pytest

from dlx_numba.cover import class_counter, component_counter
from dlx_numba.cover.class_counter import ClassCounter
from dlx_numba.cover.component_counter import ComponentCounter
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import proof, thread_runner
from dlx_numba.search.thread_runner import ALONE
from tests.cover.test_counting import ice, latin_squares, tilings
from tests.helpers.counting import pigeons
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import instance

EARLY = {
    "COUNT_UPDATES": 1000,
    "SAMPLE_UPDATES": 4000,
    "TRIAL_WORK": 2000,
    "MAX_MEMO_WORK": 20_000,
    "MIN_WHOLE_WORK": 20_000,
    "MIN_REST": 1,
}
SLICE = {"MIN_UPDATES_PER_SLICE": UNLIMITED}  # the clock does not divide a step
BY_CLASSES = {"MIN_WHOLE_WORK": 200_000, "SHARE": 0.5, "MIN_REST": 1000}
STEPS = "_decide", "_start_trial", "_divide"
COUNTS = {
    "tilings": (lambda: tilings(8, 8, 2), {"start_planar": lambda *_: None}),
    "dominoes": (lambda: tilings(8, 8, 2), {}),
    "langford": (lambda: instance("langford8"), {}),
    "queens": (lambda: instance("queens8"), {"MIN_WHOLE_WORK": 3000, "SHARE": 0.5}),
    "latin": (lambda: latin_squares(5), BY_CLASSES),
    "later": (lambda: latin_squares(5), {**BY_CLASSES, "MIN_WHOLE_WORK": 500_000, "SHARE": 1 / 16}),
    "large": (lambda: latin_squares(4), BY_CLASSES | {"MAX_ISOMORPH_NODES": 191}),
    "small": (
        lambda: latin_squares(4),
        BY_CLASSES | {"MIN_WHOLE_WORK": 10_000, "MAX_ISOMORPH_NODES": 192},
    ),
    "trials": (
        lambda: latin_squares(5),
        BY_CLASSES | {"MIN_WHOLE_WORK": 100_000, "MIN_SPEEDUP": 4},
    ),
    "dominating": (lambda: instance("queendom7.mcc"), {}),
    "ice": (lambda: ice(4, 4, True), {}),
    "colors": (lambda: instance("macmahon4x6f"), {"MAX_MEMO_WORK": 100_000}),
    "leftmost": (lambda: instance("langford7", choose="leftmost"), {}),
    "bitmaps": (lambda: instance("langford8", algorithm="bitset"), {}),
    "impossible": (lambda: pigeons(8), {}),
    "classes": (lambda: instance("queens8"), {"MAX_RATIO": 0.02}),
    "largest classes": (lambda: latin_squares(4), {"MAX_RATIO": 0.002}),
    "whole classes": (lambda: latin_squares(4), {"MAX_RATIO": math.inf}),
}


def facts(component):
    """Return what a count shows: its technique, covers, nodes, updates and explored share."""
    technique = component.technique.split()[0]
    counters = " ".join(map(str, component.counters()[1:]))
    return f"{technique} {component.count} {counters} {component.fraction:.4f}"


def steps_of(name):
    """Count, and return what the count shows before each decision, and at the end."""
    make, early = COUNTS[name]
    shown = list[str]()

    def observed(name, step):
        def call(counter, *arguments):
            if counter in (component, component._replacement):
                shown.append(f"{name.strip('_')}: {facts(component)}")
            return step(counter, *arguments)

        return call

    wrapped = {name: observed(name, getattr(ComponentCounter, name)) for name in STEPS}
    constants = EARLY | early
    ratio = constants.pop("MAX_RATIO", class_counter.MAX_RATIO)
    with (
        mock.patch.multiple(component_counter, **constants),
        mock.patch.object(class_counter, "MAX_RATIO", ratio),
        mock.patch.object(ClassCounter, "step", observed("count_class", ClassCounter.step)),
        mock.patch.multiple(thread_runner, **SLICE),
        mock.patch.multiple(ComponentCounter, **wrapped),
    ):
        [component] = make().replace(threads=1).counter()._open
        if name.endswith("classes"):
            component.count_classes()
        run(component, Stop())
    return [*shown, f"end: {facts(component)}"]


def compressed(lines):
    """Return lines with the number of times that each follows itself."""
    return [f"{len([*group])} {line}" for line, group in itertools.groupby(lines)]


KNOWN = """
tilings
  1 decide: search 62 199 1003 0.0000
  1 decide: search 6696 199 1003 0.0000
  1 decide: memo 108999 496 744 0.0040
  1 end: memo 12988816 861 1297 1.0000
dominoes
  1 decide: search 62 199 1003 0.0000
  1 end: planar 12988816 32 8048 1.0000
langford
  1 decide: search 7 52 1006 0.0308
  1 decide: search 15 108 2004 0.0595
  1 decide: search 29 214 4006 0.1220
  1 decide: search 58 430 8008 0.2381
  1 start_trial: search 128 845 15158 0.4286
  1 decide: search 134 889 16000 0.4524
  1 start_trial: search 264 1702 30295 0.8333
  1 decide: search 274 1787 32007 0.8929
  1 end: search 300 1968 35284 1.0000
queens
  1 decide: search 0 32 1009 0.0417
  1 decide: search 3 71 2018 0.0972
  1 start_trial: search 4 89 2482 0.1224
  1 divide: search 4 89 2482 0.1224
  1 decide: search 9 147 4018 0.2000
  1 decide: search 30 317 8031 0.3937
  1 decide: search 81 674 16005 0.7625
  1 end: search 92 845 20527 1.0000
latin
  1 decide: search 10 106 1000 0.0001
  1 decide: search 26 228 2004 0.0002
  1 decide: search 53 469 4001 0.0003
  1 decide: search 110 950 8002 0.0007
  1 decide: search 221 1912 16004 0.0014
  1 decide: search 446 3832 32000 0.0028
  1 decide: search 894 7675 64001 0.0055
  1 start_trial: search 1642 14084 117422 0.0102
  3 divide: search 1642 14084 117422 0.0102
  3 count_class: isomorphism 1642 1 0 0.0102
  4 count_class: isomorphism 1642 2 0 0.0102
  1 end: isomorphism 161280 69090 575548 1.0000
later
  1 decide: search 10 106 1000 0.0001
  1 decide: search 26 228 2004 0.0002
  1 decide: search 53 469 4001 0.0003
  1 decide: search 110 950 8002 0.0007
  1 decide: search 221 1912 16004 0.0014
  1 decide: search 446 3832 32000 0.0028
  1 decide: search 894 7675 64001 0.0055
  1 decide: search 1791 15358 128002 0.0111
  1 decide: search 3584 30718 256006 0.0222
  1 start_trial: search 4110 35226 293548 0.0255
  5 divide: search 4110 35226 293548 0.0255
  1 count_class: isomorphism 4110 1 0 0.0255
  4 count_class: isomorphism 4110 2 0 0.0255
  1 end: isomorphism 161280 69090 575548 1.0000
large
  1 decide: search 16 116 1004 0.0278
  1 decide: search 32 236 2006 0.0556
  1 decide: search 67 477 4001 0.1163
  1 decide: search 136 956 8000 0.2361
  1 decide: search 273 1915 16005 0.4740
  1 decide: search 548 3833 32007 0.9514
  1 end: search 576 4025 33585 1.0000
small
  1 decide: search 16 116 1004 0.0278
  1 decide: search 32 236 2006 0.0556
  1 decide: search 67 477 4001 0.1163
  1 start_trial: search 98 695 5835 0.1719
  1 divide: search 98 695 5835 0.1719
  1 decide: search 136 956 8000 0.2361
  1 decide: search 273 1915 16005 0.4740
  1 decide: search 548 3833 32007 0.9514
  1 end: search 576 4025 33585 1.0000
trials
  1 decide: search 10 106 1000 0.0001
  1 decide: search 26 228 2004 0.0002
  1 decide: search 53 469 4001 0.0003
  1 decide: search 110 950 8002 0.0007
  1 decide: search 221 1912 16004 0.0014
  1 decide: search 446 3832 32000 0.0028
  1 start_trial: search 820 7035 58709 0.0051
  2 divide: search 820 7035 58709 0.0051
  1 decide: search 894 7675 64001 0.0055
  1 start_trial: search 1642 14084 117422 0.0102
  2 divide: search 1642 14084 117422 0.0102
  2 count_class: isomorphism 1642 1 0 0.0102
  4 count_class: isomorphism 1642 2 0 0.0102
  1 end: isomorphism 161280 69090 575548 1.0000
dominating
  2 decide: search 0 5 1016 0.0001
  1 decide: memo 0 98 196 0.0296
  1 decide: memo 0 255 510 0.0388
  1 decide: memo 0 561 1122 0.0499
  1 decide: memo 0 1092 2184 0.0628
  1 decide: memo 0 1940 3880 0.0773
  1 decide: search 0 8 2006 0.0773
  1 decide: memo 0 4047 8094 0.1025
  1 decide: search 0 12 4008 0.1025
  1 decide: search 0 22 8020 0.1025
  1 decide: search 0 46 16008 0.1025
  1 decide: search 0 101 32037 0.1025
  1 decide: search 0 218 64003 0.1025
  1 decide: search 0 462 128007 0.1025
  1 decide: search 0 972 256025 0.1025
  1 decide: search 2 2081 512029 0.1025
  1 decide: search 15 4192 1024034 0.1080
  1 decide: search 28 8304 2048045 0.2600
  1 end: search 86 15688 3877742 1.0000
ice
  2 decide: search 23 225 1003 0.0071
  1 decide: memo 23 42 59 0.0235
  1 decide: search 50 450 2002 0.0254
  1 decide: search 106 898 4003 0.0422
  1 decide: search 216 1806 8002 0.1304
  1 decide: search 434 3600 16000 0.3926
  1 decide: search 875 7185 32001 0.8203
  1 end: search 990 8103 36058 1.0000
colors
  2 decide: search 0 37 1002 0.0000
  1 decide: search 0 79 2018 0.0001
  1 decide: search 0 172 4010 0.0001
  1 decide: search 0 327 8008 0.0008
  1 start_trial: search 0 519 12680 0.0010
  1 divide: search 0 519 12680 0.0010
  1 decide: search 4 690 16020 0.0012
  1 decide: search 14 1472 32006 0.0017
  1 decide: search 39 3073 64012 0.0031
  1 decide: search 82 6166 128004 0.0061
  1 decide: search 102 11926 256032 0.0117
  1 decide: search 217 23958 512018 0.0235
  1 decide: search 339 47338 1024000 0.0487
  1 decide: search 606 92363 2048004 0.0981
  1 end: search 11736 1671674 36773168 1.0000
leftmost
  1 end: search 52 793 18406 1.0000
bitmaps
  1 decide: search 16 101 1017 0.0625
  1 decide: search 28 187 2010 0.1210
  1 decide: search 58 374 4011 0.2381
  1 decide: search 132 799 8001 0.4484
  1 start_trial: search 218 1294 12831 0.7054
  1 decide: search 272 1606 16005 0.8849
  1 end: search 300 1783 17802 1.0000
impossible
  2 decide: search 0 133 1002 0.0018
  1 decide: memo 0 240 929 0.4821
  1 end: memo 0 256 1028 1.0000
classes
  1 count_class: isomorphism 0 0 0 0.0000
  8 count_class: isomorphism 0 1 0 0.0000
  1 count_class: isomorphism 8 92 2418 0.2500
  1 count_class: isomorphism 24 187 4683 0.5000
  1 count_class: isomorphism 56 299 7127 0.7500
  1 end: isomorphism 92 422 9810 1.0000
largest classes
  1 count_class: isomorphism 0 0 0 0.0000
  4 count_class: isomorphism 0 1 0 0.0000
  1 count_class: isomorphism 20 50 431 0.0000
  3 count_class: isomorphism 20 51 431 0.0000
  1 count_class: isomorphism 60 93 797 0.0000
  2 count_class: isomorphism 60 94 797 0.0000
  1 count_class: isomorphism 96 129 1106 0.0000
  1 count_class: isomorphism 96 130 1106 0.0000
  1 count_class: isomorphism 96 160 1364 0.0000
  3 count_class: isomorphism 96 161 1364 0.0000
  1 count_class: isomorphism 288 192 1629 0.0000
  2 count_class: isomorphism 288 193 1629 0.0000
  1 end: isomorphism 576 220 1840 1.0000
whole classes
  1 count_class: isomorphism 0 0 0 0.0000
  4 count_class: isomorphism 0 1 0 0.0000
  1 end: isomorphism 576 1007 8380 1.0000
"""


def known_steps():
    """Yield the name of each count and its steps."""
    for part in re.split(r"\n(?=\w)", KNOWN.strip("\n")):
        name, *lines = part.split("\n")
        yield name, [*map(str.strip, lines)]


@pytest.mark.parametrize(("name", "steps"), [*known_steps()])
def test_a_count_takes_known_steps(name, steps):
    assert compressed(steps_of(name)) == steps


def test_what_is_counted_of_a_class_is_shown(monkeypatch):
    for name in ("UPDATES_PER_SLICE", "MIN_UPDATES_PER_SLICE"):
        monkeypatch.setattr(thread_runner, name, 1000)
    monkeypatch.setattr(class_counter, "MAX_RATIO", math.inf)
    [component] = latin_squares(4).replace(threads=1).counter()._open
    component.count_classes()
    shown = [(0, 0, 0)]
    while not component.done:
        run(component, Stop(event=SetAfter(4)))
        state = component.counters()
        assert all(map(operator.le, shown[-1], state))
        shown.append(state)
    assert shown[-1][:2] == (576, 1007)
    parts = {count for count, *_ in shown} - {0, 576}
    assert parts
    assert all(count % 4 == 0 for count in parts)  # the four options of an item are one class


def test_a_limit_ends_a_count(monkeypatch):
    monkeypatch.setattr(component_counter, "COUNT_UPDATES", 1000)
    for limit in (1, 12, 91, 92, 93):
        cover = instance("queens8").replace(threads=1)
        assert cover.count(limit=limit) == min(limit, 92)


def test_a_count_with_the_memo_does_not_search(monkeypatch):
    monkeypatch.setattr(component_counter.Exploration, "count_covers", None)
    cover = tilings(4, 4, 2)
    assert cover.count(method="memo") == 36
    assert cover.statistics.nodes == 28  # distinct subproblems


def test_a_count_without_covers_seeks_a_proof(monkeypatch):
    monkeypatch.setattr(proof, "PROOF_UPDATES", 3000)
    for name, number in {"MIN_REST": 10**9, "COUNT_UPDATES": 1000, "SAMPLE_UPDATES": 4000}.items():
        monkeypatch.setattr(component_counter, name, number)
    monkeypatch.setattr(thread_runner, "MIN_UPDATES_PER_SLICE", UNLIMITED)
    for n, counters in ((5, (206, 1501)), (6, (272, 2001)), (8, (270, 2005))):
        [component] = pigeons(n).replace(threads=1).counter()._open
        run(component, Stop())
        assert component.done
        assert component.counters() == (0, *counters)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("latin", "100.00 % explored, 161,280 covers, 1 of 1 classes of isomorphic subproblems"),
        ("tilings", "100.00 % explored, 12,988,816 covers, 861 subproblems, 34 % of lookups known"),
        ("dominoes", "100.00 % of the bits of a determinant"),
        ("langford", "100.00 % explored, 300 covers, "),
    ],
)
def test_the_end_of_a_count_is_described(name, text, monkeypatch):
    make, early = COUNTS[name]
    for constant, value in {**EARLY, **early}.items():
        monkeypatch.setattr(component_counter, constant, value)
    [component] = make().replace(threads=1).counter()._open
    run(component, Stop())
    assert str(component).startswith(text)


def test_a_single_thread_does_the_first_updates(monkeypatch):
    """Thus what the count is expected to take does not depend on the number of threads."""
    pauses = list[tuple[int, int | None]]()

    count_covers = component_counter.Exploration.count_covers

    def observed(search, stop, wanted, updates, workers):
        pauses.append((search.work + updates, workers.n_threads))
        return count_covers(search, stop, wanted, updates, ALONE)

    monkeypatch.setattr(component_counter.Exploration, "count_covers", observed)
    for name, number in {"MIN_REST": 10**9, "COUNT_UPDATES": 1000, "SAMPLE_UPDATES": 4000}.items():
        monkeypatch.setattr(component_counter, name, number)
    [component] = instance("queens8").replace(threads=3).counter()._open
    run(component, Stop())
    assert pauses == [(1000, 1), (2000, 1), (4000, 1), (8000, 3), (16_000, 3), (32_000, 3)]


def test_work_is_that_of_nodes_and_updates(monkeypatch):
    for name, number in {"MIN_REST": 10**9, "COUNT_UPDATES": 1000, "SAMPLE_UPDATES": 4000}.items():
        monkeypatch.setattr(component_counter, name, number)
    monkeypatch.setattr(thread_runner, "MIN_UPDATES_PER_SLICE", UNLIMITED)
    [component] = instance("queens8").replace(threads=1).counter()._open
    rests = list[int]()
    decide = component._decide
    monkeypatch.setattr(
        component, "_decide", lambda: [decide(), rests.append(int(component._rest))]
    )
    run(component, Stop())

    assert rests == [27633, 22716, 19621, 14743, 19512]


def test_a_limit_that_is_reached_exactly_ends_the_count():
    [component] = instance("queens8").replace(threads=1).counter()._open
    component._limit = 10
    run(component, Stop())
    assert component.count == 10
    assert not component.search.done


def test_a_trial_begins_when_its_work_is_reached_exactly(monkeypatch):
    monkeypatch.setattr(component_counter, "MIN_WHOLE_WORK", 224)
    [component] = instance("queens8").replace(threads=1).counter()._open
    begun = list[float]()
    start = component._start_trial
    monkeypatch.setattr(component, "_start_trial", lambda: [begun.append(component.work), start()])
    run(component, Stop())
    assert begun[0] == 224
