"""Steps on boards: each technique on a board of its own, and whole puzzles with their solution."""

import copy
import pickle
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.deduction import NO_RULE, TOO_MANY, cases, deduce_steps
from dlx_numba.explain.deduction.board_text import describe_set
from dlx_numba.explain.deduction.boards import _name_item, deduce_puzzle
from dlx_numba.kernels.memo import option_sets
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.levels import LEVELS, list_tables
from scripts.fuzzing.diagnoses import deduce_boards
from tests.helpers import ROOT
from tests.helpers.deductions import check_board_deduction, random_board
from tests.helpers.processes import invoke
from tests.helpers.seeds import instances, seeds
from tests.helpers.variants import NAMES

FAMOUS = ROOT / "scripts" / "famous_puzzles.txt"
FISHY = "000704005020010070000080002090006250600070008053200010400090000030060090200407000"


def check_steps(solution, steps):
    """Check that each step agrees with the solution."""
    names = {f"r{k // 9 + 1}c{k % 9 + 1}={value}" for k, value in enumerate(solution)}
    for step in steps:
        options = step._source.named.names.options
        assert not {options[k] for k in step.removed} & names, step
        assert step.chosen is None or options[step.chosen] in names


def test_puzzles_are_solved_by_steps_that_agree_with_the_solution():
    for seed in seeds(200, 6):
        puzzle = dlx.generate(1, seed=seed).puzzles[0]
        steps = dlx.deduce(puzzle)
        solution = dlx.solve_batch([puzzle]).solutions[0]
        check_steps(solution.tolist(), steps)
        assert steps.done
        difficulty = dlx.rate([puzzle]).difficulty[0]
        known = {"simple": {"naked single"}, "easy": {"naked single", "hidden single"}}
        names = {step.name for step in steps}
        if difficulty in known:
            assert names <= known[difficulty]


HARD = [line.split()[0] for line in FAMOUS.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.slow
@pytest.mark.parametrize("board", HARD)
def test_the_hardest_boards_have_steps(board):
    solution = [int(digit) for digit in dlx.solve_sudoku(board)]
    steps = dlx.deduce(board, limit=4)
    assert len(steps) == 4
    check_steps(solution, steps)


def test_a_step_of_cases_names_each_of_them():
    [step] = dlx.deduce(HARD[-1], limit=1)  # by Inkala
    assert (step.kind, step.name, step.size) == ("cases", "nested forcing chain", 3)
    assert (step.cells, step.digits) == ([(6, 1)], [6])
    assert step.text.startswith("Nested forcing chain: suppose r6c1=6: that leaves only r5c9 for ")
    assert "then r3c4 can only be 3 or 4. Case 1, r3c4=3: box 5 has no cell left" in step.text
    assert "Case 2, r3c4=4: then r3c1 can only be 1 or 5. Case 2.1, r3c1=1: that " in step.text
    assert step.text.endswith("then row 9 has no cell left for 3. So r6c1 is not 6.")
    assert step.svg().count("<svg") == 1
    output, _ = invoke("hint", HARD[-1])
    assert output.startswith(step.text)
    assert dlx.rate([HARD[-1]]).hardest.tolist() == ["guess"]  # is none of its techniques


def test_the_end_says_that_there_are_too_many_cases(monkeypatch):
    monkeypatch.setattr(cases, "MAX_CHOICES", 600)
    steps = dlx.deduce(HARD[-1])
    assert (steps.done, steps.cover, steps.end) == (True, None, TOO_MANY)


def test_cases_are_examined_until_the_call_is_stopped():
    class CountedStop:
        n_left = 5

        def is_set(self):
            self.n_left -= 1
            return self.n_left < 0

    stop = CountedStop()
    steps = dlx.deduce(HARD[-1], stop=stop)
    assert (len(steps), steps.done, steps.end) == (0, False, "Stopped before the end.")
    assert stop.n_left > -9


@pytest.mark.slow
def test_boards_with_several_solutions_have_steps_until_each_candidate_is_in_one():
    board = "." * 7 + HARD[-1][7:]
    candidates = dlx.solve_batch([board], candidates=True).candidates
    assert candidates is not None
    steps = dlx.deduce(board)
    assert (steps.done, steps.cover, steps.end) == (True, None, NO_RULE)
    left = steps.source.reasoner.options(steps.source.reasoner.remaining.available)
    assert len({*steps.chosen, *left}) == np.count_nonzero(candidates[0])


def test_names_and_notation():
    steps = dlx.deduce(FISHY)
    names = {step.name for step in steps}
    assert {"naked single", "pointing", "naked pair", "X-wing", "hidden triple"} <= names
    fish = next(step for step in steps if step.name == "X-wing")
    assert fish.items == ["4 in column 2", "4 in column 8", "4 in row 3", "4 in row 5"]
    assert fish.text.endswith("This excludes 4 from r3c3, r3c7 and r5c7.")
    assert steps.cover is not None


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 6, 16])
def test_boards_of_any_size(size):
    board = dlx.generate(1, box={4: "2x2", 6: "2x3", 16: "4x4"}[size], seed=1).puzzles[0]
    steps = dlx.deduce(np.array(board).reshape(size, size))
    assert steps.done
    assert steps


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        {"diagonals": True},
        {"anti_knight": True},
        {"less_than": [[0, 1], [1, 2], [9, 10]]},
        {"clones": [[0, 40]]},
        {"cages": [[10, [0, 1]], [15, [2, 11, 20]]]},
    ],
    ids=lambda rules: next(iter(rules)),
)
def test_steps_of_variants_agree_with_the_solution(rules):
    stated = dlx.SudokuRules(**rules)
    generated = dlx.generate(instances(20, 2), rules=stated, seed=2)
    for puzzle, solution in zip(generated.puzzles, generated.solutions, strict=True):
        steps = dlx.deduce(puzzle, stated)
        assert steps
        names = {f"r{k // 9 + 1}c{k % 9 + 1}={value}" for k, value in enumerate(solution)}
        for step in steps:
            options = step._source.named.names.options
            assert not {options[k] for k in step.removed} & names, step
            is_cell = step.chosen is not None and options[step.chosen].startswith("r")
            assert not is_cell or options[step.chosen] in names


