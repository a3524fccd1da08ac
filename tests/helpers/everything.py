"""A program that uses every command, kind and rule in a process without Numba.

    DLX_NUMBA_CACHE_DIR=... python -m tests.helpers.everything

A kernel whose machine code is not in the directory is an error.
"""

import random
import sys

sys.modules["numba"] = None  # type: ignore[assignment]

import dlx_numba as dlx  # noqa: E402
from dlx_numba.cli.app import COMMAND_NAMES  # noqa: E402
from dlx_numba.puzzles.kind import examples  # noqa: E402
from dlx_numba.sudoku.box import Box  # noqa: E402
from tests.helpers import INSTANCES  # noqa: E402
from tests.helpers.oracles import random_solution  # noqa: E402
from tests.helpers.processes import UNIQUE, invoke, invoke_with_status  # noqa: E402
from tests.helpers.variants import NAMES, random_rules  # noqa: E402

BOARDS = ("solve", "rate", "minimize --solution", "canonical", "hint", "diagnose", "show")
QUEENS = (
    *("cover", "count", "sample", "cheapest", "estimate", "hint", "diagnose", "verify", "puzzles"),
    *("show --symmetries", "explain -o -", "count --up-to-symmetry", "count --method memo"),
)
OTHERS = ("generate 1", "gallery", "mcp --help", "warmup --help", "demo --help", "bench --help")
BOX = Box(2, 2)
PUZZLE = "1" + "." * 15


def main() -> None:
    """Use everything."""
    for name in NAMES:
        use_rule(name)
    for kind in examples():
        for command in ("solve", "count", "hint", "show", "explain --steps 5 -o -"):
            words = [*command.split(), kind, "--seconds", "2"]
            status = invoke_with_status(*words)[2]
            if status not in (0, 1, 3):
                raise AssertionError(f"{words}: status {status}")
    names = {command.split()[0] for command in (*BOARDS, *QUEENS, *OTHERS)}
    assert names == {*COMMAND_NAMES}, names ^ {*COMMAND_NAMES}
    for command in BOARDS:
        invoke(*command.split(), UNIQUE)
    for command in QUEENS:
        answer = ["0"] if command == "verify" else []
        invoke(*command.split(), INSTANCES / "queens8.dlx", *answer, status=None)
    for command in OTHERS:
        invoke(*command.split())


def use_rule(name: str) -> None:
    """Formulate, solve and generate puzzles with a rule, and explain them."""
    rng = random.Random(1)
    solution = random_solution(BOX, rng).ravel().tolist()
    rules = dlx.SudokuRules(**{name: random_rules(name, solution, BOX, rng)})
    rules.exact_cover(BOX).count()
    dlx.solve_batch([PUZZLE], rules=rules, limit=2)
    dlx.diagnose_sudoku(PUZZLE, rules=rules)
    if rules.possible(BOX):
        rules.redundant(BOX)
        dlx.generate(1, rules=rules, box=BOX, seed=1)


if __name__ == "__main__":
    main()
