"""Run the rules on a problem, one step at a time, and find the path of a chain."""

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import filterfalse, product
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cover.named_problem import NamedProblem
from ...cover.names import as_text, label, names_of
from ...jit.compile import prepare_call
from ...kernels.csr import Ranges, row_of, transpose
from ...kernels.deduce import steps
from ...kernels.deduce.remaining import ProblemBitmaps, build_tables, remove_options, undo
from ...kernels.memo.explore import Words
from ...kernels.memo.item_order import set_bits
from ...kernels.memo.option_sets import bits_at, pack_bits
from ...pictures.grid import Grid
from ...runtime.interrupts import Stop
from ...search.prepared import PreparedProblem
from .cases import Case, CaseSearch, DeadEnd, Tracer
from .joint import JointSearch, RuleName
from .relations import Placed, Relation, Relations, place_words, rule_of

MAX_RULES = 3  # in brackets
PLACEMENT = re.compile(r"r(\d+)c(\d+)=(\d+)")  # the name of an option of a board
PLAIN = Grid("")  # of problems without a picture
StepKind = Literal["only", "conflict", "set", "chain", "total", "rules", "cases"]
# By the number of the rule
KINDS: tuple[StepKind, ...] = ("only", "conflict", "set", "set", "chain", "total", "cases")
CASES = len(KINDS) - 1  # the last rule, if it is one
Rule = tuple[int, int, int]  # a rule by its number, a size, and classes of items; see `Levels`


class FoundStep(NamedTuple):
    """A step, with the numbers of items, and those of options in the original problem."""

    level: int  # the position of the rule in the order in which they are tried
    kind: StepKind
    size: int  # see `Step`
    items: list[int]  # the reason
    chosen: int | None
    removed: list[int]
    case: Case | None  # of a chain, or of cases
    before: Words  # the available options before the step
    n_chosen: int  # how many options were chosen before it
    n_needed: int = 1  # how many options the item of a choice has left, all of which it needs
    rules: Sequence[RuleName] = ()  # which exclude options together
    aside: Sequence[int] = ()  # alternatives of rules that are excluded, too: see `join_steps`
    support: Sequence["FoundStep"] = ()  # that excluded alternatives for other reasons than digits


