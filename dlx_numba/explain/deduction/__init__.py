"""Find what follows from a problem, step by step, with reasons that people can follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...cover.covers import Cover, as_cover
from ...cover.named_problem import NamedProblem
from ...cover.names import Numbers
from ...kernels.deduce.steps import CHAIN, CONFLICT, MAX_ROUNDS, NO_GRIDS, ONLY, SET, Grids
from ...pictures.document import Svg
from ...puzzles.variants.constraints import Constraints
from ...runtime.arguments import check_integer
from ...runtime.errors import Stopped
from ...runtime.interrupts import Stop
from ...runtime.tables import Table
from ...runtime.text import plural
from ...sudoku.box import Box
from .board_text import describe_on_board
from .joint import JointSearch
from .reason import (
    KINDS,
    PLACEMENT,
    DeductionSource,
    FoundStep,
    Reasoner,
    Rule,
    StepKind,
    join_steps,
    needed_steps,
)
from .relations import Relations
from .text import describe


class Step:
    """A conclusion, and the reason for it.

    Attributes
    ----------
    kind : {"only", "conflict", "set", "chain", "total", "rules", "cases"}
        The rule: an item needs all options that it has left; the options of an item exclude another
        one; items use up others; a choice leads to an item with too few options; with an option,
        digits cannot have a sum; one rule of a variant or two leave no digits for their other
        cells; or a choice leads to an item with too few options with each option of another item.
        Only `dlx_numba.deduce` has the last three, on boards.
    size : int
        The number of items of a set that are to be covered; the length of a chain: how often all
        options that are the only ones of an item are chosen; the number of rules, or of the dead
        ends of cases.
        Otherwise 1.
    chosen : int or None
        The option that is chosen.
    removed : list of int
        The options that are in no cover, or that the choice excludes.

    Notes
    -----
    On a Sudoku board, a step has lists of its ``cells`` and ``digits``: the row and the column,
    from 1, of the digit that it places, or of each candidate that it removes, and this digit. They
    are empty for other problems.
    """

    def __init__(self, source: DeductionSource, found: FoundStep) -> None:
        self._source = source
        self._found = found
        self.kind: StepKind = found.kind
        self.size: int = found.size
        self.chosen: int | None = found.chosen
        self.removed: list[int] = sorted([*found.removed, *found.aside])

    @property
    def items(self) -> list[Hashable]:
        """The reason: the item; the items of a set, and then those that they use up; or those that
        have one option left in a chain, and then the one with too few.
        """
        return list(map(self._source.item_name, self._found.items))

    @cached_property
    def _placements(self) -> list[tuple[tuple[int, int], int]]:
        """The cell and the digit that are chosen, or else those that are removed, on a board."""
        if not self._source.is_board:
            return []
        # A chosen option may be no placement, such as the combination of a cage.
        for options in ([] if self.chosen is None else [self.chosen], self.removed):
            names = [str(self._source.option_name(option)) for option in options]
            placements = [
                map(int, match.groups()) for match in map(PLACEMENT.fullmatch, names) if match
            ]
            if placements:
                break
        return [((row, column), digit) for row, column, digit in placements]

    @property
    def cells(self) -> list[tuple[int, int]]:
        return [cell for cell, _ in self._placements]

    @property
    def digits(self) -> list[int]:
        return [digit for _, digit in self._placements]

    @cached_property
    def name(self) -> str:
        """The name that players of Sudoku use; for other problems, the kind and the size."""
        level_name = self._source.level_name
        size = f" of {self.size}" if self.kind in ("set", "chain") else ""
        if level_name is None:
            return self.kind + size
        name = level_name(self._found)
        # A rule of the variant names the step better than these techniques, if it is known.
        return self._described[0] or name if name in NAMED_BY_RULE else name

    @cached_property
    def _described(self) -> tuple[str, str]:
        """The rule, if it is known, and the reason, on a board."""
        return describe_on_board(self._source, self._found)

    @cached_property
    def text(self) -> str:
        """The step in a sentence or two."""
        if not self._source.is_board:
            return describe(self._source, self._found)
        name = (self.name[0].upper() + self.name[1:]).replace(" of ", " of length ")
        return f"{name}: {self._described[1]}"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Step: {self.name}: {self.text}>"

    @property
    def before(self) -> list[int]:
        """The options that were chosen before the step."""
        return self._source.chosen_before(self._found)

    def svg(self) -> Svg:
        """Draw the problem before the step, with the reason and what the step removes marked.

        Returns
        -------
        Svg
            A string, which notebooks show as a picture.
        """
        from .picture import draw_step  # most steps are not drawn

        return draw_step(self._source, self._found, self.before, self.text)

    def _repr_html_(self) -> str:
        from ...pictures.html import paragraph

        return paragraph(self.text) + self.svg()


class Deduction(list[Step], Table):
    """The steps of a deduction: a list, and a table with a row for each step.

    Attributes
    ----------
    done : bool
        Whether nothing simple is left: the problem is solved or refuted, or no rule applies.
    cover : Cover or None
        The only cover, if the steps find it, and it solves the puzzle.
    refuted : bool
        Whether the steps prove that there is no cover, or no solution of the puzzle.
    end : str
        What is known after the last step, in a sentence.
    chosen : list of int
        The given options, and those that the steps choose.
    """

    done: bool = True
    cover: Cover | None = None
    refuted: bool = False
    end: str = ""
    chosen: Sequence[int] = ()
    source: DeductionSource | None = None

    @property
    def steps(self) -> list[Step]:
        """The steps, which are also the elements of this list."""
        return self

    def _columns(self) -> dict[str, Any]:
        names = "kind", "size", "chosen", "removed", "text"
        return {name: [getattr(step, name) for step in self] for name in names}

    def __str__(self) -> str:
        lines = (f"{k}. {step.text}" for k, step in enumerate(self, 1))
        return "\n".join([*lines, self.end])

    def __repr__(self) -> str:
        n_steps = plural(len(self), "step")
        return f"<Deduction: {n_steps}. {self.end}>"


MAX_COMPARED = 1 << 12  # sets of clues whose levels are kept
NAMED_BY_RULE = (
    "last combination",
    "conflict",
    "total",
    "rules",
)  # techniques of the rules of variants
MAX_OPTIONS = 1500  # of problems whose sets and chains are sought for a page
# See `reason.Rule`: the rule, a size, and classes of items
RULES_OF_HINTS = (ONLY, 1, 1), (CONFLICT, 1, 1), (SET, 2, 0), (CHAIN, 1, 0)
STOPPED = "Stopped before the end."
NO_RULE = "No rule applies to what is left."
TOO_MANY = "What is left has more cases than are examined."
OUTSIDE = "There is no {}: the only choice is not within the limits of the totals."


def rules_of(named: NamedProblem, max_size: int) -> list[Rule]:
    """Return the rules in the order in which they are tried."""
    has_bounds = named.selected.problem.low is not None
    conflict = (CHAIN, 0, 0) if has_bounds else (CONFLICT, 1, 1)
    sets = ((SET, size, 0) for size in range(2, max_size + 1))
    return [(ONLY, 1, 1), conflict, *sets, (CHAIN, MAX_ROUNDS, 0)]


def deduce_cover(named: NamedProblem, max_size: int, stop: Stop) -> Deduction:
    """Deduce what follows from a problem, as `ExactCover.deduce` does."""
    size = check_integer(max_size, "max_size", minimum=1)
    return deduce_steps(named, rules_of(named, size), stop)


def level_comparison(named: NamedProblem, level: str, stop: Stop) -> Callable[[list[int]], int]:
    """Return a function that compares the hardest step with a level if options are given.

    It returns -1 if it is easier, 0 if it is of the level, and 1 if it is harder. A level is the
    kind of a step, or its name. Raises ValueError if there is no such level.
    """
    match = re.fullmatch(r"(only|conflict|set|chain)|(set|chain) of ([1-9]\d*)", str(level))
    if match is None:
        raise ValueError(f"level must be only, conflict, set, chain or, e.g., set of 2: {level!r}")
    kind = KINDS.index(match[1] or match[2])
    size = int(match[3] or 0)
    # How many of the rules, in the order of `rules_of`, are at most as hard as the level: harder
    # ones would only take time. Sets of k items, of up to 4, are rule k + 1; the chain is the last
    # of 6.
    n_rules = {"only": 1, "conflict": 2, "set": min(size or 4, 4) + 1}.get(KINDS[kind], 6)

    @lru_cache(maxsize=MAX_COMPARED)  # a small problem has the same clues again and again
    def compare(given: frozenset[int]) -> int:
        """Return 1 if the hardest step of given options is too hard, -1 if it is too easy."""
        varied = named.vary(Numbers(sorted(given)))
        deduction = deduce_steps(varied, rules_of(varied, 4)[:n_rules], stop)
        if deduction.cover is None:  # the steps up to the level are not enough
            return 1
        # Sizes count only if the level has one.
        steps = [(KINDS.index(step.kind), step.size if size else 0) for step in deduction]
        hardest = max(steps, default=(-1, 0))
        wanted = kind, size
        return (hardest > wanted) - (hardest < wanted)

    return lambda given: compare(frozenset(given))


def next_hint(named: NamedProblem, chosen: Collection[int]) -> str:
    """Return what follows first if options are chosen, in a sentence; "" if no rule applies.

    Pages show it at each node of a search.
    """
    # Large problems have only the first two rules, which are fast.
    n_rules = len(RULES_OF_HINTS) if named.problem.n_options <= MAX_OPTIONS else 2
    deduction = deduce_steps(named.vary(Numbers(chosen)), [*RULES_OF_HINTS[:n_rules]], Stop(), 1)
    if deduction:
        return deduction[0].text
    if deduction.source is not None and (lacking := deduction.source.reasoner.lacking) >= 0:
        lack = deduction.source.lack(lacking)
        return f"{lack[0].upper()}{lack[1:]}: a dead end."
    return "" if deduction.end == NO_RULE else "All items are covered."


def prove(named: NamedProblem, stop: Stop) -> list[str]:
    """Return a proof that there is no cover, as numbered sentences; none if steps do not find one.

    It has the steps on which the last sentence depends.
    """
    try:
        deduction = deduce_steps(named, rules_of(named, 4), stop)
    except ValueError:  # the problem is too large
        return []
    if deduction.source is None or (lacking := deduction.source.reasoner.lacking) < 0:
        return []
    found = [step._found for step in deduction]
    tables = deduction.source.reasoner.tables
    needed = [deduction[k].text for k in needed_steps(found, lacking, tables)]
    return [f"{number}. {text}" for number, text in enumerate([*needed, deduction.end], 1)]


def deduce_steps(
    named: NamedProblem,
    rules: list[Rule],
    stop: Stop,
    limit: int | None = None,
    level_name: Callable[[FoundStep], str] | None = None,
    rename_item: Callable[[Hashable], Hashable] | None = None,
    item_class: NDArray[np.uint8] | None = None,
    grids: Grids = NO_GRIDS,
    variant: tuple[Constraints, Box] | None = None,
    *,
    describes: bool = False,
) -> Deduction:
    """Deduce what follows from a problem, by at most `limit` steps.

    `level_name` and `rename_item` return what players call a step and an item; `item_class` and
    `grids` are those of `Levels`; `variant` has the rules and the box of a board with rules. If
    `describes`, each step is put into words before the next one is sought, so that `stop` also
    limits the time that the sentences take.
    """
    selected = named.selected
    deduction = Deduction()
    try:
        reasoner = Reasoner(selected, rules, stop, item_class, grids)
    except Stopped:
        deduction.done = False
        deduction.end = STOPPED
        return deduction
    relations = None
    if variant is not None:  # built when they are first needed
        relations = partial(Relations, *variant)
        problem = named, reasoner.numbers, reasoner.tables
        reasoner.start_joint = partial(JointSearch, *problem, *variant)
    source = DeductionSource(named, reasoner, rename_item, level_name, relations)
    run = reasoner.run(stop)
    found_steps = run if variant is None else join_steps(source, run)
    steps = (Step(source, found) for found in islice(found_steps, limit))
    # The text, which the step keeps, is never empty: this only finds it, and keeps all steps.
    deduction.extend(step for step in steps if not describes or step.text)
    deduction.done = reasoner.is_done
    chosen = [*selected.given, *reasoner.chosen]
    deduction.chosen = chosen
    deduction.source = source
    noun = "cover" if level_name is None else "solution"
    if reasoner.is_solved:
        deduction.end = f"This is the only {noun}."
        try:
            named.problem.check_covers([sorted(chosen)])
            deduction.cover = as_cover(named, sorted(chosen))
        except ValueError:  # it is not within the limits of the totals
            deduction.refuted = True
            deduction.end = OUTSIDE.format(noun)
    elif reasoner.lacking >= 0:
        deduction.refuted = True
        deduction.end = f"There is no {noun}: {source.lack(reasoner.lacking)}."
    elif reasoner.case_search is not None and reasoner.case_search.is_cut and deduction.done:
        deduction.end = TOO_MANY
    else:
        deduction.end = NO_RULE if deduction.done else STOPPED if stop() else ""
    return deduction
