"""Outputs that grow beside their names: kills at random moments, other runs, and hostile cases."""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

import dlx_numba as dlx
from dlx_numba.cli import batch_run, board_run, puzzle_run, search_run
from dlx_numba.runtime import files, partial_file
from tests.helpers import DATA, INSTANCES
from tests.helpers.hosts import wait_until
from tests.helpers.processes import NONE, UNIQUE, invoke, start
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled

# The commands that write records one after the other, and how often their input is repeated.
COMMANDS = {
    "solve --check -f csv": 20,
    "solve -f json": 20,
    "solve --all --limit 3": 20,
    "rate -f json": 10,
    "canonical --unique": 5,
    "canonical -f csv": 5,
    "minimize --seed 1 -f csv": 10,
    "minimize --solution": 10,
}
OTHERS = {
    "generate 3000 --seed 1 -f csv": "",
    "generate 500 --difficulty expert --seed 2": "",
    "solve puzzles": "4x4 takuzu",
    "solve -f json puzzles": "4x4 takuzu",
    "count puzzles": "4x4 takuzu",
    "count -f json puzzles": "4x4 takuzu",
    "verify answers": "one record for each puzzle",
    "verify -f json puzzles solved": "an answer in another file",
    "cover --batch lines problem.json": "lines",
    "count -f csv --batch lines problem.json": "lines",
}


@pytest.fixture
def folder(tmp_path):
    """A folder with the input of all commands."""
    rng = random.Random(1)
    boards = (DATA / "simple.txt").read_text().splitlines()[:150]
    (tmp_path / "boards").write_text("\n".join([*boards, "bad", NONE, f"{UNIQUE}1"]) + "\n")
    (tmp_path / "puzzles").write_text("\n".join("1..." + "\n...." * 3 + "\n" for _ in range(40)))
    (tmp_path / "solved").write_text("0 0 1 1\n0 1 0 1\n1 1 0 0\n1 0 1 0\n# a:1: unique\n" * 40)
    rows = [f"{'.' * 16},12343412214343{end}\n" for end in ("21", "22") * 20]
    (tmp_path / "answers").write_text("puzzle,solution\n" + "".join(rows))
    problem = dlx.example("queens", n=7).cover()
    (tmp_path / "problem.json").write_text(problem.write(kind="json"))
    lines = [f"{rng.randrange(49)}, !{rng.randrange(49)}" for _ in range(4000)] + ["99", ""]
    (tmp_path / "lines").write_text("\n".join(lines))
    return tmp_path


def dying_at(n, fraction):
    """Return a function that lets this process kill itself at its n-th change of a file.

    Only a fraction of a text is written then. Chunks are small, and each is saved.
    """

    def prepare():
        partial_file.SECONDS_PER_SAVE = 0
        board_run.CHUNK_BOARDS = batch_run.BLOCK_LINES = 300
        search_run.COVERS_PER_CALL = 7
        for name in ("solve", "minimize"):
            import_module(f"dlx_numba.cli.{name}").BOARDS_BY_SIDE = ((9, 300),)
        import_module("dlx_numba.cli.rate").RATED_BOARDS = 300
        n_left = iter(reversed(range(n)))

        def replaced(change):
            def change_or_die(*arguments):
                if next(n_left, n) == 0:
                    if change is write:
                        writer, text = arguments
                        writer.raw.write(text[: int(len(text) * fraction)])
                    os.kill(os.getpid(), signal.SIGKILL)
                return change(*arguments)

            return change_or_die

        write = files.RecordWriter.write
        files.RecordWriter.write = replaced(write)
        for name in ("fsync", "replace", "unlink"):
            setattr(os, name, replaced(getattr(os, name)))

    return prepare