@pytest.mark.parametrize("name", NAMES)
def test_each_step_of_a_rule_agrees_with_all_solutions(name):
    for seed in seeds(100, 2):
        rng = random.Random(seed)
        board, rules, solutions = random_board(Box(2, 2), [name], rng)
        check_board_deduction(board, Box(2, 2), rules, solutions)


@pytest.mark.parametrize("seed", range(instances(600, 12)))
def test_each_step_of_several_rules_agrees_with_all_solutions(seed, tmp_path):
    deduce_boards(random.Random(seed), tmp_path)


CLONED = "000000802209850130001000000000000026800000470000000001000060248050900000020000053"
REFLECTED = "020080000000000052091000000080000090050000600000000000810040200030270405200601803"


@pytest.mark.parametrize(
    ("board", "palindrome"), [(CLONED, [56, 57, 47, 46]), (REFLECTED, [24, 33, 23, 14])]
)
def test_lines_of_cells_with_equal_values_have_no_fish(board, palindrome):
    rules = dlx.SudokuRules(palindromes=[palindrome])
    solution = dlx.solve_sudoku(board, rules=rules)
    steps = dlx.deduce(board, rules)
    check_steps([*map(int, solution)], steps)
    assert steps.cover is not None
    assert dlx.solve_batch([board], rules=rules).counts.tolist() == [1]


def test_clones_and_palindromes_with_several_solutions_are_not_refuted():
    clones = dlx.SudokuRules(clones=[[13, 4, 2]])
    steps = dlx.deduce("...........2....", clones)
    assert (steps.refuted, steps.cover) == (False, None)
    assert len([*dlx.iter_solutions("...........2....", rules=clones)]) == 18
    both = dlx.SudokuRules(palindromes=[[3, 7, 10, 14, 13]], zipper_lines=[[5, 9, 14]])
    steps = dlx.deduce("." * 16, both)
    assert (steps.refuted, steps.cover) == (False, None)
    assert len([*dlx.iter_solutions("." * 16, rules=both)]) == 4


