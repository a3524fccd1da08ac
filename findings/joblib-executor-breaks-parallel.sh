#!/usr/bin/env bash
# joblib 1.6.0 (Python 3.11): after `get_reusable_executor` of joblib.externals.loky, joblib.Parallel
# fails in the same process, since it gets this executor, which lacks an attribute. That of the
# package loky 3.7.0 is another one, and Parallel works.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check joblib==1.6.0 loky==3.7.0

cat >program.py <<'EOF'
import sys
from importlib import import_module

from joblib import Parallel, delayed

if __name__ == "__main__":
    executor = import_module(sys.argv[1]).get_reusable_executor(max_workers=2)
    print(executor.submit(abs, -3).result())
    try:
        print(Parallel(n_jobs=2)(delayed(abs)(-k) for k in range(3)))
    except AttributeError as error:
        print(error)
EOF
for module in joblib.externals.loky loky; do
    venv/bin/python program.py $module
done >seen
diff - seen <<'EOF'
3
'_ReusablePoolExecutor' object has no attribute '_temp_folder_manager'
3
[0, 1, 2]
EOF
echo "as seen"