def finish_with_kills(command, folder, seed):
    """Run a command, kill it at random moments, and continue it until it is complete."""
    rng = random.Random(seed)
    out = folder / "out"
    n_resumed = 0
    while not out.exists():
        prepare = dying_at(rng.randint(1, 30), rng.random())
        process = start(*command, "-o", out, "--resume", cwd=folder, prepare=prepare)
        _, err = process.communicate()
        assert process.returncode in (0, 1, 4, -signal.SIGKILL), err
        n_resumed += "(resuming: " in err
    written = out.read_bytes()
    out.unlink()
    return written, n_resumed


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="kills forks of this process")
@pytest.mark.parametrize("command", [*COMMANDS, *OTHERS])
def test_a_run_that_is_killed_and_continued_writes_the_same_bytes(command, folder, monkeypatch):
    words = command.split()
    if command in COMMANDS:
        text = (folder / "boards").read_bytes() * COMMANDS[command]
        (folder / "boards").write_bytes(text)
        with gzip.open(folder / "more.gz", "wb") as file:
            file.write(text)
        words += ["boards", "more.gz"]
    if words[1] in ("puzzles", "-f") and "puzzles" in words:
        words += ["--kind", "takuzu"]
    monkeypatch.chdir(folder)
    invoke(*words, "-o", folder / "whole", status=None)
    whole = (folder / "whole").read_bytes()
    (folder / "whole").unlink()
    n_resumed = 0
    for seed in seeds(8, at_least=2):
        written, n_times = finish_with_kills(words, folder, seed)
        n_resumed += n_times
        assert written == whole
    assert n_resumed


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="kills forks of this process")
def test_a_search_that_is_killed_continues_its_list_of_covers(folder):
    command = ["cover", "--algorithm", "links", INSTANCES / "queens8.dlx"]
    invoke(*command, "-o", folder / "whole")
    for seed in seeds(8, at_least=2):
        saving = ["--checkpoint", folder / "saved", "--every", 0]
        written, _ = finish_with_kills([*command, *saving], folder, seed)
        assert written == (folder / "whole").read_bytes()
        (folder / "saved").unlink()


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="kills forks of this process")
@pytest.mark.parametrize(
    "command",
    [
        "show problem.json -o out.svg",
        "solve queens:n=6 --sheet out.html",
        "solve queens:n=6 -o out.xlsx",
        "generate 3 --seed 1 -o out.html",
        "count problem.json --certificate out.proof",
        "explain problem.json -o out.html",
    ],
)
def test_a_document_that_is_killed_is_whole_or_has_no_name(command, folder):
    path = folder / command.split()[-1]
    before = {*folder.iterdir()}
    n_killed = 0
    while not path.exists():
        n_killed += 1
        process = start(*command.split(), cwd=folder, prepare=dying_at(n_killed, 0.5))
        process.communicate()
    assert n_killed > 1
    left = {*folder.iterdir()} - before - {path}
    assert {each.suffix for each in left} == {".draft"}
    path.write_bytes(b"of yesterday")
    process = start(*command.split(), cwd=folder, prepare=dying_at(n_killed - 1, 0.5))
    process.communicate()
    assert path.read_bytes() == b"of yesterday"
    process = start(*command.split(), cwd=folder)
    process.communicate()
    assert path.read_bytes() != b"of yesterday"


def test_covers_of_a_continued_search_follow_those_in_the_file(folder):
    saved = folder / "saved"
    arguments = ("cover", "--checkpoint", saved, "-o", folder / "out", INSTANCES / "queens8.dlx")
    invoke(*arguments, "--limit", 3)
    first = (folder / "out").read_text()
    invoke(*arguments, "--resume", "--limit", 5)
    assert (folder / "out").read_text().startswith(first)
    invoke(*arguments, "--resume")
    assert len({*(folder / "out").read_text().splitlines()}) == 92


def test_covers_are_added_only_to_the_output_of_the_saved_search(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "t.csv").write_text("a,b\n1,x\n1,y\n2,x\n2,y\n")
    arguments = ("cover", "--items", "a", "--checkpoint", "saved", "--resume", "t.csv")
    first, _ = invoke(*arguments, "-f", "csv", "--limit", 2)
    (folder / "other.csv").write_text("of yesterday\n")
    _, err = invoke(*arguments, "--limit", 3, "-o", "other.csv", status=2)
    assert "write the others to another file" in err
    assert (folder / "other.csv").read_text() == "of yesterday\n"
    invoke(*arguments, "--limit", 3, "-o", "rest.csv")
    titles, *plans = (folder / "rest.csv").read_text().splitlines()
    assert titles == first.splitlines()[0]
    assert {row[0] for row in plans} == {"3"}
    before = (folder / "rest.csv").read_text()
    invoke(*arguments, "-o", "rest.csv")
    assert (folder / "rest.csv").read_text().startswith(before)
    invoke("cover", "--items", "a", "-f", "csv", "t.csv", "-o", "all.csv")
    rest = (folder / "rest.csv").read_text().removeprefix(f"{titles}\n")
    assert first + rest == (folder / "all.csv").read_text()


