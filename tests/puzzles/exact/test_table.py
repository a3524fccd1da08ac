"""Matrices with names: CSV files."""

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.exact.table import parse_table
from dlx_numba.runtime.errors import FormatError
from tests.helpers.problems import check_written, oddly_named_problem, parsed, write_table
from tests.helpers.seeds import seeds


@pytest.mark.parametrize(
    "text",
    [
        ",A,B,C\nS1,1,0,0\nS2,1,1,0\nS3,0,1,1\n",
        "A,B,C\n1,0,0\n1,1,0\n0,1,1\n",
        '# a comment\n"";"A";B;C\r\n\r\n"S1";x;;\r\nS2;X;x;.\r\nS3;;1;x\r\n',
        "\tA\tB\tC\nS1\t1\t\t0\nS2\t1\t1\t0\nS3\t0\t1\t1\n",
        "# a comment\n,A,B,C\nS1,True,False,False\nS2,TRUE,true,FALSE\nS3,false,✓,✔\n",
        ",A,B,C\nS1,1.0,0.0,0.0\nS2,1.0,1.0,0.0\nS3,0.0,1.0,1.0\n",
    ],
)
def test_all_kinds_of_tables_contain_the_same_problem(text) -> None:
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


def test_an_empty_cost_is_an_error():
    with pytest.raises(ValueError, match="<text>:3: invalid cost ''"):
        parse_table(",A,|\nS1,1,5\nS2,1,\n", "<text>")


@pytest.mark.parametrize(
    "text",
    [
        "A B C\n1 0 0\n0 1 1\n",
        "ABC\n100\n011\n",
        "S1 100\nS2 011\n",
        "S1,1,0,0\nS2,0,1,1\n",
        "set,A,B,C\nS1,1,0,0\n",
        ",A,B,C,\nS1,1,0,0,\n",
        ",A,B,cost\nS1,1,0,5\n",
    ],
)
def test_other_tables_are_rejected(text) -> None:
    with pytest.raises(FormatError, match=r"toy:[12]: "):
        parse_table(text, "toy")


def test_written_table_is_read_as_the_same_problem() -> None:
    for seed in seeds(300):
        problem = oddly_named_problem(seed)
        if problem.items and problem.options:
            check_written(write_table(problem), parse_table, problem)


def test_matrix_of_digits_with_names_is_a_table() -> None:
    text = write_table(dlx.ExactCover.from_matrix([[0, 1], [1, 0]]))
    assert text == ",0,1\n0,0,1\n1,1,0\n"
    assert parse_table(text).options == {0: ["1"], 1: ["0"]}


def test_the_lines_of_a_large_table_may_be_long():
    n_items = 300_000
    names = ",".join(f"item {k}" for k in range(n_items))
    cells = ",".join("1" * n_items)
    statement = parse_table(f"# a comment\n{names}\n{cells}\n")
    [option] = statement.options
    assert (
        len(option if isinstance(statement.options, list) else statement.options[option]) == n_items
    )


def test_only_line_ends_separate_the_rows_of_csv() -> None:
    text = ',a\u2028b,c\x0cd\r\nS1,1,0\r"S\n2",0,1\n'
    assert parse_table(text).options == {"S1": ["a\u2028b"], "S\n2": ["c\x0cd"]}
