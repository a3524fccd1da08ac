"""`explain`: the pages that it writes, and its errors."""

import json
import re

import pytest

from tests.helpers import DATA, INSTANCES
from tests.helpers.processes import UNIQUE, invoke

pytestmark = pytest.mark.compiled


@pytest.fixture
def knuth(tmp_path):
    path = tmp_path / "knuth.txt"
    path.write_text("0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n")
    return path


def data_of(page):
    return json.loads(re.search(r'id="record">(.*?)</script>', page, re.DOTALL)[1])


def test_matrix(knuth, tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", knuth, "-o", path)
    assert "20 steps, 1 cover, 4 nodes, 28 updates." in err
    assert "The recording contains the complete search." in err
    page = path.read_text(encoding="utf-8")
    data = data_of(page)
    assert len(data["steps"]) == 20
    assert data["steps"][-2]["chosen"] == [3, 0, 4]
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page
    assert invoke("explain", knuth, "-o", "-")[0] == page


def test_incomplete_records(tmp_path):
    path = tmp_path / "page.html"
    queens = INSTANCES / "queens8.dlx"
    _, err = invoke("explain", "--steps", 50, queens, "-o", path)
    assert "stopped early, after 50 steps" in err
    data = data_of(path.read_text(encoding="utf-8"))
    assert len(data["steps"]) == 50
    assert "stopped early, after 50 steps" in data["ending"]
    _, err = invoke("explain", "--limit", 1, queens, "-o", path)
    assert "1 cover, " in err
    assert "found the requested number of covers" in err


def test_board(tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", "--board", 2, DATA / "easy.txt", "-o", path)
    assert "1 cover" in err
    data = data_of(path.read_text(encoding="utf-8"))
    assert data["board"]["side"] == 9
    invoke("explain", "--limit", 1, "-", "-o", path, stdin=UNIQUE)
    invoke("explain", "--box", "3x2", "--steps", 20, "-", "-o", path, stdin="1" + "." * 35)
    assert data_of(path.read_text(encoding="utf-8"))["board"]["rows"] == 3


def test_multiplicities(tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", "--steps", 40, INSTANCES / "queendom8.mcc.dlx", "-o", path)
    assert "stopped early, after 40 steps" in err
    page = path.read_text(encoding="utf-8")
    data = data_of(page)
    assert {step["name"] for step in data["steps"]} >= {"M1", "M3", "M4", "M5", "M6", "M7"}
    assert data["arrays"]["need"][1] == 5
    assert "Algorithm M" in page
    assert "Algorithm X " not in page


def test_costs_are_ignored(tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", INSTANCES / "queens8.cost.dlx", "-o", path)
    assert "Costs are ignored." in err
    assert "Costs are ignored." in data_of(path.read_text(encoding="utf-8"))["ending"]
    assert "Costs" not in invoke("explain", INSTANCES / "queens8.dlx", "-o", path)[1]


def test_leftmost(knuth):
    page, _ = invoke("explain", "--choose", "leftmost", knuth, "-o", "-")
    assert "it is the leftmost item" in page


def test_errors(tmp_path):
    path = tmp_path / "page.html"
    cases = [
        ((INSTANCES / "pent6x10r.dlx",), "nodes are too many for a page"),
        (("--choose", "random", INSTANCES / "queens8.dlx"), "--choose must be one of"),
        (("--as", "chess", INSTANCES / "queens8.dlx"), "--as must be one of sudoku, cover"),
        (("--as", "sudoku", INSTANCES / "queens8.dlx"), "no puzzle found"),
        (("--box", "3", DATA / "easy.txt"), "expected ROWSxCOLUMNS"),
        ((tmp_path / "nowhere",), "No such file"),
    ]
    for arguments, reason in cases:
        _, err = invoke("explain", *arguments, "-o", path, status=2)
        assert reason in err
        assert "Traceback" not in err
        assert not path.exists()
    invoke("explain", INSTANCES / "queens8.dlx", status=2)  # no page is named
