"""Objects whose buffers arrive unaligned and read-only, as between processes of a cluster."""

import concurrent.futures
import pickle
import warnings

import pytest

from tests.helpers.problems import stated_problem
from tests.helpers.seeds import seeds


def transmitted(value):
    """A copy whose buffers are transmitted separately, and start at odd addresses."""
    buffers = []
    content = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    moved = [memoryview(b"\0" + bytes(buffer.raw()))[1:] for buffer in buffers]
    return pickle.loads(content, buffers=moved)


class TransmittingExecutor(concurrent.futures.ThreadPoolExecutor):
    """Copies the arguments and results of tasks as a cluster does."""

    def submit(self, function, *arguments):
        return super().submit(lambda: transmitted(function(*map(transmitted, arguments))))


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("algorithm", ["links", "bitset"])
def test_kernels_accept_what_is_transmitted(algorithm):
    for seed in seeds(100, at_least=12):
        has_bounds = seed % 2 == 0
        cover, expected = stated_problem(seed, "smallest", algorithm, has_bounds)
        with warnings.catch_warnings(), TransmittingExecutor(2) as executor:
            warnings.simplefilter("error")  # no kernel falls back to Numba
            copy = transmitted(cover)
            assert (copy, hash(copy)) == (cover, hash(cover))
            assert copy.count() == copy.replace(executor=executor).count() == len(expected)
            assert copy.first() == cover.first()
            assert sorted(copy.search()) == expected
            parts = cover.search()
            rest = map(transmitted, parts.split(3))
            assert parts.count() + sum(part.count() for part in rest) == len(expected)
            assert algorithm == "bitset" or copy.cheapest() == cover.cheapest()
            diagram = transmitted(cover.diagram())
            assert sorted(diagram) == expected
            assert not expected or diagram.sample(3, seed=1) == cover.diagram().sample(3, seed=1)
