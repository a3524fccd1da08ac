"""The clock of work in several threads."""

from dlx_numba.runtime.clock import Clock


def test_clock_counts_nested_blocks_once():
    clock = Clock()
    with clock:
        with clock:
            pass
        inner = clock.seconds
        assert inner > 0
    total = clock.seconds
    assert total >= inner
    assert clock.seconds == total
