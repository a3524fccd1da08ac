"""Commands read what commands write, in each format that they claim to read."""

import itertools
import json
import subprocess
import sys

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from tests.helpers.problems import general_problem, oddly_named_problem, total_problem
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke
from tests.helpers.seeds import seeds

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
PENALTIES = {
    "options": {"A": ["mon", "ann"], "B": ["tue", "ann"], "C": ["mon", "bob"], "D": ["tue", "bob"]},
    "items": ["mon", "tue", "wed", "ann"],
    "secondary": ["bob"],
    "exactly": {"mon": 2},
    "penalty": {"wed": 7, "mon": 4},
    "costs": [1, 2, 3, 4],
}
TOTALS = {
    "options": [["mon", ["s", "red"]], ["tue", ["s", "red"]], ["mon", ["s", "blue"]], ["tue"]],
    "items": ["mon", "tue"],
    "secondary": ["s"],
    "totals": {"hours": [[3, 4, 2, 1], 4, None], "money": [{"0": 5, "3": 2}, None, 7]},
    "costs": {"0": 1, "3": 2},
}
COLORED = "a b c | s\na b\nc\na\nb s:red\nc s:red\nc\n"
TABLE = "job,cost,who\nj1,3,ann\nj1,2,bob\nj2,3,bob\nj2,7,ann\nj3,2.5,\n"
MATRIX = "101\n010\n100\n001\n"
NONOGRAMS = '{"rows": [[1]], "columns": [[1]]}\n{"rows": [[2]], "columns": [[1], [1]]}\n'
BOARD = "1.....3..4.....2\n"
PROBLEMS = {  # the content of a file, and the options with which it is read
    "named.json": (json.dumps(NAMED), ""),
    "penalties.json": (json.dumps(PENALTIES), ""),
    "totals.json": (json.dumps(TOTALS), ""),
    "colored.dlx": (COLORED, ""),
    "weighted.ec": ("3 4\n2 2 1 2\n1 1 3\n5 2 1 3\n2 1 2\n", "--kind orlib"),
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


COMBINATIONS = [*itertools.product(PROBLEMS, sorted(COVERS))]  # each problem, with each command


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(*each, marks=[pytest.mark.slow] * (k % 3 > 0))
        for k, each in enumerate(COMBINATIONS)
    ],
)
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


