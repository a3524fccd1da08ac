"""The cache of kernels on disk, across versions of the package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULE = """
from typing import NamedTuple
import numpy as np
from dlx_numba.policy import kernel

class {name}(NamedTuple):
    values: np.ndarray

@kernel
def total(pair):
    return pair.values.sum()

print(total({name}(np.arange(4.0))))
"""


@pytest.mark.processes
def test_what_another_version_has_cached_is_no_hindrance(tmp_path):
    path = tmp_path / "module.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    for name in ("Pair", "Couple"):  # the types of the first version are gone in the second
        path.write_text(MODULE.format(name=name))
        done = subprocess.run(
            [sys.executable, "-c", "import module"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.stdout == "6.0\n", done.stderr
