"""Verify certificates of exact cover problems. Only the standard library is used.

    python verify_certificate.py PROBLEM CERTIFICATE

`PROBLEM` is a file in Knuth's format. The program prints what is proven, with the exit status 0, or
what is wrong, with the exit status 1. A certificate cannot prove anything false: it only directs
the proof. The program derives each subproblem itself, and computes with integers of any size.
"""

import re
import sys

HEADER, INFINITY = "dlx_numba certificate 1", float("inf")


class CertificateError(Exception):
    """A problem cannot be read, or a certificate does not prove its claim."""


class Problem:
    """An exact cover problem. Sets of options and of primary items are integers used as bit sets.

    A subproblem consists of the open items, which are not yet covered, the options that can still
    be chosen, and the remaining multiplicities (low, high) of the open items that need not be
    covered exactly once. A node of a tree consists of a subproblem, the cost paid, a bound on the
    cost of covers and its scale, and the reduced costs of options, multiplied by the scale.
    """

    def __init__(self, n_primary, n_items, options, bounds, costs):
        self.n_primary, self.options, self.costs = n_primary, [], costs
        self.containing, self.with_color = [0] * n_items, dict[tuple[int, str], int]()
        bounds = {item: pair for item, pair in bounds.items() if pair != (1, 1)}
        self.single, self.multiple, self._excluded, available = [], [], {}, 0
        for number, option in enumerate(options):
            self.options.append(option)
            primary = [item for item, _ in option if item < n_primary]
            self.single.append(sum(1 << item for item in primary if item not in bounds))
            self.multiple.append([item for item in primary if item in bounds])
            bit = 1 << number if primary else 0  # other options are never chosen
            available |= bit
            for item, color in option:
                self.containing[item] |= bit
                if color is not None:
                    self.with_color[item, color] = self.with_color.get((item, color), 0) | bit
        self.root = (1 << n_primary) - 1, available, bounds

    def excluded(self, option):
        """Return an option and all options that cannot be chosen together with it."""
        if option not in self._excluded:
            excluded = 1 << option
            for item, color in self.options[option]:
                if item not in self.multiple[option]:
                    excluded |= self.containing[item] & ~self.with_color.get((item, color), 0)
            self._excluded[option] = excluded
        return self._excluded[option]

    def choose(self, subproblem, option):
        """Return the subproblem that remains after an available option is chosen."""
        opened, available, bounds = subproblem
        opened &= ~self.single[option]
        available &= ~self.excluded(option)
        for item in self.multiple[option]:
            low, high = bounds[item]
            bounds = {**bounds, item: (max(0, low - 1), high - 1)}
            if high == 1:
                del bounds[item]
                opened &= ~(1 << item)
                available &= ~self.containing[item]
        return opened, available, bounds

    def restrict(self, given, forbidden):
        """Remove forbidden options, choose given ones, and return the root of a tree."""
        removed = sum(1 << option for option in {*forbidden} if option < len(self.options))
        self.root = self.root[0], self.root[1] & ~removed, self.root[2]
        for option in given:
            if not self.root[1] >> option & 1:
                raise CertificateError(f"option {option} cannot be chosen")
            self.root = self.choose(self.root, option)
        paid = sum(self.costs[option] for option in given)
        return self.root, paid, paid, 1, self.costs

    def verify_coloring(self, words):
        """Verify that the numbers of each option sum to 0 modulo a number, or exactly if it is 0.

        The numbers of the open items must not. Returns the number of covers, which is 0.
        """
        opened, available, bounds = self.root
        first, *pairs = next(words)
        fixed = {item for item in bits(opened) if len(set(bounds.get(item, (1, 1)))) == 1}
        numbers = numbers_of_items(pairs, fixed)
        total = sum(bounds.get(item, (1, 1))[0] * number for item, number in numbers.items())
        sums = [sum(numbers.get(i, 0) for i, _ in self.options[k]) for k in bits(available)]
        if modulus := integer(first):
            total, sums = total % modulus, [each % modulus for each in sums]
        if any(sums) or not total:
            raise CertificateError("the coloring does not prove that there is no cover")
        return 0

    def walk_graph(self, words):
        """Count the covers in a graph of distinct subproblems, each after all of its parents.

        A line has the item on which a subproblem branches, and a word for each available option of
        the item: the number of a later line, `*` if the option completes a cover, or `-` and an
        item that has no option left. What an option leads to is always computed and compared.
        """
        opened, _, bounds = self.root
        if bounds or not opened:
            raise CertificateError("a problem without items or with multiplicities needs a tree")
        containing, pending, count, number = self.containing, {0: (self.root, 1)}, 0, 0
        while pending:
            subproblem, n_ways = pending.pop(number, ((0, 0, {}), 0))
            item, *targets = next(words)
            item = integer(item)
            if not subproblem[0] >> item & 1:
                raise CertificateError(f"subproblem {number} has no parent, or no item {item}")
            options = bits(subproblem[1] & containing[item])
            if len(options) != len(targets):
                raise CertificateError(f"subproblem {number} has {len(options)} branches")
            for option, target in zip(options, targets, strict=True):
                child = opened, available, _ = self.choose(subproblem, option)
                if target == "*":
                    is_right = not opened
                    count += n_ways
                elif target[0] == "-":
                    other = integer(target[1:])
                    is_right = opened >> other & 1 and not available & containing[other]
                else:
                    known, n_known = pending.get(integer(target, number + 1), (child, 0))
                    is_right = known == child
                    pending[int(target)] = known, n_known + n_ways
                if not is_right:
                    raise CertificateError(f"option {option} of subproblem {number} is wrong")
            number += 1
        return count

    def walk_tree(self, words, root, cost=INFINITY):
        """Count the covers, or those that cost less than `cost`, in a tree in preorder.

        A line has the item on which a node branches. With a cost, a line `$ scale item:price ...`
        may precede it, and a node ends where its bound shows that it has no cover to count.
        """
        stack, count = [root], 0
        while stack:
            node = (opened, _, _), paid, bound, scale, _ = stack.pop()
            if bound > (cost - 1) * scale or not opened:  # costs are integers
                count += not opened and paid < cost
                continue
            first, *rest = next(words)
            if first == "$" and cost < INFINITY:
                stack.append(self.price_node(node, cost, rest))
            elif rest:
                raise CertificateError("a line of a tree has more than one word")
            else:
                stack += reversed(self.branch_node(node, integer(first)))
        return count

    def branch_node(self, node, item):
        """Return the children of a node; each cover of it belongs to exactly one of them."""
        (opened, available, bounds), paid, bound, scale, reduced = node
        if not opened >> item & 1:
            raise CertificateError(f"item {item} is not open")
        options = bits(available & self.containing[item])
        low, children = bounds.get(item, (1, 1))[0], []
        for option in options[: max(0, len(options) - low + 1)]:
            child = self.choose((opened, available, bounds), option)
            costs = paid + self.costs[option], bound + max(0, reduced[option])
            children.append((child, *costs, scale, reduced))
            if item in bounds:
                available &= ~(1 << option)
        if low == 0:
            bounds = {other: pair for other, pair in bounds.items() if other != item}
            children.append(((opened & ~(1 << item), available, bounds), *node[1:]))
        return children

    def price_node(self, node, cost, words):
        """Return a node with other prices, without the options that cost too much.

        A cover costs the prices of its items and the reduced costs of its options. A secondary item
        whose options have colors may be in any number of them, so it has no price.
        """
        (opened, available, bounds), paid, *_ = node
        scale, items = integer(words[0], 1), {*range(len(self.containing))}
        prices = numbers_of_items(words[1:], items - {item for item, _ in self.with_color})
        bound, reduced = paid * scale, {}
        for item, price in prices.items():
            low, high = bounds.get(item, (1, 1)) if item < self.n_primary else (0, 1)
            n_most = min(high, len(bits(available & self.containing[item])))
            if item >= self.n_primary or opened >> item & 1:
                bound += min(price * low, price * max(low, n_most))
        for option in bits(available):
            price = sum(prices.get(item, 0) for item, _ in self.options[option])
            reduced[option] = self.costs[option] * scale - price
            bound += min(0, reduced[option])
        most = (cost - 1) * scale - bound
        cheap = sum(1 << option for option in reduced if reduced[option] <= most)
        return (opened, available & cheap, bounds), paid, bound, scale, reduced


