"""`solve`: output formats, summaries, exit statuses, interrupts and streams."""

import csv
import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.svg.board import sudoku_picture
from tests.helpers import DATA, ROOT, oracles
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke, run, start
from tests.helpers.seeds import seeded

pytestmark = pytest.mark.compiled


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"{UNIQUE}\n{NONE}\nnot a board\n{SEVERAL}\n")
    return path


@pytest.mark.processes
def test_files_are_solved_in_order():
    out, err = run("solve", *(DATA / f"{name}.txt" for name in ("simple", "easy")))
    solutions = out.split()
    puzzles = (DATA / "simple.txt").read_text().split() + (DATA / "easy.txt").read_text().split()
    assert len(solutions) == 400
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        assert dlx.solve_sudoku(puzzle) == solution
    assert "400 puzzles: 400 solved" in err


@pytest.mark.processes
def test_standard_input_and_compressed_file(tmp_path):
    assert run("solve", "-", stdin=UNIQUE)[0] == SOLVED + "\n"
    path = tmp_path / "one.txt.gz"
    path.write_bytes(gzip.compress(UNIQUE.encode(), mtime=0))
    assert invoke("solve", path)[0] == SOLVED + "\n"


def test_unsolved_records_are_marked_and_counted(mixed):
    out, err = invoke("solve", mixed, status=1)
    lines = out.splitlines()
    assert lines[0] == SOLVED
    assert lines[1] == f"{NONE} # no solution"
    assert lines[2].startswith(f"# unreadable: {mixed}:3: ")
    assert len(lines[3]) == 81
    assert f"{mixed}:3: " in err
    assert "4 puzzles: 2 solved, 1 none, 1 unreadable" in err


def test_quiet_prints_no_notices_and_no_summary(mixed):
    assert invoke("solve", "--quiet", mixed, status=1)[1] == ""


def test_check_distinguishes_unique_and_multiple(mixed):
    out, err = invoke("solve", "--check", mixed, status=1)
    assert out.splitlines()[3].endswith(" # 2 or more solutions")
    assert "1 unique, 1 multiple, 1 none, 1 unreadable" in err
    invoke("solve", "--check", "-", stdin=UNIQUE, status=0)
    invoke("solve", "--limit", 2, "-", stdin=SEVERAL, status=0)
    assert (
        "needs a --limit of at least 2"
        in invoke("solve", "--check", "--limit", 1, "-", stdin=UNIQUE, status=2)[1]
    )


def test_limit_counts():
    four = "1.....3........."
    count = int(dlx.solve_batch([four], limit=None).counts[0])
    assert count > 3
    out, _ = invoke("solve", "--limit", "all", "-", stdin=four)
    assert out.endswith(f" # {count} solutions\n")
    assert invoke("solve", "--limit", 3, "-", stdin=four)[0].endswith(" # 3 or more solutions\n")


def test_all_solutions_are_written():
    empty = "." * 16
    out, err = invoke("solve", "--all", "-", stdin=empty)
    lines = out.splitlines()
    assert [line.split(" ", 1)[1] for line in lines] == [
        f"# puzzle 1, solution {k}" for k in range(1, 289)
    ]
    assert [line[:16] for line in lines] == list(dlx.iter_solutions(empty))
    assert "1 puzzle, 288 solutions: 1 multiple" in err
    out, err = invoke("solve", "--all", "--limit", 5, "-", stdin=empty)
    assert out.splitlines() == lines[:5]
    assert "1 puzzle, 5 solutions: 1 multiple" in err
    assert invoke("solve", "--all", "--limit", "all", "-", stdin=empty)[0].splitlines() == lines
    one, _ = invoke("solve", "--all", "--limit", 1, "-f", "csv", "-", stdin=empty)
    assert one.splitlines()[1].split(",")[:6] == ["1", "1", empty, lines[0][:16], "1", "solved"]


def test_all_numbers_the_puzzles_of_each_file_as_show_does(tmp_path):
    two = "1.....3..4......"
    for name, text in (("a", f"1.....3..4.....2\nbad\n{two}\n"), ("b", f"# comment\n{two}\n")):
        (tmp_path / name).write_text(text)
    files = tmp_path / "a", tmp_path / "b"
    out, err = invoke("solve", "--all", "--format", "json", *files, status=1)
    records = [json.loads(line) for line in out.splitlines()]
    assert [(r["puzzle_number"], r["solution_number"]) for r in records] == [
        *((1, 1), (None, None), (2, 1), (2, 2), (2, 3), (1, 1), (1, 2), (1, 3)),
    ]
    assert {r["source"] for r in records if r["puzzle_number"] == 2} == {str(files[0])}
    assert "4 puzzles, 7 solutions: 1 unique, 2 multiple, 1 unreadable" in err
    shown, _ = invoke("show", "--board", 2, files[0])
    solved, _ = invoke("solve", "--all", "-f", "grid", files[0], status=1)
    assert shown.startswith(" 1 .")
    assert solved.partition("# puzzle 2, solution 1\n")[2].startswith(" 1 3")


