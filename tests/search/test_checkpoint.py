"""Checkpoints: searches that are saved and loaded at any time, and files that are rejected."""

import os
import random
import re
from functools import reduce
from itertools import product
from operator import getitem

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.archive import pack, unpack
from tests.helpers.problems import instance, stated_problem
from tests.helpers.seeds import seeds


def searched(cover, path, rng):
    """Search with interruptions, in parts, which are saved; return the covers and the counters."""
    searches, found, counters = [cover.search()], [], np.zeros(3, np.int64)
    while searches:
        search = searches[0]
        found += search.run(updates=rng.randint(1, 40), solutions=rng.choice([None, 1, 3]))
        # Parts of a random search draw other random numbers.
        if search.done or (cover.choose != "random" and rng.random() < 0.3):
            searches[:1] = search.split(rng.randint(1, 3))
            counters += search.counters()
        if searches:
            position = rng.randrange(len(searches))
            searches[position].save(path)
            loaded = dlx.Search.load(path)
            assert loaded.progress == searches[position].progress
            searches[position] = loaded
    return found, tuple(counters.tolist())


@pytest.mark.parametrize(
    ("rule", "has_bounds", "algorithm"),
    [*product(["smallest", "leftmost", "random", "sharp"], [False, True], ["links", "bitset"])],
)
def test_resumed_search_continues_exactly(tmp_path, algorithm, has_bounds, rule):
    for seed in seeds(40):
        rng = random.Random(seed)
        cover, _ = stated_problem(seed, rule, algorithm, has_bounds=has_bounds)
        whole = cover.search()
        expected = whole.run()
        assert searched(cover, tmp_path / "search", rng) == (expected, whole.counters()), seed


def test_checkpoint_is_not_larger_than_its_problem(tmp_path):
    cover = instance("pent3x20")
    search, problem = cover.search(), cover.problem
    search.run(updates=1000)
    search.save(path := tmp_path / "search")
    assert path.stat().st_size < problem.indptr.nbytes + problem.items.nbytes + 5000


def rewrite(path, part, *keys, value):
    """Replace a value in the header or the arrays of a saved search."""
    header, arrays = unpack(path.read_bytes())
    *containers, last = keys
    reduce(getitem, containers, {"header": header, "arrays": arrays}[part])[last] = value
    path.write_bytes(pack(header, arrays))


SUBTREE = ("header", "subtrees", 0)
PATH = (*SUBTREE, "path")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ((*PATH, "options", 0), 63),  # of another item
        ((*PATH, "options"), []),
        ((*PATH, "items", 0), 1),
        ((*PATH, "open_level"), 99),
        ((*PATH, "untried"), []),
        ((*PATH, "untried"), [0, 0]),
        ((*PATH, "random_state"), 0),
        (PATH, 7),
        ((*SUBTREE, "counters"), [1, 2]),
        ((*SUBTREE, "counters"), [2**62, 0, 0]),
        ((*SUBTREE, "weight"), float("nan")),
        ((*SUBTREE, "found"), [[0, 1]]),
        (("header", "subtrees"), None),
        (("header", "past"), [0, -1, 0]),
        (("header", "ready"), [[0, 1, 2]]),
        (("header", "problem", "rule"), [9, 0, 0]),
        (("header", "problem", "rule"), [0, 0]),
        (("header", "problem", "algorithm"), "fast"),
        (("header", "problem", "given"), ["a"]),
        (("arrays", "items", 0), -1),
        (("arrays", "option_numbers"), np.zeros(64, np.int64)),
        (("arrays", "is_primary", 0), 0),
        (("arrays", "unknown"), np.zeros(1, np.uint8)),
    ],
)
@pytest.mark.parametrize("algorithm", ["links", "bitset"])
def test_inconsistent_content_is_rejected(tmp_path, algorithm, keys, value):
    path = tmp_path / "search"
    search = instance("queens8", algorithm=algorithm).search()
    search.run(solutions=10)
    search.save(path)
    rewrite(path, "header", "seconds", value=1.5)
    assert dlx.Search.load(path).count() == 82
    rewrite(path, *keys, value=value)
    with pytest.raises(dlx.CheckpointError, match="the search in the file is inconsistent"):
        dlx.Search.load(path)


def test_invalid_files_are_rejected(tmp_path):
    path = tmp_path / "search"
    search = instance("queens8").search()
    search.run(solutions=10)
    search.save(path)
    good = path.read_bytes()
    assert [*tmp_path.iterdir()] == [path]
    path.write_bytes(good[:-1])
    reason = f"{re.escape(str(path))}.* not a saved search, or the file is damaged"
    with pytest.raises(dlx.CheckpointError, match=reason):
        dlx.Search.load(path)
    path.write_bytes(good)
    rewrite(path, "header", "version", value=1)
    reason = f"saved by dlx_numba {dlx.__version__} in format 1, but {dlx.__version__} reads format"
    with pytest.raises(dlx.CheckpointError, match=reason):
        dlx.Search.load(path)
    rewrite(path, "header", "writer", value="9.8")
    with pytest.raises(dlx.CheckpointError, match=r"saved by dlx_numba 9\.8 in format 1"):
        dlx.Search.load(path)
    path.write_bytes(good)
    for expected in (instance("queens8").search(), None):
        assert dlx.Search.load(path, expected).count() == 82
    for name, arguments, reason in (
        ("queens10", {}, "a search of another problem"),
        ("queens8", {"given": [0]}, "a search of another problem"),
        ("queens8", {"choose": "random", "seed": 2}, "a search of another problem"),
        ("queens8", {"algorithm": "bitset"}, "with the algorithm 'links', not 'bitset'"),
    ):
        with pytest.raises(dlx.CheckpointError, match=reason):
            dlx.Search.load(path, instance(name, **arguments).search())
    with pytest.raises(FileNotFoundError):
        dlx.Search.load(tmp_path / "missing")


def test_loading_expects_an_object_of_the_same_kind(tmp_path):
    cover = dlx.ExactCover([["a"], ["a"]])
    path, search, optimizer = tmp_path / "saved", cover.search(), cover.optimizer()
    for saved, other in ((search, optimizer), (optimizer, search)):
        saved.save(path)
        kind = type(saved)
        assert type(kind.load(path, saved)) is kind
        for expected in (cover, other):
            with pytest.raises(TypeError, match=f"expected must be a {kind.__name__} or None, not"):
                kind.load(path, expected)


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX only")
def test_names_of_files_may_be_bytes(tmp_path):
    path = os.fsencode(tmp_path / "search")
    dlx.ExactCover([["a"]]).search().save(path)
    assert dlx.Search.load(path).run() == [[0]]
