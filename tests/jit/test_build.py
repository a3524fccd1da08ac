"""Kernels run whatever happens to interfaces of Numba that are not public."""

import pytest

from dlx_numba.jit.compile import uses_libraries
from tests.helpers.caches import import_kernel_module

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.processes,
    pytest.mark.skipif(not uses_libraries(), reason="not this processor, or a variable is set"),
]

# Breaks an interface, then calls a kernel of each kind, and prints the results.
PROGRAM = """
import sys, warnings
import numpy as np
import numba, llvmlite.binding
import numba.core.cgutils, numba.core.codegen

def broken(*arguments, **named):
    raise TypeError("broken")

def remove_module(package, name):
    delattr(package, name)
    sys.modules[f"{{package.__name__}}.{{name}}"] = None

def break_for_package(owner, name):
    original = getattr(owner, name)
    def maybe_broken(*arguments, **named):
        is_called_here = "dlx_numba" in sys._getframe(1).f_globals["__name__"]
        return (broken if is_called_here else original)(*arguments, **named)
    setattr(owner, name, maybe_broken)

numba.njit(lambda number: number)(1)  # Numba imports what it needs

warnings.simplefilter("always")
{sabotage}
from dlx_numba.jit import inlined, njit
from dlx_numba.jit.intrinsics import count_bits
from dlx_numba.jit.simd import lanes_equal, load, splat

@inlined
def count_one(number):
    return count_bits(number)

@njit
def count(numbers):
    total = 0
    for number in numbers:
        total += count_one(number)
    return total

@njit
def count_equal(rows, number):
    return count_bits(lanes_equal(load(rows, 1), splat(number)))

print(count(np.array([1, 3, 7], np.uint32)))
print(count_equal(np.full((2, 32), 5, np.uint16), 5))
"""

# Interfaces that are not public: at the import of the builder, when it runs, when its code is
# linked, and when its file is named
SABOTAGE = {
    "nothing": "",
    "no cgutils": "remove_module(numba.core, 'cgutils')",
    "_optimize_final_module": "break_for_package("
    "numba.core.codegen.CPUCodeLibrary, '_optimize_final_module')",
    "from_data": "break_for_package(llvmlite.binding.ObjectFileRef, 'from_data')",
    "get_host_cpu_features": "break_for_package(llvmlite.binding, 'get_host_cpu_features')",
}
ALWAYS_TESTED = "_optimize_final_module"


@pytest.mark.parametrize(
    "sabotage",
    [
        pytest.param(
            code,
            id=name,
            marks=[pytest.mark.slow if name == ALWAYS_TESTED else pytest.mark.thorough],
        )
        for name, code in SABOTAGE.items()
    ],
)
def test_failures_of_internal_interfaces_only_cost_time(tmp_path, sabotage):
    (tmp_path / "module.py").write_text(PROGRAM.format(sabotage=sabotage))
    out, err = import_kernel_module(tmp_path)
    assert out == "6\n32\n"
    text = "RuntimeWarning: the machine code of a kernel cannot be stored"
    assert (err.count("Warning:"), err.count(text)) == ((1, 1) if sabotage else (0, 0))
