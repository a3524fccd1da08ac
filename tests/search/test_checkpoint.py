"""Checkpoints: searches that are saved and loaded at any time, and files that are rejected."""

import concurrent.futures
import os
import pickle
import random
import subprocess
import sys

import pytest

import dlx_numba as dlx
from dlx_numba.search.checkpoint import VERSION
from tests.helpers.problems import instance, problems
from tests.helpers.seeds import seeded

# Unsigned sizes may temporarily wrap around; if kernels run as plain Python, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def test_search_is_saved_and_loaded_at_any_time(tmp_path):
    path = tmp_path / "search"
    rng = random.Random(seeded(4))
    for number, cover, expected in problems(200):
        search, found = cover.search(), []
        while not search.done:
            found += search.run(updates=rng.randint(1, 30), solutions=rng.choice([None, 1, 3]))
            if number % 3 == 0:
                [search, *others] = search.split(3) or [search]
                for other in others:
                    found += other.run()
            search.save(path)
            search = dlx.Search.load(path, cover.search() if number % 2 else None)
        assert sorted(found) == expected
        if number % 3:
            assert search.solutions == len(expected)
            cover.count()
            assert search.counters() == cover.statistics or cover.choose == "random"


def test_search_is_loaded_for_an_equal_problem(tmp_path):
    path = tmp_path / "search"
    instance("queens8").search().save(path)
    assert dlx.Search.load(path, instance("queens8").search()).count() == 92
    instance("queens8", choose="random", seed=1).search().save(path)
    with pytest.raises(dlx.CheckpointError, match="another problem"):
        dlx.Search.load(path, instance("queens8", choose="random", seed=2).search())


@pytest.mark.parametrize("algorithm", ["bitset", "dense"])
def test_search_with_another_algorithm_is_rejected(tmp_path, algorithm):
    path = tmp_path / "search"
    search = instance("queens8", algorithm=algorithm).search()
    search.run(solutions=10)
    search.save(path)
    assert dlx.Search.load(path).count() == 82
    assert dlx.Search.load(path, instance("queens8", algorithm=algorithm).search()).count() == 82
    with pytest.raises(dlx.CheckpointError, match=f"with the algorithm '{algorithm}', not 'links'"):
        dlx.Search.load(path, instance("queens8").search())


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals to look for processes")
def test_drafts_of_ended_processes_are_removed(tmp_path):
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    stale, alive = (tmp_path / f"search.{pid}.draft" for pid in (done.pid, os.getppid()))
    stale.write_text("half")
    alive.write_text("half")
    instance("queens8").search().save(tmp_path / "search")
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / "search", alive])


def test_only_regular_files_are_overwritten(tmp_path):
    with pytest.raises(dlx.CheckpointError, match="not a regular file"):
        instance("queens8").search().save(tmp_path)


@pytest.mark.usefixtures("small_slices")
def test_all_subtrees_of_a_search_are_saved(tmp_path):
    path = tmp_path / "search"
    cover = instance("langford8")
    search = cover.search()
    assert len(search.run(solutions=9, threads=3)) == 9
    search.count(updates=5000, threads=3)
    search.save(path)
    loaded = dlx.Search.load(path, cover.search())
    assert loaded.progress == search.progress
    assert loaded.count() == search.count()
    assert loaded.counters() == search.counters()


def test_search_is_pickled_without_its_executor():
    search = instance("queens8").search()
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        search.run(solutions=10, executor=executor)
        assert pickle.loads(pickle.dumps(search)).run() == search.run()


def test_invalid_files_are_rejected(tmp_path):
    path = tmp_path / "search"
    search = instance("queens8").search()
    search.run(solutions=10)
    search.save(path)
    good = path.read_bytes()
    version = b"search %d " % VERSION
    older, newer = (b"search %d " % number for number in (VERSION - 1, VERSION + 1))
    assert [entry.name for entry in tmp_path.iterdir()] == ["search"]
    for content, reason in [
        (b"", "not a saved search"),
        (b"8 queens", "not a saved search"),
        (good[:40], "the file is damaged"),
        (good[:-1], "the file is damaged"),
        (good[:2000] + bytes([good[2000] ^ 1]) + good[2001:], "the file is damaged"),
        (
            good.replace(version, older, 1),
            f"another version: format {VERSION - 1}, but this version reads {VERSION}",
        ),
        (good.replace(version, newer, 1), f"another version: format {VERSION + 1}"),
        (b"dlx_numba search \n", "saved by another version"),
    ]:
        path.write_bytes(content)
        with pytest.raises(dlx.CheckpointError, match=reason) as caught:
            dlx.Search.load(path)
        assert str(path) in str(caught.value)
    path.write_bytes(good)
    for other in (instance("queens10"), instance("queens8", given=[0])):
        with pytest.raises(dlx.CheckpointError, match="a search of another problem"):
            dlx.Search.load(path, other.search())
    with pytest.raises(FileNotFoundError):
        dlx.Search.load(tmp_path / "missing")


def test_failed_save_keeps_the_previous_checkpoint(tmp_path, monkeypatch):
    path = tmp_path / "search"
    search = instance("queens8").search()
    search.save(path)
    before = path.read_bytes()
    search.run(solutions=3)

    def fail(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        search.save(path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1
