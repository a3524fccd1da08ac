"""Files, streams and strings in place of sequences, and `read_boards` and `write_boards`."""

import gzip
import io
import os
import pickle
import tracemalloc
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.choices import BOARD_STYLES

PUZZLE, SOLUTION = "1.....3..4.....2", "1324423124133142"
FUNCTIONS = {
    "solve_batch": lambda puzzles, **options: dlx.solve_batch(puzzles, **options).solutions,
    "rate": lambda puzzles, **options: dlx.rate(puzzles, **options).codes,
    "minimize": dlx.minimize,
    "is_minimal": dlx.is_minimal,
    "canonical": dlx.canonical,
    "automorphisms": dlx.automorphisms,
    "transform": lambda puzzles: dlx.transform(puzzles, 1),
}
each_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())


@pytest.fixture(scope="module")
def generated():
    return dlx.generate(40, seed=1)


def test_all_forms_of_input_give_the_same_result(generated, tmp_path):
    boards = [dlx.Board(line) for line in generated.strings()]
    text = "".join(f"{board.string()}\n" for board in boards)
    table = f"puzzle\n{text}".encode()
    path, packed = tmp_path / "puzzles.txt", tmp_path / "packed"
    path.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    with open(path) as file, open(path, "rb") as binary, gzip.open(packed, "rt") as unpacked:
        streams = [binary, unpacked, io.StringIO(text), io.BytesIO(table)]
        readers = [SimpleNamespace(read=io.BytesIO(table).read), SimpleNamespace(read=file.read)]
        forms = [generated, *dlx.read_boards(path), text, table.decode(), path, packed, boards]
        for form in (*forms, "\n\n".join(map(str, boards)), *streams, *readers):
            assert dlx.solve_batch(form) == dlx.solve_batch(generated.puzzles)
        assert not binary.closed


@each_function
def test_one_puzzle(function, generated):
    [line] = generated.strings()[:1]
    board = generated.puzzles[0]
    expected = function(board[None])
    for puzzle in (
        *(line, np.str_(line), str(dlx.Board(line)), dlx.Board(line), board, board.reshape(9, 9)),
        *(board.tolist(), tuple(board.tolist()), board.reshape(9, 9).tolist(), iter(board)),
        *(list(board.reshape(9, 9)), np.ma.masked_equal(board, 0)),
    ):
        found = function(puzzle)
        if isinstance(found, str):  # of a string
            assert isinstance(puzzle, str)
            found = [[int(symbol) for symbol in found.replace(".", "0")]]
        assert np.array_equal(found, expected)


def test_one_puzzle_only_where_it_cannot_be_several():
    zeros = np.zeros((16, 16), int)
    assert len(dlx.solve_batch(zeros)) == 16
    assert dlx.solve_batch(zeros, box="4x4").solutions.shape == (1, 256)
    assert dlx.solve_batch(zeros, box="2x2").solutions.shape == (16, 16)
    assert dlx.solve_batch(np.zeros((12, 12), int)).solutions.shape == (1, 144)
    assert dlx.solve_batch(np.zeros(16, int), box="1x4").solutions.shape == (1, 16)
    for puzzles in (np.zeros(16), np.zeros((9, 8), int), [[0] * 9] * 8, [0] * 15, [[]]):
        with pytest.raises(ValueError, match=r"puzzles|standard box|square"):
            dlx.solve_batch(puzzles)


def test_boxes_of_objects():
    result = dlx.generate(3, box="3x2", seed=1)
    assert np.array_equal(dlx.solve_batch(result).solutions, result.solutions)
    boards = [dlx.Board(puzzle, "3x2") for puzzle in result.puzzles]
    assert np.array_equal(dlx.solve_batch(boards).solutions, result.solutions)
    assert np.array_equal(dlx.solve_batch(boards[0]).solutions, result.solutions[:1])
    with pytest.raises(ValueError, match="the puzzles have the box 3x2, not 2x3"):
        dlx.solve_batch(result, box="2x3")
    with pytest.raises(ValueError, match="puzzle 0: its box is 3x2, not 2x3"):
        dlx.solve_batch(boards, box="2x3")
    with pytest.raises(ValueError, match="puzzle 1: its box is 2x3, not 3x2"):
        dlx.solve_batch([boards[0], dlx.Board("." * 36)])


