"""The kind of a text is stated, marked or plain; otherwise, the answer is a question."""

import gc
import gzip
import json
import pickle
import re
import warnings
from contextlib import suppress

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.collection import Puzzles
from dlx_numba.puzzles.marks import COLLECTIONS, ENDINGS, KEYS, ROOTS
from dlx_numba.puzzles.question import KindError
from dlx_numba.puzzles.reading import BoardOptions, read_any
from dlx_numba.puzzles.registry import COVER_FORMATS, KINDS
from dlx_numba.runtime.source import named_stream
from tests.helpers import DATA
from tests.helpers.formats import TEXTS
from tests.helpers.processes import invoke

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
KNUTH = "a b c | d\na b\nc d:x\nb c\na d:y\n"
MATRIX = "1000\n0000\n0010\n0001\n"
SHIKAKU = "4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4\n"


def read(tmp_path, content, name="input", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_any(path, **options)


def test_marks_mean_kinds_and_formats():
    known = {*KINDS, *COVER_FORMATS}
    for table in (ENDINGS, ROOTS, KEYS, COLLECTIONS):
        assert {*table.values()} <= known


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.dlx", "a\na\n", "Knuth's format"),
        ("a.dlx.gz", gzip.compress(b"a\na\n", mtime=0), "Knuth's format"),
        ("a.csv", ",1,2\nx,1,0\ny,0,1\n", "a table"),
        ("a.csv", f"puzzle,level\n{EASY},easy\n", "sudoku"),
        ("a.csv", "1,,,\n,,3,\n,4,,\n,,,2\n", "sudoku"),
        ("a", '{"options": [["a"]]}', "JSON"),
        ("a", '{"kind": "shikaku", "problem": "1 2\\n- 2"}', "shikaku"),
        ("a", '{"name": "Tent", "data": [{"problem": "1 2\\n0 1\\n1\\nx -"}]}', "tents"),
        ("a", '{"dominoes": [[1, 0]], "regions": []}', "pips"),
        ("a", "c\np ec 4\ns 1 2\ns 3 4\n", "the format p ec"),
        ("a", "Tents: 2x2:bb,1,0,1,0", "tents"),
        ("a", "# hard\n\nTents: 2x2:bb,1,0,1,0", "tents"),
        ("a", "https://puzz.link/p?shikaku/3/1/3h", "shikaku"),
        ("a", f"https://example.org/?bd={EASY}", "sudoku"),
        ("a.txt", EASY, "sudoku"),
        ("a.txt", MATRIX, "a matrix"),
        ("a.txt", KNUTH, "Knuth's format"),
        ("a.txt", "S1 = {A}\nS2 = {B}\n", "sets"),
    ],
)
def test_marked_and_plain_texts_need_no_kind(name, text, kind, tmp_path):
    found = read(tmp_path, text, name)
    assert (found.format or found.kind) == kind


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (SHIKAKU, "shikaku"),
        ("AABBB\nACCBB\nADCCB\nDDDEE\nDDEEE\n", "star-battle"),
        ('[{"level": 1, "size": 3, "regions": ["AAB", "CCB", "CCB"]}]\n', "star-battle"),
        ("11223344\n" * 2, ""),
        ("Dear Sudoku,\nhow are you?\n", ""),
        ("a,b\nc,d\n", ""),
        ("1 2 3 4\n1 2\n3 4\n", "knuth"),
        ("9 9\n" + "8 1 2 3 4 5 6 7 9\n" * 9, "sudoku"),
        ("12..\n3...\n....\n", ""),
        ("22..\n....\n....\n....\n", "sudoku"),
    ],
)
def test_other_texts_are_asked_for(text, kinds, tmp_path):
    with pytest.raises(KindError) as caught:
        read(tmp_path, text)
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error) == str(caught.value)
    assert str(error).startswith(f"{tmp_path / 'input'}: ")
    assert kinds in error.kinds or not kinds
    for kind in error.kinds:
        assert [*read(tmp_path, text, kind=kind).puzzles]


def test_the_name_of_the_file_or_its_folder_comes_first(tmp_path):
    text = "4 4\n1 - - 1\n- - - -\n- - - -\n1 - - 1\n"
    for name in ("hashiwokakero-1.txt", "takuzu.txt"):
        with pytest.raises(KindError) as caught:
            read(tmp_path, text, name)
        assert name.startswith(caught.value.kinds[0])


