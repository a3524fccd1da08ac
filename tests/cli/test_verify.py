"""`verify`: claimed answers, stated in the file or given."""

import json

import pytest

from tests.helpers import ROOT, SAMPLES
from tests.helpers.processes import NONE, SEVERAL, UNIQUE, invoke

COLLECTED = json.loads((SAMPLES / "collection.json").read_text(encoding="utf-8"))

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
    assert (
        invoke("verify", "--kind", "routes", file(ROUTES + "1,1,0,0\n"))[0]
        == "a cover (cost 3.5)\n"
    )
    commented = file(ROUTES + "1,1,0,0\n# the end\n\n")
    assert invoke("verify", "--kind", "routes", commented)[0] == "a cover (cost 3.5)\n"
    out, _ = invoke("verify", "--kind", "routes", file(ROUTES + "0,0,0,0\n"), status=1)
    assert out.startswith("not a cover: `0` is not covered")
    out, _ = invoke("verify", "--kind", "routes", file(ROUTES + "1,0,1,0\n"), status=1)
    assert out == ("not a cover: `1` is covered 2 times, by option 0 and option 2 (cost 2)\n")
    out, _ = invoke("verify", "--kind", "routes", "--one-based", file(ROUTES), "1,3", status=1)
    assert "by option 1 and option 3" in out
    assert (
        "no answer in the file" in invoke("verify", "--kind", "routes", file(ROUTES), status=2)[1]
    )


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
    assert "the solution in the file" in second
    assert "2 answers: 1 right, 1 wrong\n1 puzzle has no answer" in err
    assert invoke("verify", "--kind", "tents", "--puzzle", 1, path)[0] == "a cover\n"


def test_a_drawn_solution_in_a_file(file):
    puzzle = file(TENTS[0]["problem"], "tents.txt")
    assert (
        invoke("verify", "--kind", "tents", puzzle, file("1 2\nx o\n", "solution.txt"))[0]
        == "a cover\n"
    )
    out, _ = invoke(
        "verify", "--kind", "tents", puzzle, file("1 2\nx -\n", "solution.txt"), status=1
    )
    assert out == "the solution in the file is wrong: the tree in r1c1 is not covered\n"


def test_drawn_bridges_in_a_file(file):
    drawn = invoke("solve", "-q", "hashiwokakero")[0].rpartition("#")[0]
    assert invoke("verify", "hashiwokakero", file(drawn, "bridges.txt"))[0] == "a cover\n"
    two = f"{drawn.rstrip()}\n{{}}\n{drawn}"
    assert "2 answers: 2 right" in invoke("verify", "hashiwokakero", file(two.format(""), "two"))[1]
    for wrong, reason in (
        (drawn.replace("─", "═"), "wrong"),
        (two.format("other"), "malformed: 19 lines instead of 9"),
    ):
        out, _ = invoke("verify", "hashiwokakero", file(wrong, "wrong.txt"), status=1)
        assert f"the solution in the file is {reason}" in out
    blank = file("\n" * 10 + "a b c\n" * 9, "blank")
    assert "there is no option named" in invoke("verify", "hashiwokakero", blank, status=2)[1]


