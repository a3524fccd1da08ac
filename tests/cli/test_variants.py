"""The commands that solve puzzles with rules, and candidates."""

import json

import numpy as np
import pytest

import dlx_numba as dlx
from tests.helpers.processes import invoke, invoke_json

pytestmark = pytest.mark.compiled

PUZZLE = "1........4......"
RULES = dlx.SudokuRules(diagonals=True)
FPUZZLE = {"grid": [[{}] * 4 for _ in range(4)], "antiknight": True, "title": "without givens"}


@pytest.fixture
def variants(tmp_path):
    """A file of puzzles with different rules, one of which is not supported."""
    path = tmp_path / "variants.jsonl"
    objects = [{"puzzle": PUZZLE, "diagonals": True}, {"puzzle": PUZZLE, "anti_king": True}]
    objects += [FPUZZLE | {"battenburg": [{}]}, FPUZZLE]
    objects.append({"puzzle": "1" + "." * 35, "diagonals": True})
    path.write_text("\n".join(map(json.dumps, objects)) + "\n")
    return path


def test_rules_of_a_file(variants):
    records, err = invoke_json("solve", "--check", variants, status=4)
    statuses = ["multiple", "none", "unreadable", "multiple", "multiple"]
    found = [(record["line"], record["status"]) for record in records]
    assert found == [*enumerate(statuses, 1)]
    assert records[2]["reason"] == "constraints that are not supported: battenburg"
    assert "3 with several solutions, 1 without a solution, 1 unreadable" in err
    first = dlx.solve_sudoku("." * 16, rules=dlx.SudokuRules(anti_knight=True))
    assert records[3]["solution"] == first
    assert len(invoke("solve", "--strict", variants, status=2)[0].splitlines()) == 3


def test_written_puzzles_contain_their_rules(tmp_path):
    rules, written, drawn = (tmp_path / name for name in ("rules.json", "out.json", "board.svg"))
    rules.write_text(dlx.SudokuRules(diagonals=True, thermometers=[[0, 1, 7]]).to_json())
    request = ("generate", 2, "--box", "2x3", "--rules", rules, "--seed", 1)
    invoke(*request, "-f", "json", "-o", written)
    records = [json.loads(line) for line in written.read_text().splitlines()]
    assert [record["diagonals"] for record in records] == [True, True]
    solutions = "".join(f"{record['solution']}\n" for record in records)
    again = invoke("solve", "--check", "-f", "json", written)[0]
    for solved in (invoke("solve", written), invoke("solve", "-", stdin=again)):
        assert solved[0] == solutions
    assert "The values increase along each thermometer" in invoke("show", written)[1]
    invoke("show", "--puzzle", 2, "--svg", drawn, written)
    assert drawn.read_text().count('class="thin"') == 4  # the lines, diagonals, bulb and tube
    assert "Choose item " in invoke("explain", "-f", "text", "--steps", 5, written)[0]
    assert "does not contain the rules" in invoke(*request)[1]
    book = invoke(*request, "-f", "html")[0]
    assert "The values increase along each thermometer" in book
    assert book.count('stroke-linejoin="round"') == 4  # in two puzzles and their solutions
    shown = invoke("show", "-f", "html", written)[0]
    assert shown.count("<p>Each value appears once on each of the two diagonals. The values") == 1
    other = json.dumps({"puzzle": "." * 36, "diagonals": True, "anti_knight": True})
    shown = invoke("show", "-f", "html", "-", stdin=f"{written.read_text()}{other}\n")[0]
    assert "<p>Each value appears once on each of the two diagonals.</p>" in shown
    assert "3 · Cells a knight&#x27;s move apart have different values.<" in shown


def test_all_solutions_of_a_file(variants):
    out = invoke("solve", "--all", "--limit", 30, "-f", "csv", variants, status=4)[0]
    numbers = [line.split(",")[0] for line in out.splitlines()[1:]]
    assert [numbers.count(str(number)) for number in (1, 2, 3, 4)] == [2, 1, 24, 30]


