"""The links of a problem, and the checks of options that precede them."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.jit.namespaces import plain_python
from dlx_numba.kernels.dlx import links as links_module
from dlx_numba.kernels.dlx import supports
from dlx_numba.kernels.dlx.algorithm_m import link_bounded
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX, initialize, search
from dlx_numba.kernels.dlx.branching import PRIME, Branching, BranchingRule, draw, set_rule
from dlx_numba.kernels.dlx.branching_m import exclusive_items
from dlx_numba.kernels.dlx.links import (
    OptionError,
    allocate_links,
    check_options,
    count_nodes,
    link_options,
)
from dlx_numba.kernels.dlx.memory import N_SIZES, allocate_block, carve_in_python, set_sizes
from dlx_numba.kernels.dlx.state import EXHAUSTED, N_REGISTERS, Register
from dlx_numba.runtime.arguments import UNLIMITED


def test_links_do_not_depend_on_what_the_arrays_contain():
    problem = dlx.ExactCover([["a", "b"], ["b", "c"], ["a"]], secondary=["c"]).problem
    links, other = (allocate_links(problem.n_items, len(problem.items)) for _ in range(2))
    for array in other:
        array[:] = 7
    for each in (links, other):
        link_options(each.unsigned, problem.indptr, problem.items, np.uint32(problem.n_primary))
    assert all(map(np.array_equal, links, other))


def test_more_nodes_than_int32_can_index_are_rejected_before_they_are_allocated():
    with pytest.raises(ValueError, match="nodes are more than int32 can index"):
        check_options(np.array([0, 1]), np.array([0]), n_items=1 << 31)


@pytest.mark.parametrize(
    ("options", "option", "item", "reason"),
    [
        ([[0, 0]], 0, 0, "option 0: item 0 appears twice"),
        ([[0], [1, 2, 1]], 1, 1, "option 1: item 1 appears twice"),
        ([[0], [], [2, 0, 1], [2, 0, 2]], 3, 2, "option 3: item 2 appears twice"),
        ([[0, 1], [3]], 1, 3, "option 1: item 3 does not exist; the problem has 3"),
        ([[-1]], 0, -1, "option 0: item -1 does not exist; the problem has 3"),
    ],
)
def test_an_option_that_is_wrong_is_named(options, option, item, reason):
    indptr = np.cumsum([0, *map(len, options)])
    items = np.array([item for each in options for item in each])
    with pytest.raises(OptionError, match=reason) as caught:
        check_options(indptr, items, 3)
    assert (caught.value.option, caught.value.item) == (option, item)


@pytest.mark.parametrize("options", [[], [[]], [[0, 1, 2], [2, 1, 0], [0], []]])
def test_options_may_be_empty_or_equal(options):
    indptr = np.cumsum([0, *map(len, options)])
    check_options(indptr, np.array([item for each in options for item in each], int), 3)


@pytest.mark.parametrize("indptr", [[1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [0, -1, 3], [], [[0, 3]]])
def test_rows_of_a_matrix_follow_each_other(indptr):
    with pytest.raises(ValueError, match="indptr"):
        check_options(np.array(indptr, int), np.array([0, 1, 2]), 3)


def test_the_number_of_nodes_is_limited(monkeypatch):
    monkeypatch.setattr(links_module, "MAX_NODES", 10)
    assert count_nodes(4, 5) == 10  # with the root
    with pytest.raises(ValueError, match="11 nodes are more than int32 can index"):
        count_nodes(5, 5)


def test_the_number_of_options_of_an_item_is_limited(monkeypatch):
    indptr = np.arange(5)
    for limit, is_valid in ((5, True), (4, False), (3, False)):
        monkeypatch.setattr(links_module, "INACTIVE", limit)
        if is_valid:
            check_options(indptr, np.zeros(4, int), 1)
        else:
            with pytest.raises(ValueError, match=f"must have fewer than {limit}"):
                check_options(indptr, np.zeros(4, int), 1)
    check_options(indptr, np.arange(4), 4)


def linked(options, n_primary, n_items):
    """Return the links of a problem, and the position of an item that an option has twice."""
    items = np.array([item for option in options for item in option], np.int64)
    links = allocate_links(n_items, len(items)).unsigned
    indptr = np.cumsum([0, *map(len, options)])
    return links, link_options(links, indptr, items, np.uint32(n_primary))


def test_the_lists_of_knuths_example():
    """The matrix of "Dancing links" (2000), with its items A to G as 0 to 6; G is secondary."""
    options = [[2, 4, 5], [0, 3, 6], [1, 2, 5], [0, 3], [1, 6], [3, 4, 6]]
    links, position = linked(options, 6, 7)
    assert position == -1
    assert links.R[:8].tolist() == [1, 2, 3, 4, 5, 6, 0, 7]
    assert links.L[:8].tolist() == [6, 0, 1, 2, 3, 4, 5, 7]
    assert (links.size[1:7].tolist(), links.size[7]) == ([2, 2, 2, 3, 2, 2], 3 + (1 << 30))
    assert links.column[8:].tolist() == [1 + item for option in options for item in option]
    assert links.D[[1, 11, 17, 4, 12, 18, 21]].tolist() == [11, 17, 1, 12, 18, 21, 4]
    assert links.U[links.D].tolist()[1:] == [*range(1, 24)]
    assert links.R[8:11].tolist() == [9, 10, 8]
    assert links.L[8:11].tolist() == [10, 8, 9]


def test_an_item_that_an_option_has_twice_is_found():
    assert linked([[0, 1], [1, 2, 1]], 3, 3)[1] == 4
    assert linked([[0, 1], [1, 1]], 3, 3)[1] == 3
    assert linked([[0], [0], [0]], 1, 1)[1] == -1


@pytest.mark.parametrize("seed", [0, 1, PRIME - 2, PRIME - 1, PRIME, 2 * PRIME - 1, 2**64])
def test_each_seed_starts_the_generator_of_park_and_miller(seed):
    register = np.zeros(N_REGISTERS, np.int64)
    set_rule(register, BranchingRule(Branching.RANDOM, seed=seed))
    state = int(register[Register.RANDOM_NUMBER])
    assert 1 <= state < PRIME
    assert (state - 1 - seed) % (PRIME - 1) == 0
    assert draw(register, 1000) == state * 48271 % PRIME % 1000


def test_a_search_is_initialized_again():
    """Programs that call the kernels themselves do so."""
    options = [["a"], ["b", "c"], ["b"], ["c"], ["c"]]
    tree = SubtreeX.start(dlx.ExactCover(options, ["a", "b", "c"]).problem, BranchingRule())
    links, colors, state = tree.groups
    state.register[:] = 7
    state.forced[:] = 7
    initialize(links, state, int(Branching.SMALLEST))
    expected = [0] * N_REGISTERS
    expected[Register.TARGET] = UNLIMITED
    expected[Register.TAIL] = 1
    assert state.register.tolist() == expected
    assert state.forced[0] == 1
    assert plain_python(search)(links, colors, state, UNLIMITED) == EXHAUSTED
    assert state.register[Register.SOLUTIONS] == 3
    initialize(links, state, int(Branching.LEFTMOST))
    assert state.register[Register.BRANCHING] == Branching.LEFTMOST


def test_the_days_of_a_lesson_limit_how_often_it_takes_place():
    options = [["lesson", f"day {k // 2}"] for k in range(6)] + [["talk", "day 0"], ["break", "x"]]
    days = [f"day {k}" for k in range(3)]
    exactly = {"lesson": 2, "break": 1}
    cover = dlx.ExactCover(options, ["lesson", "talk", "break"], [*days, "x"], exactly=exactly)
    owner, start, exclusive = exclusive_items(cover.problem)
    assert owner.tolist() == [1]
    assert start.tolist() == [0, 3]
    assert exclusive.tolist() == [4, 5, 6]


def test_supports_of_colors_are_limited(monkeypatch):
    options = [["a", ("s", 1)], ["a", ("s", 2)], ["b", ("s", 1), ("t", 1)], ["c", "t"], ["a", "b"]]
    problem = dlx.ExactCover(options, ["a", "b", "c"], ["s", "t"]).problem
    assert supports.count_support_rows(problem) == 5
    assert supports.count_support_rows(problem._replace(color=None)) == 0
    bounds = dlx.ExactCover(options, secondary=["s", "t"], multiplicity={"b": (0, 1)}).problem
    assert supports.count_support_rows(bounds) == 3  # of the items that must be covered
    for limit in (5, 4):
        monkeypatch.setattr(supports, "MAX_ROWS", limit)
        if limit == 5:
            supports._require_few(5, "pairs")
        else:
            with pytest.raises(ValueError, match=r"^5 pairs are too many .*; 4 are possible"):
                supports._require_few(5, "pairs")


def test_colors_that_may_be_beside_many_items_are_limited(monkeypatch):
    # Four pairs of an item and its neighbor, each of which may have four colors
    options = [[k, ("s", f"color {k}")] for k in range(4)]
    problem = dlx.ExactCover(options, secondary=["s"]).problem
    _, _, bounds = link_bounded(problem)
    monkeypatch.setattr(supports, "MAX_ROWS", 16)
    assert len(supports.with_supports(bounds, problem).supports.color) == 16
    monkeypatch.setattr(supports, "MAX_ROWS", 15)
    with pytest.raises(ValueError, match=r"^16 colors that .*; 15 are possible"):
        supports.with_supports(bounds, problem)


def test_a_block_consists_of_the_links_and_the_state():
    n_primary, n_items, n_option_nodes = 3, 5, 7
    block = allocate_block(n_primary, n_items, n_option_nodes)
    plain_python(set_sizes)(block, n_primary, n_items, n_option_nodes)
    register = np.zeros(N_REGISTERS, np.int64)
    links, state = carve_in_python(block, np.zeros((0, 1), np.uint32), register)
    n_nodes = 1 + n_items + n_option_nodes
    arrays = [*links, *state[:-2]]
    assert [len(each) for each in links] == [n_nodes] * 5 + [1 + n_items]
    assert sum(map(len, arrays)) == len(block) - N_SIZES
    for number, array in enumerate(arrays, 1):
        array[:] = number
    for number, array in enumerate(arrays, 1):
        assert np.all(array == number)
