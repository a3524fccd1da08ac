"""The command line as a process of its own."""

import subprocess
import sys

from tests.helpers import ROOT

UNIQUE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
SEVERAL = "." + SOLVED[1:9] + "." * 72
NONE = "88" + UNIQUE[2:]


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