def test_a_run_that_is_stopped_by_time_is_continued(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "boards").write_bytes((folder / "boards").read_bytes() * 120)
    arguments = ("solve", "--check", "-f", "csv", "-j", 1, "boards", "-o", "out")
    with monkeypatch.context() as patched:
        patched.setattr(import_module("dlx_numba.cli.solve"), "BOARDS_BY_SIDE", ((9, 300),))
        patched.setattr(board_run.BoardRun, "show_progress", lambda run: run.stop.cancel())
        _, err = invoke(*arguments, status=3)
    assert "time limit reached: the remaining input was not read" in err
    assert "(out.part has what is complete, and --resume continues it)" in err
    assert not (folder / "out").exists()
    assert b"unfinished" not in (folder / "out.part").read_bytes()
    _, err = invoke(*arguments, "--resume", status=4)
    assert "(resuming: " in err
    assert "18,360 Sudokus: 18,000 unique, 120 without a solution, 240 unreadable" in err
    invoke(*arguments[:-1], "whole", status=4)
    assert (folder / "out").read_bytes() == (folder / "whole").read_bytes()


def test_candidates_are_found_in_several_runs(folder, monkeypatch):
    monkeypatch.chdir(folder)
    arguments = ("solve", "-f", "candidates", "boards", "-o")
    invoke(*arguments, "whole", status=4)
    solve = import_module("dlx_numba.cli.solve")
    find = solve.find_candidates

    def find_first(*given):
        """Find the candidates of the boards that are examined together first."""
        *rest, stop = given
        polls = iter([False])

        def stop_next():
            if next(polls, True):
                stop.cancel()
            return stop()

        return find(*rest, stop_next)

    with monkeypatch.context() as patched:
        patched.setattr(solve, "find_candidates", find_first)
        _, err = invoke(*arguments, "out", "--summary", "summary", status=3)
    assert "(out.part has what is complete, and --resume continues it)" in err
    assert "boards:151" not in err
    assert json.loads((folder / "summary").read_text())["unreadable"] == []
    assert len((folder / "out.part").read_text().splitlines()) == 128
    invoke(*arguments, "out", "--resume", status=4)
    assert (folder / "out").read_bytes() == (folder / "whole").read_bytes()


@pytest.mark.parametrize(("difficulty", "n_written"), [("simple", 150), ("expert", 0)])
def test_a_selection_is_continued_after_unreadable_lines_and_without_records(
    folder, monkeypatch, difficulty, n_written
):
    monkeypatch.chdir(folder)
    lines = (folder / "boards").read_text().splitlines()
    boards = [*lines[:50], *lines[150:] * 100, *lines[50:150], *lines[:150]]
    (folder / "boards").write_text("\n".join(boards) + "\n")
    arguments = ("rate", "-j", 1, "--difficulty", difficulty, "boards", "-o", "out")
    with monkeypatch.context() as patched:
        patched.setattr(import_module("dlx_numba.cli.rate"), "RATED_BOARDS", 50)
        patched.setattr(board_run.BoardRun, "show_progress", lambda run: run.stop.cancel())
        _, err = invoke(*arguments, status=3)
    assert "(out.part has what is complete, and --resume continues it)" in err
    _, err = invoke(*arguments, "--resume", status=4)
    assert "(resuming: " in err
    assert "600 Sudokus: 300 simple, 100 invalid, 200 unreadable" in err
    assert len((folder / "out").read_text().splitlines()) == 2 * n_written
    assert not (folder / "out.part").exists()