class Reasoner:
    """A deduction in progress. Raises ValueError if the problem is too large.

    Parameters
    ----------
    selected : PreparedProblem
        The problem without its given and forbidden options.
    rules : list of Rule
        The rules, in the order in which they are tried.
    stop : Stop
        Ends the construction of the tables with `Stopped`.
    item_class : (items,) ndarray of uint8, or None
        The class of each item, on which the rules for some classes depend: 0 for the cells of a
        board. Without classes, all items are alike.
    grids : Grids
        The rows and columns in which rules find fish.

    Attributes
    ----------
    numbers : ndarray of int64
        The number of each option in the original problem.
    chosen : list of int
        The options chosen so far.
    lacking : int
        An item that has too few options left, or -1.
    is_done : bool
        Whether no step is left.
    """

    def __init__(
        self,
        selected: PreparedProblem,
        rules: list[Rule],
        stop: Stop,
        item_class: NDArray[np.uint8] | None,
        grids: steps.Grids,
    ) -> None:
        cells = None if item_class is None else np.flatnonzero(item_class == 0)  # class 0: cells
        # The deduction leaves out options without primary items, so it numbers them anew.
        self.tables, self.remaining, numbers = build_tables(selected.problem, stop, cells)
        self.numbers = selected.numbers[numbers]
        shape = selected.problem.n_items, len(self.remaining.available)
        # The kernel has no rule for cases: `run` seeks them when the other rules find nothing.
        simple_rules = [rule for rule in rules if rule[0] != CASES]
        self.levels = steps.as_levels(simple_rules, shape, item_class, grids)
        self.case_search: CaseSearch | None = None
        if len(simple_rules) < len(rules):
            self.case_search = CaseSearch(self.tables, self.remaining)
        # What joins the rules of a variant, if there are any: `deduce_steps` sets it.
        self.start_joint: Callable[[], JointSearch] | None = None
        self.chosen: list[int] = []
        short = np.flatnonzero(self.remaining.slack < 0)
        self.lacking = int(short[0]) if len(short) else -1
        self.is_done = False

    def options(self, words: Words) -> list[int]:
        """Return the numbers of options in the original problem, in which they ascend."""
        return self.numbers[set_bits(words)].tolist()

    @property
    def is_solved(self) -> bool:
        """Whether the chosen options are the only cover."""
        is_covered = self.lacking < 0 and bool(np.all(self.remaining.need <= 0))
        return is_covered and not self.remaining.available.any()

    def run(self, stop: Stop) -> Iterator[FoundStep]:
        """Yield the steps, until there are no more, or `stop` ends the iteration."""
        progress = self.levels.progress
        self.is_done = self.lacking >= 0
        given = True, self.levels, self.tables, self.remaining  # True: one step only
        # With machine code, the arguments of all calls are packed once.
        find_step = prepare_call(steps.find_step, *given) or partial(steps.find_step, *given)
        while not self.is_done and not stop():
            before = self.remaining.available.copy()
            status = find_step()  # of the rules of the kernel
            found = None
            if status == steps.FOUND:
                self.lacking = int(progress[steps.LACKING])
                found = self._describe(before)
            elif status == steps.NOTHING and self.case_search is not None:
                found = self._find_joint(before, stop)
                if found is None:
                    found = self._find_cases(self.case_search, before, stop)
                if found is None and stop():  # the searches have ended early, so there may be one
                    return
            if found is not None:
                progress[steps.LEVEL] = 0
                self.is_done = self.lacking >= 0 or self.is_solved
                yield found
            else:
                self.is_done = status == steps.NOTHING

    @cached_property
    def _joint(self) -> JointSearch | None:
        return None if self.start_joint is None else self.start_joint()

    def _find_joint(self, before: Words, stop: Stop) -> FoundStep | None:
        """Remove what one rule of a variant, or two together, exclude; return this step, if any."""
        joint = None if self._joint is None else self._joint.find(self.remaining, stop)
        if joint is None:
            return None
        rules, items, excluded = joint
        for option in excluded:
            self.lacking = max(self.lacking, self._remove(option))  # an item, if any: -1 is none
        removed = self.numbers[excluded].tolist()
        level = len(self.levels.rules)  # after the rules of the kernel
        n_chosen = len(self.chosen)
        return FoundStep(
            level, "rules", len(rules), items, None, removed, None, before, n_chosen, rules=rules
        )

    def _find_cases(self, search: CaseSearch, before: Words, stop: Stop) -> FoundStep | None:
        """Remove an option that leads to dead ends in all cases, and return this step, if any."""
        dead_end = search.find(stop)
        if dead_end is None:
            return None
        case = self._tracer.trace(dead_end)
        self.lacking = self._remove(dead_end.option)
        items = [*dict.fromkeys(case.all_items())]
        level = len(self.levels.rules)
        return FoundStep(
            level,
            KINDS[CASES],
            dead_end.n_ends,
            items,
            None,
            [case.option],
            case,
            before,
            len(self.chosen),
        )

    @cached_property
    def _tracer(self) -> Tracer:
        return Tracer(self.tables, self.remaining, self.numbers.tolist())

    def _remove(self, option: int) -> int:
        """Remove an option, and return an item that then lacks options, or -1."""
        word, bit = divmod(option, 64)  # its place in the bitmap of options
        bits = np.uint64(1) << np.uint64(bit)
        _, _, lacking = remove_options(bits, np.uint64(word), self.tables, self.remaining, 0, 0)
        return int(lacking)

    def _describe(self, before: Words) -> FoundStep:
        """Return the step that was taken, as the kernel has described it in `levels`.

        `before` has the options that were available. A chosen one is added to `chosen`.
        """
        progress = self.levels.progress
        level = int(progress[steps.LEVEL])
        rule, size, _ = self.levels.rules[level].tolist()
        items = self.levels.reason[: progress[steps.N_REASON]].tolist()
        removed = before & ~self.remaining.available
        if not removed.any():
            raise RuntimeError(f"a step of level {level} with items {items} changes nothing")
        gone = self.options(removed)
        chosen = None
        case = None
        n_chosen = len(self.chosen)
        n_needed = 1
        if rule == steps.ONLY:
            # All options that the item had left, as it needed all of them
            n_needed = int(np.bitwise_count(self.tables.containing[items[0]] & before).sum())
            [chosen] = self.options(self.levels.marked)
            gone.remove(chosen)
            self.chosen.append(chosen)
        elif rule == steps.CHAIN:
            size = int(progress[steps.N_ROUNDS])
            # The kernel has removed one option, the only entry of the trail. It is put back while
            # the chain that refutes it is followed again.
            option = set_bits(removed)[0]
            undo(np.int64(0), np.int64(1), self.tables, self.remaining)
            case = self._tracer.trace(DeadEnd(option, -1, []), size)
            self._remove(option)
            items = [*dict.fromkeys(case.all_items())]
        # A chain without rounds is a conflict: its option itself leaves an item too few options.
        kind = KINDS[rule] if size or rule != steps.CHAIN else KINDS[steps.CONFLICT]
        return FoundStep(
            level, kind, max(1, size), items, chosen, gone, case, before, n_chosen, n_needed
        )


