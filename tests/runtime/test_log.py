"""The log of the package has what a terminal shows, and prints nothing in a program."""

import io
import logging

import dlx_numba as dlx
from tests.helpers.processes import NONE, invoke, run_python

AMBIGUOUS = (".123456789ABCDEF" + "." * 16) * 8


def test_notices_and_errors_of_commands_are_logged(caplog):
    with caplog.at_level(logging.INFO, "dlx_numba"):
        _, err = invoke("solve", "absent", NONE, status=2)
    logged = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert ("ERROR", "absent: No such file or directory") in logged
    assert ("INFO", "<board>:1: two 8s in row 1") in logged
    assert [text for _, text in logged] == err.replace("error: ", "").splitlines()
    with caplog.at_level(logging.INFO, "dlx_numba"):
        caplog.clear()
        assert invoke("solve", "-q", NONE, status=1)[1] == ""
    assert caplog.records  # a quiet terminal is no quiet log


def test_notices_about_files_are_logged(caplog):
    with caplog.at_level(logging.INFO, "dlx_numba"):
        list(dlx.read_boards(io.StringIO(f"{AMBIGUOUS}\n")))
    [record] = caplog.records
    assert record.name == "dlx_numba"
    assert "the alphabet is ambiguous: read as " in record.getMessage()


def test_a_program_that_logs_nothing_sees_nothing():
    source = f"import io, dlx_numba as dlx; [_] = dlx.read_boards(io.StringIO('{AMBIGUOUS}'))"
    done = run_python("-c", source)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