def test_the_question_is_a_command(tmp_path):
    path = tmp_path / "my board.txt"
    path.write_text(SHIKAKU)
    for command in ("solve", "count", "show"):
        _, err = invoke(command, path, status=2)
        assert f": `dlx-numba {command} --kind hashiwokakero '{path}'`" in err
    _, err = invoke("solve", "-", stdin=SHIKAKU, status=2)
    assert "`dlx-numba solve --kind hashiwokakero -`" in err
    assert invoke("solve", "--kind", "shikaku", "-", stdin=SHIKAKU)[0].endswith("# unique\n")


def test_a_stated_kind_is_the_only_one(tmp_path):
    with pytest.raises(dlx.FormatError, match="<text>:1: the first line must be the size"):
        list(dlx.read(EASY + "\n", kind="shikaku"))
    with pytest.raises(ValueError, match="no puzzle found"):
        read(tmp_path, KNUTH, kind="sudoku")
    with pytest.raises(ValueError, match="input:2: unknown item 'c'"):
        read(tmp_path, "a b\nc\n", kind="knuth")
    with pytest.raises(ValueError, match="there is no kind 'shikak'; did you mean 'shikaku'"):
        dlx.read(SHIKAKU, kind="shikak")
    with pytest.raises(ValueError, match="the kind 'queens' reads no files, and has examples only"):
        read(tmp_path, "Q.\n", kind="queens")


@pytest.mark.parametrize(
    "text", [text.text for text in TEXTS.values() if text.boards], ids=lambda text: repr(text)[:40]
)
def test_boards_are_read_if_they_are_stated(text, tmp_path):
    found = read(tmp_path, text, kind="sudoku")
    n_boards = sum(len(records.boards) for records in found.chunks)
    assert n_boards == next(len(each.boards) for each in TEXTS.values() if each.text == text)


def test_options_of_boards_say_that_a_text_has_boards(tmp_path):
    text = f"100000{'0' * 30}\n"
    found = read(tmp_path, text, boards=BoardOptions(box=dlx.Box(3, 2)))
    assert found.kind == "sudoku"
    with pytest.raises(ValueError, match="A-P"):
        list(read(tmp_path, EASY, boards=BoardOptions(alphabet="A-P")).chunks)


@pytest.mark.parametrize("separator", ["\n\n", "\n---\n", "\n"])
def test_what_is_read_once_is_read_often(separator):
    text = SHIKAKU.strip()
    if separator == "\n":
        text = json.dumps({"problem": text, "solution": ""})
    puzzles = dlx.read(separator.join([text] * 3), kind="shikaku")
    assert [puzzle.count() for puzzle in puzzles] == [1, 1, 1]
    if separator == "\n":
        assert len(dlx.read(f"[{text}, {text}]", kind="shikaku")) == 2
        assert len(dlx.read(f'{{"puzzles": [{text}]}}', kind="shikaku")) == 1


def test_errors_of_single_puzzles_do_not_affect_the_others():
    puzzles = dlx.read(f"{SHIKAKU}\n4 4\n- 4\n\n{SHIKAKU}", kind="shikaku")
    assert len(puzzles) == 2
    [error] = puzzles.errors
    assert (error.line, puzzles[1].place) == (8, "<text>:10")
    with pytest.raises(dlx.FormatError, match="<text>:8: "):
        list(puzzles)


def test_the_puzzles_of_a_source_are_a_list(tmp_path):
    path = tmp_path / "boards"
    path.write_text(f"{EASY}\n" * 3)
    puzzles = dlx.read(path)
    assert repr(puzzles) == "<Puzzles: 0 read so far, of the kind sudoku>"
    assert puzzles[1].place == f"{path}:2"
    assert (len(puzzles), puzzles[-1].place, len(puzzles[1:])) == (3, f"{path}:3", 2)
    assert repr(puzzles) == "<Puzzles: 3 of the kind sudoku>"
    with pytest.raises(IndexError, match="there are 3 puzzles"):
        puzzles[3]
    assert puzzles[0].text().startswith(" 5 3 . | . 7 .")
    assert repr(puzzles[0].statement) == "<Formulation: options>"
    with pytest.raises(OSError, match="No such file"):
        dlx.read(tmp_path / "nowhere")
    with pytest.raises(OSError, match="No such file"):
        dlx.read("x" * 81)
    [problem] = dlx.read(KNUTH)
    assert problem.text() == KNUTH.strip()


