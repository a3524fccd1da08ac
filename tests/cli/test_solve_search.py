"""`solve`: the limit, the branching rule and the numbers of options of a search."""

import json

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.puzzle import Puzzle
from tests.helpers.examples import EASY
from tests.helpers.processes import invoke

pytestmark = pytest.mark.compiled

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOURCES = ["queens:n=6", "langford:n=4", "kakuro", "knight:rows=3:columns=4", "samurai"]


@pytest.fixture
def n_found(monkeypatch):
    """Count the solutions that are taken from searches."""
    found = []
    solutions = Puzzle.solutions

    def counted(self, **keywords):
        for solution in solutions(self, **keywords):
            found.append(solution)
            yield solution

    monkeypatch.setattr(Puzzle, "solutions", counted)
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_a_limit_of_one_is_obeyed_for_all_kinds(source, n_found):
    out, err = invoke("solve", "--limit", 1, source)
    assert len(n_found) <= 1
    assert "# a solution\n" in out
    assert "1 solved" in err
    assert "# 2 or more" not in out


def test_without_a_limit_a_second_solution_is_sought(n_found):
    assert "# 2 or more solutions\n" in invoke("solve", "queens:n=6")[0]
    assert "# 3 or more solutions\n" in invoke("solve", "--limit", 3, "queens:n=6")[0]
    assert not n_found  # they are sought by several methods
    assert "# 4 solutions\n" in invoke("solve", "--limit", 11, "queens:n=6")[0]
    assert "# 2 or more solutions\n" in invoke("solve", "--choose", "leftmost", "queens:n=6")[0]
    assert len(n_found) == 4 + 2


def test_a_limit_of_one_finds_out_that_there_is_no_solution():
    out, _ = invoke("solve", "--limit", 1, "queens:n=3", status=1)
    assert "# no solution" in out
    _, err = invoke("solve", "--limit", 1, "--check", "queens", status=2)
    assert "--check needs a --limit of at least 2" in err


def test_variants_obey_a_limit_of_one(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"puzzle": "." * 81, "diagonals": True}))
    out, _ = invoke("solve", "--puzzle", 1, "--limit", 1, path)
    assert "# a solution\n" in out


@pytest.mark.parametrize("closed", ["no", "yes"])
def test_knight_tours_of_the_chessboard_are_found(closed):
    out, _ = invoke("solve", "--limit", 1, "-f", "json", f"knight:rows=8:columns=8:closed={closed}")
    [solution] = json.loads(out)["solutions"]
    steps = {int(word): k for k, word in enumerate(solution["text"].split())}
    assert sorted(steps) == [*range(1, 65)]
    places = [divmod(steps[step], 8) for step in range(1, 65)]
    pairs = zip(places, places[1:] + (places[:1] if closed == "yes" else []), strict=False)
    moves = [{abs(a - c), abs(b - d)} for (a, b), (c, d) in pairs]
    assert len(moves) == 63 + (closed == "yes")
    assert all(move == {1, 2} for move in moves)


def test_rules_choose_the_items_of_puzzles(tmp_path):
    path = tmp_path / "problem.dlx"
    path.write_text("a b c\na\nb\nc\na b\nb c\na c\n")
    cover = dlx.ExactCover.read(path)
    for rule in ("smallest", "leftmost", "random", "literal-leftmost", "c,b,a"):
        choose = rule.split(",") if "," in rule else rule
        expected = cover.replace(choose=choose, seed=1).solve()
        words = ("--seed", 1) if rule == "random" else ()
        out, _ = invoke("solve", "--all", "--choose", rule, *words, "-f", "json", path)
        found = [each["numbers"] for each in json.loads(out)["solutions"]]
        assert found == [list(each) for each in expected], rule
    _, err = invoke("solve", "--choose", "quickest", path, status=2)
    assert "--choose must be one of smallest, leftmost" in err


def test_rules_choose_the_items_of_boards():
    nodes = {}
    for rule in ("smallest", "leftmost"):
        result = dlx.solve_batch([HARD], choose=rule)
        nodes[rule] = int(result.nodes[0])
        out, _ = invoke("solve", "--choose", rule, "-f", "json", HARD)
        record = json.loads(out.splitlines()[0])
        assert record["nodes"] == nodes[rule]
        assert record["solution"] == str(dlx.solve_sudoku(HARD))
    assert nodes["smallest"] == int(dlx.solve_batch([HARD], engine="dlx").nodes[0])
    assert nodes["leftmost"] > nodes["smallest"]
    boards = [HARD, EASY] * 20
    both = [dlx.solve_batch(boards, None, choose=rule) for rule in ("smallest", "leftmost")]
    assert np.array_equal(both[0].counts, both[1].counts)
    assert np.array_equal(both[0].solutions, both[1].solutions)


def test_engines_without_an_exact_cover_search_have_no_rule():
    with pytest.raises(ValueError, match="choose needs the engine 'dlx', not 'lanes'"):
        dlx.solve_batch([HARD], engine="lanes", choose="leftmost")
    with pytest.raises(ValueError, match="choose must be one of smallest, leftmost, not 'random'"):
        dlx.solve_batch([HARD], choose="random")
    rules = dlx.SudokuRules(diagonals=True)
    with pytest.raises(ValueError, match="engine 'dlx' does not support rules"):
        dlx.solve_batch([HARD], choose="leftmost", rules=rules)
    for words, reason in (
        (("--all",), "--choose cannot be combined with --all"),
        (("--engine", "portfolio"), "choose needs the engine 'dlx', not 'portfolio'"),
        (("--one-based",), "a file of boards cannot be combined with --one-based"),
    ):
        assert reason in invoke("solve", "--choose", "leftmost", *words, HARD, status=2)[1]


def test_a_board_may_be_searched_as_an_exact_cover_problem():
    out, _ = invoke("solve", "--puzzle", 1, "--choose", "literal-smallest", EASY)
    assert out.endswith("# unique\n")


def test_options_may_be_numbered_from_one():
    matrix = "110\n001\n100\n011\n"
    for start, words in ((0, ()), (1, ("--one-based",))):
        solutions = [[start, start + 1], [start + 2, start + 3]]
        out, _ = invoke("solve", "--all", *words, "-", stdin=matrix)
        expected = "\n\n".join(" ".join(map(str, each)) for each in solutions)
        assert out == f"{expected}\n# 2 solutions\n"
        out, _ = invoke("solve", "--all", "-f", "json", *words, "-", stdin=matrix)
        found = [each["numbers"] for each in json.loads(out)["solutions"]]
        assert found == solutions
        covers, _ = invoke("cover", *words, "-", stdin=matrix)
        assert covers == "".join(" ".join(map(str, each)) + "\n" for each in solutions)
