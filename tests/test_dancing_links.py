"""The heart of the package: six arrays, `cover`, `uncover` and `search`."""

import inspect
import random

import numpy as np
import pytest

from dlx_numba import ExactCover
from dlx_numba import dancing_links as dl
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.kernels.components import MIN_ITEMS
from dlx_numba.kernels.dlx.links import INACTIVE, Links, allocate_links
from dlx_numba.kernels.problem import link_problem
from tests.helpers.oracles import recursive_search
from tests.helpers.problems import random_options
from tests.helpers.seeds import seeds

UNLIMITED = 1 << 62
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def begin(links, n_levels):
    """Return the arrays of a search that has not begun."""
    stack = np.zeros(n_levels, np.int32)
    return *links, stack, np.zeros(n_levels, np.int64), np.zeros(4, np.int64)


def find_covers(links, options, n_levels, budget, is_leftmost):
    """Return the covers and the nodes of each level; the search pauses after `budget` nodes."""
    option_of = np.repeat(np.arange(len(options)), [len(option) for option in options])
    *_, chosen, nodes, state = arrays = begin(links, n_levels)
    covers = []
    while state[dl.STEP] != dl.DONE:
        n_found = dl.search(*arrays, len(covers) + 1, budget, is_leftmost)
        if n_found > len(covers):
            choices = chosen[: state[dl.LEVEL]] - len(links[5])
            covers.append(sorted(option_of[choices].tolist()))
    return covers, nodes.tolist()


def sudoku():
    """Return the links of an empty board of 9×9, and the first node of each digit in each cell."""
    options = []
    for row in range(9):
        for column in range(9):
            box = row // 3 * 3 + column // 3
            for digit in range(9):
                places = 9 * row + column, 9 * row + digit, 9 * column + digit, 9 * box + digit
                options.append([81 * kind + place for kind, place in enumerate(places)])
    links = dl.link(options, 324)
    return links, (325 + 4 * np.arange(729)).reshape(81, 9)


def test_covers_are_those_of_a_recursive_search():
    assert [*dl.covers([], 0)] == [[]]
    assert [*dl.covers([[]], 1)] == []
    for seed in seeds(500):
        options, n_items, _ = random_options(random.Random(seed))
        expected, _ = recursive_search(options, range(n_items), False)
        assert [*map(sorted, dl.covers(options, n_items))] == expected


def test_links_are_those_of_the_literature():
    """The example of Knuth's paper: the items A to G, and six options."""
    options = [[2, 4, 5], [0, 3, 6], [1, 2, 5], [0, 3], [1, 6], [3, 4, 6]]
    links = L, R, U, D, column, size = dl.link(options, 7)
    assert [each.dtype for each in links] == [np.int32] * 6
    assert L[:8].tolist() == [7, 0, 1, 2, 3, 4, 5, 6]
    assert R[:8].tolist() == [1, 2, 3, 4, 5, 6, 7, 0]
    assert (L[8:11].tolist(), R[8:11].tolist()) == ([10, 8, 9], [9, 10, 8])
    assert column[8:].tolist() == [item + 1 for option in options for item in option]
    assert (D[1], D[D[1]], D[D[D[1]]], U[1]) == (11, 17, 1, 17)
    assert size.tolist() == [0, 2, 2, 2, 3, 2, 2, 3]
    assert find_covers(links, options, 7, UNLIMITED, False)[0] == [[0, 3, 4]]


def test_the_parameters_are_those_of_the_literature():
    for name in "cover", "uncover":
        function = getattr(dl, name)
        parameters = inspect.signature(getattr(function, "py_func", function)).parameters
        assert [*parameters] == ["L", "R", "U", "D", "column", "size", "item"]


def test_secondary_items_are_not_in_the_list_of_items():
    L, R, _, _, _, size = dl.link([[0, 1], [1, 2]], 3, n_primary=1)
    assert (L.tolist()[:4], R.tolist()[:4]) == ([1, 0, 2, 3], [1, 0, 2, 3])
    assert size.tolist() == [0, 1, 2, 1]


def test_uncover_undoes_cover():
    for seed in seeds(2000, 100):
        rng = random.Random(seed)
        options, n_items, n_primary = random_options(rng)
        links = _, R, *_, size = dl.link(options, n_items, n_primary)
        before = np.concatenate(links)
        items = rng.sample(range(1, 1 + n_items), rng.randint(1, n_items))
        for item in items:
            dl.cover(*links, item)
        active = [item for item in range(1, 1 + n_primary) if item not in items]
        left = [k for k, option in enumerate(options) if not {*option} & {i - 1 for i in items}]
        order = []
        item = R[0]
        while item:
            order.append(int(item))
            item = R[item]
        assert order == active
        for item in active:
            assert size[item] == sum(item - 1 in options[k] for k in left)
        for item in reversed(items):
            dl.uncover(*links, item)
        assert (np.concatenate(links) == before).all()


def test_searches_take_the_steps_of_the_recursive_program():
    for seed in seeds(5000, 200):
        rng = random.Random(seed)
        options, n_items, n_primary = random_options(rng)
        links = dl.link(options, n_items, n_primary)
        before = np.concatenate(links)
        is_leftmost = rng.random() < 0.5
        expected = recursive_search(options, range(n_primary), is_leftmost)
        budget = rng.choice([1, 2, 5, UNLIMITED])
        assert find_covers(links, options, n_primary, budget, is_leftmost) == expected
        assert (np.concatenate(links) == before).all()


