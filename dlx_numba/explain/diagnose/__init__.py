"""Explain why a problem has no cover, by reasons that can be checked without this package."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Literal

import numpy as np

from ...cover.named_problem import NamedProblem
from ...cover.names import MAX_LISTED, Name, Numbers, label, listing, names_of, option_numbers
from ...cover.prepare import Settings
from ...kernels.problem import Problem, select_items
from ...pictures.document import Svg
from ...runtime.arguments import UNLIMITED
from ...runtime.interrupts import Stop
from ..deduction import prove
from ..deduction.text import join
from .coloring import Proof, color_items, count_items, draw_values, weigh_items
from .conflict import Condition, Conflict, find_conflict, limit_totals, search_cover
from .shortages import find_clash, find_shortages

Kind = Literal["statement", "coloring", "conflict", "condition", "unknown", "solvable"]

FIRST_UPDATES = 1 << 20  # of a first search: if it finds a cover, no proof is needed
MAX_REASONS = 10
MAX_FURTHER = 1 << 22  # updates of a search for another reason


@dataclass(frozen=True)
class Diagnosis:
    """Why a problem has no cover, or a puzzle no solution.

    `ExactCover.diagnose` and `diagnose_sudoku` create it.

    Attributes
    ----------
    kind : {"statement", "coloring", "conflict", "condition", "unknown", "solvable"}
        The kind of the reason: items are in too few options; numbers of the items, a coloring or
        weights, prove that there is no cover; items exclude each other; or, for a puzzle, all
        covers violate a condition that is not about items. "unknown" means that the call was
        stopped before it was known whether there is a cover, and "solvable" that there is one.
    items : list of hashable
        The items to blame: those in too few options, those with a number other than 0, or those in
        conflict.
    text : str
        The reason in sentences. The first line has the result.
    values : dict or None
        The numbers of the items if the kind is "coloring"; items that are missing have 0.
    modulus : int or None
        The modulus of a coloring, at least 2. It divides the sum of the numbers of each option, but
        not the sum of all items that must be covered. If the numbers of each option sum to 0, it is
        the smallest prime power that does not divide the sum of the items. None for weights, which
        prove by their signs that there is no cover: those of each option sum to at least 0, those
        of the items that a cover contains to less than 0.
    conditions : list of (str, hashable)
        If the kind is "conflict", conditions for which the items cannot all be covered, as pairs of
        "given", "forbidden" or "multiplicity", and the option or item; or pairs of "total" and the
        name of a total. For a puzzle, the given, such as "r1c4=7", or "rule" and a `SudokuRules`
        with one rule.
    helpful : list of (str, hashable)
        Those of `conditions` whose removal alone is enough for a cover.
    is_minimal : bool
        Whether a conflict needs all of its items and conditions. False if that was not proven,
        because the call was stopped or, except for a puzzle, a search took too long.
    others : list of Diagnosis
        Other reasons, from small to large, which have no items in common with this one and each
        other: there is no cover until all of them are remedied. `text` has theirs, too.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> diagnosis = ExactCover([["a", "b"], ["b", "c"], ["c", "a"]]).diagnose()
    >>> diagnosis.kind, diagnosis.values, diagnosis.modulus
    ('coloring', {'a': 1, 'b': 1, 'c': 1}, 2)
    """

    kind: Kind
    items: list[Name]
    text: str
    values: dict[Name, int] | None = None
    modulus: int | None = None
    conditions: list[Condition] = field(default_factory=list)
    helpful: list[Condition] = field(default_factory=list)
    is_minimal: bool = True
    others: list[Diagnosis] = field(default_factory=list)
    _named: NamedProblem | None = field(default=None, repr=False, compare=False)
    _draw: Callable[[], Svg] | None = field(default=None, repr=False, compare=False)

    @property
    def first_line(self) -> str:
        """The first line of the text."""
        return self.text.partition("\n")[0]

    def __str__(self) -> str:
        return self.text

    def svg(self) -> Svg | None:
        """Draw a board in the colors of a coloring, or with the items or givens to blame.

        Returns
        -------
        Picture or None
            An SVG document; None if the items are not named like the cells of a board, or if no
            items are to blame.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cells = [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2)]
        >>> dominoes = [[(r, c), (r + a, c + 1 - a)] for r, c in cells for a in (0, 1)]
        >>> cover = ExactCover([pair for pair in dominoes if set(pair) <= set(cells)])
        >>> cover.diagnose().svg()  # doctest: +ELLIPSIS
        <Svg: ... characters of SVG>
        """
        if self._draw is not None:
            return self._draw()
        if self._named is None or not self.items:
            return None
        values: Mapping[Name, int] = self.values or dict.fromkeys(self.items, 1)
        return draw_values(self._named, self.first_line, values)

    def _repr_html_(self) -> str:
        from ...pictures.html import paragraph

        return "".join(map(paragraph, self.text.split("\n"))) + (self.svg() or "")


def diagnose_cover(named: NamedProblem, stop: Stop) -> Diagnosis:
    """Explain why a problem has no cover, as `ExactCover.diagnose` does."""
    steps = [""]
    with named.showing(lambda: (None, steps[-1])):
        return find_diagnosis(named, stop, steps.append)


def find_diagnosis(named: NamedProblem, stop: Stop, report: Callable[[str], None]) -> Diagnosis:
    """Explain why a problem has no cover, and report each step by a line of text.

    When a reason is found, the requirements of its items are dropped, until no reason is left.
    """
    reasons: list[Diagnosis] = []
    rest = named  # without the items, or the totals, to blame for the reasons so far
    last = ""  # why no further reason is sought: "solvable" or "unknown"
    while not last and len(reasons) < MAX_REASONS:
        # Further reasons get less work; only conditions that help against the first one can help.
        limits = (MAX_FURTHER, reasons[0].helpful) if reasons else (UNLIMITED, None)
        diagnosis = _find_one(rest, stop, report, *limits)
        if diagnosis.kind in ("solvable", "unknown"):
            if not reasons:
                return diagnosis
            last = diagnosis.kind
        else:
            reasons.append(replace(diagnosis, text=as_sentences(named, diagnosis.text)))
            if diagnosis.items:
                rest = without(rest, diagnosis.items)
            else:
                rest = without_totals(rest, {name for _, name in diagnosis.conditions})
    # An item without options comes first, then few items rather than many.
    reasons.sort(key=lambda reason: (reason.kind != "statement", len(reason.items)))
    return combine(reasons, is_complete=last == "solvable")


def as_sentences(named: NamedProblem, text: str) -> str:
    """Return sentences, one a line, in the words of the problem's own picture, if any."""
    begin = re.compile("^[a-z](?=[a-z]* )", re.MULTILINE)  # of a word, unlike that of r1c1
    return begin.sub(lambda match: match[0].upper(), named.in_words(text))


