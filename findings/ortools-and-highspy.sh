#!/usr/bin/env bash
# highspy 1.15.1 and ortools 9.15.6755 (Python 3.11) cannot be imported in one process, in any order:
# each wheel brings a library of HiGHS under the same name, and the second finds that of the first,
# which lacks symbols. With highspy 1.16.0, both orders work.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check ortools==9.15.6755

cat >program.py <<'EOF'
import sys

try:
    for name in sys.argv[1:]:
        __import__(name)
    print("works")
except ImportError as error:
    print("undefined symbol" if "undefined symbol" in str(error) else error)
EOF
solver=ortools.linear_solver.pywraplp
for version in 1.15.1 1.16.0; do
    venv/bin/python -m pip install --quiet --disable-pip-version-check "highspy==$version"
    venv/bin/python program.py highspy $solver
    venv/bin/python program.py $solver highspy
done >seen
diff - seen <<'EOF'
undefined symbol
undefined symbol
works
works
EOF
echo "as seen"
