"""Sentences of all kinds: their words, and the options that statements leave out otherwise."""

import random
import re
from itertools import product

import pytest

import dlx_numba as dlx
from dlx_numba.explain.deduction.boards import deduce_puzzle
from dlx_numba.explain.deduction.reason import PLACEMENT
from dlx_numba.explain.deduction.relations import Relations
from dlx_numba.puzzles.kind import examples, load_kind
from dlx_numba.puzzles.variants.constraints import CLUES
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.table import RULES
from tests.helpers.boxes import BoxShape
from tests.helpers.seeds import seeds
from tests.helpers.variants import checked_cells, is_satisfied, random_variant

BOX = BoxShape(2, 2)
STEPS = 60  # of each example


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(examples()))
def test_sentences_do_not_show_the_names_of_items(name):
    puzzle = examples()[name]().with_all_options()
    cover = puzzle.cover()
    names = {",".join(map(str, item)) for item in cover.items if isinstance(item, tuple)}
    for step in deduce_puzzle(puzzle, cover, Stop(), STEPS):
        quoted = {*re.findall("`([^`]*)`", step.text)}
        assert not quoted & names, step.text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("futoshiki", "Each excludes `r2c1=1` (r1c1 < r2c1)."),
        ("tents", "(tents do not touch each other, row 3 has no more tents)"),
        ("tents", "For row 2, there can be no tent."),
        ("star-battle", "(stars do not touch each other)"),
        (
            "star-battle",
            "For columns 2 to 5 outside of the whole regions in them, there can be no",
        ),
        ("takuzu", "For r3c2, only `r3c2=0` is left (no three 1s in a row)."),
        ("kakuro", "For the sum of 3 right of r2c1, there is only the combination 12 right of"),
        ("nonogram", "For run 1 of row 2, there is only run 1 of row 2 from r2c1."),
        ("hashiwokakero", "(bridges do not cross)"),
        ("killer", "the sum of 9 at r1c1 can only be the set 2+3+4"),
        ("shikaku", "For r4c4, there is only the rectangle 1x4 from r4c1."),
    ],
)
def test_sentences_name_the_rules_of_the_puzzle(name, text):
    puzzle = examples()[name]().with_all_options()
    steps = deduce_puzzle(puzzle, puzzle.cover(), Stop())
    assert any(text in step.text for step in steps)


FRESH = {"star-battle": 6, "nonogram": 6, "tents": 6, "pips": 3}
KAKURO = [
    "3 4\n- 4, 6, 13,\n,9 0 0 0\n,14 0 0 0",
    "3 4\n- 16, 4, 6,\n,16 0 0 0\n,10 0 0 0",
]
KILLER = "4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5"


def written(puzzle):
    """Return the texts of all solutions."""
    return sorted(map(puzzle.text, puzzle.solutions()))


def check_whole(puzzle):
    """Check that all options have the same solutions, with which each step agrees."""
    whole = puzzle.with_all_options()
    assert whole is not puzzle
    found = [*map(frozenset, whole.cover().iterate())]
    assert {*map(whole.text, found)} >= {*written(puzzle)}
    if puzzle.condition is None:
        assert len(found) == puzzle.count()
    for step in deduce_puzzle(whole, whole.cover(), Stop()):
        for cover in found:
            is_needed = step.chosen is None or step.chosen in cover
            assert is_needed, step
            assert not cover & {*step.removed}, step


@pytest.mark.parametrize("seed", [*seeds(200, 5)])
@pytest.mark.parametrize("name", FRESH)
def test_new_puzzles_have_the_same_solutions_with_all_options(name, seed):
    [puzzle] = dlx.read(load_kind(name).random(seed, FRESH[name]), name)
    check_whole(puzzle)


@pytest.mark.parametrize(
    ("name", "text"), [*(("kakuro", each) for each in KAKURO), ("killer", KILLER)]
)
def test_sums_have_the_same_solutions_with_all_options(name, text):
    [puzzle] = dlx.read(text, name)
    check_whole(puzzle)