def combine(reasons: list[Diagnosis], is_complete: bool) -> Diagnosis:
    """Return the first of several independent reasons with the texts of all."""
    first, *others = reasons
    lines = [first.text]
    for k, other in enumerate(others, 2):
        lines += [f"Reason {k} of {len(reasons)}, independent of the others:", other.text]
    if not is_complete:
        lines.append("There may be other reasons: the search for them was stopped.")
    return replace(first, text="\n".join(lines), others=others)


def _find_one(
    named: NamedProblem,
    stop: Stop,
    report: Callable[[str], None],
    max_updates: int,
    among: list[Condition] | None,
) -> Diagnosis:
    """Return a reason why a problem has no cover, if there is one.

    A short search for a cover comes first. If it finds none, reasons are sought that take no
    search. If it was not complete, it is repeated with up to `max_updates`. Without a cover, the
    reason is a conflict, for which `among` is that of `find_conflict`. If there are totals, all
    this is about the problem without them first; if it has a cover, only a conflict of totals
    remains.
    """
    problem = named.selected.problem
    first_updates = min(FIRST_UPDATES, max_updates)
    if has_totals := problem.total_low is not None:
        diagnosis = _find_one(without_totals(named), stop, report, max_updates, among)
        if diagnosis.kind != "solvable":
            return diagnosis
        first_updates = max_updates  # the only search
    report("search for a cover" + (" within the limits of the totals" if has_totals else ""))
    existence = search_cover(problem, stop, first_updates)
    if not (existence.has_cover or has_totals):
        report("search for a coloring")
        work = math.inf if max_updates == UNLIMITED else max_updates
        if (reason := find_reason(named, stop, work)) is not None:
            return reason
        # With multiplicities, the search for a conflict can take long where a count suffices.
        weigh = count_items if existence.has_cover is False else weigh_items
        is_needed = existence.has_cover is None or problem.low is not None
        if is_needed and (reason := _colored(named, weigh(named, stop, work))) is not None:
            return reason
    if existence.has_cover is None and not has_totals:
        report("search for a cover")
        existence = search_cover(problem, stop, max_updates)
    if existence.has_cover is not False:
        return _phrase(named, existence.has_cover, stop)
    return _phrase(named, find_conflict(named, existence.updates, stop, report, among), stop)


def without_totals(named: NamedProblem, dropped: Collection[Name] | None = None) -> NamedProblem:
    """Return the problem without limits of some of its totals, or without any totals."""
    problem = named.problem
    names = named.names
    if dropped is None:
        plain = Problem(*problem[:8])  # the fields before those of totals
        return replace(named, problem=plain, names=names._replace(totals=()))
    is_kept = np.array([name not in dropped for name in names.totals], np.bool_)
    return replace(named, problem=limit_totals(problem, is_kept))


