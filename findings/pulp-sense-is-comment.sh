#!/usr/bin/env bash
# PuLP 3.3.2 (Python 3.11): the MPS file of a maximum has the sense in a comment only, and the
# coefficients are not negated, so every reader minimizes: PuLP itself, and HiGHS 1.16.0. The maximum
# of 3 x + 2 y, where x + y = 1, is 3; both find 2 in the file.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check pulp==3.3.2 highspy==1.16.0

cat >program.py <<'EOF'
import highspy
import pulp

x, y = (pulp.LpVariable(name, cat="Binary") for name in "xy")
program = pulp.LpProblem("p", pulp.LpMaximize)
program += 3 * x + 2 * y
program += x + y == 1
program.writeMPS("p.mps")
print(open("p.mps").readline().strip())
_, again = pulp.LpProblem.fromMPS("p.mps")
again.solve(pulp.PULP_CBC_CMD(msg=False))
print("PuLP", pulp.value(again.objective))
other = highspy.Highs()
other.silent()
other.readModel("p.mps")
other.run()
print("HiGHS", other.getObjectiveValue())
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
*SENSE:Maximize
PuLP 2.0
HiGHS 2.0
EOF
echo "as seen"
