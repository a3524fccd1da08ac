#!/usr/bin/env bash
# CPLEX 22.2.0.1 (community edition from PyPI, Python 3.11): a maximum is written to an MPS file as a
# minimum with negated coefficients, but the constant keeps its sign. The maximum of 3 x + 2 y + 5,
# where x + y = 1, is 8; the minimum of the file, read by CPLEX itself, is 2 instead of -8.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check cplex==22.2.0.1

cat >program.py <<'EOF'
import cplex

def silent():
    program = cplex.Cplex()
    for set_stream in (program.set_log_stream, program.set_results_stream):
        set_stream(None)
    return program

program = silent()
program.variables.add(names=["x", "y"], types="BB", obj=[3, 2])
program.objective.set_sense(program.objective.sense.maximize)
program.objective.set_offset(5)
program.linear_constraints.add(lin_expr=[[["x", "y"], [1, 1]]], senses="E", rhs=[1])
program.solve()
program.write("model.mps")
again = silent()
again.read("model.mps")
again.solve()
for each in (program, again):
    print(each.objective.get_linear(), each.objective.get_offset(), each.solution.get_objective_value())
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
[3.0, 2.0] 5.0 8.0
[-3.0, -2.0] 5.0 2.0
EOF
echo "as seen"
