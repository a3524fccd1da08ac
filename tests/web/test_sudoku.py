"""Sudokus in WebAssembly: the results are those of Python."""

from itertools import product

import pytest

from dlx_numba import generate, rate, solve_batch
from dlx_numba.runtime.choices import CLASSES
from tests.helpers import DATA

pytestmark = pytest.mark.thorough

# With 17 clues; with many guesses; with several solutions; without one; contradictory; complete
PUZZLES = [
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "000000012000035000000600070700000300000400800100000000000120000080000040050000600",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "." * 81,
    ".." + "812753649943682175675491283154237896369845721287169534521974368438526917796318452"[2:],
    "516849732307605000809700065135060907472591006968370050253186074684207500791050608",
    "11" + "." * 79,
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452",
]


@pytest.fixture(scope="module")
def puzzles():
    samples = [(DATA / f"{name}.txt").read_text().split() for name in CLASSES[1:]]
    return [*PUZZLES, *(puzzle for sample in samples for puzzle in sample)]


def test_puzzles_are_solved_as_in_python(run_in_node, puzzles):
    limits = (1, 2, 5)
    script = "output = []; for (const limit of input.pop()) "
    script += "output.push(await dlx.solve(input, {limit}));"
    found = run_in_node(script, [*puzzles, limits])
    for limit, result in zip(limits, found, strict=True):
        expected = solve_batch(puzzles, limit=limit, engine="lanes")
        pairs = zip(expected.strings(), expected.counts, strict=True)
        assert result == {
            "counts": expected.counts.tolist(),
            "guesses": expected.nodes.tolist(),
            "solutions": [text if count else "" for text, count in pairs],
        }


def test_classes_are_those_of_python(run_in_node, puzzles):
    found = run_in_node("output = await dlx.rate(input);", puzzles)
    assert [each["difficulty"] for each in found] == rate(puzzles).difficulty.tolist()


def test_generated_puzzles_are_those_of_python(run_in_node):
    requests = [
        {"seed": seed, **({"difficulty": difficulty} if difficulty else {})}
        for seed, difficulty in product((0, 43, 2**40 + 1), (None, *CLASSES[1:]))
    ]
    script = "output = []; for (const each of input) output.push(await dlx.generate(5, each));"
    found = run_in_node(script, requests)
    assert found == [generate(5, **each).strings() for each in requests]


def test_an_invalid_puzzle_is_reported_with_its_number_and_the_reason(run_in_node):
    script = "try { await dlx.solve(input); } catch (error) { output = error.message; }"
    for invalid, reason in (("1" * 80, "80 cells instead of 81"), ("x" + 80 * ".", "cell 1: x is")):
        assert f"puzzle 2: {reason}" in run_in_node(script, [PUZZLES[0], invalid])


def test_a_seed_that_is_no_natural_number_is_reported(run_in_node):
    script = "try { await dlx.generate(1, {seed: -1}); } catch (error) { output = error.message; }"
    assert "seed must be an integer from 0" in run_in_node(script)


def test_batches_leave_time_for_a_signal_to_stop(run_in_node):
    script = """
    const stop = new AbortController();
    setTimeout(() => stop.abort());
    const puzzles = Array(50000).fill(input);
    await dlx.solve(puzzles, {stop: stop.signal}).catch((error) => { output = error.name; });
    """
    assert run_in_node(script, PUZZLES[0]) == "AbortError"
