"""Alphabets, and boards as strings: alone and in batches, with the same results."""

import random
import re

import numpy as np
import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board, format_grid
from dlx_numba.sudoku.io.strings import parse_board, parse_boards
from dlx_numba.sudoku.io.symbols import Alphabet, select_alphabet
from tests.helpers import oracles
from tests.helpers.boards import values_of
from tests.helpers.formats import PUZZLE
from tests.helpers.seeds import instances, seeded

BOXES = [Box(2, 2), Box(3, 3), Box(4, 4), Box(5, 5), Box(6, 6)]
STYLES = ["1-9A-", "0-9A-", "A-"]


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
        style = rng.choice([*STYLES, "numbers"] if box.n <= 25 else ["numbers"])
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


@pytest.mark.parametrize(
    ("n", "names"),
    [
        (4, ["1-4", "0-3", "A-D"]),
        (10, ["1-9A", "0-9", "A-J"]),
        (16, ["1-9A-G", "0-9A-F", "A-P"]),
        (25, ["1-9A-P", "0-9A-O", "A-Y"]),
    ],
)
def test_names(n: int, names: list[str]) -> None:
    alphabets = [Alphabet(style, n) for style in STYLES]
    assert [alphabet.name for alphabet in alphabets] == names
    for alphabet in alphabets:
        assert Alphabet.named(alphabet.style, n) == alphabet
        assert Alphabet.named(alphabet.name.lower(), n) == alphabet
    for name in ("1-9A-Z", "any", "", "A-Z", "1"):
        with pytest.raises(ValueError, match=f"one of {', '.join(names)}"):
            Alphabet.named(name, n)


@pytest.mark.parametrize("n", range(4, 26))
@pytest.mark.parametrize("style", STYLES)
def test_tables(n: int, style: str) -> None:
    alphabet = Alphabet(style, n)
    values = np.arange(n + 1, dtype=np.uint8)
    text = format_board(values, alphabet)
    assert (alphabet.decode[list(text.encode())] == values).all()
    assert (alphabet.decode[list(text.lower().encode())] == values).all()
    blanks = [c for c in ".0*_xX" if c.upper() not in text[1:]]
    assert (alphabet.decode[[ord(blank) for blank in blanks]] == 0).all()
    assert (alphabet.decode <= n).sum() == (alphabet.decode != 255).sum()


@pytest.mark.parametrize(
    ("n", "seen", "chosen"),
    [
        (9, "", ("1-9", False)),
        (16, "....", ("1-9A-G", False)),
        (16, "AB..", ("A-P", False)),
        (16, "AxX.", ("A-P", False)),
        (25, "AX..", ("A-Y", False)),
        (16, "1A0.", ("0-9A-F", False)),
        (16, "1A0x", ("0-9A-F", False)),
        (16, "1A0G.", ("1-9A-G", False)),
        (16, "1A00", ("1-9A-G", False)),
        (16, "1A..", ("1-9A-G", True)),
        (16, "0123456789abcdef" * 16, ("0-9A-F", False)),
        (16, "0123456789abcdef" * 15 + "0" * 16, ("1-9A-G", False)),
        (12, "123456789ABC" * 12, ("1-9A-C", False)),
    ],
)
def test_alphabets_that_fit_symbols(n: int, seen: str, chosen: tuple[str, bool]) -> None:
    alphabet, ambiguous = select_alphabet("auto", n, seen.encode())
    assert (alphabet.name, ambiguous) == chosen


def test_spaces_are_empty_cells_even_if_the_givens_would_form_a_board() -> None:
    text = ("123456   " * 6 + " " * 27).ljust(81)
    values, _, box = parse_board(text)
    assert box == Box(3, 3)
    assert np.count_nonzero(values) == 36


@pytest.mark.parametrize(
    ("text", "box", "reason"),
    [
        ("." * 81, Box(2, 2), "expected 16 symbols, found 81"),
        ("", None, "0 symbols"),
        (" ".join(["17", "1", "1", "1"] * 64), None, "'17' is not a number from 1 to 16"),
        ("." * 1296, None, "a board of 36x36 has numbers, separated by spaces or commas"),
        ("12 " * 1295, None, "1,295 numbers: a board has 16"),
        ("12 " * 1295, Box(6, 6), "expected 1296 numbers, found 1295"),
        ("." * 81 + "\n" + "1" + "." * 80, None, "162 symbols"),
        ("." * 81 + "\n" + "1" + "." * 80, Box(3, 3), "expected 81 symbols, found 162"),
        (4 * ("1" + "." * 80 + "\n"), None, "expected 18 rows, found 4"),
        (("." * 16 + "\n") * 15 + "." * 15 + "?", None, "invalid symbol '\\?'"),
    ],
)
def test_parse_errors(text: str, box: Box | None, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_board(text, box)
