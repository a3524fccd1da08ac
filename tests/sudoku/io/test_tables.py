"""Tables of boards: rows with line breaks in quotes, and with fields that no column has."""

import csv
import io
import random

import pytest

from dlx_numba.runtime.errors import UnreadableError
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from tests.helpers.seeds import seeds

FOUR = "1.....3..4.....2"
PIECES = ["a", " ", ",", '"', "\n", "\r\n", "\r", ";", "#", "\t", ".", FOUR]


def read_rows(text, **how):
    """Return the other fields, the line and the error of each record, and the boards."""
    rows = []
    boards = []
    for chunk in read_records(io.BytesIO(text.encode()), box=Box(2, 2), **how):
        others = chunk.others or [{}] * len(chunk)
        found = [(int(line), fields, "") for line, fields in zip(chunk.lines, others, strict=True)]
        found += [(bad.line, bad.others, bad.reason) for bad in chunk.bad]
        rows += sorted(found, key=lambda row: row[0])
        boards += chunk.alphabet.symbols_of(chunk.boards).view("S16").ravel().tolist()
    return rows, [board.decode() for board in boards]


def test_any_text_in_quotes_is_one_field_of_one_record():
    for seed in seeds(1000):
        check_random_table(random.Random(seed))


def check_random_table(draw):
    delimiter = draw.choice(",;\t")
    names = ["id", "puzzle", "note", "source"]
    draw.shuffle(names)
    rows = [
        {name: "".join(draw.choices(PIECES, k=draw.randrange(5))) for name in names}
        | {"puzzle": FOUR if draw.random() < 0.8 else "no board"}
        for _ in range(draw.randrange(1, 30))
    ]
    out = io.StringIO(newline="")
    quoting = draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    writer = csv.DictWriter(out, names, delimiter=delimiter, quoting=quoting)
    writer.writeheader()
    lines = []
    for row in rows:
        lines.append(1 + len(out.getvalue().encode().splitlines()))
        writer.writerow(row)
    found, boards = read_rows(out.getvalue(), block_bytes=draw.choice([16, 100, 1 << 18]))
    assert [fields for _, fields, _ in found] == [
        {name: row[name].strip() for name in names if name != "puzzle"} for row in rows
    ]
    assert [line for line, _, _ in found] == lines
    assert [not reason for _, _, reason in found] == [row["puzzle"] == FOUR for row in rows]
    assert boards == [row["puzzle"] for row in rows if row["puzzle"] == FOUR]


def test_quotes_that_are_not_closed_cost_no_other_puzzle():
    text = f'id,puzzle,note\n1,{FOUR},"a\n2,{FOUR},5" high\n3,{FOUR},\n'
    rows, boards = read_rows(text)
    assert boards == [FOUR] * 3
    assert [fields["id"] for _, fields, _ in rows] == ["1", "2", "3"]


def test_surplus_fields_of_a_row_are_an_error_and_empty_ones_are_not():
    rows, boards = read_rows(f"puzzle,id\n{FOUR},7,,\n{FOUR},8,,x\n{FOUR},9\n")
    assert boards == [FOUR, FOUR]
    assert rows == [
        (2, {"id": "7"}, ""),
        (3, {"id": "8"}, "the row has 4 fields, and the table has 2 columns"),
        (4, {"id": "9"}, ""),
    ]


def test_columns_with_one_name_are_an_error_that_names_them():
    with pytest.raises(UnreadableError, match="two columns are called 'id'"):
        read_rows(f"id,puzzle,id\n1,{FOUR},2\n")


@pytest.mark.parametrize(
    "header", ["# puzzle,solution", "#puzzle,solution,note", "# a hard one, its, solution"]
)
def test_a_header_after_the_sign_of_a_comment_makes_no_puzzles_of_solutions(header):
    solution = "1324423124133142"
    assert read_rows(f"{header}\n{FOUR},{solution}\n")[1] == [FOUR]


@pytest.mark.parametrize("header", ["puzzle", "puzzle,solution", "id,puzzle,note\r\n"])
def test_a_header_without_rows_is_one_empty_chunk_with_any_sizes(header):
    sources = [io.BytesIO(header.encode()) for _ in range(2)]
    results = [read_records(sources[0]), read_records(sources[1], chunk_boards=1, block_bytes=1)]
    chunks = [list(each) for each in results]
    assert [len(each) for each in chunks] == [1, 1]
    assert all(len(chunk) == 0 and not chunk.bad for [chunk] in chunks)
