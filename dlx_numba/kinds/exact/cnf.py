"""Exact cover problems as clauses, in the DIMACS format of SAT and MaxSAT solvers."""

from collections.abc import Iterator

from ...cover.models import Model

MAX_PAIRWISE = 5  # up to this size, clauses of two literals state "at most one"


def format_cnf(model: Model) -> str:
    """Return a model in the DIMACS format, or in that of MaxSAT if options have costs."""
    model.problem.reject_totals("the CNF format")
    costs, factor = model.problem.cost, model.names.scale.factor
    texts, clauses = model.texts(), list(_clauses(model))
    n_variables = max([len(texts), *(abs(literal) for clause in clauses for literal in clause)])
    lines = [f"c {k} = {text}" for k, text in enumerate(texts, 1)]
    if costs is None:
        lines.append(f"p cnf {n_variables} {len(clauses)}")
        lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    else:
        constant = int(costs[costs < 0].sum())
        lines.append(f"c total = (weight of falsified clauses + {constant}) / {factor}")
        lines += [" ".join(map(str, ["h", *clause, 0])) for clause in clauses]
        signed = enumerate(costs.tolist(), 1)
        lines += [f"{abs(cost)} {-k if cost > 0 else k} 0" for k, cost in signed if cost]
    return "\n".join(lines) + "\n"


def _clauses(model: Model) -> Iterator[list[int]]:
    """Yield the clauses. The values of the options determine those of all other variables."""
    n_options = model.problem.n_options
    n_variables = n_options + len(model.colors)
    for option, value in model.fixed.items():
        yield [option + 1 if value else -option - 1]
    for k, (_, _, members) in enumerate(model.colors, n_options + 1):
        yield [-k, *(option + 1 for option in members)]
        yield from ([k, -option - 1] for option in members)
    for _, variables, low, high in model.sums:
        literals = [k + 1 for k in variables]
        if low == 1 or low > len(literals):
            yield literals if low == 1 else []
            low = 0
        if high == 1 and len(literals) <= MAX_PAIRWISE:
            yield from ([-a, -b] for k, a in enumerate(literals) for b in literals[:k])
            continue
        # Sinz's sequential counter: reached[j] is true if j + 1 of the literals so far are true
        reached: list[int] = []
        depth = max(low, high if high < len(literals) else 0)
        for literal in literals if depth else ():
            if high < len(literals) and len(reached) >= high:
                yield [-literal, -reached[high - 1]]
            following: list[int] = []
            for j in range(min(depth, len(reached) + 1)):
                before, fewer = reached[j : j + 1], reached[j - 1 : j] if j else []
                if not before and not fewer:
                    following.append(literal)
                    continue
                n_variables += 1
                following.append(n_variables)
                yield from ([n_variables, -each] for each in before)
                yield [n_variables, -literal, *(-each for each in fewer)]
                yield [-n_variables, *before, literal]
                yield from ([-n_variables, *before, each] for each in fewer)
            reached = following
        if low:
            yield [reached[low - 1]]
