"""The program as a whole: version, help, usage errors."""

import ast
import re
import subprocess
import sys

import pytest

import dlx_numba as dlx
from tests.helpers import INSTANCES, ROOT
from tests.helpers.processes import UNIQUE, invoke

COMMANDS = [
    *("solve", "rate", "generate", "minimize", "canonical"),
    *("cover", "count", "sample", "cheapest", "estimate", "diagnose", "gallery"),
    *("show", "explain", "serve", "demo", "bench", "warmup"),
]


def test_version():
    assert invoke("--version")[0] == f"dlx_numba {dlx.__version__}\n"


def test_help_lists_all_commands():
    out, _ = invoke("--help")
    assert out.isascii()
    groups = re.findall(r"^(\w[\w ]+):$", out, re.MULTILINE)
    assert groups == ["Options", "Sudoku", "Exact cover", "Pictures", "Tools"]
    commands = out.partition("Sudoku:")[2]
    assert re.findall(r"^  (\w+)  ", commands, re.MULTILINE) == COMMANDS
    assert "..." not in commands  # the summaries are complete


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command, monkeypatch):
    """Only the options that every command has are outside of the panels."""
    monkeypatch.setenv("COLUMNS", "80")
    out, err = invoke(command, "--help")
    assert f"Usage: python -m dlx_numba {command} " in out
    lines = out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    assert out.isascii()  # any encoding of standard output has it
    assert err == ""
    examples, _, options = out.partition("Options:\n")
    listed = examples.partition("Examples:\n")[2]
    assert f"    python -m dlx_numba {command}" in listed
    assert not re.search("dlx_numba.*  python -m", listed)  # each example has its own line
    assert "-h, --help" in options
    assert "-q, --quiet " in options
    assert ".:" not in out
    monkeypatch.setenv("COLUMNS", "200")
    out, _ = invoke(command, "--help")
    assert not re.search(r"<\w+|\[x[<>]|INTEGER|TEXT", out.partition("Options:")[2])
    titles = re.findall(r"^(\w[\w ]*):$", out.partition("Examples:")[2], re.MULTILINE)
    panels = ["Arguments", "Problem", "Output", "Long runs", "Expert", "Options"]
    assert titles == [panel for panel in panels if panel in titles]
    general = re.findall(r"^  .*--(\w+)  ", out.partition("\nOptions:\n")[2], re.MULTILINE)
    assert general == ["quiet", "help"]


def test_numbers_of_results_have_one_name():
    for command in ("solve", "generate", "cover", "count", "sample", "cheapest", "estimate"):
        assert re.search(r"-n, .*--number", invoke(command, "--help")[0]), command


@pytest.mark.processes
@pytest.mark.parametrize("command", ["solve", "count"])
def test_commands_do_not_import_each_other(command):
    source = (
        "import sys; from dlx_numba.__main__ import main\n"
        f"sys.argv = ['', '{command}', '-q', '-']\n"
        "try: main()\n"
        "finally: print(sorted(m for m in sys.modules if m.startswith('dlx_numba.')))"
    )
    text = UNIQUE if command == "solve" else "a b c\na b\nc\n"
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, input=text, capture_output=True, text=True
    )
    modules = ast.literal_eval(done.stdout.splitlines()[1])
    packages = {name.split(".")[1] for name in modules}
    shared = {"__main__", "cli", "jit", "kernels", "runtime", "sudoku"}
    if command == "solve":
        assert packages == {*shared, "variants"}
    else:
        assert not packages & {"bench", "explain", "gallery", "svg", "variants"}
        of_sudoku = {name for name in modules if name.startswith("dlx_numba.sudoku.")}
        assert of_sudoku == {"dlx_numba.sudoku.box"}  # the shape that options have


def test_no_command_overwrites_its_input(tmp_path):
    path = tmp_path / "input"
    link = tmp_path / "link"
    link.symlink_to(path)
    puzzles = f"{UNIQUE}\n"
    hotel = (ROOT / "docs" / "examples" / "hotel.csv").read_text()
    for content, arguments in (
        (puzzles, ["solve", path, "-o"]),
        (puzzles, ["show", path, "--svg"]),
        (puzzles, ["show", path, "-o"]),
        (puzzles, ["explain", path, "-o"]),
        ("0\n", ["count", "--batch", path, INSTANCES / "queens8.dlx", "-o"]),
        (puzzles, ["bench", path, "--plot"]),
        (hotel, ["gallery", "hotel", f"file={path}", "--svg"]),
    ):
        path.write_text(content)
        for output in (path, link):
            _, err = invoke(*arguments, output, status=2)
            assert f"{output} is both input and output" in err
            assert path.read_text() == content
