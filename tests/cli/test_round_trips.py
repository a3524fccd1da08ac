"""Commands read what commands write, in each format that they claim to read."""

import itertools
import json
import subprocess
import sys

import pytest

import dlx_numba as dlx
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke

NAMED = {
    "options": {
        "A": ["mon", "ann"],
        "B": ["tue", "ann"],
        "C": ["mon", "bob"],
        "D, E": ["tue", "bob"],
        "F": ["mon", "cy"],
        'G "H"; I': ["tue", "cy"],
    },
    "items": ["mon", "tue", "ann", "bob", "cy"],
    "exactly": {"mon": 2},
    "at_most": {"ann": 1, "cy": 2},
    "at_least": {"bob": 1},
    "costs": [3, 3, 5, 4, 4, 6],
}
COLORED = "a b c | s\na b\nc\na\nb s:red\nc s:red\nc\n"
TABLE = "job,cost,who\nj1,3,ann\nj1,2,bob\nj2,3,bob\nj2,7,ann\nj3,2.5,\n"
MATRIX = "101\n010\n100\n001\n"
NONOGRAMS = '{"rows": [[1]], "columns": [[1]]}\n{"rows": [[2]], "columns": [[1], [1]]}\n'
BOARD = "1.....3..4.....2\n"
PROBLEMS = {  # the content of a file, and the options with which it is read
    "named.json": (json.dumps(NAMED), ""),
    "colored.dlx": (COLORED, ""),
    "table.csv": (TABLE, "--items job --optional who --cost cost"),
    "names.csv": ("who,job\n" + "ann,x\nbob,y\ncy,x\n", "--items job --name who"),
    "matrix.txt": (MATRIX, ""),
    "board.txt": (BOARD, ""),
}
COVERS = {
    f"{command} -f {style}"
    for command in ("cover", "cover --limit 2", "cheapest", "cheapest -n 2", "sample -n 3")
    for style in ("numbers", "names", "json", "drawing")
} | {"cover --one-based", "solve", "solve --limit 3", "solve -f json", "solve --limit 3 -f json"}
PLANS = ("cheapest -o plan.csv", "solve --limit 1 -o plan.csv")


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def numbers_of_right_answers(*arguments):
    """Return how many answers `verify` finds, all of which are right."""
    out, _ = invoke("verify", *arguments)
    lines = out.splitlines()
    assert all("a cover" in line and "not a cover" not in line for line in lines)
    return len(lines)


@pytest.mark.parametrize(("name", "command"), [*itertools.product(PROBLEMS, sorted(COVERS))])
def test_verify_reads_covers(name, command, file):
    text, options = PROBLEMS[name]
    source = file(name, text)
    if "cheapest" in command and "costs" not in text and "cost" not in options:
        command = command.replace("cheapest", "cover --limit 1")
        command = command.replace("-n 2", "")
    written, _ = invoke(*command.split(), *options.split(), source, status=None)
    same = ["--one-based"] if "--one-based" in command else []
    n_answers = numbers_of_right_answers(*same, *options.split(), source, file("answer", written))
    if "-n 3" in command:
        assert n_answers == 3
    elif "-n 2" in command:
        assert n_answers == 2


@pytest.mark.parametrize("command", PLANS)
@pytest.mark.parametrize("name", [name for name in PROBLEMS if "cost" in PROBLEMS[name][0]])
def test_verify_reads_plans(command, name, file, tmp_path):
    text, options = PROBLEMS[name]
    source = file(name, text)
    invoke(*command.split(), *options.split(), source)
    assert numbers_of_right_answers(*options.split(), source, "plan.csv") == 1
    rows = (tmp_path / "plan.csv").read_text().splitlines(keepends=True)
    shorter = file("shorter.csv", "".join(rows[:-1]))
    assert "not a cover" in invoke("verify", *options.split(), source, shorter, status=1)[0]
    other = file("other.csv", "".join([rows[0], *(row[1:] for row in rows[1:])]))
    _, err = invoke("verify", *options.split(), source, other, status=2)
    assert "the plan has a row that is no option" in err


def test_wrong_covers_are_not_right(file):
    source = file("named.json", PROBLEMS["named.json"][0])
    for answer in ("0 1 |6\n", "A; B |6\n", '{"options": [0, 1]}\n', "mon-ann tue-ann\n"):
        out, _ = invoke("verify", source, file("answer", answer), status=1)
        assert "not a cover" in out or "wrong" in out
    for answer in ("A, nobody\n", "0 17\n", '{"options": ["A"'):
        invoke("verify", source, file("answer", answer), status=2)


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize("limit", [1, 2])
def test_verify_reads_the_solutions_of_several_puzzles(style, limit, file):
    source = file("puzzles.jsonl", NONOGRAMS)
    form = ["-f", "json"] if style == "json" else []
    written, _ = invoke("solve", "--limit", limit, *form, source)
    answer = file("answer", written)
    assert numbers_of_right_answers(source, answer) == 2
    assert numbers_of_right_answers("--puzzle", 2, source, answer) == 1
    only, _ = invoke("solve", "--puzzle", 2, *form, source)
    assert numbers_of_right_answers("--puzzle", 2, source, file("only", only)) == 1