def join_steps(source: "DeductionSource", found: Iterable[FoundStep]) -> Iterator[FoundStep]:
    """Yield the steps that place or exclude digits on a board.

    Players do not write down the alternatives of a rule, such as the sets of a cage. Steps that
    exclude only these become parts of the next one.
    """
    removed_by: dict[int, FoundStep] = {}  # alternatives
    aside: list[int] = []
    for step in found:
        placements = [*filter(source.is_placement, step.removed)]
        alternatives = [*filterfalse(source.is_placement, step.removed)]
        aside += alternatives
        if placements or (step.chosen is not None and source.is_placement(step.chosen)):
            support = [removed_by[option] for option in source.unexplained(step, removed_by)]
            yield step._replace(removed=placements, aside=aside, support=support)
            aside = []
        removed_by |= dict.fromkeys(alternatives, step)


def needed_steps(found: list[FoundStep], lacking: int, tables: ProblemBitmaps) -> list[int]:
    """Return the positions of the steps because of which an item lacks options.

    The last step is needed, and each step that removes an option of this item, or of an item in the
    reason of a later step that is needed.
    """
    needed: list[int] = []
    options = tables.containing[lacking].copy()  # of all these items
    after = np.zeros_like(options)  # what is available after the step
    for k, step in reversed([*enumerate(found)]):
        removes_some = np.any(step.before & ~after & options)
        if removes_some or k == len(found) - 1:
            needed.append(k)
            options |= np.bitwise_or.reduce(tables.containing[step.items])
        after = step.before
    return needed[::-1]


