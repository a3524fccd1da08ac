"""Problems for tests of searches."""

import functools
import itertools
import random
from collections.abc import Hashable

import numpy as np

import dlx_numba as dlx
from dlx_numba.cover.covers import as_cover
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.names import Names
from dlx_numba.cover.text import format_cover
from dlx_numba.kernels.problem import Problem
from dlx_numba.puzzles.exact.matrix import MatrixForm
from dlx_numba.puzzles.exact.table import format_table
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import working
from dlx_numba.search.portfolio import CoverPortfolio
from tests.helpers import INSTANCES, oracles
from tests.helpers.seeds import seeds


def parsed(parse, text, **keywords):
    """Return the problem that the reader of a format finds in a text."""
    return dlx.ExactCover(**parse(text, **keywords)._asdict())


def check_written(text, parse, problem):
    """Check that the reader of a format finds a problem in its text."""
    assert parsed(parse, text) == problem, text


def read_matrix(text, columns=None):
    """Return the rows of a matrix that is written as text."""
    cover = parsed(MatrixForm(columns).parse, text)
    return [[int(item in option) for item in cover.items] for option in cover.options]


def stated_problem(seed: int, choose: str, algorithm: str = "links", has_bounds: bool = True):
    """Return a random problem that uses all features of `ExactCover`, and its covers.

    Problems without multiplicities are the same for all algorithms.
    """
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed, has_bounds)
    expected = list(oracles.multiple_covers(options, bounds))
    given, forbidden = [], []
    if rng.random() < 0.4:
        if expected:
            given = rng.sample(expected[0], min(len(expected[0]), rng.randint(0, 2)))
        forbidden = [k for k in range(len(options)) if k not in given and rng.random() < 0.1]
    expected = [each for each in expected if {*given} <= {*each} and not {*forbidden} & {*each}]
    if choose == "sharp":  # every other item is sharp
        name = {item: "#" * (item % 2) + str(item) for item in [*bounds, *secondary]}
        options = [
            [(name[e[0]], e[1]) if isinstance(e, tuple) else name[e] for e in option]
            for option in options
        ]
        bounds = {name[item]: pair for item, pair in bounds.items()}
        secondary = [name[item] for item in secondary]
    cover = dlx.ExactCover(
        options,
        bounds,
        secondary,
        multiplicity=bounds,
        costs=[rng.randint(0, 9) for _ in options],
        choose=rng.sample(list(bounds), rng.randint(0, len(bounds))) if choose == "own" else choose,
        seed=seed,
        presolve=rng.random() < 0.5,
        given=given,
        forbidden=forbidden,
        algorithm=algorithm,
    )
    return cover, sorted(expected)


def unstarted(cover):
    """Return the state of a search that has not begun."""
    return cover.search().subtrees[0]


def find_covers(cover, wanted, methods, n_threads=1, max_rounds=None):
    """Return a search for some covers by some methods that has ended."""
    components = named_problem(cover).prepare().components
    found = CoverPortfolio(components, methods, n_threads)
    with working(found, Stop(), wanted) as work:
        if max_rounds is None:
            found.advance(work)
        else:
            for _ in range(len(components) + max_rounds):
                found.step(work)
    return found


def instance(name, **arguments):
    """Read a problem from the folder of instances."""
    return dlx.ExactCover.read(INSTANCES / f"{name}.dlx", **arguments)


def without_short_proof(order=6):
    """Color a graph of Mycielski with too few colors, which nothing but a long search disproves."""
    edges, n = [(0, 1)], 2
    for _ in range(order - 1):
        edges += [(a, n + b) for a, b in edges] + [(b, n + a) for a, b in edges]
        edges += [(n + k, 2 * n) for k in range(n)]
        n = 2 * n + 1
    options = [
        [v, *((edge, color) for edge in edges if v in edge)]
        for v in range(n)
        for color in range(order)
    ]
    return dlx.ExactCover(options, secondary={item for option in options for item in option[1:]})


@functools.cache
def problem(seed, algorithm="links"):
    """Return a random problem and its covers by brute force."""
    choose = ("smallest", "leftmost", "random", "sharp")[seed % 4]
    return stated_problem(seed, choose, algorithm)


def problems(count):
    """Yield seeds, random problems that use every feature, and their covers by brute force.

    Every third problem is followed by one on bitmaps.
    """
    for seed in seeds(count):
        yield seed, *problem(seed)
        if seed % 3 == 0:
            yield seed, *problem(seed, "bitset")


def random_options(rng):
    """Return random options, and the numbers of all items and of the primary ones."""
    n_items = rng.randint(1, 8)
    n_primary = rng.randint(0, n_items)
    sizes = (rng.randint(0, min(4, n_items)) for _ in range(rng.randint(0, 14)))
    return [rng.sample(range(n_items), size) for size in sizes], n_items, n_primary


def general_problem(seed, /, has_bounds=True, **settings):
    """Return a random problem with colors and, with bounds, multiplicities."""
    options, bounds, secondary = oracles.random_general_problem(seed)
    if has_bounds:
        settings["multiplicity"] = bounds
    return dlx.ExactCover(options, list(bounds), secondary, **settings)


def sums_of(weights, covers):
    return [[sum(row[k] for k in cover) for row in weights] for cover in covers]