def without(named: NamedProblem, items: Iterable[Name]) -> NamedProblem:
    """Return a problem without some items, and without totals, of which they may be a part."""
    dropped = set(items)
    names = named.names
    kept = [k for k, item in enumerate(names.items) if item not in dropped]
    problem = select_items(named.problem, np.array(kept, np.int64))
    given = Numbers(k for k in named.selected.given if problem.has_primary[k])
    forbidden = Numbers(named.forbidden)
    settings = Settings(given=given, forbidden=forbidden)
    names = names._replace(items=[names.items[k] for k in kept])
    return without_totals(NamedProblem(problem, names, settings, named.view))


def _phrase(named: NamedProblem, conflict: Conflict | bool | None, stop: Stop) -> Diagnosis:
    """Return a diagnosis: a conflict with a proof, if one is found; or whether there is a cover.

    A proof is easier to check than the claim that the items exclude each other: by counting them,
    by counting in the whole problem, or by a few steps.
    """
    if conflict is None:
        text = "It is not known whether there is a cover: the call was stopped before the end."
        return Diagnosis("unknown", [], text, is_minimal=False)
    if not isinstance(conflict, Conflict):
        return Diagnosis("solvable", [], "The problem has a cover.")
    text = _describe(conflict, named)
    first, *rest = text.split("\n")
    count = None
    steps: list[str] = []
    if conflict.items:
        blamed = {*conflict.items}
        relaxed = without(named, [item for item in named.names.items if item not in blamed])
        count = count_items(relaxed, stop)
        steps = [] if count is not None else prove(relaxed, stop)
    if count is not None:
        _, sentences, _ = count
        # The sentences of a count list the items, too.
        rest = [line for line in rest if not line.startswith("The items: ")]
        text = "\n".join([sentences, *rest])
    elif not conflict.conditions and (counted := _colored(named, count_items(named, stop))):
        return counted
    elif 1 < len(steps) <= len(conflict.items) + len(conflict.conditions):
        text = "\n".join([first, *steps, *rest])
    return Diagnosis("conflict", text=text, _named=named, **conflict._asdict())


def find_reason(
    named: NamedProblem, stop: Stop, max_work: float = math.inf, max_items: int | None = None
) -> Diagnosis | None:
    """Return a reason why there is no cover, found without a search, or None.

    `max_work` limits the work for a coloring, as in `find_coloring`, and `max_items` the number of
    items that too few options contain.
    """
    items, text = find_shortages(named, max_items)
    if items:
        return Diagnosis("statement", items, text, _named=named)
    items, text = find_clash(named)
    if items:
        return Diagnosis("conflict", items, text, _named=named)
    return _colored(named, color_items(named, stop, max_work))


def _colored(named: NamedProblem, proof: Proof | None) -> Diagnosis | None:
    """Return the diagnosis of a proof by numbers, if there is one."""
    if proof is None:
        return None
    values, text, modulus = proof
    return Diagnosis("coloring", list(values), text, values, modulus, _named=named)


def _describe(conflict: Conflict, named: NamedProblem) -> str:
    """Return a conflict in sentences."""
    items, conditions, helpful, is_minimal = conflict
    if not items:
        names = [name for _, name in conditions]
        noun = "total" if len(names) == 1 else "totals"
        return f"No cover is within the limits of the {noun} {listing(names)}."
    lines = [f"{join(map(label, items))} cannot all be covered, even if the others need not be."]
    if len(items) == 1:
        lines = [f"{label(items[0])} cannot be covered, even if the others need not be."]
    elif len(items) > MAX_LISTED:
        less = f", although any {len(items) - 1:,} of them can" if is_minimal else ""
        lines = [f"There is no short reason: {len(items):,} items cannot all be covered{less}."]
        lines.append(f"The items: {listing(items)}.")
    if not is_minimal:
        lines.append("Fewer items or conditions may suffice: the search for them was stopped.")
    if conditions:
        lines.append(f"To blame: {_list_conditions(conditions, named)}.")
    if helpful:
        which = "this condition" if len(helpful) == 1 else "any one of these conditions"
        lines.append(f"There is a cover without {which}: {_list_conditions(helpful, named)}.")
    return "\n".join(lines)


def _list_conditions(conditions: Iterable[Condition], named: NamedProblem) -> str:
    """Return conditions in words, separated by commas."""

    def describe(kind: str, name: Name) -> str:
        if kind == "multiplicity":
            return f"multiplicity of {label(name)}"
        names = named.problem, named.names
        return f"{kind} option {label(names_of(*names, option_numbers([name], *names))[0])}"

    return ", ".join(starmap(describe, conditions))
