#!/usr/bin/env bash
# Parsl 2026.10.26 (Python 3.11): ParslPoolExecutor is a concurrent.futures.Executor, and its futures
# are concurrent.futures.Futures, but their method `cancel` raises NotImplementedError, which the
# documentation of Future does not mention, even for futures that are done.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check parsl==2026.10.26

cat >program.py <<'EOF'
from concurrent.futures import Executor, Future

from parsl.concurrent import ParslPoolExecutor
from parsl.config import Config
from parsl.executors import ThreadPoolExecutor

if __name__ == "__main__":
    with ParslPoolExecutor(Config(executors=[ThreadPoolExecutor(max_threads=1)])) as executor:
        future = executor.submit(abs, -3)
        print(isinstance(executor, Executor), isinstance(future, Future), future.result())
        try:
            print(future.cancel())
        except NotImplementedError as error:
            print(error)
EOF
venv/bin/python program.py >seen
diff - seen <<'EOF'
True True 3
Cancel not implemented
EOF
echo "as seen"
