"""Files that grow beside their names, and are continued by other runs."""

import json
import os

import pytest

from dlx_numba.runtime.partial_file import PartialFile, is_streamed

ORIGIN = {"command": "solve", "puzzles.txt": "85 bytes"}


def write(part, text, records):
    part.raw.write(text)
    part.mark({"written": records})


def content(path):
    with open(path) as file:
        return file.read()


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "file")


def test_the_file_has_its_name_when_it_is_complete(path):
    with open(path, "w") as file:
        file.write("before")
    os.chmod(path, 0o600)
    part = PartialFile(path, ORIGIN)
    write(part, b"after", 1)
    assert content(path) == "before"
    part.complete()
    assert content(path) == "after"
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.listdir(os.path.dirname(path)) == ["file"]


def test_what_follows_the_last_mark_is_written_again(path):
    part = PartialFile(path, ORIGIN)
    write(part, b"1\n", 1)
    part.raw.write(b"half of")
    part.close()
    part = PartialFile(path, ORIGIN, resume=True)
    assert part.progress == {"written": 1}
    write(part, b"2\n", 2)
    part.complete()
    assert content(path) == "1\n2\n"


def test_a_file_without_records_is_removed(path):
    assert PartialFile(path, ORIGIN).close() is False
    assert os.listdir(os.path.dirname(path)) == []


def test_a_run_that_has_written_nothing_so_far_is_continued(path):
    part = PartialFile(path, ORIGIN)
    part.mark({"written": 0, "done": 5})
    assert part.close()
    with pytest.raises(ValueError, match=r"file.part has 0 records of an unfinished run"):
        PartialFile(path, ORIGIN)
    part = PartialFile(path, ORIGIN, resume=True)
    assert part.progress == {"written": 0, "done": 5}
    assert part.close()
    os.unlink(part.part)  # as the message advises
    part = PartialFile(path, ORIGIN)
    assert part.progress == {}
    part.close()
    assert os.listdir(os.path.dirname(path)) == []


def test_an_unfinished_file_is_neither_overwritten_nor_mixed_with_another_run(path):
    part = PartialFile(path, ORIGIN)
    write(part, b"1\n", 1)
    part.close()
    with pytest.raises(ValueError, match=r"file.part has 1 record of an unfinished run"):
        PartialFile(path, ORIGIN)
    for other, reason in (
        ({**ORIGIN, "--limit": "2"}, "--limit was absent, and is 2"),
        ({**ORIGIN, "command": "rate"}, "command was solve, and is rate"),
        ({"command": "solve"}, "puzzles.txt was 85 bytes, and is absent"),
    ):
        with pytest.raises(ValueError, match=f"file.part is of another run: {reason}"):
            PartialFile(path, other, resume=True)
    PartialFile(path, ORIGIN, resume=True).complete()
    assert content(path) == "1\n"


def test_a_run_that_cannot_be_continued_is_replaced(path):
    part = PartialFile(path)
    write(part, b"1\n", 1)
    part.close()
    with pytest.raises(ValueError, match="of a run that cannot be continued"):
        PartialFile(path, ORIGIN, resume=True)
    part = PartialFile(path, ORIGIN)
    assert (part.size, part.progress) == (0, {})
    part.close()


def test_only_one_process_writes_a_file(path):
    part = PartialFile(path, ORIGIN)
    with pytest.raises(ValueError, match=r"file.part: another process is writing this file"):
        PartialFile(path, ORIGIN, resume=True)
    part.complete()
    PartialFile(path, ORIGIN).complete()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2, "program": "dlx_numba 9.1"}, "was written by dlx_numba 9.1, which"),
        ({"format": "another"}, "is damaged; remove both files"),
        (None, "exists, and is not known to be an unfinished output; remove"),
        ({"bytes": 100}, "has lost records"),
    ],
)
def test_other_files_are_left_alone(path, change, reason):
    part = PartialFile(path, ORIGIN)
    write(part, b"1\n", 1)
    part.close()
    if change is None:
        os.unlink(part.sidecar)
    else:
        with open(part.sidecar) as file:
            saved = json.load(file)
        with open(part.sidecar, "w") as file:
            json.dump(saved | change, file)
    for _ in range(2):
        with pytest.raises(ValueError, match=reason):
            PartialFile(path, ORIGIN, resume=True)
    with open(part.part) as file:
        assert file.read() == "1\n"


@pytest.mark.parametrize(
    "wrong",
    [{"bytes": "1"}, {"bytes": -1}, {"state": "x"}, {"state": {"written": "x"}}, {"origin": 1}],
)
def test_fields_of_another_type_or_range_are_damaged(path, wrong):
    check_damaged(path, lambda saved: saved.update(wrong))


@pytest.mark.parametrize("missing", ["format", "version", "program", "bytes", "state", "origin"])
def test_missing_fields_are_damaged(path, missing):
    check_damaged(path, lambda saved: saved.pop(missing))


def check_damaged(path, change):
    part = PartialFile(path, ORIGIN)
    write(part, b"1\n", 1)
    part.close()
    with open(part.sidecar) as file:
        saved = json.load(file)
    saved["bytes"] = 0  # so that the state is read, too
    change(saved)
    with open(part.sidecar, "w") as file:
        json.dump(saved, file)
    with pytest.raises(ValueError, match=r"file.part.json is damaged; remove both files"):
        PartialFile(path, ORIGIN, resume=True)


def test_a_kill_after_the_last_step_but_one_leaves_a_complete_file(path):
    part = PartialFile(path, ORIGIN)
    write(part, b"1\n", 1)
    with open(part.sidecar) as file:
        saved = file.read()
    part.complete()
    with open(part.sidecar, "w") as file:
        file.write(saved)
    part = PartialFile(path, ORIGIN)
    assert (part.size, part.progress) == (0, {})
    part.close()
    assert os.listdir(os.path.dirname(path)) == ["file"]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX devices, pipes and links")
def test_devices_and_pipes_are_written_directly_and_links_are_followed(path, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert all(map(is_streamed, ("-", "/dev/null", str(tmp_path / "pipe"))))
    os.symlink(path, tmp_path / "link")
    assert not is_streamed(str(tmp_path / "link"))
    part = PartialFile(str(tmp_path / "link"), ORIGIN)
    write(part, b"1\n", 1)
    part.complete()
    assert os.path.islink(tmp_path / "link")
    assert content(path) == "1\n"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX links")
def test_messages_name_the_file_that_grows_beside_the_target_of_a_link(path, tmp_path):
    os.symlink(path, tmp_path / "link")
    part = PartialFile(str(tmp_path / "link"), ORIGIN)
    assert part.shown == os.path.realpath(path) + ".part"
    write(part, b"1\n", 1)
    part.close()
    with pytest.raises(ValueError, match=rf"^{part.part} has 1 record"):
        PartialFile(str(tmp_path / "link"), ORIGIN)
