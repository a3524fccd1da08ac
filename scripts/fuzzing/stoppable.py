"""Calls of the functions for Sudoku that can be stopped, and what they may return then."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import dlx_numba as dlx


@cache
def puzzles() -> dlx.GenerateResult:
    """Return puzzles that take most functions a hundredth of a second."""
    return dlx.generate(600, seed=1, clues=(20, 32))


@cache
def large_puzzles() -> Any:
    """Return boards of 12×12."""
    return dlx.generate(20, seed=1, box=(3, 4)).puzzles


CALLS: dict[str, Callable[..., Any]] = {
    "solve_batch": lambda **named: dlx.solve_batch(puzzles().puzzles, 2, **named),
    "solve_batch of one": lambda **named: dlx.solve_batch(puzzles().puzzles[:1], None, **named),
    "solve_batch by dlx": lambda **named: dlx.solve_batch(
        puzzles().puzzles[:100], 2, "dlx", **named
    ),
    "solve_batch of large boards": lambda **named: dlx.solve_batch(
        large_puzzles(), 2, box=(3, 4), **named
    ),
    "generate": lambda **named: dlx.generate(200, seed=3, **named),
    "generate easy": lambda **named: dlx.generate(50, seed=3, difficulty="easy", **named),
    "minimize": lambda **named: dlx.minimize(puzzles().solutions[:100], seed=1, **named),
    "is_minimal": lambda **named: dlx.is_minimal(puzzles().puzzles, **named),
    "rate": lambda **named: dlx.rate(puzzles().puzzles, **named),
    "canonical": lambda **named: dlx.canonical(puzzles().puzzles, **named),
    "canonical forms of large boards": lambda **named: dlx.canonical(
        large_puzzles(), box=(3, 4), **named
    ),
}


@cache
def expected_result(name: str) -> list[np.ndarray]:
    """Return the result of a call that nothing disturbs."""
    return arrays(CALLS[name]())


def arrays(result: Any) -> list[np.ndarray]:
    """Return a result as a list of arrays with a row for each puzzle."""
    if isinstance(result, dlx.Ratings):
        return [result.codes, result.counts, result.solutions, result.scores]
    return [result] if isinstance(result, np.ndarray) else list(result)


def is_stopped(name: str, **named: Any) -> bool:
    """Call a function, and return whether it was stopped; what is complete must be right."""
    expected = expected_result(name)
    try:
        result = CALLS[name](**named)
    except dlx.Stopped as stopped:
        found = arrays(stopped.partial)
        assert len(found[0]) < len(expected[0]), f"{name}: complete, but stopped"
        for array, other in zip(found, expected, strict=True):
            assert np.array_equal(array, other[: len(array)]), f"partial result of {name}"
        return True
    found = arrays(result)
    done = result.counts >= 0 if name.startswith("solve_batch") else np.ones(len(found[0]), bool)
    for array, other in zip(found, expected, strict=True):
        assert np.array_equal(array[done], other[done]), name
    return not done.all()
