"""`explain`: the pages and traces that it writes, and its errors."""

from unittest.mock import Mock

import pytest

from tests.helpers import DATA, INSTANCES, ROOT
from tests.helpers.examples import EASY
from tests.helpers.pages import read_record
from tests.helpers.processes import invoke, invoke_json

pytestmark = pytest.mark.compiled

KNUTH = ROOT / "docs" / "examples" / "knuth.txt"


def test_page_in_a_file_and_on_standard_output(tmp_path):
    path = tmp_path / "page.html"
    invoke("explain", KNUTH, "-o", path)
    page = path.read_text(encoding="utf-8")
    assert len(read_record(page)["steps"]) == 20
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page
    assert invoke("explain", KNUTH, "-o", "-")[0] == page


@pytest.mark.parametrize(
    ("arguments", "shown", "summary"),
    [
        ("-f html KNUTH", "<h1>knuth.txt</h1>", "20 steps, 1 cover, 4 nodes, 28 updates."),
        ("-f text KNUTH", "   3     0 X5  Try option 1: cover items 3 and 6.", "1 cover, "),
        ("-f html --title Mine KNUTH", "<h1>Mine</h1>", "20 steps"),
        ("-f html BOARD", "", "30 given options were applied before the search."),
        ("-f html --given r4c2=5 BOARD", "", "31 given options were applied"),
        ("-f text --show-givens BOARD", "Try option r1c1=5", "81 nodes"),
        ("-f json KNUTH", '"partial_solution": ["3", "0", "4"]', "contains the complete search."),
        ("-f json --steps 5 KNUTH", "The recording stopped early, after 5 steps.", "after 5 steps"),
        ("-f text --puzzle 2 EASY", "easy.txt, board 2: ", "1 cover, "),
        ("-f json --steps 40 BOUNDS", '"action": "tweak"', "after 40 steps"),
        ("-f text COSTS", "Costs are ignored; the cheapest cover", "steps"),
        ("-f html COSTS", "", "Costs are ignored; the cheapest cover"),
        ("-f html --limit 1 QUEENS", "", "found the requested number of covers"),
        ("-f html --steps 20 QUEENS", "", " steps (--steps) to reach a cover."),
    ],
)
def test_formats_and_summaries(arguments, shown, summary):
    files = {"EASY": DATA / "easy.txt", "KNUTH": KNUTH, "QUEENS": INSTANCES / "queens8.dlx"}
    files |= {"BOUNDS": INSTANCES / "queendom8.mcc.dlx", "COSTS": INSTANCES / "queens8.cost.dlx"}
    files["BOARD"] = EASY
    *options, name = arguments.split()
    out, err = invoke("explain", *options, "-o", "-", files[name])
    assert shown in out
    assert summary in err


@pytest.mark.parametrize("has_browser", [True, False])
def test_page_is_opened_in_the_browser(has_browser, tmp_path, monkeypatch):
    opened = Mock(return_value=has_browser)
    monkeypatch.setattr("webbrowser.open", opened)
    path = tmp_path / "page of a search.html"
    err = invoke("explain", "--open", KNUTH, "-o", path)[1]
    opened.assert_called_once_with(path.as_uri())
    assert (f"No browser was found; open {path} in one." in err) != has_browser


def test_page_has_the_name_of_the_problem_by_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments, page in (
        ((KNUTH,), "knuth.html"),
        ((DATA / "easy.txt",), "easy.html"),
        ((DATA / "easy.txt", "--puzzle", 2), "easy-2.html"),
        (("-",), "explain.html"),
    ):
        _, err = invoke("explain", "--steps", 5, *arguments, stdin="a b\na\nb\n")
        assert err.endswith(f"Written to {page}.\n")
        assert read_record(tmp_path.joinpath(page).read_text(encoding="utf-8"))["steps"]
    invoke("explain", KNUTH)  # replaces its own page
    (tmp_path / "knuth.html").write_text("notes")
    _, err = invoke("explain", KNUTH, status=2)
    reason = "knuth.html exists and is not a page of this program; use --output FILE (-o)"
    assert err == f"error: {reason}\n"
    assert (tmp_path / "knuth.html").read_text() == "notes"


def test_selection_as_in_cover():
    queens = INSTANCES / "queens8.dlx"
    for options in (["--choose", "random", "--seed", 7], ["--given", "3", "--forbidden", "12,13"]):
        expected, _ = invoke("cover", "--limit", 1, *options, queens)
        records, _ = invoke_json("explain", "--limit", 1, *options, queens)
        chosen = records[-1]["partial_solution"]
        given = ["3"] if "--given" in options else []
        assert sorted(map(int, chosen + given)) == [int(k) for k in expected.split()]


def test_a_condensed_picture_of_a_board_is_its_matrix():
    drawn = "explain", "-f", "svg", "--step", 3, "." * 16
    (board, _), (matrix, _) = invoke(*drawn), invoke(*drawn, "--condensed")
    assert ("cell,1,4" in board, "cell,1,4" in matrix) == (False, True)


def test_a_worksheet_has_the_matrix_before_each_step_and_the_answers_at_the_end(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # replaces its own file
        invoke("explain", "--worksheet", KNUTH)
    text = (tmp_path / "knuth-worksheet.html").read_text(encoding="utf-8")
    exercises, answers = text.split("<h2>Answers</h2>")
    steps, _ = invoke_json("explain", KNUTH)
    assert exercises.count("<section>") == exercises.count("<svg") == len(steps) - 1
    assert "3. Step X5 at level 0" in exercises
    assert [step["description"] in answers for step in steps[1:-1]] == [True] * 18
    blanks = ["Option: ", " Items that it covers: ", " Options that disappear: ", ""][:-1]
    assert all(blank.strip() in exercises for blank in blanks)
    condensed, _ = invoke("explain", "--worksheet", "--condensed", "-o", "-", KNUTH)
    assert condensed.count("<text") < text.count("<text")
    _, err = invoke("explain", "--worksheet", "queens", status=2)
    assert "a worksheet has at most 400 steps: use --steps 400" in err
    _, err = invoke("explain", "--worksheet", "-f", "text", KNUTH, status=2)
    assert "--format text cannot be combined with --worksheet" in err


def test_rows_of_a_matrix_are_called_by_their_numbers():
    for options, number in ((), 1), (("--one-based",), 2):
        out, _ = invoke("explain", "-f", "text", *options, KNUTH)
        assert f"Try option {number}: cover items 3 and 6." in out
