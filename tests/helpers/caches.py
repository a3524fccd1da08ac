"""A module with a kernel, to test the disk cache of kernels in separate processes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.helpers import ROOT

KERNEL_MODULE = """
from typing import NamedTuple
import numpy as np
from dlx_numba.jit.compile import kernel

class {name}(NamedTuple):
    values: np.ndarray

@kernel
def total(pair):
    return pair.values.sum()

print(total({name}(np.arange(4.0))), "cached" if total.stats.cache_hits else "compiled")
"""

# The same without Numba, if the kernel's machine code is stored
DEFERRED_KERNEL_MODULE = (
    "import sys; from dlx_numba.jit.compile import defer_numba; defer_numba()\n"
    + KERNEL_MODULE.replace(
        '"cached" if total.stats.cache_hits else "compiled"',
        '"numba" if "numba" in sys.modules else "stored"',
    )
)

DAMAGES = {
    "truncated": lambda data: data[:-20],
    "empty": lambda data: b"",
    "overwritten": lambda data: b"\x07" * len(data),
    "flipped-bit": lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
}


def import_kernel_module(directory: Path) -> tuple[str, str]:
    """Import `directory`/module.py in a process, and return its standard output and error."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(directory)}
    done = subprocess.run(
        [sys.executable, "-c", "import module"],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout, done.stderr
