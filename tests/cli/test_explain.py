"""`explain`: the pages and traces that it writes, and its errors."""

import json
import os
import re

import pytest

from tests.helpers import DATA, INSTANCES
from tests.helpers.examples import EASY
from tests.helpers.pages import read_record
from tests.helpers.processes import UNIQUE, invoke, start

pytestmark = pytest.mark.compiled


@pytest.fixture
def knuth(tmp_path):
    path = tmp_path / "knuth.txt"
    path.write_text("0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n")
    return path


def test_matrix(knuth, tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", knuth, "-o", path)
    assert "20 steps, 1 cover, 4 nodes, 28 updates." in err
    assert "The recording contains the complete search." in err
    page = path.read_text(encoding="utf-8")
    data = read_record(page)
    assert len(data["steps"]) == 20
    assert [node["option"] for node in data["tree"]] == [-1, 1, 0, 3, 0, 4]
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page
    assert invoke("explain", knuth, "-o", "-")[0] == page


def test_incomplete_records(tmp_path):
    path = tmp_path / "page.html"
    queens = INSTANCES / "queens8.dlx"
    _, err = invoke("explain", "--steps", 50, queens, "-o", path)
    assert "stopped early, after 50 steps" in err
    data = read_record(path.read_text(encoding="utf-8"))
    assert len(data["steps"]) == 50
    assert "stopped early, after 50 steps" in data["ending"]
    _, err = invoke("explain", "--limit", 1, queens, "-o", path)
    assert "1 cover, " in err
    assert "found the requested number of covers" in err


def test_board(tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", "--board", 2, DATA / "easy.txt", "-o", path)
    assert "1 cover" in err
    data = read_record(path.read_text(encoding="utf-8"))
    assert data["grid"]["rows"] == 9
    invoke("explain", "--limit", 1, "-", "-o", path, stdin=UNIQUE)
    invoke("explain", "--box", "3x2", "--steps", 20, "-", "-o", path, stdin="1" + "." * 35)
    assert read_record(path.read_text(encoding="utf-8"))["grid"]["box"] == [3, 2]


def test_costs_are_ignored(tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", INSTANCES / "queens8.cost.dlx", "-o", path)
    assert "Costs are ignored; the cheapest cover" in err
    assert (
        "Costs are ignored; the cheapest cover"
        in read_record(path.read_text(encoding="utf-8"))["ending"]
    )
    assert "Costs" not in invoke("explain", INSTANCES / "queens8.dlx", "-o", path)[1]


@pytest.mark.parametrize("has_browser", [True, False])
def test_page_is_opened_in_the_browser(has_browser, knuth, tmp_path, monkeypatch):
    opened = []

    def open_address(address):
        opened.append(address)
        return has_browser

    monkeypatch.setattr("webbrowser.open", open_address)
    path = tmp_path / "page of a search.html"
    err = invoke("explain", "--open", knuth, "-o", path)[1]
    assert opened == [path.as_uri()]
    assert (f"No browser was found; open {path} in one." in err) != has_browser
    err = invoke("explain", "--open", "-f", "text", knuth, status=2)[1]
    assert "--open needs a page in a file" in err


def test_trace_as_text(knuth, tmp_path):
    out, err = invoke("explain", "-f", "text", knuth)
    lines = out.splitlines()
    assert lines[0] == "knuth.txt: 6 options, 7 items, 16 entries"
    assert lines[6].startswith("   3     0 X5  Try option 0 3 6: cover items 3 and 6. This")
    assert lines[-1] == "The recording contains the complete search."
    assert "20 steps, 1 cover, 4 nodes, 28 updates." in err
    assert "The recording" not in err  # the trace states it
    path = tmp_path / "trace.txt"
    assert invoke("explain", "--format", "text", knuth, "--output", path)[0] == ""
    assert path.read_text(encoding="utf-8") == out
    text = invoke("explain", "--format", "text", "-", stdin=knuth.read_text())[0]
    assert text.splitlines()[1:] == lines[1:]


def test_trace_as_json(knuth):
    out, err = invoke("explain", "-f", "json", knuth)
    rows = list(map(json.loads, out.splitlines()))
    assert len(rows) == 20
    assert rows[18]["partial_solution"] == ["3", "0", "4"]
    assert "The recording contains the complete search." in err
    out, err = invoke("explain", "-f", "json", "--steps", 5, knuth)
    rows = list(map(json.loads, out.splitlines()))
    assert [row["step"] for row in rows] == [0, 1, 2, 3, 4]
    assert rows[-1]["description"].endswith("The recording stopped early, after 5 steps.")
    assert "stopped early, after 5 steps" in err


def test_traces_of_boards_and_multiplicities():
    out, _ = invoke("explain", "-f", "text", "--board", 2, DATA / "easy.txt")
    assert out.startswith("easy.txt, board 2: ")
    assert "form a cover.\n" in out
    out, _ = invoke("explain", "-f", "json", "--steps", 40, INSTANCES / "queendom8.mcc.dlx")
    actions = {json.loads(line)["action"] for line in out.splitlines()}
    assert actions >= {"start", "choose", "prepare", "tweak", "try", "undo"}


@pytest.mark.processes
def test_redirected_input_is_not_overwritten(knuth):
    with knuth.open() as stdin:
        process = start("explain", "-f", "text", "-", "-o", knuth, stdin=stdin)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "is both input and output" in err
    assert knuth.read_text().startswith("0010110\n")


def test_errors(tmp_path):
    path = tmp_path / "page.html"
    too_large = tmp_path / "large.txt"
    too_large.write_text("1" * 205 + "\n" + ("1" * 205 + "\n") * 200)
    cases = [
        ((too_large,), "nodes are too many for a page"),
        (("--choose", "best", INSTANCES / "queens8.dlx"), "--choose must be one of"),
        (("--choose", "x,y", INSTANCES / "queens8.dlx"), "'x' is not a primary item"),
        (("--given", "0", DATA / "easy.txt"), "need an exact cover problem"),
        (("--step", "3", INSTANCES / "queens8.dlx"), "--step, --links, --condensed and "),
        (
            ("-f", "svg", "--step", "3.x", INSTANCES / "queens8.dlx"),
            "--step must be a number",
        ),
        (("-f", "svg", "--step", "9999", INSTANCES / "queens8.dlx"), "there is no step 9,999"),
        (("-f", "pdf", INSTANCES / "queens8.dlx"), "-f must be one of html, text, json, svg"),
        (("--as", "chess", INSTANCES / "queens8.dlx"), "--as must be one of sudoku, cover"),
        (("--as", "sudoku", INSTANCES / "queens8.dlx"), "no puzzle found"),
        (("--box", "3", DATA / "easy.txt"), "must be ROWSxCOLUMNS"),
        ((tmp_path / "nowhere",), "No such file"),
    ]
    for arguments, reason in cases:
        _, err = invoke("explain", *arguments, "-o", path, status=2)
        assert reason in err
        assert "Traceback" not in err
        assert not path.exists()


def test_page_has_the_name_of_the_problem_by_default(knuth, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments, page in (
        ((knuth,), "knuth.html"),
        ((DATA / "easy.txt",), "easy.html"),
        ((DATA / "easy.txt", "--board", 2), "easy-2.html"),
        (("-",), "explain.html"),
    ):
        _, err = invoke("explain", "--steps", 5, *arguments, stdin="1\n1\n")
        assert err.endswith(f"Written to {page}.\n")
        assert read_record(tmp_path.joinpath(page).read_text(encoding="utf-8"))["steps"]
    invoke("explain", knuth)  # replaces its own page
    (tmp_path / "knuth.html").write_text("notes")
    _, err = invoke("explain", knuth, status=2)
    assert err == (
        "error: knuth.html exists and is not a page of this program; use --output FILE (-o)\n"
    )
    assert (tmp_path / "knuth.html").read_text() == "notes"


def test_selection_as_in_cover():
    queens = INSTANCES / "queens8.dlx"
    for options in (["--choose", "random", "--seed", 7], ["--given", "3", "--forbidden", "12,13"]):
        expected, _ = invoke("cover", "--limit", 1, *options, queens)
        out, _ = invoke("explain", "-f", "json", "--limit", 1, *options, queens)
        chosen = json.loads(out.splitlines()[-1])["partial_solution"]
        given = ["3"] if "--given" in options else []
        assert sorted(map(int, chosen + given)) == [int(k) for k in expected.split()]
    out, _ = invoke("explain", "-f", "text", "--limit", 1, "--given", "3", queens)
    assert out.endswith("1 given option was applied before the search.\n")
    out, _ = invoke("explain", "-f", "text", "--given", "3", "--show-givens", queens)
    assert "X5  Try option r0 c3 a3 b4: cover" in out.splitlines()[6]


def test_boards_and_titles(tmp_path):
    path = tmp_path / "board.html"
    invoke("explain", "--title", "My board", EASY, "-o", path, "--show-givens")
    page = path.read_text(encoding="utf-8")
    assert "<h1>My board</h1>" in page
    data = read_record(page)
    assert data["grid"]["givens"] == []
    assert data["n_givens"] == 30
    for style in ("text", "json"):
        arguments = ("explain", "-f", style, "--title", "My board", EASY)
        assert "--title needs" in invoke(*arguments, status=2)[1]
    _, err = invoke("explain", EASY, "-o", path)
    assert "30 givens were applied before the search." in err


def test_pictures_of_steps(knuth):
    matrix, _ = invoke("explain", "-f", "svg", "--step", 5, knuth)
    assert "step 5: " in matrix
    links, _ = invoke("explain", "-f", "svg", "--step", 5, "--links", knuth)
    assert links != matrix
    assert "24 nodes, " in links


def test_summary_says_what_to_do_without_a_cover(tmp_path):
    path = tmp_path / "page.html"
    _, err = invoke("explain", "--steps", 20, INSTANCES / "queens8.dlx", "-o", path)
    assert re.search(r", 0 covers, .*\n.*\nRecord \d+ steps \(--steps\) to reach a cover\.", err)
    _, err = invoke("explain", "-", "-o", path, stdin="a b\na\n")
    assert "The problem has no cover" in err


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX only")
def test_names_of_files_need_not_be_text(knuth, tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.txt")
    try:
        path.write_bytes(knuth.read_bytes())
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    page = tmp_path / "page.html"
    invoke("explain", "-o", page, path)
    assert "\\udcff.txt" in page.read_text()
