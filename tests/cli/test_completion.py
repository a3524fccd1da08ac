"""Completion in real shells, and the name under which the program appears."""

import os
import re
import select
import shutil
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from tests.helpers import ROOT
from tests.helpers.processes import PROGRAM, run

pty = pytest.importorskip("pty", reason="pseudo-terminals need Unix")

pytestmark = pytest.mark.processes

SHELLS = {"bash": ["bash", "-i"], "zsh": ["zsh", "-i"], "fish": ["fish", "-i"]}
SECONDS = 60  # until a test fails

SCRIPT = """#!{python}
import sys
sys.path.insert(0, {root!r})
from dlx_numba.__main__ import main
main()
"""


class Shell:
    """An interactive shell on a pseudo-terminal."""

    def __init__(self, name, home):
        self.written = ""
        path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        environment |= dict.fromkeys(("HOME", "ZDOTDIR"), str(home))
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            os.execvpe(SHELLS[name][0], SHELLS[name], environment)

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def read(self, seconds):
        """Read what the shell writes in some seconds, and answer the queries of fish."""
        if select.select([self.terminal], [], [], seconds)[0]:
            with suppress(OSError):  # on Linux, the end of the output
                piece = os.read(self.terminal, 1 << 16).decode(errors="replace")
                self.written += piece
                if "\x1b[c" in piece or "\x1b[0c" in piece:
                    self.type("\x1b[?62;c")

    def wait_for(self, pattern):
        """Read until the output since the last call matches a pattern, and return all of it."""
        deadline = time.monotonic() + SECONDS
        while not re.search(pattern, plain(self.written)):
            assert time.monotonic() < deadline, plain(self.written)
            self.read(0.1)
        before = None
        while self.written != before:
            before = self.written
            self.read(0.3)
        text, self.written = plain(self.written), ""
        return text

    def __enter__(self):
        return self

    def __exit__(self, *error):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def plain(text):
    """Return a text without the control sequences of terminals."""
    return re.sub(r"\x1b(\[[?>=]?[\d;]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[=>()].?)", "", text)


@pytest.fixture
def home(tmp_path):
    """A home directory with the program, as pip installs it."""
    script = tmp_path / "bin" / "dlx-numba"
    script.parent.mkdir()
    script.write_text(SCRIPT.format(python=sys.executable, root=str(ROOT)))
    script.chmod(0o755)
    return tmp_path


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_installed_completion(name, home):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    (home / ".zshrc").write_text("")  # otherwise, zsh asks what to do
    with Shell(name, home) as shell:
        shell.type("dlx-numba --install-completion\n")
        assert f"{name} completion installed" in shell.wait_for("restart the terminal")
    with Shell(name, home) as shell:
        shell.type("echo ready-$((1 + 1))\n" if name != "fish" else "echo ready-(math 1 + 1)\n")
        shell.wait_for("ready-2")
        for keys, completed in (
            ("dlx-numba gall\t", r"dlx-numba gallery\b"),
            ("dlx-numba solve --eng\t", r"--engine\b"),
            ("dlx-numba solve --format gr\t", r"\bgrid\b"),
            ("dlx-numba gallery langf\t", r"\blangford\b"),
            ("dlx-numba solve --kind shik\t", r"\bshikaku\b"),
            ("dlx-numba generate --rules windows,non\t", r"\bwindows,non-consecutive\b"),
            ("dlx-numba solve .zsh\t", r"\.zshrc\b"),
        ):
            shell.type(keys)
            text = shell.wait_for(completed)
            assert "rror" not in text
            shell.type("\x15")  # Ctrl-U empties the line
            shell.wait_for("")
        shell.type("python k\t")  # completed by the shell, without an error
        shell.wait_for("python k")
        shell.type("\x15echo done-$status$?\n" if name != "fish" else "\x15echo done-$status\n")
        assert "rror" not in shell.wait_for(r"done-\d")


@pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(name, marks=pytest.mark.slow) for name in ("zsh", "fish"))]
)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["solve", "--kind", "shi"], ["shikaku"]),
        (["gallery", "langf"], ["langford"]),
        (["solve", "--rules", "anti"], ["anti-knight", "anti-king"]),
        (["generate", "--rules", "windows,anti-kn"], ["windows,anti-knight"]),
    ],
)
def test_kinds_and_rules_are_completed_with_typer_0_29(shell, words, expected, home):
    text = complete(shell, words, home)
    assert (re.findall('"([^"]+)"', text) if shell == "zsh" else text.split()) == expected


def complete(shell, words, home):
    """Return what the program writes for a shell that completes the last word."""
    variables = {
        "_DLX_NUMBA_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": " ".join(["dlx-numba", *words]),
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1],
        "COMP_WORDS": "\n".join(["dlx-numba", *words]),
        "COMP_CWORD": str(len(words)),
    }
    return subprocess.run(
        [home / "bin" / "dlx-numba"], env=os.environ | variables, capture_output=True, text=True
    ).stdout


def test_a_colon_in_a_description_does_not_end_it_in_zsh(home):
    """zsh separates a word and its description by a colon."""
    text = complete("zsh", ["solve", "--alph"], home)
    assert r'"--alphabet":"Symbols\\: 1-9A-, 0-9A-, A- or numbers."' in text


def test_completion_of_a_module_is_refused():
    for option in ("--install-completion", "--show-completion"):
        err = run(option, status=2)[1]
        assert err == f"error: shells complete only dlx-numba: run `dlx-numba {option}`\n"


@pytest.mark.slow
def test_usage_lines_have_the_name_of_the_program(home):
    for program, name in (
        ([home / "bin" / "dlx-numba"], "dlx-numba"),
        (PROGRAM, "python[0-9.]* -m dlx_numba"),
    ):
        command = [*program, "solve", "--limit", "x"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 2
        error, advice = done.stderr.splitlines()
        assert error == "error: --limit must be a whole number, or all, of at least 1, not 'x'"
        assert re.fullmatch(f"Try '{name} solve --help' for help.", advice)