# Boards of the literature on techniques (sudokuwiki.org), and the cells of a step that it explains
PUBLISHED = [
    ("naked pair", {"r1c2", "r1c3"},
     "400000938032094100095300240370609004529001673604703090957008300003900400240030709"),
    ("hidden pair", {"r1c8", "r1c9"},
     "000000000904607000076804100309701080708000301051308702007502610005403208000000000"),
    ("naked triple", {"r5c4", "r5c5", "r5c6"},
     "070008029002000004854020000008374200000000000003261700000090612200000400130600070"),
    ("hidden triple", {"r1c4", "r1c7", "r1c9"},
     "000001030231090000065003100678924300103050006000136700009360570006019843300000000"),
    ("naked quadruple", {"r1c1", "r2c1", "r2c2", "r3c1"},
     "000030086000020040090078520371856294900142375400397618200703859039205467700904132"),
    ("X-wing", {"7 in row 2", "7 in row 6", "7 in column 4", "7 in column 8"},
     "100000569492056108056109240009640801064010000218035604040500016905061402621000005"),
    ("swordfish", {"8 in column 1", "8 in column 5", "8 in column 7"},
     "529410703006003002003200000052300076637050200190627530300069420200830600960742305"),
    ("pointing", {"3 in box 3"},
     "017903600000080000900000507072010430000402070064370250701000065000030000005601720"),
    ("claiming", {"4 in column 8"},
     "016007803090800000870001260048000300650009082039000650060900020080002936924600510"),
]  # fmt: skip


def steps_of(name, cover):
    """Return the steps of one technique alone."""
    stated = named_problem(cover)
    tables = list_tables(stated.selected.problem, stated.items_left)
    rules = [level[1:4] for level in LEVELS if level.name == name]
    return deduce_steps(stated, rules, Stop(), None, None, _name_item, *tables)


@pytest.mark.parametrize(("name", "items", "board"), PUBLISHED, ids=[p[0] for p in PUBLISHED])
def test_published_examples(name, items, board):
    [puzzle] = dlx.read(board, "sudoku")
    steps = steps_of(name, puzzle.cover())
    assert any(items <= {*map(str, step.items)} for step in steps)


LINES = (1, 4, 7, 2)  # of which neighbors are in different boxes
SETS = {
    "naked": ("pair", "triple", "quadruple"),
    "hidden": ("pair", "triple", "quadruple"),
    "": ("X-wing", "swordfish", "jellyfish"),
}


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("kind", SETS)
def test_sets_on_boards_of_our_own(kind, size):
    lines, others = LINES[:size], [k for k in range(1, 10) if k not in LINES[:size]]
    if kind == "naked":  # in row 1, these cells have these digits only
        forbidden = [f"r1c{c}={v}" for c in lines for v in others]
        removed = [f"r1c{c}={v}" for c in others for v in lines]
    elif kind == "hidden":  # in row 1, these digits are in these cells only
        forbidden = [f"r1c{c}={v}" for c in others for v in lines]
        removed = [f"r1c{c}={v}" for c in lines for v in others]
    else:  # in these rows, 5 is in these columns only
        forbidden = [f"r{r}c{c}=5" for r in lines for c in others]
        removed = [f"r{r}c{c}=5" for r in others for c in lines]
    [puzzle] = dlx.read("." * 81, "sudoku")
    cover = puzzle.cover(forbidden=forbidden)
    name = f"{kind} {SETS[kind][size - 2]}".strip()
    step = steps_of(name, cover)[0]
    assert {cover.option_names[k] for k in step.removed} == {*removed}
    assert len(step.items) == 2 * size


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("naked single", "r6c5 can only be 4. This excludes 4 from r4c5, r6c7 and r6c9."),
        ("hidden single", "in box 4, the 2 can only be in r5c3."),
        (
            "pointing",
            "in box 3, the 1 can only be in r1c7 or r3c7, which are in column 7. "
            "This excludes 1 from r7c7, r8c7 and r9c7.",
        ),
        (
            "naked pair",
            "r4c4 and r8c4 can only be 1 or 8, so these cells take them in column 4. "
            "This excludes 1 from r5c4 and r7c4, and 8 from r7c4.",
        ),
        (
            "forcing chain of 1",
            "suppose r2c7=3: that leaves only 9 for r5c7 and only r1c1 for the 3 in row 1; but "
            "then row 1 has no cell left for 9. So r2c7 is not 3.",
        ),
    ],
)
def test_sentences_name_cells_digits_and_units(name, text):
    step = next(step for step in dlx.deduce(FISHY) if step.name == name)
    heading = name.capitalize().replace(" of ", " of length ")
    assert step.text == f"{heading}: {text}"


