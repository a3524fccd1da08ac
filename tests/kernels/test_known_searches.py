"""Searches of known instances take exactly the same steps on each machine.

A fault that only costs time, such as an option that is tried though an item has none left, finds
the same covers: what it changes is the number of nodes and updates, and the weights of the items.
"""

import itertools
import re

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels import subtree
from dlx_numba.kernels.bitset.bitmaps import Shape
from dlx_numba.kernels.bitset.state import TABLE
from dlx_numba.kernels.bitset.subtree import SubtreeBitset
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import MULTIPLIER, PRIME, Branching, BranchingRule
from dlx_numba.kernels.dlx.restarts import shuffle_options
from dlx_numba.kernels.dlx.state import N_REGISTERS, Register
from dlx_numba.runtime.arguments import UNLIMITED
from tests.helpers.counting import pigeons
from tests.helpers.problems import instance, without_short_proof

UPDATES = 4000  # of a search, unless it ends earlier


def sums(n=12):
    """Choose one option of each pair, so that the sum of weights is in a range."""
    weights = [7 * k * k % 31 for k in range(2 * n)]
    return dlx.ExactCover([[k // 2] for k in range(2 * n)], totals={"w": (weights, 170, 172)})


def balances(n=10):
    """Choose one option of each triple, so that weights of both signs nearly cancel out."""
    weights = [[(a * k * k + k) % 31 - 15 for k in range(3 * n)] for a in (7, 11)]
    totals = {f"total {k}": (each, 0, 1) for k, each in enumerate(weights)}
    return dlx.ExactCover([[k // 3] for k in range(3 * n)], totals=totals)


def shares(n_items=9, size=4):
    """Items have one to three options each; two totals have weights of most options, or of few."""
    n = n_items * size
    options = [[k % n_items, ("some", k // 5)][: 1 + (k % 7 == 0)] for k in range(n)]
    weights = [[(5 * k * k + 3 * k) % 17 - 4 for k in range(n)], [k % 3 == 1 for k in range(n)]]
    totals = {"many": (weights[0], 60, 63), "few": ([*map(int, weights[1])], 6, 6)}
    bounds = {item: ((1, 3), (0, 2), (2, 2))[item % 3] for item in range(n_items)}
    return dlx.ExactCover(options, range(n_items), ["some"], multiplicity=bounds, totals=totals)


def sets(n_items, n_options, size, is_bounded=False):
    """Cover items by sets of drawn items: so many that bitmaps of those that remain pay off."""
    state, options = 1, list[list[int]]()
    for _ in range(n_options):
        option = set[int]()
        while len(option) < size:
            state = state * MULTIPLIER % PRIME
            option.add(state % n_items)
        options.append(sorted(option))
    bounds = dict.fromkeys(range(0, n_items, 3), (1, 2)) if is_bounded else None
    return dlx.ExactCover(options, range(n_items), multiplicity=bounds)


def patterns(n_items=12, n_cells=8, n_colors=3):
    """Each option gives three of the cells drawn colors."""
    state, options = 1, list[list[object]]()
    for number in range(n_items * n_items):
        colors = dict[str, str]()
        while len(colors) < 3:
            state = state * MULTIPLIER % PRIME
            colors[f"cell {state % n_cells}"] = f"color {state // n_cells % n_colors}"
        options.append([number // n_items, *colors.items()])
    return dlx.ExactCover(options, range(n_items), [f"cell {k}" for k in range(n_cells)])


def lessons(n_lessons=8, n_days=5, n_hours=3):
    """Each lesson has three hours on different days; two lessons are possible at a time."""
    state, options = 1, list[list[object]]()
    for lesson, day, hour in itertools.product(range(n_lessons), range(n_days), range(n_hours)):
        state = state * MULTIPLIER % PRIME
        if state % 3:
            options.append([lesson, f"{day} {hour} {lesson % 2}", f"{lesson} on {day}"])
    shared = sorted({str(name) for option in options for name in option[1:]})
    exactly = dict.fromkeys(range(n_lessons), 3)
    return dlx.ExactCover(options, range(n_lessons), shared, exactly=exactly)


PROBLEMS = {
    "queens": lambda: instance("queens8"),
    "langford": lambda: instance("langford7"),
    "pentominoes": lambda: instance("pent3x20"),
    "colors": lambda: instance("macmahon4x6f"),
    "several": lambda: instance("queendom7.mcc"),
    "random": lambda: instance("random40"),
    "pigeons": lambda: pigeons(5),
    "coloring": lambda: without_short_proof(4),
    "sums": sums,
    "balances": balances,
    "shares": shares,
    "pairs": lambda: sets(36, 500, 2),
    "triples": lambda: sets(60, 900, 3, is_bounded=True),
    "patterns": patterns,
    "lessons": lessons,
}
RULES = {
    "smallest": BranchingRule(),
    "leftmost": BranchingRule(Branching.LEFTMOST),
    "random": BranchingRule(Branching.RANDOM, seed=5),
    "sharp": BranchingRule(Branching.SHARP, last_sharp=6),
    "weighted": BranchingRule(Branching.WEIGHTED, seed=5),
    "consistent": BranchingRule(is_consistent=True),
}


def explore(kind, name, rule):
    """Return the covers, nodes and updates of the beginning of a search, and the search."""
    tree = kind.start(PROBLEMS[name]().problem, RULES[rule])
    for _ in range(8):  # so that it pauses
        if not tree.is_done:
            tree.explore(UPDATES // 8, UNLIMITED)
    return tree.counters.tolist(), tree


KINDS = {"X": SubtreeX, "M": SubtreeM, "bitset": SubtreeBitset}
# The covers, nodes and updates of each search
KNOWN = """
X queens smallest: 8 141 3857
X queens leftmost: 6 135 4072
X queens random: 26 170 3808
X queens sharp: 8 139 3833
X queens weighted: 19 170 3836
X langford smallest: 26 203 3841
X langford leftmost: 14 184 4007
X langford random: 26 208 3890
X langford sharp: 19 196 3867
X langford weighted: 23 211 3854
X pentominoes smallest: 0 6 7188
X pentominoes weighted: 0 7 7443
X colors smallest: 0 22 5002
X colors leftmost: 0 11 6543
X colors random: 0 21 5068
X colors sharp: 0 10 8858
X colors weighted: 0 15 4990
X random smallest: 0 68 3969
X random leftmost: 0 62 4005
X random random: 0 64 3856
X random sharp: 0 66 4037
X random weighted: 0 60 4003
X pigeons smallest: 0 206 1501
X pigeons weighted: 0 206 1501
X coloring smallest: 0 110 3362
X coloring leftmost: 0 195 4070
X coloring random: 0 111 3350
X coloring sharp: 0 112 3387
X coloring weighted: 0 109 3390
M queens smallest: 9 148 3699
M queens leftmost: 7 141 3745
M queens random: 28 180 3577
M queens sharp: 9 150 3722
M queens weighted: 27 187 3594
M langford smallest: 25 197 3471
M langford leftmost: 13 176 3557
M langford random: 26 206 3493
M langford sharp: 19 188 3540
M langford weighted: 23 193 3476
M pentominoes smallest: 0 6 7152
M pentominoes weighted: 0 7 7404
M colors smallest: 0 21 4889
M colors leftmost: 0 11 6494
M colors random: 0 22 5193
M colors sharp: 0 10 8794
M colors weighted: 0 18 4883
M colors consistent: 0 14 4561
M several smallest: 0 4 4866
M several leftmost: 0 117 3008
M several random: 0 4 5362
M several sharp: 0 4 4866
M several weighted: 0 4 5362
M several consistent: 0 4 4866
M random smallest: 0 67 3714
M random leftmost: 0 59 3688
M random random: 0 65 3697
M random sharp: 0 61 3764
M random weighted: 0 62 3771
M pigeons smallest: 0 206 1501
M pigeons weighted: 0 206 1501
M coloring smallest: 0 146 3636
M coloring leftmost: 0 214 3427
M coloring random: 0 157 3667
M coloring sharp: 0 146 3647
M coloring weighted: 0 152 3652
M sums smallest: 122 621 1749
M sums weighted: 122 533 1494
M balances smallest: 40 556 1302
M balances weighted: 34 729 1532
bitset queens smallest: 68 515 4030
bitset queens leftmost: 65 513 4060
bitset queens random: 82 546 4046
bitset queens sharp: 67 514 4034
bitset langford smallest: 52 357 3786
bitset langford leftmost: 26 277 4059
bitset langford random: 52 361 3765
bitset langford sharp: 47 347 4038
bitset pentominoes smallest: 0 49 4104
bitset colors smallest: 0 177 4110
bitset colors leftmost: 0 10 4066
bitset colors random: 0 184 4050
bitset colors sharp: 0 26 4114
bitset several smallest: 0 12 4101
bitset several leftmost: 0 5 4093
bitset several random: 0 11 4116
bitset several sharp: 0 12 4118
bitset random smallest: 0 165 4066
bitset random leftmost: 0 127 4194
bitset random random: 0 164 4111
bitset random sharp: 0 152 4100
bitset pigeons smallest: 0 86 531
bitset coloring smallest: 0 480 4178
bitset coloring leftmost: 0 475 4090
bitset coloring random: 0 535 4153
bitset coloring sharp: 0 479 4136
X pairs smallest: 372 216 2788
X pairs sharp: 364 220 2875
bitset pairs smallest: 2701 1327 3764
bitset pairs random: 2341 1332 3762
M triples smallest: 49 111 2862
M triples weighted: 52 107 2893
bitset triples smallest: 146 256 3869
bitset triples leftmost: 10 142 4002
bitset triples random: 162 267 3906
M patterns smallest: 0 18 4423
M patterns consistent: 0 15 3216
M lessons smallest: 374 505 1932
M lessons weighted: 233 354 1703
M shares smallest: 79 1052 1518
M shares leftmost: 80 1072 1561
M shares random: 82 1029 1501
M shares sharp: 106 1228 1609
M shares weighted: 82 1029 1501
M shares consistent: 79 1035 1496
M balances leftmost: 40 608 1368
M balances random: 34 729 1532
M balances sharp: 40 590 1350
M sums leftmost: 122 670 1847
M sums random: 122 533 1494
M sums sharp: 122 621 1749
X patterns smallest: 0 18 4487
bitset patterns smallest: 0 16 441
X patterns leftmost: 0 17 4472
M patterns leftmost: 0 17 4397
bitset patterns leftmost: 0 17 689
X patterns random: 0 17 4313
M patterns random: 0 17 4250
bitset patterns random: 0 15 361
X patterns sharp: 0 16 4288
M patterns sharp: 0 16 4219
bitset patterns sharp: 0 16 461
X patterns weighted: 0 17 4337
M patterns weighted: 0 17 4274
bitset lessons smallest: 2528 3039 4001
M lessons leftmost: 34 460 2092
bitset lessons leftmost: 552 1976 4005
M lessons random: 378 504 1979
bitset lessons random: 2436 2836 4005
M lessons sharp: 268 485 1878
bitset lessons sharp: 1440 2278 4005
M coloring consistent: 0 146 3636
M triples leftmost: 6 130 2942
M triples random: 56 107 2802
M triples sharp: 32 95 3107
bitset triples sharp: 82 271 4068
"""
# What four paths represent: covers, nodes and updates
PROBED = {
    ("X", "queens"): [720, 5036, 99716],
    ("X", "langford"): [90, 1498, 29218],
    ("X", "pentominoes"): [0, 526, 783940],
    ("X", "colors"): [6220800, 50618248, 2279897120],
    ("X", "pigeons"): [0, 824, 6004],
    ("X", "coloring"): [0, 108572, 3212476],
    ("M", "queens"): [720, 5036, 86676],
    ("M", "langford"): [90, 1678, 28174],
    ("M", "pentominoes"): [0, 526, 781600],
    ("M", "colors"): [6220800, 50618248, 2031058448],
    ("M", "several"): [0, 11214, 43256582],
    ("M", "pigeons"): [0, 824, 6004],
    ("M", "coloring"): [0, 103964, 2499300],
    ("M", "sums"): [160, 2540, 5316],
    ("M", "shares"): [0, 18853, 28585],
    ("M", "balances"): [54, 1582, 3907],
    ("M", "triples"): [
        259533745917942980149248,
        22769190159326352416702464,
        473613158504472574099980288,
    ],
    ("bitset", "queens"): [720, 4652, 31088],
    ("bitset", "langford"): [90, 1138, 12846],
    ("bitset", "pentominoes"): [0, 1822, 242208],
    ("bitset", "colors"): [0, 5776840, 160078904],
    ("bitset", "several"): [0, 11214, 4609049],
    ("bitset", "pigeons"): [0, 344, 2124],
    ("bitset", "coloring"): [0, 61052, 487236],
    ("bitset", "triples"): [
        12340837040951033509969920,
        34850493454359445194670080,
        364068054304261644956467200,
    ],
}
# The weights of the first items; each dead end adds 1 to one of them
WEIGHTS = {
    ("X", "queens"): [5, 6, 1, 5, 5, 8, 8, 5, 3, 3, 1, 4, 1, 2, 2, 2],
    ("X", "pigeons"): [1, 27, 1, 33, 32, 31],
    ("M", "queens"): [4, 4, 1, 3, 5, 4, 5, 4, 1, 2, 2, 2, 3, 4, 5, 5],
    ("M", "pigeons"): [27, 23, 1, 25, 27, 23],
    ("M", "lessons"): [1, 1, 1, 1, 8, 1, 14, 1],
}


# How often each of these paths pauses, if that is after 50 updates
PAUSES = {
    ("X", "queens"): 12,
    ("X", "langford"): 5,
    ("X", "pentominoes"): 6,
    ("X", "colors"): 55,
    ("X", "pigeons"): 0,
    ("X", "coloring"): 41,
    ("M", "queens"): 14,
    ("M", "langford"): 7,
    ("M", "pentominoes"): 6,
    ("M", "colors"): 58,
    ("M", "several"): 10,
    ("M", "pigeons"): 0,
    ("M", "coloring"): 53,
    ("M", "sums"): 0,
    ("M", "shares"): 0,
    ("M", "balances"): 0,
    ("M", "triples"): 71,
    ("bitset", "queens"): 4,
    ("bitset", "langford"): 4,
    ("bitset", "pentominoes"): 9,
    ("bitset", "colors"): 26,
    ("bitset", "several"): 16,
    ("bitset", "pigeons"): 0,
    ("bitset", "coloring"): 10,
    ("bitset", "triples"): 55,
}
# The nodes and updates after 40 steps, each of which has a budget of 1, 2, 5 or 9 updates
SMALL_STEPS = {
    ("X", "queens"): [27, 844, 27, 844, 27, 844, 27, 844],
    ("X", "langford"): [27, 527, 31, 586, 31, 586, 41, 765],
    ("X", "colors"): [32, 6197, 32, 6197, 32, 6197, 32, 6197],
    ("X", "pigeons"): [26, 195, 26, 195, 40, 294, 56, 411],
    ("X", "coloring"): [36, 1287, 36, 1287, 36, 1287, 36, 1287],
    ("X", "patterns"): [16, 4114, 16, 4114, 16, 4114, 17, 4187],
    ("X", "pairs"): [21, 572, 25, 615, 28, 648, 33, 705],
    ("M", "queens"): [27, 775, 27, 775, 27, 775, 28, 811],
    ("M", "langford"): [28, 476, 28, 476, 31, 547, 37, 645],
    ("M", "colors"): [31, 6103, 31, 6103, 31, 6103, 31, 6103],
    ("M", "several"): [8, 16373, 8, 16373, 8, 16373, 8, 16373],
    ("M", "pigeons"): [26, 195, 26, 195, 40, 294, 60, 443],
    ("M", "coloring"): [36, 1097, 36, 1097, 36, 1097, 36, 1097],
    ("M", "sums"): [31, 86, 34, 96, 58, 165, 94, 263],
    ("M", "shares"): [38, 67, 41, 69, 64, 110, 100, 151],
    ("M", "patterns"): [16, 4055, 16, 4055, 16, 4055, 17, 4126],
    ("M", "lessons"): [32, 190, 32, 193, 40, 221, 57, 282],
    ("M", "triples"): [29, 1883, 30, 1887, 30, 1887, 33, 1915],
    ("M", "pairs"): [21, 572, 23, 594, 23, 594, 28, 648],
    ("bitset", "queens"): [35, 440, 35, 440, 36, 450, 50, 576],
    ("bitset", "langford"): [51, 531, 51, 531, 52, 543, 52, 552],
    ("bitset", "colors"): [42, 1134, 42, 1134, 42, 1134, 42, 1134],
    ("bitset", "several"): [7, 1861, 7, 1861, 7, 1861, 7, 1861],
    ("bitset", "pigeons"): [18, 107, 18, 107, 43, 260, 63, 383],
    ("bitset", "coloring"): [130, 1217, 130, 1217, 130, 1217, 130, 1217],
    ("bitset", "patterns"): [16, 431, 16, 431, 16, 431, 16, 431],
    ("bitset", "lessons"): [37, 129, 53, 150, 114, 234, 232, 393],
    ("bitset", "triples"): [32, 913, 32, 913, 34, 947, 42, 1030],
    ("bitset", "pairs"): [40, 394, 40, 394, 78, 494, 120, 600],
}
# The covers, nodes and updates after a single step with a budget of 9000
LONG_STEPS = """
X queens smallest: 31 332 8417
X langford weighted: 52 438 8196
X coloring weighted: 0 254 7551
X colors random: 0 54 8400
M queens smallest: 36 364 8077
M langford weighted: 52 439 7746
M coloring weighted: 0 337 7985
M triples smallest: 153 291 5124
M lessons weighted: 587 801 3673
M patterns consistent: 0 15 3216
M shares consistent: 282 2393 3369
bitset queens smallest: 92 733 5884
bitset triples smallest: 291 592 8421
"""
# The options × items of the smallest table of bitmaps, and at how many pauses in a row, if subtrees
# are expected to count the options of some number of nodes; then the sum of what is expected
TABLES = """
pairs 30: 5:500x36 3:11x4 1:500x36 1:7x4 22:500x36 5:32x8 7:35x8 6:37x8 = 1893.405067
pairs 1000: 3:500x36 2:220x22 1:76x12 1:21x6 2:2x2 1:21x6 2:22x6 4:21x6 2:23x6 2:21x6 30:76x12 =
  60846.143833
triples 1000: 4:900x60 3:426x46 2:192x34 1:70x23 1:28x17 1:4x7 1:5x7 5:28x17 1:1x5 19:28x17
  12:23x16 = 60259.474605
queens 1000: 1:64x16 1:14x10 1:15x10 2:14x10 1:16x10 2:15x10 1:9x8 1:16x10 1:15x10 1:14x10
  2:64x16 1:9x8 3:64x16 1:8x8 1:11x8 2:64x16 1:11x8 3:64x16 1:10x8 1:9x8 1:10x8 4:64x16 2:9x8
  1:64x16 1:9x8 1:10x8 1:4x4 1:10x8 2:6x6 1:9x8 1:10x8 1:9x8 5:64x16 = 61239.878451
langford 1000: 1:63x21 1:11x12 1:13x12 1:14x12 1:12x12 3:13x12 1:12x12 6:11x12 1:63x21 2:7x9
  5:63x21 1:7x9 7:63x21 1:9x9 1:63x21 1:7x9 1:8x9 4:63x21 1:9x9 1:63x21 1:8x9 1:63x21 1:5x6
  3:63x21 1:7x9 1:63x21 1:7x9 = 61294.953032
coloring 1000: 7:92x23 4:26x12 8:92x23 2:26x12 4:92x23 4:26x12 1:92x23 2:32x14 5:92x23 2:31x14
  6:92x23 2:26x12 3:92x23 = 61423.301196
colors 100: 5:959x48 4:115x24 9:121x24 1:959x48 31:128x26 = 6176.138502
lessons 1000: 1:74x8 1:25x3 1:5x1 29:25x3 13:21x3 2:14x3 2:13x3 1:74x8 = 61364.471027
"""


@pytest.mark.parametrize("known", KNOWN.strip().splitlines())
def test_searches_take_known_steps(known):
    search, _, counters = known.partition(": ")
    kind, name, rule = search.split()
    found, tree = explore(KINDS[kind], name, rule)
    assert found == [*map(int, counters.split())]
    if not tree.is_done and rule != "weighted":  # the path does not have the weights
        other = KINDS[kind].start(PROBLEMS[name]().problem, RULES[rule])
        other.follow(tree.path())
        assert other.path() == tree.path()
        assert other.choices() == tree.choices()
        if kind == "X":
            assert states_differ(tree, other) == []


def states_differ(tree, other):
    """Return the names of arrays in which the states of two searches at the same node differ.

    What a search has not written, and its counters, are ignored.
    """
    register = tree.register
    level = register[Register.LEVEL]
    ends = {"trail": register[Register.TRAIL_END], "forced": register[Register.TAIL]}
    ends |= dict.fromkeys(("choice", "head", "tail", "item_mark", "option_mark"), level)
    ignored = {"register", "found", "item", "branches"}  # Algorithm X writes none of the last two
    differing = list[str]()
    for group, other_group in zip(tree.groups, other.groups, strict=True):
        for name in () if group is None else {*group._fields} - ignored:
            array = getattr(group, name)
            end = ends.get(name, len(array))
            if not np.array_equal(array[:end], getattr(other_group, name)[:end]):
                differing.append(name)
    known = (Register.LEVEL, Register.HEAD, Register.TAIL, Register.TRAIL_END, Register.OPEN_LEVELS)
    return differing + [f"register {k}" for k in known if register[k] != other.register[k]]


def probe(kind, name):
    """Return what some paths to known branches represent, and how often they pause.

    That is the numbers of covers, nodes and updates.
    """
    tree, sums = KINDS[kind].start(PROBLEMS[name]().problem, BranchingRule()), np.zeros(4)
    pauses = list[int]()
    for share in (0, 0.31, 0.62, 0.93):
        draws = (share + 0.17 * np.arange(tree.n_levels)) % 1
        assert tree.probe(draws, sums, lambda: pauses.append(1))
    return [round(float(each)) for each in sums[:3]], len(pauses)


@pytest.mark.parametrize(("kind", "name"), PROBED)
def test_paths_represent_known_parts(kind, name, monkeypatch):
    assert probe(kind, name) == (PROBED[kind, name], 0)
    monkeypatch.setattr(subtree, "PROBE_UPDATES", 50)
    assert probe(kind, name) == (PROBED[kind, name], PAUSES[kind, name])


@pytest.mark.parametrize("kind", [SubtreeX, SubtreeM])
def test_a_path_that_ends_at_an_item_without_options_represents_the_search(kind):
    problem = dlx.ExactCover([["a"], ["c"]], items=["a", "b", "c"]).problem
    whole = kind.start(problem, BranchingRule())
    whole.explore(UNLIMITED, UNLIMITED)
    tree = kind.start(problem, BranchingRule())
    sums = np.zeros(4)
    for number in (1, 2):  # the first path leaves the state as it was
        assert tree.probe(np.zeros(tree.n_levels), sums, lambda: None)
        assert sums[:3].tolist() == (number * whole.counters).tolist()


def test_a_path_on_bitmaps_counts_its_nodes():
    problem = PROBLEMS["queens"]().problem
    tree = SubtreeBitset.start(problem, BranchingRule())
    tree.explore(300, UNLIMITED)
    other = SubtreeBitset.start(problem, BranchingRule())
    other.follow(tree.path())
    assert other.groups[-1].first_count[:5].tolist() == [1, 2, 3, 4, 0]


@pytest.mark.parametrize("known", LONG_STEPS.strip().splitlines())
def test_a_large_budget_ends_at_a_known_node(known):
    search, _, counters = known.partition(": ")
    kind, name, rule = search.split()
    tree = KINDS[kind].start(PROBLEMS[name]().problem, RULES[rule])
    tree.explore(9000, UNLIMITED)
    assert tree.counters.tolist() == [*map(int, counters.split())]


@pytest.mark.parametrize(("kind", "name"), SMALL_STEPS)
def test_small_budgets_end_at_known_nodes(kind, name):
    shown = list[int]()
    for budget in (1, 2, 5, 9):
        tree = KINDS[kind].start(PROBLEMS[name]().problem, BranchingRule())
        for _ in range(40):
            tree.explore(budget, UNLIMITED)
        shown += tree.counters.tolist()[1:]
    assert shown == SMALL_STEPS[kind, name]


@pytest.mark.parametrize(("kind", "budget", "updates"), [("X", 424, 396), ("M", 403, 374)])
def test_a_search_stops_after_a_dead_end_that_spends_its_budget(kind, budget, updates):
    for less in (1, 0):
        tree = KINDS[kind].start(PROBLEMS["queens"]().problem, BranchingRule())
        tree.explore(budget - less, UNLIMITED)
        assert tree.counters.tolist() == [0, 11, updates]


def smallest_tables(name, n_counts):
    """Return the options × items of the smallest table at each pause, as TABLES has them."""
    tree = SubtreeBitset.start(PROBLEMS[name]().problem, BranchingRule())
    state = tree.groups[-1]
    state.subtree_size[:] = n_counts
    shown = list[str]()
    for _ in range(50):
        tree.explore(60, UNLIMITED)
        if not tree.is_done:
            shape = Shape(*state.shapes[tree.register[TABLE]].tolist())
            shown.append(f"{shape.n_options}x{shape.n_items}")
    shapes = [f"{len([*group])}:{shape}" for shape, group in itertools.groupby(shown)]
    return f"{' '.join(shapes)} = {float(state.subtree_size.sum()):.6f}"


@pytest.mark.parametrize("known", re.split(r"\n(?=\w)", TABLES.strip()))
def test_smaller_tables_are_built_where_they_seem_to_pay_off(known):
    search, _, shapes = known.partition(": ")
    name, n_counts = search.split()
    assert smallest_tables(name, int(n_counts)) == " ".join(shapes.split())


@pytest.mark.parametrize(("kind", "name"), WEIGHTS)
def test_dead_ends_add_to_weights(kind, name):
    tree = explore(KINDS[kind], name, "weighted")[1]
    weights = tree.register[N_REGISTERS + 1 :].tolist()
    assert weights[:16] == WEIGHTS[kind, name]


@pytest.mark.parametrize("kind", KINDS.values())
def test_the_options_of_a_last_item_are_counted_in_one_step(kind):
    tree = kind.start(dlx.ExactCover([["a"]] * 50).problem, BranchingRule())
    tree.interrupt()
    tree.explore(UNLIMITED, UNLIMITED)
    assert tree.counters.tolist() == [50, 1, 1]


@pytest.mark.parametrize("kind", KINDS.values())
def test_a_target_among_the_options_of_a_last_item_is_met_exactly(kind):
    problem = dlx.ExactCover([["a", "b"], *[["a"], ["b"]] * 3]).problem
    for target in range(1, 1 + 3 * 3):
        tree = kind.start(problem, BranchingRule())
        tree.explore(UNLIMITED, target)
        assert tree.counters[0] == target


@pytest.mark.parametrize("name", ["queens", "colors", "patterns"])
def test_shuffled_options_remain_in_the_lists_of_their_items(name):
    tree = SubtreeM.start(PROBLEMS[name]().problem, BranchingRule(seed=5))
    links = tree.links
    before = [options_of(links, item) for item in range(1, len(links.size))]
    shuffle_options(links, tree.groups[-1], 1, len(links.size))
    after = [options_of(links, item) for item in range(1, len(links.size))]
    assert before != after
    assert before == [sorted(each) for each in after]
    assert np.array_equal(links.U[links.D[1:]], np.arange(1, len(links.D)))


def options_of(links, item):
    """Return the nodes of an item, from its list."""
    nodes = list[int]()
    node = links.D[item]
    while node != item and len(nodes) < len(links.D):  # a list that is not closed is too long
        nodes.append(int(node))
        node = links.D[node]
    return nodes


@pytest.mark.parametrize("kind", KINDS.values())
def test_all_covers_that_are_counted_are_stored(kind):
    options = [["a"], ["b"], ["a", "b"], ["b", "c"], ["c"]]
    tree = kind.start(dlx.ExactCover(options).problem, BranchingRule())
    while not tree.is_done:
        tree.explore(UNLIMITED, 2, Translation())
    assert tree.counters[0] == 3
    assert sorted(map(sorted, tree.found.tolist())) == [[0, 1, 4], [0, 3], [2, 4]]