@pytest.mark.parametrize(
    ("failure", "again"),
    [
        (OSError("a disk is gone"), (OSError, "gone")),
        (KeyboardInterrupt(), (dlx.Stopped, "not read")),
    ],
)
def test_puzzles_before_a_failure_are_not_all(tmp_path, failure, again):
    def parts(chunks):
        yield next(chunks)
        raise failure

    reading = read(tmp_path, f"{EASY}\n" * 3)
    puzzles = Puzzles(reading._replace(chunks=parts(reading.chunks)))
    with pytest.raises(type(failure)):
        len(puzzles)
    for count in (len, list, pickle.dumps):
        with pytest.raises(again[0], match=again[1]):
            count(puzzles)
    assert (len(puzzles[:3]), repr(puzzles)) == (3, "<Puzzles: 3 read so far, of the kind sudoku>")


@pytest.mark.parametrize(
    ("bounds", "n_read"),
    [((None, 3), 3), ((2, 3), 3), ((4, 2), 2), ((None, 6, 2), 6), ((2, None), 8), ((-1, 3), 8)],
)
def test_a_slice_reads_no_more_than_it_needs(bounds, n_read):
    puzzles = dlx.read("\n---\n".join([SHIKAKU] * 8), "shikaku")
    expected = [*puzzles][slice(*bounds)]
    puzzles = dlx.read("\n---\n".join([SHIKAKU] * 8), "shikaku")
    assert [each.place for each in puzzles[slice(*bounds)]] == [each.place for each in expected]
    assert f" {n_read} " in repr(puzzles)


def test_binary_files_are_no_text(tmp_path):
    path = tmp_path / "input"
    for content, reason in ((b"\0\xff", "binary data, not"), (b"\xff\xfe1\0", "UTF-16 text; .*")):
        path.write_bytes(content)
        for source, name in ((path, str(path)), (content, "<text>")):
            with pytest.raises(dlx.UnreadableError, match=f"^{name}: {reason}"):
                dlx.read(source)


def test_solve_reads_exact_cover_problems(tmp_path):
    problems = {"a": KNUTH.encode(), "b": b'{"options": {"S1": ["a"]}}', "c.csv": b",A\nS1,1\n"}
    for name, content in problems.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "d.gz").write_bytes(gzip.compress(KNUTH.encode(), mtime=0))
    np.save(tmp_path / "matrix.npy", np.eye(3, dtype=int))
    for path in sorted(tmp_path.iterdir()):
        out, err = invoke("solve", path, status=None)
        assert re.search("1 puzzle .*read as (Knuth's format|JSON|a table|a matrix of NumPy)", err)
        assert re.search(r"^# (unique|2 or more|no solution)", out, re.MULTILINE)
    assert "unique" in invoke("solve", "-", stdin="a b\na\nb\n")[0]
    program = "Minimize\n x + 2 y\nSubject To\n x + y = 1\nBinary\n x y\nEnd\n"
    (tmp_path / "small.lp").write_text(program)
    for source in ("-", tmp_path / "small.lp"):
        assert invoke("solve", source, stdin=program)[0] == "x (cost 1)\n# cost 1, the cheapest\n"


