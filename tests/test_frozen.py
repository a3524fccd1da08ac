"""The package in an archive, and without its sources: its stored kernels run without Numba."""

import compileall
import shutil
import sys
import zipapp
from pathlib import Path

import pytest

import dlx_numba
from dlx_numba.jit.compile import store
from dlx_numba.jit.library import supported_instruction_sets, write_library
from dlx_numba.jit.linking import link_libraries
from tests.helpers.kernels import needs_libraries
from tests.helpers.processes import run_python

pytestmark = [pytest.mark.compiled, pytest.mark.processes, needs_libraries]

PROGRAM = """
import sys
sys.modules["numba"] = None
import dlx_numba as dlx
from dlx_numba.runtime.files import bundled_directories
cover = dlx.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]])
print(cover.solve(), cover.count(method="memo"), dlx.solve_batch(["1" + "." * 15]).counts)
print(len(cover.explain(limit=1).html) > 1000, bundled_directories("data", "")[0].is_dir())
"""
EXPECTED = "a b; c\na; b c 2 [1]\nTrue True\n"


def stored_entries():
    """Return the machine code that the program needs."""
    cover = dlx_numba.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]])
    assert (len(cover.solve()), cover.count(method="memo")) == (2, 2)
    assert dlx_numba.solve_batch(["1" + "." * 15]).counts == [1]
    assert cover.explain(limit=1).html
    used = {key: stamp for key, stamp in store.used.items() if key.startswith("dlx_numba.")}
    return {key: store.find(key, stamp) for key, stamp in used.items()}


@pytest.fixture
def program(tmp_path):
    """A directory of the program, with the package as it is in a wheel."""
    package = Path(dlx_numba.__file__).parent
    copied = tmp_path / "program" / "dlx_numba"
    shutil.copytree(package, copied, ignore=shutil.ignore_patterns("__pycache__", "libraries"))
    shutil.copytree(package.parent / "data", copied / "data")
    (copied.parent / "__main__.py").write_text(PROGRAM)
    libraries = copied / "jit" / "libraries"
    libraries.mkdir()
    write_library(libraries / f"{supported_instruction_sets()[0]}.kernels", stored_entries())
    return copied.parent


def run(program, directory):
    cache = directory / "cache"
    done = run_python(program, cwd=directory, DLX_NUMBA_CACHE_DIR=str(cache))
    assert (done.stdout, done.stderr) == (EXPECTED, "")
    assert not cache.exists()


@pytest.mark.thorough
def test_an_archive_runs_stored_kernels(program, tmp_path):
    zipapp.create_archive(program, tmp_path / "program.pyz")
    shutil.rmtree(program)
    run(tmp_path / "program.pyz", tmp_path)


@pytest.mark.thorough
def test_a_package_without_sources_runs_stored_kernels(program, tmp_path):
    assert compileall.compile_dir(program, quiet=1, legacy=True)
    for path in program.rglob("*.py"):
        path.unlink()
    moved = program.rename(tmp_path / "moved")
    run(moved, tmp_path)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("ld") is None, reason="needs a linker")
def test_linked_kernels_run_without_llvmlite(program, tmp_path):
    libraries = program / "dlx_numba" / "jit" / "libraries"
    stored = libraries.rename(tmp_path / "stored")
    libraries.mkdir()
    link_libraries(stored, libraries)
    main = program / "__main__.py"
    main.write_text(
        PROGRAM.replace("import sys\n", 'import sys\nsys.modules["llvmlite"] = None\n', 1)
    )
    run(program, tmp_path)


def test_processors_have_the_same_features_without_llvmlite(monkeypatch):
    expected = supported_instruction_sets()
    for name in ("llvmlite", "llvmlite.binding"):
        monkeypatch.setitem(sys.modules, name, None)
    assert supported_instruction_sets() == expected


def test_an_error_names_the_package_that_is_missing(tmp_path):
    code = """
import sys
import dlx_numba as dlx
for name in ("llvmlite", "numba"):
    sys.modules[name] = None
    try:
        dlx.ExactCover([["a"]]).solve()
    except ModuleNotFoundError as error:
        print(error.name)
    del sys.modules[name]
"""
    done = run_python("-W", "error", "-c", code, DLX_NUMBA_CACHE_DIR=str(tmp_path))
    missing = [name.partition(".")[0] for name in done.stdout.split()]
    assert (missing, done.stderr) == (["llvmlite", "numba"], "")
