"""Measure certificates: their sizes, and the times to write and to verify them.

    python -m scripts.measure certificates

For each problem: what is proven; the kind of the proof, its lines and its size; and the processor
time to count the covers with a memo, or to find a cheapest cover, to write the certificate, and to
verify it in a process of its own. The ratio is that of verifying to counting. One run, after a
first count and small certificates.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from dlx_numba import ExactCover, example, verify_certificate
from dlx_numba.cover.certificate import CLAIMS, Claim

from ..tables import Row
from .harness import best_times

BLOCK = "certificates"
FILES = Path(__file__).parents[2] / "tests" / "instances"
MAX_COST = 100


class Instance(NamedTuple):
    """A problem and what is proven."""

    name: str
    cover: ExactCover
    claim: Claim = "count"


def instances() -> Iterator[Instance]:
    yield Instance("Langford pairs 8", example("langford", n=8).cover())
    yield Instance("dominoes 12×12", example("tilings", region="12x12").cover())
    yield Instance("tetrominoes 8×8", example("tilings", sizes="4", region="8x8").cover())
    yield Instance("pentominoes 3×20", read("pent3x20"))
    yield Instance("pentominoes 6×10", read("pent6x10r"))
    yield Instance("MacMahon squares", read("macmahon4x6f"))
    yield Instance("queen domination 7", read("queendom7.mcc"))
    yield Instance("random, 40 items", read("random40"))
    yield Instance("queens 8, cheapest", read("queens8.cost"), "cost")
    yield Instance("queens 16, cheapest", with_costs(example("queens", n=16).cover()), "cost")
    yield Instance("random, 40 items, cheapest", with_costs(read("random40")), "cost")


def read(name: str) -> ExactCover:
    return ExactCover.read(FILES / f"{name}.dlx")


def with_costs(cover: ExactCover) -> ExactCover:
    """Return a problem with random costs."""
    rng = random.Random(1)
    costs = [rng.randint(0, MAX_COST) for _ in range(cover.n_options)]
    return ExactCover.read(cover.write(kind="knuth"), "knuth", costs=costs)


def measure(options: argparse.Namespace) -> list[Row]:
    header = ["problem", "proven", "proof", "lines", "kB"]
    header += ["count or cheapest", "writing", "verification", "ratio"]
    with tempfile.TemporaryDirectory() as folder:
        for claim in CLAIMS:  # loads the kernels
            example("queens", n=6).cover().certify(Path(folder) / "first", claim)
        return [header, *(row(each, Path(folder)) for each in instances())]


def row(instance: Instance, folder: Path) -> list[str]:
    """Return the cells of one row."""
    name, cover, claim = instance
    problem, path = folder / "problem.dlx", folder / "certificate"
    problem.write_text(cover.write(kind="knuth"), encoding="utf-8")
    answer: Callable[[], object] = cover.cheapest
    if claim == "count":
        answer = (
            cover.count if cover.problem.low is not None else lambda: cover.count(method="memo")
        )
    command = [sys.executable, verify_certificate.__file__, problem, path]
    outputs: list[str] = []

    def verify() -> None:
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        outputs.append(run.stdout.strip())

    answer()
    calls = {"answer": answer, "write": lambda: cover.certify(path, claim), "verify": verify}
    times = best_times(calls, 1, processor_time)
    lines = path.read_text().splitlines()
    proof = lines[3].split()[0]
    ratio = f"{times['verify'] / times['answer']:.1f}" if proof == "graph" else ""
    size = [f"{len(lines):,}", f"{path.stat().st_size / 1000:,.1f}"]
    seconds = [f"{each:.3f} s" for each in times.values()]
    return [name, outputs[0], proof, *size, *seconds, ratio]


def processor_time() -> float:
    """Return the processor time of this process and of those that it has started, in seconds."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
