"""Links that are given instead of files."""

import pytest

from tests.helpers.processes import invoke, invoke_with_status

NONOGRAM = "puzz.link/p?nonogram/3/10/14i1121g43i2g1g2g2g1g1g3g1g1g3g"
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SERVER = "sudokupad.app/abc123"
COMPRESSED = "N4IgzglgXgpiBcBOANCALhNAbO8QBUALGCVAQwFcAjDUARkQAVNqM"
PUZZLES = [
    "cheapest",
    "count",
    "cover",
    "diagnose",
    "estimate",
    "explain",
    "sample",
    "show",
    "verify",
]
BOARDS = ["canonical", "minimize", "rate"]


@pytest.mark.parametrize("host", ["https://", "www.", ""])
def test_solve_reads_a_link_with_and_without_its_protocol(host):
    drawn, _ = invoke("solve", "-q", host + NONOGRAM)
    assert drawn == " ▀█\n▄█▀\n█\n▀▀█\n▄▄█\n# unique\n"
    assert invoke("count", "-q", host + NONOGRAM)[0] == "1\n"
    solved, _ = invoke("solve", "-q", f"{host}a.org/?bd={BOARD}")
    assert solved.startswith("534678912")


@pytest.mark.parametrize("command", ["solve", *PUZZLES, *BOARDS])
@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("https://puzz.link/p?nonogram/x", "this is a link without a puzzle"),
        ("https://puzz.link/p?lits/4/4/9q02jg", "this is a link of LITS, which is not solved"),
        ("https://puzz.link/p?nonogram/3/3/1111h*", "the link has '*' after 6 cells"),
        ("puzz.link/p?tents/5/5/1a2bzz", "the link has 24 cells instead of 10"),
        ("puzz.link/p?sudoku/5/5/g", "the link has a board of 5×5, which Sudoku does not have"),
        ("puzz.link/p?sudoku/4/4/g.zz", "the link has 22 cells instead of 16"),
        ("puzz.link/p?sudoku/4/4/g.z", "the link has 22 cells instead of 16"),
        ("https://example.org/", "this is a link without a puzzle"),
        (f"https://{SERVER}", "only its name on a server, which is not asked"),
        (f"https://f-puzzles.com/?load={COMPRESSED}", "the compressed puzzle is damaged"),
    ],
)
def test_a_link_without_a_puzzle_is_named(command, link, reason):
    _, err, status = invoke_with_status(command, link)
    is_named = reason in err or (command in BOARDS and "contains no plain Sudoku board" in err)
    assert (status, is_named) == (2, True), err
    assert "No such file" not in err
