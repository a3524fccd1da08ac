"""`puzzles`, as text, JSON and books."""

import re
import signal
from threading import Event

import pytest

import dlx_numba as dlx
from dlx_numba.cli import puzzles as commands
from dlx_numba.cli.terminal import ExitStatus
from dlx_numba.puzzles.fresh import fresh_puzzles
from dlx_numba.puzzles.logic import tents
from dlx_numba.runtime.interrupts import Stop
from tests.helpers.processes import invoke, invoke_json


def test_puzzles_are_drawn():
    output, _ = invoke("puzzles", "-n", "3", "--seed", "1", "queens:n=6")
    assert [len(each.split()) for each in output.split("\n\n")] == [36] * 3
    assert output.count("Q") == 3


@pytest.mark.parametrize("example", ["queens:n=6", "sudoku:box=2x2"])
def test_puzzles_as_json(example):
    name, _, parameters = example.partition(":")
    keywords = dict(each.split("=") for each in parameters.split(",") if each)
    cover = dlx.example(
        name, **{k: int(v) if v.isdigit() else v for k, v in keywords.items()}
    ).cover()
    records, _ = invoke_json("puzzles", "-n", "2", "-f", "json", "--seed", "1", example)
    for record in records:
        assert cover.solve(given=record["clues"]) == [record["solution"]]
        assert len(record["names"]) == len(record["clues"])


def test_a_book_has_puzzles_and_solutions(tmp_path):
    book = tmp_path / "book.html"
    _, errors = invoke("puzzles", "-n", "3", "--per-page", "4", "-o", book, "queens:n=5")
    assert "(3 puzzles, read as" in errors
    text = book.read_text()
    assert (text.count("<figure>"), text.count("<section>")) == (6, 2)


KANOODLE = "5x11 A/AAA BB/BBB .C/.C/.C/CC DD/D/DD E/E/EEE .F/FFF/.F GGGG HH/HH I/II/.II JJ/J "
KANOODLE = (KANOODLE + "K/K/KK/.K .L/LL/.L/.L").replace(" ", "\n\n").replace("/", "\n")


@pytest.fixture
def kanoodle(tmp_path):
    path = tmp_path / "kanoodle.txt"
    path.write_text(KANOODLE.replace(".", " "))
    return path


@pytest.mark.slow
def test_a_book_is_ordered_from_easy_to_hard_and_shows_the_pieces_to_place(kanoodle, tmp_path):
    book = tmp_path / "book.html"
    how = "--level", "only", "--title", "a < b", "--seed", 1, "--kind", "pieces"
    invoke("puzzles", "-n", 6, *how, "-o", book, kanoodle)
    text = book.read_text()
    assert "<h1>a &lt; b</h1>" in text
    listed = r"(\d+) pieces?: ([\w, ]+)\."
    described = re.findall(rf">{listed}[^<]*?(?:To be placed: {listed})?</desc>", text)
    challenges = described[:6]
    assert [int(placed) + int(left) for placed, _, left, _ in challenges] == [12] * 6
    n_left = [int(left) for _, _, left, _ in challenges]
    assert n_left == sorted(n_left)
    for _, placed, _, left in challenges:
        assert {*placed.split(", "), *left.split(", ")} == {*"ABCDEFGHIJKL"}
    assert all(not left for *_, left in described[6:])


@pytest.mark.slow
@pytest.mark.parametrize("level", ["only", "conflict"])
def test_a_puzzle_gets_more_clues_until_it_has_the_level(kanoodle, level):
    how = "-f", "json", "--seed", 2, "--kind", "pieces"
    records, _ = invoke_json("puzzles", "-n", 3, "--level", level, *how, kanoodle)
    [puzzle] = dlx.read(kanoodle, kind="pieces")
    for record in records:
        deduction = puzzle.cover().deduce(record["clues"])
        kinds = ["only", "conflict"]
        assert max(kinds.index(step.kind) for step in deduction) == kinds.index(level)
        assert sorted(deduction.chosen) == record["solution"]


def test_without_any_puzzle_nothing_is_written(tmp_path):
    book = tmp_path / "book.html"
    for arguments in (["queens"], ["--size", "8", "nonogram"]):
        invoke("puzzles", "--seconds", 0, "-o", book, *arguments, status=ExitStatus.STOPPED)
        assert not book.exists()


