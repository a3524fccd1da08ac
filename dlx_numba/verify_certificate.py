"""Verify certificates of exact cover problems. Only the standard library is used.

    python verify_certificate.py PROBLEM CERTIFICATE

`PROBLEM` is a file in Knuth's format, or in JSON if its name ends with .json. The program prints
what is proven, with the exit status 0, or what is wrong, with the exit status 1. A certificate only
directs the proof: the program derives each subproblem itself, with integers of any size.
"""

import json
import re
import sys
from typing import NamedTuple

HEADER = "dlx_numba certificate 1"  # the version of the format; that of the package follows
CONDITIONS = "given", "forbidden"


class CertificateError(Exception):
    """A problem cannot be read, or a certificate does not prove its claim."""


def check(is_right, reason):
    """Raise CertificateError if a condition is false."""
    if not is_right:
        raise CertificateError(reason)


class Subproblem(NamedTuple):
    """The open items, which are not yet covered, and the options that can be chosen.

    The bounds are the remaining multiplicities (low, high) of items that differ from (1, 1).
    """

    opened: int
    available: int
    bounds: dict[int, tuple[int, int]]


class ProofNode(NamedTuple):
    """A node of a tree: what remains, the cost paid, and a bound on the costs of its covers.

    No cover of the node costs less than `bound / scale`. An option adds its reduced cost, which is
    multiplied by `scale`, to the bound of a child.
    """

    subproblem: Subproblem
    paid: int
    bound: int
    scale: int
    reduced: list[int] | dict[int, int]


