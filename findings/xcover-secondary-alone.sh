#!/usr/bin/env bash
# xcover 0.2.6 (Python 3.11): with `secondary` alone, there is no cover of options that have one, the
# two options with the color s:1. With the primary items listed, too, it is found. The items that
# are not listed are primary by default, as they are without `secondary`.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check xcover==0.2.6

cat >program.py <<'EOF'
from xcover import covers

options = [["a", "s:1"], ["b", "s:1"]]
print([*covers(options, secondary=["s"], colored=True)])
print([*covers(options, primary=["a", "b"], secondary=["s"], colored=True)])
print([*map(sorted, covers([["a"], ["b"]]))])
EOF
venv/bin/python program.py 2>/dev/null >seen
diff - seen <<'EOF'
[]
[[0, 1]]
[[0, 1]]
EOF
echo "as seen"