def bits(number):
    """Return the positions of the bits of a number, in ascending order."""
    positions = []
    while number:
        positions.append((number & -number).bit_length() - 1)
        number &= number - 1
    return positions


def integer(text, least=0):
    """Return the integer in decimal notation, or raise CertificateError."""
    if not re.fullmatch("-?[0-9]{1,4000}", text) or int(text) < least:
        raise CertificateError(f"{text[:50]!r} is not a valid number")
    return int(text)


def numbers_of_items(words, items):
    """Return the numbers in words `item:number` as a dict, or raise CertificateError."""
    pairs = [word.partition(":") for word in words]
    numbers = {integer(item): integer(number, -(10**4000)) for item, _, number in pairs}
    if len(numbers) < len(words) or not numbers.keys() <= items:
        raise CertificateError("an item appears twice, or must not have a number")
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
    header, given, forbidden, proof = (next(words) for _ in range(4))
    if (" ".join(header), given[0], forbidden[0]) != (HEADER, "given", "forbidden"):
        raise CertificateError(f"the file does not begin as {HEADER!r}")
    given, forbidden = ([integer(word) for word in line[1:]] for line in (given, forbidden))
    (kind, *cost), root = proof, problem.restrict(given, forbidden)
    if kind in ("tree", "prices") and len(cost) == (kind == "prices"):
        count = problem.walk_tree(words, root, *map(integer, cost))
    elif kind in ("graph", "coloring") and not cost:
        count = (problem.walk_graph if kind == "graph" else problem.verify_coloring)(words)
    else:
        raise CertificateError("there is no such kind of proof")
    if next(words) != ["covers", str(count)] or next(lines, ""):
        raise CertificateError(f"the claim differs from the proof of {count} covers")
    text = f"{count} covers" if count > 1 else "1 cover" if count else "no cover"
    text += f" cost{'s' * (count < 2)} less than {cost[0]}" if cost else ""
    for name, options in (("contain", given), ("do not contain", forbidden)):
        text += f"; only covers that {name} {', '.join(map(str, options))}" if options else ""
    return text


