"""The progress display on a pseudo-terminal."""

import io
import os
import re
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from types import MappingProxyType

import pytest

from dlx_numba.runtime import display
from dlx_numba.runtime.display import ProgressDisplay
from tests.helpers import DATA, INSTANCES
from tests.helpers.counting import tilings
from tests.helpers.hosts import wait_until
from tests.helpers.processes import NONE, SOLVED, UNIQUE, start

fcntl = pytest.importorskip("fcntl", reason="pseudo-terminals need Unix")
import pty  # noqa: E402
import termios  # noqa: E402

pytestmark = [pytest.mark.compiled, pytest.mark.processes]

QUEENDOM = "--algorithm", "links", INSTANCES / "queendom8.mcc.dlx"  # takes seconds
ERASE_LINE = "\x1b[2K"


def set_delay(seconds=0):
    """Set the time until the progress appears; by default, it appears at once."""
    display.SECONDS_UNTIL_DISPLAY = seconds
    display.ProgressDisplay.__init__.__kwdefaults__["delay"] = seconds


def use_dumb_terminal():
    set_delay()
    os.environ["TERM"] = "dumb"


def run_on_terminal(
    *arguments,
    columns=100,
    is_stdout_terminal=False,
    keys=(),
    prepare=set_delay,
    variables=MappingProxyType({}),
):
    """Run a command with a terminal as standard error; return its error and output texts.

    `keys` are pairs of a pattern of what is shown, and what is typed then; the terminal is also
    standard input. What is shown has its colors only if there are `variables` of the environment.
    """
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**os.environ, "TERM": "xterm", **variables}
    environment.pop("COLUMNS", None)
    streams = {"stdin": end if keys else subprocess.DEVNULL, "stderr": end, "text": False}
    with start(
        *arguments,
        prepare=lambda: (prepare(), keys and take_terminal()),
        stdout=end if is_stdout_terminal else subprocess.PIPE,
        env=environment,
        start_new_session=True,
        **streams,
    ) as process:
        os.close(end)
        written = []
        reader = threading.Thread(target=read_all, args=(terminal, written))
        reader.start()
        deadline = threading.Timer(60, process.kill)  # otherwise, the tests would not end
        deadline.start()
        for pattern, text in keys:
            matches = re.compile(pattern).search
            wait_until(
                lambda: matches(without_colors(b"".join(written))) or not reader.is_alive()  # noqa: B023
            )
            os.write(terminal, text.encode())
        out = b"" if is_stdout_terminal else process.stdout.read()
        reader.join()
        deadline.cancel()
    os.close(terminal)
    shown = b"".join(written)
    return shown.decode() if variables else without_colors(shown), out.decode()


def without_colors(written):
    """Return a text without colors, which say nothing, in contrast to movements of the cursor."""
    return re.sub(r"\x1b\[[\d;]*m", "", written.decode(errors="replace"))


def take_terminal():
    """Make standard input the terminal that sends signals for Ctrl-C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def read_all(terminal, written):
    """Append what appears on the terminal to a list."""
    with suppress(OSError):  # on Linux, the end of the output
        while piece := os.read(terminal, 1 << 16):
            written.append(piece)


PROGRESS = r"0:0\d [━─]+ [\d.]+ %, (\d[\d: days]+ left, )?[\d,]+ covers?, "


def test_progress_of_a_search():
    keys = [(r"[1-9][\d,]* covers?, .* M updates/s, \d+/\d+ [^\0]* M updates/s, \d+/\d+", "\x03")]
    shown, out = run_on_terminal("cover", *QUEENDOM, keys=keys)
    lines = re.split("[\r\n]+", re.sub(r"\x1b\[[?\d]*[a-zA-Z]", "", shown))
    progress = [line for line in lines if re.match(PROGRESS, line)]
    assert len(progress) >= 2
    assert max(map(len, progress)) <= 100
    assert any(re.search(r" left, .* M updates/s, \d+/\d+", line) for line in progress)
    assert lines[-2].startswith("Stopped before the end: ")
    assert re.fullmatch(r"[\d \n]+", out)


def test_memo_has_no_bar():
    """It is fastest at the end, so the fraction would be misleading."""
    arguments = ("sample", "tilings:sizes=4:region=12x12")
    keys = [(r"0:\d\d, [\de.-]+ % explored, [\d,]+ subproblems", "\x03")]
    shown, _ = run_on_terminal(*arguments, keys=keys)
    assert re.search(keys[0][0], shown)
    assert "─" not in shown


def test_a_line_says_that_a_hopeless_count_continues_with_a_memo(problem_file):
    keys = [(r"\(the count continues with: memo\)", ""), ("subproblems", "\x03")]
    shown, _ = run_on_terminal("count", problem_file(tilings(12, 12, 4)), keys=keys)
    assert shown.count("(the count continues with: ") == 1


def test_covers_do_not_collide_with_the_progress():
    shown, _ = run_on_terminal(
        *("cover", "-f", "numbers", "--limit", "all", "-j", 1, *QUEENDOM),
        columns=60,
        is_stdout_terminal=True,
        keys=[(r"─[^\0]*\n(\d+ )+\d+[^\0]*─", "\x03")],
    )
    assert "─" in shown
    # The terminal itself shows ^C, at any time: also after the program has cleared the line.
    lines = screen_lines(shown.replace("^C", ""))
    covers = [line for line in lines if re.fullmatch(r"(\d+ ?)+", line)]
    others = [line for line in lines if line not in covers and "─" not in line]
    assert covers
    assert others[0].endswith("read as Knuth's format)")
    assert not any(re.search(r"\d+ \d+ \d+", line) for line in others)


def test_output_replaces_the_trace_of_ctrl_c(monkeypatch):
    """The cursor is in an empty line until the progress returns, and that is where ^C appears."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    with ProgressDisplay(delay=0) as progress:
        progress.update("12 covers")
        wait_until(lambda: "12 covers" in terminal.getvalue())
        progress.clear_for_stdout()
        terminal.write("^C")
        progress.clear_for_stdout()
        terminal.write("1 2 3\n")
    assert screen_lines(terminal.getvalue().replace("\n", "\r\n")) == ["1 2 3"]


