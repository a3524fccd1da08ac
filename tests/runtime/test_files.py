"""Files are replaced completely or not at all."""

import os
import stat
from unittest.mock import Mock

import pytest

from dlx_numba.runtime import files
from dlx_numba.runtime.files import replace_file, user_directory
from tests.helpers.hosts import in_threads


def test_existing_file_is_unchanged_after_an_error(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_errors_name_the_file_of_the_user(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        replace_file(tmp_path / "missing" / "file", b"new")
    assert caught.value.filename == str(tmp_path / "missing" / "file")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions and links")
def test_permissions_and_links_are_kept(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    replace_file(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX device")
def test_devices_are_written_directly():
    replace_file("/dev/null", b"discarded")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_threads_replace_the_same_file(tmp_path):
    path, contents = tmp_path / "file", [bytes([k]) * 100_000 * (k + 1) for k in range(4)]
    read = []

    def replace(k):
        for _ in range(10):
            replace_file(path, contents[k])
            read.append(path.read_bytes())

    in_threads(len(contents), replace)
    assert set(read) <= set(contents)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["n" * 255, "\U0001f600" * 63], ids=["ASCII", "Unicode"])
def test_names_may_be_as_long_as_the_system_allows(name, tmp_path):
    for content in (b"old", b"new"):
        replace_file(tmp_path / name, content)
        assert (tmp_path / name).read_bytes() == content
    assert len([*tmp_path.iterdir()]) == 1


def test_users_may_be_unknown(monkeypatch):
    unknown = Mock(side_effect=RuntimeError("Could not determine home directory."))
    for variable in ("DLX_NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(files.Path, "home", unknown)
    assert not user_directory().exists()
