"""Other columns of tables, keys of objects, and comments are written behind the own columns."""

import csv
import io
import json
import sqlite3

import pytest

from dlx_numba.cli import board_run
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
        further = ["other"] * text.startswith("{")  # keys that the first object lacks
        assert [[*row] for row in rows] == [[*own, *OTHERS, *further]] * len(rows)
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
    assert header == f"{COMMANDS['canonical']},id,other"


def test_unreadable_lines_keep_their_comments():
    text = f"{UNIQUE} # NB-1\n{UNIQUE[:70]} # NB-2\n{UNIQUE} # NB-3\n"
    assert [row["id"] for row in read_rows("solve", text)] == ["NB-1", "NB-2", "NB-3"]


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


def test_columns_of_files_are_those_of_all_headers_and_keys_in_any_order(tmp_path):
    texts = {
        "a.csv": table(ROWS[:1]),
        "b.csv": f"level,puzzle\n3,{UNIQUE}\n",
        "c.jsonl": f'{{"puzzle": "{UNIQUE}"}}\n{{"puzzle": "{UNIQUE}", "key": [1], "level": 4}}\n',
        "d.txt": f"{UNIQUE}\n{UNIQUE} # NB-7\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files = [tmp_path / name for name in texts]
    for order in (files, files[::-1]):
        out, _ = invoke("solve", "-f", "csv", *order)
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {*rows[0]} == {*SOLVED.split(","), *OTHERS, "level", "key"}
        found = [(row["id"], row["source"], row["level"], row["key"]) for row in rows]
        expected = [("007", "web", "", ""), ("", "", "3", ""), ("", "", "", "")]
        expected += [("", "", "4", "[1]"), ("", "", "", ""), ("NB-7", "", "", "")]
        assert sorted(found) == sorted(expected)


def test_keys_that_appear_later_in_a_pipe_are_in_the_column_other_which_is_read_again(tmp_path):
    records = [{"puzzle": UNIQUE, "a": 1}, {"puzzle": UNIQUE, "b": "x", "a": 2}]
    text = "".join(json.dumps(record) + "\n" for record in records)
    [first, second] = read_rows("solve", text, status=0)
    assert [*first] == [*SOLVED.split(","), "a", "other"]
    assert (first["a"], first["other"], second["a"]) == ("1", "", "2")
    assert json.loads(second["other"]) == {"b": "x"}
    file = tmp_path / "solved.csv"
    invoke("solve", "-f", "csv", "-o", file, "-", stdin=text)
    [first, second] = invoke_json("canonical", file)[0]
    assert "other" not in first
    assert (second["b"], second["a"]) == ("x", "2")
    out, _ = invoke("canonical", "-f", "csv", file)
    assert out.splitlines()[0].endswith(",a,b,other")


def test_a_column_that_a_second_header_adds_in_a_pipe_is_an_error():
    text = f"id,puzzle\n1,{UNIQUE}\nlevel,puzzle\n3,{UNIQUE}\n"
    _, err = invoke("solve", "-f", "csv", "-", stdin=text, status=2)
    assert "<stdin>:4: the output has no column level; use json" in err
    assert invoke_json("solve", "-", stdin=text)[0][1]["level"] == "3"


def test_canonical_keeps_a_column_of_solutions_as_it_is(tmp_path):
    solution = invoke("solve", UNIQUE)[0].strip()
    texts = ["", "3752", solution]
    file = tmp_path / "solutions.csv"
    file.write_text("puzzle,solution\n" + "".join(f"{UNIQUE},{text}\n" for text in texts))
    objects = [{"puzzle": UNIQUE, "solution": text} for text in (None, *texts)]
    lines = tmp_path / "solutions.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in objects))
    for source, expected in ((file, texts), (lines, ["", *texts])):
        out, _ = invoke("canonical", "-f", "csv", source)
        assert [row["solution"] for row in csv.DictReader(io.StringIO(out))] == expected


def test_solutions_and_comments_that_appear_late_have_a_column(tmp_path, monkeypatch):
    monkeypatch.setattr(board_run, "CHUNK_BOARDS", 1)
    solution = "1324423124133142"
    for content, name, late in (
        (f"1{15 * '.'}\n1.....3..4.....2,{solution}\n", "solution", solution),
        (f"puzzle\n1{15 * '.'}\n1.....3..4.....2 # NB-7\n", "id", "NB-7"),
    ):
        path = tmp_path / "puzzles.txt"
        path.write_text(content)
        out, _ = invoke("canonical", "-f", "csv", path)
        assert [row[name] for row in csv.DictReader(io.StringIO(out))] == ["", late]


def test_a_stated_solution_that_cannot_be_read_is_wrong(tmp_path):
    file = tmp_path / "cut.csv"
    file.write_text(f"puzzle,solution\n{UNIQUE},{SEVERAL[:40]}\n")
    assert (
        "cut.csv:2: the solution given" in invoke("solve", "-o", tmp_path / "o", file, status=1)[1]
    )
    assert "malformed" in invoke("verify", file, status=1)[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_table_without_rows_is_an_empty_batch(command, tmp_path):
    file = tmp_path / "head.csv"
    file.write_text("id,puzzle\n")
    written = tmp_path / "out.csv"
    invoke(*command.split(), "-o", written, file)
    assert written.read_text() == f"{COMMANDS[command]},id\n"
    out, _ = invoke("rate", "-f", "csv", written)
    assert out.startswith("puzzle,")


def test_puzzles_with_rules_keep_other_keys():
    puzzle = {"puzzle": "1........4......", "diagonals": True, "id": 7, "created": "today"}
    out, _ = invoke("solve", "-f", "json", "-", stdin=json.dumps(puzzle))
    record = json.loads(out)
    assert (record["id"], record["created"], record["diagonals"]) == (7, "today", True)
    assert invoke("solve", "-f", "json", "-", stdin=out)[0] == out
    misspelled = json.dumps({**puzzle, "diagnols": 1})
    assert "not supported: diagnols" in invoke("solve", "-", stdin=misspelled, status=2)[0]


@pytest.mark.parametrize("command", ["solve", "rate", "canonical"])
@pytest.mark.parametrize("key", ["region", "rules", "sum", "clone"])
def test_texts_and_numbers_are_no_constraints_and_lists_are(command, key, tmp_path):
    file = tmp_path / "keys.jsonl"
    for value in ("north", 5):
        file.write_text(json.dumps({"puzzle": UNIQUE, key: value}))
        assert invoke_json(command, file)[0][0][key] == value
    file.write_text(json.dumps({"puzzle": UNIQUE, key: [1]}))
    _, err = invoke(command, file, status=2)
    assert f"constraints that are not supported: {key}" in err


def test_a_null_byte_makes_one_line_unreadable(tmp_path):
    file = tmp_path / "null.txt"
    file.write_bytes(f"{UNIQUE}\nab\0c\n{UNIQUE}\n".encode())
    _, err = invoke("solve", "-o", tmp_path / "solved.txt", file, status=4)
    assert "null.txt:2: not a board" in err
    assert "2 solved, 1 unreadable" in err
    file.write_bytes(b"\0\1\2" * 2000)
    assert "binary data" in invoke("rate", file, status=2)[1]


def test_columns_that_differ_in_case_are_renamed_with_a_notice(tmp_path):
    """The program qqwing writes a column `Givens`, and `rate` writes `givens`."""
    text = f"Puzzle,Givens,Note,note\n{UNIQUE},30,a,b\n"
    for style in ("csv", "json"):
        with pytest.warns(UserWarning, match="'Givens' is called 'Givens_2', as another differs"):
            out, _ = invoke("rate", "-f", style, "-", stdin=text)
        rows = (
            csv.DictReader(io.StringIO(out)) if style == "csv" else [json.loads(out.split("\n")[0])]
        )
        for row in rows:
            assert len({name.lower() for name in row}) == len(row)
            assert [row[name] for name in ("Givens_2", "Note", "note_2")] == ["30", "a", "b"]
    database = sqlite3.connect(":memory:")
    [row] = read_rows("solve", text, status=0)
    database.execute(f"create table boards ({', '.join(map(json.dumps, row))})")


@pytest.mark.parametrize("style", ["csv", "json"])
@pytest.mark.parametrize("command", ["solve", "canonical", "minimize", "rate"])
def test_the_first_file_and_line_and_reason_are_kept(command, style, tmp_path):
    first = tmp_path / "first.txt"
    first.write_text(f"{UNIQUE}\n\n{UNIQUE[:80]}\nnot a board\n{UNIQUE}\n")
    rated = tmp_path / f"rated.{style}"
    invoke("rate", "-f", style, "-o", rated, first, status=4)
    out, _ = invoke(command, "-f", style, rated, status=4)
    rows = (
        [*csv.DictReader(io.StringIO(out))]
        if style == "csv"
        else [json.loads(line) for line in out.splitlines()]
    )
    rows = [row for row in rows if "file" in row]
    assert [(row["file"], int(row["line"])) for row in rows] == [
        (str(first), n) for n in (1, 3, 4, 5)
    ]
    for number, reason in ((1, "expected 81 symbols, found 80"), (2, "not a board")):
        assert reason in (rows[number].values())
