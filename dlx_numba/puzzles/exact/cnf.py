"""Exact cover problems as clauses, in the DIMACS format of SAT and MaxSAT solvers."""

from ...cover.models import Model
from ...search.clauses import iterate_clauses


def format_cnf(model: Model) -> str:
    """Return a model in the DIMACS format, or in that of MaxSAT if options have costs."""
    model.problem.reject_totals("the CNF format")
    costs = model.problem.cost
    if model.names.exact_costs is not None:
        raise ValueError("the CNF format has no costs with as many digits; JSON has them")
    factor = model.names.scale.factor
    texts = model.texts()
    formulated = iterate_clauses(model.problem.n_options, model.sums, model.colors, model.fixed)
    # An item without options is an empty clause, which D4 refuses: instead, the first variable must
    # be both true and false.
    never = [[1], [-1]] if texts else [[]]
    clauses = [clause for each in formulated for clause in ([each] if each else never)]
    named = {abs(literal) for clause in clauses for literal in clause}
    n_variables = max([len(texts), *named])
    # Some programs count only the variables that are in a clause.
    clauses += [[k, -k] for k in range(1, n_variables + 1) if k not in named]
    lines = [f"c {k} = {text}" for k, text in enumerate(texts, 1)]
    if costs is None:
        lines.append(f"p cnf {n_variables} {len(clauses)}")
        lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    else:
        # A clause with a weight is falsified by an option that costs this, or by the absence of one
        # with a negative cost, which the constant includes.
        constant = int(costs[costs < 0].sum())
        lines.append(f"c total = (weight of falsified clauses + {constant}) / {factor}")
        lines += [" ".join(map(str, ["h", *clause, 0])) for clause in clauses]
        signed = enumerate(costs.tolist(), 1)
        lines += [f"{abs(cost)} {-k if cost > 0 else k} 0" for k, cost in signed if cost]
    return "\n".join(lines) + "\n"