def test_boards_are_read_in_chunks(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_bytes(gzip.compress((DATA / "simple.txt").read_bytes() * 300, mtime=0))
    content = read_any(path, kind="sudoku", max_bytes=1)  # the limit is that of other files
    assert content.kind == "sudoku"
    assert sum(map(len, content.chunks)) == 60_000


def test_board_file_that_is_not_read_is_closed():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        read_any(DATA / "simple.txt", kind="sudoku")
        gc.collect()
    assert not caught


def test_size_of_problems_is_limited(tmp_path):
    path = tmp_path / "problem.dlx.gz"
    path.write_bytes(gzip.compress(b"a b\n" + b"a\nb\n" * 500_000, mtime=0))
    reason = "larger than the limit of 1,048,576 bytes; see --max-input"
    for command in (["count"], ["show"], ["explain", "-o", "-"]):
        _, err = invoke(*command, "--max-input", "1M", path, status=2)
        assert err == f"error: {path}: {reason}\n"
    path.write_bytes(gzip.compress(b"\0" * (1 << 22), mtime=0))
    for command in (["cover"], ["show"], ["explain", "-o", "-"]):
        _, err = invoke(*command, path, status=2)
        assert err.startswith(f"error: {path}: binary data, not text")


def test_boards_whose_givens_exclude_each_other_have_no_solution(tmp_path):
    path = tmp_path / "boards"
    path.write_text("11..............\n")
    [puzzle] = dlx.read(path)
    assert (puzzle.first(), puzzle.count(), list(puzzle.solutions())) == (None, 0, [])
    with pytest.raises(TypeError, match="a solution must be a list of option numbers, not None"):
        puzzle.text(puzzle.first())
    assert invoke("count", path, status=1)[0] == "0\n"
    with pytest.raises(ValueError, match="two 1s in row 1"):
        puzzle.cover()


def test_a_number_without_an_option_is_an_error_and_not_a_contradiction():
    [puzzle] = dlx.read('{"options": [["a"], ["a"]], "forbidden": [2]}')
    for solve in (puzzle.first, puzzle.count, lambda: list(puzzle.solutions())):
        with pytest.raises(ValueError, match="forbidden: option 2 does not exist; there are 2"):
            solve()


@pytest.mark.compiled
@pytest.mark.parametrize("side", [4, 9, 81])
def test_all_commands_read_a_file_in_the_same_way(side, tmp_path):
    """A matrix of 0 and 1 has as many symbols as a board; so has a line of 81 columns."""
    path = tmp_path / "matrix.txt"
    path.write_text("".join("0" * k + "1" + "0" * (side - k - 1) + "\n" for k in range(side)))
    solved = " ".join(map(str, range(side)))
    for out, err in (invoke("solve", path), invoke("solve", "-", stdin=path.read_text())):
        assert out == f"{solved}\n# unique\n"
        assert "read as a matrix" in err
    assert invoke("count", path)[0] == "1\n"


def test_puzzles_of_other_kinds_are_not_solved_with_boards(tmp_path):
    (tmp_path / "matrix").write_text(MATRIX)
    (tmp_path / "board").write_text(EASY + "\n")
    _, err = invoke("solve", tmp_path / "matrix", tmp_path / "board", status=2)
    assert re.search("matrix: this is of the kind cover, and .*board has Sudoku boards: solve", err)


LONG = 100_000
# Each text has a part that a pattern could divide in many ways.
REPETITIVE = {
    "a text in Python": '[["a", "b"],\n["' + 'a\\"' * LONG,
    "the marks of a game ID": "3x3" + "xk" * LONG + "\n",
    "the size of boards": f"{EASY}\n2" + " " * LONG + "!\n",
    "a quoted row": '"' + ";," * LONG + f"\n{EASY}\n",
    "a name in JSON": "{" + " " * LONG + '"cages"' + " " * LONG + "x\n",
    "lists without commas": "[" + "[1] " * LONG + "x\n",
    "an answer": "name,Mon\nAnn,ok," + " " * LONG + "x\n",
    "separate answers": "name,Mon\nAnn,ok" + "\t" * LONG + "x1!\n",
    "a list of a name": "D:" + " " * LONG + "\nx\n",
    "a title before a bar": "1.5 2.2" + "\x1c" * LONG + "3\n4 5 6.5\n7 8 9\n",
    "a number in MPS": f"NAME x\nROWS\n N c\n E r\nCOLUMNS\n x c {'1' * LONG}! r 1\nENDATA\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", REPETITIVE.values(), ids=list(REPETITIVE))
def test_the_time_of_finding_a_kind_is_linear(text):
    with suppress(ValueError):
        list(dlx.read(text))


def test_a_new_stream_is_read_from_its_beginning():
    stream = named_stream(EASY.encode(), "stream")
    [puzzle] = dlx.read(stream)
    assert puzzle.place == "stream:1"


PLAIN_BOARD = "1.....3..4.....2"
CAGES = [{"sum": 10, "cells": [[r, c] for c in range(4)]} for r in range(4)]


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "sudoku", "problem": PLAIN_BOARD},
        {"problem": PLAIN_BOARD, "kind": "sudoku", "anti_king": False},
        {"kind": "sudoku", "problem": PLAIN_BOARD, "even": [15]},
        {"kind": "killer", "cages": CAGES},
        {"kind": "star-battle", "regions": [[0]], "stars": 1},
        {"kind": "nonogram", "rows": [[1]], "columns": [[1]]},
    ],
)
def test_an_object_may_state_its_kind(record):
    kind = record["kind"]
    for text in (json.dumps(record), json.dumps(record, indent=1), json.dumps([record])):
        [puzzle] = dlx.read(text)
        assert puzzle.count(2) == (2 if kind == "killer" else 1)
        assert dlx.read(text).kind == kind


