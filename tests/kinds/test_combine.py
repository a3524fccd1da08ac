"""Problems of tiling in the language of Combine."""

from collections import Counter
from itertools import chain

import pytest

from dlx_numba.kinds.reading import read, read_any
from dlx_numba.runtime.source import named_stream
from tests.helpers.pictures import parse_picture

TILES = """# tiles
pattern I = {
***
}
pattern L = {
**
*.   # two rows
}
tiles both = [ I ~one ~sym, L ~one ~rot ]
tiles twice = [ I ~one ~sym, I ~one ~sym ]
"""
PROBLEMS = """
problem small = {
***
***
} both
problem equal = constant 2x3 true twice
problem fixed = constant 3x3 true [ I ]
problem wide = constant 3x1 true [ I ]
problem high = constant 1x3 true [ I ]
problem few = constant 2x3 true [ L ~maybe ~sym, {
**
} ~sym ]
count dlx small  # a remark
"""


def counts(text):
    return {puzzle.title: puzzle.count() for puzzle in read(text)}


def test_tiles_are_used_and_moved_as_their_flags_state():
    expected = {
        "small": 0,  # an L leaves no bar
        "equal": 2,  # equal tiles are distinguished
        "fixed": 1,  # without flags, they have any number, and are not turned
        "wide": 1,
        "high": 0,
        "few": 3,  # dominoes alone, as an L leaves an odd number of cells
    }
    assert counts(TILES + PROBLEMS) == expected


def test_other_files_are_not_read(tmp_path):
    (tmp_path / "tiles.cmb").write_text(TILES)
    path = tmp_path / "problems.cmb"
    path.write_text('include "tiles.cmb"\nproblem a = constant 1x3 true [ I ]\n')
    first, second = read_any(path).puzzles
    reason = "other files are not read; insert the text of the included file"
    assert str(first) == f"{path}:1: {reason}"
    assert str(second) == f"{path}:2: the pattern 'I' is unknown"


def test_files_may_begin_with_settings_and_have_rows_in_a_line():
    text = "# a file\ntiming on\n debug off\n\n" + TILES + "exit\n"
    text += (
        "pattern T = {***$.*.}\ntiming on\nproblem p = {***$*** } [ T ~one ~sym, L ~one ~sym ]\n"
    )
    assert counts(text + "all dlx p\ntiming off\n") == {"p": 0}
    assert counts(text.replace("T ~one", "L ~one")) == {"p": 4}


def test_solids_have_their_own_names():
    text = TILES + "pattern3 I = [{**\n**},{**\n*.}]\npattern3 bar = [{*}]\n"
    text += "pattern3 box = [constant 2x2 true, {**$**}]\n"
    text += "tiles3 both = [I ~one ~sym, bar ~one]\nproblem3 p = box both\n"
    assert counts(text + "problem q = {***} [I]\ncount3 dlx p\n") == {"p": 8, "q": 1}
    turned = "pattern3 L = [{**$*.$*.}]\nproblem3 r = L [L ~sym]\nproblem3 s = J [L ~rot]\n"
    assert counts("pattern3 J = [{**$.*$.*}]\n" + turned) == {"r": 1, "s": 1}


def test_tiles_are_drawn_by_letters():
    text = TILES + "pattern bar = {\n*\n}\nproblem p = constant 4x1 true [ I ~one, bar ~one ]\n"
    [puzzle] = read(text)
    assert puzzle.text(puzzle.first()) in ("A A A B", "B A A A")
    parse_picture(puzzle.svg(puzzle.first()))


def test_copies_of_a_tile_are_told_apart():
    [puzzle] = read("pattern p = {**}\nproblem q = constant 8x8 true [ p ~sym ]\ncount dlx q\n")
    drawn = [row.split() for row in puzzle.text(puzzle.first()).splitlines()]
    size = Counter(chain.from_iterable(drawn))
    assert len(size) == 32
    assert {*size.values()} == {2}


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("problem a = {*} none", "the tiles 'none' are unknown"),
        ("problem a = (union b c) both", r"not supported: problem a = \(union b c\) both"),
        ("problem3 a = b both", "the pattern 'b' is unknown"),
        ("assert {**} = {**}", r"not supported: assert \{\*\*\} = \{\*\*\}"),
        ("tiles a = [ I ~all ]", "not supported: I ~all"),
        ("pattern3 a = []", "a pattern in space needs a layer"),
    ],
)
def test_other_statements_are_errors_with_their_lines(statement, reason):
    found = list(read_any(named_stream(f"{TILES}{statement}\n".encode(), "cmb")).puzzles)
    with pytest.raises(ValueError, match=f"cmb:11: {reason}"):
        raise found[0]
    with pytest.raises(ValueError, match="cmb: no problem is stated, only patterns and tiles"):
        list(read_any(named_stream(TILES.encode(), "cmb")).puzzles)


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ("pattern3 a = [{*}]\npattern3 b = [a]\n", "the pattern 'a' is unknown"),
        ("pattern3 a = [{*}]\nproblem3 b = {**} [ a ]\n", "differ in their dimensions"),
        ("pattern a = [{*}]\nproblem b = {**} [ a ]\n", "differ in their dimensions"),
    ],
)
def test_the_plane_and_space_are_not_mixed(statements, reason):
    [error] = read_any(named_stream(statements.encode(), "cmb")).puzzles
    with pytest.raises(ValueError, match=f"cmb:2: .*{reason}"):
        raise error
