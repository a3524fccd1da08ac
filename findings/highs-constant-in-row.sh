#!/usr/bin/env bash
# HiGHS 1.15.1 (highspy, Python 3.11): a constant on the left side of a row of an LP file is dropped.
# The row `x + y - 1 >= 0` allows x = y = 0, so the minimum of x + y is 0 instead of 1. There is
# neither a warning nor an error: the status is kOk. HiGHS 1.16.0 drops it with a warning.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check highspy==1.15.1

cat >model.lp <<'EOF'
minimize
 x + y
subject to
 one: x + y - 1 >= 0
binary
 x y
end
EOF
cat >program.py <<'EOF'
import highspy

program = highspy.Highs()
program.silent()
print(program.readModel("model.lp"))
program.run()
print(program.getObjectiveValue(), [*program.getLp().row_lower_])
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
HighsStatus.kOk
0.0 [0.0]
EOF
echo "as seen"
