"""Answers that are drawn as solutions are: those of all kinds."""

import random
from dataclasses import replace
from itertools import islice

import pytest

import dlx_numba as dlx
from dlx_numba.pictures.filling import Pieces
from dlx_numba.puzzles.answer import check_answer, find_answer
from dlx_numba.puzzles.kind import examples
from tests.helpers.puzzles import parse_text
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled
SLOW = {"knight"}  # random covers of its example take seconds


def random_covers(puzzle, seed, number):
    """Return solutions in a random order."""
    covers = puzzle.cover(choose="random", seed=seed).iterate()
    condition = puzzle.condition or (lambda _: True)
    return [*islice(filter(condition, covers), number)]


@pytest.mark.parametrize("kind", sorted(examples().keys() - SLOW))
def test_drawn_solutions_are_answers(kind):
    puzzle = dlx.example(kind)
    for seed in seeds(5, 2):
        for cover in random_covers(puzzle, seed, 2):
            text = puzzle.text(cover)
            for answer in (text, text + "\n"):
                stated = replace(puzzle, answer=answer)
                assert check_answer(stated, [answer])["is_right"], text
                is_labeled = isinstance(puzzle.picture, Pieces)
                assert is_labeled or stated.text(find_answer(stated)) == text


@pytest.mark.parametrize("kind", sorted(examples().keys() - SLOW))
def test_changed_drawings_are_wrong(kind):
    """The labels of pieces may have other names, and what is beside the cells means nothing."""
    puzzle = dlx.example(kind)
    for seed in seeds(20, 3):
        rng = random.Random(seed)
        [cover] = random_covers(puzzle, seed, 1)
        text = puzzle.text(cover)
        places = [k for k, symbol in enumerate(text) if not symbol.isspace()]
        first, second = rng.sample(places, 2)
        changed = [*text]
        changed[first] = text[second]
        stated = replace(puzzle, answer="".join(changed))
        try:
            found = find_answer(stated)
        except ValueError:
            continue
        assert puzzle.cover().check(found)
        assert puzzle.text(found) == text or isinstance(puzzle.picture, Pieces)


def test_bridges_between_adjacent_islands_are_not_drawn():
    for rows in ("33.\n33.", "2.2\n2.2\n...", "12\n.1", "121\n1.1"):
        [puzzle] = parse_text(rows, "hashiwokakero")
        for cover in puzzle.solutions():
            stated = replace(puzzle, answer=puzzle.text(cover))
            assert check_answer(stated, [stated.answer])["is_right"], stated.answer
