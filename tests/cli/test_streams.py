"""Standard streams that are closed or full, and signals at any time."""

import json
import os
import re
import signal
import subprocess
import sys
import warnings

import pytest

from dlx_numba.cli import terminal
from dlx_numba.cli.output import safe_output
from tests.helpers import DATA, ROOT
from tests.helpers.hosts import wait_until
from tests.helpers.processes import PROGRAM, UNIQUE, invoke, start, wait_for_handlers

pytestmark = pytest.mark.processes

# One command for each way to write standard output; scripts/fuzz tries all commands.
COMMANDS = {"solve": ["solve", DATA / "simple.txt"], "list": ["gallery"], "help": ["--help"]}


def run(command, **options):
    """Run a command; return its status, standard output and standard error."""
    with start(*command, **options) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device /dev/full")
@pytest.mark.parametrize("name", COMMANDS)
def test_full_device_is_reported(name):
    with open("/dev/full", "w") as full:
        status, _, err = run(COMMANDS[name], stdout=full)
    assert status == 2
    assert err.splitlines()[-1] == "error: <stdout>: No space left on device"


@pytest.mark.parametrize("path", ["-", "covers.txt"])
def test_other_errors_are_not_those_of_the_output(path):
    with pytest.raises(OSError, match="libllvmlite"), safe_output(path):
        raise OSError("could not load libllvmlite.so")  # as llvmlite does


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits")
@pytest.mark.parametrize("is_redirected", [False, True])
def test_a_full_disk_leaves_no_partial_record(is_redirected, tmp_path):
    resource = pytest.importorskip("resource")
    path, command = tmp_path / "covers.txt", ["cover", "--limit", "all", "queens:n=10"]
    whole, _ = invoke(*command)
    output = [] if is_redirected else ["-o", str(path)]
    with open(path, "w") as file:
        done = subprocess.run(
            [*PROGRAM, *command, *output],
            cwd=ROOT,
            stdout=file if is_redirected else None,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_001, 10_001)),
        )
    written = (path if is_redirected else tmp_path / "covers.txt.part").read_text()
    name = "<stdout>" if is_redirected else str(path)
    assert f"error: {name}: File too large" in done.stderr.splitlines()
    assert whole.startswith(written)
    assert written.endswith("\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("command", "redirection", "error"),
    [
        ("gallery", ">&-", "<stdout>: it is closed"),
        ("cover -", "<&-", "<stdin>: standard input is closed"),
        ("solve -", "<&-", "<stdin>: standard input is closed"),
    ],
)
def test_closed_streams_are_reported(command, redirection, error):
    words = ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, *command.split()]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: {error}\n")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["solve"], UNIQUE),
        (["solve"], json.dumps({"id": 7, "puzzle": UNIQUE})),
        (["rate"], UNIQUE),
        (["minimize"], UNIQUE),
        (["cover", "--batch"], "1"),
        (["count", "--batch"], "!1"),
    ],
)
def test_a_pipe_is_answered_as_soon_as_no_more_input_is_waiting(command, line):
    problem = [ROOT / "docs" / "examples" / "subsets.csv"] * (command[-1] == "--batch")
    process = start(*command, "-", *problem, stdin=subprocess.PIPE)
    for text in (line, line, line, "no record", line):  # what cannot be read is answered, too
        process.stdin.write(f"{text}\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        assert answer.strip()
        assert ("unreadable" in answer) == (text != line)
    out, err = process.communicate(f"{line}\n{line}\n{line}")
    assert len(out.splitlines()) == 3
    assert re.search("^8 (Sudoku|line)s", err, re.MULTILINE)


@pytest.mark.parametrize("command", [COMMANDS["solve"], COMMANDS["list"]], ids=["solve", "list"])
def test_reader_that_has_ended_is_no_failure(command):
    end, output = os.pipe()
    os.close(end)
    status, _, err = run(command, stdout=output)
    os.close(output)
    assert status == 0
    assert "rror" not in err


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_during_startup_end_the_program_with_one_line(number):
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen([*PROGRAM, "solve", "-"], cwd=ROOT, text=True, **streams)
    wait_for_handlers(process)
    for _ in range(2):  # `timeout` sends a signal twice
        process.send_signal(number)
    process.wait()
    assert (process.returncode, *process.communicate()) == (130, "", "interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_signal_just_before_a_system_call_interrupts_the_call():
    """Between the calls, which `map` makes, Python does not look for signals."""
    source = """if True:
        import ctypes, functools, operator, os, signal
        from dlx_numba.runtime import signals
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signals.install()
        signals.watch()
        signals.begin()
        send = functools.partial(getattr(ctypes.CDLL(None), "raise"), signal.SIGINT)
        read = functools.partial(os.read, os.pipe()[0], 1)
        list(map(operator.methodcaller("__call__"), [send, read]))
    """
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"


def test_warnings_are_reported_as_messages(capsys):
    terminal.print_log()
    with warnings.catch_warnings():
        terminal.report_warnings()
        warnings.warn("something is unusual", RuntimeWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: something is unusual\n"


def limit_file_size():
    """Make writing fail beyond 100,000 bytes of a file, as on a full disk."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


@pytest.fixture
def many_boards(tmp_path):
    """A file of 200,000 boards."""
    path = tmp_path / "boards.txt"
    path.write_bytes((DATA / "simple.txt").read_bytes() * 1000)
    return path


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX limits")
@pytest.mark.parametrize(("style", "target"), [("line", "-"), ("grid", "solved")])
def test_full_disk_leaves_complete_records(many_boards, tmp_path, style, target):
    solved = tmp_path / "solved"
    command = ("solve", "-f", style, "-o", target, many_boards)
    with open(solved, "wb") as stdout:
        status, _, err = run(command, cwd=tmp_path, stdout=stdout, prepare=limit_file_size)
    name = "<stdout>" if target == "-" else target
    assert status == 2
    assert f"error: {name}: File too large" in err.splitlines()
    written = solved if target == "-" else tmp_path / "solved.part"
    assert not written.exists() or written.read_bytes()[-1:] in (b"", b"\n")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("solve --check", signal.SIGTERM),
        ("solve --check -f csv", signal.SIGINT),
        ("solve --limit all --jobs 2", signal.SIGINT),
        ("solve --all", signal.SIGINT),
        ("generate 1000000000", signal.SIGINT),
    ],
)
def test_interrupted_run_reports_the_records_in_the_file(many_boards, command, number):
    boards = [many_boards] * 50 * ("generate" not in command)
    solved = many_boards.with_name("solved")
    process = start(*command.split(), "-o", solved, *boards)
    part = many_boards.with_name("solved.part")
    sidecar = many_boards.with_name("solved.part.json")
    wait_until(lambda: sidecar.exists() and json.loads(sidecar.read_text())["bytes"])
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    [first, last] = err.splitlines()
    assert last == f"({part} has what is complete, and --resume continues it)"
    text = part.read_bytes()
    n_records = text.count(b"\n") - ("csv" in command)  # without the header
    assert re.match(f"interrupted: {n_records:,} complete (records|puzzles) written", first)
    assert text.endswith(b"\n")


def test_output_has_substitutes_for_characters_that_the_encoding_lacks(tmp_path):
    def use_ascii():
        sys.stdout.reconfigure(encoding="ascii")
        sys.stderr.reconfigure(encoding="ascii")

    path = tmp_path / "problem.dlx"
    path.write_text("\u20ac b\n\u20ac b\n", encoding="utf-8")
    for command, status, expected in (
        (("cover", "--quiet", "--format", "names", path), 0, "\\u20ac b\n"),
        (("solve", "\u20ac"), 2, ""),
        (("rate", "--help"), 0, None),
    ):
        ended, out, err = run(command, prepare=use_ascii)
        assert (ended, out) == (status, out if expected is None else expected)
        assert "Traceback" not in err


@pytest.mark.processes
def test_a_closed_pipe_does_not_prevent_other_files(tmp_path):
    picture = tmp_path / "queens.svg"
    arguments = "solve", "--svg", picture, "queens:n=6"
    with subprocess.Popen(
        [sys.executable, "-m", "dlx_numba", *map(str, arguments)], stdout=subprocess.PIPE
    ) as process:
        process.stdout.close()
    assert process.returncode == 0
    assert picture.exists()
