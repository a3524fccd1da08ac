"""Exact cover problems from files of every kind, and to them."""

import gzip
import json

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.io.json import parse_json
from dlx_numba.cover.io.matrix import format_matrix, parse_matrix
from dlx_numba.cover.io.read import read_problem
from dlx_numba.cover.io.text import format_cover
from dlx_numba.runtime.errors import FormatError, UnreadableError
from tests.helpers import oracles

MATRIX = np.array([[0, 0, 1, 0, 1, 1, 0], [1, 0, 0, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1, 0]], np.uint8)
MATRIX = np.vstack([MATRIX, [[1, 0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0, 1]]])
JSON = """{"items": ["a", 7], "secondary": ["s"], "multiplicity": {"7": [1, 2]}, "costs": [1, 2, 3],
 "options": [["a", ["s", "x"]], [7, ["s", "x"]],
 [7]]}"""


def sparse(path, matrix, **arrays):
    """A file as SciPy's save_npz writes one for CSR."""
    rows, columns = np.nonzero(matrix)
    parts = {
        "indices": columns.astype(np.int32),
        "indptr": np.searchsorted(rows, np.arange(len(matrix) + 1)).astype(np.int32),
        "format": np.array(b"csr"),
        "shape": np.array(matrix.shape),
        "data": np.ones(len(rows)),
    }
    np.savez_compressed(path, **{**parts, **arrays})
    return path


def test_a_matrix_is_one_problem_in_each_of_its_files(tmp_path):
    np.save(tmp_path / "a.npy", MATRIX)
    np.save(tmp_path / "b.npy", MATRIX.astype(bool))
    sparse(tmp_path / "c.npz", MATRIX)
    (tmp_path / "d.txt").write_text(format_matrix(MATRIX))
    (tmp_path / "e.txt.gz").write_bytes(gzip.compress(format_matrix(MATRIX).encode()))
    for path in sorted(tmp_path.iterdir()):
        cover = dlx.ExactCover.from_file(path)
        assert cover.solve() == [[0, 3, 4]], path
        assert np.array_equal(cover.to_csr()[1], np.nonzero(MATRIX)[1])
    assert (parse_matrix(format_matrix(MATRIX)) == MATRIX).all()


def test_json(tmp_path):
    cover = dlx.ExactCover.from_json(JSON)
    assert cover.cheapest(9) == [(3, [0, 1]), (4, [0, 2]), (6, [0, 1, 2])]
    assert dlx.ExactCover.from_json(cover.to_json()).cheapest(9) == cover.cheapest(9)
    path = tmp_path / "problem.json"
    path.write_text(JSON)
    assert dlx.ExactCover.from_file(path, given=[2]).count() == 2
    assert json.loads(cover.to_json()) == json.loads(JSON)
    assert (
        dlx.ExactCover.from_json('{"options": []}').to_json() == '{"items": [],\n "options": []}\n'
    )


@pytest.mark.parametrize("write", ["to_knuth", "to_json"])
def test_what_is_written_is_the_same_problem(write):
    for seed in range(200):
        options, bounds, secondary = oracles.random_general_problem(seed)
        options = [option for option in options if option]
        costs = [k % 3 for k in range(len(options))]
        cover = dlx.ExactCover(options, bounds, secondary, multiplicity=bounds, costs=costs)
        again = getattr(dlx.ExactCover, write.replace("to", "from"))(getattr(cover, write)())
        assert again.solve() == cover.solve(), seed
        assert again.cheapest(3) == cover.cheapest(3), seed
        assert getattr(again, write)() == getattr(cover, write)(), seed
        if not any(isinstance(entry, tuple) for option in options for entry in option):
            matrix = dlx.ExactCover.from_csr(*cover.to_csr())
            assert matrix.to_csr()[1].tolist() == cover.to_csr()[1].tolist()


def test_names_of_any_kind_are_written():
    cover = dlx.ExactCover([[("row", 1), ("s", 2)], [3]], items=[("row", 1), 3], secondary=["s"])
    assert cover.to_knuth() == "row,1 3 | s\nrow,1 s:2\n3\n"
    assert json.loads(cover.to_json())["options"] == [["row,1", ["s", 2]], [3]]
    assert cover.option(0) == [("row", 1), ("s", 2)]
    assert cover.format([0, 1]) == "0 1"
    assert cover.format([0, 1], "names") == "row,1 s:2; 3"
    assert (
        cover.format([0, 1], "json") == '{"options": [0, 1], "items": [["row,1", ["s", 2]], [3]]}'
    )
    assert format_cover("names", [], [], 0) == " |0"


