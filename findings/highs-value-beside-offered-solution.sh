#!/usr/bin/env bash
# HiGHS 1.16.0 (highspy, Python 3.11): after `setSolution` with a feasible solution of a small integer
# program, `run` ends as optimal with the optimal value, 3, but `getSolution` returns columns that cost
# 6: those that were offered. Without the offer, the columns cost 3. The program is a set covering of
# three items by five columns that cost 1, 3, 3, 2 and 2, and the solution offered is 0, 2 and 3.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check highspy==1.16.0

cat >program.py <<'EOF'
import highspy

COSTS = [1, 3, 3, 2, 2]
for offered in ([], [1, 0, 1, 1, 0]):
    program = highspy.Highs()
    program.silent()
    x = [program.addBinary(obj=cost) for cost in COSTS]
    for item in ([0, 1, 2, 4], [1, 3], [3, 4]):
        program.addConstr(sum(x[k] for k in item) >= 1)
    if offered:
        solution = highspy.HighsSolution()
        solution.col_value = offered
        print(program.setSolution(solution))
    program.run()
    values = program.getSolution().col_value
    value = program.getInfo().objective_function_value
    print(program.getModelStatus(), value, sum(c * v for c, v in zip(COSTS, values)))
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
HighsModelStatus.kOptimal 3.0 3.0
HighsStatus.kOk
HighsModelStatus.kOptimal 3.0 6.0
EOF
echo "as seen"
