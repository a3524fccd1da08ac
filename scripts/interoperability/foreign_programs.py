"""Runs in the Python that has the other packages, and imports nothing of this one.

    python foreign_programs.py NAME < requests > answers

A request is a line of JSON: the path of a file, and the paths of files into which the program
shall write it. An answer has the optimum or the number of solutions, null if there is no solution,
and the error of a file that the program refuses. Each program gets a process of its own, since some
of them cannot be imported together.
"""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path


def highs(path, targets):
    import highspy

    program = highspy.Highs()
    program.silent()
    assert program.readModel(path) == highspy.HighsStatus.kOk
    for target in targets:
        program.writeModel(target)
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return program.getObjectiveValue()


def scip(path, targets):
    import pyscipopt

    program = pyscipopt.Model()
    program.hideOutput()
    program.readProblem(path)
    for target in targets:
        program.writeProblem(target, verbose=False)
    program.optimize()
    return program.getObjVal() if program.getStatus() == "optimal" else None


def gurobi(path, targets):
    import gurobipy

    with gurobipy.Env(params={"OutputFlag": 0}) as environment:
        program = gurobipy.read(path, environment)
        for target in targets:
            program.write(target)
        program.optimize()
        return program.ObjVal if program.Status == gurobipy.GRB.OPTIMAL else None


def cplex(path, targets):
    import cplex

    program = cplex.Cplex()
    for set_stream in (
        program.set_log_stream,
        program.set_results_stream,
        program.set_warning_stream,
        program.set_error_stream,
    ):
        set_stream(None)
    program.read(path)
    for target in targets:
        program.write(target)
    program.solve()
    if not program.solution.is_primal_feasible():
        return None
    return program.solution.get_objective_value()


def ortools(path, targets):
    from ortools.linear_solver.python import model_builder

    program = model_builder.Model()
    assert program.import_from_mps_file(path)
    for target in targets:
        text = (
            program.export_to_lp_string()
            if target.endswith("lp")
            else program.export_to_mps_string()
        )
        Path(target).write_text(text)
    solver = model_builder.Solver("sat")
    status = solver.solve(program)
    return solver.objective_value if status == model_builder.SolveStatus.OPTIMAL else None


def python_mip(path, targets):
    import mip

    program = mip.Model(solver_name="CBC")
    program.verbose = 0
    program.read(path)
    for target in targets:
        program.write(target)
    decompress(targets)
    program.optimize()
    return program.objective_value


def pulp(path, targets):
    import pulp

    _, program = pulp.LpProblem.fromMPS(path)
    for target in targets:
        (program.writeLP if target.endswith("lp") else program.writeMPS)(target)
    program.solve(pulp.PULP_CBC_CMD(msg=False))
    return pulp.value(program.objective) if program.status == pulp.LpStatusOptimal else None


def decompress(targets):
    """Rename the MPS files that CBC has compressed, and to whose names it has added endings."""
    for target in map(Path, targets):
        for ending in (".gz", ".mps.gz"):
            compressed = Path(f"{target}{ending}")
            if compressed.exists():
                target.write_bytes(gzip.decompress(compressed.read_bytes()))
                compressed.unlink()


def output_of(*command):
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return result.stdout + result.stderr


def cbc(path, targets):
    exports = [word for target in targets for word in ("-export", target)]
    output_of(
        "cbc", path, "-presolve", "off", *exports, "-quit"
    )  # otherwise, of what it has presolved
    decompress(targets)
    text = output_of("cbc", path, "-solve", "-quit")
    assert "read with 0 errors" in text, text
    if "infeasible" in text:
        return None
    return float(re.findall(r"(?:Objective value:|objective value) +([-\d.e+]+)", text)[-1])


def glpk(path, targets):
    flags = {".lp": "--wlp", ".mps": "--wfreemps"}
    exports = [word for target in targets for word in (flags[Path(target).suffix], target)]
    text = output_of("glpsol", "--freemps", path, *exports, "-o", "/dev/stdout")
    if "NO INTEGER FEASIBLE" in text or "NO PRIMAL FEASIBLE" in text or "EMPTY" in text:
        return None
    return float(re.search(r"Objective: +\S+ = ([-\d.e+]+)", text)[1])


def lp_solve(path, targets):
    exports = [word for target in targets for word in ("-wfmps", target)]
    text = output_of("lp_solve", "-fmps", path, *exports, "-S4")
    if "infeasible" in text:
        return None
    return float(re.search(r"Value of objective function: ([-\d.e+]+)", text)[1])


def symphony(path, targets):
    text = output_of("symphony", "-F", path)
    # After an optimum that preprocessing finds, it prints that the problem is infeasible.
    cost = re.search(r"Solution Cost: ([-\d.e+]+)", text)
    assert cost or "nfeasible" in text, text
    return float(cost[1]) if cost else None


