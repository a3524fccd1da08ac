"""`solve`: summaries, work, problems of the input, exit statuses, interrupts and streams."""

import gzip
import json

import pytest

import dlx_numba as dlx
from tests.helpers import DATA
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke, invoke_json, start

pytestmark = pytest.mark.compiled


def test_files_are_solved_in_order():
    out, err = invoke("solve", *(DATA / f"{name}.txt" for name in ("simple", "easy")))
    puzzles = (DATA / "simple.txt").read_text().split() + (DATA / "easy.txt").read_text().split()
    assert out.split() == dlx.solve_batch(puzzles).strings()
    assert "400 Sudokus: 400 solved" in err


def test_strict_stops_at_the_first_record_or_file_that_cannot_be_read(tmp_path):
    text = f"{UNIQUE}\n{NONE}\nnot a board\n{SEVERAL}\n"
    out, err = invoke("solve", "--strict", "-", stdin=text, status=2)
    assert len(out.splitlines()) == 3
    assert "stopped at the first record that cannot be read" in err
    out, err = invoke("solve", "--strict", tmp_path / "absent", DATA / "easy.txt", status=2)
    assert (out, "stopped at the first file that cannot be read" in err) == ("", True)


def test_wrong_solution_in_the_file_is_reported():
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    text = f"puzzle,solution\n{UNIQUE},{wrong}\n{UNIQUE},{SOLVED}\n"
    _, err = invoke("solve", "-", stdin=text, status=1)
    assert "<stdin>:2: the solution given in the file does not solve the puzzle" in err
    assert "1 inconsistent with the file" in err


def test_second_board_on_a_line_that_is_no_solution_is_reported():
    _, err = invoke("solve", "-", stdin=f"{UNIQUE} {SEVERAL}\n{UNIQUE}, {SOLVED}\n", status=1)
    assert "<stdin>:1: the solution given in the file cannot be read, or is not complete" in err
    assert "1 inconsistent with the file" in err


def test_count_of_a_complete_board_is_not_compared():
    text = f"{SOLVED}\nThere are 173 solutions to the puzzle.\n"
    out, err = invoke("solve", "--check", "-", stdin=text)
    assert (out, "inconsistent" in err) == (f"{SOLVED}\n", False)


def test_damaged_and_absent_files_do_not_affect_the_others(tmp_path):
    path, absent = tmp_path / "cut.gz", tmp_path / "absent"
    path.write_bytes(gzip.compress((UNIQUE + "\n").encode() * 3, mtime=0)[:-8])
    out, err = invoke("solve", absent, path, path, status=2)
    assert out == f"{SOLVED}\n" * 6  # with the records before the damage
    assert f"{absent}: No such file or directory" in err
    assert f"{path}: the compressed file ends too early" in err


@pytest.mark.processes
def test_output_that_is_an_input_is_refused(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(UNIQUE)
    for argument in (path, "-"):
        with (
            path.open() as stdin,
            path.open("a") as stdout,
            start("solve", argument, stdin=stdin, stdout=stdout) as process,
        ):
            assert "is both input and output" in process.stderr.read()
        assert process.returncode == 2
    assert path.read_text() == UNIQUE


def test_time_limit_marks_unfinished_puzzles():
    out, err = invoke("solve", "--limit", "all", "--seconds", 2, "-", stdin="." * 81, status=3)
    assert out == "." * 81 + " # unfinished\n"
    assert "1 unfinished" in err


def test_nothing_is_read_after_the_time_limit(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text(f"{UNIQUE}\n" * 100_000)
    out, err = invoke("solve", "--seconds", 1e-6, path, status=3)
    assert len(out.splitlines()) < 100_000
    assert "time limit reached: the remaining input was not read" in err


@pytest.mark.parametrize("form", ["lines", "list", "rules"])
def test_records_keep_the_ids_of_json_objects(form):
    ids = [7, "é", {"a": [None]}, None, 1.5, ""]
    puzzles = [*["1.....3..4.....2"] * 4, "11..............", "1..."]
    rules = {"windows": False, "box": "2x2", "diagonals": True} if form == "rules" else {}
    objects = [{"id": k, "puzzle": text, **rules} for k, text in zip(ids, puzzles, strict=True)]
    objects.insert(2, {"puzzle": puzzles[0], **rules})
    text = json.dumps(objects, indent=1) if form == "list" else "\n".join(map(json.dumps, objects))
    for command in ["solve", "solve --all", "canonical"][: 2 if rules else 3]:
        records, _ = invoke_json(*command.split(), "-", stdin=text, status=None)
        assert [each["id"] for each in records if "id" in each] == ids
        assert ["id" in each for each in records] == ["id" in each for each in objects]
        assert records[-1]["status"] == "unreadable"
    records, _ = invoke_json("rate", "-", stdin=json.dumps({"id": 9, "puzzle": UNIQUE}))
    assert [record.get("id") for record in records] == [9, None]