@pytest.mark.parametrize("style", ["line", "csv", "grid", "json"])
def test_all_marks_unsolved_records(mixed, style):
    out, err = invoke("solve", "--all", "--limit", 3, "-f", style, mixed, status=1)
    assert "4 puzzles, 4 solutions: 1 unique, 1 multiple, 1 none, 1 unreadable" in err
    if style == "line":
        lines = out.splitlines()
        assert lines[0] == f"{SOLVED} # puzzle 1, solution 1"
        assert lines[1] == f"{NONE} # puzzle 2, no solution"
        assert lines[2].startswith("# unreadable: ")
        assert [line[82:] for line in lines[3:]] == [f"# puzzle 3, solution {k}" for k in (1, 2, 3)]
    elif style == "grid":
        boards = [row for chunk in read_records(io.BytesIO(out.encode())) for row in chunk.boards]
        assert len(boards) == 5
    else:
        rows = (
            csv.DictReader(io.StringIO(out))
            if style == "csv"
            else map(json.loads, out.split("\n")[:-1])
        )
        assert [(str(row["puzzle_number"]), row["status"]) for row in rows if row["puzzle"]] == [
            *(("1", "unique"), ("2", "none"), *[("3", "multiple")] * 3)
        ]


def test_all_with_check_requires_unique_puzzles():
    several = "1.....3..4......"
    invoke("solve", "--all", "-", stdin=several)
    out, _ = invoke("solve", "--all", "--check", "-", stdin=several, status=1)
    assert len(out.splitlines()) == 3
    invoke("solve", "--all", "--check", "-", stdin=UNIQUE)


def test_all_is_rejected_with_other_engines_and_dask():
    for arguments, error in (
        (("--engine", "naive"), "--all needs --engine auto or dlx, not 'naive'"),
        (("--dask", "tcp://127.0.0.1:9"), "--dask cannot be combined with --all"),
    ):
        assert invoke("solve", "--all", *arguments, "-", stdin=UNIQUE, status=2) == (
            "",
            f"error: {error}\n",
        )


def test_all_compares_the_number_of_solutions_with_the_file():
    text = "1.....3..4......\nThere are {} solutions to the puzzle.\n"
    invoke("solve", "--all", "-", stdin=text.format(3))
    _, err = invoke("solve", "--all", "-", stdin=text.format(4), status=1)
    assert "<stdin>:1: the file states 4 solutions, but 3 were found" in err


def test_all_ends_at_the_time_limit():
    out, err = invoke("solve", "--all", "--seconds", 0.3, "-", stdin="." * 81, status=1)
    *solutions, last = out.splitlines()
    assert len(set(solutions)) == len(solutions) > 0
    assert last == "." * 81 + " # puzzle 1, unfinished"
    assert f"1 puzzle, {len(solutions):,} solutions: 1 unfinished" in err


