"""`verify`: claimed answers, stated in the file or given."""

import json

import pytest

from tests.helpers.processes import invoke

ROUTES = "1.5:0,1\n2:2\n0.5:1,2\n1:0\n"
TENTS = [
    {"problem": "1 2\n0 1\n1\nx -", "solution": "1 2\nx o"},
    {"problem": "1 2\n0 1\n1\nx -", "solution": "1 2\nx -"},
    {"problem": "1 2\n0 1\n1\nx -"},
]


@pytest.fixture
def file(tmp_path):
    def write(text, name="routes"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_an_answer_in_the_file(file):
    assert invoke("verify", file(ROUTES + "1,1,0,0\n"))[0] == "a cover (cost 3.5)\n"
    out, _ = invoke("verify", file(ROUTES + "1,0,1,0\n"), status=1)
    assert out == ("not a cover: `1` is covered 2 times, by option 0 and option 2 (cost 2.0)\n")
    assert "no answer is stated" in invoke("verify", file(ROUTES), status=2)[1]


def test_an_answer_on_the_command_line(file):
    path = file('{"options": {"S1": ["A"], "S2": ["A", "B"], "S3": ["B"]}}', "sets.json")
    assert invoke("verify", path, "S1,S3")[0] == "a cover\n"
    assert invoke("verify", path, "1")[0] == "a cover\n"
    out, _ = invoke("verify", "-f", "json", path, file("S1\n", "answer"), status=1)
    assert json.loads(out)["problems"] == ["`B` is not covered"]
    assert "there is no option" in invoke("verify", path, "S9", status=2)[1]


def test_answers_of_a_collection(file):
    path = file(json.dumps(TENTS), "tents.json")
    out, err = invoke("verify", "--kind", "tents", path, status=1)
    first, second = out.splitlines()
    assert first.endswith(": a cover")
    assert "the stated solution" in second
    assert "1 puzzle states no answer" in err
    assert invoke("verify", "--kind", "tents", "--puzzle", 1, path)[0] == "a cover\n"


def test_a_drawn_solution_in_a_file(file):
    puzzle = file(TENTS[0]["problem"], "tents.txt")
    assert invoke("verify", puzzle, file("1 2\nx o\n", "solution.txt"))[0] == "a cover\n"
    out, _ = invoke("verify", puzzle, file("1 2\nx -\n", "solution.txt"), status=1)
    assert out == "the stated solution is wrong: `tree,1,1` is not covered\n"
