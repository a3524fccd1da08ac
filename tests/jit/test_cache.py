"""The disk cache of kernels, and its failure modes."""

import errno
import os
from zipfile import ZipFile

import numpy as np
import pytest
from numba.core.caching import NullCache

from dlx_numba.jit import cache
from dlx_numba.jit.compile import kernel
from tests.helpers.caches import DAMAGES, KERNEL_MODULE, import_kernel_module

pytestmark = pytest.mark.compiled


@kernel
def double(numbers):
    """Double the numbers in place and return how many there are."""
    for k in range(len(numbers)):
        numbers[k] *= 2
    return len(numbers)


def recompiled(function):
    """Return a new dispatcher for the function of a kernel."""
    return kernel(function.py_func)


def test_kernels_compile_without_a_writable_cache(monkeypatch):
    def no_locator(function):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(cache, "_PackageCache", no_locator)
    kernel = recompiled(double)
    numbers = np.ones(3)
    assert kernel(numbers) == 3
    assert numbers.tolist() == [2, 2, 2]
    assert not kernel.has_entries()


@pytest.mark.processes
def test_kernels_compile_in_a_zip_file(tmp_path):
    module = KERNEL_MODULE.format(name="Pair")
    with ZipFile(tmp_path / "kernels.zip", "w") as archive:
        archive.writestr("kernels.py", module)
    (tmp_path / "module.py").write_text(
        f"import sys; sys.path.insert(0, {str(tmp_path / 'kernels.zip')!r}); import kernels"
    )
    assert import_kernel_module(tmp_path) == ("6.0 compiled\n", "")


def test_full_disk_is_ignored_when_a_kernel_is_saved(monkeypatch, tmp_path):
    class Full(NullCache):
        def __init__(self, function):
            pass

        def save_overload(self, sig, cres):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache, "_PackageCache", Full)
    assert recompiled(double)(np.ones(3)) == 3


@pytest.mark.processes
def test_cache_is_valid_for_the_same_sources_only(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(KERNEL_MODULE.format(name="Pair"))
    assert import_kernel_module(tmp_path) == ("6.0 compiled\n", "")
    assert import_kernel_module(tmp_path) == ("6.0 cached\n", "")
    os.utime(path, (0, 0))  # the same source with another time stamp, as after an installation
    assert import_kernel_module(tmp_path) == ("6.0 cached\n", "")
    path.write_text(KERNEL_MODULE.format(name="Couple"))  # the cached type Pair no longer exists
    assert import_kernel_module(tmp_path) == ("6.0 compiled\n", "")


@pytest.mark.processes
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_cache_is_reported_and_compiled_again(tmp_path, suffix, damage):
    (tmp_path / "module.py").write_text(KERNEL_MODULE.format(name="Pair"))
    assert import_kernel_module(tmp_path) == ("6.0 compiled\n", "")
    [path] = tmp_path.rglob(f"*.{suffix}")
    path.write_bytes(damage(path.read_bytes()))
    out, err = import_kernel_module(tmp_path)
    assert out == "6.0 compiled\n"
    assert f"the cached machine code of total in {path.parent} is damaged" in err
    assert import_kernel_module(tmp_path) == ("6.0 cached\n", "")
