"""Other columns of tables, keys of objects, and comments are written behind the own columns."""

import csv
import io
import json

import pytest

from tests.helpers.processes import NONE, SEVERAL, UNIQUE, invoke, invoke_json

SOLVED = "puzzle,solution,count,status,file,line,nodes"
COMMANDS = {
    "solve": SOLVED,
    "solve --check": SOLVED,
    "solve --engine dlx": SOLVED,
    "solve --all --limit 2": f"puzzle_number,solution_number,{SOLVED}",
    "rate": "puzzle,solution,difficulty,techniques,count,givens,hardest,score,file,line",
    "canonical": "puzzle,canonical,status,file,line",
    "minimize": "puzzle,solution,count,status,file,line",
}
OTHERS = ("id", "source", "created")
ROWS = [
    (UNIQUE, "007", "web", "2026-11-01"),
    (NONE, "8", 'a "book", page 2', ""),
    ("not a board", "9", "mail", "2026-11-03"),
    (SEVERAL, "", "", ""),
]


def table(rows=ROWS):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["id", "Quizzes", "source", "created"])
    writer.writerows([number, board, source, date] for board, number, source, date in rows)
    return text.getvalue()


def objects():
    names = ("puzzle", *OTHERS)
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in ROWS)


def read_rows(command, text, status=4):
    out, _ = invoke(*command.split(), "-f", "csv", "-", stdin=text, status=status)
    return list(csv.DictReader(io.StringIO(out)))


@pytest.mark.parametrize("command", COMMANDS)
def test_tables_and_objects_keep_other_fields_behind_those_of_the_command(command):
    expected = [row[1:] for row in ROWS]
    expected += expected[3:] * ("--all" in command)  # its second solution
    own = COMMANDS[command].split(",")
    for text in (table(), objects()):
        rows = read_rows(command, text)
        assert [[*row] for row in rows] == [[*own, *OTHERS]] * len(rows)
        assert [tuple(row[name] for name in OTHERS) for row in rows] == expected
        records, _ = invoke_json(*command.split(), "-", stdin=text, status=4)
        records = [record for record in records if "classes" not in record]
        assert [tuple(record[name] for name in OTHERS) for record in records] == expected
        for record in records:
            names = [name for name in record if name != "reason"]
            assert names == [name for name in own if name in record] + [*OTHERS]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("style", ["csv", "json"])
def test_own_columns_that_are_read_again_are_replaced(command, style):
    first, _ = invoke(*command.split(), "-f", style, "-", stdin=table(ROWS[:1]))
    second, _ = invoke(*command.split(), "-f", style, "-", stdin=first)
    again = second.replace('"line": 1', '"line": 2')
    assert again == first


def test_columns_of_several_commands_accumulate():
    rated, _ = invoke("rate", "-f", "csv", "-", stdin=table(ROWS[:1]))
    [row] = read_rows("solve", rated, status=0)
    kept = ("difficulty", "techniques", "givens", "hardest", "score")
    assert [*row] == [*SOLVED.split(","), *kept, *OTHERS]
    assert (row["difficulty"], row["id"]) == ("expert", "007")
    [row] = read_rows("canonical", rated, status=0)
    assert row["solution"] == invoke("solve", UNIQUE)[0].strip()


def test_comments_are_ids_unless_they_are_classes_of_qqwing_or_our_own():
    comments = {
        "NB-00000": {"id": "NB-00000"},
        "Easy": {"difficulty": "Easy"},
        "expert": {"difficulty": "expert"},
        "simple: naked single": {"difficulty": "simple"},
        "hard": {"id": "hard"},
        "12": {"id": "12"},
        "no solution": {},
        "unfinished": {},
        "2 or more solutions": {},
        "17 solutions": {},
        "puzzle 3, solution 2": {},
        "puzzle 3, no solution": {},
        "invalid: several solutions": {},
    }
    text = "".join(f"{UNIQUE} # {comment}\n" for comment in comments)
    records, _ = invoke_json("solve", "-", stdin=text)
    own = {*SOLVED.split(",")}
    found = [{k: v for k, v in record.items() if k not in own} for record in records]
    assert found == [*comments.values()]
    header, *_ = invoke("canonical", "-f", "csv", "-", stdin=text)[0].splitlines()
    assert header == f"{COMMANDS['canonical']},id,difficulty"


def test_columns_do_not_depend_on_files_or_sizes(tmp_path):
    four = tmp_path / "four.txt"
    four.write_text("1.....3..4.....2\n")
    nine = tmp_path / "nine.txt"
    nine.write_text(f"{UNIQUE}\n")
    for files in ([four], [nine], [four, nine]):
        out, _ = invoke("solve", "-f", "csv", *files)
        header, *rows = out.splitlines()
        assert header == SOLVED
        assert [row.split(",")[4] for row in rows] == [str(file) for file in files]
        assert all(row.split(",")[6].isdigit() for row in rows)


def test_columns_that_a_table_cannot_have_are_named(tmp_path):
    first = tmp_path / "first.csv"
    first.write_text(table(ROWS[:1]))
    second = tmp_path / "second.csv"
    second.write_text(f"level,puzzle\n3,{UNIQUE}\n")
    out, err = invoke("solve", "-f", "csv", first, second)
    assert "level" not in out
    assert "not written, because the first records lack it: level" in err
    records, err = invoke_json("solve", first, second)
    assert records[1]["level"] == "3"
    assert "not written" not in err


def test_puzzles_with_rules_keep_other_keys():
    puzzle = {"puzzle": "1........4......", "diagonals": True, "id": 7, "created": "today"}
    out, _ = invoke("solve", "-f", "json", "-", stdin=json.dumps(puzzle))
    record = json.loads(out)
    assert (record["id"], record["created"], record["diagonals"]) == (7, "today", True)
    assert invoke("solve", "-f", "json", "-", stdin=out)[0] == out
    misspelled = json.dumps({**puzzle, "diagnols": 1})
    assert "not supported: diagnols" in invoke("solve", "-", stdin=misspelled, status=2)[0]
