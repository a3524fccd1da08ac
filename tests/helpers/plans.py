"""Plans as tables with one option a row, which are drawn as timetables."""

import random

import pandas as pd

import dlx_numba as dlx

FORM = {"items": ["flight"], "optional": [("gate", "time")], "cost": "walk"}


def gate_table(walks, stays):
    """Return a row for each flight and gate: its times are the arrivals during its stay."""
    arrivals = sorted({start for start, _ in stays})
    rows = [
        (f"F{k}", gate, [_clock(time) for time in arrivals if start <= time < end], walk)
        for k, (start, end) in enumerate(stays)
        for gate, walk in walks.items()
    ]
    return pd.DataFrame(rows, columns=["flight", "gate", "time", "walk"])


def _clock(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def gates(n_flights=24):
    """Return the assignment of flights of a day to six gates."""
    rng = random.Random(5)
    starts = sorted(rng.sample(range(360, 1000, 5), n_flights))
    stays = [(start, start + rng.randrange(40, 90)) for start in starts]
    walks = {f"{k}": 2 * k for k in range(1, 7)}
    return dlx.ExactCover.from_frame(gate_table(walks, stays), **FORM)
