"""Use every algorithm and every family of kernels, and compare the results with known values.

    python -W error::RuntimeWarning scripts/smoke_test.py

`scripts/test-versions` runs it with the package installed; it needs none of the other tools.
"""

import pickle
from pathlib import Path

import numpy as np

import dlx_numba as dlx

ROOT = Path(__file__).resolve().parents[1]

# The algorithm, and the instance with its number of covers, as in tests/instances/README.md
COUNTS = [
    ("links", "queens8.dlx", 92),
    ("links", "langford8.dlx", 300),
    ("links", "macmahon4x6f.dlx", 11736),  # colors
    ("links", "queendom7.mcc.dlx", 86),  # multiplicities
    ("bitset", "queens10.dlx", 724),
    ("bitset", "random40.dlx", 635),
    ("auto", "partitions6.ec.gz", 203),
    ("auto", "matchings10.ec", 945),
]
MEMOIZED = [("dominoes6x6.txt", 6728), ("queens8.dlx", 92), ("matchings10.ec", 945)]

DIFFICULTIES = ("simple", "easy", "intermediate", "expert")
GENERATED = "..5....6.2..87.3..9....5.2........8..64...9..1...54.....7.6...2...5.7....3..1.4.."


def main() -> None:
    for test in (test_searches, test_memo, test_costs, test_solving, test_other_sudoku):
        test()
        print(f"ok: {test.__name__}", flush=True)


def load(name: str, **options: object) -> dlx.ExactCover:
    kind = "orlib" if name.endswith(".txt") else None
    return dlx.ExactCover.read(ROOT / "tests" / "instances" / name, kind, **options)


def require(found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"found {found}, expected {expected}")


def test_searches() -> None:
    for algorithm, name, n_covers in COUNTS:
        cover = load(name, algorithm=algorithm)
        require(cover.count(method="search"), n_covers)
        covers = cover.solve()
        require(len(set(map(tuple, covers))), n_covers)
        require(cover.replace(threads=2).count(method="search"), n_covers)
        search = cover.search()
        begin = search.run(solutions=n_covers // 2)
        rest = pickle.loads(pickle.dumps(search)).run()
        require([*begin, *rest], covers)
    for choose in ("smallest", "leftmost", "random", "sharp"):
        require(load("queens8.dlx", choose=choose).count(method="search"), 92)
    for presolve in (False, True):
        require(load("pent3x20.dlx", presolve=presolve).count(), 8)


def test_memo() -> None:
    for name, n_covers in MEMOIZED:
        cover = load(name)
        require(cover.count(method="memo"), n_covers)
        require(cover.diagram().count(), n_covers)


def test_costs() -> None:
    cover = load("queens8.cost.dlx")
    cheapest = cover.cheapest(5)
    require(cheapest[0].cost, 60)
    require([each.cost for each in cover.diagram().cheapest(5)], [each.cost for each in cheapest])


def test_solving() -> None:
    for difficulty in DIFFICULTIES:
        puzzles = (ROOT / "data" / f"{difficulty}.txt").read_text().split()
        result = dlx.solve_batch(puzzles, limit=2)
        require(result.counts.tolist(), [1] * len(puzzles))
        few = dlx.solve_batch(puzzles[:20], limit=2, engine="dlx", threads=2)
        require(few.solutions.tolist(), result.solutions[:20].tolist())
        require(set(dlx.rate(puzzles).difficulty.tolist()), {difficulty})
        require(bool(dlx.is_minimal(dlx.minimize(puzzles[:5])).all()), True)
    require(len(list(dlx.iter_solutions("." * 16))), 288)
    require(dlx.solve_batch(np.zeros((3, 256), np.uint8)).counts.tolist(), [1, 1, 1])


def test_other_sudoku() -> None:
    require(dlx.generate(1, seed=1).strings(), [GENERATED])
    for options in ({"difficulty": "expert"}, {"symmetry": "rotate180"}, {"box": (2, 2)}):
        puzzles = dlx.generate(10, seed=1, **options).puzzles
        require(dlx.solve_batch(puzzles, limit=2).counts.tolist(), [1] * 10)
    boards = dlx.generate(10, seed=2).puzzles
    digits = np.array([0, 4, 6, 9, 1, 3, 2, 5, 8, 7], np.uint8)  # another name for each digit
    equivalent = digits[boards].reshape(-1, 9, 9)[:, ::-1].transpose(0, 2, 1).reshape(-1, 81)
    require(dlx.canonical(equivalent).tolist(), dlx.canonical(boards).tolist())


if __name__ == "__main__":
    main()