@pytest.mark.parametrize(
    ("bases", "covers", "text"),
    [
        (
            ["r1c1", "r1c2", "r1c4"],
            ["2 in box 1", "3 in box 1", "5 in row 1"],
            "r1c1, r1c2 and r1c4 can only be 2, 3 or 5, so these cells take 2 and 3 in box 1, and "
            "5 in row 1.",
        ),
        (
            ["2 in row 1", "3 in row 2"],
            ["r1c1", "r2c2"],
            "in row 1, 2, and in row 2, 3 can only be in r1c1 or r2c2, so these cells are nothing "
            "else.",
        ),
        (
            ["2 in row 1", "2 in row 2"],
            ["2 in column 1", "2 in column 3"],
            "in row 1 and row 2, the 2 can only be in column 1 or column 3, which therefore have "
            "no 2 elsewhere.",
        ),
    ],
)
def test_sets_may_be_in_several_units(bases, covers, text):
    assert describe_set(bases, covers) == text
    with pytest.raises(ValueError, match="several digits in several units"):
        describe_set(["2 in row 1", "3 in row 2"], ["2 in column 1", "3 in column 2"])


def test_givens_of_a_puzzle_are_no_steps():
    [puzzle] = dlx.read("1.1.\n....\n..0.\n0...\n", kind="takuzu")
    steps = deduce_puzzle(puzzle, puzzle.cover(), Stop())
    assert steps[0].text.startswith("For r1c2, only `r1c2=0` is left (row 1 has 2 1s")
    given = {"r1c1=1", "r1c3=1", "r3c3=0", "r4c1=0"}
    names = [*puzzle.statement.options]
    chosen = {names[step.chosen] for step in steps if step.chosen is not None}
    assert not chosen & given


def test_the_only_cover_may_violate_a_condition():
    [equal_rows] = dlx.read("0101\n1010\n0101\n1010\n", kind="takuzu")
    steps = dlx.deduce(equal_rows)
    assert (steps.refuted, steps.cover) == (True, None)
    assert steps.end.startswith("There is no solution: the only cover violates a condition")
    [right] = dlx.read("0101\n1010\n0011\n1100\n", kind="takuzu")
    assert dlx.deduce(right).end == "This is the only cover."


def test_a_drawing_shows_its_box():
    [puzzle] = dlx.generate(1, box="3x2", seed=1).puzzles
    drawing = str(dlx.Board(puzzle, box="3x2"))
    assert dlx.deduce(drawing).end == "This is the only solution."
    assert dlx.diagnose_sudoku(drawing).kind == "solvable"
    with pytest.raises(ValueError, match="its bars show 3x2 boxes, not 2x3"):
        dlx.deduce(drawing, box="2x3")


@pytest.mark.parametrize("box", ["3x2", "2x3", (4, 2)])
def test_the_box_may_be_stated(box):
    made = dlx.generate(2, box=box, seed=1)
    for board in made.strings():
        deduction = dlx.deduce(board, box=box)
        assert not deduction.refuted
        assert deduction.cover is None or len(deduction.cover) == len(board)
        assert dlx.diagnose_sudoku(board, box=box).kind == "solvable"
    with pytest.raises(ValueError, match="expected 625 symbols"):
        dlx.deduce(board, box="5x5")


def test_two_equal_digits_are_no_solution():
    with pytest.raises(dlx.NoSolution, match="two 1s in row 1"):
        dlx.deduce("11" + "." * 14)
    out, err = invoke("hint", "-", stdin="1..." * 4 + "\n", status=1)
    assert (out, "<stdin>:1: no solution: two 1s in column 1" in err) == ("", True)
    record = '{"even": [0], "puzzle": "1..............."}\n'
    out, err = invoke("hint", "-", stdin=record, status=1)
    assert (out, "r1c1=1 breaks a rule: the value in a gray square is even" in err) == ("", True)


CONTRADICTIONS = [
    ("1...1...........", {"diagonals": True}, "two 1s in column 1"),
    ("1..............1", {"diagonals": True}, "two 1s on the main diagonal"),
    ("...4........4...", {"diagonals": True}, "two 4s on the antidiagonal"),
    ("1..........1....", {"extra_regions": [(0, 11)]}, "two 1s in extra region 1"),
    (".2..2...........", {"cages": [(None, [1, 4])]}, "two 2s in box 1"),
    ("..2.2...........", {"cages": [(None, [1, 2, 4])]}, "two 2s in cage 1"),
    ("1...............", {"odd": [1], "even": [0]}, "r1c1=1 breaks a rule: the value in a gray"),
    ("2...............", {"odd": [0]}, "r1c1=2 breaks a rule: the value in a gray circle is odd"),
    ("1.....1.........", {"anti_knight": True}, "r1c1=1 and r2c3=1 break a rule: cells a knight's"),
    ("1.........2.....", {"clones": [(0, 10)]}, "r1c1=1 and r3c3=2 break a rule: cells with the"),
    ("13..............", {"non_consecutive": True, "differences": [(0, 1, 1)]}, "rule: a ring has"),
    ("21..............", {"thermometers": [(0, 1)]}, "break a rule: the values increase along"),
]


