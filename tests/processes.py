"""The command line as a process of its own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*arguments, stdin="", status=0):
    """What it prints on standard output and standard error; it has to end with `status`."""
    done = subprocess.run(
        [sys.executable, "-m", "dlx_numba", *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        timeout=120,
        cwd=ROOT,
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()