@dataclass(frozen=True, eq=False)
class DeductionSource:
    """The problem of a deduction, and the names of what it deduces.

    Parameters
    ----------
    named
        The problem with its names.
    reasoner
        What is deduced so far.
    rename_item
        Returns what players call an item, or None.
    level_name
        Returns what players call a level of the rules, or "".
    relations
        Returns the relations of the rules of a board, or None.
    """

    named: NamedProblem
    reasoner: Reasoner
    rename_item: Callable[[Hashable], Hashable] | None = None
    level_name: Callable[[FoundStep], str] | None = None
    relations: Callable[[], Relations] | None = None
    # Sentences repeat them
    _known_words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def is_placement(self, option: int) -> bool:
        """Return whether an option of a board places a digit, and is no alternative of a rule."""
        return PLACEMENT.fullmatch(str(self.option_name(option))) is not None

    def unexplained(self, step: FoundStep, removed: Collection[int]) -> list[int]:
        """Return the alternatives removed before a step that the digits left do not exclude.

        They are those of its first item.
        """
        tables = self.reasoner.tables
        item = step.items[0]
        if item >= len(self.named.items_left):  # a total
            return []
        options = [k for k in self.reasoner.options(tables.containing[item]) if k in removed]
        chosen = np.isin(self.reasoner.numbers, self.reasoner.chosen[: step.n_chosen])
        [placed] = pack_bits(chosen[np.newaxis])
        left = tables.containing[self._cells] & (step.before | placed)  # (cells, words)
        left = left[left.any(axis=1)]  # without those that have no digit left
        rows = np.searchsorted(self.reasoner.numbers, options)
        fits = (tables.compatible[rows][:, np.newaxis] & left).any(axis=2).all(axis=1)
        return np.array(options, np.int64)[fits].tolist()

    @cached_property
    def _cells(self) -> list[int]:
        """The items of cells."""
        names: Sequence[Any] = self.named.items_left
        return [item for item, name in enumerate(names) if name[0] == "cell"]

    @property
    def is_board(self) -> bool:
        """Whether it is a board, with the words of players."""
        return self.level_name is not None

    def item_name(self, item: int) -> Hashable:
        """Return the name of an item of the deduction, or of a total."""
        names = self.named.items_left
        of_total = item - len(names)
        name = names[item] if of_total < 0 else self.named.names.totals[of_total]
        return name if self.rename_item is None else self.rename_item(name)

    def item_words(self, item: int) -> str:
        """Return what a sentence calls an item of the deduction."""
        return self._words(self.item_name(item))[0]

    def option_words(self, option: int) -> str:
        """Return what a sentence calls an option."""
        return self._words(self.option_name(option))[0]

    def _words(self, name: Hashable) -> tuple[str, ...]:
        """Return what a sentence calls an item or an option, and then the rule of an item.

        There is no second element if the picture knows no rule.
        """
        text = as_text(name)
        if (words := self._known_words.get(text)) is None:
            words = (self.named.drawing or PLAIN).words_for(text)
            if not words and self._relations and text in self._relations.words:
                words = (self._relations.words[text],)
            if self.named.names.table is not None:
                words = (self.named.in_words(label(name)),)
            self._known_words[text] = words
        return words or (label(name),)

    def lack(self, item: int, verb: str = "is") -> str:
        """Return a clause that says that an item cannot be covered, or a total has no such sum."""
        if item >= len(self.named.items_left):
            return self.clause(str(self.item_name(item))).replace(" sum to ", " cannot sum to ")
        missing = "nothing" if self.named.problem.low is None else "too little"
        return f"{missing} {verb} left for {self.item_words(item)}"

    def clause(self, choice: str) -> str:
        """Return what a rule of a board says about a choice, or ""."""
        return self._relations.clauses.get(choice, "") if self._relations else ""

    def last_of(self, item: int) -> str:
        """Return what a sentence calls the room that an item has left for a single option."""
        name = self.item_words(item)
        number = self._original_number(item)
        return f"the last of {name}" if self._item_high[number] > 1 else name

    def chosen_before(self, step: FoundStep) -> list[int]:
        """Return the options that were chosen before a step."""
        return [*self.named.selected.given, *self.reasoner.chosen[: step.n_chosen]]

    def broken_rules(self, before: list[int], options: list[int], others: list[int]) -> str:
        """Return the rules by which options exclude others, as far as words express them.

        The options in `before` are chosen already. Returns "" if there are more than MAX_RULES.
        """
        rules: dict[str, None] = {}
        own = [(option, self._entries(option)) for option in options]
        for (option, colors), other_colors in product(own, [*map(self._entries, others)]):
            for item in (k for k in other_colors if k in colors):
                _, *rule = self._words(self.named.names.items[item])  # the words, and its rule
                # Two options can share an item if both give it the same color, but 0 is none.
                is_excluded = not other_colors[item] or other_colors[item] != colors[item]
                if rule and is_excluded and self._is_full(item, before, option):
                    rules[rule[0]] = None
        return ", ".join(rules) if len(rules) <= MAX_RULES else ""

    def relation(self, option: int, other: int) -> Relation | None:
        """Return the rule by which a placement excludes another one, or else the unit."""
        placed = self._placed(option)
        other_placed = self._placed(other)
        by_rule = None
        if placed and other_placed and self._relations:
            by_rule = self._relations.find(placed, other_placed)
        if by_rule is not None:
            return by_rule
        by_unit = None
        # The items that both options contain:
        for item in filter(self._entries(other).__contains__, self._entries(option)):
            name: Any = self.named.names.items[item]  # such as ("cell", 1, 2) or ("row3", 5)
            if name[0] == "cell":
                return Relation("", "is {} itself")
            if name[0] != "conflict" and len(name) == 2:
                # The words of the item are a digit in a unit.
                *_, unit_name = str((self.rename_item or str)(name)).partition(" in ")
                unit = Relation(rule_of(unit_name), f"is in {place_words(unit_name)} with {{}}")
                if not (placed and other_placed and self._relations):
                    return unit
                cell, _ = placed
                other_cell, _ = other_placed
                by_unit = self._relations.share(cell, other_cell, name[0])
                if by_unit == unit:  # which has both cells, and not only their clones
                    break
        return by_unit

    @cached_property
    def _relations(self) -> Relations | None:
        return None if self.relations is None else self.relations()

    def _placed(self, option: int) -> Placed | None:
        """Return the cell and the value of an option, from 0; None if it is no placement."""
        match = PLACEMENT.fullmatch(str(self.option_name(option)))
        if match is None or self._relations is None:
            return None
        row, column, value = map(int, match.groups())
        return self._relations.n * (row - 1) + column - 1, value - 1

    def _is_full(self, item: int, before: list[int], option: int) -> bool:
        """Return whether an item of the original problem has no room for a further option.

        `option`, which contains it, is then chosen, and those in `before`.
        """
        high = self._item_high[item]
        return high == 1 or sum(item in self._entries(k) for k in {*before, option}) >= high

    def _entries(self, number: int) -> dict[int, int]:
        """Return the items of an option of the original problem, and their colors."""
        return dict(self.named.problem.entries(number))

    def _original_number(self, item: int) -> int:
        """Return the number of an item in the original problem."""
        return self.named.names.item_numbers[self.named.items_left[item]]

    @cached_property
    def _item_high(self) -> list[int]:
        """The upper bound of each item in the original problem."""
        return [high for _, high in self.named.problem.item_bounds]

    @cached_property
    def _options_of(self) -> Ranges:
        """The options of each item in the original problem, and where those of each begin."""
        problem = self.named.problem
        return transpose(problem.indptr.astype(np.int64), problem.items, problem.n_items)

    def original_options(self, item: int) -> list[int]:
        """Return the options that contain an item in the original problem, by number."""
        number = self._original_number(item)
        options, start = self._options_of
        return row_of(options, start, number).tolist()

    def options_of(self, item: int, step: FoundStep) -> list[int]:
        """Return the options that an item has left before a step."""
        return self.reasoner.options(self.reasoner.tables.containing[item] & step.before)

    def shared_items(self, step: FoundStep) -> list[int]:
        """Return the items in all options left for the first item and in all that the step removes.

        Items with colors are left out.
        """
        containing = self.reasoner.tables.containing[: len(self.named.items_left)]
        options = [*self.options_of(step.items[0], step), *step.removed]
        # (items, options) whether the item is in the option
        is_in = bits_at(containing, np.searchsorted(self.reasoner.numbers, options))
        is_shared = is_in.all(axis=1) & ~self.named.selected.problem.is_colored
        return np.flatnonzero(is_shared).tolist()

    def option_name(self, option: int) -> Hashable:
        """Return the name of an option."""
        [name] = names_of(self.named.problem, self.named.names, [option])
        return name
