"""`demo`: a tour with bundled examples, which are those of the documentation."""

from types import SimpleNamespace

import pytest

from dlx_numba.cli import demo
from tests.helpers import ROOT
from tests.helpers.processes import SOLVED, invoke, start

EXAMPLES = ROOT / "docs" / "examples"


@pytest.mark.compiled
@pytest.mark.processes
def test_tour(tmp_path):
    (tmp_path / "subsets.json").write_text("kept")

    def run_forked(command, *, cwd, env, check):
        with start(*command[3:], cwd=cwd, stdout=None, stderr=None) as process:
            return process

    def run_commands_forked():
        demo.subprocess = SimpleNamespace(run=run_forked)

    with start("demo", tmp_path, prepare=run_commands_forked) as process:
        out, err = process.communicate()
    assert process.returncode == 0
    assert [line[15:] for line in out.splitlines() if line.startswith("$ dlx-numba")] == [
        command[3:] for command in demo.TOUR.values()
    ]
    for text in (SOLVED, "\n0 3 4\n", "\nS1 S3\n", "\n724\n", "mon ann; tue bob; mon cy |11\n"):
        assert text in out
    assert err.splitlines()[-1] == f"The examples, page.html and picture.svg are in {tmp_path}."
    written = {path.name for path in tmp_path.iterdir()}
    examples = {path.name for path in EXAMPLES.iterdir() if path.is_file()}
    assert written == examples | {"page.html", "picture.svg"}
    assert (tmp_path / "knuth.txt").read_bytes() == (EXAMPLES / "knuth.txt").read_bytes()
    assert (tmp_path / "subsets.json").read_text() == "kept"


def test_errors(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("")
    assert invoke("demo", path, status=2)[1] == f"error: {path}: File exists\n"
    monkeypatch.setattr(demo, "EXAMPLES", (tmp_path / "absent",))
    assert "the examples are not installed" in invoke("demo", status=2)[1]