@pytest.mark.parametrize(
    ("cover", "reason"),
    [
        (dlx.ExactCover([["a b"]]), "item 'a b' cannot be written"),
        (dlx.ExactCover([["a|b"]]), "item 'a|b' cannot be written"),
        (dlx.ExactCover([[""]]), "item '' cannot be written"),
        (dlx.ExactCover([["1"], [1]]), "items '1' and 1 are both written '1'"),
        (dlx.ExactCover([["a"], []]), "option 1 is empty"),
        (dlx.ExactCover([["s"]], secondary=["s"]), "without primary items"),
        (dlx.ExactCover([["a", ("s", "x y")]], secondary=["s"]), "colour 'x y' cannot be written"),
    ],
)
def test_what_knuths_text_cannot_hold_is_told(cover, reason):
    with pytest.raises(ValueError, match=reason.replace("|", r"\|")):
        cover.to_knuth()
    with pytest.raises(ValueError, match="style must be one of numbers"):
        cover.format([0], "xml")


def test_a_matrix_holds_no_colours():
    with pytest.raises(ValueError, match="cannot hold the colours"):
        dlx.ExactCover([["a", ("s", "x")]], secondary=["s"]).to_csr()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"options": [["a"]', "toy:1: no JSON: "),
        ('{"options"\n: [["a"], }', "toy:2: no JSON: "),
        ('{"items": []}', 'toy: no object with "options"'),
        ('{"options": 1}', "toy: options must be a list, not 1"),
        ('{"options": ["ab"]}', "toy: option 0 must be a list, not 'ab'"),
        ('{"options": [[null]]}', "toy: option 0: an item is a string, a number or a pair"),
        ('{"options": [[["a"]]]}', "toy: option 0: an item is a string, a number or a pair"),
        ('{"options": [], "items": [true]}', "toy: items: an item is a string or a number"),
        ('{"options": [], "multiplicity": 3}', "toy: multiplicity must be an object, not 3"),
        ('{"options": [], "cost": []}', "toy: unknown key 'cost'; there are items, secondary"),
    ],
)
def test_what_is_no_json_of_a_problem_is_refused(text, reason):
    with pytest.raises(ValueError, match="^" + reason):
        parse_json(text, "toy")


def test_files_that_hold_no_problem_are_refused_by_name(tmp_path):
    def refused(name, kind, reason, data=None):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(kind, match=reason) as caught:
            dlx.ExactCover.from_file(tmp_path / name)
        assert name in str(caught.value)

    refused("absent", UnreadableError, "No such file")
    refused("binary", UnreadableError, "binary data, not text", b"\xff\xfe\x00\x01")
    refused("broken.gz", UnreadableError, "broken", gzip.compress(b"a\na\n")[:-9])
    refused("text", FormatError, "text:2: unknown item 'b'", b"a\nb\n")
    refused("x.npy", ValueError, "x.npy", b"\x93NUMPY broken")
    refused("x.npz", ValueError, "x.npz", b"PK\x03\x04 broken")
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    refused("cube.npy", ValueError, "must have 2 dimensions, not 3")
    np.savez(tmp_path / "other.npz", a=MATRIX)
    refused("other.npz", ValueError, "no array 'indptr' in it")
    sparse(tmp_path / "csc.npz", MATRIX, format=np.array(b"csc"))
    refused("csc.npz", ValueError, "layout b'csc'")
    sparse(tmp_path / "two.npz", MATRIX, data=np.full(3, 2))
    refused("two.npz", ValueError, "must hold 0 and 1")
    sparse(tmp_path / "short.npz", MATRIX, indptr=np.array([0, 1]))
    refused("short.npz", ValueError, "indptr of 2 does not fit")
    (tmp_path / "costs.json").write_text('{"options": [["a"]], "costs": [1, 2]}')
    refused("costs.json", ValueError, "costs: 2 for 1 options")
    assert read_problem(sparse(tmp_path / "good.npz", MATRIX)).n_items == 7
