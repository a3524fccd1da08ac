"""All kinds: documentation, parameters, and pictures as data."""

import inspect
import json
import pickle
import re

import pytest

import dlx_numba as dlx
from dlx_numba import ExactCover
from dlx_numba.cover.encode import Formulation
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.prepare import SearchKeywords
from dlx_numba.pictures.forms import picture_from_json
from dlx_numba.puzzles.kind import example, examples, load_kind, readers
from dlx_numba.puzzles.parameters import parameters, with_parameters
from dlx_numba.puzzles.registry import KINDS
from tests.helpers.pictures import parse_picture

pytestmark = pytest.mark.compiled  # the sizes are too large for kernels in plain Python

EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_documented(name):
    docstring = inspect.getdoc(EXAMPLES[name])
    assert re.match(r".{,73}\.\n", docstring)
    assert all(part in docstring for part in ("Items: ", "Options: ", ">>> "))
    documented = re.findall(r"^(\w+(?:, \w+)*)\n    ", docstring, re.MULTILINE)
    names = [name for group in documented for name in group.split(", ")]
    assert names == list(inspect.signature(EXAMPLES[name]).parameters)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_is_solved_and_drawn(name):
    puzzle = with_parameters(EXAMPLES[name], parameters(EXAMPLES[name]))
    solution = puzzle.first()
    text = puzzle.text(solution)
    assert text
    assert not text.endswith("\n")
    parse_picture(puzzle.svg(solution))
    restored = pickle.loads(pickle.dumps(puzzle))
    assert restored.text(restored.first()) == text


@pytest.mark.parametrize("name", EXAMPLES)
def test_pictures_are_plain_data(name):
    puzzle = EXAMPLES[name]()
    picture = puzzle.picture
    restored = picture_from_json(json.loads(json.dumps(picture.to_json())))
    assert restored == picture
    assert restored.svg([0]) == picture.svg([0])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("(a", "x"), "unterminated subpattern"),
        (("a", r"\3"), "invalid group reference 3"),
        (("a", 5), "decoding to str: need a bytes-like object"),
        (7, "cannot unpack"),
        (("(a+)+", "x"), "repeats a group, or has a flag"),
        (("(?x)(a+) +", "x"), "repeats a group, or has a flag"),
        (("(a|a)*", "x"), "repeats a group, or has a flag"),
        ((".*.*.*", "x"), "repeat too many characters"),
        (("a{,50}" * 9,), "repeat too many characters"),
        (("a*" * 100_000,), "repeat too many characters"),
        (("a{99999999999}",), "the repetition number is too large"),
        (("(" * 5000 + ")" * 5000,), "nested too deeply"),
    ],
    ids=range(12),
)
def test_words_that_are_not_valid(words, reason):
    marks = [[[[0, 0], "a"]]]
    with pytest.raises(ValueError, match=f"^view: .*{reason}"):
        picture_from_json({"form": "grid", "title": "", "marks": marks, "words": [words]})


def test_pictures_that_cannot_be_drawn_are_not_valid():
    for stated in ({"form": "graph"}, {"form": "timetable", "bars": [[[0, 1, 1, "a"]]]}):
        with pytest.raises(ValueError, match=r"^view: .*division by zero"):
            picture_from_json(stated | {"title": ""})
    large = {"form": "grid", "marks": [[[[0, 0], "a"], [[10**12, 1], "a"]]]}
    late = {"form": "timetable", "bars": [[[0, 0, 1e12, "a"]]]}
    for stated in (large, large | {"form": "blocks"}, late, late | {"labels": [[1e300, "b"]]}):
        with pytest.raises(ValueError, match=r"^view: .* cannot be drawn"):
            picture_from_json(stated | {"title": ""})


@pytest.mark.parametrize("name", readers())
def test_each_reader_states_its_formats(name):
    assert load_kind(name).formats


def test_unknown_kinds_and_parameters_are_errors():
    with pytest.raises(ValueError, match="there is no kind 'quens'; did you mean 'queens'"):
        example("quens")
    with pytest.raises(ValueError, match="queens has no parameter 'm'; it has n"):
        example("queens", m=8)
    assert set(EXAMPLES) <= set(KINDS)


def test_cover_accepts_the_parameters_of_exact_cover():
    names = inspect.signature(ExactCover).parameters.keys() - (
        {*Formulation._fields, "optional"} - {"given", "forbidden"}
    )
    names -= {"exactly", "at_most", "at_least"}  # a statement has multiplicities
    assert SearchKeywords.__annotations__.keys() == names
    queens = example("queens", n=6)
    stated = ExactCover(**queens.statement._replace(given=[1])._asdict(), choose="leftmost")
    assert queens.cover(given=[1], choose="leftmost").solve() == stated.solve() != []
    with pytest.raises(TypeError, match="speed"):
        queens.cover(speed=2)


def test_files_of_problems_keep_their_pictures(tmp_path):
    for name in ("queens", "polyominoes", "matchings"):
        problem = example(name).cover()
        problem.write(tmp_path / "problem.json")
        read = dlx.ExactCover.read(tmp_path / "problem.json")
        assert named_problem(read).view == named_problem(problem).view
        assert read.first().svg() == problem.first().svg()
    with pytest.raises(ValueError, match=r"view: form must be one of grid, pieces, .*, not 'oil'"):
        dlx.ExactCover.read('{"options": [["a"]], "view": {"form": "oil"}}')
    with pytest.raises(ValueError, match="view: form must be one of grid"):
        dlx.ExactCover.read('{"options": [["a"]], "view": {"form": ["grid"]}}')


def test_an_empty_solution_is_drawn_as_a_solution():
    [puzzle] = dlx.read('{"options": {"a": ["x"]}, "at_most": {"x": 1}, "forbidden": ["a"]}')
    assert "A cover" in puzzle.svg(puzzle.first())
    assert "An exact cover problem" in puzzle.svg([])
