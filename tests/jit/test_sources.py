"""The digest of the sources of kernels."""

from dlx_numba.jit import sources


def test_kernel_depends_on_the_sources_that_its_module_imports(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "kernels.py").write_text("from .constants import LIMIT\n")
    (package / "constants.py").write_text("LIMIT = 1\n")
    (package / "texts.py").write_text("")
    module = package / "kernels.py"
    assert sources.source_closure(module) == {module, package / "constants.py"}
    before = sources.source_digest(module)
    (package / "constants.py").write_text("LIMIT = 2\n")
    sources.source_digest.cache_clear()
    assert sources.source_digest(module) != before
