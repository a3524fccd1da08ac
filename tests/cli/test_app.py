"""The program as a whole: version, help, usage errors."""

import re

import pytest

import dlx_numba as dlx
from dlx_numba.cli.app import app
from tests.helpers.processes import invoke, run

COMMANDS = ["solve", "cover", "gallery", "show", "explain", "bench", "warmup"]


def test_version():
    assert invoke("--version")[0] == f"dlx_numba {dlx.__version__}\n"


def test_help_lists_all_commands():
    assert [command.callback.__name__ for command in app.registered_commands] == COMMANDS
    out, _ = invoke("--help")
    assert "Usage" in out
    for command in COMMANDS:
        assert re.search(rf"^\W*{command} ", out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out, err = invoke(command, "--help")
    assert f"Usage: python -m dlx_numba {command} " in out
    assert max(map(len, out.splitlines())) <= 80
    assert err == ""
    if command != "warmup":
        options, _, examples = out.partition("Examples:")
        assert "--help" in options
        assert f"python -m dlx_numba {command}" in examples


def test_unknown_command():
    assert "dance" in invoke("dance", status=2)[1]


@pytest.mark.processes
def test_program_in_a_process():
    assert run("--version")[0] == f"dlx_numba {dlx.__version__}\n"
    run("dance", status=2)
