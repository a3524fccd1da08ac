"""Write certificates of counts and of lowest costs, which `verify_certificate` verifies.

The proof of a count is the graph of a memoized search, with its dead ends. If the search takes
long, a coloring or weights may prove that there is no cover. Problems without a memo get the tree
of a search. The proof of a lowest cost is a tree, too, with new prices of items wherever those of
the parent do not lead to a small subtree. The functions that verify trees also compute them, so
both agree.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from .. import verify_certificate as verifier
from ..kernels.cheapest.multipliers import ROOT_STEPS, climb
from ..kernels.cheapest.weights import find_weights
from ..kernels.lattice import find_coloring
from ..kernels.memo.explore import FALSE, TRUE, WITHOUT_OPTION
from ..kernels.memo.search import MemoSearch
from ..kernels.problem import Problem, select_items, select_options
from ..kernels.reduce import reduce_problem
from ..runtime.arguments import check_choice
from ..runtime.files import stream_file
from ..runtime.interrupts import Stop, complete, raise_if_stopped
from ..runtime.job import run
from ..runtime.resources import memory_limit
from ..runtime.text import all_digits
from ..runtime.version import __version__
from ..runtime.workers import call_until
from ..search.node_search import NEAR_STEPS
from ..search.subproblems import MemoPortfolio
from .costs import whole_costs
from .counting import ThreadStatistics
from .named_problem import NamedProblem
from .solutions import find_cheapest

Claim = Literal["count", "cost"]
CLAIMS: tuple[Claim, ...] = get_args(Claim)
# The work of a memo after which a coloring is tried, and the limit of the work for the coloring
FIRST_WORK = 1 << 22
MAX_COLORING_WORK = 1 << 30
MAX_SUBTREE = 64  # nodes that are searched before new prices are computed
END = "the certificate was complete"
STEPS_OF_SCALE = 16  # per item: the denominator of prices, which are rounded down

Proof = Generator[str, None, int]  # the lines of a proof, and the number of covers


def certify(
    named: NamedProblem, path: str | os.PathLike[str], claim: str, stop: Stop
) -> int | None:
    """Write a certificate, and return the number it proves, as `ExactCover.certify` does.

    That is the number of covers, or the lowest cost, None if there is no cover. In that case, the
    certificate is one of the count 0.
    """
    check_choice("claim", claim, CLAIMS)
    cost = None  # for the certificate of a count
    if claim == "cost":
        check_certifiable(named, of_costs=True)
        named = named.counted()
        covers = find_cheapest(named, ThreadStatistics(), 1, False, stop)
        cost = covers[0].cost if covers else None
    count = write_certificate(named, path, cost, stop)
    return count if claim == "count" else cost


def check_certifiable(named: NamedProblem, of_costs: bool) -> None:
    """Raise ValueError unless a certificate of this problem can be verified.

    `of_costs` asks for one of the lowest cost, which has more requirements than one of the count.
    """
    named.unfixed("a certificate").problem.reject_totals("a certificate")
    if not named.problem.n_primary:
        raise ValueError("a certificate needs a problem with primary items")
    if of_costs:
        if named.names.penalties is not None:
            raise ValueError(
                "a certificate of costs cannot have penalties of items with multiplicities"
            )
        counted = named.counted(logs=False)
        try:
            whole_costs(counted.problem, counted.names)
        except ValueError:
            raise ValueError(
                "a certificate needs costs that are nonnegative integers, to be minimized"
            ) from None


def write_certificate(
    named: NamedProblem, path: str | os.PathLike[str], cost: int | None, stop: Stop
) -> int:
    """Write a certificate of the number of covers, or of those that cost less than `cost`.

    Returns the number. With a cost, it must be 0: the caller knows that no cover costs less.
    """
    counts: list[int] = []  # of covers: one, when the generator has yielded all lines

    def lines() -> Iterator[str]:
        counts.append((yield from prove(named, cost, stop)))

    stream_file(path, (f"{line}\n".encode("ascii") for line in lines()))
    return counts[0]


def prove(named: NamedProblem, cost: int | None, stop: Stop) -> Proof:
    """Yield the lines of a certificate, and return the number, as of `write_certificate`."""
    raise_if_stopped(stop, END)
    check_certifiable(named, cost is not None)
    if cost is not None:
        named = named.counted(logs=False)
    yield f"{verifier.HEADER} {__version__}"
    for name, options in (("given", named.selected.given), ("forbidden", named.forbidden)):
        yield " ".join([name, *map(str, options)])
    count = yield from _prove(named, cost, stop)
    yield f"covers {all_digits(count)}"
    return count


def _prove(named: NamedProblem, cost: int | None, stop: Stop) -> Proof:
    """Yield the kind of a proof and its lines, and return the number of covers.

    A count is proven by a tree only if there is no other proof.
    """
    problem = named.problem
    if cost is None:
        count = yield from _prove_without_branches(named, stop)
        if count is not None:
            return count
    yield "tree" if cost is None else f"prices {cost}"
    translated = translate(problem, cost is not None, stop)
    root = translated.restrict(named.selected.given, named.forbidden)
    if cost is None:
        return (yield from _tree(translated, root, cost, stop))
    return (yield from _price_tree(problem, translated, root, cost, stop))


def _prove_without_branches(named: NamedProblem, stop: Stop) -> Generator[str, None, int | None]:
    """Yield the kind of a proof of the count and its lines, and return the number of covers.

    It is the first of these that succeeds: the graph of a memo that takes little work, a coloring,
    weights (as the prices of a tree without branches), or the graph of a memo that takes long. If
    none does, nothing is yielded, and None is returned.
    """
    problem = named.problem
    # What given and forbidden options leave of the problem, and the numbers of its options and
    # items in the problem
    conditions = (
        np.array(numbers, np.int64) for numbers in (named.selected.given, named.forbidden)
    )
    reduced, options, items = reduce_problem(problem, *conditions)
    memo = None
    with suppress(ValueError):  # too large
        if problem.low is None:  # `walk_graph` of the verifier has no multiplicities
            limit = memory_limit(named.settings.memory)
            memo = MemoPortfolio(reduced, limit, has_diagram=True, has_dead_ends=True)
            run(memo, Stop(event=stop), FIRST_WORK)  # not `stop`, which an exception would cancel
    if memo is None or not memo.done:
        if (coloring := find_coloring(reduced, stop, MAX_COLORING_WORK)) is not None:
            yield "coloring"
            yield _line([str(coloring.modulus)], items, coloring.values)
            return 0
        # Items that no option colors, not even one that `reduced` lacks: only these may have
        # prices; see `price_node` of the verifier.
        plain = np.flatnonzero(~problem.is_colored[items])
        if (weights := find_weights(select_items(reduced, plain), stop)) is not None:
            # As prices, the negated weights give a bound above 0, but all covers cost 0 here.
            yield "tree"
            yield _line(["$", "1"], items[plain], -weights[0])
            return 0
    if memo is not None:
        run(memo, stop)
        raise_if_stopped(stop, END)
        if memo.best.value not in (FALSE, TRUE):  # otherwise, a graph would have no line
            yield "graph"
            return (yield from _graph(memo.best, options, items, stop))
    return None


def _line(words: list[str], items: NDArray[np.int64], numbers: NDArray[Any]) -> str:
    """Return a line that consists of some words and the numbers of items that are not 0."""
    pairs = zip(items.tolist(), numbers.tolist(), strict=True)
    return " ".join([*words, *(f"{item}:{number}" for item, number in pairs if number)])


def translate(problem: Problem, has_costs: bool, stop: Stop) -> Any:
    """Return the problem as `verify_certificate` represents it; without costs, they are 0."""

    def options() -> Iterator[list[tuple[int, int | None]]]:
        for number in range(problem.n_options):
            raise_if_stopped(stop, END)
            yield [(item, color or None) for item, color in problem.entries(number)]

    bounds = dict(enumerate(problem.item_bounds[: problem.n_primary]))
    costs = problem.costs * has_costs  # times 0 or 1
    return verifier.ExactCoverProblem(
        problem.n_primary, problem.n_items, options(), bounds, costs.tolist()
    )


def _graph(
    memo: MemoSearch, options: NDArray[np.int64], items: NDArray[np.int64], stop: Stop
) -> Proof:
    """Yield the lines of a graph, in the reverse order of its nodes, and return its covers' number.

    A line has the item on which a node branches, and for each option of this item, what is below:
    "*" for a cover, "-" and an item without options, or the line of another node.

    The arrays have the user's numbers of the options and items of the search. In `memo.edges`, the
    first edge of a node has the item on which it branches instead of an option. Dead ends have
    numbers, too: from `WITHOUT_OPTION` on, one for each item that has no option left.
    """
    edges = memo.edges
    root = memo.value
    assert edges is not None
    if memo.order is not None:  # the search has its items in this order
        items = items[memo.order]
    names = [*map(str, items.tolist())]
    numbers = options[memo.option_numbers].tolist()
    first_dead_end = int(WITHOUT_OPTION)
    if root >= first_dead_end:  # an item of the problem itself has no option
        yield names[root - first_dead_end]
        return 0
    start, option, below = (array.data for array in edges)  # whose elements are read faster
    n_ways = {root: 1}  # the number of paths from the root to each node
    count = 0
    for node in range(root, TRUE, -1):
        raise_if_stopped(stop, END)
        edge = slice(start[node], start[node + 1])
        item, *chosen = option[edge].tolist()
        _, *children = below[edge].tolist()
        words = [names[item]]
        ways = n_ways.pop(node)
        # In the order in which the verifier goes through the options of the item
        for _, child in sorted(zip(map(numbers.__getitem__, chosen), children, strict=True)):
            if child == TRUE:
                count += ways
                words.append("*")
            elif child >= first_dead_end:
                words.append(f"-{names[child - first_dead_end]}")
            else:
                n_ways[child] = n_ways.get(child, 0) + ways
                words.append(str(root - child))  # the number of its line, from 0
        yield " ".join(words)
    return count


def _is_bounded(node: verifier.ProofNode, cost: int | None) -> bool:
    """Return whether the bound of a node shows that none of its covers costs less than `cost`.

    Costs are integers, so a bound above `cost` - 1 suffices. Without a cost, covers are counted,
    and no bound ends a node.
    """
    return cost is not None and node.bound > (cost - 1) * node.scale


def _select_item(
    problem: verifier.ExactCoverProblem, node: verifier.ProofNode, cost: int | None
) -> int:
    """Return the open item with the fewest branches that may lead to a cover to be counted.

    Of the n options of an item that must be covered `low` times, one of the first n - `low` + 1 has
    to be chosen. The 1 is left out, as it does not matter which item has the fewest.
    """
    opened, available, bounds = node.subproblem
    if cost is not None:
        # An option adds its reduced cost to the bound, which ends the branch if it is too high.
        budget = (cost - 1) * node.scale - node.bound
        open_options = verifier.bits(available)
        available = verifier.mask_of(k for k in open_options if node.reduced[k] <= budget)

    def n_branches(item: int) -> int:
        n_options = (available & problem.containing[item]).bit_count()
        low, _ = bounds.get(item, (1, 1))
        return int(n_options - low)

    return int(min(verifier.bits(opened), key=n_branches))


def _tree(
    problem: verifier.ExactCoverProblem, node: verifier.ProofNode, cost: int | None, stop: Stop
) -> Proof:
    """Yield the lines of a tree without new prices, and return the number of covers counted.

    With a cost, these are the covers that may cost less; a line is the item of a node.
    """
    stack = [node]
    count = 0
    while stack:
        raise_if_stopped(stop, END)
        node = stack.pop()
        if _is_bounded(node, cost):
            continue
        if not node.subproblem.opened:
            count += 1
            continue
        item = _select_item(problem, node, cost)
        yield str(item)
        stack += reversed(problem.branch_node(node, item))
    return count


def _price_tree(
    named: Problem,
    problem: verifier.ExactCoverProblem,
    root: verifier.ProofNode,
    cost: int,
    stop: Stop,
) -> Proof:
    """Yield the lines of a tree that proves that no cover costs less than `cost`.

    A subtree of up to MAX_SUBTREE nodes keeps the prices of its root; a larger one gets new prices
    if they raise the bound, and is divided unless the bound suffices then.
    """
    stack = [(root, np.zeros(named.n_items))]  # nodes, and the prices of all items there
    while stack:
        node, price = stack.pop()
        # One line too many shows that the subtree is larger.
        lines = list(islice(_tree(problem, node, cost, stop), MAX_SUBTREE + 1))
        if len(lines) <= MAX_SUBTREE:
            yield from lines
            continue
        # With many options, a step takes long, so that another thread takes it until `stop` is set.
        task = call_until(partial(_improve, named, problem, node, cost, price, stop), stop)
        if not task.has_ended:
            raise_if_stopped(stop, END)
        line, price, priced = task.result()
        if priced.bound * node.scale > node.bound * priced.scale:  # compares bound / scale
            yield line
            node = priced
        if not _is_bounded(node, cost):
            item = _select_item(problem, node, cost)
            yield str(item)
            children = problem.branch_node(node, item)
            stack += [(child, price) for child in reversed(children)]
    return 0


def _improve(
    named: Problem,
    translated: verifier.ExactCoverProblem,
    node: verifier.ProofNode,
    cost: int,
    price: NDArray[np.float64],
    stop: Stop,
) -> tuple[str, NDArray[np.float64], verifier.ProofNode]:
    """Improve the prices of a node.

    Returns the line that gives them, those of all items, and the node with these prices.
    """
    # The problem that remains at the node, without colored items, which have no prices
    opened, available, bounds = node.subproblem
    options = np.array(verifier.bits(available), np.int64)
    secondary = np.flatnonzero(~named.is_colored[named.n_primary :]) + named.n_primary
    items = np.array([*verifier.bits(opened), *secondary], np.int64)
    problem = select_items(select_options(named, options), items)
    low_and_high = [bounds.get(item, (1, 1)) for item in items[: problem.n_primary].tolist()]
    low, high = np.array(low_and_high, np.int64).reshape(-1, 2).T.copy()  # contiguous rows
    problem = problem._replace(low=low, high=high)
    n_steps = NEAR_STEPS if price.any() else ROOT_STEPS
    # Costs are integers, so a bound above `cost` - 1 suffices. It may lose 1/2 when prices are
    # rounded.
    steps = climb(problem, price[items], 0.0, n_steps, cost - node.paid - 0.5)
    ascent = complete(steps, stop, END)
    price = price.copy()
    price[items] = ascent.best[: len(items)]
    scale = STEPS_OF_SCALE * (len(items) + 1)
    integers = np.floor(price[items] * scale).astype(np.int64)
    line = _line(["$", str(scale)], items, integers)
    # The node gets the prices from the line, as when it is verified, where "$" is read before.
    return line, price, translated.price_node(node, cost, line.split()[1:])