def test_star_battles_with_two_stars_give_reasons_for_all_options():
    rows = [
        "AAAABBCC",
        "AADBBBCC",
        "AADBBCCC",
        "AADDDCCE",
        "FFFDGGGE",
        "FFFFGGGE",
        "FFFFGGGE",
        "FHHHHHHE",
    ]
    text = "\n".join(["8 8 2", *map(" ".join, rows)])
    [puzzle] = dlx.read(text, "star-battle")
    check_whole(puzzle)


NAMED = [
    ({"thermometers": [[0, 1]]}, "thermometer",
     "r1c2 is above r1c1 on the thermometer, so it is not 1"),
    ({"slow_thermometers": [[0, 5]]}, "slow thermometer",
     "is not less than r1c1 on the slow thermometer, so it is not 1"),
    ({"less_than": [[0, 1]]}, "inequality", "r1c2 is greater than r1c1, so it is not 1"),
    ({"minimum": [0]}, "minimum", "r1c2 is greater than the minimum r1c1, so it is not 1"),
    ({"maximum": [0]}, "maximum", "r1c2 is less than the maximum r1c1, so it is not 4"),
    ({"differences": [[0, 1, 3]]}, "difference",
     "r1c2 has the difference 3 from r1c1, so it is not 2 or 3"),
    ({"ratios": [[0, 1, 2]]}, "ratio", "r1c2 has the ratio 2 to r1c1, so it is not 3"),
    ({"sums": [[0, 1, 3]]}, "sum", "r1c2 has the sum 3 with r1c1, so it is not 3 or 4"),
    ({"whispers": [[3, [0, 1]]]}, "whispers",
     "r1c2 is next to r1c1 on a line of whispers, so it is not 2 or 3"),
    ({"cages": [[3, [0, 1]]]}, "cage",
     "the sum of 3 at r1c1 can only be the set 1+2, which excludes 3 and 4 from r1c1 and r1c2"),
    ({"cages": [[6, [0, 1, 2]]]}, "cage",
     "the sum of 6 at r1c1 can only be the set 1+2+3"),
    ({"zipper_lines": [[0, 1, 2]]}, "zipper line",
     "r1c1 and r1c3 sum to r1c2, which excludes 1 from r1c2, and 4 from r1c1 and r1c3"),
    ({"between_lines": [[0, 1, 2]]}, "between line",
     "the digits on the line between r1c1 and r1c3 are between theirs, which excludes 1 and 4"),
    ({"between_lines": [[0, 1, 2]]}, "between line",
     "are between theirs, which together with row 1 excludes 2 from r1c1 and r1c3."),
    ({"lockouts": [[0, 1, 2]]}, "lockout",
     "r1c1 and r1c3 differ by 2 or more, and no digit of the line is in their range, which"),
    ({"x_sums": [[3, [0, 1, 2, 3]]]}, "x sum",
     "as many digits from the left of row 1 as r1c1 says sum to 3, which excludes 1 from r1c1 and"),
    ({"skyscrapers": [[3, [0, 1, 2, 3]]]}, "skyscraper",
     "from the left of row 1, 3 skyscrapers are visible, which excludes 3 from r1c1, and 4 from"),
    ({"skyscrapers": [[1, [12, 8, 4, 0]]]}, "skyscraper",
     "from the bottom of column 1, 1 skyscraper is visible, which excludes 2 and 3 from r4c1, and"),
    ({"skyscrapers": [[3, [0, 1, 2, 3]]]}, "forcing chain of 2",
     "but then nothing is left for the skyscraper clue 3 at r1c1."),
    ({"numbered_rooms": [[3, [0, 1, 2, 3]]]}, "numbered room",
     "r1c1 says in which place from the left of row 1 the 3 is, which excludes 1 from r1c1."),
    ({"renban": [[0, 1, 2]]}, "claiming",
     "each of them is on a renban line with r1c1 or is r1c1 itself, so r1c1 is not 4; each of "),
    ({"quadruples": [[[1, 2, 3, 4], [1, 2, 5, 6]]]}, "pointing",
     "the 1 can only be in r1c3 or r2c3, which are in one quadruple. This excludes 1 from r1c2"),
    ({"numbered_rooms": [[3, [0, 1, 2, 3]]]}, "forcing chain of 1",
     "suppose r1c1=3: that leaves only one way for the numbered room clue 3 at r1c1; but then "),
    ({"sandwiches": [[5, [0, 1, 2, 3]]]}, "sandwich",
     "the digits between 1 and 4 in row 1 sum to 5, which excludes 1 and 4 from r1c2 and r1c3"),
    ({"indexers": [["column", [0]]]}, "indexer", "is an indexer of"),
    ({"arrows": [[0, 1, 2]]}, "arrow",
     "the digits on the arrow r1c2 + r1c3 sum to the digit in the circle r1c1, which excludes 1 "),
    ({"arrows": [[[0, 1], 4, 5, 6, 7]]}, "arrow", "sum to the number in the pill r1c1 + r1c2"),
    ({"arrows": [[0, 1, 2]]}, "arrow",
     "with r1c4=3, the digits on the arrow r1c2 + r1c3 cannot sum to the digit in the circle r1c1"),
    ({"little_killers": [[6, [1, 4]]]}, "little killer",
     "the digits on the line r1c2 + r2c1 sum to 6, which excludes 1 from r1c2 and r2c1."),
    ({"region_sum_lines": [[0, 1, 2]]}, "region sum line",
     "the digits of the line in r1c1 + r1c2 sum to the same as in r1c3, which excludes 1 and 2"),
    ({"zipper_lines": [[0, 1, 2, 3]]}, "zipper line",
     "with r1c1=4, the digits of the zipper line in r1c1 + r1c4 cannot sum to the same as in r1c3"),
    ({"odd": [0]}, "odd", "r1c1 is odd, which excludes 2 and 4 from r1c1."),
    ({"even": [0]}, "even", "r1c1 is even, which excludes 1 and 3 from r1c1."),
    ({"palindromes": [[0, 1, 6, 11]]}, "pointing", "is equal to r3c4, which is in column 4 with"),
]  # fmt: skip


