#!/usr/bin/env bash
# python-sat 1.9.dev17 (Python 3.11): the clauses of "exactly 3 of 5", which has 10 solutions, have
# 105,696 models if a cardinality network encodes them, 80 by the totalizer, and 10 by the sequential
# counter and the other totalizers: auxiliary variables are left open, so that models cannot be
# counted. All of them are the same 10 sets of the five.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check python-sat==1.9.dev17

cat >program.py <<'EOF'
from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

for name in ("seqcounter", "totalizer", "mtotalizer", "kmtotalizer", "cardnetwrk"):
    code = getattr(EncType, name)
    clauses = CardEnc.equals(lits=[1, 2, 3, 4, 5], bound=3, encoding=code).clauses
    with Solver(name="cadical153", bootstrap_with=clauses) as solver:
        models = [frozenset(model[:5]) for model in solver.enum_models()]
    print(name, len(models), len(set(models)))
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
seqcounter 10 10
totalizer 80 10
mtotalizer 10 10
kmtotalizer 10 10
cardnetwrk 105696 10
EOF
echo "as seen"