def screen_lines(shown):
    """Return the lines of the terminal, without text that was erased or overwritten."""
    lines, row, column = [""], 0, 0
    for token in re.findall(r"\x1b\[[?\d;]*[a-zA-Z]|\r|\n|[^\x1b\r\n]+", shown):
        if token == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif token == "\r":
            column = 0
        elif token == ERASE_LINE:
            lines[row] = ""
        elif re.fullmatch(r"\x1b\[\d*A", token):
            row -= int(token[2:-1] or 1)
        elif not token.startswith("\x1b"):
            line = lines[row].ljust(column)
            lines[row] = line[:column] + token + line[column + len(token) :]
            column += len(token)
    return [line for line in lines if line.strip()]


@pytest.mark.parametrize(("columns", "n_beside"), [(40, 1), (120, 4)])
def test_boards_are_drawn_beside_each_other(columns, n_beside, tmp_path):
    """On a terminal only: pipes get lines, and so do terminals with --format line."""
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{UNIQUE}\n" * 4 + f"bad\n{NONE}\n")
    shown, _ = run_on_terminal("solve", path, columns=columns, is_stdout_terminal=True)
    lines = shown.splitlines()[shown.startswith("Compiling") :]
    assert lines[0] == "    ".join([" 8 1 2 | 7 5 3 | 6 4 9"] * n_beside)
    assert sum("7 9 6 | 3 1 8 | 4 5 2" in line for line in lines) == -(-4 // n_beside)
    assert "# unreadable: " in shown
    remark = lines.index("There are no solutions")
    assert lines[remark + 1].strip() == "to the puzzle."
    assert lines[remark - 12].startswith("# unreadable: ")
    out = run_on_terminal("solve", path, columns=columns)[1]
    assert out.splitlines()[:4] == [SOLVED] * 4
    shown, _ = run_on_terminal("solve", "-f", "line", path, columns=99, is_stdout_terminal=True)
    assert shown.splitlines()[:4] == [SOLVED] * 4


def test_generated_puzzles_are_drawn_with_their_solutions():
    arguments = ("generate", 2, "--solution", "--seed", 1)
    shown, _ = run_on_terminal(*arguments, columns=110, is_stdout_terminal=True)
    rows = [line.split("   ") for line in screen_lines(shown) if line.startswith(" ")]
    assert [len(row) for row in rows] == [4] * 9
    _, out = run_on_terminal(*arguments, columns=110)
    boards = ["".join(re.findall(r"[\d.]", "".join(cells))) for cells in zip(*rows, strict=True)]
    assert boards == out.split()


def test_frequencies_are_a_table(tmp_path):
    path = tmp_path / "problem.json"
    path.write_text('{"options": {"S1": ["a"], "S2": ["a", "b"], "S 3": ["b"]}}')
    arguments = ("count", "--frequencies", "--quiet", path)
    shown, _ = run_on_terminal(*arguments, columns=80, is_stdout_terminal=True)
    rows = [line.rsplit(None, 1) for line in screen_lines(shown)[-4:]]
    assert rows == [["option", "covers"], ["S1", "1"], ["S2", "1"], ["S 3", "1"]]
    assert run_on_terminal(*arguments, columns=80)[1] == "0\t1\n1\t1\n2\t1\n"


def test_counts_of_several_puzzles_have_their_places(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text("1.....3..4.....2\n1.....3..4......\n")
    shown, _ = run_on_terminal("count", "--quiet", path, is_stdout_terminal=True)
    assert screen_lines(shown) == [f"{path}:1: 1", f"{path}:2: 3"]
    assert run_on_terminal("count", path)[1] == "1\n3\n"


def test_many_covers_are_shown_in_part():
    queens = INSTANCES / "queens8.dlx"
    shown, _ = run_on_terminal("cover", queens, columns=250, is_stdout_terminal=True)
    *lines, last = screen_lines(shown)
    assert sum(line.count("; ") == 7 for line in lines) == 20
    assert last == "Only 20 covers are shown; --limit all prints all of them."
    arguments = ("cover", "--limit", "all", queens)
    shown, _ = run_on_terminal(*arguments, columns=80, is_stdout_terminal=True)
    assert "Altogether 92 solutions" in shown
    assert run_on_terminal("cover", queens, columns=80)[1].count("\n") == 92


def test_cheapest_plans_of_a_table_are_drawn_with_their_costs(tmp_path):
    path, picture = tmp_path / "lessons.csv", tmp_path / "plan.svg"
    path.write_text("lesson,teacher,slot,cost\nMath,Ann,Mon 9:00,2\nMath,Ann,Mon 10:00,0.5\n")
    table = "--items", "lesson", "--optional", "teacher+slot", "--cost", "cost"
    arguments = "cheapest", path, *table, "--svg", picture
    shown, _ = run_on_terminal(*arguments, is_stdout_terminal=True)
    lines = screen_lines(shown)
    k = lines.index("Ann")
    assert lines[k + 1 : k + 3] == ["  Mon 10:00  Math", "(cost 0.5)"]
    assert "cost 0.5" in picture.read_text()
    rows = "lesson,teacher,slot,cost\nMath,Ann,Mon 10:00,0.5\n"
    assert run_on_terminal(*arguments)[1] == rows


SLOW = ("solve", "--limit", "all", "-j", 1, "--seconds", 0.3)


@pytest.fixture
def endless(tmp_path):
    """A file of puzzles whose solutions cannot be counted."""
    path = tmp_path / "empty.txt"
    path.write_text(("." * 81 + "\n") * 100)
    return path


def test_progress_of_solve_in_a_file(tmp_path, endless):
    output, puzzles = tmp_path / "solved", tmp_path / "puzzles"
    puzzles.write_text(f"{UNIQUE}\n" * 1000)
    keys = [(r"[━─]{15} [\d.]+ %, ", "\x03")]
    arguments = ("solve", "--limit", "all", "-j", 1, "-o", output, "absent", puzzles, endless)
    shown, _ = run_on_terminal(*arguments, columns=80, keys=keys)
    assert re.search(keys[0][0], shown)
    lines = screen_lines(shown)
    assert lines[0] == "error: absent: No such file or directory"
    assert not any("─" in line for line in lines)
    assert re.search(r"interrupted: [\d,]+ complete records written$", lines[-2])
    assert lines[-1].endswith("has what is complete)")  # the file that is absent may appear


@pytest.mark.parametrize(
    ("command", "how"),
    [
        (SLOW, {"is_stdout_terminal": True}),  # which has the records
        (("solve", "-q", DATA / "expert.txt"), {"prepare": lambda: set_delay(60)}),
        (("count", "-j", 1, "--seconds", 0.3, *QUEENDOM), {"prepare": use_dumb_terminal}),
    ],
    ids=["records", "short", "dumb"],
)
def test_no_bar(command, how, endless):
    shown, _ = run_on_terminal(*command, *[endless] * (command == SLOW), **how)
    assert not re.search("\x1b|─", shown)


def test_no_bar_if_puzzles_are_typed():
    """The bar would appear over the puzzle."""
    keys = [("", UNIQUE + "\n"), (UNIQUE[-9:], "\x04")]
    shown, out = run_on_terminal("solve", "-", keys=keys)
    assert "─" not in shown
    assert shown.splitlines()[0] == UNIQUE  # the echo
    assert out == f"{SOLVED}\n"


@pytest.mark.parametrize("command", ["solve", "rate", "rate --difficulty easy"])
def test_unreadable_records_appear_once_on_a_terminal(command, tmp_path):
    path = tmp_path / "puzzles"
    path.write_text(f"{UNIQUE}\nbad\n")
    arguments = (*command.split(), path)
    text, _ = run_on_terminal(*arguments, columns=200, is_stdout_terminal=True)
    assert text.count("puzzles:2: ") == 1
    assert ("# unreadable: " in text) == ("difficulty" not in command)
    text, out = run_on_terminal(*arguments, columns=200)
    assert (text.count("puzzles:2: "), out.count("puzzles:2: ")) == (1, "difficulty" not in command)


@pytest.mark.parametrize(
    ("arguments", "shown_before", "advice"),
    [
        (["count", "-j", 1], r"[1-9][\d,]* covers", r"covers\. .* --checkpoint\."),
        (["count", "--checkpoint", "saved"], r"[1-9][\d,]* covers", r"covers\. .* --resume\."),
        (["count", "--quiet"], r"[1-9][\d,]* covers", r"covers\."),
        (["sample", "-n", 1], r"[1-9][\d,]* subproblems", None),
    ],
    ids=str,
)
def test_interrupted_count_or_sample(arguments, shown_before, advice, tmp_path):
    """A lower bound is no result: standard output stays empty."""
    arguments = [tmp_path / "saved" if each == "saved" else each for each in arguments]
    command = (*arguments, "queens:n=30")
    shown, out = run_on_terminal(*command, keys=[(shown_before, "\x03")])
    lines = screen_lines(shown)
    assert out == ""
    assert any("Stopped before the end: " in line for line in lines) == ("--quiet" not in arguments)
    if advice is None:
        assert "at least" not in shown
    else:
        assert re.fullmatch(rf"(\^C)?There are at least [1-9][\d,]* {advice}", lines[-1])


BY_ROWS = "\n".join(UNIQUE[k : k + 9] for k in range(0, 81, 9))
BOARDS = r"([.\d]{{81}}[^\0]*?){{{}}}".format  # the echo of a board, its answer, and so on
TWO = [("", f"{UNIQUE}\n"), (BOARDS(2), f"{UNIQUE}\n"), (BOARDS(4), "\x03")]
TYPED = [
    ("rate", TWO, "interrupted: 2 complete records written"),
    ("canonical", TWO, "interrupted: 2 complete records written"),
    ("minimize", TWO, "interrupted: 2 complete records written"),
    ("solve --all", TWO, "interrupted: 2 complete records written"),
    (
        "solve",
        [
            ("", f"{UNIQUE}\n"),
            (SOLVED, f"{UNIQUE[:-1]}\n"),
            ("# unreadable: <stdin>:2: expected 81 symbols", f"\n{BY_ROWS}\n"),
            (f"{SOLVED}[^\0]*{SOLVED}", "\x04"),
        ],
        "3 Sudokus: 2 solved, 1 unreadable",
    ),
    # The size of pasted boards is that of all lines, and a solution belongs to its puzzle.
    (
        "solve --check",
        [("", f"{'1234' * 4}\n{'5678' * 4}\n" + ("." * 16 + "\n") * 14), (r"[\d.]{256}", "\x04")],
        "1 Sudoku: 1 without a solution",
    ),
    ("solve", [("", f"{UNIQUE}\n{SOLVED}\n"), (BOARDS(3), "\x04")], "1 Sudoku: 1 solved"),
]


@pytest.mark.parametrize(("command", "keys", "summary"), TYPED)
def test_typed_puzzles_are_answered_at_once(command, keys, summary):
    arguments = (*command.split(), "-f", "line", "-")
    shown, _ = run_on_terminal(*arguments, columns=200, keys=keys, is_stdout_terminal=True)
    assert summary in shown


def test_drawings_have_colors_unless_the_environment_refuses_them(tmp_path):
    def shown(*arguments, **variables):
        return run_on_terminal(*arguments, is_stdout_terminal=True, variables=variables)[0]

    assert "\x1b[30;105mX" in shown("solve", "polyominoes:region=3x20", TERM="xterm")
    rich = shown("solve", "polyominoes:region=3x20", TERM="xterm", COLORTERM="truecolor")
    assert "48;2;221;68;136mX" in rich
    queens = shown("solve", "queens:n=6", TERM="xterm-256color")
    assert queens.count("\x1b[1;35mQ\x1b[0m") == 6
    assert "\x1b[1;31merror:\x1b[0m no: " in shown("solve", "no", TERM="xterm")
    path = tmp_path / "puzzle.txt"
    path.write_text(UNIQUE)
    n_givens = 81 - UNIQUE.count(".")
    assert shown("solve", path, TERM="xterm").count("\x1b[1;36m") == n_givens
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        for arguments in (("solve", "queens:n=6"), ("solve", path), ("solve", "no")):
            assert "\x1b" not in shown(*arguments, **variables)
    assert "\x1b" not in run_on_terminal("solve", "queens:n=6")[1]
