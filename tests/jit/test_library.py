"""Kernel libraries: when their machine code is valid, and damaged or foreign files."""

import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.calling import Entry
from dlx_numba.jit.compile import Kernel, uses_libraries
from dlx_numba.jit.library import Library, Store, supported_instruction_sets, write_library
from scripts.fuzzing.mutations import mutate
from tests.helpers.caches import KERNEL_MODULE, import_kernel_module
from tests.helpers.kernels import length, stored_kernel

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not uses_libraries(), reason="not this processor, or a variable is set"),
]

ENTRIES = {
    "module.first('int64',)": Entry("stamp", "symbol1", "i", b"code of the first"),
    "module.second(None,)": Entry("stamp", "symbol2", "(bf", b"code of the second"),
}


def test_libraries_contain_what_was_written_or_nothing(tmp_path):
    path = tmp_path / "test.kernels"
    write_library(path, ENTRIES)
    assert Library(path).entries() == ENTRIES
    for key, entry in ENTRIES.items():
        assert Library(path).find(key, "stamp") == entry
        assert Library(path).find(key, "another stamp") is None
    assert Library(path).find("module.third()", "stamp") is None
    data, rng = path.read_bytes(), random.Random(0)
    truncated = [data[:size] for size in range(0, len(data), 5)]
    for content in truncated + [mutate(data, rng) for _ in range(300)]:
        path.write_bytes(content)
        assert Library(path).entries().items() <= ENTRIES.items()
    path.unlink()
    assert Library(path).entries() == {}


def test_code_that_others_can_write_is_not_trusted(directory, compiled, monkeypatch):
    def n_compiled():
        assert Kernel(length)(np.zeros(3)) == 3
        return len(compiled)

    assert n_compiled() == n_compiled() == 1
    directory.chmod(0o775)
    assert n_compiled() == 2
    directory.chmod(0o700)
    assert n_compiled() == 2
    [file] = directory.iterdir()
    file.chmod(0o666)
    assert n_compiled() == 3
    file.chmod(0o600)
    assert n_compiled() == 3
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert n_compiled() == 4


def test_kernels_of_the_user_come_before_those_of_the_package(tmp_path):
    key = "module.function()"
    user, package = tmp_path / "user", tmp_path / "package"
    names = supported_instruction_sets()

    def found():
        entry = Store(user, lambda: package).find(key, "stamp")
        return entry and entry.code.decode()

    assert found() is None
    package.mkdir()
    expected = []
    for name in reversed(names):
        write_library(package / f"{name}.kernels", {key: Entry("stamp", "s", "i", name.encode())})
        expected.append(found())
    assert expected == names[::-1]
    write_library(package / f"{names[0]}.kernels", {key: Entry("old", "s", "i", b"outdated")})
    assert found() == (names[1] if len(names) > 1 else None)
    Store(user).keep(key, Entry("stamp", "s", "i", b"compiled at run time"))
    assert found() == "compiled at run time"
    assert Store(tmp_path / "other").find(key, "stamp") is None


def test_libraries_state_stamps_of_unreadable_sources(directory, compiled, monkeypatch, tmp_path):
    kernel = stored_kernel(length, np.zeros(3))
    [file] = directory.iterdir()
    package = tmp_path / "package"
    for name in supported_instruction_sets():
        package.mkdir(exist_ok=True)
        write_library(package / f"{name}.kernels", Library(file).entries())
    code = length.__code__.replace(co_filename="archive.pyz/length.py")
    frozen = FunctionType(code, globals(), "length")
    frozen.__module__ = length.__module__
    for path, stamp in ((package, kernel.stamp), (tmp_path / "none", None)):
        monkeypatch.setattr(jit_compile, "store", Store(tmp_path / "user", path.absolute))
        again = Kernel(frozen)
        assert (again.stamp, again(np.zeros(3))) == (stamp, 3)
    assert compiled == ["length"]


@pytest.mark.processes
@pytest.mark.thorough
def test_several_processes_compile_once(tmp_path):
    (tmp_path / "module.py").write_text(KERNEL_MODULE)
    with ThreadPoolExecutor(2) as pool:
        printed = [*pool.map(lambda _: import_kernel_module(tmp_path)[0], range(2))]
    assert sorted(printed) == ["6.0 compiled\n", "6.0 stored\n"]
    assert not [*tmp_path.glob("*.lock")]


def test_code_of_other_sources_or_without_its_function_is_compiled_again(directory, compiled):
    kernel = stored_kernel(length, np.zeros(3))
    kernel.stamp = "the digest of other sources"
    assert kernel(np.zeros(3)) == 3
    assert compiled == ["length", "length"]
    for file in directory.iterdir():
        [(key, entry)] = Library(file).entries().items()
        write_library(file, {key: entry._replace(symbol="unknown")})
    assert Kernel(length)(np.zeros(3)) == 3
    assert compiled == ["length"] * 3


def test_storage_is_optional(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("not a directory")
    for directory in (file / "cache", "/dev/null/cache"):
        monkeypatch.setattr(jit_compile, "store", Store(Path(directory)))
        assert Kernel(length)(np.zeros(3)) == 3
    assert file.read_text() == "not a directory"
