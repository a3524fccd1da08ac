"""`--up-to-symmetry`, and `show --symmetries`."""

import json

import pytest

from dlx_numba import ExactCover, example
from dlx_numba.cli import cover as commands
from dlx_numba.cli.search_run import SearchRun
from tests.helpers import INSTANCES
from tests.helpers.counting import affine_plane
from tests.helpers.processes import invoke

QUEENS = INSTANCES / "queens8.dlx"


def test_counts():
    for options in ((), ("--method", "memo"), ("--threads", 2)):
        out, err = invoke("count", "--up-to-symmetry", *options, QUEENS)
        assert (out, err.splitlines()[-1][:23]) == ("12\n", "Altogether 12 solutions")
    assert invoke("count", "queens:n=6", "--up-to-symmetry")[0] == "1\n"


def test_items_with_other_penalties_are_not_exchanged(problem_file):
    """These penalties of items with multiplicities are not costs of options."""
    options = [["a"], ["b"], ["a", "b"]]
    cover = ExactCover(options, multiplicity=(1, None), penalty={"a": 3, "b": 0.5})
    path = problem_file(cover)
    assert invoke("count", "--up-to-symmetry", path)[0] == "8\n"
    assert len(invoke("cover", "--up-to-symmetry", path)[0].splitlines()) == 8
    path = problem_file(cover.replace(penalty={"a": 3, "b": 3}))
    assert invoke("count", "--up-to-symmetry", path)[0] == "6\n"
    assert len(invoke("cover", "--up-to-symmetry", path)[0].splitlines()) == 6


def test_covers():
    expected = example("queens", n=8).cover().solve(up_to_symmetry=True)
    lines = [" ".join(map(str, cover)) for cover in expected]
    out, err = invoke("cover", "--up-to-symmetry", QUEENS)
    assert sorted(out.splitlines()) == sorted(lines)
    assert err.splitlines()[-1].startswith("Altogether 12 solutions")
    out, err = invoke("cover", "--up-to-symmetry", "--limit", 5, "--threads", 2, QUEENS)
    assert len(out.splitlines()) == len(set(out.splitlines()) & set(lines)) == 5
    assert err.splitlines()[-1].startswith("Limited to 5 solutions")
    out, _ = invoke("cover", "queens:n=6", "--limit", 4, "--up-to-symmetry", "-f", "drawing")
    assert out.count("Q") == 6


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_covers_are_found_by_the_threads_that_are_requested(threads, monkeypatch):
    noted = []

    def run(call, found, *others):
        noted.append(found)
        return SearchRun(call, found, *others)

    monkeypatch.setattr(commands, "SearchRun", run)
    invoke("cover", "--up-to-symmetry", *["--threads", threads][: 2 * bool(threads)], QUEENS)
    assert [search.workers.n_threads for search in noted] == [threads]


@pytest.mark.slow
def test_time_limits_hold_while_symmetries_are_found(problem_file):
    """Finding the symmetries of a plane takes minutes."""
    path = problem_file(affine_plane(43))
    for command, last in (
        ("cover --up-to-symmetry", "Stopped before all symmetries were found."),
        ("count --up-to-symmetry", "There are at least 0 covers."),
        ("show --symmetries", "Stopped before all symmetries were found."),
    ):
        out, err = invoke(*command.split(), "--seconds", 0.1, path, status=3)
        assert (out, err.splitlines()[-1]) == ("", last)


def test_symmetries_are_shown():
    out, _ = invoke("show", "--symmetries", "-", stdin="." * 81)
    assert out.startswith("order 1,218,998,108,160, ")


BOARD = "tilings:region=4x4"


def test_covers_that_symmetries_fix():
    cover = example("tilings", region="4x4").cover()
    fixed = [[*each] for each in cover.fixed_by("reflect")]
    lines = sorted(" ".join(map(str, each)) for each in fixed)
    assert invoke("count", "--fixed-by", "reflect", BOARD)[0] == f"{len(fixed)}\n"
    cycle = "(1,1 1,4)(1,2 1,3)(2,1 2,4)(2,2 2,3)(3,1 3,4)(3,2 3,3)(4,1 4,4)(4,2 4,3)"
    for symmetry in ("reflect", cycle):
        out, _ = invoke("cover", "--fixed-by", symmetry, BOARD)
        assert sorted(out.splitlines()) == lines
    assert invoke("cheapest", "--fixed-by", "reflect", BOARD)[0].strip() in lines
    assert invoke("sample", "--fixed-by", "reflect", "--seed", 1, BOARD)[0].strip() in lines
    out, _ = invoke("solve", "--all", "--fixed-by", "reflect", "--fixed-by", "flip", BOARD)
    assert f"# {cover.fixed_by(['reflect', 'flip']).count()} solutions" in out
    counts = cover.fixed_by("reflect").diagram().frequencies()
    out, _ = invoke("count", "--frequencies", "--fixed-by", "reflect", BOARD)
    assert out.split() == [str(k) for pair in enumerate(counts) for k in pair]


