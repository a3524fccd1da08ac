"""A program that uses every command, kind and rule in a process without Numba.

A kernel whose machine code is not in the directory of `DLX_NUMBA_CACHE_DIR` is an error.
"""

import random

import dlx_numba as dlx
from dlx_numba.cli.app import COMMAND_NAMES
from dlx_numba.puzzles.kind import examples
from dlx_numba.sudoku.box import Box
from tests.helpers import INSTANCES
from tests.helpers.oracles import random_solution
from tests.helpers.processes import UNIQUE, invoke, invoke_with_status
from tests.helpers.variants import NAMES, random_rules

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