@pytest.mark.parametrize(("board", "rules", "words"), CONTRADICTIONS)
def test_givens_that_break_a_rule_are_named_in_words(board, rules, words):
    variant = dlx.SudokuRules(**rules)
    assert dlx.solve_batch([board], rules=variant).counts[0] == 0
    for call in (dlx.deduce, lambda puzzle, rules: dlx.solve_sudoku(puzzle, rules=rules)):
        with pytest.raises(dlx.NoSolution, match=words):
            call(board, variant)


@pytest.mark.slow
def test_boards_with_a_solution_have_no_contradiction():
    for seed in seeds(100, 10):
        rules = dlx.SudokuRules(anti_knight=True, cages=2, thermometers=2, differences=3, sums=2)
        [puzzle] = dlx.generate(1, rules=rules, seed=seed).puzzles
        own = dlx.generate(1, rules=rules, seed=seed).rules[0]
        solution = dlx.solve_batch([puzzle], rules=own).solutions[0]
        assert own.find_contradiction(solution, Box(3, 3)) is None


SAMURAI = [
    (((0, 0), (0, 1)), "'r1c1=1' and 'r1c2=1' exclude each other: they contain the 1 of row 1"),
    (((0, 0), (0, 8)), "they contain the 1 of row 1 from column 1"),
    (((6, 6), (14, 6)), "they contain the 1 of column 7 from row 7"),
    (((0, 0), (2, 2)), "they contain the 1 of the box from r1c1"),
]


@pytest.mark.parametrize(("cells", "words"), SAMURAI)
def test_equal_digits_on_one_of_several_boards_are_no_solution(cells, words, tmp_path):
    lines = [["."] * 21 for _ in range(21)]
    for row, column in cells:
        lines[row][column] = "1"
    path = tmp_path / "samurai"
    path.write_text("".join("".join(line) + "\n" for line in lines))
    with pytest.raises(dlx.NoSolution, match=words):
        dlx.deduce(dlx.read(path, kind="samurai")[0])
    assert words in invoke("hint", "--kind", "samurai", path, status=1)[1]


def test_equal_digits_in_a_row_or_a_region_of_a_jigsaw_are_no_solution():
    for board in ("1 - - 1\n" + "- - - -\n" * 3, "1 - - -\n- 1 - -\n" + "- - - -\n" * 2):
        text = f"4 4\n{board}" + "1 1 2 2\n" * 2 + "3 3 4 4\n" * 2
        [puzzle] = dlx.read(text, kind="jigsaw")
        assert puzzle.first() is None
        with pytest.raises(dlx.NoSolution, match=r"two 1s in (row|region) 1"):
            dlx.deduce(puzzle)
        assert invoke("hint", "--kind", "jigsaw", "-", stdin=text, status=1)[0] == ""
        assert "two 1s in" in invoke("solve", "--kind", "jigsaw", "-", stdin=text, status=1)[0]


def test_the_end_of_steps_on_boards_is_about_solutions():
    assert dlx.deduce("1.....3..4.....2").end == "This is the only solution."
    cages = dlx.SudokuRules(cages=[(3, [0, 1])])
    steps = dlx.deduce("14" + "." * 14, cages)
    assert steps.refuted
    assert steps.end == "There is no solution: nothing is left for the sum of 3 at r1c1."
    with pytest.raises(ValueError, match=r"expected one puzzle, such as puzzles\[0\]"):
        dlx.deduce(dlx.read("1.....3..4.....2"))


def test_the_next_step_has_cells_and_digits():
    [step] = dlx.deduce(FISHY, limit=1)
    solution = dlx.solve_sudoku(FISHY)
    [(row, column)], [digit] = step.cells, step.digits
    assert solution[9 * row + column - 10] == str(digit)
    for later in dlx.deduce(FISHY):
        pairs = [*zip(later.cells, later.digits, strict=True)]
        assert len(pairs) == (1 if later.chosen is not None else len(later.removed))
        for (r, c), value in pairs:
            assert (solution[9 * r + c - 10] == str(value)) == (later.chosen is not None)