@pytest.mark.parametrize("style", ["numbers", "names", "json", "csv"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_verify_reads_the_covers_of_a_batch(name, style, file):
    text, options = PROBLEMS[name]
    source = file(name, text)
    batch = file("batch", "0\n!0\n1,2\n999\n\n")
    words = [*options.split(), source]
    written, _ = invoke("cover", "--batch", batch, "-f", style, *words, status=None)
    assert "unreadable" in written
    if style == "json":
        n_covers = sum(bool(json.loads(line)["cover"]) for line in written.splitlines())
    elif style == "csv":
        n_covers = sum("complete,1" in line for line in written.splitlines())
    else:
        n_covers = sum(line not in ("no cover", "unreadable") for line in written.splitlines())
    assert n_covers == numbers_of_right_answers(*words, file("answer", written)) > 0


@pytest.mark.parametrize("command", PLANS)
@pytest.mark.parametrize("name", [name for name in PROBLEMS if "cost" in PROBLEMS[name][0]])
def test_verify_reads_plans(command, name, file, tmp_path):
    text, options = PROBLEMS[name]
    source = file(name, text)
    invoke(*command.split(), *options.split(), source)
    assert numbers_of_right_answers(*options.split(), source, "plan.csv") == 1
    rows = (tmp_path / "plan.csv").read_text().splitlines(keepends=True)
    shorter = file("shorter.csv", "".join([rows[0], *rows[2:]]))
    assert "not a cover" in invoke("verify", *options.split(), source, shorter, status=1)[0]
    other = file("other.csv", "".join([rows[0], *(row[1:] for row in rows[1:])]))
    _, err = invoke("verify", *options.split(), source, other, status=2)
    assert "line 2 of the plan is no option" in err


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


@pytest.mark.parametrize("boards", [BOARDS, f"{SEVERAL}\n{UNIQUE}\n", f"{BOARD}{'.' * 16}\n"])
def test_verify_reads_candidates_of_unique_boards(boards, file):
    source = file("boards.txt", boards)
    written, _ = invoke("solve", "-f", "candidates", source)
    n_unique = boards.count("\n") - 1
    assert numbers_of_right_answers(source, file("candidates", written)) == n_unique


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
    if "cost" in f"{text} {options}":  # numbers of options may include those of slack
        cost = invoke("cheapest", "-f", "numbers", *options.split(), source)[0].partition("|")[2]
        own = invoke("cheapest", "--kind", kind, file("written", written))[0].partition("|")[2]
        assert cost == own
    assert invoke("count", "--kind", kind, file("written", written))[0] == wanted
    again, _ = invoke("show", "-f", style, "--kind", kind, "--matrix", "written")
    assert again == written


# Problems that a certificate does not support; those of costs need costs, and no penalties.
WITHOUT_CERTIFICATE = {
    "totals.json": "a certificate does not support totals",
    "table.csv": "costs that are nonnegative integers",
    "penalties.json": "a certificate of costs cannot have penalties of items with multiplicities",
}


def verified(*arguments):
    """Return what the verifier of certificates, a program of its own, prints, and its status."""
    program = [sys.executable, dlx.verify_certificate.__file__, *arguments]
    result = subprocess.run(program, capture_output=True, text=True)
    return result.stdout, result.returncode


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("command", ["count", "cheapest"])
def test_certificates_are_verified_with_the_problem_in_both_formats(command, name, file, tmp_path):
    text, options = PROBLEMS[name]
    source = file(name, text)
    words = [*options.split(), source]
    has_costs = "cost" in f"{text} {options}"
    if command == "cheapest" and not has_costs:
        return
    wanted, _ = invoke(command, *words)
    reason = WITHOUT_CERTIFICATE.get(name, "")
    if reason and (command == "cheapest" or "costs" not in reason):
        assert reason in invoke(command, "--certificate", "proof", *words, status=2)[1]
        assert not (tmp_path / "proof").exists()
        return
    assert invoke(command, "--certificate", "proof", *words)[0] == wanted
    claim = f"{wanted.strip()} cover" if command == "count" else f"less than {wanted.split('|')[1]}"
    n_verified = 0
    for style, problem in (("json", "problem.json"), ("knuth", "problem.dlx")):
        out, err = invoke("show", "-f", style, "--matrix", *words, status=None)
        if not out:
            assert "Knuth's format has no given" in err or "only JSON" in err
            continue
        proven, status = verified(file(problem, out), "proof")
        assert (claim.strip() in proven, status) == (True, 0)
        n_verified += 1
    assert n_verified
    *proof, last = (tmp_path / "proof").read_text().splitlines(keepends=True)
    _, status = verified("problem.json", file("false", "".join([*proof, f"{last.strip()}7\n"])))
    assert status == 1
    file("other.json", '{"options": [["a"], ["a", "b"]]}')
    assert verified("other.json", "proof")[1] == 1


@pytest.mark.parametrize("name", PROBLEMS)
def test_levels_in_a_folder_are_read_again(name, file, tmp_path):
    text, options = PROBLEMS[name]
    words = [*options.split(), file(name, text)]
    wanted, _ = invoke("count", *words)
    out, err = invoke("count", "--folder", "levels", *words, status=None)
    if not out:
        assert "a memo does not support totals" in err
        return
    before = {path.name for path in (tmp_path / "levels").iterdir()}
    again, _ = invoke("count", "--folder", "levels", *words)
    assert wanted == out == again
    assert before == {path.name for path in (tmp_path / "levels").iterdir()}


def is_packing(problem):
    return named_problem(problem).names.is_packing


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("build", [general_problem, oddly_named_problem, total_problem])
def test_problems_and_diagrams_that_are_written_are_read_again(build, seed, tmp_path):
    n_read = 0
    for number in seeds(600):
        problem = build(3 * number + seed)
        problem = problem[0] if isinstance(problem, tuple) else problem
        wanted = sorted(map(sorted, problem.solve()))
        best = [cover.cost for cover in problem.cheapest(3)]
        for kind in ("json", "knuth", "mps", "orlib"):
            try:
                text = problem.write(kind=kind)
            except ValueError:  # the format cannot represent it
                assert kind != "json"
                continue
            read = dlx.ExactCover.read(text, kind)
            n_read += 1
            own = [[k for k in cover if k < problem.n_options] for cover in read.solve()]
            assert sorted(map(sorted, own)) == wanted
            # Without costs, the most options count in a packing, else the fewest. A total of which
            # each option is 1 is read as an item, with which a problem is no packing any more.
            is_same = is_packing(read) == is_packing(problem)
            has_same_options = is_same and read.n_options == problem.n_options
            if problem.problem.cost is not None or has_same_options:
                assert [cover.cost for cover in read.cheapest(3)] == best
        if build is not total_problem:
            problem.diagram().save(tmp_path / "diagram")
            again = dlx.CoverDiagram.load(tmp_path / "diagram")
            assert again.count() == len(wanted)
            assert sorted(map(sorted, again)) == wanted
    assert n_read
