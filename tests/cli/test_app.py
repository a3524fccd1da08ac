"""The program as a whole: version, help, usage errors."""

import ast
import re
import shlex
import subprocess
import sys

import pytest

import dlx_numba as dlx
from dlx_numba.bench.covers import ALGORITHMS
from dlx_numba.runtime import choices
from dlx_numba.sudoku.engines.registry import ENGINES
from dlx_numba.sudoku.levels import PLAIN_LEVELS
from tests.helpers import INSTANCES, ROOT
from tests.helpers.processes import UNIQUE, invoke, run_python

COMMANDS = [
    *("solve", "rate", "generate", "minimize", "canonical"),
    *("cover", "count", "sample", "cheapest", "estimate", "hint", "diagnose", "verify"),
    *("puzzles", "gallery"),
    *("show", "explain", "mcp", "demo", "bench", "warmup"),
]

COMPLETION = "_DLX_NUMBA_COMPLETE"  # the variable with which shells ask for words

CONSOLE_SCRIPT = """
import sys
from dlx_numba.__main__ import main
sys.argv[0] = "/usr/bin/dlx-numba"
main()
"""


def test_version():
    assert invoke("--version")[0] == f"dlx_numba {dlx.__version__}\n"


def test_help_lists_all_commands():
    out, _ = invoke("--help")
    assert out.isascii()
    groups = re.findall(r"^(\w[\w ]+):$", out, re.MULTILINE)
    assert groups == ["Options", "Sudoku", "Puzzles and problems", "Pictures", "Tools"]
    commands = out.partition("Sudoku:")[2]
    assert re.findall(r"^  (\w+)  ", commands, re.MULTILINE) == COMMANDS
    assert "..." not in commands  # the summaries are complete


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize(
    ("program", "interpreter_options"),
    [
        ("python -m dlx_numba", ["-m", "dlx_numba"]),
        ("dlx-numba", ["-c", CONSOLE_SCRIPT]),
    ],
)
def test_program_without_arguments_prints_its_help(program, interpreter_options):
    done = run_python(*interpreter_options, COLUMNS="80")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Usage: {program} [OPTIONS] COMMAND [ARGS]..." in done.stdout
    assert done.stdout == run_python(*interpreter_options, "--help", COLUMNS="80").stdout


def test_command_without_its_arguments_is_a_usage_error():
    out, err = invoke("solve", status=2)
    assert out == ""
    assert err == ("error: FILE is missing\nTry 'python -m dlx_numba solve --help' for help.\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_the_usual_options_on_one_screen(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out, err = invoke(command, "--help")
    assert f"Usage: python -m dlx_numba {command} " in out
    lines = out.splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 80
    assert out.isascii()  # any encoding of standard output has it
    assert err == ""
    assert invoke(command, "-h") == (out, err)
    examples, _, options = out.partition("\nOptions:\n")
    listed = examples.partition("Examples:\n")[2]
    assert f"    python -m dlx_numba {command}" in listed
    assert not re.search("dlx_numba.*  python -m", listed)  # each example has its own line
    assert ".:" not in out
    shown = re.findall(r"^  (?:-\w, )?(--[\w-]+)", options, re.MULTILINE)
    assert shown[-3:] == ["--quiet", "--help-all", "--help"]
    assert len(shown) <= 12
    everything, _ = invoke(command, "--help-all")
    assert everything.startswith(examples.partition("\nArguments:\n")[0])
    assert all(re.search(rf"{name}\b", everything) for name in shown)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_with_all_options_has_panels(command, monkeypatch):
    """Only the options that every command has are outside of the panels."""
    monkeypatch.setenv("COLUMNS", "200")
    out, _ = invoke(command, "--help-all")
    assert not re.search(r"<\w+|\[x[<>]|INTEGER|TEXT", out.partition("Options:")[2])
    titles = re.findall(r"^(\w[\w ]*):$", out.partition("Examples:")[2], re.MULTILINE)
    panels = ["Arguments", "Problem", "Output", "Long runs", "Expert", "Options"]
    assert titles == [panel for panel in panels if panel in titles]
    general = re.findall(r"^  .*--([\w-]+)  ", out.partition("\nOptions:\n")[2], re.MULTILINE)
    assert general == ["quiet", "help-all", "help"]


def test_numbers_of_results_have_one_name():
    for command in ("solve", "generate", "cover", "count", "sample", "cheapest", "estimate"):
        assert re.search(r"-n, .*--number", invoke(command, "--help-all")[0]), command


READING = ["cover", "puzzles", "pictures", "search", "sudoku", "verify_certificate"]


@pytest.mark.processes
@pytest.mark.parametrize(
    "words",
    [
        *("--help", "--version", "solve --help", "bench --help-all", "cover --nonsense FILE"),
        *("solve --limit few FILE", "nonsense"),
        *("solv TAB", "solve --li TAB", "generate --level poi TAB", "solve --rules anti TAB"),
    ],
)
def test_help_completion_and_usage_errors_do_not_import_numpy(words):
    *arguments, last = words.split()
    completed = {}
    if last == "TAB":
        completed = {"COMP_WORDS": shlex.join(["dlx-numba", *arguments])}
        completed |= {"COMP_CWORD": str(len(arguments)), COMPLETION: "complete_bash"}
        words = ""
    source = (
        f"import os, sys; sys.argv = ['dlx-numba', *{words.split()}]; os.environ |= {completed}\n"
        "from dlx_numba.__main__ import main\n"
        "try: main()\n"
        "finally: print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False"
    assert done.stdout != "False\n" or done.stderr.startswith("error: ")


def test_the_words_in_the_help_are_those_of_the_tables():
    assert tuple(dict.fromkeys(level.name for level in PLAIN_LEVELS)) == choices.TECHNIQUES
    assert tuple(ENGINES) == choices.BOARD_ENGINES
    assert tuple(ALGORITHMS) == choices.COVER_ENGINES


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize(
    ("command", "text", "packages"),
    [
        ("solve", UNIQUE, [r"puzzles$", r"puzzles\.registry", r"puzzles\.variants", "sudoku"]),
        (
            "count",
            "a b c\na b\nc\n",
            READING,
        ),
    ],
)
def test_commands_do_not_import_each_other(command, text, packages):
    source = (
        "import sys; from dlx_numba.__main__ import main\n"
        f"sys.argv = ['', '{command}', '-q', '-']\n"
        "try: main()\n"
        "finally: print(sorted(m for m in sys.modules if m.startswith('dlx_numba.')))"
    )
    streams = {"input": text, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, **streams)
    modules = ast.literal_eval(done.stdout.splitlines()[1])
    expected = "|".join(["__main__", "cli", "jit", "kernels", "runtime", r"sudoku$", *packages])
    unexpected = [name for name in modules if not re.match(rf"dlx_numba\.({expected})", name)]
    assert unexpected == []


@pytest.mark.slow
def test_no_command_overwrites_its_input(tmp_path):
    path, link = tmp_path / "input", tmp_path / "link"
    link.symlink_to(path)
    for content, arguments in (
        (UNIQUE, ["solve", path, "-o"]),
        (UNIQUE, ["show", path, "--svg"]),
        (UNIQUE, ["show", path, "-o"]),
        (UNIQUE, ["explain", path, "-o"]),
        ("0\n", ["count", "--batch", path, INSTANCES / "queens8.dlx", "-o"]),
    ):
        path.write_text(content)
        for output in (path, link):
            _, err = invoke(*arguments, output, status=2)
            assert f"{output} is both input and output" in err
            assert path.read_text() == content
