"""An algorithm written in plain Python runs in `Search` by implementing the two protocols only."""

import concurrent.futures
import itertools
from typing import NamedTuple

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.branching import BranchingRule
from dlx_numba.search import protocol

N_BITS = 8


class BitStringSearch:
    """A search whose covers are the bit strings from `start` to `stop`, as binary numbers.

    The options 2k and 2k + 1 set bit k to 0 and to 1. Each string counts as one node and `n_bits`
    updates.
    """

    def __init__(self, n_bits, start, stop):
        self.n_bits, self.start, self.next, self.stop = n_bits, start, start, stop
        self.counters = np.zeros(3, np.int64)
        self.is_released = False

    @property
    def n_levels(self):
        assert not self.is_released
        return self.n_bits

    def bits(self):
        return [self.next >> k & 1 for k in reversed(range(self.n_bits))]

    def count(self, updates, max_covers):
        return self.collect(updates, max_covers, None)[0]

    def collect(self, updates, max_covers, buffer):
        assert not self.is_released
        covers = []
        while updates > 0 and len(covers) < max_covers and self.next < self.stop:
            covers.append([2 * k + bit for k, bit in enumerate(self.bits())])
            self.counters += [1, 1, self.n_bits]
            updates -= self.n_bits
            self.next += 1
        return self.next == self.stop, covers

    def current_path(self):
        return np.array(self.bits()), np.full(self.n_bits, 2)

    def explored(self):
        assert not self.is_released
        return (self.next - self.start) / (self.stop - self.start)

    def split(self):
        middle = (self.next + self.stop + 1) // 2
        if middle == self.stop:
            return None
        other = BitStringSearch(self.n_bits, middle, self.stop)
        fraction = (self.stop - middle) / (self.stop - self.start)
        self.stop = middle
        return other, fraction

    def copy(self):
        other = BitStringSearch(self.n_bits, self.start, self.stop)
        other.next, other.counters = self.next, self.counters.copy()
        return other

    def release(self):
        self.is_released = True

    def probe(self, draws, sums):
        assert draws.shape == (self.n_bits,)
        sums += 2**self.n_bits * np.array([1, 1, self.n_bits])

    def path(self):
        return {"start": self.start, "next": self.next, "stop": self.stop}

    def follow(self, path):
        self.start, self.next, self.stop = path["start"], path["next"], path["stop"]
        if not 0 <= self.start <= self.next < self.stop <= 2**self.n_bits:
            raise ValueError("not a path")


class BitStringSpec(NamedTuple):
    n_bits: int = N_BITS
    rule: BranchingRule = BranchingRule()
    algorithm: str = "enumeration"

    def start(self):
        return BitStringSearch(self.n_bits, 0, 2**self.n_bits)

    def solution(self, cover):
        return [option % 2 for option in cover]

    def fingerprint(self):
        return f"bit strings of length {self.n_bits}"

    def content(self):
        return {"n_bits": self.n_bits}, {"unused": np.arange(3)}

    @classmethod
    def from_content(cls, facts, arrays):
        assert arrays["unused"].tolist() == [0, 1, 2]
        return cls(facts["n_bits"])

    def check(self, solutions):
        if any(len(each) != self.n_bits for each in solutions):
            raise ValueError("not bit strings")


STRINGS = [list(bits) for bits in itertools.product([0, 1], repeat=N_BITS)]
WORK = (len(STRINGS), len(STRINGS), N_BITS * len(STRINGS))  # solutions, nodes and updates


@pytest.fixture
def search():
    return dlx.Search(BitStringSpec())


def public_names(some_class):
    return {name for name in dir(some_class) if name[0] != "_"}


def test_fake_search_has_all_that_the_protocols_require():
    required = public_names(protocol.ResumableSearch) | {"counters"}
    assert required <= public_names(BitStringSearch) | set(vars(BitStringSpec().start()))
    assert public_names(protocol.SearchSpec) <= public_names(BitStringSpec)


def test_run_stops_at_limits_and_resumes(search):
    assert search.run(solutions=10) == STRINGS[:10]
    found = search.run(updates=10 * N_BITS)
    assert found == STRINGS[10:20]
    assert search.counters() == (20, 20, 20 * N_BITS)
    assert search.run() == STRINGS[20:]
    assert search.done
    assert search.counters() == WORK


def test_count(search):
    assert search.count(solutions=10) == 10
    assert search.count() == len(STRINGS) - 10
    assert search.counters() == WORK


def test_iteration(search):
    stream = iter(search)
    assert [next(stream) for _ in range(5)] == STRINGS[:5]
    assert search.run(solutions=2) == STRINGS[5:7]
    assert list(stream) == STRINGS[7:]


@pytest.mark.parametrize("n_parts", [1, 2, 7, 1000])
def test_split(search, n_parts):
    begun = search.run(solutions=3)
    parts = search.split(n_parts)
    assert len(parts) == min(n_parts, len(STRINGS) - 3)
    assert search.done
    assert begun + [solution for part in parts for solution in part] == STRINGS
    counters = np.array([each.counters() for each in [search, *parts]])
    assert tuple(counters.sum(axis=0).tolist()) == WORK


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("method", ["run", "count"])
def test_threads(search, method):
    assert search.run(solutions=3, threads=2) == STRINGS[:3]
    rest = getattr(search, method)(threads=2)
    assert rest == (STRINGS[3:] if method == "run" else len(STRINGS) - 3)
    assert search.counters() == WORK


@pytest.mark.usefixtures("small_slices")
def test_executor(search):
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert search.run(solutions=3, executor=executor) == STRINGS[:3]
        assert search.run(executor=executor) == STRINGS[3:]
    assert search.counters() == WORK


@pytest.mark.usefixtures("small_slices")
def test_checkpoint(search, tmp_path):
    path = tmp_path / "search"
    found = search.run(solutions=5, threads=2)
    search.save(path)
    loaded = dlx.Search.load(path, dlx.Search(BitStringSpec()))
    assert loaded.progress == search.progress
    assert found + loaded.run() == found + search.run() == STRINGS
    assert loaded.counters() == search.counters() == WORK


def test_checkpoint_of_another_search_is_rejected(search, tmp_path):
    path = tmp_path / "search"
    search.save(path)
    with pytest.raises(dlx.CheckpointError, match="a search of another problem"):
        dlx.Search.load(path, dlx.Search(BitStringSpec(N_BITS + 1)))
    with pytest.raises(dlx.CheckpointError, match=r"a search of another kind \(BitStringSpec\)"):
        dlx.Search.load(path)
    dlx.ExactCover([["a"]]).search().save(path)
    with pytest.raises(dlx.CheckpointError, match=r"a search of another kind \(ExactCoverSpec\)"):
        dlx.Search.load(path, search)


def test_progress(search):
    assert search.progress.fraction == 0
    search.count(solutions=64)
    assert search.progress.fraction == 64 / 256
    assert search.progress.path == "1/2 2/2 1/2 1/2 1/2 1/2 1/2 1/2"
    [first, *_] = search.split(4)
    assert first.progress.fraction == 0
    first.count(solutions=24)
    assert first.progress.fraction == 0.5
    first.count()
    assert first.progress.fraction == 1


def test_estimate(search):
    estimate = search.estimate(10)
    assert (estimate.solutions, estimate.nodes, estimate.updates) == WORK
    assert estimate.solutions_error == 0
