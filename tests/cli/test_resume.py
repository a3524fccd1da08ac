"""`solve --resume`: the output is that of an uninterrupted run."""

import gzip
import random
from functools import partial
from itertools import product

import pytest

from dlx_numba.cli import board_run
from dlx_numba.sudoku import all_solutions
from dlx_numba.sudoku.io.read import read_records
from tests.helpers import DATA
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke
from tests.helpers.seeds import instances, seeded

pytestmark = pytest.mark.compiled

EASY = DATA / "easy.txt"
STYLES = ["line", "json"]


def lines(name, count):
    return "".join((DATA / f"{name}.txt").read_text().splitlines(keepends=True)[:count])


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Lists of files: mixed records, several files of two sizes, a table, and only bad records."""
    folder = tmp_path_factory.mktemp("inputs")

    def file(name, text):
        path = folder / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    mixed = f"bad start\n{UNIQUE}\n{NONE}\nbad\n# comment\nbad too\n{SEVERAL}\n{SOLVED}\nlast bad\n"
    small = "1.....3..4......\n1.....3..4.....2\nno board, unfinished\n" + "." * 16 + "\n"
    rows = f'{UNIQUE},,"Simple, x"\nx,,\n{NONE},,\n{UNIQUE},{SOLVED},E\n'
    numbers = " ".join("36" if cell == 5 else "." for cell in range(36**2))
    several = [file("easy.txt.gz", lines("easy", 30)), file("empty.txt", "# nothing\n")]
    several += [folder / "missing.txt", file("small.txt", small), file("more.txt", mixed)]
    table = file("table.csv", f"Puzzle,Solution,Difficulty\n{rows}")
    return {
        "mixed": [file("mixed.txt", mixed)],
        "several files": several,
        "table": [table, file("table2.csv", lines("easy", 3))],
        "bad": [file("bad.txt", "x\n" * 5)],
        "numbers": [file("numbers.txt", f"{numbers}\n{numbers}\n")],
    }


OPTIONS = ["", "--check", "--limit 5 --engine dlx", "--all --limit 20", "--strict"]
CASES = [
    *product(("mixed", "several files", "table", "bad"), OPTIONS, STYLES),
    *product(["numbers"], [""], STYLES),
]


# By default, each list of files, each option and each style, but not all combinations.
@pytest.mark.parametrize(
    ("name", "options", "style"),
    [
        pytest.param(*case, marks=[pytest.mark.thorough] * (number % 7 not in (0, 2, 4)))
        for number, case in enumerate(CASES)
    ],
)
def test_output_cut_at_any_byte_is_completed(inputs, style, name, options, tmp_path, monkeypatch):
    rng = random.Random(f"{seeded(12)} {name} {options} {style}")
    in_chunks = partial(read_records, chunk_boards=rng.choice((3, 100)))
    monkeypatch.setattr(board_run, "read_records", in_chunks)
    monkeypatch.setattr(all_solutions, "BLOCK_SOLUTIONS", rng.choice((5, 100)))
    arguments = ["solve", "-f", style, *options.split()]
    solved = tmp_path / "solved"
    invoke(*arguments, "-o", solved, *inputs[name], status=None)
    complete = solved.read_bytes()
    cuts = {0, len(complete), *(rng.randrange(len(complete)) for _ in range(instances(6)))}
    for cut in cuts:
        rest = bytes(rng.choice((0, 0, 100)))  # blocks that did not get to the disk
        solved.write_bytes(complete[:cut] + rest)
        _, err = invoke(*arguments, "--resume", "-o", solved, *inputs[name], status=None)
        assert solved.read_bytes() == complete, (cut, len(rest), err)
        assert "Traceback" not in err
        if cut or rest:
            assert "resuming after " in err


def test_resume_reports_the_records_in_the_file(tmp_path):
    solved = tmp_path / "solved"
    arguments = ("-o", solved, EASY)
    invoke("solve", *arguments)
    complete = solved.read_bytes()
    solved.write_bytes(complete[: 150 * 82 + 10])
    for n_before, rest in ((150, "50 puzzles: 50 solved"), (200, "0 puzzles: nothing to do")):
        _, err = invoke("solve", "--resume", *arguments)
        assert err.startswith(f"resuming after {n_before} records\n{rest}")
        assert solved.read_bytes() == complete
    solved.write_bytes(complete + b"12")
    assert rejected(*arguments).endswith("(after record 200)")
    assert solved.read_bytes() == complete + b"12"


@pytest.mark.parametrize(("option", "style"), [("--check", "json"), ("--all", "line")])
def test_puzzles_that_a_time_limit_stopped_are_solved_again(tmp_path, style, option):
    puzzles, solved, expected = (tmp_path / name for name in ("puzzles", "solved", "expected"))
    puzzles.write_text(f"{UNIQUE}\n{'.' * 81}\nbad\n{UNIQUE}\n" * 3)
    arguments = ["solve", option, "--limit", 5_000, "-f", style, puzzles]
    invoke(*arguments, "-o", expected, status=1)
    for seconds in (1e-6, 1e-3, 1e-6, 0.01, 0.02, 0.05, 1e-6, 0.1):
        invoke(*arguments, "--resume", "-o", solved, "--seconds", seconds, status=None)
        solved.write_bytes(solved.read_bytes()[:-5] if solved.exists() else b"")
        _, err = invoke(*arguments, "--resume", "-o", solved, "--seconds", 1e-6, status=None)
        assert "cannot resume" not in err
    invoke(*arguments, "--resume", "-o", solved, status=None)
    assert solved.read_bytes() == expected.read_bytes()


def rejected(*arguments):
    """Return the message of a call of `solve --resume` that is rejected."""
    out, err = invoke("solve", "--resume", *arguments, status=2)
    assert out == ""
    return err.splitlines()[-1].removeprefix("error: ")


@pytest.mark.parametrize("style", STYLES)
def test_output_of_another_run_is_rejected_and_unchanged(tmp_path, style):
    solved, other = tmp_path / "solved", tmp_path / "other"
    other.write_text(lines("easy", 50) + lines("simple", 50))
    invoke("solve", "-f", style, "-o", solved, EASY, other)
    text = solved.read_bytes()
    runs = [[other, EASY], [EASY], [tmp_path / "missing"], ["--all", EASY, other]]
    if style == "json":
        runs += [["--check", EASY, other], ["--engine", "dlx", EASY, other]]
    for run in runs:
        reason = rejected("-f", style, "-o", solved, *run)
        assert "was written from other input or with other options" in reason
    [another] = set(STYLES) - {style}
    assert "cannot resume: " in rejected("-f", another, "-o", solved, EASY, other)
    assert solved.read_bytes() == text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "content",
    [
        b"precious",
        b'{"solution": 1, "count": [], "status": {}}\n',
        b"1 # 9e99 # 9999999999999999999999 solutions\n",
        b"precious\n",
        b"a,b\n1,2\n\n",
        b"x" * 1000_000,
    ],
)
def test_unrelated_files_are_rejected_and_unchanged(tmp_path, style, content):
    solved = tmp_path / "solved"
    for kept in (content, content * 2):
        solved.write_bytes(kept)
        for option in ([], ["--all"]):
            assert "cannot resume: " in rejected("-f", style, *option, "-o", solved, EASY)
            assert solved.read_bytes() == kept