def test_statements_about_solutions():
    """A stated solution is checked against the rules, not against those of plain Sudoku."""
    first, second = dlx.iter_solutions(PUZZLE, rules=RULES)
    plain = next(s for s in dlx.iter_solutions(PUZZLE) if s not in (first, second))
    text = f"puzzle,solution\n{PUZZLE},{second}\n{PUZZLE},{plain}\n"
    _, err = invoke("solve", "--rules", "diagonals", "-", stdin=text, status=1)
    assert "<stdin>:3: the solution given in the file does not solve the puzzle" in err
    assert "<stdin>:2" not in err


def test_candidates(variants):
    first, second, third, *_ = invoke("solve", "-f", "candidates", variants, status=4)[0].split(
        "\n"
    )
    [candidates] = dlx.solve_batch([PUZZLE], rules=RULES, candidates=True).candidates
    assert first.split(" ") == ["".join(map(str, 1 + np.flatnonzero(cell))) for cell in candidates]
    assert second == f"{PUZZLE} # no solution"
    assert third.startswith("# unreadable")
    plain = invoke("solve", "-f", "candidates", "." * 256)[0].split(" ")
    assert plain == ["123456789ABCDEFG"] * 255 + ["123456789ABCDEFG\n"]
    numbers = invoke("solve", "-f", "candidates", "--alphabet", "numbers", ". " * 16)[0]
    assert numbers.split() == ["1,2,3,4"] * 16


def test_generate_and_minimize():
    arguments = ("--rules", "diagonals,anti-king", "--seed", 1)
    rules = dlx.SudokuRules(diagonals=True, anti_king=True)
    puzzles = dlx.generate(3, rules=rules, seed=1)
    assert invoke("generate", 3, *arguments)[0].split() == puzzles.strings()
    complete = "\n".join("".join(map(str, each)) for each in puzzles.solutions.tolist())
    minimal = invoke("minimize", *arguments, "-", stdin=complete)[0].split()
    assert dlx.is_minimal(minimal, rules=rules).all()


def test_commands_without_rules():
    text = json.dumps({"puzzle": "." * 81, "diagonals": True})
    out, err = invoke("canonical", "-", stdin=text, status=2)
    assert ("this is a puzzle with rules" in err, "." * 81 in out) == (True, False)


def test_a_single_puzzle_that_is_not_valid(tmp_path):
    path = tmp_path / "seven.json"
    cells = [[{"region": 0}] * 4 for _ in range(4)]
    path.write_text(json.dumps(FPUZZLE | {"grid": cells}))
    reason = "regions must assign the cells of a board to n regions of n cells each"
    for command in ("solve", "rate"):
        assert f"{path}:1: {reason}" in invoke(command, path, status=2)[1]


def test_boards_with_rules_are_counted_and_listed_by_their_own_search(tmp_path):
    """The covers are those of the exact cover problem."""
    path = tmp_path / "diagonals.json"
    path.write_text(json.dumps({"puzzle": "123456" + "." * 30, "diagonals": True}))
    [puzzle] = dlx.read(path)
    found = [*puzzle.solutions()]
    expected = {tuple(sorted(cover)) for cover in puzzle.cover().iterate()}
    assert len(found) == len(expected) == puzzle.count()
    assert {tuple(sorted(cover)) for cover in found} == expected
    out, err = invoke("count", path)
    assert (out, err) == (f"{len(found)}\n", "(read as sudoku)\n")
    assert invoke("count", "--limit", 2, path)[0] == "2\n"
    assert "solutions, " in invoke("count", "--threads", 2, path)[1]  # searched as covers


@pytest.mark.parametrize(
    "command", ["solve", "count", "cover", "diagnose", "hint", "show", "puzzles"]
)
def test_rules_that_cannot_be_formulated_are_an_error(command):
    puzzle = {"puzzle": "." * 256, "skyscrapers": [[5, [*range(16)]]]}
    out, err = invoke(command, "-", stdin=json.dumps(puzzle), status=2)
    assert "error: " in err
    assert "skyscrapers: too many lines of 16 cells show 5 values" in err
    assert out == ""


def test_count_of_an_invalid_problem_with_distinct_items(tmp_path):
    path = tmp_path / "total.json"
    path.write_text('{"options": [["a", ["t", 1000000000000]]], "totals": {"t": [0, 5]}}')
    assert f"error: {path}: weight of " in invoke("count", "--distinct", "a", path, status=2)[1]
