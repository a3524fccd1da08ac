"""Which texts are plainly Sudoku, and which are in doubt."""

import pytest

from dlx_numba.sudoku.io.plain import examine
from tests.helpers import DATA, SAMPLES
from tests.helpers.formats import DRAWINGS, FOUR, LISTS, OBJECTS, OTHER, PUZZLE, SOLUTION, compact

SIX = "1....." + ".2...." + "..3..." + "...4.." + "....5." + ".....6"
SQUARES = "1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1\n"
TWO_KINDS = PUZZLE.replace("..", "_.")


@pytest.mark.parametrize(
    "text",
    [
        PUZZLE,
        f"# two\n{PUZZLE}\nwhat?\nand that?\n",
        f"55{'.' * 79}\n",  # boards on single lines are never asked about
        "." * 81,
        "0" * 81,
        f"{FOUR}\n",
        SQUARES,
        f"{SIX}\n",
        " ".join(PUZZLE),
        TWO_KINDS,
        f"{PUZZLE[:4]}Q{PUZZLE[5:]}\n",  # an error of Sudoku
        PUZZLE[:-1],
        "37 " + "0 " * 1295,
        compact(SIX),
        f"Grid 01\n{compact(PUZZLE)}Grid 02\n{compact(OTHER)}",
        f"quizzes,solutions\n{PUZZLE},{SOLUTION}\n",
        f"Difficulty: Easy\n{compact(PUZZLE)}",
        f'{{"puzzle": "{FOUR[0] * 2}{FOUR[2:]}"}}\n',
        f"https://example.org/?bd={PUZZLE}\n",
        *DRAWINGS.values(),
        *LISTS.values(),
        *OBJECTS.values(),
    ],
)
def test_boards_are_plain(text):
    assert examine(text.encode()) == (True, "")
    assert examine(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == (True, "")


def test_the_output_of_qqwing_and_the_data_are_plain():
    for path in (*SAMPLES.glob("qqwing/*.txt"), *DATA.glob("*.txt")):
        assert examine(path.read_bytes()) == (True, ""), path


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        (f"4 4\n{SQUARES}", "this has rows of 4 symbols after a line `4 4`"),
        (f"9\n{compact(PUZZLE)}", "this has rows of 9 symbols after a line `9`"),
        (compact(f"11{PUZZLE[2:]}"), "these rows could be a Sudoku with two 1s in row 1"),
        ("7 7 8 8\n" * 4, ""),
        ("1 2 3 4\n4 3 2 1\n1 2 3 4\n3 4 1 2\n", "two 1s in column 1"),
        (compact(PUZZLE)[:-11] + "\n", ""),
        (f"{compact(PUZZLE)}123456789\n", "only 1 of 2 lines or drawings can be read as boards"),
        (f"{compact('.' * 81)}{compact(SOLUTION)}", "too few symbols"),
        (f"{PUZZLE[:27]}\n{PUZZLE[27:54]}\n{PUZZLE[54:]}\n", "81 symbols, but are not 9 rows"),
        (f"{PUZZLE[:9]}\n{PUZZLE[9:40]}\n{PUZZLE[40:]}\n", "81 symbols, but are not 9 rows"),
        ("1...\n..._\n*...\n....\n", "several for empty cells"),
        ("1...\n..1.\n.1..\n...1\n", "too few symbols"),
        (compact("12" + 98 * "."), "this has rows of 10 symbols"),
        (" ".join(compact("12" + 98 * "-")), "this has rows of 10 symbols"),
        (f"{' '.join(['.'] * 64)}\n" * 63 + " ".join(["1", *["."] * 63]), "this has"),
        ("0 . 1 .\n. . . .\n. 1 . .\n. . . 0\n", "0 could be a digit"),
    ],
)
def test_texts_that_may_be_something_else_are_in_doubt(text, doubt):
    verdict = examine(text.encode())
    assert doubt in verdict.doubt
    assert verdict.is_sudoku == bool(doubt)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        "x" * 81,
        "123456789" * 81,  # pencil marks
        "AQ" * 40,
        "A" * 81,
        "1 0\n0 1\n",
        "1001\n0110\n1001\n0110\n",
        "[[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0]]",
        "a b c\na b\nc\n",
        "What a day,\nand not one\nboard in it\n",
        "question,answer\nwhy?,because\n",
        "0 0 1 2\n0 0 2 3\n0 1 5 2\n0 1 7 4\n0 1 8 1\n",
    ],
)
def test_other_texts_are_no_sudoku(text):
    assert examine(text.encode()) == (False, "")