@pytest.mark.processes
def test_all_can_be_interrupted(tmp_path):
    empty, out = tmp_path / "empty.txt", tmp_path / "out.txt"
    empty.write_text("." * 81)
    process = start("solve", "--all", "-o", out, empty)
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and not (out.exists() and out.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    lines = out.read_text().splitlines(keepends=True)
    assert lines[-1].endswith(f" # puzzle 1, solution {len(lines)}\n")
    assert err.endswith("complete records written\n")


def test_work_per_puzzle():
    def work(engine, unit):
        arguments = ("--engine", engine, DATA / "intermediate.txt")
        csv_out, _ = invoke("solve", "-f", "csv", *arguments)
        json_out, _ = invoke("solve", "-f", "json", *arguments)
        from_json = [json.loads(line)[unit] for line in json_out.splitlines()]
        assert [int(row[unit]) for row in csv.DictReader(io.StringIO(csv_out))] == from_json
        return from_json

    puzzles = (DATA / "intermediate.txt").read_text().split()
    assert work("dlx", "nodes") == dlx.solve_batch(puzzles, engine="dlx").nodes.tolist()
    assert work("auto", "guesses").count(0) == 160


@pytest.mark.parametrize(
    ("name", "unguessed", "nodes"),
    [("simple", 200, 55), ("easy", 200, 56), ("intermediate", 160, 66), ("expert", 1, 82)],
)
def test_harder_puzzles_need_more_work(name, unguessed, nodes):
    puzzles = (DATA / f"{name}.txt").read_text().split()
    assert (dlx.solve_batch(puzzles, engine="lanes").nodes == 0).sum() == unguessed
    assert round(dlx.solve_batch(puzzles, engine="dlx").nodes.mean()) == nodes


def test_elimination_marks_the_boards_that_it_cannot_finish():
    simple, expert = (
        (DATA / f"{name}.txt").read_text().split()[0] for name in ("simple", "expert")
    )
    arguments = ("solve", "--engine", "elimination")
    text = f"{simple}\n{expert}\n{NONE}\n"
    out, err = invoke(*arguments, "-", stdin=text, status=1)
    lines = out.splitlines()
    assert lines[0] == dlx.solve_sudoku(simple)
    partial = lines[1][:81]
    n_filled = 81 - partial.count(".")
    assert lines[1] == f"{partial} # unfinished: {n_filled} of 81 cells"
    assert lines[2] == f"{NONE} # no solution"
    assert "3 puzzles: 1 solved, 1 none, 1 unfinished" in err
    out, err = invoke(*arguments, "--check", "-f", "csv", "-", stdin=text, status=1)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["status"] for row in rows] == ["unique", "unfinished", "none"]
    assert [row["guesses"] for row in rows] == ["0", "", "0"]
    assert rows[1]["solution"] == partial
    assert invoke("solve", "-", stdin=out, status=1)[0].splitlines()[1] == dlx.solve_sudoku(expert)
    invoke(*arguments, "--check", "-", stdin=simple)


def test_csv(mixed):
    out, _ = invoke("solve", "--check", "--format", "csv", mixed, status=1)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["status"] for row in rows] == ["unique", "none", "unreadable", "multiple"]
    assert rows[0]["puzzle"] == UNIQUE
    assert rows[0]["solution"] == SOLVED
    assert [row["line"] for row in rows] == ["1", "2", "3", "4"]


def test_json(mixed):
    out, _ = invoke("solve", "--check", "--format", "json", mixed, status=1)
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["status"] for record in records] == ["unique", "none", "unreadable", "multiple"]
    assert records[0]["solution"] == SOLVED
    assert records[2]["reason"]


def test_grids_can_be_read_back(tmp_path):
    path = tmp_path / "grids.txt"
    invoke("solve", "--format", "grid", "-o", path, DATA / "easy.txt")
    boards = [row for chunk in read_records(path) for row in chunk.boards]
    assert len(boards) == 200
    assert not [bad for chunk in read_records(path) for bad in chunk.bad]


def test_output_is_independent_of_the_number_of_threads():
    one = invoke("solve", "--threads", 1, DATA / "expert.txt")[0]
    for option in ("--threads", "-j", "--jobs"):
        assert invoke("solve", option, 3, DATA / "expert.txt")[0] == one


def test_other_sizes():
    board = "1.....3..4.....2"
    assert invoke("solve", "-", stdin=board)[0] == dlx.solve_sudoku(board) + "\n"
    six = "1....." + "." * 24 + ".....1"
    for box in ("2x3", "3x2"):
        assert invoke("solve", "--box", box, "-", stdin=six)[0].strip() == (
            "".join(map(str, dlx.solve_batch([six], box=box).solutions[0]))
        )