ON_BOARDS = [
    ("..2..........1..", {"diagonals": True}, "diagonal",
     "in the antidiagonal, the 1 can only be in r1c4 or r2c3, which are in box 2."),
    ("...........4....", {"windows": True}, "window",
     "in window 1, the 4 can only be in r2c2 or r2c3, which are in row 2."),
    ("....4.2.........", {"disjoint_groups": True}, "claiming",
     "in row 2, the 1 can only be in r2c2 or r2c4, which are in group 4."),
    ("........1.......", {"regions": "1112122233433444"}, "pointing",
     "in region 1, the 1 can only be in r1c2 or r1c3, which are in row 1."),
    ("....4..........1", {"extra_regions": [[0, 5, 10, 11]]}, "extra region",
     "in extra region 1, the 1 can only be in r1c1 or r2c2, which are in box 1."),
    ("..3..........4..", {"anti_knight": True}, "hidden single",
     "By the knight's move rule, this excludes 3 from r4c1."),
    ("..1........1....", {"anti_king": True}, "claiming", "a king's move from r3c3 or"),
    ("......1.....1...", {"non_consecutive": True}, "hidden single",
     "By the non-consecutive rule, this excludes 2 from r1c1."),
    ("." * 16, {"negative": ["differences"]}, "pointing", "shares an unmarked side with r2c2"),
    (".234............", {"clones": [[0, 9]]}, "naked single",
     "By the clone rule, this excludes 1 from r3c3, r3c4 and r4c2."),
    ("..3.....4.......", {"entropic_lines": [[0, 1, 2]]}, "entropic line",
     "r1c2 is on an entropic line with r1c1, so it is not 1 or 2."),
    (".....32...1.....", {"parity_lines": [[0, 1, 2]]}, "parity line",
     "r1c1 is in row 1 with r1c3 or is on a parity line with r1c3, so it is not 4."),
    ("..2...3.........", {"quadruples": [([2], [6, 7, 10, 11])]}, "quadruple",
     "r2c3, r2c4, r3c3 and r3c4 include 2, which excludes 1, 3 and 4 from r3c4."),
    ("...4............", {"quadruples": [([2, 1, 2, 4], [6, 7, 10, 11])]}, "quadruple",
     "include 2 and 2, which together with the rest of the board excludes 1 and 3 from r3c4."),
    ("." * 16, {"quadruples": [([1, 2, 3, 1], [4, 5, 8, 9])]}, "forcing chain of 3",
     "suppose r2c1=4: that leaves only one way for the 1 and 1 in the quadruple at r2c1; then"),
    (".4..............", {"cages": [(7, [9, 10, 14]), (4, [8])]}, "pointing",
     "each of them is in one cage with r4c3 or is in row 4 with r4c3, so r4c3 is not 1."),
    ("." * 16, {"renban": [[1, 5, 6]]}, "nested forcing chain",
     "then there are 2 ways for the renban at r1c2. Case 1.1.1, the set 1+2+3: that leaves only"),
]  # fmt: skip
EXAMPLES = [*ON_BOARDS, *(("." * 12 + "...1", *example) for example in NAMED)]