@pytest.fixture
def unfinished(folder, monkeypatch):
    """A folder with the output of a run that was killed."""
    monkeypatch.chdir(folder)
    with monkeypatch.context() as patched:
        patched.setattr(partial_file.PartialFile, "complete", partial_file.PartialFile.close)
        invoke("solve", "boards", "-o", "out", status=4)
    assert not (folder / "out").exists()
    assert len((folder / "out.part").read_text().splitlines()) == 153
    return folder


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (
            "solve boards",
            "out.part has 153 records of an unfinished run: continue it with --resume",
        ),
        ("solve boards --check --resume", "out.part is of another run: --check was absent, and is"),
        ("rate boards --resume", "out.part is of another run: command was solve, and is rate"),
        ("solve boards boards --resume", "input was boards, and is boards boards"),
        ("solve - --resume", "--resume needs files: a pipe cannot be read again"),
    ],
)
def test_a_run_continues_nothing_but_itself(unfinished, command, reason):
    before = (unfinished / "out.part").read_bytes()
    _, err = invoke(*command.split(), "-o", "out", stdin=UNIQUE, status=2)
    assert reason in err
    assert (unfinished / "out.part").read_bytes() == before
    invoke("solve", "boards", "-o", "out", "--resume", status=4)
    assert (unfinished / "out").read_bytes() == before


def test_a_changed_input_is_an_error(unfinished):
    with open("boards", "a") as file:
        file.write(f"{UNIQUE}\n")
    _, err = invoke("solve", "boards", "-o", "out", "--resume", status=2)
    assert "out.part is of another run: boards was " in err


def test_nothing_is_resumed_without_a_file(folder):
    for command in ("solve --resume", "generate --resume", "rate --resume"):
        words = command.split()
        source = [] if words[0] == "generate" else [folder / "boards"]
        _, err = invoke(*words, *source, status=2)
        assert "--resume needs --output" in err
    for command in ("count", "verify"):
        _, err = invoke(command, "--kind", "takuzu", "--resume", folder / "puzzles", status=2)
        assert "--resume needs --output" in err
    _, err = invoke("count", "--resume", folder / "problem.json", status=2)
    assert "--resume needs --checkpoint or --batch" in err
    _, err = invoke(*("generate", "--resume", "-f", "html", "-o", folder / "book.html"), status=2)
    assert "--format html cannot be combined with --resume" in err


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("solve absent boards", "absent: No such file"),
        ("solve boards damaged.gz", "damaged.gz: "),
    ],
)
def test_a_file_that_cannot_be_read_leaves_the_output_incomplete(
    folder, monkeypatch, command, reason
):
    """Another run would meet the same file, and after a repair, it is another input."""
    monkeypatch.chdir(folder)
    (folder / "damaged.gz").write_bytes(gzip.compress(UNIQUE.encode())[:-20])
    (folder / "out").write_text("of yesterday")
    _, err = invoke(*command.split(), "-o", "out", status=2)
    assert f"error: {reason}" in err
    assert "(out.part has what is complete)" in err
    assert (folder / "out").read_text() == "of yesterday"
    assert len((folder / "out.part").read_text().splitlines()) == 153


def stop_after_a_solution(monkeypatch):
    """Stop runs of `solve` for other puzzles than boards after their first solution."""
    show = puzzle_run.PuzzleRun._show

    def show_and_stop(run, solution):
        show(run, solution)
        run.stop.cancel()

    monkeypatch.setattr(puzzle_run.PuzzleRun, "_show", show_and_stop)


def test_advice_to_continue_needs_a_puzzle_that_is_complete(folder, monkeypatch):
    monkeypatch.chdir(folder)
    stop_after_a_solution(monkeypatch)
    _, err = invoke("solve", "--all", "queens:n=6", "-o", "out", status=3)
    assert "(out.part has what is complete)" in err
    assert not (folder / "out").exists()
    _, err = invoke("solve", "--all", "queens:n=6", "-o", "out", "--resume", status=3)
    assert "(resuming: " not in err


@pytest.mark.parametrize("ending", ["csv", "ics", "xlsx"])
def test_plans_that_lack_solutions_do_not_get_their_name(folder, monkeypatch, ending):
    monkeypatch.chdir(folder)
    (folder / "t.csv").write_text("day,who\n2027-01-01,x\n2027-01-01,y\n")
    stop_after_a_solution(monkeypatch)
    words = "solve", "--items", "day", "t.csv", "-o", f"out.{ending}"
    _, err = invoke(*words, "--all", status=3)
    assert f"(out.{ending}.part has the solutions that were found; others are missing)" in err
    assert (folder / f"out.{ending}.part").stat().st_size
    assert not (folder / f"out.{ending}").exists()
    invoke(*words, status=3)  # one solution is wanted, and known
    assert (folder / f"out.{ending}").exists()


