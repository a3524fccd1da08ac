"""Functions that run commands in a separate process, or in this one, which is faster."""

import functools
import io
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import typer

from dlx_numba.cli.app import app
from tests.helpers import ROOT

UNIQUE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
SEVERAL = "." + SOLVED[1:9] + "." * 72
NONE = "88" + UNIQUE[2:]

PROGRAM = [sys.executable, "-m", "dlx_numba"]

# In a background job of a shell script, SIGINT is ignored, and child processes inherit that.
_WITH_SIGINT = (
    "import signal; from dlx_numba.__main__ import main; "
    "signal.signal(signal.SIGINT, signal.default_int_handler); main()"
)


def start(*arguments, **streams):
    """Start a command that SIGINT interrupts. Standard output and error are pipes by default."""
    return subprocess.Popen(
        [sys.executable, "-c", _WITH_SIGINT, *map(str, arguments)],
        cwd=ROOT,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **streams},
    )


def wait_for_handlers(process):
    """Wait until a command handles signals; before, they are lost, or end Python with a traceback.

    Where there is no /proc, return at once.
    """
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None and status.exists():
        caught = re.search(r"^SigCgt:\s*(\w+)", status.read_text(), re.MULTILINE)
        if caught is None or int(caught[1], 16) >> (signal.SIGTERM - 1) & 1:
            break
        time.sleep(0.001)


def run(*arguments, stdin="", status=0):
    """Run a command in a process, and return its standard output and standard error.

    Any exit status is accepted if `status` is None.
    """
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin.encode(),
        capture_output=True,
        timeout=120,
        cwd=ROOT,
    )
    assert status in (None, done.returncode), done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


@functools.cache
def _command():
    return typer.main.get_command(app)


def invoke(*arguments, stdin="", status=0):
    """Run a command in this process, and return its standard output and standard error.

    Any exit status is accepted if `status` is None.
    """
    out, err, code = invoke_with_status(*arguments, stdin=stdin)
    assert status in (None, code), err
    return out, err


def invoke_with_status(*arguments, stdin=""):
    """Run a command in this process; return its standard output, standard error and status."""
    streams = {
        name: io.TextIOWrapper(io.BytesIO(content.encode()), encoding="utf-8")
        for name, content in (("stdin", stdin), ("stdout", ""), ("stderr", ""))
    }
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with mock.patch.multiple(sys, **streams):
            _command().main([*map(str, arguments)], prog_name="python -m dlx_numba")
        code = 0
    except SystemExit as end:
        code = end.code
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return _text(streams["stdout"]), _text(streams["stderr"]), code


def _text(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()