def test_boards_with_cages_among_other_rules_are_variants():
    cells, regions = [[{}] * 4] * 4, [[[r, c] for c in range(4)] for r in range(4)]
    pad = {"cells": cells, "regions": regions, "cages": [{"cells": [[0, 0]], "value": 1}]}
    for record in ({"puzzle": PLAIN_BOARD, "cages": [[5, [1, 2]]], "box": "2x2"}, pad):
        puzzles = dlx.read(json.dumps(record))
        assert (puzzles.kind, puzzles[0].count(2) > 0) == ("sudoku", True)


def test_a_byte_order_mark_before_a_text_is_skipped():
    for text in ("\ufeff" + PLAIN_BOARD, "\ufeff" + json.dumps({"puzzle": PLAIN_BOARD})):
        for source in (text, text.encode()):
            assert dlx.read(source)[0].count() == 1
    assert dlx.ExactCover.read("\ufeffa b\na\nb\n").count() == 1


@pytest.mark.parametrize("kind", [None, "killer", "knuth"])
def test_null_bytes_are_no_name_of_a_file(kind):
    with pytest.raises(dlx.UnreadableError, match="embedded null"):
        dlx.read("\0" + PLAIN_BOARD, kind=kind)


def test_a_cost_that_is_null_is_named_by_its_option():
    for options, costs, name in (
        ({"p": ["a"], "q": ["b"]}, [1, None], "'q'"),
        ({"p": ["a"], "q": ["b"]}, {"p": None}, "'p'"),
        ([["a"], ["b"]], [None, 1], "0"),
    ):
        with pytest.raises(dlx.FormatError, match=f"that of option {name} is null"):
            dlx.ExactCover.read(json.dumps({"options": options, "costs": costs}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n "n": 3,\n "clues": [[0, 1, 2]]\n}\n', "a JSON object with the keys n, clues"),
        ('{"n": 3, "clues": []}\n{"n": 4, "clues": []}\n', "a JSON object with the keys n, clues"),
        ('[{"n": 3}]', "a JSON list of objects with the key n"),
    ],
)
def test_json_is_called_json(text, reason, tmp_path):
    with pytest.raises(KindError, match=f'{reason}; a problem has the key "options"'):
        read(tmp_path, text)
    path = tmp_path / "problem.json"
    path.write_text(text.partition("\n{")[0])
    with pytest.raises(
        ValueError, match=f'expected a JSON object with the key "options", not {reason}'
    ):
        dlx.ExactCover.read(path, kind="json")


@pytest.mark.parametrize(
    ("text", "command", "answer"),
    [
        ("1.0.\n..3.\n....\n...2\n", "solve --alphabet 0-3", 1),
        ("A | B\nS1 | 1 | 0\nS2 | 0 | 1\n", "solve --header", 0),
        ("3 3\n0 0 1\n1 0 0\n0 1 0\n", "solve --kind matrix", 0),
    ],
)
def test_a_suggested_command_works(text, command, answer, tmp_path):
    path = tmp_path / "file"
    path.write_text(text)
    _, err = invoke("solve", path, status=2)
    assert f"`dlx-numba {command} {path}`" in err
    invoke(*command.split(), path, status=answer)


@pytest.mark.parametrize("text", ["# wmd\n1,2,1.0\n2,1,1.0\n", "8 0 0\n0 8 0\n0 0 8\n", "1,1.0\n"])
def test_numbers_other_than_0_and_1_are_no_matrix(text, tmp_path):
    with pytest.raises(KindError) as caught:
        read(tmp_path, text)
    assert "matrix" not in caught.value.kinds
    assert not caught.value.options
