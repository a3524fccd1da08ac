"""Parameters of examples: the messages about those that are not valid."""

import re
import shlex

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.kind import examples
from dlx_numba.puzzles.parameters import with_parameters

EXAMPLES = examples()

INVALID = """
queens n=0 => n must be from 1 to 40, not 0
queens n=many => n must be an integer, not 'many'
queens m=8 => unknown parameter 'm'; valid parameters: n=8
queens 8 => '8' is not PARAMETER=VALUE; valid parameters: n=8
queens n=8 n=9 => n is given twice
langford symmetry=maybe => symmetry must be yes or no, not 'maybe'
latin n=3 givens=12 => givens must have 9 symbols, one for each cell, not 2
latin n=2 givens=13.. => givens must consist of 12, and . for an empty cell, not '3'
mates square=012/120/210 => square must be a Latin square
genius-star roll=1,2,3 => roll must have a number of each of the seven dice
genius-star roll=1,5,10,18,28,33,37 => roll must have a number of each of the seven dice
sudoku box=3 => must be ROWSxCOLUMNS
sudoku box=6x6 => box 6x6: there are only 35 symbols for 36 values
sudoku box=2x3 windows=yes => windows need square boxes
sudoku box=2x2 regions=AAAB => regions must assign the cells of a board
macmahon rows=5 => must be 24, for example 4 times 6, not 5 times 6
words words=A,,B => words must be letters with commas between them, not ''
words words=AB,AB => word AB appears twice
words words=ABCDEFGHIJ => ABCDEFGHIJ is longer than the sides of the grid, 7×9
dominate n=2 queens=5 => queens must be from 1 to 4, not 5
knight rows=9 => rows must be from 1 to 8, not 9
tilings sizes= => sizes must be distinct numbers from 1 to 6 with commas between them, not ''
tilings sizes=2,2 => sizes must be distinct numbers from 1 to 6 with commas between them, not '2,2'
matchings graph=K401 => the number of vertices must be from 1 to 400, not 401
matchings graph=0x9 => the number of vertices must be from 1 to 400, not 0
matchings graph=K4,0 => both sides must have vertices, not 4 and 0
matchings graph=a-b,b-c => graph must be K8, K4,4 or 4x6 with other numbers, not 'a-b,b-c'
partitions n=31 => n must be from 1 to 30, not 31
partitions n=17 => 17 numbers have 131,071 blocks of these sizes; up to 65,535 are
partitions n=3 sizes=4 => sizes must be distinct numbers from 1 to 3
polyominoes size=0 => size must be from 1 to 6, not 0
polyominoes region=6x9 => 54 squares, but the pieces FILNPTUVWXYZ have 60
polyominoes region=8x8-3x2 => a hole of 3x2 cannot be centered
polyominoes region=2x2-2x2 => a hole of 2x2 cannot be centered
polyominoes region=0x60 => from 1 to 1,000 cells, not 0
polyominoes region=99999x99999 => region '99999x99999' must have from 1 to 1,000 cells, not 9,999
polyominoes region=... => region must be RxC
polyominoes pieces=FQ => letters of FILNPTUVWXYZ, or - and the letters to omit
polyominoes pieces=-FILNPTUVWXYZ => pieces must be letters
polyominoes pieces=X region=1x5 => none of the pieces X fits
polyominoes region=4x7 size=4 sided=yes symmetry=no => solutions can only be found with symmetry
polyiamonds region=4x4-2-2 sided=yes pieces=CHOh symmetry=no => can only be found with symmetry
tetrasticks region=4x4 sided=yes pieces=FfHhRrTXYy => solutions can only be found with symmetry
polyiamonds size=8 => size must be from 1 to 7, not 8
polyiamonds region=3x9-4 => removed corners must not be larger than the sides
polyiamonds region=4x4-4-4 => and must leave some
polyiamonds region=hexagon => region must be AxB
tetrasticks region=4x4 => 40 sticks, but the pieces FIJLNOPRTUVWXYZ have 60
tetrasticks pieces= => 60 sticks, but the pieces FHIJLNOPRTUVWXYZ have 64
polycubes region=3x3 => cubes must be AxBxC
polycubes region=99x99x99 => must have from 1 to 1,000 cells, not 970,299
polycubes region=2x2x2 => the region has 8 cubes, but the pieces ABLPTVZ have 27
polycubes pieces= => pieces must be soma, bedlam
polycubes 'pieces=A ## A #' => pieces must be soma, bedlam, or alternating dist
polycubes 'pieces=A ##0' => cubes must be AxBxC
"""


@pytest.mark.parametrize(
    ("words", "reason"), [line.split(" => ") for line in INVALID.strip().split("\n")]
)
def test_invalid_parameters_are_reported(words, reason):
    name, *assignments = shlex.split(words)
    with pytest.raises(ValueError, match=re.escape(reason)):
        with_parameters(EXAMPLES[name], assignments)


@pytest.mark.parametrize(
    ("name", "parameter", "reason"),
    [
        ("polyominoes", {"region": 6}, "region must be a text, not 6"),
        ("knight", {"closed": "no"}, "closed must be True or False, not 'no'"),
        ("queens", {"n": 1.5}, "n must be an integer, not 1.5"),
    ],
)
def test_parameters_of_wrong_types_are_reported(name, parameter, reason):
    with pytest.raises(TypeError, match=reason):
        dlx.example(name, **parameter)


def test_long_parameters_are_reported():
    with pytest.raises(ValueError, match="regions must assign the cells of a board"):
        with_parameters(EXAMPLES["sudoku"], ["regions=" + "A" * 10**6])


def test_large_boards_of_the_example_of_sudoku_have_numbers():
    puzzle = dlx.example("sudoku", box="5x6", givens="U" + "." * 899)
    assert puzzle.text([]).split()[:2] == ["30", "."]