@pytest.mark.parametrize("example", ["queens:n=5", "langford:n=4", "hashiwokakero", "takuzu"])
def test_verify_reads_drawings_of_examples(example, file):
    commands = ["solve", "solve -f json"]
    if ":" in example:  # of the others, not all covers are solutions
        commands += ["cover --limit 3 -f drawing", "cover --limit 2", "cover --limit 2 -f names"]
    for command in commands:
        written, _ = invoke(*command.split(), example)
        assert numbers_of_right_answers(example, file("answer", written)) > 0


BOARDS = f"{SOLVED}\n{UNIQUE} # NB-1\n{SEVERAL}\n"
WRITERS = {  # commands that write boards, and in which formats
    "solve": ("line", "csv", "grid", "json"),
    "solve --all --limit 2": ("line", "csv", "grid", "json"),
    "rate": ("line", "csv", "json"),
    "canonical": ("line", "csv", "grid", "json"),
    "minimize": ("line", "csv", "grid", "json"),
    "minimize --solution": ("line", "csv", "grid", "json"),
    "generate 2 --seed 1": ("line", "csv", "grid", "json", "fpuzzles"),
}
READERS = ("solve", "solve -f csv", "rate", "canonical", "minimize", "show")


@pytest.mark.parametrize(
    ("command", "style"),
    [(command, style) for command, styles in WRITERS.items() for style in styles],
)
def test_all_commands_read_boards(command, style, file):
    source = [] if "generate" in command else [file("boards.txt", BOARDS + f"{NONE}\n")]
    written, _ = invoke(*command.split(), "-f", style, *source, status=None)
    path = file("written", written)
    for reader in READERS:
        if style == "fpuzzles" and reader in ("rate", "canonical"):
            continue  # which take no puzzles with rules
        out, err = invoke(*reader.split(), path, status=None)
        assert out
        assert "unreadable" not in out + err
        assert "error" not in err


@pytest.mark.parametrize("style", ["line", "csv", "grid", "json"])
def test_verify_reads_solved_boards(style, file):
    boards = file("boards.txt", BOARDS)
    written, _ = invoke("solve", "-f", style, boards)
    assert numbers_of_right_answers(boards, file("solved", written)) == 3
    assert numbers_of_right_answers("--puzzle", 3, boards, "solved") == 1
    if style in ("csv", "json"):  # which have the puzzles, too
        assert numbers_of_right_answers("solved") == 3
    one = file("one.txt", f"{SEVERAL}\n")
    written, _ = invoke("solve", "--all", "--limit", 3, "-f", style, one)
    if style in ("line", "csv", "json"):
        assert numbers_of_right_answers(one, file("solved", written)) == 3
    wrong = written.replace("1", "x").replace("2", "1").replace("x", "2")
    invoke("verify", one, file("wrong", wrong), status=None)


@pytest.mark.parametrize("style", ["csv", "knuth", "json", "mps", "orlib"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_statements_are_read_again(name, style, file):
    text, options = PROBLEMS[name]
    source = file(name, text)
    wanted, _ = invoke("count", *options.split(), source)
    written, err = invoke("show", "-f", style, "--matrix", *options.split(), source, status=None)
    if not written:  # a format that cannot represent the problem says so
        assert "error: " in err
        return
    kind = {"csv": "table"}.get(style, style)
    assert invoke("count", "--kind", kind, file("written", written))[0] == wanted
    again, _ = invoke("show", "-f", style, "--kind", kind, "--matrix", "written")
    assert again == written


@pytest.mark.parametrize("name", PROBLEMS)
def test_certificates_and_diagrams_are_read_again(name, file, tmp_path):
    text, options = PROBLEMS[name]
    source = file(name, text)
    invoke("count", "--certificate", "proof", *options.split(), source, status=None)
    if (tmp_path / "proof").exists():
        invoke("show", "-f", "json", "--matrix", "-o", "problem.json", *options.split(), source)
        verifier = [sys.executable, dlx.verify_certificate.__file__, "problem.json", "proof"]
        assert subprocess.run(verifier, capture_output=True).returncode == 0
