#!/usr/bin/env bash
# python-sat 1.9.dev17 (Python 3.11): the models of a solver that is bound to no name are none. The
# iterator does not keep the solver alive, which is deleted before the first model. The clause
# (1 or 2) has 3 models; all solvers of the package behave alike.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check python-sat==1.9.dev17

cat >program.py <<'EOF'
from pysat.solvers import Solver

for name in ("cadical195", "glucose4", "minisat22"):
    solver = Solver(name=name, bootstrap_with=[[1, 2]])
    n_named = len(list(solver.enum_models()))
    n_temporary = len(list(Solver(name=name, bootstrap_with=[[1, 2]]).enum_models()))
    print(name, n_named, n_temporary)
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
cadical195 3 0
glucose4 3 0
minisat22 3 0
EOF
echo "as seen"
