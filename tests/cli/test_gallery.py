"""`gallery`: listed, solved, drawn and exported problems."""

import re
from xml.etree import ElementTree

import pytest

from dlx_numba.gallery import GALLERY, Queens
from dlx_numba.search.search import Search
from tests.helpers.pages import read_record
from tests.helpers.processes import invoke

pytestmark = pytest.mark.compiled


def test_list_of_all_problems():
    out, _ = invoke("gallery")
    assert re.findall(r"^([\w-]+) ", out, re.MULTILINE) == list(GALLERY)
    assert "\n              n=8\n" in out


def test_solutions_and_statistics():
    out, err = invoke("gallery", "queens", "n=6")
    assert [line.count("Q") for line in out.splitlines()] == [1] * 6
    assert "(36 options, 12 items to cover, 22 optional, 144 entries)" in err
    assert "Limited to 1 solution, " in err
    assert invoke("gallery", "queens", "n=6", "--count")[0] == "4\n"
    assert invoke("gallery", "queens", "n=6", "--count", "--limit", 3)[0] == "3\n"


def test_solutions_of_lowest_cost_come_first():
    flights = "schedule=A0600-B0700,B0800-A0900,A1000-B1100,B1200-A1300"
    arguments = ("gallery", "flights", flights, "base=A", "--limit")
    out, err = invoke(*arguments, 2)
    assert out == "06:00-13:00  A B A B A\n\n06:00-09:00  A B A\n10:00-13:00  A B A\n"
    assert invoke(*arguments, "all")[0].startswith(out)
    assert "Its cost is 480.\nIts cost is 720.\n" in err


def test_no_solution():
    out, err = invoke("gallery", "queens", "n=3", status=1)
    assert out == ""
    assert "There is no solution." in err
    assert "`dlx-numba gallery queens n=3 --knuth | dlx-numba diagnose -`" in err
    assert invoke("gallery", "queens", "n=3", "--count", status=1)[0] == "0\n"
    _, err = invoke("gallery", "tilings", "region=3x3", status=1)
    assert "There is no cover: each option contains an even number of 9 items" in err


def test_picture_in_a_file_or_on_standard_output(tmp_path):
    path = tmp_path / "queens.svg"
    out, _ = invoke("gallery", "queens", "--svg", path)
    assert out.count("Q") == 8
    drawn = path.read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert invoke("gallery", "queens", "--svg", "-")[0] == drawn
    absent = tmp_path / "absent" / "queens.svg"
    assert f"{absent}: No such file" in invoke("gallery", "queens", "--svg", absent, status=2)[1]


def test_sample_is_repeated_with_its_seed():
    arguments = ("gallery", "matchings", "graph=K4,4", "--sample", 40, "--seed", 1)
    out, err = invoke(*arguments)
    assert len(out.split("\n\n")) == 40
    assert "(16 options, 8 items, 32 entries)\nAltogether 24 solutions, a diagram of " in err
    assert invoke(*arguments)[0] == out


def test_a_sample_that_needs_more_memory_is_rejected(monkeypatch):
    arguments = ("gallery", "words", "--sample", 2)
    expected = "error: --sample: the diagram needs more than 1,000,000 bytes: "
    assert expected in invoke(*arguments, "--memory", "1000000", status=2)[1]
    monkeypatch.setattr("dlx_numba.cli.gallery.SAMPLE_MEMORY", 10**6)
    assert expected in invoke(*arguments, status=2)[1]


def test_about():
    out, _ = invoke("gallery", "queens", "--about")
    assert "Items: each row" in out
    assert ">>>" not in out


def test_time_limit(tmp_path):
    """A lower bound is not printed, and a count can be continued."""
    saved = ("--checkpoint", tmp_path / "saved")
    arguments = ("gallery", "queens", "n=20", "--count", "--seconds", 0, "--quiet")
    for options in ((), saved, ("--up-to-symmetry",)):
        out, err = invoke(*arguments, *options, status=3)
        assert (out, err) == ("", "There are at least 0 covers.\n")
    assert Search.load(saved[1]).solutions == 0
    arguments = ("gallery", "queens", "n=20", "--sample", 1, "--seconds", 0)
    assert invoke(*arguments, status=3)[0] == ""
    arguments = ("gallery", "queens", "n=20", "--limit", "all", "--seconds", 0.05)
    assert "topped after" in invoke(*arguments, status=3)[1]
    page = ("--explain", tmp_path / "page.html", "--seconds", 0)
    for options in (("hotel", "--seconds", 0), ("queens", *page), ("hotel", *page)):
        out, err = invoke("gallery", *options, status=3)
        assert "topped before" in err
    assert not page[1].exists()


def test_count_is_resumed_from_a_checkpoint(tmp_path):
    saved = tmp_path / "saved"
    arguments = ("gallery", "queens", "--count", "--checkpoint", saved)
    Queens(8).cover().search().save(saved)
    assert "contains an unfinished search" in invoke(*arguments, status=2)[1]
    out, err = invoke(*arguments, "--resume")
    assert (out, "(resuming: " in err) == ("92\n", True)
    assert "another problem" in invoke(*arguments, "n=9", "--resume", status=2)[1]
    err = invoke("gallery", "queens", "--checkpoint", saved, status=2)[1]
    assert "--checkpoint needs --count" in err


def test_page_has_a_title(tmp_path):
    page = tmp_path / "page.html"
    arguments = ("gallery", "queens", "n=4", "--explain", page)
    invoke(*arguments)
    assert "<title>queens n=4 " in page.read_text(encoding="utf-8")
    invoke(*arguments, "--title", "Four queens")
    assert "<title>Four queens " in page.read_text(encoding="utf-8")
    shown = invoke(*arguments, "--steps", 9, "--choose", "leftmost")[1]
    assert "9 steps" in shown
    assert (
        "it is the leftmost item"
        in read_record(page.read_text(encoding="utf-8"))["steps"][1]["text"]
    )
