#!/usr/bin/env bash
# tididi-cnf 0.1.2 (Python 3.11): the formula "1 or 5, and 3, and 4" has 6 models of five variables,
# since variable 2 is free. Counted as models (mc) there are 6, but projected (pmc) on all of the five
# variables, which is the same number, 3. Without the variables 3 and 4, it counts the 3 models of
# (1 or 3) twice, once for each value of the free variable, in both ways.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check tididi-cnf==0.1.2

cat >program.py <<'EOF'
import tididi_cnf


def count(n_variables, clauses):
    header = f"p cnf {n_variables} {len(clauses)}\n"
    lines = "".join(f"{clause} 0\n" for clause in clauses)
    shown = " ".join(map(str, range(1, n_variables + 1)))
    models = tididi_cnf.count(header + lines, mode="mc").count
    return models, tididi_cnf.count(f"{header}c p show {shown} 0\n{lines}", mode="pmc").count


print(*count(5, ["1 5", "3", "4"]))
print(*count(3, ["1 3"]))
EOF
venv/bin/python program.py 2>log >seen
diff - seen <<'EOF'
6 3
6 6
EOF
echo "as seen"