def test_a_drawn_plan_in_a_file(file):
    form = "--items", "flight", "--optional", "gate+times", "--separator", "+", "--cost", "walk"
    table = *form, ROOT / "docs" / "examples" / "gates.csv"
    drawn = invoke("solve", "-q", *table)[0].rpartition("#")[0]
    assert invoke("verify", *table, file(drawn, "plan.txt"))[0].startswith("a cover (cost")
    out, _ = invoke("verify", *table, file(drawn.replace("6:50", "6:51"), "wrong"), status=2)
    assert out == ""


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 3), (4, 4)])
def test_solutions_stated_beside_boards(file, rows, columns):
    size = rows * columns
    grid = [[(columns * r + r // rows + c) % size + 1 for c in range(size)] for r in range(size)]
    puzzle = [
        [value if (r + c) % 3 else 0 for c, value in enumerate(row)] for r, row in enumerate(grid)
    ]
    records = [{"puzzle": puzzle, "solution": grid}, {"puzzle": puzzle, "solution": [*grid[::-1]]}]
    path = file(json.dumps([*records, {"puzzle": puzzle}]), "boards.json")
    out, err = invoke("verify", "--box", f"{rows}x{columns}", path, status=1)
    right, wrong = out.splitlines()
    assert right.endswith(": a cover")
    assert wrong.endswith(": the solution in the file contradicts a given")
    assert "2 answers: 1 right, 1 wrong\n1 puzzle has no answer" in err
    wrong = [[value % size + 1 for value in row] for row in grid]  # complete, but not the givens
    repeated = [[puzzle[0][c] or grid[0][c] for c in range(size)]] * size
    for solution in (wrong, repeated, grid[:-1]):
        path = file(json.dumps({"puzzle": puzzle, "solution": solution}), "wrong.json")
        out, err = invoke("verify", "--box", f"{rows}x{columns}", path, status=None)
        assert "a cover" not in out
        assert out or err


def test_a_solution_of_a_variant_obeys_its_rules(file):
    puzzle = {"puzzle": "1..." + "." * 12, "solution": "1234341221434321"}
    assert invoke("verify", file(json.dumps(puzzle), "plain.json"))[0] == "a cover\n"
    diagonal = file(json.dumps({**puzzle, "diagonals": True}), "diagonal.json")
    assert "the solution in the file is wrong" in invoke("verify", diagonal, status=1)[0]
    err = invoke("solve", diagonal, status=1)[1]
    assert "the solution given in the file does not solve the puzzle" in err


def test_files_of_f_puzzles_state_solutions(file):
    link = invoke("generate", "--rules", "diagonals", "-f", "fpuzzles", "--seed", 1)[0]
    assert invoke("verify", file(link))[0] == "a cover\n"


def test_an_unreadable_puzzle_is_no_verified_one(file):
    path = file(json.dumps([TENTS[0], {"problem": "x", "solution": ""}]), "tents.json")
    out, err = invoke("verify", "--kind", "tents", path, status=4)
    assert out == "a cover\n"
    assert "the first line must be the size" in err
    alone = file(json.dumps([{"problem": "x", "solution": "x"}]), "bad.json")
    assert "no answer in the file" not in invoke("verify", "--kind", "tents", alone, status=2)[1]


@pytest.mark.parametrize("kind", ["nonogram", "killer", "tents", "takuzu", "sudoku"])
def test_what_solve_prints_is_an_answer(file, kind):
    board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    [*_, problem] = [each["problem"] for each in COLLECTED if each["kind"] == kind] or [board]
    puzzle = file(problem)
    lines = invoke("solve", "-q", "--kind", kind, puzzle)[0].splitlines()
    solution = [line for line in lines if not line.startswith("#")]
    assert (
        invoke("verify", "--kind", kind, puzzle, file("\n".join(solution), "a"))[0] == "a cover\n"
    )
    solution = [line[::-1] for line in solution]  # no puzzle is symmetric
    out, _ = invoke("verify", "--kind", kind, puzzle, file("\n".join(solution), "a"), status=1)
    assert "the solution in the file" in out


@pytest.mark.parametrize("style", ["line", "grid", "csv", "json"])
def test_what_solve_prints_of_unreadable_lines_is_no_answer_of_the_next_puzzle(style, tmp_path):
    puzzles, answer = tmp_path / "puzzles.txt", tmp_path / "answer"
    puzzles.write_text(f"{UNIQUE}\nnot a board\n{NONE}\n{UNIQUE}\n{UNIQUE[:-1]}\n{SEVERAL}\n")
    invoke("solve", "-f", style, "-o", answer, puzzles, status=4)
    out, err = invoke("verify", puzzles, answer, status=4)
    places = [f"{puzzles}:{line}" for line in (1, 4, 6)]
    assert out.splitlines() == [f"{place}: a cover" for place in places]
    assert "1 puzzle has no answer" in err


def test_an_answer_with_more_parts_than_puzzles_is_an_error(file):
    boards = "1.3.34..2..3..2.\n" * 2
    solved = "1234341221434321\n"
    puzzles = file(boards, "puzzles")
    assert invoke("verify", puzzles, file(solved * 2, "answer"))[0].count("a cover") == 2
    _, err = invoke("verify", puzzles, file(solved * 3, "answer"), status=2)
    assert "the answer has 3 parts, and the file has 2 puzzles" in err


def test_a_contradictory_puzzle_does_not_end_the_check_of_those_after_it(tmp_path):
    wrong = f"99{UNIQUE[2:]}"
    puzzles = tmp_path / "puzzles.csv"
    puzzles.write_text(f"puzzle\n{UNIQUE}\n{wrong}\n{UNIQUE}\n")
    solved = tmp_path / "solved.csv"
    invoke("solve", "-f", "csv", "-o", solved, puzzles, status=1)
    out, err = invoke("verify", puzzles, solved)
    assert [line.split(":")[1] for line in out.splitlines()] == ["2", "4"]
    assert "1 puzzle has no answer" in err
    solution = invoke("solve", UNIQUE)[0].strip()
    solved.write_text(f"puzzle,solution\n{UNIQUE},{solution}\n{wrong},{solution}\n{UNIQUE},\n")
    out, _ = invoke("verify", puzzles, solved, status=1)
    assert "puzzles.csv:3: two 9s in row 1" in out


def test_a_file_of_answers_that_is_missing_is_named(tmp_path):
    problem = tmp_path / "problem.dlx"
    problem.write_text("a b\na\nb\n")
    _, err = invoke("verify", problem, "plan.csv", status=2)
    assert "plan.csv: no such file" in err


@pytest.mark.parametrize("style", ["names", "numbers", "json"])
def test_a_stated_cost_that_is_wrong_is_a_wrong_answer(style, tmp_path):
    problem = tmp_path / "problem.json"
    problem.write_text('{"options": {"P": ["a"], "Q": ["b"]}, "costs": [3.5, 2]}')
    text, _ = invoke("cheapest", "-f", style, problem)
    assert "(cost 5.5)" in invoke("verify", problem, text)[0]
    out, _ = invoke("verify", problem, text.replace("5.5", "4.5"), status=1)
    assert "the cost is not 4.5 (cost 5.5)" in out


def test_a_row_of_a_plan_that_is_no_option_is_named(tmp_path):
    problem = tmp_path / "problem.csv"
    problem.write_text("name,items\nP,a\nQ,b\n")
    plan = tmp_path / "plan.csv"
    words = "--items", "items", "--name", "name"
    plan.write_text("name,items\nP,a\nQ,c\n")
    _, err = invoke("verify", *words, problem, plan, status=2)
    assert "line 3 of the plan is no option" in err
