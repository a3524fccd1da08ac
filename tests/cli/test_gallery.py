"""The gallery's command through real processes."""

import re
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import pytest

from dlx_numba.gallery import GALLERY
from tests.helpers import ROOT
from tests.helpers.processes import run

pytestmark = pytest.mark.processes


def test_the_list_names_all_with_their_parameters():
    out, _ = run("gallery")
    assert re.findall(r"^(\w+) ", out, re.MULTILINE) == list(GALLERY)
    assert "\n             n=8\n" in out


def test_a_solution_is_printed_and_told_of():
    out, err = run("gallery", "queens", "n=6")
    assert [line.count("Q") for line in out.splitlines()] == [1] * 6
    assert "(36 options, 12+22 items, 144 entries)" in err
    assert "Altogether 1 solution, " in err
    out, _ = run("gallery", "queens", "n=6", "--limit", 9)
    assert out.count("\n\n") == 3
    assert run("gallery", "queens", "n=6", "--count")[0] == "4\n"
    assert run("gallery", "queens", "n=6", "--count", "--limit", 3)[0] == "3\n"


def test_a_seed_makes_another_solution():
    first = run("gallery", "queens")[0]
    seeded = [run("gallery", "queens", "--seed", seed)[0] for seed in (1, 1, 2, 3)]
    assert seeded[0] == seeded[1]
    assert len({first, *seeded}) > 2


def test_where_options_have_costs_the_cheapest_come_first():
    flights = "schedule=A0600-B0700,B0800-A0900,A1000-B1100,B1200-A1300"
    out, err = run("gallery", "flights", flights, "base=A", "--limit", 2)
    assert out == "06:00-13:00  A B A B A\n\n06:00-09:00  A B A\n10:00-13:00  A B A\n"
    assert "It costs 480.\nIt costs 720.\n" in err


def test_no_solution():
    out, err = run("gallery", "queens", "n=3", status=1)
    assert out == ""
    assert "There is no solution." in err
    assert run("gallery", "queens", "n=3", "--count", status=1)[0] == "0\n"


def test_a_picture_goes_to_a_file_or_to_standard_output(tmp_path):
    path = tmp_path / "queens.svg"
    out, _ = run("gallery", "queens", "--svg", path)
    assert out.count("Q") == 8
    drawn = path.read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert run("gallery", "queens", "--svg", "-")[0] == drawn
    assert "there is no picture" in run("gallery", "latin", "--svg", "-", status=2)[1]
    absent = tmp_path / "absent" / "queens.svg"
    assert f"{absent}: No such file" in run("gallery", "queens", "--svg", absent, status=2)[1]


def test_knuths_text_is_what_cover_reads():
    text, err = run("gallery", "langford", "n=7", "symmetry=no", "--knuth")
    assert err == ""
    assert text.startswith("number,1 number,2 ")
    assert run("cover", "--count", "-", stdin=text)[0] == "26\n"
    coloured = run("gallery", "words", "rows=2", "columns=2", "words=NO,ON", "--knuth")[0]
    assert run("cover", "--count", "-", stdin=coloured)[0] == "84\n"


def test_what_an_entry_is_about():
    out, _ = run("gallery", "queens", "--about")
    assert "Items: each row" in out
    assert ">>>" not in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["quens"], "error: no problem 'quens' in the gallery; there are: queens, dominate, "),
        (["quens", "--about"], "error: no problem 'quens' in the gallery; there are: queens, "),
        (["queens", "n=0"], "error: queens: n must be from 1 to 40, not 0"),
        (["queens", "m=1"], "error: queens: unknown parameter 'm'; valid parameters: n=8"),
        (["queens", "--limit", "0"], "--limit"),
        (["queens", "--knuth", "--count"], "error: --knuth does not solve: it goes with none of"),
        (["queens", "--svg", "-", "--count"], "error: --count finds nothing to draw"),
    ],
)
def test_errors_say_what_is_possible(arguments, reason):
    out, err = run("gallery", *arguments, status=2)
    assert out == ""
    assert reason in err


def test_an_interrupted_run_says_so():
    process = subprocess.Popen(
        [sys.executable, "-m", "dlx_numba", "gallery", "queens", "n=30", "--count"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stderr is not None
    while b"items" not in process.stderr.readline():  # it may have to compile first
        pass
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in err
