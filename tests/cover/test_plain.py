"""Plain problems, which are searched before they are formulated, against all other problems."""

import pickle
import random
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import ExactCover
from dlx_numba.cover import numbering
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.numbering import ENTRIES_AT_A_TIME
from dlx_numba.kernels import narrow
from tests.helpers.seeds import seeds

MANY = 2000  # covers
NAMES = (str, int, lambda k: ("cell", k, k % 3), lambda k: (k, -1 - k), lambda k: f"i{k}")


def statement(rng):
    """Arguments of `ExactCover`, some of which are invalid."""
    name = rng.choice(NAMES)
    items = [name(k) for k in range(rng.randint(0, 30))]
    n_options = rng.randint(0, rng.choice((8, 30, 150)))
    size = rng.randint(1, 5)
    options = [rng.sample(items, min(len(items), rng.randint(0, size))) for _ in range(n_options)]
    if rng.random() < 0.05 and options and items:
        rng.choice(options).extend(rng.choices([*items, None, 1.5, [], True, "I1"], k=2))
    arguments = {}
    if rng.random() < 0.3:
        arguments["optional"] = rng.sample(items, len(items) // 4)
    if rng.random() < 0.3:
        arguments["items"] = [x for x in items if x not in arguments.get("optional", ())]
        arguments["items"] += ["new"] * (rng.random() < 0.1)
    return rng.choice((list, tuple))(options), arguments


def outcome(call):
    try:
        return call()
    except (ValueError, TypeError) as error:
        return type(error), str(error)


QUESTIONS = (
    lambda cover: cover.count(MANY),
    lambda cover: cover.first(),
    lambda cover: cover.solve(1),
    lambda cover: cover.solve(3),
    lambda cover: cover.count(2),
    lambda cover: cover.first(forbidden=[0]) if cover.n_options else None,
    lambda cover: [cover.first(seconds=9), cover.count(MANY, seconds=9)],
    lambda cover: cover.solve(),
    lambda cover: cover.count(),
    lambda cover: cover.cheapest(),
    lambda cover: cover.cheapest(4),
)
N_QUICK = 7  # questions about a problem with many covers


def facts(found):
    own = [getattr(found, name, None) for name in ("bound", "gap", "done", "tolerance")]
    names = [each.names for each in found] if isinstance(found, dlx.Covers) else None
    costs = [each.cost for each in found] if isinstance(found, dlx.Covers) else None
    return type(found), found, own, names, costs


def answers(options, arguments):
    """The answers of a problem to all questions, or an error."""
    cover = outcome(lambda: ExactCover(options, **arguments))
    if isinstance(cover, tuple):
        return cover
    questions = QUESTIONS[:N_QUICK] if cover.count(MANY) == MANY else QUESTIONS
    found = [(facts(ask(cover)), cover.statistics, cover.statistics.method) for ask in questions]
    shown = cover.items, cover.colors, [*cover.option_names], cover.options, cover.seed, repr(cover)
    return found, shown, pickle.dumps(cover), cover


def remembers_bitmaps(answered):
    """Whether a long search has found that bitmaps are faster, whose updates are others."""
    cover = answered[-1]
    return isinstance(cover, ExactCover) and named_problem(cover).prepare().algorithm == "bitset"


def without_updates(answered):
    found, *others = answered
    return [(answer, counted._replace(updates=0), way) for answer, counted, way in found], others


@pytest.mark.parametrize("budget", [None, 3])
@pytest.mark.parametrize("are_bytes", [True, False])
def test_plain_problems_are_answered_like_all_others(are_bytes, budget, monkeypatch):
    if budget is not None:  # the first slice of a search does not suffice
        monkeypatch.setattr(narrow, "first_updates", lambda *sizes: budget)
    if not are_bytes:
        monkeypatch.setattr(numbering, "MAX_BYTE", -1)
    for seed in seeds(1000, 20):
        options, arguments = statement(random.Random(seed))
        plain = answers(options, arguments)
        others = answers(iter(options), arguments)
        if remembers_bitmaps(plain) or remembers_bitmaps(others):
            plain, others = map(without_updates, (plain, others))
        assert plain == others, seed


def test_components_of_a_plain_problem_are_answered_like_all_others():
    questions = (*QUESTIONS[:5], lambda cover: cover.count(1), lambda cover: cover.count())
    for seed in seeds(1000, 20):
        rng = random.Random(seed)
        options = []
        for part in range(rng.randint(2, 5)):
            items = [(part, k) for k in range(rng.randint(1, 9))]
            sizes = rng.choices((1, 2, 3), k=rng.randint(1, 14))
            options += [rng.sample(items, min(size, len(items))) for size in sizes]
            options += [[item] for item in items if rng.random() < 0.7]
        rng.shuffle(options)
        plain, other = ExactCover(options), ExactCover(iter(options))
        for ask in questions:
            assert facts(ask(plain)) == facts(ask(other)), seed
            assert plain.statistics == other.statistics, seed
            assert plain.statistics.method == other.statistics.method, seed


def test_matrices_are_plain_problems():
    for seed in seeds(300, 20):
        rng = np.random.default_rng(seed)
        matrix = (rng.random(rng.integers(0, 9, 2)) < 0.4).astype(rng.choice([bool, int, float]))
        cover = ExactCover.from_matrix(matrix)
        other = ExactCover([np.flatnonzero(row).tolist() for row in matrix], range(matrix.shape[1]))
        assert facts(cover.solve()) == facts(other.solve())
        assert cover.statistics == other.statistics
        assert cover == other


def test_threads_share_a_plain_problem():
    options = [[f"i{(k * step) % 23}" for k in range(1, 4)] for step in range(1, 23)]
    options += [[f"i{k}"] for k in range(23)]
    expected = ExactCover(iter(options)).solve()

    def solve(cover):
        assert cover.statistics == (0, 0, 0)
        return cover.solve(), cover.statistics

    for _ in range(5):
        cover = ExactCover(options)
        with ThreadPoolExecutor(8) as pool:
            found = [*pool.map(solve, [cover])]
            found += pool.map(lambda _, cover=cover: (cover.solve(), cover.statistics), range(8))
        assert all(covers == expected for covers, _ in found)
        assert len({statistics for _, statistics in found}) == 1


def test_a_plain_problem_takes_few_bytes():
    rng = random.Random(1)
    items = [f"i{k}" for k in range(300)]
    n_options = 40_000
    options = [rng.sample(items, rng.randint(3, 6)) for _ in range(n_options)]
    ExactCover(options).first()  # loads kernels
    tracemalloc.start()
    try:
        cover = ExactCover(options)
        kept, peak = tracemalloc.get_traced_memory()
        assert kept < 14 * n_options
        assert peak < 14 * n_options + 64 * ENTRIES_AT_A_TIME
        cover.first()
        assert tracemalloc.get_traced_memory()[1] < 150 * n_options + 64 * ENTRIES_AT_A_TIME
    finally:
        tracemalloc.stop()


def test_as_many_names_as_8_and_16_bits_have_numbers():
    for n_items in (254, 255, 256, 257, 65_535, 65_536, 65_537):
        options = [[k, k + 1] for k in range(0, n_items - 1, 2)] + [[n_items - 1]] * (n_items % 2)
        assert ExactCover(options).count() == 1
        assert ExactCover(options, optional=[0, 1]).first() == [*range(1, len(options))]


def test_as_many_entries_as_8_bits_count_and_as_bytes_have():
    for length in (254, 255, 256, 257):
        options = [[k] for k in range(length)] + [[*range(length)]]
        assert ExactCover(options).solve() == [[*range(length)], [length]]
    for n_options in (9_999, 10_000, 10_001, 19_999, 20_000, 20_001):
        options = [["a", "b"]] * n_options
        cover = ExactCover(options)
        assert cover.count() == n_options
        assert cover == ExactCover(iter(options))
