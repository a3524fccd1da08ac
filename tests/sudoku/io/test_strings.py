"""Batches of strings: the same boards and errors as if each string were read separately."""

import random
import re

import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board, format_grid
from dlx_numba.sudoku.io.strings import parse_board, parse_boards
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers import oracles
from tests.helpers.boards import values_of
from tests.helpers.formats import PUZZLE
from tests.helpers.seeds import instances, seeded

BOXES = [Box(2, 2), Box(3, 3), Box(4, 4), Box(5, 5), Box(6, 6)]
STYLES = ("1-9A-", "0-9A-", "A-", "numbers")


def random_text(rng, board, box, alphabet, blanks):
    text = format_board(board, alphabet)
    form = rng.random()
    if form < 0.05:
        return format_grid(board, box, alphabet)
    if form < 0.1 and not alphabet.has_numbers:
        return ",".join(text)
    if not alphabet.has_numbers:
        text = "".join(rng.choice(blanks) if symbol == "." else symbol for symbol in text)
    if form < 0.15:
        text = rng.choice([str.lower, str.swapcase])(text)
    return text


def damage(rng, text):
    at = rng.randrange(len(text))
    inserted = rng.choice(["", "Q", "?", "-", "é", "0", "9", " ", "\n", "\0", "z", "1", "|", "…"])
    return text[:at] + inserted + text[at + rng.choice([0, 1, 1, 1]) :]


@pytest.mark.parametrize("box", BOXES, ids=str)
def test_random_batches(box):
    rng = random.Random(seeded(box.cells))
    for _ in range(instances(600 if box.n <= 9 else 250)):
        style = rng.choice(STYLES if box.n <= 25 else STYLES[-1:])
        alphabet = Alphabet.named(style, box.n)
        blanks = rng.choice([".", "0", "-", "?", " ", "*_", ".0xX"])
        boards = [oracles.random_board(box, rng, rng.randint(0, box.cells)) for _ in range(12)]
        texts = [random_text(rng, board, box, alphabet, blanks) for board in boards]
        texts += [text.rstrip(".") for text in texts[:2]] + [damage(rng, text) for text in texts]
        errors = {}
        found, _ = parse_boards(texts, box, style, errors)
        for number, text in enumerate(texts):
            if number in errors:
                assert not found[number].any()
                with pytest.raises(ValueError, match=f"^{re.escape(errors[number])}$"):
                    parse_board(text, box, style)
            else:
                assert found[number].tolist() == parse_board(text, box, style)[0].tolist()


@pytest.mark.parametrize(
    "text",
    [
        f"{PUZZLE} {PUZZLE.replace('.', '1')}",  # a wrong solution, which is not checked here
        f"{PUZZLE}  # a remark",
        f"# a remark\n{PUZZLE}",
        f"{PUZZLE[:20]}\n{PUZZLE[20:50]}\n{PUZZLE[50:]}",
        PUZZLE.replace(".", " "),
        ",".join(PUZZLE) + ",",
    ],
)
def test_strings_have_the_layouts_of_files(text):
    boards, box = parse_boards([PUZZLE, text], None, "auto")
    assert box == Box(3, 3)
    assert boards.tolist() == [values_of(PUZZLE).tolist()] * 2