@pytest.mark.parametrize(
    "command",
    [
        "solve absent",
        "solve -f csv question",
        "solve --kind takuzu question",
        "rate question problem.json",
        "canonical -f csv question",
        "count puzzles absent",
        "verify question",
        "verify boards binary",
        "cover problem.json -f csv --batch absent",
        "count problem.json -f csv --batch binary",
    ],
)
def test_an_output_that_has_not_started_leaves_no_file(command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "question").write_text("what is this?")
    (folder / "binary").write_bytes(bytes(range(256)))
    before = {*folder.iterdir()}
    _, err = invoke(*command.split(), "-o", "out", status=2)
    assert "error: " in err
    assert {*folder.iterdir()} == before


@pytest.mark.skipif(not hasattr(os, "getuid") or not os.getuid(), reason="root may write all")
def test_a_folder_that_cannot_be_written_is_named(folder):
    os.chmod(folder, 0o500)
    _, err = invoke("solve", folder / "boards", "-o", folder / "out", status=2)
    assert f"error: {folder / 'out.part'}: Permission denied" in err


def test_an_absent_folder_has_the_name_that_was_given(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for command in ("solve boards", "cover --kind json problem.json"):
        _, err = invoke(*command.split(), "-o", os.path.join("absent", "out"), status=2)
        assert f"error: {os.path.join('absent', 'out.part')}: No such file or directory" in err


@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
def test_a_second_process_with_the_same_output_is_an_error(folder):
    first = start("solve", "-", "-o", "out", cwd=folder, stdin=subprocess.PIPE)
    first.stdin.write(f"{UNIQUE}\n")
    first.stdin.flush()
    wait_until((folder / "out.part").exists)
    second = start("solve", "boards", "-o", "out", cwd=folder)
    _, err = second.communicate(timeout=60)
    assert second.returncode == 2
    assert err == "error: out.part: another process is writing this file\n"
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert len((folder / "out").read_text().splitlines()) == 1


@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
def test_named_pipes_are_written_directly(folder):
    os.mkfifo(folder / "pipe")
    with ThreadPoolExecutor() as threads:
        read = threads.submit((folder / "pipe").read_text)
        invoke("solve", folder / "boards", "-o", folder / "pipe", status=4)
        assert len(read.result().splitlines()) == 153
    assert not [path for path in folder.iterdir() if "part" in path.name]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device /dev/full")
def test_a_full_device_is_reported(folder):
    _, err = invoke("solve", folder / "boards", "-o", "/dev/full", status=2)
    assert err.splitlines()[-1] == "error: /dev/full: No space left on device"


def summary_of(folder, *command, status):
    path = folder / "summary.json"
    invoke(*command, "--summary", path, status=status)
    summary = json.loads(path.read_text())
    assert (summary["format"], summary["version"]) == ("dlx_numba summary", 1)
    assert (summary["command"], summary["exit_status"]) == (command[0], status)
    assert summary["seconds"] >= 0
    return summary


@pytest.mark.parametrize(
    ("command", "status", "counts"),
    [
        ("solve boards", 4, {"solved": 150, "none": 1, "unreadable": 2}),
        ("rate boards", 4, {"simple": 150, "invalid": 1, "unreadable": 2}),
        ("canonical boards", 4, {"canonical": 151, "unreadable": 2}),
        ("minimize boards", 4, {"unique": 150, "none": 1, "unreadable": 2}),
        ("generate 7", 0, {"generated": 7}),
        ("cover --batch lines problem.json", 4, {"complete": 4000, "unreadable": 1}),
        ("verify -f json answers", 1, {"right": 20, "wrong": 20}),
        ("count boards", 4, {"solved": 150, "none": 1}),
        ("solve --kind takuzu puzzles", 0, {"multiple": 40}),
        ("solve absent", 2, {}),
        ("cover --kind json problem.json", 0, {"covers": 40}),
    ],
)
def test_a_summary_has_counts_and_all_that_is_unreadable(
    command, status, counts, folder, monkeypatch
):
    monkeypatch.chdir(folder)
    summary = summary_of(folder, *command.split(), status=status)
    assert summary["counts"] == counts
    n_unreadable = counts.get("unreadable", 2 if command.startswith("count") else 0)
    assert len(summary["unreadable"]) == max(n_unreadable, "absent" in command)
    if "boards" in command:
        first = {"file": "boards", "line": 151, "reason": "not a board"}
        assert summary["unreadable"][0] == first


def test_a_summary_without_covers_has_0(tmp_path):
    path = tmp_path / "none.dlx"
    path.write_text("a b\na\n")
    for command in ("cover", "count"):
        assert summary_of(tmp_path, command, path, status=1)["counts"] == {"covers": 0}


@pytest.mark.parametrize(
    ("command", "file", "reason"),
    [
        ("solve absent boards", "absent", "No such file"),
        ("solve --kind takuzu absent puzzles", "absent", "No such file"),
        ("solve problem.json boards", "problem.json", "this is of the kind cover, and boards has"),
        ("solve question", "question", "name its kind"),
        ("solve binary", "binary", "binary data"),
        ("rate problem.json", "problem.json", "no puzzle found"),
        ("rate --alphabet 0-F boards", "boards", "alphabet must be"),
        ("count absent", "absent", "No such file"),
        ("count --items a packed.csv", "packed.csv", "a has `+` in every cell"),
        ("cover --batch absent problem.json", "absent", "No such file"),
        ("verify question", "question", "name its kind"),
    ],
)
def test_a_summary_has_files_that_are_rejected_before_the_run(
    command, file, reason, folder, monkeypatch
):
    monkeypatch.chdir(folder)
    (folder / "question").write_text("what is this?")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "packed.csv").write_text("a,b\nx+y,1\nz+w,2\n")
    summary = summary_of(folder, *command.split(), status=2)
    first = summary["unreadable"][0]
    assert (first["file"], first["line"]) == (file, None)
    assert reason in first["reason"]


