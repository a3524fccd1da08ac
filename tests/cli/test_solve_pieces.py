"""`solve` of pieces: the numbers of solutions, also up to symmetry, and progress."""

import pytest

import dlx_numba as dlx
from dlx_numba.cli.terminal import ExitStatus
from dlx_numba.runtime.display import ProgressDisplay
from tests.helpers.processes import invoke, invoke_json


def test_the_summary_has_the_number_of_solutions():
    _, err = invoke("solve", "--all", "queens:n=6")
    assert "1 puzzle with 4 solutions, read as an example of its kind (" in err
    _, err = invoke("solve", "--limit", 3, "queens:n=6")
    assert "1 puzzle with 3 or more solutions, read" in err
    _, err = invoke("solve", "queens:n=6")
    assert "1 puzzle with several solutions, read" in err


def test_one_solution_of_each_symmetry_class_is_found():
    how = "--all", "--up-to-symmetry"
    [record], err = invoke_json("solve", *how, "-f", "json", "queens:n=8")
    expected = dlx.example("queens", n=8).cover().solve(up_to_symmetry=True)
    assert [each["numbers"] for each in record["solutions"]] == [*map(list, expected)]
    assert record["verdict"] == "12 solutions up to symmetry"
    assert "1 puzzle with 12 solutions up to symmetry" in err
    out, _ = invoke("solve", *how, "queens:n=6")
    assert out.endswith("# 1 solution up to symmetry\n")
    out, _ = invoke("solve", *how, "--limit", 2, "queens:n=8")
    assert out.endswith("# 2 or more solutions up to symmetry\n")
    out, _ = invoke("solve", *how, "--seconds", 0, "queens:n=8", status=ExitStatus.STOPPED)
    assert out.startswith("# not decided")


def test_symmetries_exclude_a_random_order_and_boards():
    for more in (["--seed", "1", "queens"], ["1..." + "." * 12]):
        _, err = invoke("solve", "--up-to-symmetry", *more, status=ExitStatus.USAGE)
        assert "--up-to-symmetry" in err


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["solve", "--kind", "pieces"], "1 of 2 puzzles"),
        (["solve", "--all", "--kind", "pieces", "--puzzle", "1"], "2 solutions"),
        (["show", "-f", "html", "--kind", "pieces"], "2 of 2 puzzles"),
        (["puzzles", "--puzzle", "1", "--kind", "pieces"], "1 of 1 puzzle, 1 cover tried"),
    ],
)
def test_commands_show_their_progress(command, text, monkeypatch, tmp_path):
    file = tmp_path / "pieces.txt"
    file.write_text("2x2\n\n2 x\n##\n---\n1x3\n\n##\n\n#\n")
    shown = []
    monkeypatch.setattr(ProgressDisplay, "update", lambda self, text, *_: shown.append(text))
    invoke(*command, file)
    assert text in shown


def test_new_puzzles_show_their_progress(monkeypatch):
    shown = []
    monkeypatch.setattr(ProgressDisplay, "update", lambda self, text, *_: shown.append(text))
    invoke("puzzles", "-n", 2, "--size", 5, "--seed", 1, "shikaku")
    assert "2 of 2 puzzles" in shown
