#!/usr/bin/env bash
# Gurobi 13.0.3 (gurobipy with its free license, Python 3.11): a number in a sum of an LP file becomes
# a new variable with the number as its name. So the constant 5 of an objective costs nothing: the
# minimum of 3 x + 2 y + 5, where x + y = 1, is 2 instead of 7. CPLEX 22.2, HiGHS and SCIP find 7.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check gurobipy==13.0.3

cat >model.lp <<'EOF'
minimize
 3 x + 2 y + 5
subject to
 one: x + y = 1
binary
 x y
end
EOF
cat >program.py <<'EOF'
import gurobipy

with gurobipy.Env(params={"OutputFlag": 0}) as environment:
    program = gurobipy.read("model.lp", environment)
    program.optimize()
    print([variable.VarName for variable in program.getVars()], program.ObjVal)
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
['x', 'y', '5'] 2.0
EOF
echo "as seen"
