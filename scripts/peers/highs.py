"""Solve an integer program with HiGHS, and print the time, the value, the bound and the state.

    python scripts/peers/highs.py FILE SECONDS

This is a program of its own, because the libraries of HiGHS and OR-Tools cannot be loaded together.
"""

import json
import sys
import time

import highspy


def main() -> None:
    path, seconds = sys.argv[1:]
    highs = highspy.Highs()
    highs.silent()
    options = {"threads": 1, "time_limit": float(seconds), "mip_rel_gap": 0.0}
    for name, value in options.items():
        highs.setOptionValue(name, value)
    highs.readModel(path)
    start = time.perf_counter()
    highs.run()
    elapsed, info = time.perf_counter() - start, highs.getInfo()
    is_proven = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    has_value = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    value = info.objective_function_value if has_value else None
    print(json.dumps([elapsed, value, info.mip_dual_bound, is_proven]))


if __name__ == "__main__":
    main()