class ExactCoverProblem:
    """An exact cover problem. Sets of options and of items are integers used as bit sets.

    An option is a list of pairs of an item and its color, or None. `bounds` are the multiplicities
    (low, high) of items, by default (1, 1); `costs` has the cost of each option.
    """

    def __init__(self, n_primary, n_items, options, bounds, costs):
        self.n_primary = n_primary
        self.options = []
        self.costs = costs
        # Options that are given or forbidden in the problem itself
        self.conditions = [set[int](), set[int]()]
        self.containing = [0] * n_items  # the options with each item, as a bit set
        self.with_color = dict[tuple[int, str], int]()  # those that give an item a color
        bounds = {item: pair for item, pair in bounds.items() if pair != (1, 1)}
        self.multiple = []  # of each option, the items whose multiplicity is not (1, 1)
        self._kept = {}  # results of `kept`
        available = 0
        # The writer of a certificate gives an iterator, which may raise an exception to end this.
        for number, option in enumerate(options):
            self.options.append(option)
            self.multiple.append([item for item, _ in option if item in bounds])
            bit = any(item < n_primary for item, _ in option) << number  # others are never chosen
            available |= bit
            for item, color in option:
                self.containing[item] |= bit
                if color is not None:
                    self.with_color[item, color] = self.with_color.get((item, color), 0) | bit
        for item in (item for item, (_, high) in bounds.items() if high == 0):
            available &= ~self.containing[item]
        self.root = Subproblem((1 << n_primary) - 1, available, bounds)

    def kept(self, option):
        """Return the items and the options that may remain after an option is chosen.

        Its items are covered, and their other options excluded unless they have the same color;
        `choose` sees to items with another multiplicity.
        """
        if option not in self._kept:
            items = (1 << self.n_primary) - 1
            options = (1 << len(self.options)) - 1
            options ^= 1 << option
            for item, color in self.options[option]:
                if item not in self.multiple[option]:
                    items &= ~(1 << item)
                    options &= ~self.containing[item] | self.with_color.get((item, color), 0)
            self._kept[option] = items, options
        return self._kept[option]

    def choose(self, subproblem, option):
        """Return the subproblem that remains after an available option is chosen."""
        opened, available, bounds = subproblem
        items, options = self.kept(option)
        opened &= items
        available &= options
        bounds = bounds.copy() if self.multiple[option] else bounds
        for item in self.multiple[option]:
            low, high = bounds.pop(item)
            if high > 1:
                bounds[item] = low - (low > 0), high - 1  # `low` is 0 at least
            else:  # the item can have no further option
                opened &= ~(1 << item)
                available &= ~self.containing[item]
        return Subproblem(opened, available, bounds)

    def restrict(self, given, forbidden):
        """Remove forbidden options, choose given ones, and return the root of a tree."""
        removed = mask_of(option for option in forbidden if option < len(self.options))
        self.root = self.root._replace(available=self.root.available & ~removed)
        for option in given:
            check(self.root.available >> option & 1, f"option {option} cannot be chosen")
            self.root = self.choose(self.root, option)
        paid = sum(self.costs[option] for option in given)
        return ProofNode(self.root, paid, paid, 1, self.costs)

    def verify_coloring(self, words):
        """Verify that options, but not the open items, sum to 0 modulo a number (0: exactly).

        Then no options cover the items, each as often as it must be covered. Only items for which
        that is a fixed number have a number in the sums. Returns 0, the number of covers.
        """
        opened, available, bounds = self.root
        (first, *pairs) = next(words)  # the modulus, and item:number
        fixed = {item for item in bits(opened) if len(set(bounds.get(item, (1, 1)))) == 1}
        numbers = numbers_of_items(pairs, fixed)
        total = sum(bounds.get(item, (1, 1))[0] * number for item, number in numbers.items())
        sums = [sum(numbers.get(i, 0) for i, _ in self.options[k]) for k in bits(available)]
        if modulus := integer(first):
            total %= modulus
            sums = [each % modulus for each in sums]
        check(total and not any(sums), "the coloring does not prove that there is no cover")
        return 0

    def walk_graph(self, words):
        """Count the covers in a graph of distinct subproblems, each after all of its parents.

        A line has the item of a subproblem, and what each of its options leads to: the number of
        another line, `*` for a cover, or the negative number of an item without options.
        """
        opened, available, bounds = self.root
        check(opened and not bounds, "a problem without items or with multiplicities needs a tree")
        # The bit of each item, and the options with it
        sets_of = {str(item): (1 << item, self.containing[item]) for item in bits(opened)}
        dead_ends = {f"-{item}": pair for item, pair in sets_of.items()}
        # The subproblems of later lines: open items, options, and in how many ways they are reached
        pending = {"0": (opened, available, 1)}
        count = 0
        number = 0
        while pending:
            # A line that no other leads to has no open item, so it is wrong.
            opened, available, n_ways = pending.pop(str(number), (0, 0, 0))
            item, *targets = next(words)
            bit, containing = sets_of.get(item, (0, 0))
            options = bits(available & containing)
            is_right = opened & bit and len(options) == len(targets)
            for option, target in zip(options, targets, strict=False):
                # Known results are read directly: a call for each option would take long.
                keep_items, keep_options = self._kept.get(option) or self.kept(option)
                items = opened & keep_items
                left = available & keep_options
                if target == "*":
                    is_right = is_right and not items
                    count += n_ways
                elif target in dead_ends:
                    bit, containing = dead_ends[target]
                    is_right = is_right and items & bit and not left & containing
                else:  # unless it is a later line, it remains pending, so the lines do not suffice
                    known, known_left, n_known = pending.get(target, (items, left, 0))
                    is_right = is_right and items == known and left == known_left
                    pending[target] = items, left, n_known + n_ways
            check(is_right, f"subproblem {number} does not branch as it says")
            number += 1
        return count

    def walk_tree(self, words, root, cost):
        """Count the covers that cost less than `cost` in a tree in preorder.

        A node is a leaf if its bound excludes such covers, or if no item is open. The latter is a
        cover, which is counted if it costs less.
        """
        stack = [root]
        count = 0
        while stack:
            node = stack.pop()
            opened = node.subproblem.opened
            if node.bound > (cost - 1) * node.scale or not opened:  # costs are integers
                count += not opened and node.paid < cost
                continue
            first, *rest = next(words)
            if first == "$":
                stack.append(self.price_node(node, cost, rest))
            else:
                check(not rest, "a line of a tree has more than one word")
                stack += reversed(self.branch_node(node, integer(first)))
        return count

    def branch_node(self, node, item):
        """Return the children of a node; each cover of it belongs to exactly one of them."""
        (opened, available, bounds), paid, bound, scale, reduced = node
        check(opened >> item & 1, f"item {item} is not open")
        options = bits(available & self.containing[item])
        low = bounds.get(item, (1, 1))[0]
        children = []
        # A child has the covers whose first option with the item is this one, so `low` - 1 follow.
        for option in options[: max(0, len(options) - low + 1)]:
            child = self.choose(Subproblem(opened, available, bounds), option)
            # The bound of `price_node` has the negative reduced costs of all options already.
            costs = paid + self.costs[option], bound + max(0, reduced[option])
            children.append(ProofNode(child, *costs, scale, reduced))
            if item in bounds:  # otherwise, the next option excludes this one anyway
                available &= ~(1 << option)
        if low == 0:  # the last child has the covers without an option of the item
            bounds = {other: bounds[other] for other in bounds if other != item}
            left = Subproblem(opened & ~(1 << item), available, bounds)
            children.append(node._replace(subproblem=left))
        return children

    def price_node(self, node, cost, words):
        """Return a node with other prices, without the options that cost too much.

        The sum of the prices, each as often as its item is covered, is a bound on the scaled cost:
        `low` times if the price is positive, otherwise as often as possible. An option whose items
        have higher prices than its scaled cost lowers the bound by the difference, once at most.

        A secondary item with colors may be in any number of options, so it has no price.
        """
        opened, available, bounds = node.subproblem
        paid = node.paid
        first, *pairs = words or [""]
        scale = integer(first, 1)
        items = {*range(len(self.containing))}
        prices = numbers_of_items(pairs, items - {item for item, _ in self.with_color})
        bound = paid * scale
        reduced = {}
        for item, price in prices.items():
            low, high = bounds.get(item, (1, 1)) if item < self.n_primary else (0, 1)
            n_most = min(high, len(bits(available & self.containing[item])))
            if item >= self.n_primary or opened >> item & 1:
                bound += min(price * low, price * max(low, n_most))
        for option in bits(available):
            price = sum(prices.get(item, 0) for item, _ in self.options[option])
            reduced[option] = self.costs[option] * scale - price
            bound += min(0, reduced[option])
        most = (cost - 1) * scale - bound  # the reduced cost that a cheaper cover can afford
        cheap = mask_of(option for option in reduced if reduced[option] <= most)
        left = node.subproblem._replace(available=available & cheap)
        return ProofNode(left, paid, bound, scale, reduced)


