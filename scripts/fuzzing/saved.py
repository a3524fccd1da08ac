"""Campaigns for saved searches and diagrams whose content was changed: an error, or a result."""

import io
import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dlx_numba import CheckpointError, CoverDiagram, ExactCover, Search
from dlx_numba.search.thread_runner import Workers
from tests.helpers.problems import stated_problem

from .checks import check
from .covers import thread_pool
from .problems import RULES

N_SEEDS = 300  # of the problems whose files are changed
N_CHANGED = 20  # files in a case
MAX_RESULTS = 1000  # covers of a changed diagram that are listed
NUMBERS = [0, 1, 2, 3, -1, -2, 255, 2**16, 2**30, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**62]
VALUES = [*NUMBERS, 2**63, 2**200, 0.5, -1e300, True, None, "", "links", "random", [], [0], {}]


def load_changed_searches(rng: random.Random, folder: Path) -> None:
    """Change the content of checkpoints: loading fails, or the search ends with covers only."""
    path = folder / "search"
    saved_search(rng).save(path)
    content = path.read_bytes()
    for _ in range(N_CHANGED):
        path.write_bytes(change_archive(content, rng))
        try:
            search = Search.load(path)
        except CheckpointError:
            continue
        finish(rng, search)


def saved_search(rng: random.Random) -> Search:
    """Return a search that was interrupted, and possibly split."""
    cover, algorithm = problem(rng.randrange(N_SEEDS)), rng.choice(["links", "bitset"])
    spec = replace(cover.search()._spec, algorithm=algorithm)
    workers = Workers(1, thread_pool() if rng.random() < 0.3 else None)
    search = Search(spec, workers=workers)
    search.push_back(search.run(updates=rng.randint(0, 60), solutions=rng.choice([None, 1])))
    if rng.random() < 0.4:
        [search, *_] = search.split(rng.randint(1, 3)) or [search]
    return search


@cache
def problem(seed: int) -> ExactCover:
    rule = RULES[seed % 4]
    return stated_problem(seed, rule, has_bounds=seed % 8 < 4)[0]


def finish(rng: random.Random, search: Search) -> None:
    """Resume a search, in several ways, and check its covers."""
    spec: Any = search._spec
    limit = rng.choice([None, 2])
    found = search.run(solutions=limit)
    if rng.random() < 0.5:
        found += [solution for part in search.split(3) for solution in part]
    check(0 <= search.progress.fraction <= 1, f"fraction {search.progress.fraction}")
    found += search.run()
    spec.check(found)


def load_changed_diagrams(rng: random.Random, folder: Path) -> None:
    """Change the content of diagrams: loading fails, or all results are valid."""
    path = folder / "diagram"
    cover = stated_problem(rng.randrange(N_SEEDS), "smallest", has_bounds=False)[0]
    cover.diagram(order=rng.choice(["smallest", "given", "bandwidth"])).save(path)
    content = path.read_bytes()
    for _ in range(N_CHANGED):
        path.write_bytes(change_archive(content, rng))
        try:
            diagram = CoverDiagram.load(path)
        except ValueError:
            continue
        numbers = range(diagram.n_options)
        total = diagram.count()
        check(total >= 0 and sum(diagram.frequencies()) >= 0, "negative numbers")
        results = [cover for cover, _ in zip(diagram, range(MAX_RESULTS), strict=False)]
        results += diagram.sample(3, 0) if total else []
        if not diagram._facts.lacks_penalties:  # a changed header may say so, which is an error
            results += diagram.cheapest(3)
        results += list(diagram.condition([], list(numbers[:1])))[:MAX_RESULTS]
        check(all(k in numbers for cover in results for k in cover), "options that do not exist")
        if diagram.order != "smallest" and diagram._facts.levels is not None:
            diagram.to_zdd()


def change_archive(content: bytes, rng: random.Random) -> bytes:
    """Return an `.npz` file with changed arrays, or values of its header."""
    with np.load(io.BytesIO(content)) as archive:
        arrays = dict(archive)
    header = json.loads(arrays["header"].tobytes())
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if rng.random() < 0.6:
            change_value(header, rng)
        else:
            name = rng.choice([each for each in arrays if each != "header"])
            arrays[name] = change_array(arrays[name], rng)
            if rng.random() < 0.05:
                arrays[rng.choice([name, "other", "header"])] = arrays.pop(name)
    if "header" in arrays:
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    stream = io.BytesIO()
    rng.choice([*[np.savez] * 20, np.savez_compressed])(stream, **arrays)
    return stream.getvalue()


def change_value(header: Any, rng: random.Random) -> None:
    """Change a value somewhere in a header."""
    places = list(_places(header))
    container, key = rng.choice(places)
    value = container[key]
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        changes: list[Callable[[], Any]] = [
            lambda: value.pop(at),
            lambda: value.insert(at, rng.choice(value)),
            lambda: rng.shuffle(value),
            value.clear,
        ]
        rng.choice(changes)()
    elif type(value) is int and rng.random() < 0.8:
        container[key] = value + rng.choice([-2, -1, 1, 2, 3])
    else:
        container[key] = deepcopy(rng.choice([*VALUES, rng.choice(places)[0]]))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all containers within a value, each with its keys."""
    keys = value if isinstance(value, dict) else range(len(value)) if type(value) is list else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def change_array(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """Return a changed copy of an array."""
    kind = rng.randrange(10)
    if kind < 6:
        changed = array.copy()
        if array.size and array.dtype.kind in "iu":
            at, limits = rng.randrange(array.size), np.iinfo(array.dtype)
            value = int(array.flat[at]) + rng.choice([-1, 1, 2, rng.choice(NUMBERS)])
            changed.flat[at] = min(max(value, limits.min), limits.max)
        return changed
    if kind == 6:
        return array[: rng.randint(0, array.size)]
    if kind == 7:
        return np.concatenate([array, array[: rng.randint(0, array.size)]])
    if kind == 8:
        return rng.choice([array[::-1], np.array(array, order="F"), array.reshape(1, -1)])
    dtype = rng.choice([np.uint8, np.int8, np.float64, ">i4", "S3", np.bool_, np.uint64, "M8[s]"])
    try:
        return array.astype(dtype)
    except RuntimeError:  # a date that is longer than the text
        return array