def parse_knuth(lines):
    """Return the problem that is stated by lines in Knuth's format."""
    titles, *rows = [words for words in map(str.split, lines) if words and words[0][0] != "|"]
    number_of, n_primary, bounds = dict[str, int](), None, {}
    for title in " ".join(titles).replace(" |", " | ").split():
        if title == "|" and n_primary is None:
            n_primary = len(number_of)
            continue
        multiplicity, bar, name = title.rpartition("|")
        if bar:
            low, colon, high = multiplicity.rpartition(":")
            least = integer(low) if colon else integer(high)
            bounds[len(number_of)] = least, integer(high, max(1, least))
        if not name or ":" in name or name in number_of or (bar and n_primary is not None):
            raise CertificateError(f"item {title[:50]!r} is invalid")
        number_of[name] = len(number_of)
    n_primary = len(number_of) if n_primary is None else n_primary
    options, costs = list[list[tuple[int, str | None]]](), list[int]()
    for words in rows:
        entries = [word.partition(":") for word in words if word[0] != "|"]
        option = [(number_of[name], color if colon else None) for name, colon, color in entries]
        is_wrong = any(color == "" or (color and item < n_primary) for item, color in option)
        if is_wrong or len(dict(option)) < len(option):
            raise CertificateError(f"option {len(options)} is invalid")
        options.append(option)
        costs.append(sum(integer(word[1:]) for word in words if word[0] == "|"))
    return Problem(n_primary, len(number_of), options, bounds, costs)


def main(arguments):
    """Verify a certificate, print the result, and return the exit status."""
    try:
        problem, certificate = arguments
        with (
            open(problem, encoding="utf-8-sig") as rows,
            open(certificate, encoding="ascii") as lines,
        ):
            print(verify(parse_knuth(rows), lines))
    except Exception as error:  # whatever the files contain
        print(f"not verified: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
