"""Solve a pickled problem with CP-SAT, and print the time, the value, the bound and the state.

    python -m scripts.peers.cp_sat FILE SECONDS

This is a program of its own, because the libraries of HiGHS and OR-Tools cannot be loaded together.
"""

import json
import pickle
import sys
import time
from pathlib import Path

from ortools.sat.python import cp_model


def main() -> None:
    path, seconds = sys.argv[1:]
    cover = pickle.loads(Path(path).read_bytes())
    model, solver = cover.to_cpsat(), cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = float(seconds)
    solver.parameters.num_workers = 1
    start = time.perf_counter()
    status = solver.solve(model)
    elapsed = time.perf_counter() - start
    has_value = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    value = solver.objective_value if has_value else None
    is_proven = status == cp_model.OPTIMAL
    print(json.dumps([elapsed, value, solver.best_objective_bound, is_proven]))


if __name__ == "__main__":
    main()
