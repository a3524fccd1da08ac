"""The input of `cover`: a problem in a file, and the options of the command that prepare it."""

import csv
import re
from collections.abc import Hashable
from itertools import chain
from typing import Any

from ..cover.exact_cover import ExactCover
from ..cover.io.named import as_text
from ..cover.io.read import AnyProblem
from ..cover.prepare import CHOICES, OptionSelectionError
from ..kernels.algorithms import Algorithm
from ..kernels.problem import Problem
from ..runtime.text import plural
from .detect import read_cover
from .inputs import readable_input, source_name
from .terminal import compile_notice, fail, report


def read_cover_problem(
    file: str,
    *,
    max_bytes: int,
    choose: str,
    algorithm: Algorithm,
    seed: int | None,
    presolve: bool,
    given: str,
    forbidden: str,
    start: int,
) -> ExactCover:
    """Return the problem in a file, and report its size. Fails if it is not a valid problem.

    Parameters
    ----------
    file, max_bytes
        The file, and the maximum size of its content.
    choose
        A key of `CHOICES`, or a list of items separated by commas.
    algorithm, seed, presolve
        The parameters of `ExactCover`.
    given, forbidden
        Lists of options, by number or name, separated by commas.
    start
        The number of the first option in `given`, `forbidden` and messages.
    """
    with readable_input():
        content = read_cover(file, max_bytes)
    source = source_name(file)
    try:
        with compile_notice():
            rule: Any = choose
            if choose not in CHOICES:  # item names; the items of a matrix are numbers
                items = {str(item): item for item in ExactCover.of(content).items}
                rule = [items.get(name, name) for name in choose.split(",") if name]
            problem = ExactCover.of(
                content,
                choose=rule,
                algorithm=algorithm,
                seed=seed,
                presolve=presolve,
                given=_parse_options("--given", given, content, start),
                forbidden=_parse_options("--forbid", forbidden, content, start),
            )
    except OptionSelectionError as error:
        raise fail(f"{source}: {error.describe(start)}") from None
    except ValueError as error:
        raise fail(f"{source}: {error}") from None
    report(f"({problem.summary()} successfully read)")
    if problem.presolved is not None:
        options, forced, items_removed = problem.presolved
        removed = f"{plural(len(options), 'option')} and {plural(len(items_removed), 'item')}"
        report(f"(presolved: {removed} removed, {plural(len(forced), 'option')} forced)")
    return problem


def _parse_options(option: str, text: str, content: AnyProblem, start: int) -> list[Hashable]:
    """Return the options in a list separated by commas: numbers from 0, and names.

    Fails if a number, counted from `start`, is also the name of another option.
    """
    option_names = None if isinstance(content, Problem) else content.option_names
    number_of = {as_text(name): k for k, name in enumerate(option_names or ()) if name != k}
    selected: list[Hashable] = []
    lines = csv.reader(text.splitlines(), skipinitialspace=True)
    for word in filter(None, map(str.strip, chain.from_iterable(lines))):
        if re.fullmatch(r"-?[0-9]+", word) is None:
            selected.append(word)
            continue
        number = int(word) - start
        if number_of.get(word, number) != number:
            raise fail(
                f"{option}: {word} is the number of an option and the name of another one; "
                "rename the options, or use --one-based if the names count from 1"
            )
        selected.append(number)
    return selected
