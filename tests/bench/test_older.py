"""The programs of the oldest texts count as many covers as the package."""

import pytest

import dlx_numba as dlx
from scripts.measure import older

pytestmark = pytest.mark.compiled


def test_all_programs_count_the_same_covers():
    plain = older.plain_module()
    for region, n_covers in (("4x4", 36), ("3x3", 0)):
        problem = older.left_of(dlx.example("tilings", region=region).cover())
        calls = older.calls_of(older.Task(region, [problem]), plain)
        assert {call() for call in calls.values()} == {n_covers}
        assert "lists, Python" in calls
