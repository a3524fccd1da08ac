#!/usr/bin/env bash
# HiGHS 1.16.0 (highspy, Python 3.11): a program of 8 binary variables and 9 rows, which 5 of the 256
# assignments satisfy, is reported as infeasible. Without presolving, HiGHS finds the minimum, 0.
# Rows of this form link the colors of an exact cover problem to its options.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check highspy==1.16.0

cat >program.py <<'EOF'
from itertools import product
import highspy

ROWS = [  # each with its bounds
    ({0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1}, 3, 3), ({4: 1, 6: 1}, -9, 1), ({0: 1, 7: 1}, -9, 1),
    ({1: 1, 6: -1}, -9, 0), ({5: 1, 6: -1}, -9, 0), ({2: -1, 3: -1, 7: 1}, -9, 0),
    ({2: 1, 7: -1}, -9, 0), ({3: 1, 7: -1}, -9, 0),
    ({0: -1, 1: -1, 2: 1, 3: 1, 4: 1, 5: -1}, -2, 9),
]
fits = lambda x: all(low <= sum(c * x[k] for k, c in row.items()) <= high for row, low, high in ROWS)
print(sum(map(fits, product((0, 1), repeat=8))), "assignments")
for presolve in ("choose", "off"):
    program = highspy.Highs()
    program.silent()
    program.setOptionValue("presolve", presolve)
    x = [program.addBinary(obj=5 * (k == 3)) for k in range(8)]
    for row, low, high in ROWS:
        program.addRow(low, high, len(row), [*row], [*map(float, row.values())])
    program.run()
    print(presolve, program.getModelStatus())
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
5 assignments
choose HighsModelStatus.kInfeasible
off HighsModelStatus.kOptimal
EOF
echo "as seen"
