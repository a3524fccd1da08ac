"""`gallery`, and examples in place of files."""

import os
import re
import signal

import pytest

from dlx_numba import example
from dlx_numba.puzzles.registry import KINDS
from dlx_numba.runtime.text import plural
from tests.helpers.hosts import wait_until
from tests.helpers.processes import invoke, start

pytestmark = pytest.mark.compiled


def test_list_of_all_kinds():
    out, _ = invoke("gallery")
    assert re.findall(r"^([\w-]+) ", out, re.MULTILINE) == list(KINDS)
    assert "\n              n=8\n" in out
    assert "\n              reads " in out


def test_solutions_and_verdicts():
    out, err = invoke("solve", "queens:n=6")
    drawn = example("queens", n=6).text(example("queens", n=6).first())
    assert out == f"{drawn}\n# 2 or more solutions\n"
    assert invoke("solve", "queens:n=6", "--limit", 3)[0].endswith("# 3 or more solutions\n")
    assert invoke("solve", "queens:n=6", "--limit", "all")[0].endswith("# 4 solutions\n")
    assert "1 puzzle with several solutions, read as an example of its kind (" in err
    assert invoke("count", "queens:n=6", "--limit", 3)[0] == "3\n"
    assert invoke("solve", "--limit", "all", "queens:n=6")[0].count("Q") == 24


def test_no_solution():
    out, _ = invoke("solve", "queens:n=3", status=1)
    assert out == "# no solution\n"
    assert invoke("count", "queens:n=3", status=1)[0] == "0\n"
    out, _ = invoke("solve", "tilings:region=3x3", status=1)
    assert out.startswith("# no solution: There is no cover: ")


def test_picture_in_a_file_or_on_standard_output(tmp_path):
    path, absent = tmp_path / "queens.svg", tmp_path / "absent" / "queens.svg"
    assert invoke("solve", "queens", "--svg", path)[0].count("Q") == 8
    drawn, _ = invoke("solve", "queens", "--svg", "-")
    assert drawn.startswith("<svg")
    assert path.read_text(encoding="utf-8") == drawn
    assert f"{absent}: No such file" in invoke("solve", "queens", "--svg", absent, status=2)[1]


def test_commands_take_examples_in_place_of_files(tmp_path):
    sample = ("sample", "matchings:graph=K4,4", "-n", 40, "--seed", 1, "-f", "drawing")
    out, err = invoke(*sample)
    assert len(out.split("\n\n")) == 41
    assert "(16 options, 8 items, 32 entries, read as an example of its kind)" in err
    assert invoke(*sample)[0] == out
    page = tmp_path / "page.html"
    invoke("explain", "queens:n=4", "-o", page, "--title", "Four queens")
    assert "<title>Four queens " in page.read_text(encoding="utf-8")
    assert invoke("show", "queens:n=4")[0] == ". . . .\n" * 4
    for command in ("solve", "count"):
        assert "n must be from 1 to 40, not 99" in invoke(command, "queens:n=99", status=2)[1]


def test_a_file_has_precedence_over_an_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queens").write_text("a b\na\nb\n")
    assert invoke("count", "queens")[0] == "1\n"
    assert invoke("count", "queens:n=6")[0] == "4\n"


def test_description_of_a_kind():
    out, _ = invoke("gallery", "queens")
    assert ("Items: each row" in out, ">>>" in out) == (True, False)
    assert invoke("gallery", "cover")[0].startswith("Exact cover problems")


def test_time_limit():
    """A lower bound is not printed."""
    for options in ((), ("--up-to-symmetry",)):
        stopped = invoke("count", "queens:n=20", "--seconds", 0, "--quiet", *options, status=3)
        assert stopped == ("", "There are at least 0 covers.\n")
    assert "not decided" in invoke("solve", "queens:n=20", "--seconds", 0, status=3)[0]


@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="sends Unix signals")
def test_interrupted_solve_says_how_many_solutions_are_written(tmp_path):
    queens, sheet = example("queens", n=16), tmp_path / "sheet.html"
    written = tmp_path / "solutions.txt"
    with open(written, "w") as file:
        process = start("solve", "--limit", "all", "--sheet", sheet, "queens:n=16", stdout=file)
    wait_until(lambda: written.stat().st_size)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    *boards, verdict = written.read_text().replace("\n# ", "\n\n# ").strip().split("\n\n")
    assert verdict == f"# interrupted after {plural(len(boards), 'solution')}"
    found = queens.solutions()
    assert all(board == queens.text(next(found)) for board in boards)
    assert "1 puzzle read as an example of its kind: 1 interrupted" in err
    assert "</html>" in sheet.read_text()
