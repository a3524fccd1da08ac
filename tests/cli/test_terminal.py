"""The progress display on a pseudo-terminal."""

import os
import re
import struct
import subprocess
import threading

import pytest

from tests.helpers import DATA, INSTANCES, ROOT
from tests.helpers.processes import PROGRAM

fcntl = pytest.importorskip("fcntl", reason="pseudo-terminals need Unix")
import pty  # noqa: E402
import termios  # noqa: E402

pytestmark = [pytest.mark.compiled, pytest.mark.processes]

QUEENDOM = INSTANCES / "queendom8.mcc.dlx"
ERASE_LINE = "\x1b[2K"


def run_on_terminal(*arguments, columns, is_stdout_terminal=False, terminal_type="xterm"):
    """Run a command with a terminal as standard error; return its error and output texts."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": terminal_type}
    environment.pop("COLUMNS", None)
    with subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=end if is_stdout_terminal else subprocess.PIPE,
        stderr=end,
        cwd=ROOT,
        env=environment,
    ) as process:
        os.close(end)
        written = []
        reader = threading.Thread(target=lambda: written.append(read_all(terminal)))
        reader.start()
        out = b"" if is_stdout_terminal else process.stdout.read()
        reader.join()
    os.close(terminal)
    return written[0].decode(), out.decode()


def read_all(terminal):
    pieces = []
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # on Linux, the end of the output
            break
        if not piece:
            break
        pieces.append(piece)
    return b"".join(pieces)


def test_progress_of_a_search():
    shown, out = run_on_terminal(*("cover", "--seconds", 0.7, QUEENDOM), columns=60)
    lines = re.split("[\r\n]+", re.sub(r"\x1b\[[?\d]*[a-zA-Z]", "", shown))
    progress = [line for line in lines if re.match(r"[\d.]+ % explored, [\d,]+ covers?, ", line)]
    assert len(progress) >= 2
    assert max(map(len, progress)) <= 60
    assert any(re.search(r" M updates/s, \d+/\d+", line) for line in progress)
    assert lines[-2].startswith("Stopped before the end: ")
    assert "\x1b" not in out
    assert out


def test_covers_do_not_collide_with_the_progress():
    shown, _ = run_on_terminal(
        *("cover", "--seconds", 0.7, QUEENDOM), columns=60, is_stdout_terminal=True
    )
    assert "% explored" in shown
    # Only the text after the last erasure of a line is visible.
    visible = [line.rpartition(ERASE_LINE)[2].strip("\r") for line in shown.split("\n")]
    covers = [line for line in visible if re.fullmatch(r"(\d+ ?)+", line)]
    others = [line for line in visible if line not in covers and "explored" not in line]
    assert covers
    assert others[0].endswith("successfully read)")
    assert not any(re.search(r"\d+ \d+ \d+", line) for line in others)


def test_progress_of_solve():
    shown, out = run_on_terminal(*("solve", "absent.txt", DATA / "expert.txt"), columns=80)
    assert "error: absent.txt: No such file or directory" in shown
    assert "200 puzzles" in shown
    assert "100%" in shown
    assert len(out.splitlines()) == 200


def test_dumb_terminals_show_no_progress():
    shown, _ = run_on_terminal(
        *("cover", "--count", "--seconds", 0.3, QUEENDOM), columns=80, terminal_type="dumb"
    )
    assert shown.count("% explored") == 1  # in the final report
    assert "\x1b" not in shown