@pytest.mark.parametrize("box", [Box(5, 6), Box(6, 6), Box(7, 7), Box(8, 8)], ids=str)
def test_boards_of_numbers(box, tmp_path):
    rng = random.Random(seeded(1))
    board = oracles.random_solution(box, rng)
    board[rng.sample(range(box.cells), box.cells // 4)] = 0
    puzzle = tmp_path / "puzzle.json"
    puzzle.write_text(json.dumps(board.reshape(box.n, box.n).tolist()))
    out, _ = invoke("solve", puzzle)
    solution = np.array(out.split(), int)
    assert oracles.is_solution(solution, board, box)
    for style in ("line", "grid", "csv", "json"):
        solved = tmp_path / style
        invoke("solve", "--format", style, "-o", solved, puzzle)
        again, _ = invoke("solve", solved)
        assert again == out
        shown, _ = invoke("show", solved)
        cells = shown.replace("|", " ").replace("-", " ").split()
        expected = board if style in ("csv", "json") else solution
        assert [0 if cell == "." else int(cell) for cell in cells] == expected.tolist()
    svg, _ = invoke("show", "--svg", "-", puzzle)
    assert svg.count("<text") == np.count_nonzero(board)
    assert f">{box.n}</text>" in svg


def test_lists_of_boards(tmp_path):
    grid = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
    wrong = [[1, 0, 0, 0], [0, 0, 5, 0], [0, 4, 0, 0], [0, 0, 0, 2]]
    path = tmp_path / "boards.json"
    path.write_text(f"[{grid},\n{wrong},\n{grid}]\n")
    out, err = invoke("solve", path, status=1)
    assert out.splitlines()[::2] == ["1324423124133142"] * 2
    assert f"{path}:2: '5' is not a number from 1 to 4\n" in err
    text = str(grid).replace("[", "{").replace("]", "}")
    assert invoke("solve", "-", stdin=f"int[][] board = {text};\n")[0] == "1324423124133142\n"


def test_alphabet_of_numbers():
    text = "".join("16 " if cell == 0 else ". " for cell in range(256))
    assert invoke("solve", "-", stdin=text)[0][0] == "G"
    out, _ = invoke("solve", "--alphabet", "numbers", "-", stdin=text)
    assert out.startswith("16 ")
    assert sorted(map(int, out.split())) == sorted(list(range(1, 17)) * 16)
    _, err = invoke("solve", "--alphabet", "A-P", "-", stdin="36 . " * 648, status=2)
    assert "alphabet must be numbers for boards of 36x36, not 'A-P'" in err


@pytest.mark.parametrize("style", ["line", "grid", "csv", "json"])
def test_only_board_of_numbers_is_unreadable(style):
    text = "37 " + "0 " * 1295
    out, err = invoke("solve", "--format", style, "-", stdin=text, status=2)
    reason = "'37' is not a number from 1 to 36"
    assert reason in out
    assert f"<stdin>: no puzzle found\n<stdin>:1: {reason}\n1 puzzle: 1 unreadable" in err
    _, err = invoke("solve", "--format", style, "-", stdin="." * 1296, status=2)
    assert "a board of 36x36 has numbers, separated by spaces or commas" in err


def test_strict_stops_at_the_first_bad_record(mixed):
    out, err = invoke("solve", "--strict", mixed, status=2)
    assert len(out.splitlines()) == 3
    assert "stopped at the first record that cannot be read" in err


def test_strict_stops_at_the_first_unreadable_file(tmp_path):
    out, err = invoke("solve", "--strict", tmp_path / "absent", DATA / "easy.txt", status=2)
    assert out == ""
    assert "stopped at the first file that cannot be read" in err


def test_wrong_solution_in_the_file_is_reported():
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    text = f"puzzle,solution\n{UNIQUE},{wrong}\n{UNIQUE},{SOLVED}\n"
    _, err = invoke("solve", "-", stdin=text, status=1)
    assert "<stdin>:2: the solution given in the file does not solve the puzzle" in err
    assert "1 inconsistent with the file" in err


def test_count_of_a_complete_board_is_not_compared():
    out, err = invoke(
        "solve", "--check", "-", stdin=f"{SOLVED}\nThere are 173 solutions to the puzzle.\n"
    )
    assert out == f"{SOLVED}\n"
    assert "inconsistent" not in err


def test_only_the_first_problems_are_listed():
    _, err = invoke("solve", "-", stdin=f"{UNIQUE}\n" + "no board\n" * 30, status=1)
    assert err.count("<stdin>:") == 20
    assert err.splitlines()[20] == "... further problems are not reported"


def test_records_before_the_damage_are_solved(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress((UNIQUE + "\n").encode() * 3, mtime=0)[:-8])
    out, err = invoke("solve", path, DATA / "easy.txt", status=2)
    assert out.splitlines()[:3] == [SOLVED] * 3
    assert len(out.splitlines()) == 203
    assert f"{path}: the compressed file ends too early" in err


def test_output_file_is_kept_if_there_is_nothing_to_write(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("precious\n")
    invoke("solve", "-o", kept, tmp_path / "missing.txt", status=2)
    assert kept.read_text() == "precious\n"


@pytest.mark.processes
def test_output_that_is_an_input_is_refused(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(UNIQUE)
    assert "is both input and output" in invoke("solve", "-o", path, path, status=2)[1]
    for command in (f"solve {path} >> {path}", f"solve - < {path} >> {path}"):
        done = subprocess.run(
            f"{sys.executable} -m dlx_numba {command}", shell=True, cwd=ROOT, capture_output=True
        )
        assert done.returncode == 2
        assert b"is both input and output" in done.stderr
    assert path.read_text() == UNIQUE


def test_unreadable_input_and_wrong_usage(tmp_path):
    good = tmp_path / "good.txt"
    good.write_text(UNIQUE)
    out, err = invoke("solve", tmp_path / "absent.txt", good, status=2)
    assert out == SOLVED + "\n"
    assert "absent.txt" in err
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert "no puzzle found" in invoke("solve", empty, status=2)[1]
    assert "<stdin>: no puzzle found" in invoke("solve", "-", status=2)[1]
    assert "input and output" in invoke("solve", good, "-o", good, status=2)[1]
    assert good.read_text() == UNIQUE
    err = invoke("solve", "--engine", "quick", good, status=2)[1]
    assert "--engine must be one of auto, lanes, dlx, " in err
    assert "ROWSxCOLUMNS" in invoke("solve", "--box", "three", good, status=2)[1]
    err = invoke("solve", "--format", "xml", good, status=2)[1]
    assert "error: --format must be one of line, csv, grid, json, candidates, not 'xml'" in err
    invoke("solve", status=2)


@pytest.mark.processes
def test_interrupted_run_leaves_complete_records(tmp_path):
    puzzles, solved = tmp_path / "many.txt", tmp_path / "solved.txt"
    expert = (DATA / "expert.txt").read_text()
    puzzles.write_text(expert * 100 + "." * 81 + "\n" + expert)
    process = start("solve", "--limit", "all", "--jobs", 2, "-o", solved, puzzles)
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and not (solved.exists() and solved.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 30
    assert process.returncode == 130
    lines = solved.read_text().splitlines(keepends=True)
    assert {len(line) for line in lines} == {82}
    assert err.endswith(f"interrupted: {len(lines):,} complete records written\n")


def test_time_limit_marks_unfinished_puzzles():
    out, err = invoke("solve", "--limit", "all", "--seconds", 0.5, "-", stdin="." * 81, status=1)
    assert out == "." * 81 + " # unfinished\n"
    assert "1 unfinished" in err


def test_nothing_is_read_after_the_time_limit(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text(f"{UNIQUE}\n" * 100_000)
    out, err = invoke("solve", "--seconds", 1e-6, path, status=1)
    assert len(out.splitlines()) < 100_000
    assert "time limit reached: the remaining input was not read" in err


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="closing a pipe early needs a Unix pipe")
def test_closed_pipe_is_not_an_error():
    command = f"{sys.executable} -m dlx_numba solve data/*.txt | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=ROOT, timeout=60)
    assert len(done.stdout) == 82
    assert b"Traceback" not in done.stderr


@pytest.mark.processes
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_full_disk_is_reported():
    err = run("solve", "-o", "/dev/full", DATA / "easy.txt", status=2)[1]
    assert "/dev/full: No space left on device" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("style", ["line", "csv"])
def test_conflicts_of_givens_are_named(style, tmp_path):
    path = tmp_path / "puzzles"
    path.write_text(f"{UNIQUE}\n{NONE}\n" + f"1..1{'.' * 77}\n" * 30)
    out, err = invoke("solve", "-f", style, path, status=1)
    assert f"{path}:2: two 8s in row 1\n{path}:3: two 1s in row 1\n" in err
    assert err.count("two 1s in row 1") == 19
    assert "further problems are not reported" in err
    assert "two" not in out
    assert "two" not in invoke("solve", "--rules", "diagonals", NONE, status=1)[1]


@pytest.mark.parametrize("text", ["8..3", "1.3....9"], ids=len)
def test_text_of_another_size_than_boards(text):
    err = invoke("solve", text, status=2)[1]
    assert f"; these are {len(text)} symbols, and a board has 16 (4x4), 36 (6x6), " in err
    assert "symbol" not in invoke("solve", "..txt", "2024", status=2)[1]


@pytest.mark.parametrize("style", ["line", "grid"])
def test_picture_of_a_solved_board(style, tmp_path):
    path = tmp_path / "board.svg"
    for puzzle, solution, status in ((UNIQUE, SOLVED, 0), (NONE, None, 1)):
        out, _ = invoke("solve", "-f", style, "--svg", path, puzzle, status=status)
        assert out == invoke("solve", "-f", style, puzzle, status=status)[0]
        drawn = path.read_text(encoding="utf-8")
        assert drawn == sudoku_picture("board", puzzle, 3, 3, solution)
    puzzles = tmp_path / "puzzles"
    puzzles.write_text(f"{UNIQUE}\n{UNIQUE}\n")
    err = invoke("solve", "--svg", path, puzzles, status=2)[1]
    assert "--svg needs a single board with the standard rules" in err
    assert "need different files" in invoke("solve", "--svg", "-", UNIQUE, status=2)[1]
    puzzles.write_text("bad\n")
    assert "single board" in invoke("solve", "--svg", path, puzzles, "--box", "3x3", status=2)[1]