def orlib(path, targets):
    """Solve a set covering or partitioning problem, read as the OR-Library describes the files."""
    import highspy

    numbers = map(int, Path(path).read_text().split())
    n_rows, n_columns = next(numbers), next(numbers)
    program = highspy.Highs()
    program.silent()
    members = [[] for _ in range(n_rows)]
    if "scp" in path:  # all costs, and then the columns of each row
        x = [program.addBinary(obj=next(numbers)) for _ in range(n_columns)]
        for row in members:
            row += [x[next(numbers) - 1] for _ in range(next(numbers))]
    for _ in range(0 if "scp" in path else n_columns):  # a cost, and the rows of this column
        column = program.addBinary(obj=next(numbers))
        for _ in range(next(numbers)):
            members[next(numbers) - 1].append(column)
    for row in members:
        total = program.qsum(row)
        program.addConstr(total >= 1 if "scp" in path else total == 1)
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return program.getObjectiveValue()


COSTS = {"a": 3, "b": 2, "c": 1, "d": -1}
ROWS = {  # by name: the lowest and the highest value, and coefficients
    "e1": (1, 1, {"a": 1, "b": 1}),
    "r2": (1, 2, {"b": 1, "c": 1, "d": 1}),
    "l3": (None, 1, {"a": 1, "c": 1}),
    "t4": (None, 4, {"a": 2, "c": 3, "d": 1}),
}


def pyomo(path, targets):
    import pyomo.environ as pe

    program = pe.ConcreteModel()
    program.v = pe.Var([*COSTS], domain=pe.Binary)

    def total(numbers):
        return sum(number * program.v[name] for name, number in numbers.items())

    program.o = pe.Objective(expr=total(COSTS) + 5, sense=pe.maximize)
    for name, (low, high, numbers) in ROWS.items():
        setattr(program, name, pe.Constraint(expr=(low, total(numbers), high)))
    for target in targets:
        program.write(target, io_options={"symbolic_solver_labels": True})
    return 8


def linopy(path, targets):
    import linopy

    program = linopy.Model()
    v = {name: program.add_variables(binary=True, name=name) for name in COSTS}

    def total(numbers):
        return sum(number * v[name] for name, number in numbers.items())

    program.add_objective(total(COSTS), sense="max")
    for name, (low, high, numbers) in ROWS.items():
        if low is not None:
            program.add_constraints(total(numbers) >= low, name=f"{name}_low")
        program.add_constraints(total(numbers) <= high, name=name)
    for target in targets:
        program.to_file(Path(target), progress=False)
    return 3


def enumerate_models(path, targets):
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver(name="cadical195", bootstrap_with=CNF(from_file=path)) as solver:
        return sum(1 for _ in solver.enum_models())


def rc2(path, targets):
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    with RC2(WCNF(from_file=path)) as solver:
        return solver.cost if solver.compute() is not None else None


def clauses_of(path):
    lines = Path(path).read_text().splitlines()
    return [[*map(int, line.split()[:-1])] for line in lines if line[0] not in "cp"]


def ganak(path, targets):
    import pyganak

    counter = pyganak.Counter()
    for clause in clauses_of(path):
        counter.add_clause(clause)
    return int(counter.count())


def d4(path, targets):
    import py_d4

    return int(py_d4.Solver(path).compile().count([]))


def tididi(path, targets):
    import tididi_cnf

    return tididi_cnf.count(Path(path).read_text(), mode="mc").count


def approxmc(path, targets):
    import pyapproxmc

    counter = pyapproxmc.Counter()
    for clause in clauses_of(path):
        counter.add_clause(clause)
    cells, hashes = counter.count()
    return cells * 2**hashes


def read_knuth(path):
    lines = [line.split() for line in Path(path).read_text().splitlines() if line[0] != "|"]
    primary = lines[0][: lines[0].index("|")] if "|" in lines[0] else lines[0]
    secondary = lines[0][len(primary) + 1 :]
    return primary, secondary, lines[1:]


def exact_cover(path, targets):
    import numpy
    from exact_cover import get_solution_count

    primary, _, options = read_knuth(path)
    matrix = [[int(item in option) for item in primary] for option in options]
    return int(get_solution_count(numpy.array(matrix, bool).reshape(len(options), len(primary))))


def xcover(path, targets):
    from xcover import covers

    primary, secondary, options = read_knuth(path)
    return sum(1 for _ in covers(options, primary=primary, secondary=secondary, colored=True))


def miniexact(path, targets):
    program = str(Path(sys.executable).with_name("miniexact"))
    for target in targets:
        Path(target).write_text(output_of(program, "-c", "-P", path))
    text = output_of(program, "-c", "-e", path)
    found = re.search(r"Found (\d+) solution", text)
    assert found or "No solution" in text, text
    return int(found[1]) if found else 0


if __name__ == "__main__":
    solve = globals()[sys.argv[1]]
    for line in sys.stdin.read().splitlines():
        try:
            answer = {"value": solve(*json.loads(line))}
        except Exception as error:
            answer = {"value": None, "error": repr(error)}
        print("answer", json.dumps(answer), flush=True)
