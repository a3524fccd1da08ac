"""Matrices with names: CSV, pipe tables, and columns split by blanks."""

import pytest

import dlx_numba as dlx
from dlx_numba.cover.encode import Statement
from dlx_numba.kinds.exact.knuth import parse_knuth
from dlx_numba.kinds.exact.table import parse_table
from tests.helpers import INSTANCES
from tests.helpers.problems import check_written, find_parser, named_problem, parsed, write_table
from tests.helpers.seeds import seeds

PIPES = (
    "| | A | B | C |\n|---|:-:|--:|---|\n| S1 | 1 | 0 | 0 |\n| S2 | x | X | |\n| S3 | . | 1 | 1 |\n"
)
# As printed in the literature
BARS = "   | A | B | C\n---|---|---|---\nS1 | 1 | 0 | 0\nS2 | 1 | 1 | 0\nS3 | 0 | 1 | 1\n"


@pytest.mark.parametrize(
    "text",
    [
        ",A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n",
        "set,A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n",
        "A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n",
        "A,B,C\n1,0,0\n1,1,0\n0,1,1\n",
        "ABC\n100\n110\n011\n",
        "A B C\n100\n110\n011\n",
        "# names\nABC\r\n1 0 0\r\n1 1 0\r\n0 1 1\r\n",
        "S1,1,0,0\nS2,1,1,0\nS3,0,1,1\n",
        '# a comment\n"";"A";B;C\r\n\r\n"S1";x;;\r\nS2;X;x;.\r\nS3;;1;x\r\n',
        "\tA\tB\tC\nS1\t1\t\t0\nS2\t1\t1\t0\nS3\t0\t1\t1\n",
        "set A B C\nS1 1 0 0\nS2 1 1 0\nS3 0 1 1\n",
        "| a comment\nS1 1 . .\nS2 1 1 .\nS3 . 1 1\n",
        "  A  B  C\nS1  1  0  0\nS2  1  1  0\nS3  0  1  1\n",
        "  A B C\n0 1 0 0\n1 1 1 0\n2 0 1 1\n",
        "S1 100\nS2 110\nS3 011\n",
        "# rows\nS1: 100\nS2: 110\nS3: 011\n",
        ",A,B,C\nS1,True,False,False\nS2,TRUE,true,FALSE\nS3,false,✓,✔\n",
        ",A,B,C\nS1,1.0,0.0,0.0\nS2,1.0,1.0,0.0\nS3,0.0,1.0,1.0\n",
        PIPES,
        f"+---+\n{PIPES}+---+---+---+---+\n",
        "\n".join(f"+----+---+---+---+\n{line}" for line in PIPES.splitlines() if "-" not in line),
        "+-+\n| A | B | C |\n+-+\n| 1 | 0 | 0 |\n+-+\n| 1 | 1 | 0 |\n+-+\n| 0 | 1 | 1 |\n+-+\n",
        "A|B|C\n---+---+---\n1|0|0\n1|1|0\n0|1|1\n",
        "+==+--+\n" + PIPES.replace("|---|:-:|--:|---|", "+===+==+==+==+"),
        PIPES.replace(" |\n", "\n").replace("C\n", "C |\n").replace("X |\n", "X | 0\n"),
        BARS,
        BARS.replace("---|---|---|---\n", ""),
        BARS.replace("   |", "set|").replace("0", ""),
        BARS.replace("C\n", "C | |\n"),
        BARS.replace("   | A", "A").replace("C\n", "C | |\n"),
        "A | B | C | |\n1 | 0 | 0 |\n1 | 1 | 0\n0 | 1 | 1 | |\n",
        ",A,B,C,\nS1,1,0,0,\nS2,1,1,0\nS3,0,1,1,,\n",
        BARS.partition("---|---|---|---\n")[2],
        "A|B|C\n1|.|.\n1|1|\n |1|1\n",
    ],
)
def test_all_kinds_of_tables_contain_the_same_problem(text) -> None:
    assert find_parser(text) is parse_table
    cover = parsed(parse_table, text)
    items = ["A", "B", "C"] if "A" in text else [0, 1, 2]
    assert list(cover.items) == items
    assert list(cover.option_names) == (["S1", "S2", "S3"] if "S1" in text else [0, 1, 2])
    assert cover.options == [items[:1], items[:2], items[1:]]


def test_notation_of_colors_multiplicities_and_costs() -> None:
    text = ',"two words",0:2|b,|s,3|c,|,|"t"\nS1,1,0,:x,1,7,.\nS2,0,1,1,0,0,:"a|b"\n,,,,,|3,\n'
    problem = parse_table(text.replace('"t"', "t").replace(':"a|b"', '":""a|b"""'))
    assert problem.items == ["two words", "b", "c"]
    assert problem.secondary == ["s", "t"]
    assert problem.multiplicity == {"b": (0, 2), "c": (3, 3)}
    options = [["two words", ("s", "x"), "c"], ["b", "s", ("t", "a|b")], []]
    assert problem.options == dict(zip(["S1", "S2", 2], options, strict=True))
    assert problem.costs == [7, 0, 3]
    pipes = parse_table("| | 0:2\\|a | \\|s | \\| |\n| S1 | 1 | :x | 4 |\n")
    options = {"S1": ["a", ("s", "x")]}
    assert pipes == Statement(options, ["a"], ["s"], {"a": (0, 2)}, costs=[4])


def test_an_empty_cost_is_an_error():
    with pytest.raises(ValueError, match="<text>:3: invalid cost ''"):
        parse_table(",A,cost\nS1,1,5\nS2,1,\n")


def test_items_of_tables_may_be_numbers():
    for text in ("1 2 3\nA 1 0 0\nB 0 1 1\n", "   1  2  3\n0  1  0  0\n1  0  1  1\n"):
        assert find_parser(text) is parse_table
        assert parse_table(text).items == ["1", "2", "3"]
        assert parsed(parse_table, text).solve() == [[0, 1]]


@pytest.mark.parametrize(
    "text",
    [
        ",A,B,Cost\nS1,1,0,5\nS2,0,1,3\n",
        "cost,A,B\n5,1,0\n3,0,1\n",
        "name | costs | A | B\nS1 | 5 | 1 | 0\nS2 | 3 | 0 | 1\n",
        "   A  B  cost\nS1  1  0  5\nS2  0  1  3\n",
    ],
)
def test_a_column_of_numbers_with_the_title_cost_has_costs(text):
    assert find_parser(text) is parse_table
    statement = parse_table(text)
    assert (statement.items, statement.costs) == (["A", "B"], [5, 3])


def test_written_table_is_read_as_the_same_problem() -> None:
    for seed in seeds(300):
        problem = named_problem(seed)
        if problem.items:
            check_written(write_table(problem), parse_table, problem)


def test_matrix_of_digits_with_names_is_a_table() -> None:
    text = write_table(dlx.ExactCover.from_matrix([[0, 1], [1, 0]]))
    assert text == ",0,1\n0,0,1\n1,1,0\n"
    assert find_parser(text) is parse_table
    assert parse_table(text).options == {0: ["1"], 1: ["0"]}


def test_files_in_knuths_format_are_read_as_before() -> None:
    for path in sorted(INSTANCES.glob("*.dlx")):
        text = path.read_text()
        assert find_parser(text) is parse_knuth
        assert parse_knuth(text).options


def test_only_line_ends_separate_the_rows_of_csv() -> None:
    text = ',a\u2028b,c\x0cd\r\nS1,1,0\r"S\n2",0,1\n'
    assert parse_table(text).options == {"S1": ["a\u2028b"], "S\n2": ["c\x0cd"]}
