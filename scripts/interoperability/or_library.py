"""Set covering and partitioning problems of the OR-Library: HiGHS solves what is written here."""

import random
from collections.abc import Iterator
from pathlib import Path

import dlx_numba as dlx

from .exchange import Request, ask, check, optimum
from .row import Row, version_of

N_PROBLEMS = 20


def rows(python: str, folder: Path) -> Iterator[Row]:
    problems: list[dlx.ExactCover] = []
    requests: list[Request] = []
    for seed in range(2 * N_PROBLEMS):
        rng = random.Random(seed)
        options = [rng.sample(range(8), rng.randint(1, 4)) for _ in range(20)] + [[*range(8)]]
        costs = [rng.randint(1, 9) for _ in options[1:]] + [40]
        is_covering = seed % 2 == 1
        make = dlx.ExactCover.covering if is_covering else dlx.ExactCover
        problems.append(make(options, costs=costs))
        path = folder / f"{'scp' if is_covering else 'spp'}-{seed}.txt"
        problems[-1].write(path, "orlib")
        requests.append((str(path), []))
    answers = ask(python, "orlib", requests)
    for problem, answer, (path, _) in zip(problems, answers, requests, strict=True):
        check(f"HiGHS solves {path}", answer["value"], optimum(problem))
        check(f"we read {path}", optimum(dlx.ExactCover.read(path, kind="orlib")), answer["value"])
    yield Row(
        "OR-Library",
        f"as solved by HiGHS {version_of('highspy')}",
        f"{N_PROBLEMS} set covering, {N_PROBLEMS} set partitioning",
        "the same",
        "the two kinds of files have no mark that tells them apart",
    )