def test_each_rule_has_a_sentence():
    assert {rule for _, rules, _, _ in EXAMPLES for rule in rules} == {*RULES}


@pytest.mark.parametrize(("board", "rules", "name", "text"), EXAMPLES)
def test_hints_name_the_rule_in_the_words_of_setters(board, rules, name, text):
    steps = dlx.deduce(board, dlx.SudokuRules(**rules), limit=12)
    assert any(step.name == name and text in step.text for step in steps), [*map(str, steps)]
    assert not any(step.text.startswith("Conflict") for step in steps)


def test_units_of_a_knights_move_are_named():
    relations = Relations(dlx.SudokuRules(anti_knight=True), Box(3, 3))
    assert relations.find((0, 4), (11, 4)) == ("knight's move", "is a knight's move from {}")
    assert relations.find((0, 4), (11, 5)) is relations.find((0, 4), (10, 4)) is None


LINES = ("zipper_lines", "quadruples", "between_lines", "lockouts")


def possible(name, entry, left):
    """Return the cells and digits of an entry of a rule that satisfy it by digits left for them."""
    cells = checked_cells(name, entry, BOX)
    found = set()
    for values in product(*(left[cell] for cell in cells)):
        may_be = name not in CLUES or len({*values}) == len(values)
        board = dict(zip(cells, values, strict=True))
        if may_be and is_satisfied(name, entry, board, BOX, {}):
            found |= board.items()
    return found


@pytest.mark.parametrize("name", [*CLUES, *LINES])
def test_a_rule_excludes_what_its_sentence_says_by_the_digits_left(name):
    rule = re.sub("(?<=ch)es$|s$", "", name).replace("_", " ")
    n_excluded = 0
    for seed in seeds(500, 30):
        rng = random.Random(seed)
        board, rules = random_variant(BOX, [name], rng, rng.randrange(1, 4))
        for step in dlx.deduce(board, dlx.SudokuRules(**rules)):
            is_total = step.kind == "total" or step._found.case
            if step.name != rule or is_total or "together" in step.text:
                continue
            source = step._source
            options = [*source.reasoner.options(step._found.before), *step.before]
            left = [{value} if value else set() for value in board]
            for match in map(PLACEMENT.fullmatch, map(str, map(source.option_name, options))):
                if match is not None:
                    row, column, value = map(int, match.groups())
                    left[BOX.n * (row - 1) + column - 1].add(value)
            [entry] = rules[name]
            fitting = possible(name, entry, left)
            for (row, column), digit in zip(step.cells, step.digits, strict=True):
                assert (BOX.n * (row - 1) + column - 1, digit) not in fitting, step
                n_excluded += 1
    assert n_excluded > 5