def test_a_search_can_end_at_any_time():
    for seed in seeds(1000, 50):
        rng = random.Random(seed)
        options, n_items, n_primary = random_options(rng)
        links = dl.link(options, n_items, n_primary)
        before = np.concatenate(links)
        *_, chosen, nodes, state = arrays = begin(links, n_primary)
        dl.search(*arrays, rng.randint(0, 3), rng.randint(0, 9), True)
        dl.retreat(*links, chosen, state)
        assert (np.concatenate(links) == before).all()
        n_nodes = nodes.sum()
        dl.search(*arrays, UNLIMITED, UNLIMITED, True)
        assert nodes.sum() == n_nodes  # it is done


def search_with_early_failures(links, n_levels):
    """Return the covers, as nodes, and the number of nodes of a search by the first item.

    As in the fast kernels, an option is undone if an item of the list loses its last option.
    """
    _, R, _, D, _, size = links
    covers = []
    n_nodes = 0

    def active_items():
        item = R[0]
        while item:
            yield int(item)
            item = R[item]

    def enter(chosen):
        nonlocal n_nodes
        if R[0] == 0:
            covers.append([*chosen])
            return
        n_nodes += 1
        item = int(R[0])
        dl.cover(*links, item)
        option = int(D[item])
        while option != item:
            empty_before = {item for item in active_items() if size[item] == 0}
            dl.try_option(*links, option)
            if not {item for item in active_items() if size[item] == 0} - empty_before:
                enter([*chosen, option])
            dl.undo_option(*links, option)
            option = int(D[option])
        dl.uncover(*links, item)

    enter([])
    return covers, n_nodes


def test_fast_kernels_take_the_same_steps_but_fail_early():
    for seed in seeds(5000, 100):
        options, n_items, n_primary = random_options(random.Random(seed))
        names = list(range(n_primary)), list(range(n_primary, n_items))
        links = dl.link(options, n_items, n_primary)
        before = np.concatenate(links)
        covers, n_nodes = search_with_early_failures(links, n_primary)
        assert (np.concatenate(links) == before).all()
        option_of = np.repeat(np.arange(len(options)), [len(option) for option in options])
        expected = [sorted(option_of[np.array(c, int) - 1 - n_items].tolist()) for c in covers]
        assert expected == find_covers(links, options, n_primary, UNLIMITED, True)[0]
        fast = ExactCover(options, *names, choose="leftmost", algorithm="links")
        assert fast.solve() == expected
        if n_items < MIN_ITEMS:  # a search of one component
            assert fast.statistics.nodes == n_nodes
        for rule, algorithm in (("smallest", "links"), ("smallest", "bitset"), ("random", "links")):
            cover = ExactCover(options, *names, choose=rule, algorithm=algorithm)
            assert sorted(cover.solve()) == sorted(expected)


def test_fast_kernels_have_the_same_links():
    for seed in seeds(2000, 100):
        options, n_items, n_primary = random_options(random.Random(seed))
        cover = ExactCover(options, list(range(n_primary)), list(range(n_primary, n_items)))
        links, _ = link_problem(cover.problem)
        links.size[1 + n_primary :] -= INACTIVE
        for own, expected in zip(links, dl.link(options, n_items, n_primary), strict=True):
            assert own.tolist() == expected.tolist()


@pytest.mark.parametrize("multiplicity", [None, {0: (0, 2)}])
def test_fast_kernels_take_views_of_int32(multiplicity):
    assert {each.dtype for each in allocate_links(2, 3)} == {np.dtype(np.int32)}
    cover = ExactCover([[0, 1], [0], [1]], multiplicity=multiplicity, algorithm="links")
    tree = named_problem(cover).prepare().start()
    for links in (tree.groups[0], tree.copy().groups[0]):
        assert isinstance(links, Links)
        for array in links:
            assert array.dtype == np.uint32
            while array.dtype == np.uint32:
                array = array.base
            assert array.dtype == np.int32


def test_unsigned_views_are_searched_in_the_same_way():
    links, _ = sudoku()
    views = [each.view(np.uint32) for each in links]
    results = []
    for arrays in (begin(links, 324), begin(views, 324)):
        dl.search(*arrays, 3, UNLIMITED, False)
        results.append([each.tolist() for each in arrays[6:]])
        dl.retreat(*arrays[:7], arrays[8])
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("board", "is_leftmost", "n_nodes"),
    [
        (HARD, True, 49_558),
        (HARD, False, 1471),
        (EASY, True, 4208),
        (EASY, False, 51),
        ("." * 81, True, 391),
    ],
)
@pytest.mark.compiled
def test_node_counts_are_those_of_the_program_in_c(board, is_leftmost, n_nodes):
    """The program of 2006 that the literature measures; the givens are covered first."""
    links, node_of = sudoku()
    column = links[4]
    for cell, digit in enumerate(board):
        if digit != ".":
            node = node_of[cell, int(digit) - 1]
            dl.cover(*links, column[node])
            dl.try_option(*links, node)
    *_, nodes, _ = arrays = begin(links, 324)
    assert dl.search(*arrays, 1, UNLIMITED, is_leftmost) == 1
    assert nodes.sum() == n_nodes