def test_a_choice_of_the_digits_of_a_cage_has_the_candidates_that_it_removes():
    [step] = dlx.deduce("." * 16, dlx.SudokuRules(cages=[(3, [0, 1])]), limit=1)
    assert step.cells == [(1, 1), (1, 1), (1, 2), (1, 2)]
    assert step.digits == [3, 4, 3, 4]
    [step] = dlx.deduce("." * 16, dlx.SudokuRules(sandwiches=[(2, range(4))]), limit=1)
    assert {*zip(step.cells, step.digits, strict=True)} >= {((1, 1), 2), ((1, 4), 2)}


@pytest.mark.parametrize("shape", [729, (81, 9), (9, 9, 9)])
def test_pencil_marks_may_be_an_array(shape):
    solution = dlx.solve_sudoku(FISHY)
    digits = np.tile(np.arange(1, 10), 81)
    possible = digits == np.repeat([int(symbol) for symbol in solution], 9)
    possible[:9] = True
    marks = np.where(possible, digits, 0).reshape(shape)
    for given in (marks, marks.tolist()):
        assert dlx.deduce(given)[0].cells == [(1, 1)]
    with pytest.raises(ValueError, match="a digit is not in its place"):
        dlx.deduce(np.where(marks, marks % 9 + 1, 0))


def test_the_box_of_pencil_marks_is_not_another():
    marks = np.tile(np.arange(1, 10), 81)
    assert dlx.deduce(marks, box=(3, 3)) == []
    with pytest.raises(ValueError, match="the box of the candidates is 3x3, not 2x3"):
        dlx.deduce(marks, box=(2, 3))


@pytest.mark.parametrize("name", ["clones", "palindromes"])
def test_pencil_marks_of_equal_cells_are_common(name):
    solution = dlx.solve_sudoku(FISHY)
    same = solution.index(solution[0], 9)
    marks = [*solution]
    marks[0] = "123456789"
    marks[same] = f"12{solution[0]}"
    text = "".join(digit if digit in own else "." for own in marks for digit in "123456789")
    steps = dlx.deduce(text, dlx.SudokuRules(**{name: [(0, same)]}))
    assert steps.cover is not None
    assert {digit for step in steps for digit in step.digits} <= {*map(int, marks[same])}


def test_boards_with_numbers_have_steps():
    n = 27
    board = np.array([[(9 * (r % 3) + r // 3 + c) % n + 1 for c in range(n)] for r in range(n)])
    digit = int(board[0, 0])
    board[0, 0] = 0
    for given in (board, " ".join(map(str, board.ravel()))):
        [step] = dlx.deduce(given, limit=1)
        assert (step.cells, step.digits) == ([(1, 1)], [digit])


def test_the_message_for_too_large_boards_names_the_largest_size(monkeypatch):
    monkeypatch.setattr(option_sets, "MAX_SET_BYTES", 100)
    with pytest.raises(ValueError, match="empty boards of up to 35×35 cells are small enough"):
        dlx.deduce("." * 16)


def test_steps_of_puzzles_and_pencil_marks():
    [puzzle] = dlx.read("4 4\n- 4 - -\n- - - 3\n3 - 2 -\n- - - 4\n", kind="shikaku")
    assert dlx.deduce(puzzle).cover is not None
    solution = dlx.solve_sudoku(FISHY)
    marks = "".join(digit.rjust(int(digit), ".").ljust(9, ".") for digit in solution[1:])
    [step] = dlx.deduce("123456789" + marks, limit=1)
    assert step.cells
    with pytest.raises(ValueError, match="a Puzzle has its own rules and box"):
        dlx.deduce(puzzle, box=(2, 2))


def test_steps_are_rows_of_a_table():
    steps = dlx.deduce("1.....3..4.....2")
    rows = steps.to_arrow().to_pylist()
    assert [row["text"] for row in rows] == [step.text for step in steps]
    assert [row["chosen"] for row in rows] == [step.chosen for step in steps]
    assert steps.to_pandas()["removed"].tolist() == [step.removed for step in steps]


@pytest.mark.compiled
def test_deductions_with_cases_are_copied():
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    steps = dlx.deduce(hard)
    assert any(step.kind == "cases" for step in steps)
    for copied in copy.deepcopy(steps), pickle.loads(pickle.dumps(steps)):
        assert [*map(str, copied)] == [*map(str, steps)]
