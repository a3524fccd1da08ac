"""Puzzles whose givens contradict each other: each command says that there is no solution."""

import re
import shlex

import pytest

from tests.helpers.processes import NONE, UNIQUE, invoke

BOARD = "0021\n1301\n4044\n0423\n"
# A search finds out that it has no solution.
IMPOSSIBLE = "000005080000601043000000000010500000000106000300000005530000061000000004000000000"
OPTIONS = '{"options": {"x": ["a"], "y": ["a", "b"]}, "given": ["x", "y"]}\n'
COMMANDS = """
solve => ^[^\\n]*# no solution
count => ^0$
count --checkpoint saved => ^0$
count --distinct a => ^0$
count --method memo => ^0$
count --threads 2 => ^0$
count --up-to-symmetry => ^0$
count --frequencies => ^$
cover => ^$
cover --order any => ^$
cover --checkpoint saved => ^$
cheapest => ^$
estimate => ^$
explain => ^$
hint => ^$
puzzles => ^$
sample => ^$
diagnose => ^$|The puzzle has no solution: two 1s in row 2
"""


@pytest.mark.parametrize(
    ("command", "output"), [line.split(" => ") for line in COMMANDS.strip().split("\n")]
)
def test_every_command_answers_that_there_is_no_solution(command, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board").write_text(BOARD)
    (tmp_path / "options").write_text(OPTIONS)
    name, *words = shlex.split(command)
    question = invoke(name, *words, "board", status=2)[1]
    suggested = shlex.split(re.search(r"`dlx-numba (.*)`", question)[1])
    for arguments, reason in (
        ([*suggested, *words], "two 1s in row 2"),
        ([name, "options", *words], "both contain item 'a'"),
    ):
        out, err = invoke(*arguments, status=1)
        assert re.search(output, out.strip())
        assert out or re.search(rf"(board:1|options): no solution: .*{reason}", err)
    assert {path.name for path in tmp_path.iterdir()} == {"board", "options"}


def test_given_options_of_a_command_that_contradict_each_other_are_an_error(tmp_path):
    path = tmp_path / "problem"
    path.write_text("a b\na\na b\nb\n")
    for command in ("cover", "count", "explain", "hint"):
        _, err = invoke(command, "--given", "0", "--given", "1", path, status=2)
        assert re.search("error: .*both contain item 'a'", err)


@pytest.mark.parametrize("command", ["cover", "hint", "estimate", "sample"])
def test_the_status_says_that_other_puzzles_cannot_be_read(command, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{UNIQUE[:-9]}\n{NONE}\n{UNIQUE}\n")
    _, err = invoke(command, path, status=4)
    assert f"{path}:2: no solution: two 8s in row 1" in err
    invoke(command, "--puzzle", 1, path, status=1)


@pytest.mark.parametrize("command", ["cover", "puzzles"])
def test_the_status_of_a_board_without_a_solution_says_so_too(command, tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{UNIQUE[:-9]}\n{IMPOSSIBLE}\n")
    invoke(command, path, status=4)
    invoke(command, "--puzzle", 1, path, status=1)
