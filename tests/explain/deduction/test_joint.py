"""Steps of two rules: what they exclude, by all digits of their cells, and what they are called."""

import random
from collections import Counter
from itertools import combinations, pairwise, product

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain.deduction.boards import empty_deduction
from dlx_numba.explain.deduction.joint import RuleName
from dlx_numba.explain.deduction.ratings import _rate_steps
from dlx_numba.explain.deduction.reason import FoundStep
from dlx_numba.puzzles.variants.units import check_units, unit_words
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.levels import JOINT, JOINT_WEIGHT, RULE_NAMES
from tests.helpers.seeds import seeds

N = 4
BOX = Box(2, 2)
ROW = RuleName("row", "row 1")


def knights(one, other):
    down, right = (abs(a - b) for a, b in zip(divmod(one, N), divmod(other, N), strict=True))
    return sorted((down, right)) == [1, 2]


def differ(values):
    return len({*values}) == len(values)


# By the kind of a rule: its parameter, a random entry for some cells, and its condition
RULES = {
    "cage": (
        "cages",
        lambda cells, rng: (rng.randint(sum(range(1, len(cells) + 1)), 4 * len(cells) - 2), cells),
        lambda entry, v: (
            differ([v[k] for k in entry[1]]) and sum(v[k] for k in entry[1]) == entry[0]
        ),
    ),
    "arrow": (
        "arrows",
        lambda cells, rng: cells,
        lambda entry, v: v[entry[0]] == sum(v[k] for k in entry[1:]),
    ),
    "little killer": (
        "little_killers",
        lambda cells, rng: (rng.randint(len(cells) + 1, 4 * len(cells) - 1), cells),
        lambda entry, v: sum(v[k] for k in entry[1]) == entry[0],
    ),
    "thermometer": (
        "thermometers",
        lambda cells, rng: cells,
        lambda entry, v: all(v[a] < v[b] for a, b in pairwise(entry)),
    ),
    "whispers": (
        "whispers",
        lambda cells, rng: (2, cells),
        lambda entry, v: all(abs(v[a] - v[b]) >= 2 for a, b in pairwise(entry[1])),
    ),
    "renban": (
        "renban",
        lambda cells, rng: cells,
        lambda entry, v: (
            differ([v[k] for k in entry])
            and max(v[k] for k in entry) - min(v[k] for k in entry) == len(entry) - 1
        ),
    ),
    "between line": (
        "between_lines",
        lambda cells, rng: cells,
        lambda entry, v: all(
            min(v[entry[0]], v[entry[-1]]) < v[k] < max(v[entry[0]], v[entry[-1]])
            for k in entry[1:-1]
        ),
    ),
    "quadruple": (
        "quadruples",
        lambda cells, rng: (rng.choices(range(1, 5), k=2), cells),
        lambda entry, v: Counter(entry[0]) <= Counter(v[k] for k in entry[1]),
    ),
    "knight's move": (
        "anti_knight",
        None,
        lambda _, v: all(v[a] != v[b] for a, b in combinations(v, 2) if knights(a, b)),
    ),
}


def random_rules(rng):
    """Return two rules of different kinds: parameters, and the condition of each kind."""
    kinds = rng.sample([*RULES], 2)
    parameters = {}
    conditions = {}
    for kind in kinds:
        name, entry_for, condition = RULES[kind]
        path = [rng.randrange(16)]
        while len(path) < 3:
            row, column = divmod(path[-1], N)
            near = [k for k in range(16) if k not in path and abs(k // N - row) < 2]
            path.append(rng.choice([k for k in near if abs(k % N - column) < 2]))
        entry = None if entry_for is None else entry_for(path, rng)
        parameters[name] = True if entry is None else [entry]
        cells = [] if entry is None else path
        conditions[kind] = cells, lambda v, condition=condition, entry=entry: condition(entry, v)
    return parameters, conditions


def supported(known, left, conditions):
    """Return the placements of cells that satisfy conditions, which are given with their cells."""
    found = set()
    cells = sorted(known)
    for values in product(*(left[cell] for cell in cells)):
        v = dict(zip(cells, values, strict=True))
        if all(holds({k: v[k] for k in own or cells}) for own, holds in conditions):
            found |= v.items()
    return found


@pytest.mark.compiled
def test_what_rules_exclude_has_no_digits_that_satisfy_them():
    n_excluded = Counter()
    for seed in seeds(1000, 30):
        rng = random.Random(seed)
        parameters, conditions = random_rules(rng)
        stated = dlx.SudokuRules(**parameters)
        for name, cells in check_units(stated, BOX).items():
            conditions[unit_words(name)] = cells, lambda v: differ(v.values())
        reasoner = empty_deduction(BOX, stated).source.reasoner
        search = reasoner.start_joint()
        left = [{*range(1, N + 1)} for _ in range(16)]
        for cell, value in rng.sample([*product(range(16), range(1, N + 1))], 28):
            if len(left[cell]) > 1:
                left[cell].remove(value)
                reasoner._remove(search._at[cell, value - 1])
        placed = {int(search._at[k, v - 1]): (k, v) for k in range(16) for v in left[k]}
        for number, joint in enumerate(search._joined):
            rules = [each.name for each in joint.rules]
            own = [conditions[each.kind if each.kind in RULES else each.words] for each in rules]
            cells = {cell for cells, _ in own for cell in cells}
            near = {k for k in range(16) if any(knights(k, each) for each in cells)}
            expected = {(cell, v) for cell in cells for v in left[cell]} - supported(
                cells, left, own
            )
            if any(each.kind == "knight's move" for each in rules):
                for cell in near - cells:
                    fits = supported({*cells, cell}, left, own)
                    expected |= {(cell, v) for v in left[cell] if (cell, v) not in fits}
            excluded = search.excluded_by(number, reasoner.remaining, Stop())
            assert {placed[k] for k in excluded} == expected, (seed, rules)
            n_excluded[len(rules)] += len(expected)
    assert min(n_excluded.values()) > 20


def test_steps_and_ratings_name_two_rules():
    rules = dlx.SudokuRules(cages=[(11, [20, 21, 29])], quadruples=[([3, 4, 5], [20, 21, 29, 30])])
    [step] = dlx.deduce(81 * ".", rules, limit=2)[1:]
    assert (step.kind, step.name, step.size) == ("rules", "cage and quadruple", 2)
    assert step.items == ["r3c3", "r3c4", "r4c3", "r4c4"]
    found = FoundStep(JOINT, "rules", 2, [], None, [], None, np.zeros(1, np.uint64), 0, rules=[ROW])
    assert _rate_steps([found], True) == (JOINT, JOINT_WEIGHT, 1 << JOINT)
    assert RULE_NAMES[JOINT] == "two rules"