def test_boards_in_files_have_symmetries(problem_file):
    path = problem_file(example("tilings", region="4x4").cover())
    assert invoke("count", "--fixed-by", "rotate90", path)[0] == "2\n"


def test_boards_with_rules_have_symmetries(tmp_path):
    path = tmp_path / "diagonals.json"
    path.write_text('{"puzzle": "................", "diagonals": true}', encoding="utf-8")
    arguments = ["solve", "--puzzle", 1, "--all", path]
    assert "# 48 solutions\n" in invoke(*arguments)[0]
    out, err = invoke(*arguments, "--up-to-symmetry")
    assert "# 1 solution up to symmetry\n" in out
    assert "1 solved" in err  # not unique: it has images


@pytest.mark.parametrize(
    ("symmetry", "message"),
    [
        ("rotate9", "error: --fixed-by: a symmetry must be one of rotate90,"),
        ("(1,1 9,9)", "error: --fixed-by: '9,9' is no item"),
        ("(1,1 1,2 1,1)", "error: --fixed-by: '1,1' appears twice in the cycles"),
        ("(1,1 1,2)", "error: --fixed-by: '(1,1 1,2)' does not map option"),
    ],
)
def test_wrong_symmetries_are_errors(symmetry, message):
    err = invoke("count", "--fixed-by", symmetry, BOARD, status=2)[1]
    assert message in err
    assert "`show --symmetries` prints those of the problem" in err


def test_symmetries_of_items_that_are_no_cells_are_cycles():
    _, err = invoke("count", "--fixed-by", "rotate180", "queens:n=6", status=2)
    assert "a row and a column; give cycles of other items, such as (a b)" in err
    *_, cycles = invoke("show", "--symmetries", "queens:n=6")[0].splitlines()
    assert invoke("count", "--fixed-by", cycles, "queens:n=6", status=1)[0] == "0\n"


def test_columns_of_a_matrix_are_numbered_from_0(tmp_path):
    path = tmp_path / "matrix.txt"
    path.write_text("0110\n1001\n1100\n0011\n", encoding="utf-8")
    options = "cover", "--one-based", "--fixed-by"
    assert invoke(*options, "(0 3)(1 2)", path)[0] == "1 2\n3 4\n"
    _, err = invoke(*options, "(1 4)(2 3)", path, status=2)
    assert "'4' is no item; the items are numbered from 0" in err


def test_solutions_are_none_that_symmetries_fix():
    out, err = invoke("solve", "--fixed-by", "rotate90", "tilings:region=2x2", status=1)
    assert out == "# no solution fixed by rotate90\n"
    assert "1 without a solution fixed by rotate90" in err
    assert "diagnose" not in err
    out, _ = invoke("solve", "--all", "--fixed-by", "rotate180", "tilings:region=2x2")
    assert out.endswith("# 2 solutions fixed by rotate180\n")


def test_the_cheapest_solutions_are_those_that_symmetries_fix(problem_file):
    path = problem_file(ExactCover({"x": ["a"], "y": ["b"], "z": ["a", "b"]}, costs=[1, 1, 5]))
    cheapest = "solve", "--fixed-by", "(a b)", path
    assert invoke(*cheapest)[0].endswith("# cost 2, the cheapest fixed by (a b)\n")
    path = problem_file(ExactCover([["a", "c"], ["b", "d"], ["a", "d"], ["b", "c"]], costs=[1] * 4))
    out, _ = invoke("solve", "--fixed-by", "(a b)", path, status=1)
    assert out == "# no solution fixed by (a b)\n"


@pytest.mark.parametrize(
    ("command", "record"),
    [
        ("count --fixed-by reflect", {"status": "stopped", "bound": "0"}),
        ("cheapest --fixed-by reflect", {"status": "stopped", "count": "0", "bound": None}),
        ("count --frequencies", {"status": "stopped", "bound": "0"}),
    ],
)
def test_the_last_record_says_that_the_search_did_not_begin(command, record, tmp_path):
    path = tmp_path / "out.json"
    invoke(*command.split(), "--seconds", 0, "-o", path, BOARD, status=3)
    assert json.loads(path.read_text(encoding="utf-8")) == record
