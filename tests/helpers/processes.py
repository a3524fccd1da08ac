"""Functions that run commands in a separate process, or in this one, which is faster."""

import functools
import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from unittest import mock

import typer

from dlx_numba.__main__ import main
from dlx_numba.cli.app import app
from dlx_numba.runtime import signals
from tests.helpers import ROOT

UNIQUE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
SEVERAL = "." + SOLVED[1:9] + "." * 72
NONE = "88" + UNIQUE[2:]

get_command = functools.cache(typer.main.get_command)
PROGRAM = [sys.executable, "-m", "dlx_numba"]


def start(*arguments, prepare=lambda: None, env=None, **options):
    """Start a command. Standard output and error are pipes of texts by default.

    On Linux, the process is a fork of this one, which has imported the package and loaded kernels.
    `prepare()` is called there first. The other options are those of `subprocess.Popen`.
    """
    arguments = [*map(str, arguments)]
    options = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    options.setdefault("text", True)
    if sys.platform != "linux":
        return subprocess.Popen([*PROGRAM, *arguments], env=env, **options)

    _import_command(*arguments[:1])

    def run_instead():
        os.closerange(3, 1 << 16)  # tells `Popen` that the process runs
        _run_forked(arguments, prepare, env)

    return subprocess.Popen(PROGRAM, preexec_fn=run_instead, restore_signals=False, **options)


@functools.cache
def _import_command(*name):
    """Import the modules of a command, so that its forks need not."""
    invoke(*name, "--help", status=None)


def _run_forked(arguments, prepare, env):
    """Run a command as if this forked process had just started, and end the process."""
    code = 1
    try:
        for number in (signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        importlib.reload(signals)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
        sys.argv = ["python -m dlx_numba", *arguments]
        prepare()
        main()
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run_python(*arguments, cwd=ROOT, **variables):
    """Run Python with some environment variables in a process, and return how it ended."""
    command, env = [sys.executable, *map(str, arguments)], os.environ | variables
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)


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
    with start(*arguments, stdin=subprocess.PIPE, encoding="utf-8") as process:
        out, err = process.communicate(stdin, timeout=120)
    assert status in (None, process.returncode), err
    return out, err


def invoke(*arguments, stdin="", status=0):
    """Run a command in this process, and return its standard output and standard error.

    Any exit status is accepted if `status` is None.
    """
    out, err, code = invoke_with_status(*arguments, stdin=stdin)
    assert status in (None, code), err
    return out, err


def invoke_json(*arguments, stdin="", status=0):
    """Run a command in this process, and return its JSON records and standard error."""
    out, err = invoke(*arguments, "-f", "json", stdin=stdin, status=status)
    return [json.loads(line) for line in out.splitlines()], err


def invoke_with_status(*arguments, stdin=""):
    """Run a command in this process; return its standard output, standard error and status."""
    streams = {
        name: io.TextIOWrapper(io.BytesIO(content.encode()), "utf-8", write_through=True)
        for name, content in (("stdin", stdin), ("stdout", ""), ("stderr", ""))
    }
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with mock.patch.multiple(sys, **streams):
            get_command(app).main([*map(str, arguments)], prog_name="python -m dlx_numba")
        code = 0
    except SystemExit as end:
        code = end.code
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    out, err = (streams[name].buffer.getvalue().decode() for name in ("stdout", "stderr"))
    return out, err, code
