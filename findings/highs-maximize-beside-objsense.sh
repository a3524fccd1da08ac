#!/usr/bin/env bash
# HiGHS 1.16.0 (highspy, Python 3.11): in an MPS file, `OBJSENSE MAX` on one line maximizes, and
# `OBJSENSE MAXIMIZE` on one line, as Xpress 9.9 writes it, minimizes without a warning. On the line
# after OBJSENSE, both words maximize. The maximum of 3 x + 2 y, where x + y = 1, is 3.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check highspy==1.16.0

cat >program.py <<'EOF'
import highspy

rows = "ROWS\n N cost\n E one\nCOLUMNS\n x cost 3 one 1\n y cost 2 one 1\n"
rest = "RHS\n RHS one 1\nBOUNDS\n BV B x\n BV B y\nENDATA\n"
for sense in ("OBJSENSE MAX", "OBJSENSE MAXIMIZE", "OBJSENSE\n  MAXIMIZE"):
    with open("model.mps", "w") as file:
        file.write(f"NAME m\n{sense}\n{rows}{rest}")
    program = highspy.Highs()
    program.silent()
    status = program.readModel("model.mps")
    program.run()
    print(repr(sense), status, program.getObjectiveValue())
EOF
venv/bin/python program.py | sed '/^Running HiGHS/d; /^Includes third-party/d' >seen
diff - seen <<'EOF'
'OBJSENSE MAX' HighsStatus.kOk 3.0
'OBJSENSE MAXIMIZE' HighsStatus.kOk 2.0
'OBJSENSE\n  MAXIMIZE' HighsStatus.kOk 3.0
EOF
echo "as seen"
