#!/usr/bin/env bash
# PuLP 3.3.2 (Python 3.11): LpProblem.fromMPS reads the bound MI, no lower bound, as an upper bound
# of 0, too. The minimum of x >= 3 is 3 for HiGHS 1.16.0; for PuLP, the program is infeasible.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check pulp==3.3.2 highspy==1.16.0

rows='ROWS\n N cost\n G row\nCOLUMNS\n x cost 1 row 1\n'
printf "NAME m\n${rows}RHS\n RHS row 3\nBOUNDS\n MI B x\nENDATA\n" >model.mps
cat >program.py <<'EOF'
import highspy
import pulp

variables, program = pulp.LpProblem.fromMPS("model.mps")
program.solve(pulp.PULP_CBC_CMD(msg=False))
print("PuLP", variables["x"].upBound, pulp.LpStatus[program.status])
other = highspy.Highs()
other.silent()
other.readModel("model.mps")
other.run()
print("HiGHS", other.getLp().col_upper_, other.getObjectiveValue())
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
PuLP 0 Infeasible
HiGHS [inf] 3.0
EOF
echo "as seen"