def test_the_summary_of_a_continued_run_is_that_of_the_whole(unfinished):
    summary = summary_of(unfinished, "solve", "boards", "-o", "out", "--resume", status=4)
    assert summary["counts"] == {"solved": 150, "none": 1, "unreadable": 2}
    assert [place["line"] for place in summary["unreadable"]] == [151, 153]


def test_the_summary_of_a_continued_batch_is_that_of_the_whole(folder, monkeypatch):
    monkeypatch.chdir(folder)
    command = "count", "--batch", "lines", "problem.json", "-o", "out"
    with monkeypatch.context() as patched:
        patched.setattr(partial_file.PartialFile, "complete", partial_file.PartialFile.close)
        first = summary_of(folder, *command, status=4)
    summary = summary_of(folder, *command, "--resume", status=4)
    assert summary["counts"] == first["counts"] == {"complete": 4000, "unreadable": 1}
    assert summary["unreadable"] == first["unreadable"]
    assert len(first["unreadable"]) == 1


def test_a_summary_never_replaces_the_input(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "question").write_text("what is this?")
    contents = {path.name: path.read_text() for path in folder.iterdir()}
    for command in (
        "solve boards",
        "solve question",
        "verify question",
        "count problem.json --batch lines",
    ):
        *words, source = command.split()
        _, err = invoke(*words, source, "--summary", f"./{source}", status=2)
        assert "is both input and output" in err
    assert contents == {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="needs locks of POSIX")
def test_two_processes_do_not_write_one_checkpoint(tmp_path):
    problem = tmp_path / "queens.json"
    dlx.ExactCover([[k, 20 + j] for k in range(16) for j in range(16)]).write(problem)
    path = tmp_path / "search"
    words = "count", "--method", "search", "--threads", "1", "--checkpoint", path, "--every", "0.1"
    first = start(*map(str, (*words, problem)), stdout=subprocess.DEVNULL)
    try:
        wait_until(path.exists)
        for command in (words, ("cover", *words[3:], "--limit", 10)):
            _, err = invoke(*command, problem, status=2)
            assert err == f"error: {path}: another process is writing this file\n"
    finally:
        first.kill()
        first.communicate()
    invoke(*words, "--resume", "--seconds", 0.1, problem, status=3)
    assert sorted(os.listdir(tmp_path)) == ["queens.json", "search"]
