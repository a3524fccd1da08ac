#!/usr/bin/env bash
# SCIP in PySCIPOpt 6.3.0 (Python 3.11) writes names with a colon to LP files, and cannot read these
# files: "Syntax error in line 6 (':')". In MPS files, it writes and reads the same names.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check pyscipopt==6.3.0

cat >program.py <<'EOF'
import pyscipopt

program = pyscipopt.Model()
program.hideOutput()
x = program.addVar("row 1:column 1".replace(" ", ""), vtype="B", obj=1)
y = program.addVar("row 1:column 2".replace(" ", ""), vtype="B", obj=2)
program.addCons(x + y == 1)
for name in ("model.lp", "model.mps"):
    program.writeProblem(name, verbose=False)
    again = pyscipopt.Model()
    again.hideOutput()
    try:
        again.readProblem(name)
        again.optimize()
        print(name, again.getObjVal())
    except OSError as error:
        print(name, error)
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
model.lp SCIP: read error!
model.mps 1.0
EOF
echo "as seen"
