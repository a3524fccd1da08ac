"""The digest of the sources of kernels, and the checksum of cached files."""

import pytest

from dlx_numba.jit import validity
from dlx_numba.jit.validity import DamagedCacheError, with_checksum, without_checksum


def test_kernel_depends_on_the_sources_that_its_module_imports(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "kernels.py").write_text("from .constants import LIMIT\n")
    (package / "constants.py").write_text("LIMIT = 1\n")
    (package / "texts.py").write_text("")
    module = package / "kernels.py"
    assert validity.source_closure(module) == {module, package / "constants.py"}
    before = validity.source_digest(module)
    (package / "constants.py").write_text("LIMIT = 2\n")
    validity.source_digest.cache_clear()
    assert validity.source_digest(module) != before


def test_damaged_content_is_detected():
    for content in (b"", b"content"):
        data = with_checksum(content)
        assert without_checksum(data) == content
        for damaged in (data[:-1], data + b"x", b"", b"x" * 100, b"x" + data[1:]):
            with pytest.raises(DamagedCacheError):
                without_checksum(damaged)
