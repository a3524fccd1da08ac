"""A campaign for certificates and their verifier, against dynamic programming."""

import io
import random
from functools import partial
from pathlib import Path

from dlx_numba import ExactCover, verify_certificate
from tests.helpers import oracles

from .checks import check, check_equal, kept_on_failure
from .problems import RULES, Statement, random_statement

MAX_COVERS = 5000  # of a problem whose tree may be written
MUTATIONS = 100  # of each certificate


def verify_certificates(rng: random.Random, folder: Path, n_mutations: int = MUTATIONS) -> None:
    """Verify the certificates of a problem; changed ones are rejected, or prove what is true."""
    statement = random_statement(rng)
    statement.options = [option or [next(iter(statement.bounds))] for option in statement.options]
    costs = statement.cover_costs()
    if costs is None or costs.total() > MAX_COVERS:
        return
    try:
        cover = statement.problem(rng.choice(RULES), 1, presolve=rng.random() < 0.3)
    except ValueError as error:  # given options may contradict each other
        check("cannot be in one cover" in str(error) and not costs.total(), str(error))
        return
    path = folder / "certificate"
    with kept_on_failure(folder / "problem.json", partial(cover.write, kind="json")):
        for kind, expected in (("count", costs.total()), ("cost", min(costs, default=None))):
            check_equal(kind, cover.certify(path, kind), expected)
            text = path.read_text()
            claim = verify(cover, text)
            stated = verify_certificate.parse_json(
                io.StringIO(unconditional(cover).write(kind="json"))
            )
            check_equal("JSON", verify_certificate.verify(stated, io.StringIO(text)), claim)
            check(is_true(statement, text), "a false claim is verified")
            for _ in range(n_mutations):
                changed = mutate(text, rng)
                with kept_on_failure(folder / "changed", lambda changed=changed: changed):
                    try:
                        verify(cover, changed)
                    except Exception:
                        continue
                    check(is_true(statement, changed), "a false claim is verified")


def unconditional(cover: ExactCover) -> ExactCover:
    """Return a problem without its conditions, which a certificate states."""
    return cover.replace(given=(), forbidden=())


def verify(cover: ExactCover, text: str) -> str:
    """Return the claim of a certificate that is verified. Raises an exception if it is not."""
    problem = verify_certificate.parse_knuth(io.StringIO(unconditional(cover).write(kind="knuth")))
    claim: str = verify_certificate.verify(problem, io.StringIO(text))
    return claim


def is_true(statement: Statement, text: str) -> bool:
    """Return whether a certificate claims what dynamic programming finds."""
    _, given, forbidden, proof, *_, claim = (line.split() for line in text.splitlines())
    conditions = ([int(word) for word in line[1:]] for line in (given, forbidden))
    arguments = statement.options, statement.bounds, statement.costs, *conditions
    costs = oracles.cover_costs(*arguments)
    assert costs is not None
    limit = int(proof[1]) if proof[0] == "prices" else None
    return int(claim[1]) == sum(n for cost, n in costs.items() if limit is None or cost < limit)


def mutate(text: str, rng: random.Random) -> str:
    """Return a certificate with one or several changes: of numbers, words or lines."""
    lines = [line.split() for line in text.splitlines()]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        n, line = rng.randrange(len(lines)), rng.choice(lines)
        kind = rng.choice(["number", "number", "swap", "drop", "repeat", "lines", "delete", "copy"])
        if kind in ("number", "swap", "copy") and line:
            at = rng.randrange(len(line))
            digits = line[at].rpartition(":")[2].lstrip("-")
            if kind == "copy":
                line[at] = rng.choice(rng.choice(lines) or [""])
            elif kind == "swap":
                other = rng.randrange(len(line))
                line[at], line[other] = line[other], line[at]
            elif digits.isdigit():
                number = str(rng.choice([int(digits) + 1, int(digits) - 1, rng.randrange(30)]))
                line[at] = line[at].removesuffix(digits) + number
        elif kind == "drop" and line:
            line.pop(rng.randrange(len(line)))
        elif kind == "repeat":
            lines.insert(n, [*line])
        elif kind == "lines":
            m = rng.randrange(len(lines))
            lines[n], lines[m] = lines[m], lines[n]
        elif kind == "delete" and len(lines) > 6:
            lines.pop(n)
    return "".join(" ".join(line) + "\n" for line in lines)
