"""A module with a kernel, to test stored machine code in separate processes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.helpers import ROOT

KERNEL_MODULE = """
import sys
from typing import NamedTuple
import numpy as np
from dlx_numba.jit import njit

class Pair(NamedTuple):
    values: np.ndarray

@njit
def total(pair):
    return pair.values.sum()

print(total(Pair(np.arange(4.0))), "compiled" if "numba" in sys.modules else "stored")
"""


def import_kernel_module(directory: Path) -> tuple[str, str]:
    """Import `directory`/module.py in a process, and return its standard output and error."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DLX_NUMBA_CACHE_DIR": str(directory)}
    done = subprocess.run(
        [sys.executable, "-c", "import module"],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout, done.stderr
