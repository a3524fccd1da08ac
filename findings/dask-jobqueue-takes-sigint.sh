#!/usr/bin/env bash
# dask-jobqueue 0.9.0 (distributed 2026.8.0, Python 3.11): importing it replaces the handlers of SIGINT
# and SIGTERM. Ctrl-C no longer raises KeyboardInterrupt: the program exits with the status 0, and what
# follows `except KeyboardInterrupt` is not run.
set -e -u -o pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check dask-jobqueue==0.9.0 distributed==2026.8.0

cat >program.py <<'EOF'
import os
import signal
import time

import dask_jobqueue

print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
    print("still running")
except KeyboardInterrupt:
    print("interrupted")
EOF
venv/bin/python program.py >seen
echo "status $?" >>seen
diff - seen <<'EOF'
False
status 0
EOF
echo "as seen"
