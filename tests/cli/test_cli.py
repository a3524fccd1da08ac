"""The command line through real processes: what it prints, writes and returns."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.io.read import read_boards
from tests.helpers import DATA, INSTANCES, ROOT, SAMPLES
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, run

pytestmark = pytest.mark.processes


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"{UNIQUE}\n{NONE}\nthis is no board\n{SEVERAL}\n")
    return path


def test_the_data_is_solved_in_order():
    out, err = run("solve", *(DATA / f"{name}.txt" for name in ("simple", "easy")))
    solutions = out.split()
    puzzles = (DATA / "simple.txt").read_text().split() + (DATA / "easy.txt").read_text().split()
    assert len(solutions) == 400
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        assert dlx.solve_sudoku(puzzle) == solution
    assert "400 puzzles: 400 solved" in err


def test_standard_input_and_a_compressed_file(tmp_path):
    assert run("solve", "-", stdin=UNIQUE)[0] == SOLVED + "\n"
    path = tmp_path / "one.txt.gz"
    path.write_bytes(gzip.compress(UNIQUE.encode()))
    assert run("solve", path)[0] == SOLVED + "\n"


def test_what_is_not_solved_is_marked_and_counted(mixed):
    out, err = run("solve", mixed, status=1)
    lines = out.splitlines()
    assert lines[0] == SOLVED
    assert lines[1] == f"{NONE} # no solution"
    assert lines[2].startswith(f"# unreadable: {mixed}:3: ")
    assert len(lines[3]) == 81
    assert f"{mixed}:3: " in err
    assert "4 puzzles: 2 solved, 1 none, 1 unreadable" in err


def test_check_tells_unique_from_several(mixed):
    out, err = run("solve", "--check", mixed, status=1)
    assert out.splitlines()[3].endswith(" # 2 or more solutions")
    assert "1 unique, 1 multiple, 1 none, 1 unreadable" in err
    run("solve", "--check", "-", stdin=UNIQUE, status=0)
    run("solve", "--limit", 2, "-", stdin=SEVERAL, status=0)


def test_limit_counts():
    four = "1.....3........."
    count = int(dlx.solve_batch([four], limit=None).counts[0])
    assert count > 3
    out, _ = run("solve", "--limit", 0, "-", stdin=four)
    assert out.endswith(f" # {count} solutions\n")
    assert run("solve", "--limit", 3, "-", stdin=four)[0].endswith(" # 3 or more solutions\n")


def test_csv(mixed):
    out, _ = run("solve", "--check", "--format", "csv", mixed, status=1)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["status"] for row in rows] == ["unique", "none", "unreadable", "multiple"]
    assert rows[0]["puzzle"] == UNIQUE
    assert rows[0]["solution"] == SOLVED
    assert [row["line"] for row in rows] == ["1", "2", "3", "4"]


def test_json(mixed):
    out, _ = run("solve", "--check", "--format", "json", mixed, status=1)
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["status"] for record in records] == ["unique", "none", "unreadable", "multiple"]
    assert records[0]["solution"] == SOLVED
    assert records[2]["reason"]


def test_grids_can_be_read_back(tmp_path):
    path = tmp_path / "grids.txt"
    run("solve", "--format", "grid", "-o", path, DATA / "easy.txt")
    boards = [row for chunk in read_boards(path) for row in chunk.boards]
    assert len(boards) == 200
    assert not [bad for chunk in read_boards(path) for bad in chunk.bad]


def test_threads_do_not_change_the_output():
    one = run("solve", "--jobs", 1, DATA / "expert.txt")[0]
    assert run("solve", "--jobs", 3, DATA / "expert.txt")[0] == one


def test_other_sizes():
    board = "1.....3..4.....2"
    assert run("solve", "-", stdin=board)[0] == dlx.solve_sudoku(board) + "\n"
    six = "1....." + "." * 24 + ".....1"
    for box in ("2x3", "3x2"):
        assert run("solve", "--box", box, "-", stdin=six)[0].strip() == (
            "".join(map(str, dlx.solve_batch([six], box=box).solutions[0]))
        )


def test_strict_stops_at_the_first_bad_record(mixed):
    out, err = run("solve", "--strict", mixed, status=2)
    assert len(out.splitlines()) == 3
    assert "stopped at the first record" in err


def test_a_solution_that_the_file_has_wrong_is_told():
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    text = f"puzzle,solution\n{UNIQUE},{wrong}\n{UNIQUE},{SOLVED}\n"
    _, err = run("solve", "-", stdin=text, status=1)
    assert "<stdin>:2: the solution given in the file does not solve the puzzle" in err
    assert "1 at odds with the file" in err


def test_a_complete_board_is_not_held_against_the_count_of_its_puzzle():
    out, err = run(
        "solve", "--check", "-", stdin=f"{SOLVED}\nThere are 173 solutions to the puzzle.\n"
    )
    assert out == f"{SOLVED}\n"
    assert "at odds" not in err


def test_what_was_read_before_the_damage_is_solved(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress((UNIQUE + "\n").encode() * 3)[:-8])
    out, err = run("solve", path, DATA / "easy.txt", status=2)
    assert out.splitlines()[:3] == [SOLVED] * 3
    assert len(out.splitlines()) == 203
    assert f"{path}: the compressed file ends too early" in err


def test_an_output_is_emptied_when_there_is_something_to_write(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("precious\n")
    run("solve", "-o", kept, tmp_path / "missing.txt", status=2)
    assert kept.read_text() == "precious\n"


def test_an_output_that_is_an_input_is_refused(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(UNIQUE)
    assert "is both input and output" in run("solve", "-o", path, path, status=2)[1]
    for command in (f"solve {path} >> {path}", f"solve - < {path} >> {path}"):
        done = subprocess.run(
            f"{sys.executable} -m dlx_numba {command}", shell=True, cwd=ROOT, capture_output=True
        )
        assert done.returncode == 2
        assert b"is both input and output" in done.stderr
    assert path.read_text() == UNIQUE


def test_unreadable_input_and_wrong_usage(tmp_path, mixed):
    good = tmp_path / "good.txt"
    good.write_text(UNIQUE)
    out, err = run("solve", tmp_path / "absent.txt", good, status=2)
    assert out == SOLVED + "\n"
    assert "absent.txt" in err
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert "no puzzle in it" in run("solve", empty, status=2)[1]
    assert "input and output" in run("solve", good, "-o", good, status=2)[1]
    assert good.read_text() == UNIQUE
    assert "no engine 'quick'" in run("solve", "--engine", "quick", good, status=2)[1]
    assert "ROWSxCOLUMNS" in run("solve", "--box", "three", good, status=2)[1]
    assert "expected one of line" in run("solve", "--format", "xml", good, status=2)[1]
    run("solve", status=2)
    run("dance", status=2)


def test_an_interrupted_run_leaves_whole_records(tmp_path):
    puzzles, solved = tmp_path / "many.txt", tmp_path / "solved.txt"
    easy = (DATA / "expert.txt").read_text()
    puzzles.write_text(easy * 100 + "." * 81 + "\n" + easy)
    command = [sys.executable, "-m", "dlx_numba", "solve", "--limit", "0", "--jobs", "2"]
    process = subprocess.Popen(
        [*command, "-o", str(solved), str(puzzles)], stderr=subprocess.PIPE, cwd=ROOT
    )
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and not (solved.exists() and solved.stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 30
    assert process.returncode == 130
    assert b"interrupted" in err
    text = solved.read_text()
    assert text.endswith("\n")
    assert {len(line) for line in text.splitlines()} == {81}


def test_time_runs_out():
    out, err = run("solve", "--limit", 0, "--seconds", 0.5, "-", stdin="." * 81, status=1)
    assert out == "." * 81 + " # unfinished\n"
    assert "1 unfinished" in err


def test_nothing_is_read_after_the_time_is_over(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text(f"{UNIQUE}\n" * 100_000)
    out, err = run("solve", "--seconds", 1e-6, path, status=1)
    assert len(out.splitlines()) < 100_000
    assert "out of time: what follows was not read" in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="closing a pipe early needs a Unix pipe")
def test_a_pipe_that_is_closed_early_is_no_error():
    command = f"{sys.executable} -m dlx_numba solve data/*.txt | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=ROOT, timeout=60)
    assert len(done.stdout) == 82
    assert b"Traceback" not in done.stderr


def test_cover():
    out, err = run("cover", INSTANCES / "queens8.dlx")
    assert len(out.splitlines()) == 92
    assert "(64 options, 16+30 items, 256 entries successfully read)" in err
    assert "Altogether 92 solutions, " in err
    assert run("cover", "--count", INSTANCES / "queens8.dlx")[0] == "92\n"
    assert len(run("cover", "--limit", 5, INSTANCES / "queens8.dlx")[0].splitlines()) == 5
    leftmost = run("cover", "--count", "--choose", "leftmost", INSTANCES / "queens8.dlx")[0]
    assert leftmost == "92\n"


def test_cover_of_a_matrix():
    matrix = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"
    assert run("cover", "-", stdin=matrix)[0] == "0 3 4\n"
    assert run("cover", "-", stdin="1 0\n1 0\n", status=1)[0] == ""


def test_cover_with_choices_made_ahead():
    queens = INSTANCES / "queens8.cost.dlx"
    out, err = run("cover", "--cheapest", 2, "--format", "names", queens)
    assert [line.rpartition(" |")[2] for line in out.splitlines()] == ["60", "60"]
    assert out.startswith("r0 c1 a1 b6; r1 c4 ")
    record = json.loads(run("cover", "--given", "1, 12", "-f", "json", "--limit", 1, queens)[0])
    assert record["options"][:2] == [1, 12]
    assert record["items"][0] == ["r0", "c1", "a1", "b6"]
    assert record["cost"] == 60
    out, err = run("cover", "--count", "--presolve", "--forbid", "0,63", queens)
    assert out == "84\n"
    assert "(presolved: " in err
    orders = [
        run("cover", "--choose", *choose, "--limit", 9, queens)[0]
        for choose in (["random", "--seed", 1], ["random", "--seed", 1], ["c7,r0,"], ["sharp"])
    ]
    assert orders[0] == orders[1]
    assert len({*orders}) == 3
    assert run("cover", "--choose", "2,0", "-", stdin="101\n010\n")[0] == "0 1\n"
    coloured = "a b | s\na s:x\na s:y\nb s:y\n"
    assert run("cover", "-f", "names", "-", stdin=coloured)[0] == "a s:y; b s:y\n"
    assert run("cover", "--given", 0, "-", stdin=coloured, status=1)[0] == ""


def test_cover_refuses_what_it_cannot_read(tmp_path):
    assert "absent" in run("cover", tmp_path / "absent.dlx", status=2)[1]
    assert "<stdin>:2: " in run("cover", "-", stdin="a b\na c\n", status=2)[1]
    toy = "a\na\na\n"
    for options, reason in [
        (["--choose", "x"], "--choose must be one of"),
        (["--choose", "x,"], "<stdin>: choose: 'x' is no primary item"),
        (["--format", "xml"], "--format must be one of numbers, names, json, not 'xml'"),
        (["--given", "x"], "--given takes option numbers"),
        (["--given", "0,1"], "<stdin>: given options 0 and 1 cannot be in one cover"),
        (["--forbid", "2"], "<stdin>: forbidden option 2 does not exist"),
        (["--cheapest", 1, "--count"], "--cheapest goes with none of --count"),
    ]:
        assert reason in run("cover", *options, "-", stdin=toy, status=2)[1]


def test_bench():
    out, _ = run("bench", "--solver", "dlx", "--solver", "naive", "--boards", 5, "--repeat", 1)
    assert out.count("Java 2014, Dancing Links") == 4
    assert "numba" in out
    out, _ = run("bench", "-s", "dlx", "--set", DATA / "easy.txt", "--json", "--boards", 5)
    [measurement] = json.loads(out)["measurements"]
    assert measurement["solved"] == len(measurement["seconds"]) == 5
    out, _ = run("bench", "-s", "very-naive", "--boards", 2, "--markdown", DATA / "easy.txt")
    assert "| solver |" in out
    assert "too many for the very naive solver" in out
    run("bench", "--solver", "quick", status=2)
    run("bench", "absent.txt", status=2)


def test_bench_shows_where_a_solver_was_cut_off():
    out, _ = run("bench", "-s", "naive-python", "--cutoff", 0.01, DATA / "expert.txt")
    assert "of 200 boards: cut off after 0.01 s" in out


def test_bench_needs_puzzles_and_takes_those_without_a_solution(tmp_path):
    empty, unsolvable = tmp_path / "empty.txt", tmp_path / "unsolvable.txt"
    empty.write_text("")
    unsolvable.write_text(f"{NONE}\n{UNIQUE}\n")
    assert "no puzzle in it" in run("bench", empty, status=2)[1]
    out, _ = run("bench", "-s", "dlx", "--json", unsolvable)
    assert json.loads(out)["measurements"][0]["solved"] == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_an_error_by_name():
    err = run("solve", "-o", "/dev/full", DATA / "easy.txt", status=2)[1]
    assert "/dev/full: No space left on device" in err
    assert "Traceback" not in err


def test_warmup_compiles_once(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    first = run("warmup")[1]
    assert "compiled solve_boards in " in first
    assert "all kernels were on disk already" in run("warmup")[1]
    for path in sorted((SAMPLES / "qqwing").glob("*csv*.txt")):
        done = subprocess.run(
            [sys.executable, "-m", "dlx_numba", "solve", path], capture_output=True, cwd=ROOT
        )
        assert b"Compiling" not in done.stderr


def test_a_first_run_says_that_it_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert run("solve", "-", stdin=UNIQUE)[1].count("Compiling the kernels") == 1
    queens = INSTANCES / "queens8.dlx"
    assert run("cover", "--count", queens)[1].count("Compiling the kernels") == 1
    assert "Compiling" not in run("solve", "-", stdin=UNIQUE)[1]


def test_version_and_help():
    assert run("--version")[0] == f"dlx_numba {dlx.__version__}\n"
    for command in ("solve", "cover", "gallery", "bench", "warmup"):
        assert "Usage" in run(command, "--help")[0]
    assert "solve" in run("--help")[0]
