#!/usr/bin/env bash
# HiGHS 1.16.0 (highspy, Python 3.11): of two free rows in an MPS file, the first is the objective.
# The right-hand side of the second is subtracted from the objective, too: the minimum of -x, where
# x is 0 or 1, is -8 instead of -1. Gurobi 13.0.3 ignores that right-hand side.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check highspy==1.16.0 gurobipy==13.0.3

rows='ROWS\n N cost\n N other\n L row\nCOLUMNS\n x cost -1 row 1\n'
printf "NAME m\n${rows}RHS\n RHS other 7 row 1\nBOUNDS\n BV B x\nENDATA\n" >model.mps
cat >program.py <<'EOF'
import gurobipy
import highspy

program = highspy.Highs()
program.silent()
print(program.readModel("model.mps"))
program.run()
print("HiGHS", program.getObjectiveValue())
with gurobipy.Env(params={"OutputFlag": 0}) as environment:
    other = gurobipy.read("model.mps", environment)
    other.optimize()
    print("Gurobi", other.ObjVal)
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
HighsStatus.kOk
HiGHS -8.0
Gurobi -1.0
EOF
echo "as seen"