def total_problem(seed):
    """Return a random problem with totals, its covers and its weights by brute force."""
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed, seed % 3 > 0)
    plain = list(oracles.multiple_covers(options, bounds))
    share, least = rng.choice([0.3, 0.7, 1]), rng.choice([0, 1, -4])
    weights = [
        [rng.randint(least, 9) if rng.random() < share else 0 for _ in options]
        for _ in range(rng.randint(1, 3))
    ]
    known, totals = sums_of(weights, plain) or [[0] * len(weights)], {}
    for k, row in enumerate(weights):
        low = rng.choice(known)[k] + rng.choice([0, 0, 0, 1])
        high = max(low, rng.choice(known)[k])
        pair = rng.choice([(low, high), (low, low), (low, None), (None, high)])
        if rng.random() < 0.3:
            for option, weight in zip(options, row, strict=True):
                option.insert(rng.randint(0, len(option)), (f"t{k}", weight))
            totals[f"t{k}"] = pair
        else:
            listed = {number: weight for number, weight in enumerate(row) if weight}
            totals[f"t{k}"] = rng.choice([row, listed, np.array(row)]), *pair
    limits = [total[-2:] for total in totals.values()]
    expected = [
        cover
        for cover, sums in zip(plain, sums_of(weights, plain), strict=True)
        if all(
            (low is None or low <= value) and (high is None or value <= high)
            for value, (low, high) in zip(sums, limits, strict=True)
        )
    ]
    multiplicity = {item: pair for item, pair in bounds.items() if pair != (1, 1)}
    cover = dlx.ExactCover(
        options,
        list(bounds),
        secondary,
        multiplicity=multiplicity,
        costs=[rng.randint(-1, 9) for _ in options] if options and rng.random() < 0.5 else None,
        totals=totals,
        choose=rng.choice(["smallest", "leftmost", "random", "sharp"]),
    )
    return cover, expected, weights


# Names that drawings and tables might confuse with their notation.
_NAMES = ["a b", " a", "b|c", '"q"', "…", "#1", "é", "1", "0", ".", "x", "----", "a,b", ";", "\t"]
_NAMES += ["\n", "", "2|a", ":c", "A: red", "row,1", "\u3000", "long" * 9, "S1", "S2", "|", "\\"]
_NAMES += ["-"]


def arrays_and_names(cover: dlx.ExactCover) -> tuple[Problem, Names]:
    """Return the parts of a problem that writers need."""
    return cover.problem, Names(cover.items, cover.colors, cover.option_names)


def write_table(cover: dlx.ExactCover) -> str:
    return format_table(*arrays_and_names(cover))


def oddly_named_problem(seed: int) -> dlx.ExactCover:
    """Return a random problem with unusual names of items, colors and options."""
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed)
    names = rng.sample(_NAMES, len(bounds) + len(secondary))
    color_names = {f"c{k}": name for k, name in enumerate(rng.sample(_NAMES, 4))}
    if rng.random() < 0.5:
        color_names = {f"c{k}": letter for k, letter in enumerate(rng.sample("xyABC", 4))}
    pairs = [
        sorted(each if isinstance(each, tuple) else (each, "") for each in row) for row in options
    ]
    rows = [[(names[i], color_names[c]) if c else names[i] for i, c in row] for row in pairs]
    option_names: list[Hashable] = list(range(len(rows)))
    if rng.random() < 0.7 and rows:
        texts = [text for text in rng.sample(_NAMES, len(rows)) if text]
        others = range(len(texts), len(rows))
        if texts and not any(str(number) in texts for number in others):  # written alike
            option_names = [*texts, *others]
    return dlx.ExactCover(
        dict(zip(option_names, rows, strict=True)),
        names[: len(bounds)],
        names[len(bounds) :],
        multiplicity={names[item]: pair for item, pair in bounds.items() if pair != (1, 1)},
        costs=[rng.randint(0, 12) for _ in rows] if rng.random() < 0.5 and rows else None,
    )


def runs_of(text):
    return tuple(map(len, text.split()))


def nonogram(size, seed):
    """Return a nonogram with at least one solution, a drawing of blobs."""
    rng = random.Random(seed)
    drawing = {(i, j): rng.random() < 0.55 for i in range(size) for j in range(size)}
    for i, j in list(drawing):  # smooth it
        near = [drawing.get((i + down, j + right)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        drawing[i, j] = near.count(True) > near.count(False)
    lines_of = {}  # all lines with the same runs
    for text in map("".join, itertools.product(" x", repeat=size)):
        lines_of.setdefault(runs_of(text), []).append(text)
    options = []
    for number in range(2 * size):
        line = [(number, j) if number < size else (j, number - size) for j in range(size)]
        possible = lines_of[runs_of("".join(" x"[drawing[cell]] for cell in line))]
        options += [[("line", number), *zip(line, colors, strict=True)] for colors in possible]
    return dlx.ExactCover(options, secondary=list(drawing))


def ranked(cover, covers):
    """Return pairs of the cost of each cover and the cover, the best ones first."""
    counted = named_problem(cover).counted(logs=False)
    sign = 1 if counted.names.scale.factor > 0 else -1
    pairs = [(counted.cost(each), list(each)) for each in covers]
    return sorted(pairs, key=lambda pair: (sign * pair[0], pair[1]))


def best_costs(cover, covers, k):
    """Return the costs of the `k` best of some covers."""
    return [cost for cost, _ in ranked(cover, covers)][:k]


def with_costs(covers):
    """Return the cost of each cover, and the cover."""
    return [(cover.cost, cover) for cover in covers]


def formatted(cover, solution, style="numbers", start=0):
    """Return a solution as the commands write it."""
    return format_cover(cover.problem, named_problem(cover).names, solution, style, start)


def names_in(cover, solution):
    """Return the names of the options of a solution."""
    return as_cover(named_problem(cover), [*solution]).names
