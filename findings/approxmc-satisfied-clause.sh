#!/usr/bin/env bash
# ApproxMC in pyapproxmc 4.4.0 (Python 3.11) counts 1 model of the clauses (1) and (2 or 1), and 1 with
# the projection on both variables, too. There are 2: variable 1 is true, and variable 2 is free, as
# Ganak in pyganak 2.8.0 counts. The second clause is satisfied before its variable is known.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check pyapproxmc==4.4.0 pyganak==2.8.0

cat >program.py <<'EOF'
import pyapproxmc
import pyganak

clauses = [[1], [2, 1]]
for arguments in ({}, {"projection": [1, 2]}):
    counter = pyapproxmc.Counter()
    for clause in clauses:
        counter.add_clause(clause)
    cells, hashes = counter.count(**arguments)
    print("ApproxMC", cells * 2**hashes)
counter = pyganak.Counter()
for clause in clauses:
    counter.add_clause(clause)
print("Ganak", counter.count())
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
ApproxMC 1
ApproxMC 1
Ganak 2
EOF
echo "as seen"
