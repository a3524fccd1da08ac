"""`cover --batch` and `count --batch`: a variation on each line of a file."""

import gzip
import signal

import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.puzzles.exact.variations import VariationReader
from tests.helpers.processes import invoke, invoke_json

LINES = 'S1\n!S1\n\n~a\nS1,S2\nS9\n0, "S 3"\n9\n~c\n'
NUMBERED = ",a,b\n2,1,0\n1,0,1\n3,1,1\n"


@pytest.fixture
def problem(problem_file):
    return problem_file(dlx.ExactCover({"S1": ["a"], "S2": ["a", "b"], "S 3": ["b"], "S4": ["b"]}))


def test_a_cover_without_options_is_an_empty_line(problem_file):
    problem = problem_file(dlx.ExactCover([["a"]], items=[], secondary=["a"]))
    out, err = invoke("cover", "--batch", "-", problem, stdin="!0\n!0\n")
    assert out == "\n\n"
    assert "2 lines, 2 solutions" in err


def test_covers_are_printed_line_by_line(problem):
    out, err = invoke("cover", "--batch", "-", problem, stdin=LINES, status=4)
    printed = "0 2|1|0 2|2|no cover|unreadable|0 2|unreadable|unreadable"
    assert out.splitlines() == printed.split("|")
    assert "<stdin>:6: there is no option named 'S9'" in err
    assert "<stdin>:8: option 9 does not exist; there are 4" in err
    assert "<stdin>:9: there is no item named 'c'" in err
    assert "\n9 lines, 5 solutions, 1 without a cover, 3 unreadable (" in err


def test_counts_are_printed_line_by_line(problem):
    out, _ = invoke("count", "--batch", "-", problem, stdin=LINES, status=4)
    assert out.split() == ["2", "1", "3", "2", "0", "unreadable", "1", "unreadable", "unreadable"]
    arguments = ("--limit", 2, "--threads", 2, "--batch", "-")
    out, _ = invoke("count", *arguments, problem, stdin=LINES, status=4)
    assert out.split()[:3] == ["2", "1", "2"]


def test_all_covers_of_a_line_are_counted_if_they_are_wanted(problem):
    arguments = "cover", "--batch", "-", "--format", "csv", problem
    for limit, count in (((), 1), (("--limit", 2), 2), (("--limit", "all"), 3)):
        out, _ = invoke(*arguments, *limit, stdin="\n")
        assert out.splitlines()[1].startswith(f"1,complete,{count},")


def test_objects_state_conditions_and_an_id(problem):
    lines = [
        '{"id": "x", "given": ["S1"], "forbidden": ["S4"]}',
        '{"forbidden": [0], "covered": [], "id": [7, null]}',
        '{"covered": ["a"]}',
        '{"id": null, "given": ["S9"]}',
        '{"id": 5, "chosen": []}',
        '{"id": 6, "given": "S1"}',
        '{"id": 7',
    ]
    records, err = invoke_json("count", "--batch", "-", problem, stdin="\n".join(lines), status=4)
    ids = [record.get("id", "none") for record in records]
    assert ids == ["x", [7, None], "none", None, 5, 6, "none"]
    assert [record["count"] for record in records] == [1, 1, 2, None, None, None, None]
    for line, message in enumerate(("no option named 'S9'", "chosen", "must be a list", "JSON"), 4):
        assert message in records[line - 1]["error"]
        assert f"<stdin>:{line}: {records[line - 1]['error']}" in err


def test_formats_have_the_number_of_the_line(problem):
    records, _ = invoke_json("cover", "--batch", "-", problem, stdin=LINES, status=4)
    assert [record["line"] for record in records] == list(range(1, 10))
    assert records[0] == {
        "line": 1,
        "status": "complete",
        "count": 1,
        "cover": {"options": [0, 2], "names": ["S1", "S 3"], "items": [["a"], ["b"]]},
    }
    assert records[4] == {"line": 5, "status": "complete", "count": 0, "cover": None}
    assert records[5]["error"] == "there is no option named 'S9'"
    out, _ = invoke("cover", "-f", "csv", "--batch", "-", problem, stdin=LINES, status=4)
    assert out.splitlines()[1] == "1,complete,1,0 2"
    out, _ = invoke("cover", "-f", "names", "--batch", "-", problem, stdin=LINES, status=4)
    assert out.splitlines()[0] == "S1, S 3"


def test_compressed_lines_that_are_not_text_are_unreadable(problem, tmp_path):
    path, output = tmp_path / "batch.gz", tmp_path / "out.txt"
    path.write_bytes(gzip.compress(b"S1\r\n\xff\r\nS2\r\n"))
    assert invoke("count", "--batch", path, "-o", output, problem, status=4)[0] == ""
    assert output.read_text() == "2\nunreadable\n1\n"


@pytest.mark.compiled
def test_the_time_limit_ends_the_run(problem_file):
    path = problem_file(dlx.example("queens", n=20).cover())
    out, err = invoke("count", "--seconds", 0.1, "--batch", "-", path, stdin="0\n", status=3)
    assert out == "unfinished\n"
    assert "time limit reached" in err


def test_an_interrupt_loses_no_complete_record(problem, monkeypatch):
    solve_batch = dlx.ExactCover.solve_batch

    def solve_interrupted(cover, **keywords):
        batch = solve_batch(cover, **keywords)
        signal.raise_signal(signal.SIGINT)
        assert keywords["stop"].is_set()
        batch.counts[1] = -1
        return batch

    monkeypatch.setattr(dlx.ExactCover, "solve_batch", solve_interrupted)
    out, err = invoke("count", "--batch", "-", problem, stdin="S1\nS2\n~a\n", status=130)
    assert out.split() == ["2", "unfinished", "2"]
    assert err.endswith("interrupted: 2 complete records written\n")


@pytest.mark.parametrize(
    ("statement", "lines", "printed", "reason"),
    [
        ("a b\na\na\nb\n", "1\n0\n!2\n", "1 3|unreadable|1 3", "option 0 does not exist"),
        (NUMBERED, "2\n3\n", "unreadable|3", "2 is the number of an option and the name of an"),
        ("a b\na b\na\n", "a b\na\n!a\n", "1|no cover|1", ""),
    ],
)
def test_options_by_number_name_and_description(statement, lines, printed, reason, tmp_path):
    path = tmp_path / ("problem.csv" if statement == NUMBERED else "problem")
    path.write_text(statement)
    out, err = invoke(
        *("cover", "--kind", "table" if statement is NUMBERED else "knuth", "--one-based"),
        *("--batch", "-", path),
        stdin=lines,
        status=4 if reason else 1,
    )
    assert out.splitlines() == printed.split("|")
    assert reason in err


def test_a_number_of_no_option_may_be_a_name():
    cover = dlx.ExactCover({101: ["a"], 102: ["a"]})
    reader = VariationReader(cover.problem, named_problem(cover).names)
    assert [*map(reader.option, ["101", "102", "1"])] == [0, 1, 1]


def test_a_time_limit_ends_the_reading_of_wrong_lines(problem_file, tmp_path):
    path = problem_file(dlx.ExactCover({"a": ["x"]}))
    batch = tmp_path / "batch"
    batch.write_text("b\n" * 5)
    out, err = invoke("count", "--batch", batch, "--seconds", 0, path, status=3)
    assert len(out.splitlines()) == 1
    assert "the remaining lines were not read" in err
