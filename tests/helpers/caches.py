"""A module with a kernel, to test stored machine code in separate processes."""

from pathlib import Path

from tests.helpers import ROOT
from tests.helpers.processes import run_python

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
    variables = {"PYTHONPATH": str(ROOT), "DLX_NUMBA_CACHE_DIR": str(directory)}
    done = run_python("-c", "import module", cwd=directory, **variables)
    return done.stdout, done.stderr
