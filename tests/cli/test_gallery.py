"""`gallery`: listed, solved, drawn and exported problems."""

import re

import pytest

from dlx_numba import example
from dlx_numba.kinds.kind import examples
from dlx_numba.search.search import Search
from tests.helpers.pages import read_record
from tests.helpers.processes import invoke

pytestmark = pytest.mark.compiled


def test_list_of_all_problems():
    out, _ = invoke("gallery")
    assert re.findall(r"^([\w-]+) ", out, re.MULTILINE) == list(examples())
    assert "\n              n=8\n" in out


def test_solutions_and_statistics():
    out, err = invoke("gallery", "queens", "n=6")
    assert out == example("queens", n=6).text(example("queens", n=6).cover().solve(1)[0]) + "\n"
    assert "(36 options, 12 items to cover, 22 optional, 144 entries)" in err
    assert "Limited to 1 solution, " in err
    assert invoke("gallery", "queens", "n=6", "--count", "--limit", 3)[0] == "3\n"


def test_no_solution():
    out, err = invoke("gallery", "queens", "n=3", status=1)
    assert (out, "There is no solution." in err) == ("", True)
    assert "`dlx-numba gallery queens n=3 --knuth | dlx-numba diagnose -`" in err
    assert invoke("gallery", "queens", "n=3", "--count", status=1)[0] == "0\n"
    _, err = invoke("gallery", "tilings", "region=3x3", status=1)
    assert "There is no cover: each option contains an even number of 9 items" in err


def test_picture_in_a_file_or_on_standard_output(tmp_path):
    path, absent = tmp_path / "queens.svg", tmp_path / "absent" / "queens.svg"
    assert invoke("gallery", "queens", "--svg", path)[0].count("Q") == 8
    drawn, _ = invoke("gallery", "queens", "--svg", "-")
    assert drawn.startswith("<svg")
    assert path.read_text(encoding="utf-8") == drawn
    assert f"{absent}: No such file" in invoke("gallery", "queens", "--svg", absent, status=2)[1]


def test_sample_is_repeated_with_its_seed():
    arguments = ("gallery", "matchings", "graph=K4,4", "--sample", 40, "--seed", 1)
    out, err = invoke(*arguments)
    assert len(out.split("\n\n")) == 40
    assert "(16 options, 8 items, 32 entries)\nAltogether 24 solutions, a diagram of " in err
    assert invoke(*arguments)[0] == out


def test_a_sample_that_needs_more_memory_is_rejected(monkeypatch):
    monkeypatch.setattr("dlx_numba.cli.gallery.SAMPLE_MEMORY", 2 * 10**6)
    for options, limit in (((), "2,000,000"), (("--memory", "1000000"), "1,000,000")):
        _, err = invoke("gallery", "words", "--sample", 2, *options, status=2)
        assert f"error: --sample: the diagram needs more than {limit} bytes: " in err


def test_about():
    out, _ = invoke("gallery", "queens", "--about")
    assert ("Items: each row" in out, ">>>" in out) == (True, False)


def test_time_limit(tmp_path):
    """A lower bound is not printed, and a count can be continued."""
    saved = ("--checkpoint", tmp_path / "saved")
    arguments = ("gallery", "queens", "n=20", "--count", "--seconds", 0, "--quiet")
    for options in ((), saved, ("--up-to-symmetry",)):
        stopped = invoke(*arguments, *options, status=3)
        assert stopped == ("", "There are at least 0 covers.\n")
    assert Search.load(saved[1]).solutions == 0
    assert invoke("gallery", "queens", "n=20", "--sample", 1, "--seconds", 0, status=3)[0] == ""
    arguments = ("gallery", "queens", "n=20", "--limit", "all", "--seconds", 0.05)
    assert "topped after" in invoke(*arguments, status=3)[1]
    page = ("--explain", tmp_path / "page.html")
    for options in (("hotel",), ("queens", *page), ("hotel", *page)):
        assert "topped before" in invoke("gallery", *options, "--seconds", 0, status=3)[1]
    assert not page[1].exists()


def test_count_is_resumed_from_a_checkpoint(tmp_path):
    saved = tmp_path / "saved"
    arguments = ("gallery", "queens", "--count", "--checkpoint", saved)
    example("queens", n=8).cover().search().save(saved)
    assert "contains an unfinished search" in invoke(*arguments, status=2)[1]
    out, err = invoke(*arguments, "--resume")
    assert (out, "(resuming: " in err) == ("92\n", True)


def test_page_has_a_title(tmp_path):
    page = tmp_path / "page.html"
    arguments = ("gallery", "queens", "n=4", "--explain", page)
    invoke(*arguments)
    assert "<title>queens n=4 " in page.read_text(encoding="utf-8")
    invoke(*arguments, "--title", "Four queens", "--steps", 9, "--choose", "leftmost")
    html = page.read_text(encoding="utf-8")
    assert "<title>Four queens " in html
    steps = read_record(html)["steps"]
    assert (len(steps), "it is the leftmost item" in steps[1]["text"]) == (9, True)
