#!/usr/bin/env bash
# exact-cover 1.5.0 (Python 3.11): `get_all_solutions` returns an empty cover instead of one that takes
# all rows of a matrix, while `get_solution_count` and `get_exact_cover` are right. Rows of the array
# of covers are cut before their padding, and at their beginning if they have none. The matrices are
# the identity of order 2, and a matrix of three rows that has two covers of one and two rows.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check exact-cover==1.5.0

cat >program.py <<'EOF'
import exact_cover
import numpy as np

for rows in ([[1, 0], [0, 1]], [[1, 0], [0, 1], [1, 1]]):
    matrix = np.array(rows, dtype=bool)
    covers = exact_cover.get_all_solutions(matrix)
    first = exact_cover.get_exact_cover(matrix).tolist()
    found = sorted([*map(int, cover)] for cover in covers)
    print(exact_cover.get_solution_count(matrix), first, found)
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
1 [0, 1] [[]]
2 [0, 1] [[0, 1], [2]]
EOF
echo "as seen"