BAD = f"{PUZZLE}\nwhat?\n{PUZZLE[1:]}\n\n{PUZZLE}\n"
REASONS = {
    1: "<string>:2: not a board",
    2: "<string>:3: expected 16 symbols, found 15",
}


def test_unreadable_records_are_entries():
    result = dlx.solve_batch(BAD, errors="mark")
    assert result.errors == REASONS
    assert result.strings() == [SOLUTION, "", "", SOLUTION]


@each_function
def test_errors_name_the_source_and_the_line(function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text(f"{'.' * 81}\n\n{'.' * 80}\n")
    with pytest.raises(dlx.FormatError, match=r"^bad.txt:3: expected 81 symbols, found 80$"):
        function(Path("bad.txt"))
    with pytest.raises(ValueError, match=r"^<string>:1: .*; a string is text, for a file pass a"):
        function("bad.txt")
    Path("latin").write_bytes("ä\n".encode("latin-1"))
    with open("bad.txt", "rb") as closed:
        pass
    with open("new", "w") as unreadable, open("latin", encoding="utf-8") as latin:
        for source, reason in (
            (Path("missing.txt"), "missing.txt: No such file"),
            (closed, "bad.txt: the file is closed"),
            (unreadable, "new: .*readable"),
            (latin, "latin: .*can't decode"),
        ):
            with pytest.raises(dlx.UnreadableError, match=reason):
                function(source)


def test_later_errors_name_the_line(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"# comment\n{PUZZLE}\n\n{'.' * 16}\n")
    with pytest.raises(dlx.FormatError, match=r"puzzles.txt:4: it has several solutions"):
        dlx.minimize(path)


def test_text_files_are_encoded_in_pieces():
    """A character takes more bytes than the buffer has left."""
    text = f"# {'é€𝄞' * 50_000}\n" + f"# ä\n{PUZZLE}\n" * 50
    [chunk] = dlx.read_boards(io.StringIO(text), box="2x2")
    assert chunk.lines.tolist() == [*range(3, 103, 2)]


def test_chunks(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{PUZZLE}\n" * 5 + BAD)
    texts = io.StringIO(path.read_text()), io.BytesIO(path.read_bytes())
    for source in (path, str(path), *texts):
        chunks = list(dlx.read_boards(source, chunk=3))
        assert [chunk.lines.tolist() for chunk in chunks] == [[1, 2, 3], [4, 5, 6], [10]]
        assert [line for chunk in chunks for line in chunk.errors] == [7, 8]
        assert pickle.loads(pickle.dumps(chunks[0])) == chunks[0]


def test_several_errors_on_a_line():
    [chunk] = dlx.read_boards(io.StringIO("1...\n" * 3))
    assert chunk.errors == {1: "expected 4 rows, found 3"}
    chunk = chunk.replace(bad=(*chunk.bad, replace(chunk.bad[0], reason="other")))
    assert chunk.errors == {1: "expected 4 rows, found 3; other"}


@pytest.mark.slow
def test_reading_takes_constant_memory(tmp_path):
    def peak(n_boards):
        path = tmp_path / f"{n_boards}.txt"
        path.write_text(f"{'.' * 81}\n{'.' * 80}5 # text\n" * (n_boards // 2))
        tracemalloc.start()
        with open(tmp_path / "out", "wb") as file:
            for chunk in dlx.read_boards(path, chunk=500):
                dlx.write_boards(file, chunk)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert os.path.getsize(tmp_path / "out") == 82 * n_boards
        return used

    peak(1000)
    assert peak(40_000) < 1.2 * peak(20_000)


@pytest.mark.parametrize("style", BOARD_STYLES)
@pytest.mark.parametrize("box", ["3x2", "5x6"])
def test_written_boards_are_read_again(style, box, tmp_path):
    shape = dlx.Box.parse(box)
    rng = np.random.default_rng(4)
    boards = rng.integers(0, shape.n + 1, (7, shape.cells))
    boards[:, 0] = np.minimum(shape.n, 24)  # the symbols determine the alphabet
    boards[0] = np.arange(shape.cells) % (shape.n + 1)
    path = tmp_path / "boards"
    dlx.write_boards(str(path), boards.tolist(), format=style, box=shape)
    [chunk] = dlx.read_boards(path, box=None if style == "json" else box)
    assert (chunk.box, chunk.boards.tolist()) == (shape, boards.tolist())
    with io.StringIO() as file:
        for part in np.array_split(boards, 3):
            dlx.write_boards(file, part, style, box=box)
        assert file.getvalue() == path.read_text()


def test_symbols_of_written_boards():
    sixteen = "0123456789ABCDEF" + 239 * "." + "F"
    [chunk] = dlx.read_boards(io.StringIO(sixteen))
    for boards, options, expected in (
        (chunk, {}, sixteen),
        (chunk.boards, {}, "123456789ABCDEFG" + 239 * "." + "G"),
        (PUZZLE, {"alphabet": "A-"}, "A.....C..D.....B"),
        (PUZZLE, {"alphabet": "numbers"}, " ".join(PUZZLE)),
    ):
        file = io.StringIO()
        dlx.write_boards(file, boards, **options)
        assert file.getvalue() == f"{expected}\n"


def test_targets_of_write_boards(tmp_path, capsys):
    dlx.write_boards("-", PUZZLE)
    assert capsys.readouterr().out == f"{PUZZLE}\n"
    with gzip.open(tmp_path / "packed.gz", "wb") as file:
        dlx.write_boards(file, PUZZLE, "csv")
        dlx.write_boards(file, PUZZLE, "csv")
    [chunk] = dlx.read_boards(tmp_path / "packed.gz")
    assert len(chunk) == 2
    reader, writer = os.pipe()
    with open(reader, "rb") as source, open(writer, "wb") as file:
        dlx.write_boards(file, [PUZZLE], "csv")
        file.close()
        assert source.read() == f"board\n{PUZZLE}\n".encode()
    dlx.write_boards(tmp_path / "empty", [])
    assert (tmp_path / "empty").read_text() == ""
    dlx.write_boards(tmp_path / "packed.gz", PUZZLE)  # replaces the file
    assert (tmp_path / "packed.gz").read_text() == f"{PUZZLE}\n"


def read_one(**options):
    return next(dlx.read_boards(io.StringIO(PUZZLE), **options))


def write(**options):
    dlx.write_boards(**{"path": "new", "boards": PUZZLE, **options})


@pytest.mark.parametrize(
    ("function", "options", "kind", "reason"),
    [
        (read_one, {"chunk": 0}, ValueError, "chunk must be 1 or more, not 0"),
        (read_one, {"chunk": 2.5}, TypeError, "chunk must be an integer, not 2.5"),
        (read_one, {"alphabet": "hex"}, ValueError, "alphabet must be one of"),
        (write, {"alphabet": "hex"}, ValueError, "alphabet must be one of"),
        (write, {"alphabet": None}, ValueError, "alphabet must be a string, not None"),
        (write, {"format": "xml"}, ValueError, "format must be one of line, csv, grid, json, not"),
        (write, {"boards": [[5] * 16]}, ValueError, "puzzle 0, cell 0: 5 is not in the range 0"),
        (write, {"path": None}, TypeError, "expected a path or an open file, not None"),
        (write, {"path": "."}, IsADirectoryError, "irectory"),
    ],
)
def test_invalid_arguments(function, options, kind, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=reason):
        function(**options)
    assert not any(tmp_path.iterdir())


def test_chunks_are_equal_if_their_records_are():
    def read(text):
        [chunk] = dlx.read_boards(io.StringIO(text))
        return chunk

    text = f"{PUZZLE}\n{PUZZLE},{SOLUTION}\nbad\n"
    assert read(text) == read(text)
    assert replace(read(text), is_followed=False) == read(text)
    others = [f"{PUZZLE}\n", f"{PUZZLE}\n{PUZZLE}\nbad\n", f"\n{text}"]
    assert all(read(text) != read(other) for other in others)
    assert read(text) != text