def bits(number):
    """Return the positions of the bits of a number, in ascending order."""
    if number.bit_length() > 4096:  # each step below takes time in proportion to the length
        half = number.bit_length() // 2
        return [*bits(number & ((1 << half) - 1)), *(half + k for k in bits(number >> half))]
    positions = []
    while number:
        positions.append(number.bit_length() - 1)
        number ^= 1 << positions[-1]
    return positions[::-1]


def mask_of(positions):
    """Return the number that has bits at some positions."""
    positions = [*positions]
    octets = bytearray(max(positions, default=0) // 8 + 1)
    for k in positions:
        octets[k // 8] |= 1 << k % 8
    return int.from_bytes(octets, "little")


def integer(text, least=0):
    """Return the integer in decimal notation, or raise CertificateError."""
    if re.fullmatch("-?[0-9]{1,4000}", text) and int(text) >= least:
        return int(text)
    raise CertificateError(f"{text[:50]!r} is not a valid number")


def numbers_of_items(words, items):
    """Return the numbers in words `item:number` as a dict, or raise CertificateError."""
    pairs = [word.partition(":") for word in words]
    numbers = {integer(item): integer(number, -(10**4000)) for item, _, number in pairs}
    check(len(numbers) == len(words) and numbers.keys() <= items, "wrong numbers of items")
    return numbers


def split_lines(lines):
    """Yield the words of each complete line."""
    for line in lines:
        if line.endswith("\n"):
            yield line.split() or [""]
    raise CertificateError("the certificate is truncated")


def verify(problem, lines):
    """Verify a certificate, an iterator of lines, and return its claim as text."""
    words = split_lines(lines)
    # The format, the conditions, and the kind of the proof, after which its cost follows
    header, given, forbidden, (kind, *cost) = (next(words) for _ in range(4))
    *title, version = HEADER.split()
    is_right = header[:2] == title and (given[0], forbidden[0]) == ("given", "forbidden")
    check(is_right, f"the file does not begin as {HEADER!r}")
    known = f"but this program verifies format {version}"
    check(header[2:3] == [version], f"the certificate is of {' '.join(header)[:60]!r}, {known}")
    given, forbidden = ([integer(word) for word in line[1:]] for line in (given, forbidden))
    has_all = all(map(set.issubset, problem.conditions, map(set, (given, forbidden))))
    check(has_all, "the certificate lacks given or forbidden options of the problem")
    if kind == "prices":
        is_right = all(isinstance(each, int) and each >= 0 for each in problem.costs)
        check(is_right, "a proof of costs needs costs that are nonnegative integers")
    else:
        problem.costs = [0] * len(problem.costs)  # so that all covers cost less than 1
    root = problem.restrict(given, forbidden)
    walks = {"graph": problem.walk_graph, "coloring": problem.verify_coloring}
    check(kind in ("tree", "prices", *walks) and len(cost) == (kind == "prices"), "unknown proof")
    # A tree without prices has all covers: those that cost less than 1.
    arguments = [words] if kind in walks else [words, root, *map(integer, cost or "1")]
    count = walks.get(kind, problem.walk_tree)(*arguments)
    is_right = next(words) == ["covers", str(count)] and not next(lines, "")
    check(is_right, f"the claim differs from the proof of {count} covers")
    proved = f"{count} covers" if count > 1 else f"{count or 'no'} cover"
    if cost:
        verb = "cost" if count > 1 else "costs"
        proved += f" {verb} less than {cost[0]}"
    for verb, options in (("contain", given), ("do not contain", forbidden)):
        if options:
            proved += f"; only covers that {verb} {', '.join(map(str, options))}"
    return proved


def parse_knuth(lines):
    """Return the problem in lines of Knuth's format.

    A line that begins with a bar is a comment. The first other line has the items, the secondary
    ones after a bar, and each further line an option, and its costs after bars.
    """
    titles, *rows = [words for words in map(str.split, lines) if words and words[0][0] != "|"]
    check(titles[0] not in ("#", "%", "//"), "the first line may be a comment of another program")
    number_of = dict[str, int]()
    n_primary = None
    bounds = {}
    for title in " ".join(titles).replace(" |", " | ").split():
        if title == "|" and n_primary is None:
            n_primary = len(number_of)
            continue
        multiplicity, bar, name = title.rpartition("|")
        if bar:  # "high|name", where both bounds are the same, or "low:high|name"
            low, colon, high = multiplicity.rpartition(":")
            least = integer(low) if colon else integer(high)
            bounds[len(number_of)] = least, integer(high, least)
        is_right = name and ":" not in name and name not in number_of
        check(is_right and not (bar and n_primary is not None), f"item {title[:50]!r} is invalid")
        number_of[name] = len(number_of)
    n_primary = len(number_of) if n_primary is None else n_primary
    options = list[list[tuple[int, str | None]]]()
    costs = list[int]()
    if not any(word[0] == "|" for words in rows for word in words):
        rows = [[*words, "|1"] for words in rows]  # without costs, options count
    for words in rows:
        entries = [word.partition(":") for word in words if word[0] != "|"]
        option = [(number_of[name], color if colon else None) for name, colon, color in entries]
        is_right = all(color is None or (color and item >= n_primary) for item, color in option)
        check(is_right and len(dict(option)) == len(option), f"option {len(options)} is invalid")
        options.append(option)
        costs.append(sum(integer(word[1:]) for word in words if word[0] == "|"))
    return ExactCoverProblem(n_primary, len(number_of), options, bounds, costs)


def parse_json(lines):
    """Return the problem in a JSON object that `ExactCover.write` has written."""

    def read_object(pairs):
        check(len(dict(pairs)) == len(pairs), "a key appears twice in a JSON object")
        return pairs

    # Objects become lists of tuples: in a list of options, only one with a name is a tuple. The
    # keys of multiplicities and penalties are names as texts.
    content = dict(json.loads("".join(lines), object_pairs_hook=read_object))
    primary = content.pop("items")
    options = content.pop("options")
    others = content.pop("secondary", [])
    number_of = {json.dumps(name): number for number, name in enumerate(primary + others)}
    number_of_key = {str(name): number for number, name in enumerate(primary)}
    multiplicity, penalty = (content.pop(key, []) for key in ("multiplicity", "penalty"))
    bounds = {number_of_key[name]: tuple(pair) for name, pair in multiplicity}
    # Without costs, options count; with penalties only, their costs are 0.
    default_cost = int(not penalty)
    costs = content.pop("costs", [default_cost] * len(options))
    if "maximize" in content:  # no claim about costs is one about values
        costs = [None] * len(content.pop("maximize"))
    content.pop("view", None)  # a picture, which no cover depends on
    conditions = [content.pop(key, []) for key in CONDITIONS]
    check(primary and not content, f"no items, or unknown keys: {', '.join(content)}")
    keys_differ = len(number_of_key) == len(primary) or not (multiplicity or penalty)
    is_unique = len(number_of) == len(primary + others) and keys_differ
    check(is_unique, "two items have the same name")
    check(all(0 <= low <= high for low, high in bounds.values()), "a multiplicity is invalid")

    def read(entry):
        item, color = entry if isinstance(entry, list) else (entry, None)
        number = number_of[json.dumps(item)]
        check(color is None or number >= len(primary), "a primary item has a color")
        return number, None if color is None else json.dumps(color)

    rows = [[*map(read, value[1] if isinstance(value, tuple) else value)] for value in options]
    check(all(len(dict(row)) == len(row) for row in rows), "an option has an item twice")
    for name, price in penalty:  # the item may stay uncovered, or be covered too rarely
        item = number_of_key[name]
        low, high = bounds.get(item, (1, 1))
        if low == high == 1:
            rows.append([(item, None)])
            costs.append(price)
        else:
            bounds[item] = 0, high
            costs = [None] * len(costs)  # they depend on what is missing
    problem = ExactCoverProblem(len(primary), len(number_of), rows, bounds, costs)
    check(len(rows) == len(costs), "some options have no cost")
    problem.conditions = [*map(set, conditions)]
    return problem


def read_problem(path, rows):
    """Return the problem in a file. Raises CertificateError if it is in another format."""
    try:
        return (parse_json if path.endswith(".json") else parse_knuth)(rows)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise CertificateError(
            f"{path} is neither in Knuth's format nor JSON (.json) as ExactCover.write writes it; "
            f"`dlx-numba show --format knuth` writes other files so ({error!r})"
        ) from None


def main(arguments):
    """Verify a certificate, print the result, and return the exit status."""
    try:
        check(len(arguments) == 2, "usage: verify_certificate.py PROBLEM CERTIFICATE")
        problem, proof = arguments
        with open(problem, encoding="utf-8-sig") as rows, open(proof, encoding="ascii") as lines:
            print(verify(read_problem(problem, rows), lines))
    except Exception as error:  # whatever the files contain
        print(f"not verified: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", int)(0)  # counts may have any number of digits
    sys.exit(main(sys.argv[1:]))