def test_equal_puzzles_are_noticed():
    _, err = invoke("puzzles", "-n", 9, "queens:n=4")  # its two covers are mirror images
    told = "up to symmetry, 8 of 9 puzzles repeat others, and the different ones have 1 solution"
    assert f"no others were found: {told}\n(9 puzzles" in err
    assert "no others" not in invoke("puzzles", "-n", 12, "queens:n=8")[1]
    assert "different" not in invoke("puzzles", "queens:n=4")[1]


def test_clues_and_levels():
    [record], _ = invoke_json(
        "puzzles", "--clues", "a*", "--clues", "b*", "-f", "json", "queens:n=5"
    )
    assert {name[0] for name in record["names"]} <= {"a", "b"}
    numbered = [
        invoke_json("puzzles", "--seed", 1, *option, "queens:n=5")[0][0]["solution"]
        for option in ((), ("--one-based",))
    ]
    assert numbered[1] == [option + 1 for option in numbered[0]]
    [record], _ = invoke_json("puzzles", "--level", "only", "-f", "json", "queens:n=8")
    steps = dlx.example("queens", n=8).cover().deduce(record["clues"])
    assert {step.kind for step in steps} == {"only"}


@pytest.mark.parametrize(
    ("kind", "size"),
    [("star-battle", 6), ("nonogram", 7), ("tents", 6), ("shikaku", 6), ("pips", 2)],
)
def test_new_puzzles_of_a_kind(kind, size, tmp_path):
    file, book = tmp_path / "puzzles.json", tmp_path / "book.html"
    command = "puzzles", "-n", "5", "--size", size, "--seed", "1"
    invoke(*command, "-f", "json", "-o", file, kind)
    puzzles = [*dlx.read(file)]
    assert [puzzle.count() for puzzle in puzzles] == [1] * 5
    assert [puzzle.answer for puzzle in puzzles] == [each.text(each.first()) for each in puzzles]
    [single] = dlx.read(invoke("puzzles", "--size", size, "--seed", "1", kind)[0], kind)
    assert single.text(single.first()) == puzzles[0].answer
    invoke(*command, "-o", book, kind)
    assert book.read_text().count("<figure>") == 10


def test_new_tents_may_be_those_that_trees_could_exchange():
    output, _ = invoke("puzzles", "--size", 9, "--seed", 7, "-f", "json", "tents")
    [puzzle] = dlx.read(output)
    assert (puzzle.problem.count(), puzzle.count()) == (2, 1)
    assert puzzle.answer == puzzle.text(puzzle.first())


def test_a_stop_does_not_wait_for_a_new_problem(monkeypatch):
    stopped, over = Event(), Event()

    def draw(*_):
        stopped.set()
        over.wait(60)
        return "1 1\n-\n-\n-\n"

    monkeypatch.setattr(tents, "random", draw)
    assert [*fresh_puzzles("tents", 5, 1, Stop(None, stopped))] == []
    over.set()


@pytest.mark.parametrize(
    ("options", "status", "end"),
    [
        (["queens:n=3"], ExitStatus.NOT_SOLVED, ""),
        (["--clues", "x", "queens"], ExitStatus.USAGE, "no option is called x"),
        (["--level", "x", "queens"], ExitStatus.USAGE, "level must be"),
        (["--per-page", "4", "queens"], ExitStatus.USAGE, "needs --format html"),
        (
            ["--size", "8", "takuzu"],
            ExitStatus.USAGE,
            "only some kinds draw new puzzles: pips, star-battle, nonogram, tents, shikaku",
        ),
        (["--size", "99", "star-battle"], ExitStatus.USAGE, "from 5 to 9, not 99"),
        (["--size", "8", "--level", "only", "nonogram"], ExitStatus.USAGE, "--level"),
        (["--size", "8", "--seconds", "0", "nonogram"], ExitStatus.STOPPED, "(0 puzzles"),
        (["--seconds", "0", "queens"], ExitStatus.STOPPED, "(0 puzzles"),
    ],
)
def test_the_status_states_what_is_known(options, status, end):
    assert end in invoke("puzzles", *options, status=status)[1]


def test_an_interrupt_keeps_what_is_drawn(monkeypatch):
    draw, drawn = commands._drawn, []

    def interrupted(*arguments):
        drawn.append(draw(*arguments))
        if len(drawn) == 2:
            signal.raise_signal(signal.SIGINT)
        return drawn[-1]

    monkeypatch.setattr(commands, "_drawn", interrupted)
    out, err = invoke("puzzles", "-n", 5, "--seed", 1, "queens:n=6", status=3)
    assert out == "\n".join(f"{text}\n" for text in drawn)
    assert "(2 puzzles" in err
