"""Objects whose buffers arrive unaligned and read-only, as between processes of a cluster."""

import concurrent.futures
import pickle
import warnings

import pytest

import dlx_numba as dlx


def transmitted(value):
    """A copy whose buffers are transmitted separately, and start at odd addresses."""
    buffers = []
    content = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    moved = [memoryview(b"\0" + bytes(buffer.raw()))[1:] for buffer in buffers]
    return pickle.loads(content, buffers=moved)


class TransmittingExecutor(concurrent.futures.ThreadPoolExecutor):
    """Copies the arguments and results of tasks as a cluster does."""

    def submit(self, function, *arguments):
        return super().submit(
            lambda: transmitted(function(*(transmitted(argument) for argument in arguments)))
        )


OPTIONS = [[a, b] for a in range(8) for b in range(a)]
PROBLEMS = {
    "links": dlx.ExactCover(OPTIONS, algorithm="links"),
    "bitset": dlx.ExactCover(OPTIONS, algorithm="bitset"),
    "colors": dlx.ExactCover(
        [[a, ("s", color)] for a in range(8) for color in (1, a % 2)], secondary=["s"]
    ),
    "multiplicity": dlx.ExactCover(OPTIONS, multiplicity=dict.fromkeys(range(8), 2)),
    "costs": dlx.ExactCover(OPTIONS, costs=range(len(OPTIONS))),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_kernels_accept_what_is_transmitted(name):
    problem = PROBLEMS[name]
    with warnings.catch_warnings(), TransmittingExecutor(2) as executor:
        warnings.simplefilter("error")  # no kernel falls back to Numba
        copy = transmitted(problem)
        assert copy == problem
        assert hash(copy) == hash(problem)
        assert copy.count() == copy.count(executor=executor) == problem.count()
        assert copy.first() == problem.first()
        assert sorted(copy.search()) == sorted(problem.search())
        assert transmitted(problem.search()).count() == problem.count()
        parts = problem.search()
        rest = map(transmitted, parts.split(3))
        assert parts.count() + sum(part.count() for part in rest) == problem.count()
        if name == "costs":
            assert copy.cheapest() == problem.cheapest()
        if name != "multiplicity":
            diagram = transmitted(problem.diagram())
            assert diagram.sample(3, seed=1) == problem.diagram().sample(3, seed=1)
            assert diagram.count() == problem.count()
