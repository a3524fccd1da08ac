"""Stored machine code on disk: when it is valid, and its failures."""

import llvmlite.binding as llvm
import numpy as np
import pytest

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit import entry_cache, entry_point
from dlx_numba.jit.entry_cache import EntryPointCache, is_supported
from tests.helpers.caches import DAMAGES, DEFERRED_KERNEL_MODULE, import_kernel_module
from tests.helpers.kernels import deferred_kernel, length, runs_without_numba, stored_kernel

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.usefixtures("directory"),
    pytest.mark.skipif(not is_supported(), reason="not this processor, or a variable is set"),
]


def test_nothing_else_is_left_in_the_directory(directory):
    stored_kernel(length, np.zeros(3))
    suffixes = {path.suffix for path in directory.rglob("*") if path.is_file()}
    assert suffixes <= {".entry", ".nbi", ".nbc"}


@pytest.mark.parametrize(
    "name", ["_platform_digest", "_interface", "_version_file", "source_digest"]
)
def test_entry_points_are_valid_for_one_machine_and_version(name, monkeypatch):
    stored_kernel(length, np.zeros(3))
    monkeypatch.setattr(entry_cache, name, lambda *arguments: "other")
    kernel = deferred_kernel(length)
    assert not EntryPointCache(length).has_entry_point()
    assert kernel(np.zeros(3)) == 3
    assert kernel._dispatcher is not None
    kernel = deferred_kernel(length)
    assert kernel(np.zeros(3)) == 3
    assert runs_without_numba(kernel)


@pytest.mark.parametrize(
    "name",
    ["get_host_cpu_features", "llvm_version_info", "ObjectFileRef", "create_mcjit_compiler"],
)
def test_numba_takes_over_if_llvmlite_lacks_an_interface(name, monkeypatch):
    stored_kernel(length, np.zeros(3))
    monkeypatch.setattr(entry_cache, "_platform_digest", entry_cache._platform_digest.__wrapped__)
    monkeypatch.setattr(entry_point, "_linked", [])
    kernel = deferred_kernel(length)
    monkeypatch.delattr(llvm, name)
    assert jit_compile.without_delay(kernel)(np.zeros(3)) == 3
    assert kernel(np.zeros(3)) == 3
    assert not runs_without_numba(kernel)


def test_entry_points_are_optional(monkeypatch, directory):
    def fail(*arguments, **options):
        raise OSError

    for owner, name in (
        (entry_cache.EntryPointCache, "save"),
        (entry_cache.Path, "mkdir"),
        (entry_cache.os, "access"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, fail)
            assert deferred_kernel(length)(np.zeros(3)) == 3
    assert not [*directory.rglob("*.entry")]


@pytest.mark.parametrize(
    "variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME", "NUMBA_OPT"]
)
def test_variables_of_numba_have_their_effects(variable, monkeypatch):
    monkeypatch.setenv(variable, "1")
    assert not is_supported()


def test_configuration_file_of_numba_has_its_effects(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert is_supported()
    (tmp_path / ".numba_config.yaml").write_text("boundscheck: 1\n")
    assert not is_supported()


@pytest.mark.processes
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_entry_point_is_replaced(tmp_path, damage):
    (tmp_path / "module.py").write_text(DEFERRED_KERNEL_MODULE.format(name="Pair"))
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
    assert import_kernel_module(tmp_path) == ("6.0 stored\n", "")
    [path] = tmp_path.rglob("*.entry")
    path.write_bytes(damage(path.read_bytes()))
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
    assert import_kernel_module(tmp_path) == ("6.0 stored\n", "")


@pytest.mark.processes
def test_entry_point_is_valid_for_the_same_sources_only(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(DEFERRED_KERNEL_MODULE.format(name="Pair"))
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
    module.write_text(DEFERRED_KERNEL_MODULE.format(name="Pair").replace(".sum()", ".sum() + 1"))
    assert import_kernel_module(tmp_path) == ("7.0 numba\n", "")
    assert import_kernel_module(tmp_path) == ("7.0 stored\n", "")


@pytest.mark.processes
@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_configured_numba_takes_the_place_of_entry_points(tmp_path, variable, monkeypatch):
    (tmp_path / "module.py").write_text(DEFERRED_KERNEL_MODULE.format(name="Pair"))
    import_kernel_module(tmp_path)
    monkeypatch.setenv(variable, "1")
    assert import_kernel_module(tmp_path) == ("6.0 numba\n", "")
